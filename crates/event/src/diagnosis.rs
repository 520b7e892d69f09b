//! What a machine can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Enforcement, Part};

/// See [`super::Event::DoctorFinished`].
#[derive(Clone, Debug)]
pub struct DoctorFinished {
    /// What the sandbox enforces.
    pub sandbox: Enforcement,
    /// What it is made of, the strongest walls first.
    pub mechanisms: Vec<(String, Part)>,
    /// The languages that can be judged, or why not.
    pub languages: Vec<LanguageFound>,
    /// What a run costs; `None` where it could not be measured.
    pub cost: Option<Cost>,
}

/// A language, and what of it is on this machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageFound {
    /// Its name for people.
    pub language: String,
    /// Its tools that are here.
    pub tools: Vec<ToolFound>,
    /// What is missing, with what to do; `None` if nothing is.
    pub missing: Option<String>,
}

/// A compiler or interpreter on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolFound {
    /// The command.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// The first line of what it says of its version; `None` if it says nothing.
    pub version: Option<String>,
}

/// What one run of a program that does nothing costs, in seconds, as medians.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// How many runs were measured, either way.
    pub runs: usize,
    /// By `posix_spawn`, with no sandbox.
    pub spawn_seconds: f64,
    /// In the sandbox.
    pub sandbox_seconds: f64,
    /// Making a place for a program's runs.
    pub setup_seconds: f64,
}
