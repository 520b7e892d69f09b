//! Events of the generation of a package's test cases.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of comparing a generated file or test case with the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The package contains the file or test case with the same content.
    Unchanged,
    /// The package contains the file or test case with different content.
    Changed,
    /// The package does not contain the file or test case.
    New,
}

/// The data of [`super::Event::CaseGenerated`].
#[derive(Clone, Debug)]
pub struct CaseGenerated {
    /// The test case: its path below `data/`.
    pub case: String,
    /// The change of each file, by extension. Empty if generation failed.
    pub files: BTreeMap<String, Change>,
    /// The change of the case as a whole; `None` if generation failed.
    pub change: Option<Change>,
    /// The generator's command with its seed; `None` if the case has no generator.
    pub command: Option<String>,
    /// The seed; `None` if the command has none.
    pub seed: Option<u32>,
    /// The earlier test case with the same rule, if this case is a link to it or a copy of it; otherwise `None`.
    pub same_as: Option<String>,
    /// The wall time of generating the case, in seconds; `None` if its files come from another case.
    pub seconds: Option<f64>,
    /// Why generation failed; `None` if it succeeded.
    pub message: Option<String>,
    /// Warnings about the rule that do not prevent generation.
    pub remarks: Vec<String>,
    /// Properties that the rule requires and that the generated case lacks.
    pub unmatched: Vec<String>,
}

/// The data of [`super::Event::GenerateFinished`].
#[derive(Clone, Debug)]
pub struct GenerateFinished {
    /// Whether every case was generated and has the properties that its rule requires.
    pub as_wanted: bool,
    /// The number of cases.
    pub cases: usize,
    /// The number of cases whose generation failed.
    pub failed: usize,
    /// The number of cases that lack a property that their rule requires.
    pub unmatched: usize,
    /// The number of new cases.
    pub new: usize,
    /// The number of changed cases.
    pub changed: usize,
    /// The number of unchanged cases.
    pub unchanged: usize,
    /// The new and changed files that belong to no case, such as `test_group.yaml`.
    pub others: BTreeMap<String, Change>,
    /// Files and folders without a rule. They are moved to the trash when the cases are written.
    pub removed: Vec<String>,
    /// Files and folders without a rule that are not removed: pictures and `.interaction` files, which this version
    /// cannot generate. If `generators.yaml` has unknown keys, all files and folders without a rule are here, and
    /// `removed` is empty.
    pub kept: Vec<String>,
    /// The folder that the cases were written to; `None` if nothing was written.
    pub written: Option<String>,
    /// The folder that removed and overwritten files were moved to; `None` if there were none.
    pub trash: Option<String>,
    /// The duration in seconds.
    pub wall_seconds: f64,
}
