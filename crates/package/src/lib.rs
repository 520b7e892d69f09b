//! A problem package on disk, in whatever version of the format, becomes one [`Package`] in memory.
//!
//! Read are the versions `legacy`, `legacy-icpc`, `2023-07` and `2025-09` of the ICPC and Kattis problem package
//! format, from a folder or an archive. `problem.yaml` says the version ([`version`]), which decides what everything
//! else is called and may say: [`problem`] reads the file's own keys, [`data`] the test cases with what they inherit,
//! [`submissions`] the jury's programs with what is declared of them, [`programs`] validators and included files,
//! [`layout`] looks at the rest. Everything that is wrong is collected in [`Findings`] with file, line and column, so
//! that one reading tells all; what hinders judging is told apart from what only breaks a rule.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod archive;
pub mod bounded;
mod constants;
mod data;
mod document;
mod findings;
pub mod glob;
mod layout;
pub mod links;
mod load;
mod problem;
mod programs;
mod submissions;
mod version;
mod written_limit;
pub mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use referee_grading::score::{Tree, Wanted};
use referee_grading::verdict::Expectation;

pub use archive::{Unpacked, unpack_other};
pub use constants::Constants;
pub use document::Document;
pub use findings::{Finding, Findings, Severity};
pub use load::{load, load_without_cases};
pub use version::{Version, is_legal as is_legal_name};
pub use written_limit::{WriteError, Written, write_time_limit};

#[cfg(test)]
mod tests;

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// The folder's name.
    pub name: String,
    /// The problem's name for people, in English if there is one.
    pub title: String,
    /// What tells it from every other problem, if it says so.
    pub uuid: Option<String>,
    /// The version of the format it is written in.
    pub version: Version,
    /// What kind of problem it is.
    pub kind: Kind,
    /// The folder.
    pub root: PathBuf,
    /// Its limits, given or by default.
    pub limits: Limits,
    /// How the time limit follows from run times, where it is not given.
    pub timing: Timing,
    /// Whether programs may write files in their working directory.
    pub file_writing: bool,
    /// The languages that submissions may be written in, if not all.
    pub languages: Option<Vec<String>>,
    /// What `{{name}}` stands for in the package's programs.
    pub constants: Constants,
    /// Sample and secret test cases, in the order of judging: samples first, each part by name.
    pub cases: Vec<TestCase>,
    /// Inputs and outputs that test the validators, by part and name. No submission is judged on them.
    pub validator_tests: Vec<ValidatorTest>,
    /// The package's own output validators, all of which must accept; without any the default validator serves.
    pub output_validators: Vec<PackageProgram>,
    /// The programs that check inputs.
    pub input_validators: Vec<PackageProgram>,
    /// The programs that check answers, which BAPCtools adds to the format. Judging does without.
    pub answer_validators: Vec<PackageProgram>,
    /// Folders whose files are put into submissions, by language or `default` for all.
    pub includes: BTreeMap<String, PathBuf>,
    /// How the results of the cases add up.
    pub tree: Tree,
    /// The test cases of the static validator, each of which is a leaf of the tree.
    pub static_tests: Vec<StaticTest>,
    /// The program that looks at submissions themselves, if some test is for it.
    pub static_validator: Option<PackageProgram>,
    /// The package's own grader, if some group is graded by it.
    pub grader: Option<PackageProgram>,
    /// The jury's submissions, by name.
    pub submissions: Vec<JurySubmission>,
    /// What looks like a submission and is not judged, by name.
    pub left_out: Vec<LeftOut>,
    /// What is wrong or odd but does not hinder judging.
    pub remarks: Vec<Finding>,
    /// The folder that an archive was unpacked into. It is removed with the last package that came of it.
    _archive: Option<Arc<TempDir>>,
}

/// What kind of problem it is. Without any of these it is pass-fail, and each case is one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the format's words, which go together in many ways")]
pub struct Kind {
    /// Accepted submissions get a score.
    pub scoring: bool,
    /// The output validator talks with the submission.
    pub interactive: bool,
    /// The submission runs several times on a case.
    pub multi_pass: bool,
    /// Submissions are answers, not programs.
    pub submit_answer: bool,
    /// A program of the package looks at the submission itself.
    pub static_validation: bool,
}

impl Kind {
    /// The words of the format for it.
    pub fn words(self) -> Vec<&'static str> {
        let words = [
            (self.scoring, "scoring"),
            (self.interactive, "interactive"),
            (self.multi_pass, "multi-pass"),
            (self.submit_answer, "submit-answer"),
            (self.static_validation, "statically validated"),
        ];
        words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect()
    }
}

/// The limits of `problem.yaml`, in seconds and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// CPU time per test case.
    pub time: Option<Duration>,
    /// Peak memory of a submission.
    pub memory_bytes: u64,
    /// Standard output, standard error and written files of a submission together.
    pub output_bytes: u64,
    /// Total size of a submission's files.
    pub code_bytes: u64,
    /// Time to compile a submission.
    pub compilation_time: Duration,
    /// Memory to compile a submission.
    pub compilation_memory_bytes: u64,
    /// Time of an output validator.
    pub validation_time: Duration,
    /// Memory of an output validator.
    pub validation_memory_bytes: u64,
    /// Output of an output validator.
    pub validation_output_bytes: u64,
    /// How often a submission runs on a case at most, in multi-pass problems.
    pub validation_passes: u32,
    /// Time of a generator, which BAPCtools adds to the format's limits.
    pub generation_time: Duration,
}

impl Default for Limits {
    /// The "typical system defaults" that every version of the format has.
    fn default() -> Self {
        const MIB: u64 = 1 << 20;
        Limits {
            time: None,
            memory_bytes: 2048 * MIB,
            output_bytes: 8 * MIB,
            code_bytes: 128 << 10,
            compilation_time: Duration::from_secs(60),
            compilation_memory_bytes: 2048 * MIB,
            validation_time: Duration::from_secs(60),
            validation_memory_bytes: 2048 * MIB,
            validation_output_bytes: 8 * MIB,
            validation_passes: 2,
            generation_time: Duration::from_secs(60),
        }
    }
}

/// No time limit is longer, in seconds.
const MOST_SECONDS: f64 = 1e9;

/// How the time limit follows from the run times of the jury's submissions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The time limit is at least this many times as long as the slowest submission that must not exceed it.
    pub ac_to_time_limit: f64,
    /// The fastest submission that must exceed it takes at least this many times as long as the time limit.
    pub time_limit_to_tle: f64,
    /// The time limit is a multiple of this, in seconds.
    pub resolution: f64,
}

impl Timing {
    const LEGACY: Timing = Timing { ac_to_time_limit: 5.0, time_limit_to_tle: 2.0, resolution: 1.0 };
    const DATED: Timing = Timing { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution: 1.0 };

    /// The smallest time limit under which a program that takes `slowest` has its margin.
    pub fn time_limit(&self, slowest: Duration) -> Duration {
        let steps = (slowest.as_secs_f64() * self.ac_to_time_limit / self.resolution).ceil().max(1.0);
        Duration::from_secs_f64((steps * self.resolution).min(MOST_SECONDS))
    }
}

/// A test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// Its path below `data/` without `.in`: `sample/1`.
    pub name: String,
    /// The input file.
    pub input: PathBuf,
    /// The answer file.
    pub answer: PathBuf,
    /// The folder whose files the submission finds in its working directory.
    pub files: Option<PathBuf>,
    /// Arguments for the submission.
    pub arguments: Vec<String>,
    /// Arguments for the output validators.
    pub output_validator_arguments: ValidatorArguments,
    /// Arguments for the input validators.
    pub input_validator_arguments: InputArguments,
    /// Arguments for the answer validators.
    pub answer_validator_arguments: InputArguments,
    /// An output that is shown to people in place of the answer: `NAME.out`.
    pub output: Option<PathBuf>,
    /// What the case tests, for people.
    pub description: Option<String>,
}

/// A test of the static validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticTest {
    /// Its group's name and a last part that no test case beside it has: `secret/group1/static_validation`.
    pub name: String,
    /// Arguments for the static validator.
    pub arguments: Vec<String>,
}

/// The arguments of output validators on a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidatorArguments {
    /// Those that `problem.yaml` has for every validator.
    of_problem: Vec<String>,
    /// The name of the only validator that gets the others, if only one does.
    only: Option<String>,
    arguments: Vec<String>,
    /// The file, line and column where they stand, for messages.
    pub place: Option<String>,
}

impl ValidatorArguments {
    /// The name of the only validator that gets the arguments of the case, if only one does.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// The arguments for the validator `name`.
    pub fn of(&self, name: &str) -> Vec<String> {
        let own = if self.only.as_deref().is_none_or(|only| only == name) { self.arguments.as_slice() } else { &[] };
        self.of_problem.iter().chain(own).cloned().collect()
    }
}

/// The arguments of input or answer validators on a test case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputArguments {
    /// Those of every validator that is not named below.
    every: Vec<String>,
    by_name: BTreeMap<String, Vec<String>>,
}

impl InputArguments {
    /// The arguments for the validator `name`.
    pub fn of(&self, name: &str) -> &[String] {
        self.by_name.get(name).unwrap_or(&self.every)
    }
}

/// An input or output that tests the package's validators (format 2025-09, "Invalid Test Cases").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatorTest {
    /// What the validators must say of it.
    pub part: Part,
    /// Its files. An invalid input has no answer, and [`TestCase::answer`] names a file that is not there.
    pub case: TestCase,
}

/// A folder of tests of the validators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Some input validator must reject the input.
    InvalidInput,
    /// The output validator must reject the output.
    InvalidOutput,
    /// The output validator must accept the output.
    ValidOutput,
}

impl Part {
    /// The folders there are.
    pub const ALL: [Part; 3] = [Part::InvalidInput, Part::InvalidOutput, Part::ValidOutput];

    /// The folder's name below `data/`.
    pub fn name(self) -> &'static str {
        match self {
            Part::InvalidInput => "invalid_input",
            Part::InvalidOutput => "invalid_output",
            Part::ValidOutput => "valid_output",
        }
    }
}

/// A program of the package: a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageProgram {
    /// Its base name.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// The headers that lie beside a program of one file: it is built with a copy of each. Empty for a folder, which
    /// holds its own.
    pub headers: Vec<PathBuf>,
}

/// A file or folder below `submissions/` that is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path below `submissions/`, safe to print.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// Why, and what to do.
    pub reason: String,
    /// Whether it lies in a folder below `submissions/`, where submissions lie. A file beside those folders may be
    /// something else.
    pub is_in_folder: bool,
}

/// A submission that comes with the package.
#[derive(Clone, Debug)]
pub struct JurySubmission {
    /// Its path below `submissions/`.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// The language, where submissions.yaml names it.
    pub language: Option<String>,
    /// The entry point, where submissions.yaml names it.
    pub entry_point: Option<String>,
    /// What its verdicts must be: every rule must hold. Empty where nothing is declared.
    pub expectations: Vec<Expectation>,
    /// What its scores must be.
    pub scores: Vec<Wanted>,
}
