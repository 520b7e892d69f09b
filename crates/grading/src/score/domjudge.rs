//! Computes the result of a group in packages of type scoring as DOMjudge does.
//!
//! DOMjudge 8.3 has no scores. These are the rules of its main branch of March 2026, which becomes version 10. Sources:
//! `maybeSetScoringResult` in `SubmissionService.php`, `parseTestCaseGroupMeta` in `ImportProblemService.php`, and the
//! pull requests 3497, 3575 and 3576. One case differs: this module leaves out groups without test cases, and DOMjudge
//! gives them the score 0.

use super::grader::ScoreMode;
use super::{CaseRule, Score};

/// The settings of a group on DOMjudge. Groups inherit no settings from the group above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domjudge {
    /// Whether results in this group count. They count if the folder and every folder above it, up to `data`, have a
    /// settings file. If `data` ignores samples, the results in `sample` do not count.
    pub counts: bool,
    /// Whether a subgroup of this group has a settings file. If so, test cases directly in this group do not count.
    pub has_subgroups: bool,
    /// The score of the group if all its test cases are accepted and the validator writes no scores.
    pub accept_score: Option<Score>,
    /// How the scores of test cases or subgroups are combined.
    pub scores: ScoreMode,
    /// Whether judging of the group stops after the first result that is not accepted.
    pub breaks: bool,
}

impl Domjudge {
    /// Returns how the test cases directly in the group get their scores.
    pub(super) fn rule(&self) -> CaseRule {
        if self.counts && !self.has_subgroups { CaseRule::Domjudge } else { CaseRule::Unscored }
    }

    /// Returns the score of the group. `parts` are the scores of its test cases or subgroups, in the order of judging;
    /// `None` for a test case without a score. `accepted` is true if all these test cases and subgroups are accepted.
    pub(super) fn score(&self, parts: &[Option<Score>], accepted: bool) -> Score {
        match &self.accept_score {
            Some(score) if !parts.is_empty() && parts.iter().all(Option::is_none) => {
                if accepted {
                    score.clone()
                } else {
                    Score::zero()
                }
            }
            _ => {
                let scores: Vec<_> = parts.iter().map(|part| part.clone().unwrap_or_default()).collect();
                self.scores.combine(&scores)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(scores: &[&str]) -> Vec<Option<Score>> {
        scores.iter().map(|text| Score::parse(text)).collect()
    }

    /// Most of these examples come from DOMjudge's own `SubmissionServiceTest.php`.
    #[test]
    fn a_group_gets_its_accept_score_once_and_a_written_score_takes_precedence() {
        let group = Domjudge { accept_score: Some(Score::whole(25)), ..Domjudge::default() };
        let score = |scores: &[&str], accepted| group.score(&parts(scores), accepted).to_string();
        assert_eq!(score(&["-", "-"], true), "25");
        assert_eq!(score(&["-", "-"], false), "0");
        assert_eq!(score(&["15"], true), "15");
        assert_eq!(score(&["15", "-"], true), "15");
        assert_eq!(score(&[], true), "0", "a group without test cases");
    }

    #[test]
    fn scores_of_a_group_without_accept_score_are_combined() {
        let score = |mode, scores: &[&str]| {
            Domjudge { scores: mode, ..Domjudge::default() }.score(&parts(scores), false).to_string()
        };
        assert_eq!(score(ScoreMode::Sum, &["15.5", "7.25"]), "22.75");
        assert_eq!(score(ScoreMode::Min, &["10", "5", "30"]), "5");
        assert_eq!(score(ScoreMode::Max, &["10", "50", "30"]), "50");
        assert_eq!(score(ScoreMode::Avg, &["10", "11"]), "10.5");
        assert_eq!(score(ScoreMode::Min, &["10", "-"]), "0", "a test case without a score counts 0");
        for mode in [ScoreMode::Sum, ScoreMode::Min, ScoreMode::Max, ScoreMode::Avg] {
            assert_eq!(score(mode, &[]), "0");
        }
    }

    #[test]
    fn test_cases_beside_subgroups_do_not_count() {
        let group = |counts, has_subgroups| Domjudge { counts, has_subgroups, ..Domjudge::default() }.rule();
        assert_eq!(group(true, false), CaseRule::Domjudge);
        assert_eq!(group(true, true), CaseRule::Unscored);
        assert_eq!(group(false, false), CaseRule::Unscored);
    }
}
