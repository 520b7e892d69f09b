//! The event of `referee grade --similarity`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The programs of a run were compared with one another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimilarityFinished {
    /// The most similar pairs, the most similar first. They include pairs below the threshold, which show how similar
    /// independent programs of this class are.
    pub pairs: Vec<SimilarPair>,
    /// The number of pairs at or above the threshold, also if `pairs` does not have them all.
    pub similar: usize,
    /// The number of programs that were compared.
    pub compared: usize,
    /// The programs that were not compared.
    pub skipped: Vec<NotCompared>,
    /// The programs of which only the beginning was compared, because they are too long.
    pub cut: Vec<String>,
    /// The similarity, from 0 to 1, from which on reports show a pair as similar.
    pub threshold: f64,
    /// The duration in seconds.
    pub seconds: f64,
    /// The sources of the programs in the pairs at or above the threshold. JSON lines do not have them.
    #[serde(skip)]
    pub sources: Vec<ProgramSource>,
}

/// Two programs that share code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimilarPair {
    /// The first submission.
    pub a: String,
    /// The second submission.
    pub b: String,
    /// The similarity, from 0 to 1, by which the pairs are sorted.
    pub similarity: f64,
    /// The share of `a` that is also in `b`, from 0 to 1. Template and common code do not count.
    pub share_of_a: f64,
    /// The share of `b` that is also in `a`, from 0 to 1.
    pub share_of_b: f64,
    /// The number of lines of `a` that the regions touch.
    pub lines_a: usize,
    /// The number of lines of `b` that the regions touch.
    pub lines_b: usize,
    /// The places with the same code, in the order of `a`; at most 100.
    pub regions: Vec<SimilarRegion>,
}

/// Lines of two programs that have the same code apart from names and layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimilarRegion {
    /// The file of the first program, relative to its folder; empty if the program is a single file.
    pub file_a: String,
    /// The first line in that file, counted from 1.
    pub first_line_a: u32,
    /// The last line in that file, which is part of the region.
    pub last_line_a: u32,
    /// The file of the second program, relative to its folder; empty if the program is a single file.
    pub file_b: String,
    /// The first line in that file, counted from 1.
    pub first_line_b: u32,
    /// The last line in that file, which is part of the region.
    pub last_line_b: u32,
}

/// A program that was not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotCompared {
    /// The submission.
    pub submission: String,
    /// Why it was not compared.
    pub reason: String,
}

/// The source of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSource {
    /// The submission.
    pub submission: String,
    /// The files: the path of each relative to the program's folder, empty if the program is a single file; and its
    /// bytes.
    pub files: Vec<(String, Vec<u8>)>,
}
