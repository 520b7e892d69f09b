//! The folders below `submissions/` that have a meaning: the verdicts that their submissions may get and must get.

use std::collections::BTreeSet;

use super::rules::{Bounding, Rule, RuleExpectation};
use crate::problem::Problem;
use crate::version::Version;
use referee_grading::score::{ExpectedScore, Goal};
use referee_grading::verdict::DeclaredVerdict::{self, AC, RTE, TLE, WA};
use referee_grading::verdict::{CaseFilter, Expectation, TimeBound, Verdict};

/// A folder's name, the permitted verdicts (empty: all), the verdicts of which at least one is required (empty: none),
/// and how its run times bound the time limit.
pub(super) type Default = (&'static str, &'static [DeclaredVerdict], &'static [DeclaredVerdict], Option<TimeBound>);

/// The folders of format 2025-09, "Default directories".
const DATED: [Default; 6] = [
    ("accepted", &[AC], &[], Some(TimeBound::Lower)),
    ("rejected", &[], &[WA, TLE, RTE], None),
    ("wrong_answer", &[AC, WA], &[WA], Some(TimeBound::Lower)),
    ("time_limit_exceeded", &[AC, TLE], &[TLE], Some(TimeBound::Upper)),
    ("run_time_error", &[AC, RTE], &[RTE], Some(TimeBound::Lower)),
    ("brute_force", &[AC, RTE, TLE], &[RTE, TLE], None),
];

/// The folders of format `legacy`, "Example Submissions".
const LEGACY: [Default; 5] = [
    ("accepted", &[AC], &[], Some(TimeBound::Lower)),
    PARTIAL,
    ("wrong_answer", &[AC, WA], &[WA], None),
    ("time_limit_exceeded", &[AC, WA, TLE], &[TLE], Some(TimeBound::Upper)),
    ("run_time_error", &[], &[RTE], None),
];

/// Packages of 2023 still use this folder of the legacy format.
const PARTIAL: Default = ("partially_accepted", &[], &[], None);

const V2023: [Default; 7] = [DATED[0], PARTIAL, DATED[1], DATED[2], DATED[3], DATED[4], DATED[5]];

pub(super) fn all(problem: &Problem) -> &'static [Default] {
    match problem.version {
        Version::Legacy | Version::LegacyIcpc => &LEGACY,
        Version::V2023_07 => &V2023,
        Version::V2025_09 => &DATED,
    }
}

/// Returns whether the submission lies in the folder for submissions that are accepted with less than the best score.
fn is_partial(name: &str, problem: &Problem) -> bool {
    problem.kind.scoring && name.starts_with("partially_accepted/") && problem.version != Version::V2025_09
}

/// Returns the verdict that the package's own grader must give to a submission in `accepted/`; `None` for other folders
/// and for format 2025-09.
pub(super) fn outcome_of(name: &str, problem: &Problem) -> Option<Expectation> {
    let is_accepted = name.starts_with("accepted/") && problem.version != Version::V2025_09;
    is_accepted.then(|| Expectation {
        origin: "as every program in accepted/".to_owned(),
        cases: CaseFilter::All,
        permitted: None,
        required: None,
        message: None,
        outcome: Some(BTreeSet::from([Verdict::Accepted])),
        time_bound: None,
    })
}

/// Returns the rules for the submission's score that follow from its folder.
pub(super) fn score_of(name: &str, problem: &Problem, rules: &[Rule]) -> Vec<ExpectedScore> {
    let class = name.split('/').next().unwrap_or_default();
    let origin = format!("as every program in {class}/");
    let own = rules.iter().find(|rule| rule.replaces && rule.pattern == class);
    let said = own.and_then(|rule| rule.said.score.clone());
    let goal = match said {
        Some((low, high)) => Goal::Between(low, high),
        None if is_partial(name, problem) => Goal::NotBest,
        None => return Vec::new(),
    };
    vec![ExpectedScore { origin, groups: None, goal }]
}

/// Returns the rule of the submission's folder; `None` if the folder has no meaning. A rule in `submissions.yaml` for
/// exactly that folder replaces the keys that it gives.
pub(super) fn of(name: &str, problem: &Problem, rules: &[Rule]) -> Option<Expectation> {
    let class = name.split('/').next()?;
    let (_, permitted, required, bound) = all(problem).iter().find(|(folder, ..)| *folder == class)?;
    let set = |words: &[DeclaredVerdict]| (!words.is_empty()).then(|| words.iter().copied().collect::<BTreeSet<_>>());
    let own = rules.iter().find(|rule| rule.pattern == class);
    let said = own.map(|rule| &rule.said);
    let replaced = said.and_then(RuleExpectation::bound);
    Some(Expectation {
        origin: format!("as every program in {class}/"),
        cases: CaseFilter::All,
        permitted: said.and_then(RuleExpectation::permitted).or_else(|| set(permitted)),
        required: said.and_then(RuleExpectation::required).or_else(|| set(required)),
        message: said.and_then(|said| said.message.clone()),
        outcome: is_partial(name, problem).then(|| BTreeSet::from([Verdict::Accepted])),
        time_bound: replaced.map_or(*bound, Bounding::time_bound),
    })
}
