//! Decides when a submission can stop, because it is certain whether it gets its declared verdicts.

use referee_grading::verdict::{CaseVerdict, RuleProgress, RuleState, Verdict};

use crate::Submission;
use crate::run::plan::RunPlan;
use crate::run::tally;

/// What the results of a submission so far say about its declared verdicts.
pub(super) struct Settling<'a> {
    rules: Vec<RuleProgress<'a>>,
    /// Whether scores are declared, too. These are known only at the end.
    has_scores: bool,
    first_failure_decides: bool,
    /// The verdict of the first test case that is not accepted; `None` so far.
    first_failure: Option<Verdict>,
    has_judge_error: bool,
    /// The number of test cases and static tests of the run.
    count: usize,
}

impl<'a> Settling<'a> {
    /// Starts without results. Returns `None` if the submission does not stop early, or if nothing is declared for it.
    pub(super) fn new(plan: &RunPlan<'_>, submission: &'a Submission) -> Option<Settling<'a>> {
        let rules = tally::declared(submission).filter(|_| plan.stops_at_declaration())?;
        Some(Settling {
            rules: rules.iter().map(|rule| RuleProgress::new(rule, plan.names())).collect(),
            has_scores: !submission.scores.is_empty(),
            first_failure_decides: plan.first_failure_decides,
            first_failure: None,
            has_judge_error: false,
            count: plan.works.len(),
        })
    }

    /// Adds a result. Returns whether the results so far decide whether the submission gets its declared verdicts,
    /// whatever the results from the index `next` on will be. Returns false after the last result, and after a judge
    /// error. If scores are declared, returns true only if a rule about verdicts is broken.
    pub(super) fn add(&mut self, result: &CaseVerdict<'_>, next: usize) -> bool {
        self.rules.iter_mut().for_each(|rule| rule.add(result));
        self.has_judge_error |= result.verdict == Verdict::JudgeError;
        if result.verdict != Verdict::Accepted {
            self.first_failure.get_or_insert(result.verdict);
        }
        next < self.count && !self.has_judge_error && self.is_decided(next)
    }

    fn is_decided(&self, next: usize) -> bool {
        let verdict = self.first_failure.filter(|_| self.first_failure_decides);
        let mut states = self.rules.iter().map(|rule| rule.state(next, verdict));
        let all_are_kept = !self.has_scores && states.clone().all(|state| state == RuleState::Kept);
        all_are_kept || states.any(|state| state == RuleState::Broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, JudgeError, TimeLimitExceeded, WrongAnswer};
    use referee_grading::verdict::{CaseFilter, Expectation};

    const NAMES: [&str; 3] = ["1", "2", "3"];

    fn rule() -> Expectation {
        Expectation {
            origin: "slow".to_owned(),
            cases: CaseFilter::All,
            permitted: None,
            required: None,
            message: None,
            outcome: Some([TimeLimitExceeded].into()),
            time_bound: None,
        }
    }

    fn settling(rule: &Expectation, first_failure_decides: bool, has_scores: bool) -> Settling<'_> {
        Settling {
            rules: vec![RuleProgress::new(rule, NAMES.into_iter())],
            has_scores,
            first_failure_decides,
            first_failure: None,
            has_judge_error: false,
            count: NAMES.len(),
        }
    }

    /// Returns after which of the verdicts on the test cases the submission can stop.
    fn decided(mut settling: Settling<'_>, verdicts: &[Verdict]) -> Vec<bool> {
        let results = NAMES.iter().zip(verdicts).map(|(case, &verdict)| CaseVerdict { case, verdict, message: None });
        results.enumerate().map(|(index, result)| settling.add(&result, index + 1)).collect()
    }

    #[test]
    fn a_submission_stops_at_the_failure_that_decides_its_verdict() {
        let rule = rule();
        let of = |first_failure_decides, has_scores, verdicts: &[Verdict]| {
            decided(settling(&rule, first_failure_decides, has_scores), verdicts)
        };
        assert_eq!(of(true, false, &[Accepted, TimeLimitExceeded]), [false, true], "kept");
        assert_eq!(of(true, false, &[Accepted, WrongAnswer]), [false, true], "broken");
        assert_eq!(of(false, false, &[Accepted, WrongAnswer]), [false, false], "groups decide");
        assert_eq!(of(true, true, &[Accepted, TimeLimitExceeded]), [false, false], "the score is not known");
        assert_eq!(of(true, true, &[Accepted, WrongAnswer]), [false, true], "no score mends that");
    }

    #[test]
    fn nothing_is_decided_after_a_judge_error_or_the_last_result() {
        let rule = rule();
        let of = |verdicts: &[Verdict]| decided(settling(&rule, true, false), verdicts);
        assert_eq!(of(&[JudgeError, TimeLimitExceeded]), [false, false]);
        assert_eq!(of(&[Accepted, Accepted, TimeLimitExceeded]), [false, false, false]);
    }
}
