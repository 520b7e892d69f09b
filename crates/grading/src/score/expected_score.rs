//! The scores that a package expects of its submissions.

use super::{Objective, Outcome, Score, Tree};
use crate::verdict::{Breach, Verdict};

/// A rule about the score of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedScore {
    /// The source of the rule, for messages.
    pub origin: String,
    /// The indices of the groups to which the rule applies; `None` if it applies to the score of the whole submission.
    pub groups: Option<Vec<usize>>,
    /// The condition on the score.
    pub goal: Goal,
}

/// The condition on a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The score is between these two numbers, or about equal to one of them ([`Score::is_about`]).
    Between(Score, Score),
    /// The score is worse than the best possible score. See the section "Example Submissions" of the legacy format.
    NotBest,
}

impl ExpectedScore {
    /// Returns how `outcome` breaks the rule; `None` if it keeps the rule.
    pub fn breach(&self, outcome: &Outcome, tree: &Tree) -> Option<Breach> {
        match &self.groups {
            None => self.of(outcome.score.as_ref(), tree, tree.whole()?, "the score"),
            Some(groups) => groups.iter().find_map(|&group| {
                let result = outcome.groups.iter().find(|result| result.group == group);
                let name = format!("the score of {}", tree.groups.get(group)?.name);
                self.of(result.and_then(|result| result.score.as_ref()), tree, group, &name)
            }),
        }
    }

    fn of(&self, score: Option<&Score>, tree: &Tree, group: usize, name: &str) -> Option<Breach> {
        let breach = |reason| Some(Breach { origin: self.origin.clone(), case: None, reason });
        match (&self.goal, score) {
            (Goal::Between(low, high), Some(score)) if is_between(score, low, high) => None,
            (Goal::Between(low, high), score) => {
                let wanted = if low == high { low.to_string() } else { format!("{low} to {high}") };
                breach(format!("{name} is {}, expected: {wanted}", score_text(score)))
            }
            (Goal::NotBest, Some(score)) => {
                let best = tree.best(group)?;
                let is_best = if tree.objective == Objective::Max { score >= best } else { score <= best };
                if is_best {
                    breach(format!("{name} is {score}, expected: a score worse than {best}, the best possible score"))
                } else {
                    None
                }
            }
            (Goal::NotBest, None) => None,
        }
    }
}

fn is_between(score: &Score, low: &Score, high: &Score) -> bool {
    (low <= score && score <= high) || score.is_about(low) || score.is_about(high)
}

fn score_text(score: Option<&Score>) -> String {
    score.map_or_else(|| "none".to_owned(), Score::to_string)
}

impl Outcome {
    /// Returns whether the outcome is a failure of the judge or of the package.
    pub fn is_judge_error(&self) -> bool {
        self.verdict == Verdict::JudgeError
    }
}
