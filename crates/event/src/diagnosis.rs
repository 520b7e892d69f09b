//! The capabilities of a machine, as `referee doctor` reports them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Enforcement, Protection};

/// The data of [`super::Event::DoctorFinished`].
#[derive(Clone, Debug)]
pub struct DoctorFinished {
    /// What the sandbox enforces.
    pub sandbox: Enforcement,
    /// The mechanisms of the sandbox, the strongest first, each with its state.
    pub mechanisms: Vec<(String, Protection)>,
    /// All languages, with the tools that this machine has and those that are missing.
    pub languages: Vec<LanguageFound>,
    /// The cost of a run; `None` if it could not be measured.
    pub cost: Option<Cost>,
}

/// A language, and the tools for it on this machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageFound {
    /// The language's display name.
    pub language: String,
    /// The tools of the language that are installed.
    pub tools: Vec<ToolFound>,
    /// The names of the missing tools, and how to install them; null if no tool is missing.
    pub missing: Option<String>,
    /// What the user should know about how programs are compiled, such as a fallback to dynamic linking; null if nothing.
    #[serde(default)]
    pub remark: Option<String>,
}

/// A compiler or interpreter on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolFound {
    /// The name of the command.
    pub name: String,
    /// The absolute path of the command.
    pub path: String,
    /// The first line that the tool prints about its version; null if it prints nothing.
    pub version: Option<String>,
}

/// The cost of running a program that does nothing: median times in seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The number of measured runs in the sandbox. Equally many runs without a sandbox were measured.
    pub runs: usize,
    /// The time of a run without a sandbox. `posix_spawn` starts the program.
    pub spawn_seconds: f64,
    /// The time of a run in the sandbox.
    pub sandbox_seconds: f64,
    /// The time to set up a sandbox, before the first program runs in it.
    pub setup_seconds: f64,
}
