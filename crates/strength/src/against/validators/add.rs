//! Turns a text on which a mutant and the unchanged validator disagree into a validator test of the package.

use std::path::PathBuf;

use super::super::find_name;
use super::question::Question;
use super::question_source::QuestionSource;
use super::seeds;
use crate::mutants::Mutant;
use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_hunt::{CaseName, WriteError, write_files};
use referee_judge::JudgeError;
use referee_package::{Package, TestCase, ValidatorTestKind};

/// The files that were written, and a remark if the test was not added.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub(super) written: Vec<PathBuf>,
    pub(super) remark: Option<String>,
}

/// Writes the text as a validator test. The unchanged validator's verdict decides the folder, for example
/// `invalid_output` if it rejects the output. If the text cannot be a validator test, writes nothing and returns a
/// remark.
pub(super) fn add(
    package: &Package,
    subject: &Subject,
    mutant: &Mutant,
    questions: &QuestionSource<'_, '_>,
    question: &Question,
) -> Result<Added, JudgeError> {
    let not_added = |reason: &str| {
        Ok(Added {
            remark: Some(format!("the test that the hunt found was not added to the package: {reason}")),
            written: Vec::new(),
        })
    };
    let (case, bytes) = (&questions.seeds.cases[question.case], question.bytes());
    if package.version.is_legacy() {
        return not_added("packages of the legacy format have no folders for validator tests");
    }
    if !is_plain(package, subject, case) {
        return not_added(&format!(
            "the test needs the arguments or files of {}, which a validator test cannot have",
            case.name
        ));
    }
    let is_right = questions.original.ruling(question, case, &bytes)?.verdict == Verdict::Accepted;
    let part = match (subject.role, is_right) {
        (Role::InputValidator, false) => ValidatorTestKind::InvalidInput,
        (Role::InputValidator, true) => {
            return not_added("the input is valid, so it must become a test case, but its answer is unknown");
        }
        (_, false) => ValidatorTestKind::InvalidOutput,
        (_, true) => ValidatorTestKind::ValidOutput,
    };
    let case_name = CaseName { folder: &package.root.join("data").join(part.name()), name: find_name(subject, mutant) };
    let written = if part == ValidatorTestKind::InvalidInput {
        write_files(&bytes, &[], &["in"], &case_name)
    } else {
        let (Some(input), Some(answer)) = (seeds::read(&case.input()), seeds::read(&case.answer())) else {
            return not_added(&format!("the input or the answer of {} cannot be read", case.name));
        };
        write_files(&input, &[("ans", &answer), ("out", &bytes)], &["in", "ans", "out"], &case_name)
    };
    match written {
        Ok(written) => Ok(Added { written, remark: None }),
        Err(WriteError::Judge(error)) => Err(error),
        Err(error) => not_added(&error.to_string()),
    }
}

/// Returns whether the test case has no arguments and no additional files. A new validator test could not have any.
fn is_plain(package: &Package, subject: &Subject, case: &TestCase) -> bool {
    let has_no_validator_arguments = match subject.role {
        Role::InputValidator => {
            case.arguments_of_input_validator(&package.input_validators[subject.index].name).is_empty()
        }
        _ => case.output_validator_arguments.of(&package.output_validators[subject.index].name).is_empty(),
    };
    has_no_validator_arguments && case.arguments.is_empty() && case.files.is_none()
}
