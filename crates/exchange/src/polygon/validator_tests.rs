//! Imports tests of validators and of the checker as `invalid_input`, `invalid_output` and `valid_output`.

use std::path::Path;

use super::problem::{self, Problem};
use super::{UnusedFiles, xml};
use crate::{ExchangeError, Files, Notes};

/// Writes the tests, and reports those that the format cannot express. Fails if a pattern for their paths is invalid.
pub(super) fn write(
    root: &Path,
    polygon: &Problem<'_>,
    files: &mut Files,
    unused_files: &mut UnusedFiles,
    notes: &mut Notes,
) -> Result<(), ExchangeError> {
    for (index, validator) in polygon.validators.iter().enumerate() {
        let testset = validator.element.down("testset");
        let Some(testset) = testset.filter(|testset| testset.down("tests/test").is_some()) else { continue };
        let inputs = problem::pattern(&testset, "input-path-pattern")?;
        for (number, test) in (1..).zip(testset.below("tests", "test")) {
            let input = inputs.path(number);
            let found = xml::existing_file(root, &input);
            match (test.attribute("verdict"), found) {
                (Some("INVALID" | "invalid"), Some(path)) => {
                    unused_files.take(root, &input);
                    files.copy(format!("data/invalid_input/{}-{number:02}.in", index + 1), &path);
                }
                (Some("INVALID" | "invalid"), None) => {
                    notes.lose(format!("the validator test {input} {}", xml::why_unusable(root, &input)));
                }
                _ => notes.lose(format!(
                    "the validator test {input}: the expected verdict is not INVALID, and the package format has tests \
                     for invalid inputs only"
                )),
            }
        }
    }
    let testset = polygon.checker.as_ref().and_then(|checker| checker.element.down("testset"));
    let Some(testset) = testset.filter(|testset| testset.down("tests/test").is_some()) else { return Ok(()) };
    let pattern = |name| problem::pattern(&testset, name);
    let patterns = [pattern("input-path-pattern")?, pattern("answer-path-pattern")?, pattern("output-path-pattern")?];
    for (number, test) in (1..).zip(testset.below("tests", "test")) {
        let three = patterns.each_ref().map(|pattern| pattern.path(number));
        let part = match test.attribute("verdict").map(str::to_ascii_uppercase).as_deref() {
            Some("OK") => "valid_output",
            Some("WRONG_ANSWER" | "PRESENTATION_ERROR" | "WRONG-ANSWER" | "PRESENTATION-ERROR") => "invalid_output",
            _ => "",
        };
        let there = three.iter().all(|path| xml::existing_file(root, path).is_some());
        let why = match polygon.interactor {
            Some(_) => "the import supports no checker tests of interactive problems",
            None if part.is_empty() => "the import does not know the expected verdict",
            None if !there => "the input, the answer or the output is missing",
            None => "",
        };
        if !why.is_empty() {
            notes.lose(format!("the checker test {}: {why}", three[0]));
            continue;
        }
        for (path, ending) in three.iter().zip(["in", "ans", "out"]) {
            if let Some(found) = unused_files.take(root, path) {
                files.copy(format!("data/{part}/{number:02}.{ending}"), &found);
            }
        }
    }
    Ok(())
}
