//! The results of every submission on every case, without their outputs.

use super::Check;
use super::bench::Bench;
use referee_event::{CaseFinished, Event, SubmissionFinished, ToolFound};
use referee_grading::verdict::{DeclaredVerdict, TimeBound, Verdict};
use referee_judge::{JudgeError, Settings, Submission};

/// The results of all submissions, in order.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    pub(super) rows: Vec<Row>,
    /// The number of runs.
    pub(super) runs: usize,
}

/// The results of one submission.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) submission: Submission,
    /// The overall result; `None` if the submission was skipped.
    pub(super) finished: Option<SubmissionFinished>,
    /// Why the submission was skipped; `None` if it was not skipped.
    pub(super) skipped: Option<String>,
    /// The compiler's message; `None` if the compiler wrote none.
    pub(super) build_message: Option<String>,
    /// The compilers and interpreters of the submission's language.
    pub(super) tools: Vec<ToolFound>,
    /// The results in the order of test cases; empty if the submission was not run.
    pub(super) cases: Vec<CaseFinished>,
}

impl Row {
    fn new(submission: &Submission) -> Row {
        Row {
            submission: submission.clone(),
            finished: None,
            skipped: None,
            build_message: None,
            tools: Vec::new(),
            cases: Vec::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.submission.name
    }

    /// Returns whether a rule requires the submission to be accepted on every test case that the rule covers.
    pub(super) fn must_be_accepted(&self) -> bool {
        let rules = self.submission.expectations.iter().flatten();
        let mut permitted = rules.filter_map(|rule| rule.permitted.as_ref());
        permitted.any(|words| words.iter().eq([&DeclaredVerdict::AC]))
    }

    /// Returns whether a rule requires the submission to be rejected on some test case, and does not name TLE as the
    /// only verdict.
    pub(super) fn must_be_wrong(&self) -> bool {
        let rules = self.submission.expectations.iter().flatten();
        let mut required = rules.filter_map(|rule| rule.required.as_ref());
        required.any(|words| !words.contains(&DeclaredVerdict::AC) && !words.iter().eq([&DeclaredVerdict::TLE]))
    }

    /// Returns whether a rule requires the submission to be rejected on some test case.
    pub(super) fn must_be_rejected(&self) -> bool {
        let rules = self.submission.expectations.iter().flatten();
        rules.filter_map(|rule| rule.required.as_ref()).any(|words| !words.contains(&DeclaredVerdict::AC))
    }

    /// Returns whether the submission was run and no result is a judge error. Otherwise, the results prove nothing.
    pub(super) fn was_judged(&self) -> bool {
        !self.cases.is_empty() && self.cases.iter().all(|case| case.verdict != Verdict::JudgeError)
    }

    /// Iterates over the test cases on which the submission was not accepted.
    pub(super) fn failed(&self) -> impl Iterator<Item = &CaseFinished> {
        self.cases.iter().filter(|case| case.verdict != Verdict::Accepted)
    }

    /// Returns whether the submission's run time on the test case is a lower or an upper bound for the time limit;
    /// `None` if it is neither.
    pub(super) fn bound(&self, case: &str) -> Option<TimeBound> {
        [TimeBound::Lower, TimeBound::Upper].into_iter().find(|bound| self.submission.bounds_on(*bound, case))
    }
}

/// Runs `submissions` on all test cases of the package.
pub(super) fn run(
    bench: &Bench<'_>,
    submissions: &[Submission],
    settings: &Settings,
    check: Check,
) -> Result<Matrix, JudgeError> {
    let mut matrix = Matrix { rows: submissions.iter().map(Row::new).collect(), runs: 0 };
    let total = submissions.len() * bench.package.cases.len();
    // The session reports one submission after the other. `current` is the index of the submission that it reports now.
    let mut current = 0;
    let session = bench.session.with(settings.clone());
    session.judge_all(&bench.package.cases, submissions, &mut |event| match event {
        Event::BuildFinished(build) => {
            if let Some(row) = matrix.rows.get_mut(current) {
                row.build_message = build.message;
                row.tools = build.tools;
            }
        }
        Event::CaseFinished(case) => {
            matrix.runs += 1;
            bench.plan.watch.progress(check, matrix.runs, total);
            if let Some(row) = matrix.rows.get_mut(current) {
                row.cases.push(CaseFinished { exhibit: None, ..case });
            }
        }
        Event::SubmissionSkipped(skipped) => {
            if let Some(row) = matrix.rows.get_mut(current) {
                row.skipped = Some(skipped.reason_and_hint());
            }
            current += 1;
        }
        Event::SubmissionFinished(finished) => {
            if let Some(row) = matrix.rows.get_mut(current) {
                row.finished = Some(finished);
            }
            current += 1;
        }
        _ => {}
    })?;
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::test_package;
    use super::*;

    #[test]
    fn what_is_wanted_of_a_submission_follows_from_its_rules() {
        let names = ["accepted/good.py", "wrong_answer/a.py", "time_limit_exceeded/a.py", "mixed/a.py"];
        let files = names.map(|name| format!("submissions/{name}"));
        let package = test_package(&files.each_ref().map(|name| (name.as_str(), "")));
        let wanted = |name| {
            let row = package.row(name, &[]);
            (row.must_be_accepted(), row.must_be_rejected(), row.must_be_wrong())
        };
        let all = names.map(wanted);
        assert_eq!(all, [(true, false, false), (false, true, true), (false, true, false), (false, false, false)]);
    }

    #[test]
    fn from_a_row_with_a_failure_of_the_judge_nothing_follows() {
        let package = test_package(&[]);
        let judged = |cases: &[_]| package.row("accepted/good.py", cases).was_judged();
        let right = ("secret/1", Verdict::Accepted, 0.1);
        assert!(judged(&[right, ("secret/2", Verdict::RunTimeError, 0.1)]));
        assert!(!judged(&[right, ("secret/2", Verdict::JudgeError, 0.1)]) && !judged(&[]));
    }
}
