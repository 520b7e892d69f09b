//! The packages' input validators reject invalid inputs and accept valid ones. The reference parser also rejects the
//! invalid inputs, except those in [`PACKAGE_RULES`].

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use reference::registry::ALL;

use crate::support::program::{Ending, compile, run, temporary_folder};
use crate::support::{assert_none, complaints, files, proved};

const TIME_LIMIT: Duration = Duration::from_secs(10);
const VALID: Ending = Ending::Exit(42);
const INVALID: Ending = Ending::Exit(43);

/// Inputs that only the package's validator rejects, each with the reason why the reference parser accepts it.
const PACKAGE_RULES: &[(&str, &str)] = &[
    ("coins/data/invalid_input/14-no-final-line-end", FINAL),
    ("coins/data/invalid_input/16-trailing-blank-line", BLANK),
    ("coins/data/invalid_input/18-empty-first-line", BLANK),
    ("flipgame/data/invalid_input/blank-line-first", BLANK),
    ("flipgame/data/invalid_input/blank-line-last", BLANK),
    ("flipgame/data/invalid_input/no-last-line-feed", FINAL),
    ("solitaire/data/invalid_input/12-blank-line-between-cases", BLANK),
    ("solitaire/data/invalid_input/13-blank-line-at-end", BLANK),
    ("solitaire/data/invalid_input/19-no-line-end", FINAL),
    ("solitaire/data/invalid_input/22-too-many-cases", COUNT),
    ("swapgame/data/invalid_input/20-blank-line-first", BLANK),
    ("swapgame/data/invalid_input/21-blank-line-last", BLANK),
    ("swapgame/data/invalid_input/23-no-final-line-feed", FINAL),
];

const FINAL: &str = "users and editors leave out the final line feed, and the instance is clear without it";
const BLANK: &str = "blank lines around instances are skipped, so that files of instances can be joined";
const COUNT: &str = "the package limits the number of test cases in a file; the puzzle does not";

#[test]
fn every_illegal_input_is_refused_by_the_reference_parser_or_breaks_a_rule_of_the_package() {
    let mut read = BTreeSet::new();
    for puzzle in ALL {
        for input in files::inputs(puzzle.name(), &["invalid_input"]) {
            if proved::read_all(*puzzle, &std::fs::read(&input).unwrap()).is_ok() {
                read.insert(files::shown(&input));
            }
        }
    }
    let listed = PACKAGE_RULES.iter().map(|(file, _)| format!("cases/{file}.in")).collect();
    assert_eq!(read, listed, "left: inputs that the parser accepts, right: inputs that it may accept");
}

#[test]
fn every_input_validator_refuses_every_illegal_input_and_accepts_every_case() {
    needs!("g++");
    for puzzle in ALL {
        let source = files::validator(puzzle.name(), "input_validators").expect("every package has an input validator");
        let folder = temporary_folder();
        let validator = compile(&source, folder.path());
        let illegal = files::inputs(puzzle.name(), &["invalid_input"]);
        assert_none(&complaints(&illegal, |input| ends_otherwise(&validator, input, &INVALID)));
        let legal = files::inputs(puzzle.name(), &["sample", "secret"]);
        assert_none(&complaints(&legal, |input| ends_otherwise(&validator, input, &VALID)));
    }
}

fn ends_otherwise(validator: &Path, input: &Path, wanted: &Ending) -> Option<String> {
    let ending = run(validator, &[], input, TIME_LIMIT).ending;
    (ending != *wanted).then(|| format!("{}: {ending:?} instead of {wanted:?}", files::shown(input)))
}
