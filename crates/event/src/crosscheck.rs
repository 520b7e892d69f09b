//! The result of `referee crosscheck`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All solvers of a puzzle have been compared.
#[derive(Clone, Debug)]
pub struct CrosscheckFinished {
    /// The puzzle.
    pub puzzle: String,
    /// The set of boards.
    pub scope: Scope,
    /// The names of the compared solvers.
    pub solvers: Vec<String>,
    /// The number of compared boards.
    pub boards: u64,
    /// The number of boards with a disagreement or a wrong answer.
    pub disagreements: u64,
    /// The number of boards with each answer.
    pub histogram: BTreeMap<String, u64>,
    /// The number of answers whose moves were replayed up to the goal.
    pub moves_replayed: u64,
    /// The number of answers that a certificate proves to be optimal.
    pub bounds_proved: u64,
    /// For each solver, the number of boards that it does not support.
    pub declined: BTreeMap<String, u64>,
    /// The smallest board with a disagreement; `None` if there is none.
    pub smallest: Option<Counterexample>,
    /// The duration in seconds.
    pub seconds: f64,
}

/// The set of boards of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The inputs of the bundled package, and random boards of every kind.
    Sampled,
    /// Every board, or a smaller set of boards that is proved to represent every board.
    Exhaustive,
}

/// A board on which solvers disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The board, in the input format of the package.
    pub input: String,
    /// A description of the disagreement.
    pub reason: String,
    /// Each solver's name and answer.
    pub answers: Vec<(String, String)>,
}
