//! What the results so far say about a rule, while test cases still run.

use std::collections::BTreeSet;

use super::expectation::{CaseVerdict, Expectation};
use super::{DeclaredVerdict, Verdict};

/// The state of a rule before all test cases have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleState {
    /// The submission breaks the rule, whatever the remaining results are.
    Broken,
    /// The submission keeps the rule, whatever the remaining results are.
    Kept,
    /// The remaining results decide.
    Open,
}

/// What the results so far say about a rule. Each result is added once, so a package may have any number of test cases.
#[derive(Clone, Debug)]
pub struct RuleProgress<'a> {
    rule: &'a Expectation,
    /// Whether a test case got a verdict that the rule does not permit.
    is_broken: bool,
    has_required: bool,
    has_message: bool,
    /// The number of test cases up to the last one to which the rule applies.
    end: usize,
}

impl<'a> RuleProgress<'a> {
    /// Starts without results. `cases` are the names of all test cases in the order in which they run.
    pub fn new<'n>(rule: &'a Expectation, cases: impl Iterator<Item = &'n str>) -> RuleProgress<'a> {
        RuleProgress {
            rule,
            is_broken: false,
            has_required: rule.required.is_none(),
            has_message: rule.message.is_none(),
            end: (1..).zip(cases).filter(|(_, case)| rule.cases.contains(case)).last().map_or(0, |(count, _)| count),
        }
    }

    /// Adds the result on a test case.
    pub fn add(&mut self, result: &CaseVerdict<'_>) {
        if self.rule.cases.contains(result.case) {
            self.is_broken |= !self.rule.permits(result);
            self.has_required |= self.rule.requires(result);
            self.has_message |= self.rule.finds_message(result);
        }
    }

    /// Returns the state of the rule, while the results on the test cases from the index `next` on are unknown.
    /// `verdict` is the overall verdict; it is `None` as long as the remaining results can change it.
    pub fn state(&self, next: usize, verdict: Option<Verdict>) -> RuleState {
        if self.rule.outcome.is_some() {
            return match verdict {
                None => RuleState::Open,
                Some(verdict) if self.rule.outcome_breach(verdict).is_some() => RuleState::Broken,
                Some(_) => RuleState::Kept,
            };
        }
        if self.is_broken {
            return RuleState::Broken;
        }
        let permits_any = |permitted: &BTreeSet<_>| permitted.len() == DeclaredVerdict::ALL.len();
        let is_over = next >= self.end || self.rule.permitted.as_ref().is_none_or(permits_any);
        if is_over && self.has_required && self.has_message { RuleState::Kept } else { RuleState::Open }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::CaseFilter;
    use super::super::expectation::tests::wrong_answer_rule;
    use super::*;

    const NAMES: [&str; 3] = ["1", "2", "3"];

    /// Returns the state after these verdicts on the first test cases of [`NAMES`].
    fn state(rule: &Expectation, verdicts: &[Verdict]) -> RuleState {
        let mut progress = RuleProgress::new(rule, NAMES.into_iter());
        for (case, &verdict) in NAMES.iter().zip(verdicts) {
            progress.add(&CaseVerdict { case, verdict, message: None });
        }
        progress.state(verdicts.len(), None)
    }

    #[test]
    fn a_rule_is_settled_once_no_remaining_result_can_change_it() {
        use Verdict::{Accepted, TimeLimitExceeded, WrongAnswer};
        let rule = wrong_answer_rule();
        assert_eq!(state(&rule, &[Accepted]), RuleState::Open);
        assert_eq!(state(&rule, &[Accepted, TimeLimitExceeded]), RuleState::Broken);
        assert_eq!(state(&rule, &[Accepted, WrongAnswer]), RuleState::Open, "3 may exceed the limit");
        assert_eq!(state(&rule, &[Accepted, WrongAnswer, Accepted]), RuleState::Kept);
        let lenient = Expectation { permitted: None, ..wrong_answer_rule() };
        assert_eq!(state(&lenient, &[Accepted, WrongAnswer]), RuleState::Kept);
        let of_two = Expectation { cases: CaseFilter::Only(BTreeSet::from(["2".to_owned()])), ..wrong_answer_rule() };
        assert_eq!(state(&of_two, &[Accepted, WrongAnswer]), RuleState::Kept, "the rule says nothing about 3");
    }

    #[test]
    fn a_rule_about_the_outcome_is_settled_by_a_certain_verdict() {
        let rule = Expectation {
            permitted: None,
            required: None,
            outcome: Some(BTreeSet::from([Verdict::WrongAnswer])),
            ..wrong_answer_rule()
        };
        let progress = RuleProgress::new(&rule, NAMES.into_iter());
        assert_eq!(progress.state(1, None), RuleState::Open);
        assert_eq!(progress.state(1, Some(Verdict::WrongAnswer)), RuleState::Kept);
        assert_eq!(progress.state(1, Some(Verdict::RunTimeError)), RuleState::Broken);
    }

    /// A verdict, and whether the message contains the text for which rules look.
    type Seen = (Verdict, bool);

    const SEEN: [Seen; 5] = [
        (Verdict::Accepted, false),
        (Verdict::WrongAnswer, false),
        (Verdict::WrongAnswer, true),
        (Verdict::TimeLimitExceeded, false),
        (Verdict::RunTimeError, false),
    ];

    fn results(seen: &[Seen]) -> Vec<CaseVerdict<'static>> {
        let result = |(&case, &(verdict, has_text)): (&&'static str, &Seen)| CaseVerdict {
            case,
            verdict,
            message: has_text.then_some("wrong in row 3"),
        };
        NAMES.iter().zip(seen).map(result).collect()
    }

    /// Returns whether the rule is broken after each possible continuation of `seen` to a whole run.
    fn breaks(rule: &Expectation, seen: &[Seen]) -> Vec<bool> {
        if seen.len() == NAMES.len() {
            return vec![rule.breach(&results(seen), true).is_some()];
        }
        SEEN.iter().flat_map(|&next| breaks(rule, &[seen, &[next]].concat())).collect()
    }

    fn rule() -> impl Strategy<Value = Expectation> {
        let some_words =
            prop::option::of(prop::collection::btree_set(prop::sample::select(&DeclaredVerdict::ALL[..]), 0..5));
        let some_names = prop::option::of(prop::collection::btree_set(prop::sample::select(&NAMES[..]), 1..4));
        (some_words.clone(), some_words, some_names, any::<bool>()).prop_map(
            |(permitted, required, names, has_message)| Expectation {
                permitted,
                required,
                cases: names
                    .map_or(CaseFilter::All, |names| CaseFilter::Only(names.into_iter().map(str::to_owned).collect())),
                message: has_message.then(|| "row 3".to_owned()),
                ..wrong_answer_rule()
            },
        )
    }

    proptest! {
        #[test]
        fn no_continuation_of_a_run_contradicts_a_settled_rule(
            rule in rule(), seen in prop::collection::vec(prop::sample::select(&SEEN[..]), 0..=NAMES.len()),
        ) {
            let mut progress = RuleProgress::new(&rule, NAMES.into_iter());
            for result in results(&seen) {
                progress.add(&result);
            }
            let breaks = breaks(&rule, &seen);
            match progress.state(seen.len(), None) {
                RuleState::Kept => prop_assert!(breaks.iter().all(|breaks| !breaks)),
                RuleState::Broken => prop_assert!(breaks.iter().all(|breaks| *breaks)),
                RuleState::Open => {}
            }
        }
    }
}
