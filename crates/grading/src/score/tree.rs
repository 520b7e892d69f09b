//! How test data is grouped, and how each group's results become one.

use super::dated::{Aggregation, Dated};
use super::grader::Flags;
use super::{CaseRule, Score};

/// The groups of a package's test data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// All groups, each after the one it lies in. The first holds the others.
    pub groups: Vec<Group>,
    /// Whether there are scores. Without them groups have verdicts only.
    pub scoring: bool,
    /// Which scores are better.
    pub objective: Objective,
}

/// Which scores are better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Larger ones.
    #[default]
    Max,
    /// Smaller ones.
    Min,
}

/// A group of test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its path below `data/`; empty for `data` itself.
    pub name: String,
    /// The group it lies in, but for the first.
    pub parent: Option<usize>,
    /// What lies in it, in the order of judging.
    pub children: Vec<Child>,
    /// How its results become one.
    pub way: Way,
}

/// Something in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// A test case, by its name.
    Case(String),
    /// The test case of the static validator, by its name, with its own rule.
    Static(String, CaseRule),
    /// A group, by its index.
    Group(usize),
}

/// How a group's results become one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Before 2025: by a grader.
    Legacy(Legacy),
    /// Since 2025.
    Dated(Dated),
}

/// What `testdata.yaml` says of a group.
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

/// The scores that a group may have; `None` is no end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: Option<Score>,
    /// The largest.
    pub high: Option<Score>,
}

impl Range {
    /// Whether a score is within it.
    pub fn holds(&self, score: &Score) -> bool {
        self.low.as_ref().is_none_or(|low| low <= score) && self.high.as_ref().is_none_or(|high| score <= high)
    }

    /// Reads two numbers with blanks between them, the smaller first; `inf` is no end.
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
    /// The group whose score is that of the submission.
    pub fn whole(&self) -> Option<usize> {
        match self.groups.first()?.way {
            Way::Legacy(_) => Some(0),
            Way::Dated(_) => self.groups.iter().position(|group| group.name == "secret"),
        }
    }

    /// The best score that a group may give, where there is one.
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

    /// The score of one case directly in `group`.
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

    /// Whether what the first case that is not accepted got is the verdict on the submission, and nothing else is
    /// asked: then there is nothing to add up.
    pub fn is_plain(&self) -> bool {
        let strict = |group: &Group| match &group.way {
            Way::Legacy(Legacy { grading: Grading::Default(flags), .. }) => flags.are_strict(),
            Way::Legacy(_) => false,
            Way::Dated(_) => true,
        };
        !self.scoring && self.groups.iter().all(strict)
    }

    /// Whether some group's results only become one by way of a program of the package.
    pub fn needs_grader(&self) -> bool {
        let custom = |group: &Group| matches!(&group.way, Way::Legacy(Legacy { grading: Grading::Custom(_), .. }));
        self.groups.iter().any(custom)
    }

    /// Whether a group is passed or failed as a whole, so that others may require it.
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
