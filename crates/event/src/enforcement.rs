//! What the sandbox enforces on a machine, as reports say it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much is enforced in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Overall {
    /// Everything.
    Full,
    /// Something is missing.
    Partial,
    /// The user switched the sandbox off.
    Off,
}

impl Overall {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Overall::Full => "full",
            Overall::Partial => "partial",
            Overall::Off => "off",
        }
    }
}

/// How much of one part is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Wholly.
    Enforced,
    /// In part.
    Partial,
    /// Not at all.
    Not,
}

impl State {
    /// The state in a word.
    pub fn word(self) -> &'static str {
        match self {
            State::Enforced => "enforced",
            State::Partial => "partial",
            State::Not => "not",
        }
    }
}

/// One part of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// How much of it is enforced.
    pub state: State,
    /// What that means here.
    pub why: String,
    /// What to do for more, if anything can be done.
    pub remedy: Option<String>,
}

/// What is enforced, part by part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enforcement {
    /// The sum of the parts.
    pub overall: Overall,
    /// Each part by its name.
    pub parts: BTreeMap<String, Part>,
}
