//! A problem package on disk becomes one [`Package`] in memory.
//!
//! Read is the ICPC problem package format 2025-09. Everything that is wrong is collected in [`Findings`] with file,
//! line and column, so that one reading tells all; what the judge cannot do yet is said, not guessed around.

mod cases;
mod findings;
pub mod glob;
mod load;
mod problem;
mod submissions;
mod yaml;

use std::path::PathBuf;
use std::time::Duration;

use crate::verdict::Expectation;

pub use findings::{Finding, Findings, Severity};
pub use load::load;

#[cfg(test)]
mod tests;

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// The folder's name.
    pub name: String,
    /// The problem's name for people, in English if there is one.
    pub title: String,
    /// The folder.
    pub root: PathBuf,
    /// Its limits, given or by default.
    pub limits: Limits,
    /// Whether programs may write files in their working directory.
    pub file_writing: bool,
    /// Sample and secret test cases, in the order of judging: samples first, each part by name.
    pub cases: Vec<TestCase>,
    /// The package's own output validator, a file or a folder; without one the default validator serves.
    pub output_validator: Option<PathBuf>,
    /// The jury's submissions, by name.
    pub submissions: Vec<JurySubmission>,
    /// What is odd but does not hinder judging.
    pub warnings: Vec<Finding>,
}

/// The limits of `problem.yaml`, in seconds and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// CPU time per test case.
    pub time: Option<Duration>,
    /// Peak memory of a submission.
    pub memory_bytes: u64,
    /// Standard output and standard error of a submission.
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
    /// Arguments for the submission.
    pub arguments: Vec<String>,
    /// Arguments for the output validator.
    pub output_validator_arguments: Vec<String>,
    /// The file, line and column where those arguments stand, for messages.
    pub output_validator_arguments_place: Option<String>,
    /// What the case tests, for people.
    pub description: Option<String>,
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
}
