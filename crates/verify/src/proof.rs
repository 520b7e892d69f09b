//! Proves answers correct, for problems with a prover.

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted};
use referee_package::Package;

/// Proves the answers of some problems.
pub trait Prover: Sync {
    /// Proves every answer of the package, if it knows the problem.
    fn prove(&self, package: &Package) -> Proof;
}

/// The result of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The prover does not know this problem; contains the reason.
    Unknown(String),
    /// The proof was attempted.
    Tried {
        /// The number of answers that were proved correct.
        proved: usize,
        /// The solvers that proved them, for people.
        by: String,
        /// The answers that are wrong, or could not be proved.
        wrong: Vec<WrongAnswer>,
    },
}

/// An answer that was not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The test case.
    pub case: String,
    /// The file, relative to the package's folder.
    pub place: String,
    /// Why it was not proved.
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
