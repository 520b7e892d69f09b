//! Computes points: a number from 0 to 100 for each submission, also for problems without scores.
//!
//! There are two sources of points. If the package has scores, the points are the score, divided by the best possible
//! score, times 100. Otherwise the test data is divided into [`Unit`]s, each with a weight: every test case is a unit,
//! or every test group is one. The points are the share of the weights whose units are accepted, times 100.
//!
//! A unit of sample cases has the weight 0, because their answers are published with the statement. If the run has no
//! other units, the samples have the weight 1.
//!
//! All sums are exact. Only the final result is rounded: to hundredths, and half a hundredth up. So one third is 33.33,
//! two thirds are 66.67, and three thirds are 100.

use std::collections::BTreeMap;
use std::fmt;

use crate::score::Score;
use crate::verdict::Verdict;

/// Points, from 0 to 100, in whole hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    hundredths: u16,
}

/// The highest number of points, in hundredths.
const MOST_HUNDREDTHS: i64 = 100 * 100;

/// What the units of the test data are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Every test case is a unit.
    Cases,
    /// Every folder directly below `data/secret` is a unit, with all test cases in it. The test cases directly in
    /// `data/secret` are one unit, and those in `data/sample` are one.
    Groups,
}

/// A part of the test data that is accepted or not, as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The name of the test case, or the group's path below `data/`.
    pub name: String,
    /// The weight, at least 0.
    pub weight: Score,
    /// The number of test cases and static tests of the unit in this run.
    cases: usize,
}

/// How the points of a run are computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme(Source);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// The package's scores. Contains the best possible score, which is greater than 0.
    Scores(Score),
    /// The weights of accepted units.
    Weights {
        units: Vec<Unit>,
        /// The index of the unit of each test case, by the name of the test case.
        unit_of: BTreeMap<String, usize>,
        /// The sum of all weights, which is greater than 0.
        total: Score,
    },
}

impl Points {
    /// Returns `part` divided by `whole`, times 100. Results below 0 become 0, and results above 100 become 100, because
    /// some packages give scores outside their range. `None` if `whole` is 0.
    pub fn of(part: &Score, whole: &Score) -> Option<Points> {
        let percent = &part.ratio(whole)? * &Score::whole(100);
        Some(Points { hundredths: percent.to_hundredths().clamp(0, MOST_HUNDREDTHS) as u16 })
    }

    /// No points.
    pub const ZERO: Points = Points { hundredths: 0 };

    /// Returns the nearest double. Its shortest decimal form has at most two decimals.
    pub fn to_f64(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_f64().to_string())
    }
}

/// Divides test cases and static tests into units, in their order, with the default weights. `names` are their names.
pub fn units<'a>(kind: UnitKind, names: impl IntoIterator<Item = &'a str>) -> Vec<Unit> {
    let mut index_of = BTreeMap::new();
    let mut units: Vec<Unit> = Vec::new();
    for name in names {
        let name = unit_name(kind, name);
        let index = *index_of.entry(name).or_insert(units.len());
        match units.get_mut(index) {
            Some(unit) => unit.cases += 1,
            None => units.push(Unit { name: name.to_owned(), weight: Score::zero(), cases: 1 }),
        }
    }
    let has_others = units.iter().any(|unit| !is_sample(&unit.name));
    for unit in units.iter_mut().filter(|unit| !(has_others && is_sample(&unit.name))) {
        unit.weight = Score::whole(1);
    }
    units
}

fn is_sample(name: &str) -> bool {
    name == "sample" || name.starts_with("sample/")
}

/// Returns the name of the unit of a test case.
fn unit_name(kind: UnitKind, case: &str) -> &str {
    let mut slashes = case.match_indices('/').map(|(index, _)| index);
    let (first, second) = (slashes.next(), slashes.next());
    match (kind, first, second) {
        (UnitKind::Groups, Some(_), Some(second)) if !is_sample(case) => &case[..second],
        (UnitKind::Groups, Some(first), _) => &case[..first],
        _ => case,
    }
}

impl Scheme {
    /// Points from the weights of accepted units. `names` are the test cases and static tests from which [`units`] made
    /// `units`. `None` if the weights add up to 0.
    pub fn of_weights<'a>(
        kind: UnitKind,
        units: Vec<Unit>,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Option<Scheme> {
        let total: Score = units.iter().map(|unit| &unit.weight).sum();
        if total.is_zero() {
            return None;
        }
        let index_of: BTreeMap<_, _> = units.iter().enumerate().map(|(index, unit)| (&*unit.name, index)).collect();
        let indexed = |name: &str| Some((name.to_owned(), *index_of.get(unit_name(kind, name))?));
        let unit_of = names.into_iter().filter_map(indexed).collect();
        Some(Scheme(Source::Weights { units, unit_of, total }))
    }

    /// Points from the scores of the package. `best` is the best possible score. `None` if it is not greater than 0.
    pub fn of_scores(best: Score) -> Option<Scheme> {
        (!best.is_zero() && !best.is_negative()).then_some(Scheme(Source::Scores(best)))
    }

    /// Returns the number of test cases and static tests whose weight is 0. It is 0 if the points follow from scores.
    pub fn weightless_cases(&self) -> usize {
        match &self.0 {
            Source::Scores(_) => 0,
            Source::Weights { units, .. } => {
                units.iter().filter(|unit| unit.weight.is_zero()).map(|unit| unit.cases).sum()
            }
        }
    }

    /// Returns the points of a submission that was run. `cases` are its results on the test cases and static tests, and
    /// `score` is its score. `None` if the points follow from scores and the submission has none.
    ///
    /// The caller handles submissions that were not run, and those on which the judge failed.
    pub fn points<'a>(
        &self,
        cases: impl IntoIterator<Item = (&'a str, Verdict)>,
        score: Option<&Score>,
    ) -> Option<Points> {
        match &self.0 {
            Source::Scores(best) => Points::of(score?, best),
            Source::Weights { units, unit_of, total } => {
                let mut accepted = vec![0; units.len()];
                for (case, _) in cases.into_iter().filter(|(_, verdict)| *verdict == Verdict::Accepted) {
                    if let Some(index) = unit_of.get(case) {
                        accepted[*index] += 1;
                    }
                }
                let is_accepted = |(unit, accepted): &(&Unit, usize)| *accepted == unit.cases;
                let earned = units.iter().zip(accepted).filter(is_accepted).map(|(unit, _)| &unit.weight).sum();
                Points::of(&earned, total)
            }
        }
    }
}

#[cfg(test)]
mod tests;
