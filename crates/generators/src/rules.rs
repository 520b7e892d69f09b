//! The content of `generators.yaml` with all names and numbers resolved.

use std::collections::BTreeMap;

use super::command::Command;
use super::ending::Ending;
use super::pattern::Pattern;
use referee_package::yaml::Position;

/// All rules of a package, in the order in which they are run.
#[derive(Debug, Default)]
pub struct Rules {
    /// The folders of test cases; the first one is `data/` itself.
    pub(super) groups: Vec<GroupFolder>,
    /// The test cases.
    pub(super) cases: Vec<Case>,
    /// Test cases whose files are links to the files of a test case in another folder.
    pub(super) includes: Vec<Include>,
    /// Generators that consist of several files. The key is the name; the files are relative to `generators/`.
    pub(super) programs: BTreeMap<String, Vec<String>>,
    /// Whether the file has unknown keys. Another tool may have made files in `data/` because of these keys, so no file
    /// is removed there.
    pub(super) has_unknown_keys: bool,
}

impl Rules {
    /// Returns the number of test cases, with included ones.
    pub fn len(&self) -> usize {
        self.cases.len() + self.includes.len()
    }

    /// Returns whether there are no test cases.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A folder of test cases.
#[derive(Debug)]
pub(super) struct GroupFolder {
    /// The path relative to `data/`; empty for `data/` itself.
    pub(super) path: String,
    /// The text of its `test_group.yaml`; `None` if it has none.
    pub(super) settings: Option<String>,
}

/// A test case whose files are links to the files of another test case.
#[derive(Debug)]
pub(super) struct Include {
    /// The path relative to `data/`, without an extension.
    pub(super) name: String,
    /// The index of the other test case in [`Rules::cases`].
    pub(super) of: usize,
}

/// The rule of one test case.
#[derive(Debug)]
pub(super) struct Case {
    /// The path relative to `data/`, without an extension.
    pub(super) name: String,
    /// The position of the rule in the file.
    pub(super) place: Position,
    /// The command of the generator; `None` if the rule has none.
    pub(super) command: Option<Command>,
    /// The files to copy: their path relative to the package's folder, without an extension. `None` if none is copied.
    pub(super) copy: Option<String>,
    /// Files whose text the rule contains: the extension of each file and its text.
    pub(super) literals: Vec<(Ending, String)>,
    /// Files that are links to another file of the case: the file's extension and the target's.
    pub(super) links: Vec<(Ending, Ending)>,
    pub(super) patterns: Vec<Pattern>,
    pub(super) inherited: Inherited,
    /// Whether the case comes from a rule with `count` whose cases are all identical.
    pub(super) is_repeated: bool,
    /// The first earlier case with an equivalent rule; `None` if there is none.
    pub(super) duplicate_of: Option<Duplicate>,
}

impl Case {
    /// Returns the first folder below `data/`: `sample`, `secret` and so on.
    pub(super) fn part(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// An earlier case with an equivalent rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Duplicate {
    /// The index of the earlier case in [`Rules::cases`].
    pub(super) of: usize,
    /// Whether one rule with `count` makes both cases. The later case then becomes a link to the earlier one.
    pub(super) is_intended: bool,
}

/// The settings that a group passes on to its groups and cases.
#[derive(Clone, Debug)]
pub(super) struct Inherited {
    pub(super) solution: Solution,
    pub(super) random_salt: String,
    /// The maximum number of attempts of a generator.
    pub(super) retries: u32,
}

/// The program that makes answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Solution {
    /// The first submission in `accepted/`, because the rules name no solution.
    Any,
    /// No program: the rule or the generator gives the answer.
    None,
    /// The program at this path, relative to the package's folder.
    Program(String),
}

impl Default for Inherited {
    fn default() -> Self {
        Inherited { solution: Solution::Any, random_salt: String::new(), retries: 1 }
    }
}
