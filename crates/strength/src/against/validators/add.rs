//! Turns a find into a validator test of the package.

use std::path::PathBuf;

use super::super::name;
use super::field::Field;
use super::question::Question;
use super::seeds;
use crate::mutants::Mutant;
use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_hunt::{Keep, KeepError, keep_files};
use referee_judge::JudgeError;
use referee_package::{Package, TestCase, ValidatorTestKind};

/// The files that were written, and a remark if the find was not added.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub(super) written: Vec<PathBuf>,
    pub(super) remark: Option<String>,
}

/// Writes the find into the folder of validator tests that demands the verdict of the unchanged validator.
pub(super) fn add(
    package: &Package,
    subject: &Subject,
    mutant: &Mutant,
    field: &Field<'_, '_>,
    question: &Question,
) -> Result<Added, JudgeError> {
    let not_added = |reason: &str| Ok(Added { remark: Some(format!("not added: {reason}")), written: Vec::new() });
    let (case, bytes) = (&field.stock.likes[question.like], question.bytes());
    if package.version.is_legacy() {
        return not_added("packages of this version of the format have no folders of validator tests");
    }
    if !is_plain(package, subject, case) {
        return not_added(&format!("it goes with the arguments and files of {}", case.name));
    }
    let is_right = field.original.say(question, case, &bytes)?.verdict == Verdict::Accepted;
    let part = match (subject.role, is_right) {
        (Role::InputValidator, false) => ValidatorTestKind::InvalidInput,
        (Role::InputValidator, true) => return not_added("it is legal, and a test case needs an answer"),
        (_, false) => ValidatorTestKind::InvalidOutput,
        (_, true) => ValidatorTestKind::ValidOutput,
    };
    let keep = Keep { folder: &package.root.join("data").join(part.name()), name: name(subject, mutant) };
    let written = if part == ValidatorTestKind::InvalidInput {
        keep_files(&bytes, &[], &["in"], &keep)
    } else {
        let (Some(input), Some(answer)) = (seeds::read(&case.input), seeds::read(&case.answer)) else {
            return not_added(&format!("the files of {} cannot be read", case.name));
        };
        keep_files(&input, &[("ans", &answer), ("out", &bytes)], &["in", "ans", "out"], &keep)
    };
    match written {
        Ok(written) => Ok(Added { written, remark: None }),
        Err(KeepError::Judge(error)) => Err(error),
        Err(error) => not_added(&error.to_string()),
    }
}

/// Returns whether the test case needs no arguments or settings of its own. Another test case cannot move to the new
/// folder, which has other settings.
fn is_plain(package: &Package, subject: &Subject, case: &TestCase) -> bool {
    let asks_for_nothing = match subject.role {
        Role::InputValidator => {
            case.input_validator_arguments.of(&package.input_validators[subject.index].name).is_empty()
        }
        _ => case.output_validator_arguments.of(&package.output_validators[subject.index].name).is_empty(),
    };
    asks_for_nothing && case.arguments.is_empty() && case.files.is_none()
}
