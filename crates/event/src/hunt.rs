//! What `referee hunt` tells.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A hunt is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HuntFinished {
    /// The package.
    pub package: String,
    /// The program.
    pub submission: String,
    /// The seed of everything that was drawn.
    pub seed: u64,
    /// Whether an input was found on which the program fails.
    pub found: bool,
    /// How it fails: `WA`, `TLE`, `MLE`, `OLE` or `RTE`; `jury` where the package's accepted submissions do not agree,
    /// or fail.
    pub kind: Option<String>,
    /// The input, made as small as it could be. What is no UTF-8 is replaced.
    pub input: Option<String>,
    /// The right answer, where there is one.
    pub expected: Option<String>,
    /// What the program wrote, cut.
    pub got: Option<String>,
    /// Why that is a failure.
    pub message: Option<String>,
    /// Who says what is right.
    pub truth: Vec<String>,
    /// On how many inputs the program was run.
    pub tried: u64,
    /// How many other inputs the package's input validators refused.
    pub illegal: u64,
    /// On how many of those tried nobody could tell, because the package's own programs failed.
    pub unjudged: u64,
    /// Whether all inputs there are were tried.
    pub exhausted: bool,
    /// How long the search took.
    pub seconds: f64,
    /// How long it took before that to measure a time limit that the package does not state, and to build programs.
    pub seconds_preparing: f64,
    /// What was not finished when the time of `--seconds` was over; null if the time sufficed, or the user ended it.
    pub undone: Option<Undone>,
    /// The size of the input that was found first.
    pub bytes_before_shrinking: Option<usize>,
    /// The size of the one that is left.
    pub bytes: Option<usize>,
    /// How many smaller inputs were tried.
    pub shrink_tried: u64,
    /// Whether nothing one step smaller fails in the same way; `None` if nothing was found.
    pub minimal: Option<bool>,
    /// Whether the user ended it.
    pub interrupted: bool,
    /// What could not be made use of, in words.
    pub remarks: Vec<String>,
    /// Files that were written.
    pub written: Vec<PathBuf>,
}

/// What a hunt did not finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undone {
    /// Nothing was found, and inputs were left to try.
    Searching,
    /// An input was found, and smaller ones were left to try.
    Shrinking,
}
