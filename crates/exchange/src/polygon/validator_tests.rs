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
                _ => notes
                    .lose(format!("the validator test {input}: its verdict is not INVALID, or its file is missing")),
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
        if part.is_empty() || !there || polygon.interactor.is_some() {
            notes.lose(format!(
                "the checker's test {}: its verdict is not known, a file is missing, or the problem is interactive",
                three[0]
            ));
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
