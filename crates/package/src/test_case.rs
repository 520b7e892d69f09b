//! A test case, and the arguments that it gives to validators.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test case. A package may have 100,000 of them, so the test cases of a folder share what they have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// The path of the input below `data/`, without `.in`: `sample/1`.
    pub name: Arc<str>,
    /// The input file and the answer file.
    pub paths: TestFiles,
    // `files`, `output` and `description` are small pointers, because a package may have hundreds of thousands of test
    // cases, of which few have these fields.
    /// A folder whose files are placed in the submission's working directory; `None` if there is none.
    pub files: Option<Arc<PathBuf>>,
    /// The command line arguments of the submission.
    pub arguments: Arc<[String]>,
    /// The arguments of the output validators.
    pub output_validator_arguments: Arc<ValidatorArguments>,
    /// The arguments of the input validators; `None` if there are none.
    pub input_validator_arguments: Option<Arc<InputArguments>>,
    /// The arguments of the answer validators; `None` if there are none.
    pub answer_validator_arguments: Option<Arc<InputArguments>>,
    /// The file `NAME.out`, an output that the statement shows instead of the answer; `None` if there is none.
    pub output: Option<Arc<PathBuf>>,
    /// The description of the test case in its settings file or `.desc` file; `None` if there is none.
    pub description: Option<Arc<String>>,
}

impl TestCase {
    /// Returns the path of the input file.
    pub fn input(&self) -> PathBuf {
        self.paths.path(INPUT)
    }

    /// Returns the path of the answer file.
    pub fn answer(&self) -> PathBuf {
        self.paths.path(ANSWER)
    }

    /// Returns the arguments of the input validator `name`.
    pub fn arguments_of_input_validator(&self, name: &str) -> &[String] {
        self.input_validator_arguments.as_ref().map_or(&[], |arguments| arguments.of(name))
    }

    /// Returns the arguments of the answer validator `name`.
    pub fn arguments_of_answer_validator(&self, name: &str) -> &[String] {
        self.answer_validator_arguments.as_ref().map_or(&[], |arguments| arguments.of(name))
    }
}

/// The paths of the input and the answer of a test case. A package may have hundreds of thousands of test cases, so the
/// paths of files with the usual names are not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFiles(Stored);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stored {
    /// The files `NAME.in` and `NAME.ans` in a folder.
    Usual { folder: Arc<Path>, name: Arc<str> },
    /// Files with other paths, such as the targets of links: the input and the answer.
    Other(Arc<[PathBuf; 2]>),
}

/// The index of the input in [`Stored::Other`], and the ending of its usual name.
const INPUT: (usize, &str) = (0, ".in");
/// The index of the answer in [`Stored::Other`], and the ending of its usual name.
const ANSWER: (usize, &str) = (1, ".ans");

impl TestFiles {
    /// Returns the files with these paths.
    pub fn new(input: PathBuf, answer: PathBuf) -> TestFiles {
        TestFiles(Stored::Other(Arc::new([input, answer])))
    }

    /// Returns the files with these paths, in little memory if they are called `NAME.in` and `NAME.ans` in `folder`.
    pub(crate) fn in_folder(folder: &Arc<Path>, name: &Arc<str>, input: PathBuf, answer: PathBuf) -> TestFiles {
        let usual = TestFiles(Stored::Usual { folder: Arc::clone(folder), name: Arc::clone(name) });
        if usual.path(INPUT) == input && usual.path(ANSWER) == answer { usual } else { TestFiles::new(input, answer) }
    }

    fn path(&self, (index, ending): (usize, &str)) -> PathBuf {
        match &self.0 {
            Stored::Usual { folder, name } => folder.join(format!("{name}{ending}")),
            Stored::Other(paths) => paths[index].clone(),
        }
    }
}

/// A test case of the static validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticTest {
    /// The name of the group, followed by `/static_validation`, such as `secret/group1/static_validation`.
    pub name: String,
    /// The arguments of the static validator.
    pub arguments: Vec<String>,
}

/// The arguments of the output validators on a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidatorArguments {
    /// The arguments that `problem.yaml` gives to every validator.
    pub(crate) of_problem: Vec<String>,
    /// The name of the only validator that gets `arguments`; `None` if every validator gets them.
    pub(crate) only: Option<String>,
    /// The arguments that the settings of the test case or its folders give.
    pub(crate) arguments: Vec<String>,
    /// The file, line and column of the arguments, for messages; `None` if no file sets arguments.
    pub place: Option<String>,
}

impl ValidatorArguments {
    /// Returns the name of the only validator that gets the arguments of the test case; `None` if every validator gets
    /// them.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Returns the arguments of the validator `name`.
    pub fn of(&self, name: &str) -> Vec<String> {
        let own = if self.only.as_deref().is_none_or(|only| only == name) { self.arguments.as_slice() } else { &[] };
        self.of_problem.iter().chain(own).cloned().collect()
    }
}

/// The arguments of input validators or answer validators on a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputArguments {
    /// The arguments of each validator that `by_name` does not contain.
    pub(crate) every: Vec<String>,
    pub(crate) by_name: BTreeMap<String, Vec<String>>,
}

impl InputArguments {
    fn of(&self, name: &str) -> &[String] {
        self.by_name.get(name).unwrap_or(&self.every)
    }
}

/// An input or output that tests the package's validators (see the section "Invalid Test Cases" of format 2025-09).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorTest {
    /// The folder of the test, which decides what the validators must do.
    pub part: ValidatorTestKind,
    /// The files of the test. An invalid input has no answer; then no file has the path that [`TestCase::answer`]
    /// returns.
    pub case: TestCase,
}

/// A folder of validator tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValidatorTestKind {
    /// Holds inputs. At least one input validator must reject each of them.
    InvalidInput,
    /// Holds outputs. The output validator must reject each of them.
    InvalidOutput,
    /// Holds outputs. The output validator must accept each of them.
    ValidOutput,
}

impl ValidatorTestKind {
    /// All folders of validator tests.
    pub const ALL: [ValidatorTestKind; 3] =
        [ValidatorTestKind::InvalidInput, ValidatorTestKind::InvalidOutput, ValidatorTestKind::ValidOutput];

    /// Returns the folder's name below `data/`.
    pub fn name(self) -> &'static str {
        match self {
            ValidatorTestKind::InvalidInput => "invalid_input",
            ValidatorTestKind::InvalidOutput => "invalid_output",
            ValidatorTestKind::ValidOutput => "valid_output",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_are_those_given_whether_or_not_their_names_are_usual() {
        let (folder, name): (Arc<Path>, Arc<str>) = (Path::new("/p/data").into(), "secret/1".into());
        let pairs = [
            ("/p/data/secret/1.in", "/p/data/secret/1.ans"),
            ("/p/data/secret/1.in", "/elsewhere/1.ans"),
            ("/elsewhere/1.in", "/p/data/secret/1.ans"),
            ("/p/data/secret/2.in", "/p/data/secret/2.ans"),
        ];
        let is_usual = pairs.map(|(input, answer)| {
            let files = TestFiles::in_folder(&folder, &name, input.into(), answer.into());
            assert_eq!([files.path(INPUT), files.path(ANSWER)], [input, answer].map(PathBuf::from));
            matches!(files.0, Stored::Usual { .. })
        });
        assert_eq!(is_usual, [true, false, false, false]);
    }
}
