//! Reads a problem package of any format version from disk into one [`Package`] in memory.
//!
//! This crate reads the versions `legacy`, `legacy-icpc`, `2023-07` and `2025-09` of the ICPC and Kattis problem
//! package format, from a folder or an archive. The first two are the *legacy* versions, the others the *dated* ones.
//! `problem.yaml` names the [`version`]. The version decides which other keys, files and folders a package may have.
//!
//! [`problem`] reads the keys of `problem.yaml`. [`data`] reads the test cases and the settings they inherit.
//! [`submissions`] reads the jury's submissions and their expected verdicts. [`programs`] finds validators and included
//! files. [`layout`] checks the other files and folders. [`Findings`] collects every mistake with file, line and
//! column, so that one reading reports them all. It distinguishes errors, which prevent judging, from breaches of a
//! rule, which do not.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod archive;
pub mod bounded;
mod constants;
mod data;
mod document;
mod findings;
pub mod glob;
mod language_codes;
mod layout;
pub mod links;
mod load;
mod natural_language;
mod problem;
mod programs;
mod submissions;
mod test_case;
mod version;
mod written_limit;
pub mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use links::Boundary;
use referee_grading::score::{ExpectedScore, Tree};
use referee_grading::verdict::Expectation;

pub use archive::{Unpacked, unpack_other};
pub use constants::Constants;
pub use document::Document;
pub use findings::{Finding, Findings, Severity};
pub use load::{ArchiveRoot, Extent, load, load_from, load_without_cases};
pub use problem::limits::keys_of_every_version as limit_keys_of_every_version;
pub use test_case::{
    InputArguments, StaticTest, TestCase, TestFiles, ValidatorArguments, ValidatorTest, ValidatorTestKind,
};
pub use version::{Version, is_legal as is_legal_name};
pub use written_limit::{WriteError, Written, write_time_limit};

#[cfg(test)]
mod tests;

/// A problem package.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name of the package's folder.
    pub name: String,
    /// The problem's display name, in English if there is an English one.
    pub title: String,
    /// The problem's unique id; `None` if the package gives none.
    pub uuid: Option<String>,
    /// The format version of the package.
    pub version: Version,
    /// The kind of problem.
    pub kind: Kind,
    /// The package's folder.
    pub root: PathBuf,
    /// Links in the package's programs may lead only into these folders.
    pub boundary: Boundary,
    /// The limits that the package sets, and the format's defaults for all others.
    pub limits: Limits,
    /// The factors for computing a time limit from run times. They are used if the package gives no time limit.
    pub timing: Timing,
    /// Whether a submission may write files in its working directory.
    pub file_writing: bool,
    /// The languages that submissions may be written in; `None` if all are allowed.
    pub languages: Option<Vec<String>>,
    /// The values that replace `{{name}}` in the package's programs.
    pub constants: Constants,
    /// Sample and secret test cases in the order of judging: samples first, then secret cases. Within each folder, they
    /// are sorted by name.
    pub cases: Arc<Vec<TestCase>>,
    /// Inputs and outputs that test the validators, sorted by folder and name. No submission runs on them.
    pub validator_tests: Vec<ValidatorTest>,
    /// The package's own output validators. An output is correct only if all of them accept it. If there are none, the
    /// default validator is used.
    pub output_validators: Vec<PackageProgram>,
    /// The programs that check inputs.
    pub input_validators: Vec<PackageProgram>,
    /// The programs that check answers. BAPCtools adds them to the format; judging does not need them.
    pub answer_validators: Vec<PackageProgram>,
    /// Folders whose files are copied into submissions. The key is a language, or `default` for all languages.
    pub includes: BTreeMap<String, PathBuf>,
    /// The tree that combines the results of the test cases.
    pub tree: Tree,
    /// The tree with which DOMjudge combines the results. It has the same groups as `tree`. `None` if DOMjudge ignores
    /// the groups: DOMjudge uses them only for problems of type scoring whose folder `data` has a settings file.
    pub domjudge_tree: Option<Tree>,
    /// The test cases of the static validator. Each is a leaf of `tree`.
    pub static_tests: Vec<StaticTest>,
    /// The program that checks the source of a submission; `None` if no test case needs it.
    pub static_validator: Option<PackageProgram>,
    /// The package's own grader; `None` if no group uses it.
    pub grader: Option<PackageProgram>,
    /// The jury's submissions, sorted by name.
    pub submissions: Vec<JurySubmission>,
    /// Files and folders that look like submissions but are not judged, sorted by name.
    pub left_out: Vec<LeftOut>,
    /// Findings that do not prevent judging.
    pub remarks: Vec<Finding>,
    /// The temporary folder of an unpacked archive; `None` for a package in a folder. The temporary folder is removed
    /// when the last clone of the package is dropped.
    _archive: Option<Arc<TempDir>>,
}

/// The kind of a problem. If all fields are false, the problem is pass-fail and each test case is one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the format's types of problems, which a package can combine")]
pub struct Kind {
    /// Whether accepted submissions get a score.
    pub scoring: bool,
    /// Whether the output validator interacts with the submission.
    pub interactive: bool,
    /// Whether the submission runs several times on a test case.
    pub multi_pass: bool,
    /// Whether submissions are answers instead of programs.
    pub submit_answer: bool,
    /// Whether a program of the package checks the source of the submission.
    pub static_validation: bool,
}

impl Package {
    /// If this is a legacy package, leaves out the output validator in the folder `output_validator/`, as problemtools
    /// does. In legacy packages, problemtools looks for output validators only in `output_validators/`, and uses its
    /// default output validator if it finds none. Does nothing if only a validator of the package can judge outputs.
    pub fn leave_out_misplaced_validator(&mut self) {
        let folder = self.root.join(programs::NEWER_FOLDER);
        if self.version.is_legacy() && !self.kind.needs_output_validator() {
            self.output_validators.retain(|program| !program.path.starts_with(&folder));
        }
    }
}

impl Kind {
    /// Whether only the package's own output validator can judge outputs.
    pub fn needs_output_validator(self) -> bool {
        self.interactive || self.multi_pass
    }

    /// Returns the format's names for the kinds that apply.
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

/// The limits that `problem.yaml` can set. Sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The CPU time that a submission may use per test case; `None` if the package gives no time limit.
    pub time: Option<Duration>,
    /// The largest peak memory allowed for a submission.
    pub memory_bytes: u64,
    /// The largest total size allowed for a submission's standard output, standard error and written files.
    pub output_bytes: u64,
    /// The largest total size allowed for a submission's source files.
    pub code_bytes: u64,
    /// The time that the compilation of a submission may take.
    pub compilation_time: Duration,
    /// The memory that the compilation of a submission may use.
    pub compilation_memory_bytes: u64,
    /// The time that an output validator may take.
    pub validation_time: Duration,
    /// The memory that an output validator may use.
    pub validation_memory_bytes: u64,
    /// The largest size allowed for an output validator's output.
    pub validation_output_bytes: u64,
    /// The largest number of runs of a submission allowed on one test case, in multi-pass problems.
    pub validation_passes: u32,
    /// The time limit of a generator. BAPCtools adds this limit to the format.
    pub generation_time: Duration,
    /// The memory limits that the package does not state.
    pub unstated_memory: UnstatedMemory,
}

/// For each memory limit, whether the package leaves it out. If so, the default of the judge applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnstatedMemory {
    /// Whether `memory`, the submission's limit, is missing.
    pub program: bool,
    /// Whether `compilation_memory` is missing.
    pub compilation: bool,
    /// Whether `validation_memory` is missing.
    pub validation: bool,
}

impl Default for Limits {
    /// Returns the defaults that the format calls "typical system defaults". They are the same in every version.
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
            unstated_memory: UnstatedMemory { program: true, compilation: true, validation: true },
        }
    }
}

impl Limits {
    /// Returns a copy of the limits in which each memory limit that the package does not state is `bytes`. Judges have
    /// different default memory limits, so the caller passes the default of its judge.
    #[must_use]
    pub fn with_default_memory(self, bytes: u64) -> Limits {
        let or_stated = |is_unstated: bool, stated: u64| if is_unstated { bytes } else { stated };
        let UnstatedMemory { program, compilation, validation } = self.unstated_memory;
        Limits {
            memory_bytes: or_stated(program, self.memory_bytes),
            compilation_memory_bytes: or_stated(compilation, self.compilation_memory_bytes),
            validation_memory_bytes: or_stated(validation, self.validation_memory_bytes),
            ..self
        }
    }
}

/// The longest time limit that is derived from run times, in seconds.
const MOST_SECONDS: f64 = 1e9;

/// The factors by which a time limit is computed from the run times of the jury's submissions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The time limit is at least this many times the slowest run of a submission that must finish in time.
    pub ac_to_time_limit: f64,
    /// Each submission that must exceed the time limit must take at least this many times the limit.
    pub time_limit_to_tle: f64,
    /// The time limit is a multiple of this number of seconds.
    pub resolution: f64,
}

impl Timing {
    const LEGACY: Timing = Timing { ac_to_time_limit: 5.0, time_limit_to_tle: 2.0, resolution: 1.0 };
    const DATED: Timing = Timing { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution: 1.0 };

    /// Returns the time limit that follows from `slowest`, the run time of the slowest submission that must finish in
    /// time: `slowest` times `ac_to_time_limit`, rounded up to a positive multiple of `resolution`, but at most 10^9 s.
    pub fn time_limit(&self, slowest: Duration) -> Duration {
        let steps = (slowest.as_secs_f64() * self.ac_to_time_limit / self.resolution).ceil().max(1.0);
        Duration::from_secs_f64((steps * self.resolution).min(MOST_SECONDS))
    }
}

/// A program of the package: a single file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageProgram {
    /// The name of the folder, or of the file without its extension.
    pub name: String,
    /// The file or folder of the program.
    pub path: PathBuf,
    /// The headers beside a single-file program. The program is built with a copy of each header. Empty for a folder,
    /// which has its own headers.
    pub headers: Vec<PathBuf>,
}

/// A file or folder below `submissions/` that is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path below `submissions/`, safe to print.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// The reason, and what the setter can do about it.
    pub reason: String,
    /// Whether the file or folder is in a subfolder of `submissions/`, where submissions belong. A file directly in
    /// `submissions/` may be something other than a submission.
    pub is_in_folder: bool,
}

/// A submission of the package.
#[derive(Clone, Debug)]
pub struct JurySubmission {
    /// Its path below `submissions/`.
    pub name: String,
    /// The file or folder.
    pub path: PathBuf,
    /// The language that submissions.yaml names; `None` if it names none.
    pub language: Option<String>,
    /// The entry point that submissions.yaml names; `None` if it names none.
    pub entry_point: Option<String>,
    /// The rules for its verdicts, all of which must be satisfied. Empty if the package declares none.
    pub expectations: Vec<Expectation>,
    /// The rules for its scores. Empty if the package declares none.
    pub scores: Vec<ExpectedScore>,
}
