//! The groups of the test data, and how the results of each group are combined.

use std::sync::Arc;

use super::dated::{Aggregation, Dated};
use super::grader::Flags;
use super::{CaseRule, Domjudge, Range, Score};

/// The groups of a package's test data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// All groups, each after its parent. The first is the root, `data`.
    pub groups: Vec<TestGroup>,
    /// Whether test cases have scores. If false, groups have only verdicts.
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
    /// The group's path below `data/`; empty for `data` itself.
    pub name: String,
    /// The index of the parent group; `None` for the root.
    pub parent: Option<usize>,
    /// The test cases and subgroups, in the order of judging.
    pub children: Vec<Child>,
    /// How the results of the group's members are combined.
    pub way: Way,
}

/// A member of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A test case, by its name.
    Case(Arc<str>),
    /// The test case of the static validator: its name and the rule for its score. It is boxed, because a package may
    /// have 100,000 members of the other kinds.
    Static(Box<(String, CaseRule)>),
    /// A subgroup, by its index in [`Tree::groups`].
    TestGroup(usize),
}

/// How the results of a group are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A grader combines them (legacy format).
    Legacy(Legacy),
    /// The rules of format 2025-09 combine them.
    Dated(Dated),
    /// The rules of DOMjudge combine them.
    Domjudge(Domjudge),
}

/// The settings of a group in `testdata.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legacy {
    /// Whether judging of the group stops after the first result that is not accepted.
    pub breaks: bool,
    /// The grader of the group.
    pub grading: Grading,
    /// The score of accepted test cases.
    pub accept_score: Score,
    /// The score of all other test cases.
    pub reject_score: Score,
    /// Whether the output validator may write scores.
    pub custom_score: bool,
    /// The range of scores that the group may have.
    pub range: Range,
}

/// The grader that combines the results of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grading {
    /// The default grader.
    Default(Flags),
    /// The package's own grader, with these arguments.
    Custom(Vec<String>),
}

impl Tree {
    /// Returns the index of the group whose score is the submission's score: the root in the legacy format and on
    /// DOMjudge, `secret` in format 2025-09. `None` if the package has no such group.
    pub fn whole(&self) -> Option<usize> {
        match self.groups.first()?.way {
            Way::Legacy(_) | Way::Domjudge(_) => Some(0),
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
            Way::Dated(dated) => dated.highest_score(),
            Way::Domjudge(_) => None,
        }
    }

    /// Returns how the test cases directly in `group` get their scores.
    pub(super) fn rule(&self, group: usize) -> CaseRule {
        let group = &self.groups[group];
        match &group.way {
            Way::Legacy(legacy) if self.scoring => CaseRule::Legacy {
                accept: legacy.accept_score.clone(),
                reject: legacy.reject_score.clone(),
                custom: legacy.custom_score,
            },
            Way::Legacy(_) => CaseRule::Unscored,
            Way::Domjudge(domjudge) => domjudge.rule(),
            Way::Dated(dated) => {
                let cases = group.children.iter().filter(|child| matches!(child, Child::Case(_))).count();
                dated.rule(cases)
            }
        }
    }

    /// Returns whether the groups can be ignored: there are no scores, and the first test case that is not accepted
    /// decides the verdict.
    pub fn is_plain(&self) -> bool {
        let strict = |group: &TestGroup| match &group.way {
            Way::Legacy(Legacy { grading: Grading::Default(flags), .. }) => flags.are_strict(),
            Way::Legacy(_) => false,
            Way::Dated(_) | Way::Domjudge(_) => true,
        };
        !self.scoring && self.groups.iter().all(strict)
    }

    /// Returns whether some group uses the package's own grader.
    pub fn needs_grader(&self) -> bool {
        let custom = |group: &TestGroup| matches!(&group.way, Way::Legacy(Legacy { grading: Grading::Custom(_), .. }));
        self.groups.iter().any(custom)
    }

    /// Returns whether a group can only be passed or failed, so that other groups may require it.
    pub fn is_pass_fail(&self, group: usize) -> bool {
        matches!(&self.groups[group].way, Way::Dated(dated) if dated.aggregation == Aggregation::PassFail)
    }
}
