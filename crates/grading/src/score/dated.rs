//! Computes the result of a group in packages of format 2025-09. See its section "Result aggregation".

use super::{CaseRule, Score};
use crate::verdict::Verdict;

/// The content of `test_group.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dated {
    /// How the score of the group is computed from the scores of its members.
    pub aggregation: Aggregation,
    /// The maximum score of the group; `None` if it is unbounded.
    pub max_score: Option<Score>,
    /// The part of the maximum score that the static validator can award.
    pub static_score: Score,
    /// The indices of the groups that must be passed before this group is run.
    pub requires: Vec<usize>,
    /// Whether the group has a score. The group `sample` has none.
    pub scored: bool,
}

/// How the score of a group is computed from the scores of its test cases and subgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregation {
    /// The maximum score if every test case is accepted, otherwise 0.
    PassFail,
    /// The sum of the scores.
    Sum,
    /// The smallest score.
    Min,
}

/// The result of a test case or of a subgroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemberResult {
    /// Whether the test case, or every test case of the subgroup, is accepted.
    pub(super) accepted: bool,
    /// The score; `None` if the test case or subgroup has none.
    pub(super) score: Option<Score>,
}

impl Dated {
    /// Returns the maximum score; `None` if it is unbounded, or if the group has no score.
    pub(super) fn highest_score(&self) -> Option<&Score> {
        self.max_score.as_ref().filter(|_| self.scored)
    }

    /// Returns how the test cases directly in the group get their scores. `cases` is their number.
    pub(super) fn rule(&self, cases: usize) -> CaseRule {
        match (self.scored, self.aggregation, &self.max_score) {
            (false, ..) => CaseRule::Unscored,
            (_, Aggregation::PassFail, _) => CaseRule::PassFail,
            (_, _, None) => CaseRule::Unbounded,
            (_, Aggregation::Min, Some(highest_score)) => CaseRule::Bounded(highest_score.clone()),
            (_, Aggregation::Sum, Some(highest_score)) => {
                CaseRule::Bounded((highest_score - &self.static_score) / cases)
            }
        }
    }

    /// Returns whether the group's result is final after its member `part`, because later members cannot change it.
    pub(super) fn is_over_after(&self, part: &MemberResult) -> bool {
        if !self.scored || part.accepted {
            return false;
        }
        match self.aggregation {
            Aggregation::PassFail => true,
            Aggregation::Sum => false,
            Aggregation::Min => part.score.as_ref().is_none_or(Score::is_zero),
        }
    }

    /// Returns the group's score; `None` if it has none. `accepted` is true if every test case was run and accepted.
    pub(super) fn score(&self, parts: &[MemberResult], accepted: bool) -> Option<Score> {
        if !self.scored {
            return None;
        }
        let scores = || parts.iter().filter_map(|part| part.score.as_ref());
        Some(match self.aggregation {
            Aggregation::PassFail if accepted => self.max_score.clone().unwrap_or_default(),
            Aggregation::PassFail => Score::zero(),
            Aggregation::Sum => scores().sum(),
            Aggregation::Min => scores().min().cloned().unwrap_or_default(),
        })
    }
}

/// Returns the verdict of a group. `first_failure` is the verdict on the group's first test case that is not accepted;
/// without one, the group is accepted.
pub(super) fn verdict(first_failure: Option<Verdict>) -> Verdict {
    first_failure.unwrap_or(Verdict::Accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(aggregation: Aggregation, max_score: Option<u64>, static_score: u64) -> Dated {
        let (max_score, static_score) = (max_score.map(Score::whole), Score::whole(static_score));
        Dated { aggregation, max_score, static_score, requires: Vec::new(), scored: true }
    }

    #[test]
    fn the_cases_of_a_sum_share_what_the_static_validator_leaves_and_each_of_a_minimum_has_all() {
        assert_eq!(group(Aggregation::Sum, Some(60), 20).rule(4), CaseRule::Bounded(Score::whole(10)));
        assert_eq!(group(Aggregation::Sum, Some(100), 0).rule(3), CaseRule::Bounded(Score::whole(100) / 3));
        assert_eq!(group(Aggregation::Min, Some(60), 20).rule(4), CaseRule::Bounded(Score::whole(60)));
    }

    #[test]
    fn cases_without_a_largest_score_need_one_of_their_own_and_those_to_be_passed_have_none() {
        assert_eq!(group(Aggregation::Sum, None, 0).rule(3), CaseRule::Unbounded);
        assert_eq!(group(Aggregation::Min, None, 0).rule(3), CaseRule::Unbounded);
        assert_eq!(group(Aggregation::PassFail, Some(60), 0).rule(3), CaseRule::PassFail);
        let sample = Dated { scored: false, ..group(Aggregation::PassFail, None, 0) };
        assert_eq!(sample.rule(3), CaseRule::Unscored);
    }
}
