//! The groups of the test data, and how the results of each group are combined.

use super::dated::{Aggregation, Dated};
use super::grader::Flags;
use super::{CaseRule, Range, Score};

/// The groups of a package's test data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// All groups, each after its parent. The first is the root, `data`.
    pub groups: Vec<TestGroup>,
    /// Whether cases have scores. If not, groups only have verdicts.
    pub scoring: bool,
    /// Whether larger or smaller scores are better.
    pub objective: Objective,
}

/// The direction in which scores are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Larger scores are better.
    #[default]
    Max,
    /// Smaller scores are better.
    Min,
}

/// A group of test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestGroup {
    /// Its path below `data/`; empty for `data` itself.
    pub name: String,
    /// The index of the parent group; `None` for the root.
    pub parent: Option<usize>,
    /// The cases and subgroups, in the order of judging.
    pub children: Vec<Child>,
    /// How the results are combined.
    pub way: Way,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A test case; its name.
    Case(String),
    /// The test case of the static validator: its name and its rule.
    Static(String, CaseRule),
    /// A subgroup; its index in [`Tree::groups`].
    TestGroup(usize),
}

/// How the results of a group are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// By a grader, in the legacy format.
    Legacy(Legacy),
    /// By the rules of format 2025-09.
    Dated(Dated),
}

/// The settings of a group in `testdata.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legacy {
    /// Whether the rest of the group is not judged after a result that is not accepted.
    pub breaks: bool,
    /// The grader.
    pub grading: Grading,
    /// The score of accepted cases.
    pub accept_score: Score,
    /// The score of all other cases.
    pub reject_score: Score,
    /// Whether the output validator may write scores.
    pub custom_score: bool,
    /// The scores that the group may have.
    pub range: Range,
}

/// The way to grade a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grading {
    /// The default grader.
    Default(Flags),
    /// The package's own grader, with these arguments.
    Custom(Vec<String>),
}

impl Tree {
    /// Returns the index of the group whose score is the submission's score; `None` if there is none.
    pub fn whole(&self) -> Option<usize> {
        match self.groups.first()?.way {
            Way::Legacy(_) => Some(0),
            Way::Dated(_) => self.groups.iter().position(|group| group.name == "secret"),
        }
    }

    /// Returns the best possible score of a group; `None` if it is unbounded or has no score.
    pub fn best(&self, group: usize) -> Option<&Score> {
        if !self.scoring {
            return None;
        }
        match &self.groups.get(group)?.way {
            Way::Legacy(legacy) if self.objective == Objective::Min => legacy.range.low.as_ref(),
            Way::Legacy(legacy) => legacy.range.high.as_ref(),
            Way::Dated(dated) => dated.most(),
        }
    }

    /// Returns how a case directly in `group` gets its score.
    pub(super) fn rule(&self, group: usize) -> CaseRule {
        let group = &self.groups[group];
        match &group.way {
            Way::Legacy(legacy) if self.scoring => CaseRule::Legacy {
                accept: legacy.accept_score.clone(),
                reject: legacy.reject_score.clone(),
                custom: legacy.custom_score,
            },
            Way::Legacy(_) => CaseRule::Unscored,
            Way::Dated(dated) => {
                let cases = group.children.iter().filter(|child| matches!(child, Child::Case(_))).count();
                dated.rule(cases)
            }
        }
    }

    /// Returns whether the first case that is not accepted decides the verdict, and no scores are needed.
    pub fn is_plain(&self) -> bool {
        let strict = |group: &TestGroup| match &group.way {
            Way::Legacy(Legacy { grading: Grading::Default(flags), .. }) => flags.are_strict(),
            Way::Legacy(_) => false,
            Way::Dated(_) => true,
        };
        !self.scoring && self.groups.iter().all(strict)
    }

    /// Returns whether some group is graded by a program of the package.
    pub fn needs_grader(&self) -> bool {
        let custom = |group: &TestGroup| matches!(&group.way, Way::Legacy(Legacy { grading: Grading::Custom(_), .. }));
        self.groups.iter().any(custom)
    }

    /// Returns whether a group is passed or failed as a whole, so that other groups may require it.
    pub fn is_pass_fail(&self, group: usize) -> bool {
        matches!(&self.groups[group].way, Way::Dated(dated) if dated.aggregation == Aggregation::PassFail)
    }
}
