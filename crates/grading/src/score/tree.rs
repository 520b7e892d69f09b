//! The groups of the test data, and how the results of each group are combined.

use super::dated::{Aggregation, Dated};
use super::grader::Flags;
use super::{CaseRule, Score};

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

/// The allowed scores of a group; `None` is an open end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: Option<Score>,
    /// The largest.
    pub high: Option<Score>,
}

impl Range {
    /// Returns whether the score is in the range.
    pub fn holds(&self, score: &Score) -> bool {
        self.low.as_ref().is_none_or(|low| low <= score) && self.high.as_ref().is_none_or(|high| score <= high)
    }

    /// Parses two numbers separated by blanks, the smaller first. `inf` is an open end. Returns `None` for any other
    /// text.
    pub fn read(text: &str) -> Option<Range> {
        let words: Vec<_> = text.split_whitespace().collect();
        let &[low, high] = words.as_slice() else { return None };
        let low = if ["-inf", "-Inf"].contains(&low) { None } else { Some(Score::parse(low)?) };
        let high = if ["inf", "+inf", "Inf"].contains(&high) { None } else { Some(Score::parse(high)?) };
        let is_range = low.as_ref().zip(high.as_ref()).is_none_or(|(low, high)| low <= high);
        is_range.then_some(Range { low, high })
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = |end: &Option<Score>, none: &str| end.as_ref().map_or(none.to_owned(), Score::to_string);
        write!(f, "{} to {}", end(&self.low, "-inf"), end(&self.high, "+inf"))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_two_ends_or_none() {
        let range = Range::read("0 100").unwrap();
        assert!(range.holds(&Score::whole(0)) && range.holds(&Score::whole(100)) && !range.holds(&Score::whole(101)));
        let open = Range::read("-inf +inf").unwrap();
        assert_eq!(open, Range::default());
        assert!(open.holds(&Score::parse("-1e9").unwrap()));
        assert_eq!(Range::read("-0.5 inf").unwrap().to_string(), "-0.5 to +inf");
        for text in ["", "0", "1 0", "0 1 2", "a b", "inf 0", "nan nan", "0 -inf"] {
            assert_eq!(Range::read(text), None, "{text:?}");
        }
    }
}
