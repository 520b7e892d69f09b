//! The packages' answer validators accept every stored answer. They also accept a damaged answer of a sample if and
//! only if it is well-formed.

use std::path::Path;
use std::time::Duration;

use reference::registry::ALL;

use crate::support::damage::damaged;
use crate::support::program::{Ending, compile, run, temporary_folder};
use crate::support::{assert_none, complaints, files};

const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Returns whether a damaged answer is still well-formed. Only a solver can distinguish a well-formed wrong answer from
/// the right answer.
fn keeps_the_format(answer: &str) -> bool {
    let words = |allowed: &[&str]| answer.lines().all(|line| allowed.contains(&line));
    let is_number = answer.strip_suffix('\n').and_then(|line| line.parse().ok()).is_some_and(|rounds: u8| rounds <= 16);
    answer.ends_with('\n') && (words(&["YES", "NO"]) || answer == "Impossible\n" || is_number)
}

#[test]
fn every_answer_validator_accepts_every_stored_answer_and_nothing_of_another_format() {
    needs!("g++");
    let mut found = Vec::new();
    for puzzle in ALL {
        let Some(source) = files::validator(puzzle.name(), "answer_validators") else { continue };
        found.push(puzzle.name());
        let folder = temporary_folder();
        let validator = compile(&source, folder.path());
        let all = files::inputs(puzzle.name(), &["sample", "secret"]);
        assert_none(&complaints(&all, |input| refuses_the_stored(&validator, input)));
        let samples = files::inputs(puzzle.name(), &["sample"]);
        assert_none(&complaints(&samples, |input| misjudges_a_damaged(&validator, input)));
    }
    assert_eq!(found, ["flipgame", "solitaire"], "where the default output validator serves");
}

fn refuses_the_stored(validator: &Path, input: &Path) -> Option<String> {
    let answer = input.with_extension("ans");
    let ending = run(validator, &[input], &answer, TIME_LIMIT).ending;
    (ending != Ending::Exit(42)).then(|| format!("{}: {ending:?}", files::shown(&answer)))
}

fn misjudges_a_damaged(validator: &Path, input: &Path) -> Option<String> {
    let stored = std::fs::read_to_string(input.with_extension("ans")).unwrap();
    let folder = temporary_folder();
    let answer = folder.path().join("answer");
    damaged(&stored).into_iter().find_map(|damage| {
        std::fs::write(&answer, &damage.output).unwrap();
        let legal = keeps_the_format(&damage.output) && damage.output.lines().count() == stored.lines().count();
        let wanted = Ending::Exit(if legal { 42 } else { 43 });
        let ending = run(validator, &[input], &answer, TIME_LIMIT).ending;
        (ending != wanted).then(|| format!("{}, {}: {ending:?}", files::shown(input), damage.how))
    })
}
