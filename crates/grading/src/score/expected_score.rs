//! The scores that a package expects of its submissions.

use super::{Objective, Outcome, Score, Tree};
use crate::verdict::{Breach, Verdict};

/// A score that a submission must get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedScore {
    /// Where the rule comes from, for messages.
    pub origin: String,
    /// The indices of the groups that the rule is about; `None` means the submission as a whole.
    pub groups: Option<Vec<usize>>,
    /// What the score must be.
    pub goal: Goal,
}

/// What a score must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Between these two, or near the one number.
    Between(Score, Score),
    /// Less than the largest possible score. Format legacy, "Example Submissions".
    NotBest,
}

impl ExpectedScore {
    /// Returns how `outcome` breaks the rule; `None` if it does not.
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
                breach(format!("{name} is {}, wanted: {wanted}", told(score)))
            }
            (Goal::NotBest, Some(score)) => {
                let best = tree.best(group)?;
                let is_best = if tree.objective == Objective::Max { score >= best } else { score <= best };
                if is_best {
                    breach(format!("{name} is {score}, wanted: less than the best possible score"))
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

fn told(score: Option<&Score>) -> String {
    score.map_or_else(|| "none".to_owned(), Score::to_string)
}

impl Outcome {
    /// Returns whether the judge or the package failed.
    pub fn is_judge_error(&self) -> bool {
        self.verdict == Verdict::JudgeError
    }
}
