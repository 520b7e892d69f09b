//! What happens when a package's test cases are made.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How something that was made differs from what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is the same.
    Unchanged,
    /// It was something else.
    Changed,
    /// There was nothing.
    New,
}

/// See [`super::Event::CaseGenerated`].
#[derive(Clone, Debug)]
pub struct CaseGenerated {
    /// The test case, by its path below `data/`.
    pub case: String,
    /// Its files by ending, and how they differ; empty if it could not be made.
    pub files: BTreeMap<String, Change>,
    /// How the case differs as a whole; `None` if it could not be made.
    pub change: Option<Change>,
    /// The generator's command with its seed; `None` where there is no generator.
    pub command: Option<String>,
    /// The seed; `None` where the command has none.
    pub seed: Option<u32>,
    /// The test case that it is the same as, of which it is a link or a copy.
    pub same_as: Option<String>,
    /// How long it took, all its programs together; `None` where none was run.
    pub seconds: Option<f64>,
    /// Why it could not be made.
    pub message: Option<String>,
    /// What is odd, but no reason not to make it.
    pub remarks: Vec<String>,
    /// What its rule says is to be found in it, and is not.
    pub unmatched: Vec<String>,
}

/// See [`super::Event::GenerateFinished`].
#[derive(Clone, Debug)]
pub struct GenerateFinished {
    /// Whether every case was made, and holds what its rule says.
    pub as_wanted: bool,
    /// How many cases there are.
    pub cases: usize,
    /// How many could not be made.
    pub failed: usize,
    /// How many do not hold what their rules say.
    pub unmatched: usize,
    /// How many are new, changed and unchanged.
    pub new: usize,
    /// See `new`.
    pub changed: usize,
    /// See `new`.
    pub unchanged: usize,
    /// Files that belong to no case, such as `test_group.yaml`, where they differ.
    pub others: BTreeMap<String, Change>,
    /// Files and folders that no rule makes, and that are moved to the trash when the cases are written.
    pub removed: Vec<String>,
    /// Files and folders that no rule makes and that stay: pictures and `.interaction` files, which this version does
    /// not make, and everything where `generators.yaml` has unknown keys.
    pub kept: Vec<String>,
    /// The folder that all was written to; `None` if nothing was.
    pub written: Option<String>,
    /// The folder that removed and overwritten files were moved to; `None` if there were none.
    pub trash: Option<String>,
    /// How long it took.
    pub wall_seconds: f64,
}
