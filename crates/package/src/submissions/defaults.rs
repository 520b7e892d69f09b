//! The folders below `submissions/` that the format defines, with the verdicts that their submissions may and must get.

use std::collections::BTreeSet;

use super::rules::{Bounding, Rule, RuleExpectation};
use crate::problem::Problem;
use crate::version::Version;
use referee_grading::score::{ExpectedScore, Goal};
use referee_grading::verdict::DeclaredVerdict::{self, AC, RTE, TLE, WA};
use referee_grading::verdict::{CaseFilter, Expectation, TimeBound, Verdict};

/// A folder's name, the permitted verdicts (empty: all), the verdicts of which at least one is required (empty: none),
/// and how the run times of its submissions bound the time limit (`None`: not at all).
pub(super) type FolderRule = (&'static str, &'static [DeclaredVerdict], &'static [DeclaredVerdict], Option<TimeBound>);

/// The folders of format 2025-09; see the section "Default directories" of its specification.
const DATED: [FolderRule; 6] = [
    ("accepted", &[AC], &[], Some(TimeBound::Lower)),
    ("rejected", &[], &[WA, TLE, RTE], None),
    ("wrong_answer", &[AC, WA], &[WA], Some(TimeBound::Lower)),
    ("time_limit_exceeded", &[AC, TLE], &[TLE], Some(TimeBound::Upper)),
    ("run_time_error", &[AC, RTE], &[RTE], Some(TimeBound::Lower)),
    ("brute_force", &[AC, RTE, TLE], &[RTE, TLE], None),
];

/// The folders of format `legacy`; see the section "Example Submissions" of its specification.
const LEGACY: [FolderRule; 5] = [
    ("accepted", &[AC], &[], Some(TimeBound::Lower)),
    PARTIAL,
    ("wrong_answer", &[AC, WA], &[WA], None),
    ("time_limit_exceeded", &[AC, WA, TLE], &[TLE], Some(TimeBound::Upper)),
    ("run_time_error", &[], &[RTE], None),
];

/// A folder of the legacy format that packages of 2023 still use.
const PARTIAL: FolderRule = ("partially_accepted", &[], &[], None);

const V2023: [FolderRule; 7] = [DATED[0], PARTIAL, DATED[1], DATED[2], DATED[3], DATED[4], DATED[5]];

pub(super) fn all(problem: &Problem) -> &'static [FolderRule] {
    match problem.version {
        Version::Legacy | Version::LegacyIcpc => &LEGACY,
        Version::V2023_07 => &V2023,
        Version::V2025_09 => &DATED,
    }
}

/// Returns whether the submission is in `partially_accepted/`, the folder for submissions that are accepted with less
/// than the best score. Only scoring problems of format versions before 2025-09 have this folder.
fn is_partial(name: &str, problem: &Problem) -> bool {
    problem.kind.scoring && name.starts_with("partially_accepted/") && problem.version != Version::V2025_09
}

/// Returns the rule for a submission in `accepted/`: its overall verdict must be AC, also if the package's own grader
/// decides the overall verdict. `None` for other folders and for format 2025-09.
pub(super) fn outcome_of(name: &str, problem: &Problem) -> Option<Expectation> {
    let is_accepted = name.starts_with("accepted/") && problem.version != Version::V2025_09;
    is_accepted.then(|| Expectation {
        origin: "the rule of accepted/".to_owned(),
        cases: CaseFilter::All,
        permitted: None,
        required: None,
        message: None,
        outcome: Some(BTreeSet::from([Verdict::Accepted])),
        time_bound: None,
    })
}

/// Returns the score rule that follows from the folder of the submission. If `submissions.yaml` gives a score for
/// exactly that folder, the rule requires that score. Otherwise only `partially_accepted` has a rule; empty for other
/// folders.
pub(super) fn score_of(name: &str, problem: &Problem, rules: &[Rule]) -> Vec<ExpectedScore> {
    let class = name.split('/').next().unwrap_or_default();
    let origin = format!("the rule of {class}/");
    let own = rules.iter().find(|rule| rule.replaces && rule.pattern == class);
    let score = own.and_then(|rule| rule.expected.score.clone());
    let goal = match score {
        Some((low, high)) => Goal::Between(low, high),
        None if is_partial(name, problem) => Goal::NotBest,
        None => return Vec::new(),
    };
    vec![ExpectedScore { origin, groups: None, goal }]
}

/// Returns the rule of the submission's folder; `None` if the format does not define that folder. If `submissions.yaml`
/// has a rule for exactly that folder, each key of that rule replaces the default for the key.
pub(super) fn of(name: &str, problem: &Problem, rules: &[Rule]) -> Option<Expectation> {
    let class = name.split('/').next()?;
    let (_, permitted, required, bound) = all(problem).iter().find(|(folder, ..)| *folder == class)?;
    let set = |words: &[DeclaredVerdict]| (!words.is_empty()).then(|| words.iter().copied().collect::<BTreeSet<_>>());
    let own = rules.iter().find(|rule| rule.pattern == class);
    let expected = own.map(|rule| &rule.expected);
    let replaced = expected.and_then(RuleExpectation::bound);
    Some(Expectation {
        origin: format!("the rule of {class}/"),
        cases: CaseFilter::All,
        permitted: expected.and_then(RuleExpectation::permitted).or_else(|| set(permitted)),
        required: expected.and_then(RuleExpectation::required).or_else(|| set(required)),
        message: expected.and_then(|expected| expected.message.clone()),
        outcome: is_partial(name, problem).then(|| BTreeSet::from([Verdict::Accepted])),
        time_bound: replaced.map_or(*bound, Bounding::time_bound),
    })
}
