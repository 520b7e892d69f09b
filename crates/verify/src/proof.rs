//! The interface to provers, which prove the answers of test cases correct. A prover knows only some problems.

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted};
use referee_package::Package;

/// Proves the answers of some problems.
pub trait Prover: Sync {
    /// Tries to prove every answer of the package. Returns [`Proof::Unknown`] if the prover does not know the problem.
    fn prove(&self, package: &Package) -> Proof;
}

/// The result of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The prover does not know this problem. The text says why, for the report.
    Unknown(String),
    /// The proof was attempted.
    Tried {
        /// The number of answers that were proved correct.
        proved: usize,
        /// The names of the solvers that proved the answers, for reports.
        by: String,
        /// The answers that are wrong, or could not be proved.
        wrong: Vec<WrongAnswer>,
    },
}

/// An answer that is wrong or could not be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The name of the test case.
    pub case: String,
    /// The answer file, relative to the package's folder.
    pub place: String,
    /// Why the answer was not proved.
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
                    .hint("run `referee solve` on the input to see the correct answer")
            };
            let about = format!("{} by {by}", counted(proved, "answer"));
            Outcome { about, findings: wrong.into_iter().map(finding).collect(), skipped: None }
        }
    }
}
