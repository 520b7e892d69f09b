//! Expected verdicts. A rule permits a set of verdicts, and can require that the submission gets one of another set on
//! at least one test case.

use std::collections::BTreeSet;
use std::fmt;

use super::{DeclaredVerdict, Verdict};

/// A rule about the verdicts of one submission on some of the test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The source of the rule, for messages: the name of a folder or a position in submissions.yaml.
    pub origin: String,
    /// The test cases to which the rule applies.
    pub cases: CaseFilter,
    /// The verdicts that the submission may get on each of these test cases; `None` permits all verdicts.
    pub permitted: Option<BTreeSet<DeclaredVerdict>>,
    /// The submission must get one of these verdicts on at least one of the test cases; `None` requires nothing.
    pub required: Option<BTreeSet<DeclaredVerdict>>,
    /// The output validator's message on at least one of the test cases must contain this text; `None` requires
    /// nothing.
    pub message: Option<String>,
    /// The overall verdict of the submission must be one of these; `None` if it may be any verdict.
    pub outcome: Option<BTreeSet<Verdict>>,
    /// How the run times on these test cases bound the time limit; `None` if they do not bound it.
    pub time_bound: Option<TimeBound>,
}

/// How a submission's run times bound the time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBound {
    /// The run time is a lower bound of the time limit: the submission must not exceed the limit.
    Lower,
    /// The run time is an upper bound of the time limit: the submission must exceed the limit.
    Upper,
}

/// The test cases to which a rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseFilter {
    /// All test cases of the package.
    All,
    /// The test cases with these names. Patterns have already been replaced by the names that they match.
    Only(BTreeSet<String>),
}

impl CaseFilter {
    /// Returns whether the rule applies to the test case.
    pub fn contains(&self, case: &str) -> bool {
        match self {
            CaseFilter::All => true,
            CaseFilter::Only(names) => names.contains(case),
        }
    }
}

/// The part of a submission's result on one test case that expectations need.
#[derive(Clone, Copy, Debug)]
pub struct CaseVerdict<'a> {
    /// The name of the test case.
    pub case: &'a str,
    /// The verdict.
    pub verdict: Verdict,
    /// The output validator's message; `None` if there is none.
    pub message: Option<&'a str>,
}

/// How a submission broke a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The source of the rule.
    pub origin: String,
    /// The first test case on which the submission broke the rule. `None` if the rule was broken by the results as a
    /// whole: for example, a required verdict is missing.
    pub case: Option<String>,
    /// The expected result and the actual one.
    pub reason: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.reason, self.origin)
    }
}

impl Expectation {
    /// Returns how `results` break this rule; `None` if they do not. `whole` is true if every test case of the package
    /// was run. The absence of a required verdict or message breaks the rule only if all of the rule's test cases were
    /// run.
    pub fn breach(&self, results: &[CaseVerdict<'_>], whole: bool) -> Option<Breach> {
        let applicable: Vec<_> = results.iter().filter(|got| self.cases.contains(got.case)).collect();
        let complete = match &self.cases {
            CaseFilter::All => whole,
            CaseFilter::Only(names) => applicable.len() == names.len(),
        };
        self.not_permitted(&applicable)
            .or_else(|| if complete { self.required_missing(&applicable) } else { None })
            .or_else(|| if complete { self.message_missing(&applicable) } else { None })
    }

    /// Returns whether both rules apply to a common test case, and no verdict on it could satisfy both rules.
    pub fn contradicts(&self, other: &Expectation) -> bool {
        let (Some(own), Some(others)) = (&self.permitted, &other.permitted) else { return false };
        let meet = match (&self.cases, &other.cases) {
            (CaseFilter::Only(own), CaseFilter::Only(others)) => !own.is_disjoint(others),
            _ => true,
        };
        meet && own.is_disjoint(others)
    }

    /// Returns whether the rule permits none of the verdicts that it requires.
    pub fn contradicts_itself(&self) -> bool {
        let (Some(permitted), Some(required)) = (&self.permitted, &self.required) else { return false };
        permitted.is_disjoint(required)
    }

    /// Returns how the overall verdict of the submission breaks this rule; `None` if it does not.
    pub fn outcome_breach(&self, verdict: Verdict) -> Option<Breach> {
        let wanted = self.outcome.as_ref().filter(|wanted| !wanted.contains(&verdict))?;
        let words = wanted.iter().map(Verdict::to_string).collect::<Vec<_>>().join(" or ");
        Some(Breach { origin: self.origin.clone(), case: None, reason: format!("{verdict}, expected: {words}") })
    }

    /// Whether the rule permits the verdict of this result.
    pub(super) fn permits(&self, got: &CaseVerdict<'_>) -> bool {
        let is_among = |permitted: &BTreeSet<_>| got.verdict.word().is_some_and(|word| permitted.contains(&word));
        self.permitted.as_ref().is_none_or(is_among)
    }

    /// Whether the rule requires a verdict, and this result has it.
    pub(super) fn requires(&self, got: &CaseVerdict<'_>) -> bool {
        let is_among = |required: &BTreeSet<_>| got.verdict.word().is_some_and(|word| required.contains(&word));
        self.required.as_ref().is_some_and(is_among)
    }

    /// Whether the rule requires a text in a message, and this result's message contains it.
    pub(super) fn finds_message(&self, got: &CaseVerdict<'_>) -> bool {
        self.message.as_ref().zip(got.message).is_some_and(|(wanted, message)| message.contains(wanted.as_str()))
    }

    fn not_permitted(&self, results: &[&CaseVerdict<'_>]) -> Option<Breach> {
        let permitted = self.permitted.as_ref()?;
        let culprit = results.iter().find(|got| !self.permits(got))?;
        let none = || "none, so it must not compile".to_owned();
        let words = if permitted.is_empty() { none() } else { joined(permitted) };
        Some(Breach {
            origin: self.origin.clone(),
            case: Some(culprit.case.to_owned()),
            reason: format!("{} on {}, permitted: {words}", culprit.verdict, culprit.case),
        })
    }

    fn required_missing(&self, results: &[&CaseVerdict<'_>]) -> Option<Breach> {
        let required = self.required.as_ref()?;
        if results.iter().any(|got| self.requires(got)) {
            return None;
        }
        let wanted = joined(required);
        let (case, reason) = match (&self.cases, results) {
            (CaseFilter::Only(_), [only]) => {
                (Some(only.case.to_owned()), format!("{} on {}, required: {wanted}", only.verdict, only.case))
            }
            (CaseFilter::Only(names), _) => {
                (None, format!("none of the {} test cases got the required verdict {wanted}", names.len()))
            }
            (CaseFilter::All, _) => (None, format!("no test case got the required verdict {wanted}")),
        };
        Some(Breach { origin: self.origin.clone(), case, reason })
    }

    fn message_missing(&self, results: &[&CaseVerdict<'_>]) -> Option<Breach> {
        let wanted = self.message.as_ref()?;
        (!results.iter().any(|got| self.finds_message(got))).then(|| Breach {
            origin: self.origin.clone(),
            case: None,
            reason: format!("no judge message contains the required text {wanted:?}"),
        })
    }
}

fn joined(words: &BTreeSet<DeclaredVerdict>) -> String {
    words.iter().map(DeclaredVerdict::to_string).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The rule of the folder `wrong_answer`.
    pub(in super::super) fn wrong_answer_rule() -> Expectation {
        Expectation {
            origin: "wrong_answer".to_owned(),
            cases: CaseFilter::All,
            permitted: Some(BTreeSet::from([DeclaredVerdict::AC, DeclaredVerdict::WA])),
            required: Some(BTreeSet::from([DeclaredVerdict::WA])),
            message: None,
            outcome: None,
            time_bound: None,
        }
    }

    fn got(case: &'static str, verdict: Verdict) -> CaseVerdict<'static> {
        CaseVerdict { case, verdict, message: None }
    }

    #[test]
    fn a_wrong_answer_program_must_be_wrong_somewhere() {
        let rule = wrong_answer_rule();
        let always_right = [got("1", Verdict::Accepted), got("2", Verdict::Accepted)];
        assert_eq!(rule.breach(&always_right, true).unwrap().reason, "no test case got the required verdict WA");
        assert_eq!(rule.breach(&always_right, false), None, "half a run cannot break a required rule");
        assert_eq!(rule.breach(&[got("1", Verdict::Accepted), got("2", Verdict::WrongAnswer)], true), None);
    }

    #[test]
    fn a_verdict_that_is_not_permitted_names_its_case() {
        let breach =
            wrong_answer_rule().breach(&[got("1", Verdict::WrongAnswer), got("2", Verdict::TimeLimitExceeded)], false);
        assert_eq!(breach.unwrap().to_string(), "TLE on 2, permitted: AC or WA (wrong_answer)");
    }

    #[test]
    fn memory_and_output_limits_count_as_run_time_errors_in_expectations() {
        let rule = Expectation {
            permitted: Some(BTreeSet::from([DeclaredVerdict::AC, DeclaredVerdict::RTE])),
            required: Some(BTreeSet::from([DeclaredVerdict::RTE])),
            ..wrong_answer_rule()
        };
        assert_eq!(rule.breach(&[got("1", Verdict::MemoryLimitExceeded)], true), None);
        assert_eq!(rule.breach(&[got("1", Verdict::OutputLimitExceeded)], true), None);
    }

    #[test]
    fn a_judge_error_fits_no_rule_that_permits_anything_less_than_everything() {
        assert!(wrong_answer_rule().breach(&[got("1", Verdict::JudgeError)], false).is_some());
    }

    #[test]
    fn a_rule_for_some_cases_does_not_look_at_the_others() {
        let rule =
            Expectation { cases: CaseFilter::Only(BTreeSet::from(["secret/2".to_owned()])), ..wrong_answer_rule() };
        let elsewhere = [got("secret/1", Verdict::WrongAnswer), got("secret/2", Verdict::Accepted)];
        assert_eq!(rule.breach(&elsewhere, true).unwrap().reason, "AC on secret/2, required: WA");
        assert_eq!(rule.breach(&elsewhere[..1], true), None, "the case it speaks of was not run");
        assert!(rule.breach(&elsewhere, false).is_some(), "it was run, and the others do not matter");
        let there = [got("secret/1", Verdict::RunTimeError), got("secret/2", Verdict::WrongAnswer)];
        assert_eq!(rule.breach(&there, true), None);
    }

    #[test]
    fn rules_that_share_no_verdict_on_a_shared_case_contradict_each_other() {
        let on = |names: &[&str]| CaseFilter::Only(names.iter().map(|&name| name.to_owned()).collect());
        let slow = |cases| Expectation { cases, permitted: Some([DeclaredVerdict::TLE].into()), ..wrong_answer_rule() };
        assert!(wrong_answer_rule().contradicts(&slow(on(&["1"]))));
        let elsewhere = Expectation { cases: on(&["2"]), ..wrong_answer_rule() };
        assert!(!elsewhere.contradicts(&slow(on(&["1"]))));
        assert!(!wrong_answer_rule().contradicts(&Expectation { permitted: None, ..slow(CaseFilter::All) }));
    }

    #[test]
    fn a_wanted_outcome_is_that_of_the_whole_submission() {
        let rule =
            Expectation { outcome: Some([Verdict::CompileError, Verdict::WrongAnswer].into()), ..wrong_answer_rule() };
        assert_eq!(rule.outcome_breach(Verdict::CompileError), None);
        assert_eq!(rule.outcome_breach(Verdict::RunTimeError).unwrap().reason, "RTE, expected: WA or CE");
        assert_eq!(wrong_answer_rule().outcome_breach(Verdict::RunTimeError), None);
    }

    #[test]
    fn a_message_must_be_part_of_some_judge_message() {
        let rule =
            Expectation { permitted: None, required: None, message: Some("row 3".into()), ..wrong_answer_rule() };
        let silent = [got("1", Verdict::WrongAnswer)];
        assert!(rule.breach(&silent, true).is_some());
        let spoken = [CaseVerdict { message: Some("wrong in row 3"), ..got("1", Verdict::WrongAnswer) }];
        assert_eq!(rule.breach(&spoken, true), None);
    }
}
