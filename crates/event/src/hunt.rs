//! The result of `referee hunt`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Exchange;

/// A hunt has ended. A hunt is the search for an input on which a submission fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HuntFinished {
    /// The package.
    pub package: String,
    /// The submission for which a failing input was searched.
    pub submission: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// Whether the hunt found an input on which the submission fails.
    pub found: bool,
    /// How the submission fails: `WA`, `TLE`, `MLE`, `OLE` or `RTE`. `jury` if the package's accepted submissions
    /// disagree or fail. Null if nothing was found.
    pub kind: Option<String>,
    /// The shrunk input. Bytes that are not UTF-8 are replaced. Null if nothing was found.
    pub input: Option<String>,
    /// Whether the shrunk input is legal. True if all input validators of the package accept it, or if it consists of
    /// boards of a puzzle. Null if its legality is unknown, because the package has no input validator or one of them
    /// cannot be run. Also null if nothing was found.
    pub input_legal: Option<bool>,
    /// Why it is unknown whether the shrunk input is legal; null if it is legal, or if nothing was found.
    pub input_unchecked: Option<String>,
    /// The correct answer; null if it is not known.
    pub expected: Option<String>,
    /// The submission's output, cut to a maximum size; null if there is none.
    pub got: Option<String>,
    /// The last messages between the submission and the output validator; `None` if the problem is not interactive or if
    /// the messages are unknown. Machine-readable reports omit this field.
    #[serde(skip)]
    #[schemars(skip)]
    pub exchanges: Option<Vec<Exchange>>,
    /// Why the result is a failure; null if nothing was found.
    pub message: Option<String>,
    /// The programs that determine the correct answer.
    pub truth: Vec<String>,
    /// The number of inputs on which the submission was run.
    pub tried: u64,
    /// The number of inputs that were not tried, because the package's input validators rejected them. If no input
    /// validator can be run, this is the number of inputs on which an accepted submission failed. `tried` does not
    /// count these inputs.
    pub illegal: u64,
    /// The number of tried inputs without a verdict, because the package's own programs failed.
    pub unjudged: u64,
    /// Whether every possible input was tried.
    pub exhausted: bool,
    /// The duration of the search, in seconds.
    pub seconds: f64,
    /// The duration of the preparation, in seconds: building programs, and measuring a time limit if the package has
    /// none.
    pub seconds_preparing: f64,
    /// The phase in which the time of `--seconds` ran out; null if the hunt ended in time, or if the user interrupted
    /// it.
    pub undone: Option<Undone>,
    /// The size of the first failing input, in bytes; null if nothing was found.
    pub bytes_before_shrinking: Option<usize>,
    /// The size of the shrunk input, in bytes; null if nothing was found.
    pub bytes: Option<usize>,
    /// The number of inputs that were tried to shrink the failing input.
    pub shrink_tried: u64,
    /// Whether the shrunk input is minimal: no input that is one shrinking step smaller fails in the same way. Null if
    /// nothing was found.
    pub minimal: Option<bool>,
    /// Whether the user interrupted the hunt.
    pub interrupted: bool,
    /// Messages about inputs and programs that could not be used.
    pub remarks: Vec<String>,
    /// The files that were written.
    pub written: Vec<PathBuf>,
}

/// The phase of a hunt that ran out of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undone {
    /// Nothing was found, and untried inputs remained.
    Searching,
    /// An input was found, and smaller inputs remained untried.
    Shrinking,
}
