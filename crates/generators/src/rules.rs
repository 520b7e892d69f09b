//! What `generators.yaml` says, with every name settled.

use std::collections::BTreeMap;

use super::command::Command;
use super::ending::Ending;
use super::pattern::Pattern;
use referee_package::yaml::Position;

/// All rules of a package, in the order in which they are carried out.
#[derive(Debug, Default)]
pub struct Rules {
    /// The folders of `data/`, that one first.
    pub(super) groups: Vec<GroupFolder>,
    /// The test cases.
    pub(super) cases: Vec<Case>,
    /// Test cases that are shown in other folders as well.
    pub(super) includes: Vec<Include>,
    /// Generators that are made of several files: the files, below `generators/`.
    pub(super) programs: BTreeMap<String, Vec<String>>,
    /// Whether the file has keys that are left out. What they stand for may be in `data/`, so no file there is
    /// removed.
    pub(super) has_unknown_keys: bool,
}

impl Rules {
    /// How many test cases there will be.
    pub fn len(&self) -> usize {
        self.cases.len() + self.includes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A folder of test cases.
#[derive(Debug)]
pub(super) struct GroupFolder {
    /// Below `data/`; empty for that folder itself.
    pub(super) path: String,
    /// The text of its `test_group.yaml`, if it has one.
    pub(super) settings: Option<String>,
}

/// A test case that is a link to another.
#[derive(Debug)]
pub(super) struct Include {
    /// Below `data/`.
    pub(super) name: String,
    /// Which of the cases it is.
    pub(super) of: usize,
}

/// How a test case is made.
#[derive(Debug)]
pub(super) struct Case {
    /// Below `data/`, without an ending.
    pub(super) name: String,
    /// Where the rule stands.
    pub(super) place: Position,
    pub(super) command: Option<Command>,
    /// The files to copy, below the package's folder, without an ending.
    pub(super) copy: Option<String>,
    /// Files whose text stands in the rule.
    pub(super) literals: Vec<(Ending, String)>,
    /// Files that are links to other files of the case.
    pub(super) links: Vec<(Ending, Ending)>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) inherited: Inherited,
    /// Whether several cases are made by one rule that says the same for each.
    pub(super) is_repeated: bool,
    /// The earlier case that is made in the same way.
    pub(super) twin: Option<Twin>,
}

impl Case {
    /// The folder of `data/` that it is in: `sample`, `secret` and so on.
    pub(super) fn part(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// An earlier case with the same rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twin {
    pub(super) of: usize,
    /// Whether it is meant to be the same, and becomes a link.
    pub(super) is_meant: bool,
}

/// What a group says for everything in it.
#[derive(Clone, Debug)]
pub(super) struct Inherited {
    pub(super) solution: Solution,
    pub(super) random_salt: String,
    /// How often a generator is tried.
    pub(super) retries: u32,
}

/// What makes answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Solution {
    /// Nothing is said: one of the accepted submissions.
    Any,
    /// None: the rule, or the generator, gives the answer.
    None,
    /// This program, below the package's folder.
    Program(String),
}

impl Default for Inherited {
    fn default() -> Self {
        Inherited { solution: Solution::Any, random_salt: String::new(), retries: 1 }
    }
}
