//! Collects the tests of a validator from the package.

use std::path::{Path, PathBuf};

use crate::subject::{Role, Subject};
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_package::{Package, TestCase, ValidatorTestKind};

/// A test of a validator.
pub(super) struct Test {
    pub(super) case: TestCase,
    /// The path of the output to validate; `None` if the validator checks the case's input.
    output: Option<PathBuf>,
    /// The verdict that the package demands; `None` if it demands only that at least one of several validators rejects
    /// the input or output.
    pub(super) wanted: Option<Verdict>,
}

impl Test {
    /// Reads the output; `None` if the validator checks the input. An unreadable output counts as empty, both for the
    /// unchanged validator and for its mutants.
    pub(super) fn output(&self) -> Option<Vec<u8>> {
        self.output.as_ref().map(|path| regular::read(path, regular::LARGEST_BYTES).unwrap_or_default())
    }

    /// Returns the path of the output; `None` if the validator checks the input.
    pub(super) fn output_file(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

/// Returns the tests of a validator: first the package's test cases, then its validator tests.
pub(super) fn tests(subject: &Subject, package: &Package) -> Vec<Test> {
    if subject.role == Role::InputValidator { of_inputs(package) } else { of_outputs(package) }
}

/// Returns the tests of an input validator. Every input is legal except those of `invalid_input`. The package demands
/// only that at least one input validator rejects each illegal input. Therefore this validator must reject it only if
/// the package has no other input validator.
fn of_inputs(package: &Package) -> Vec<Test> {
    let legal = package.cases.iter().map(|case| (case, Some(Verdict::Accepted)));
    let is_only_one = package.input_validators.len() == 1;
    let others = package.validator_tests.iter().map(|test| match test.part {
        ValidatorTestKind::InvalidInput => (&test.case, is_only_one.then_some(Verdict::WrongAnswer)),
        ValidatorTestKind::InvalidOutput | ValidatorTestKind::ValidOutput => (&test.case, Some(Verdict::Accepted)),
    });
    legal.chain(others).map(|(case, wanted)| Test { case: case.clone(), output: None, wanted }).collect()
}

/// Returns the tests of an output validator. The jury's answers are correct outputs. For validator tests, the name of
/// the folder gives the verdict. The package demands only that at least one output validator rejects each wrong output.
/// Therefore this validator must reject it only if the package has no other output validator.
fn of_outputs(package: &Package) -> Vec<Test> {
    let answers = package.cases.iter().map(|case| Test {
        case: case.clone(),
        output: Some(case.answer()),
        wanted: Some(Verdict::Accepted),
    });
    let is_only_one = package.output_validators.len() == 1;
    let others = package.validator_tests.iter().filter_map(|test| {
        let wanted = match test.part {
            ValidatorTestKind::InvalidInput => return None,
            ValidatorTestKind::InvalidOutput => is_only_one.then_some(Verdict::WrongAnswer),
            ValidatorTestKind::ValidOutput => Some(Verdict::Accepted),
        };
        // Skips a test without an answer. It breaks the format, and the loader has already reported it.
        let output = test.case.output.as_ref().filter(|_| test.case.answer().is_file())?;
        Some(Test { case: test.case.clone(), output: Some(output.to_path_buf()), wanted })
    });
    answers.chain(others).collect()
}
