//! What a validator is held against: all that the package has for it.

use std::path::PathBuf;

use crate::package::{Package, Part, TestCase};
use crate::strength::subject::{Role, Subject};
use crate::verdict::Verdict;

/// A test of a validator.
pub(super) struct Test {
    pub(super) case: TestCase,
    /// The output; `None` if the case's input is what is looked at.
    output: Option<PathBuf>,
    /// What the package demands; `None` where others may say it as well.
    pub(super) wanted: Option<Verdict>,
}

impl Test {
    /// The output. One that cannot be read is empty; the validator that nobody has changed saw the same.
    pub(super) fn output(&self) -> Option<Vec<u8>> {
        self.output.as_ref().map(|path| std::fs::read(path).unwrap_or_default())
    }

    pub(super) fn output_file(&self) -> Option<&PathBuf> {
        self.output.as_ref()
    }
}

/// The tests of a validator, those that the package names first first.
pub(super) fn tests(subject: &Subject, package: &Package) -> Vec<Test> {
    if subject.role == Role::InputValidator { of_inputs(package) } else { of_outputs(package) }
}

/// Every input is legal but for those that are there to be rejected, by whichever validator.
fn of_inputs(package: &Package) -> Vec<Test> {
    let legal = package.cases.iter().map(|case| (case, Some(Verdict::Accepted)));
    let is_only_one = package.input_validators.len() == 1;
    let others = package.validator_tests.iter().map(|test| match test.part {
        Part::InvalidInput => (&test.case, is_only_one.then_some(Verdict::WrongAnswer)),
        Part::InvalidOutput | Part::ValidOutput => (&test.case, Some(Verdict::Accepted)),
    });
    legal.chain(others).map(|(case, wanted)| Test { case: case.clone(), output: None, wanted }).collect()
}

/// Answers are right outputs, and the tests of output validators say what they are in their folder's name.
fn of_outputs(package: &Package) -> Vec<Test> {
    let answers = package.cases.iter().map(|case| Test {
        case: case.clone(),
        output: Some(case.answer.clone()),
        wanted: Some(Verdict::Accepted),
    });
    let is_only_one = package.output_validators.len() == 1;
    let others = package.validator_tests.iter().filter_map(|test| {
        let wanted = match test.part {
            Part::InvalidInput => return None,
            Part::InvalidOutput => is_only_one.then_some(Verdict::WrongAnswer),
            Part::ValidOutput => Some(Verdict::Accepted),
        };
        // One without an answer was told as breaking the format.
        let output = test.case.output.clone().filter(|_| test.case.answer.is_file())?;
        Some(Test { case: test.case.clone(), output: Some(output), wanted })
    });
    answers.chain(others).collect()
}
