//! The parts of the sandbox that a machine can enforce, as reports show them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of the sandbox as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Overall {
    /// Every part is enforced.
    Full,
    /// At least one part is not fully enforced.
    Partial,
    /// The user switched the sandbox off.
    Off,
}

impl Overall {
    /// Returns the state as reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Overall::Full => "full",
            Overall::Partial => "partial",
            Overall::Off => "off",
        }
    }
}

/// The state of one part of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The part is fully enforced.
    Enforced,
    /// The part is partly enforced.
    Partial,
    /// The part is not enforced.
    Not,
}

impl State {
    /// Returns the state as reports write it.
    pub fn word(self) -> &'static str {
        match self {
            State::Enforced => "enforced",
            State::Partial => "partial",
            State::Not => "not",
        }
    }
}

/// The state of one part of the sandbox, with an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Protection {
    /// The state.
    pub state: State,
    /// How this machine enforces the part, or why it does not.
    pub why: String,
    /// What the user can do so that more is enforced; null if nothing can be done.
    pub remedy: Option<String>,
}

/// The state of the sandbox, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enforcement {
    /// The state of the sandbox as a whole.
    pub overall: Overall,
    /// The state of each part, by name.
    pub parts: BTreeMap<String, Protection>,
}
