//! The events of `referee verify`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolFound;

/// The verification of a package has started.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyStarted {
    /// The package.
    pub package: String,
    /// The package's folder, as the user named it; null for an archive or a bundled package.
    pub folder: Option<PathBuf>,
    /// The problem's display name.
    pub title: String,
    /// The version of the package format; empty if the package cannot be read. `cases` and `submissions` are then 0.
    pub format: String,
    /// The number of sample and secret cases.
    pub cases: usize,
    /// The number of submissions.
    pub submissions: usize,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Gravity {
    /// The package must be corrected.
    Error,
    /// The setter should examine the package.
    Warning,
    /// Information that needs no action.
    Note,
}

impl Gravity {
    /// Returns the severity as reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Gravity::Error => "error",
            Gravity::Warning => "warning",
            Gravity::Note => "note",
        }
    }
}

/// A finding about a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyFinding {
    /// The package.
    pub package: String,
    /// The name of the check that reports the finding.
    pub check: String,
    /// The severity.
    pub severity: Gravity,
    /// The file, as a path below the package's folder, with line and column if they are known; null if the finding
    /// concerns no file.
    pub place: Option<String>,
    /// The test case that the finding is about; null if there is none.
    pub case: Option<String>,
    /// The submission that the finding is about; null if there is none.
    pub submission: Option<String>,
    /// A description of the finding.
    pub message: String,
    /// What the setter can do; null if there is no advice.
    pub hint: Option<String>,
}

/// A check has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyCheck {
    /// The name of the check.
    pub name: String,
    /// A description of what was checked.
    pub about: String,
    /// The duration in seconds.
    pub seconds: f64,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of notes.
    pub notes: usize,
    /// Why the check was skipped or is incomplete; null if it is complete.
    pub skipped: Option<String>,
}

impl VerifyCheck {
    /// Returns the number of all findings.
    pub fn findings(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// The time limit of a package, and the conditions that it must meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyTimeLimit {
    /// The package.
    pub package: String,
    /// The time limit by which submissions were judged.
    pub time_limit_seconds: f64,
    /// Whether the package or the user stated the time limit; otherwise it was measured.
    pub is_stated: bool,
    /// The smallest time limit that satisfies `ac_to_time_limit`; null if it is unknown.
    pub smallest_seconds: Option<f64>,
    /// The time limit must be at least this many times the slowest run of the submissions that must finish in time.
    pub ac_to_time_limit: f64,
    /// If a submission must exceed the time limit, its slowest run must take at least this many times the limit.
    pub time_limit_to_tle: f64,
    /// The time limit must be a multiple of this number of seconds.
    pub resolution_seconds: f64,
}

/// A run time of a submission, compared with the time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyMargin {
    /// The package.
    pub package: String,
    /// The submission.
    pub submission: String,
    /// The test case.
    pub case: String,
    /// The run time in seconds, or the time after which the judge stopped the run. This is CPU time, or wall time if
    /// the submission slept so long that the wall time limit decides.
    pub seconds: f64,
    /// Whether the judge stopped the run after `seconds`. The full run time is then longer.
    pub is_more: bool,
    /// The wall time limit that `seconds` exceeds; null if `seconds` is CPU time.
    pub wall_limit_seconds: Option<f64>,
    /// Whether the run time is a `lower` or an `upper` bound of the time limit; null if it is neither.
    pub bound: Option<String>,
    /// Whether the case is the submission's slowest.
    pub is_slowest: bool,
    /// The time limit divided by the run time; null if the run time is 0.
    pub factor: Option<f64>,
    /// Whether the margin is sufficient; null if no margin is required.
    pub kept: Option<bool>,
}

/// The verification of a package has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyFinished {
    /// The package.
    pub package: String,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of notes.
    pub notes: usize,
    /// All checks, in the order in which they ran.
    pub checks: Vec<VerifyCheck>,
    /// The compilers and interpreters that were used.
    pub tools: Vec<ToolFound>,
    /// The duration in seconds.
    pub seconds: f64,
}
