//! The list of checks.

use super::bench::Bench;
use super::finding::Outcome;
use super::{
    answers, determinism, duplicates, format, inputs, junk_inputs, junk_outputs, needs, proof, samples, submissions,
    time_limits,
};
use referee_event::Event;
use referee_judge::JudgeError;

/// A check of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Checks the rules of the package format.
    Format,
    /// Runs the input validators on inputs.
    Inputs,
    /// Runs the input validators on corrupted inputs.
    JunkInputs,
    /// Runs the output validator, and answer validators if there are any, on answers and example outputs.
    Answers,
    /// Runs the output validator on junk outputs and on corrupted answers.
    JunkOutputs,
    /// Compares the sample files that contestants see with those that programs receive.
    Samples,
    /// Finds duplicate test cases.
    Duplicates,
    /// Proves answers with reference solvers.
    Proof,
    /// Compares the verdicts of submissions with their expected verdicts.
    Submissions,
    /// Checks that the run times keep the required margins to the time limit.
    TimeLimits,
    /// Repeats the runs of submissions that must be accepted, and compares the results.
    Determinism,
    /// Finds wrong submissions that hardly any test case rejects, and test cases that seem unnecessary.
    Needs,
}

impl Check {
    /// All checks, in the order in which they run.
    pub const ALL: [Check; 12] = [
        Check::Format,
        Check::Inputs,
        Check::JunkInputs,
        Check::Answers,
        Check::JunkOutputs,
        Check::Samples,
        Check::Duplicates,
        Check::Proof,
        Check::Submissions,
        Check::TimeLimits,
        Check::Determinism,
        Check::Needs,
    ];

    /// Returns the check's name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Format => "format",
            Check::Inputs => "inputs",
            Check::JunkInputs => "junk-inputs",
            Check::Answers => "answers",
            Check::JunkOutputs => "junk-outputs",
            Check::Samples => "samples",
            Check::Duplicates => "duplicates",
            Check::Proof => "proof",
            Check::Submissions => "submissions",
            Check::TimeLimits => "time-limits",
            Check::Determinism => "determinism",
            Check::Needs => "needs",
        }
    }

    /// Returns a description of at most 62 characters for the command line.
    pub fn about(self) -> &'static str {
        match self {
            Check::Format => "problem.yaml, file names and text files follow the format",
            Check::Inputs => "input validators accept valid inputs and reject invalid ones",
            Check::JunkInputs => "input validators reject corrupted inputs",
            Check::Answers => "output validators judge answers and sample outputs correctly",
            Check::JunkOutputs => "output validators reject junk and corrupted answers",
            Check::Samples => "samples show contestants what programs receive",
            Check::Duplicates => "no two test cases have the same input",
            Check::Proof => "reference solvers prove the answers of known puzzles",
            Check::Submissions => "submissions get their expected verdicts on every case",
            Check::TimeLimits => "run times keep the margins to the time limit",
            Check::Determinism => "accepted submissions give the same results in a second run",
            Check::Needs => "every wrong submission fails, and every case is needed",
        }
    }

    /// Returns the check with this name; `None` if no check has it.
    pub fn by_name(name: &str) -> Option<Check> {
        Check::ALL.into_iter().find(|check| check.name() == name)
    }

    pub(super) fn run(self, bench: &Bench<'_>, report: &mut dyn FnMut(Event)) -> Result<Outcome, JudgeError> {
        match self {
            Check::Format => Ok(format::check(bench)),
            Check::Inputs => inputs::check(bench),
            Check::JunkInputs => junk_inputs::check(bench),
            Check::Answers => answers::check(bench),
            Check::JunkOutputs => junk_outputs::check(bench),
            Check::Samples => Ok(samples::check(bench)),
            Check::Duplicates => duplicates::check(bench),
            Check::Proof => Ok(proof::check(bench)),
            Check::Submissions => submissions::check(bench),
            Check::TimeLimits => time_limits::check(bench, report),
            Check::Determinism => determinism::check(bench),
            Check::Needs => needs::check(bench),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Check;

    #[test]
    fn every_check_has_a_name_of_its_own_and_is_found_by_it() {
        let names: BTreeSet<_> = Check::ALL.iter().map(|check| check.name()).collect();
        assert_eq!(names.len(), Check::ALL.len());
        assert!(Check::ALL.iter().all(|check| Check::by_name(check.name()) == Some(*check)));
        assert!(Check::ALL.iter().all(|check| check.about().len() <= 62));
    }
}
