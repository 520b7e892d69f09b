//! Answers proved again, where somebody can.

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted};
use crate::package::Package;

/// Somebody who can prove answers of some problems.
pub trait Prover: Sync {
    /// Proves every answer of the package, if it is one of those problems.
    fn prove(&self, package: &Package) -> Proof;
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nobody here knows this problem; why.
    Unknown(String),
    /// It was tried.
    Tried {
        /// How many answers were proved right.
        proved: usize,
        /// By whom, for people.
        by: String,
        /// Those that are wrong, or could not be proved.
        wrong: Vec<WrongAnswer>,
    },
}

/// An answer that is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The test case.
    pub case: String,
    /// The file, below the package's folder.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}

pub(super) fn check(bench: &Bench<'_>) -> Outcome {
    let (prover, package) = (bench.plan.prover, bench.package);
    match bench.on_all_cores(|| prover.prove(package)) {
        Proof::Unknown(reason) => Outcome::skipped(reason),
        Proof::Tried { proved, by, wrong } => {
            let finding = |wrong: WrongAnswer| {
                Finding::error(format!("is not proved: {}", wrong.reason))
                    .at(wrong.place)
                    .on(wrong.case)
                    .hint("`referee solve` and `referee check` say what is right")
            };
            let about = format!("{} by {by}", counted(proved, "answer"));
            Outcome { about, findings: wrong.into_iter().map(finding).collect(), skipped: None }
        }
    }
}
