//! The packages' output validators and the reference checker agree on every output, right or damaged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reference::puzzle::Puzzle;
use reference::registry::ALL;
use tempfile::TempDir;

use crate::support::damage::{Damaged, damaged};
use crate::support::program::{Ending, compile, run, temporary_folder};
use crate::support::proved::{Proved, provable};
use crate::support::{assert_none, complaints, files};

const TIME_LIMIT: Duration = Duration::from_secs(10);

#[test]
fn the_reference_checker_accepts_every_valid_output_and_no_invalid_one() {
    let mut different = Vec::new();
    for puzzle in ALL {
        for (part, wanted) in [("valid_output", true), ("invalid_output", false)] {
            let inputs = files::inputs(puzzle.name(), &[part]);
            different.extend(complaints(&inputs, |input| {
                let verdict = prove(*puzzle, input).check(&read(&input.with_extension("out")));
                (verdict.is_ok() != wanted).then(|| files::shown(input))
            }));
        }
    }
    assert_none(&different);
}

#[test]
fn every_output_validator_accepts_every_valid_output_and_no_invalid_one() {
    needs!("g++");
    for (puzzle, validator) in validators() {
        for (part, wanted) in [("valid_output", true), ("invalid_output", false)] {
            let inputs = files::inputs(puzzle.name(), &[part]);
            assert_none(&complaints(&inputs, |input| {
                let verdict = validator.accepts(input, &input.with_extension("out"));
                (verdict != Ok(wanted)).then(|| format!("{}: {verdict:?}", files::shown(input)))
            }));
        }
    }
}

#[test]
fn every_output_validator_accepts_every_stored_answer() {
    needs!("g++");
    for (puzzle, validator) in validators() {
        assert_none(&complaints(&provable(puzzle), |case| {
            let verdict = validator.accepts(&case.input, &case.stored_answer());
            (verdict != Ok(true)).then(|| format!("{}: {verdict:?}", files::shown(&case.input)))
        }));
    }
}

#[test]
#[ignore = "takes half a minute: thousands of runs"]
fn validator_and_checker_agree_on_every_damaged_answer() {
    needs!("g++");
    for (puzzle, validator) in validators() {
        assert_none(&complaints(&provable(puzzle), |case| {
            let answer = String::from_utf8(read(&case.stored_answer())).expect("answers are text");
            damaged(&answer).iter().find_map(|damaged| disagree(&validator, case, damaged))
        }));
    }
}

#[test]
fn the_reference_checker_refuses_answers_with_a_line_or_token_too_few_or_too_many() {
    for puzzle in ALL {
        assert_none(&complaints(&provable(*puzzle), |case| {
            let answer = String::from_utf8(read(&case.stored_answer())).expect("answers are text");
            let accepted = |damaged: &&Damaged| damaged.surely_wrong && case.check(damaged.output.as_bytes()).is_ok();
            let damaged = damaged(&answer);
            damaged.iter().find(accepted).map(|damaged| described(case, damaged))
        }));
    }
}

/// A compiled output validator.
struct Validator {
    program: PathBuf,
    _folder: TempDir,
}

impl Validator {
    /// Returns whether the validator accepts the output. Fails if it gives no verdict, for example because it considers
    /// the stored answer wrong.
    fn accepts(&self, input: &Path, output: &Path) -> Result<bool, Ending> {
        let feedback = temporary_folder();
        let answer = input.with_extension("ans");
        match run(&self.program, &[input, &answer, feedback.path()], output, TIME_LIMIT).ending {
            Ending::Exit(42) => Ok(true),
            Ending::Exit(43) => Ok(false),
            other => Err(other),
        }
    }
}

/// Returns the output validators of all packages that have one. A package has an output validator if some of its inputs
/// have several right answers.
fn validators() -> Vec<(&'static dyn Puzzle, Validator)> {
    let sources = ALL.iter().filter_map(|puzzle| Some((*puzzle, files::validator(puzzle.name(), "output_validator")?)));
    let compiled: Vec<_> = sources
        .map(|(puzzle, source)| {
            let folder = temporary_folder();
            (puzzle, Validator { program: compile(&source, folder.path()), _folder: folder })
        })
        .collect();
    assert!(!compiled.is_empty(), "no package has an output validator");
    compiled
}

fn disagree(validator: &Validator, case: &Proved, damaged: &Damaged) -> Option<String> {
    let folder = temporary_folder();
    let output = folder.path().join("output");
    std::fs::write(&output, &damaged.output).expect("the output can be written");
    let checked = case.check(damaged.output.as_bytes());
    let validated = validator.accepts(&case.input, &output);
    let wrong = validated != Ok(checked.is_ok()) || (damaged.surely_wrong && checked.is_ok());
    wrong.then(|| format!("{}: validator {validated:?}, checker {checked:?}", described(case, damaged)))
}

fn described(case: &Proved, damaged: &Damaged) -> String {
    format!("{} with {}", files::shown(&case.stored_answer()), damaged.how)
}

fn prove(puzzle: &dyn Puzzle, input: &Path) -> Proved {
    Proved::new(puzzle, input).unwrap_or_else(|reason| panic!("{}: {reason}", files::shown(input)))
}

fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
