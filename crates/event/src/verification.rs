//! What happens while a package is verified.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolFound;

/// A package begins to be verified.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyStarted {
    /// The package.
    pub package: String,
    /// Its folder, as the user named it; `None` of a package in an archive, or a bundled one.
    pub folder: Option<PathBuf>,
    /// The problem's name for people.
    pub title: String,
    /// The version of the format; empty, as the figures are 0, if the package cannot be read.
    pub format: String,
    /// Its sample and secret cases.
    pub cases: usize,
    /// Its submissions.
    pub submissions: usize,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Gravity {
    /// The package is not as it should be.
    Error,
    /// Somebody should look.
    Warning,
    /// Good to know.
    Note,
}

impl Gravity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Gravity::Error => "error",
            Gravity::Warning => "warning",
            Gravity::Note => "note",
        }
    }
}

/// Something was found in a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyFinding {
    /// The package.
    pub package: String,
    /// The check that found it.
    pub check: String,
    /// How bad it is.
    pub severity: Gravity,
    /// The file below the package's folder, with line and column where there are any.
    pub place: Option<String>,
    /// The test case, where it is about one.
    pub case: Option<String>,
    /// The submission, where it is about one.
    pub submission: Option<String>,
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// A check is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyCheck {
    /// Its name.
    pub name: String,
    /// What was looked at.
    pub about: String,
    /// How long that took.
    pub seconds: f64,
    /// How many errors it found.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many notes.
    pub notes: usize,
    /// Why it was not done, or not wholly; `None` if it was.
    pub skipped: Option<String>,
}

impl VerifyCheck {
    /// Everything it found.
    pub fn findings(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// How the time limit lies between the run times that bound it, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyTimeLimit {
    /// The package.
    pub package: String,
    /// The time limit that submissions were judged by.
    pub time_limit_seconds: f64,
    /// Whether somebody stated it; else it was measured.
    pub is_stated: bool,
    /// The smallest time limit that gives the slowest run its margin; `None` if that is not known.
    pub smallest_seconds: Option<f64>,
    /// How many times the slowest run that must keep the limit has to fit into it.
    pub ac_to_time_limit: f64,
    /// How many times the limit has to fit into the slowest run of a submission that must exceed it.
    pub time_limit_to_tle: f64,
    /// What the limit is a multiple of.
    pub resolution_seconds: f64,
}

/// How far a run time is from the time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyMargin {
    /// The package.
    pub package: String,
    /// The submission.
    pub submission: String,
    /// The test case.
    pub case: String,
    /// CPU time, or the time that the run was stopped at. Wall time where the wall limit decides: the submission sleeps.
    pub seconds: f64,
    /// Whether it was stopped there, and takes longer.
    pub is_more: bool,
    /// The wall limit that `seconds` exceeds; `None` if `seconds` is CPU time.
    pub wall_limit_seconds: Option<f64>,
    /// On which side it bounds the time limit: `lower`, `upper`, or neither.
    pub bound: Option<String>,
    /// Whether it is the submission's slowest case.
    pub is_slowest: bool,
    /// The time limit divided by the run time; `None` if that is 0.
    pub factor: Option<f64>,
    /// Whether the margin is kept; `None` where none is asked for.
    pub kept: Option<bool>,
}

/// A package was verified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyFinished {
    /// The package.
    pub package: String,
    /// How many errors were found.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many notes.
    pub notes: usize,
    /// Every check, in the order in which they were done.
    pub checks: Vec<VerifyCheck>,
    /// The compilers and interpreters that were used.
    pub tools: Vec<ToolFound>,
    /// How long it took.
    pub seconds: f64,
}
