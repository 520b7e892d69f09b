//! Every stored answer is proved again: all reference solvers find the same value for its input, and the checker
//! accepts the answer.

use std::collections::BTreeSet;

use reference::puzzle::Puzzle;
use reference::registry::ALL;

use crate::support::{assert_none, complaints, files, proved};

#[test]
fn every_puzzle_has_a_package_and_every_package_a_puzzle() {
    let puzzles: BTreeSet<_> = ALL.iter().map(|puzzle| puzzle.name().to_owned()).collect();
    assert_eq!(puzzles.len(), ALL.len(), "two puzzles have one name");
    let entries = files::in_repository("cases").read_dir().unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    let packages: BTreeSet<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert_eq!(puzzles, packages);
    assert_eq!(referee::puzzles::bundled::names(), Vec::from_iter(packages), "the binary holds other packages");
    for puzzle in ALL {
        assert!(files::package(puzzle.name()).join("problem.yaml").is_file(), "{}", puzzle.name());
    }
}

#[test]
fn every_puzzle_has_two_solvers_and_a_kind_and_no_name_twice() {
    for puzzle in ALL {
        let solvers: Vec<_> = puzzle.solvers().iter().map(|solver| solver.name).collect();
        let kinds: Vec<_> = puzzle.kinds().iter().map(|kind| kind.name).collect();
        assert!(solvers.len() >= 2, "{} has the solvers {solvers:?}", puzzle.name());
        assert!(!kinds.is_empty(), "{} has no kinds", puzzle.name());
        for names in [solvers, kinds] {
            let different: BTreeSet<_> = names.iter().collect();
            assert_eq!(different.len(), names.len(), "{}: {names:?}", puzzle.name());
        }
    }
}

#[test]
fn every_package_has_samples_and_secret_cases_each_with_an_answer_of_its_own() {
    for puzzle in ALL {
        for part in ["sample", "secret"] {
            let inputs = files::inputs(puzzle.name(), &[part]);
            assert!(!inputs.is_empty(), "{} has no {part} cases", puzzle.name());
            let without: Vec<_> = inputs.iter().filter(|input| !input.with_extension("ans").is_file()).collect();
            assert!(without.is_empty(), "without an answer: {without:?}");
        }
    }
}

#[test]
fn every_package_has_mistakes_and_illegal_inputs_and_where_answers_vary_example_outputs() {
    let mut missing = Vec::new();
    for puzzle in ALL {
        let mistakes = files::mistakes(puzzle.name());
        if !mistakes.is_file() {
            missing.push(files::shown(&mistakes));
        }
        let with_validator = files::validator(puzzle.name(), "output_validator").is_some();
        let outputs: &[&str] = if with_validator { &["valid_output", "invalid_output"] } else { &[] };
        let parts = ["invalid_input"].iter().chain(outputs);
        let empty = parts.filter(|part| files::inputs(puzzle.name(), &[part]).is_empty());
        missing.extend(empty.map(|part| format!("cases/{}/data/{part}", puzzle.name())));
    }
    assert_none(&missing);
}

#[test]
fn all_solvers_agree_on_the_flip_game_and_every_stored_answer_is_right() {
    prove_answers("flipgame");
}

#[test]
fn all_solvers_agree_on_the_swap_game_and_every_stored_answer_is_right() {
    prove_answers("swapgame");
}

#[test]
fn all_solvers_agree_on_solitaire_and_every_stored_answer_is_right() {
    prove_answers("solitaire");
}

#[test]
#[ignore = "takes ten seconds: slow solvers; .ci/run verifies the stored answers"]
fn all_solvers_agree_on_the_coins_and_every_stored_answer_is_right() {
    prove_answers("coins");
}

/// Checks that each puzzle has a test above. Each puzzle has a test of its own, so that the tests run in parallel and a
/// failure names the puzzle.
#[test]
fn no_puzzle_is_left_out_above() {
    let tested = BTreeSet::from(["flipgame", "swapgame", "solitaire", "coins"]);
    assert_eq!(ALL.iter().map(|puzzle| puzzle.name()).collect::<BTreeSet<_>>(), tested);
}

fn prove_answers(name: &str) {
    let puzzle: &dyn Puzzle = reference::registry::by_name(name).expect("the puzzle is registered");
    let wrong = complaints(proved::cases(puzzle), |case| {
        let case = match case {
            Ok(case) => case,
            Err(reason) => return Some(reason.clone()),
        };
        let answer = std::fs::read(case.stored_answer()).map_err(|error| error.to_string());
        let reason = answer.and_then(|answer| case.check(&answer)).err()?;
        Some(format!("{}: {reason}", files::shown(&case.stored_answer())))
    });
    assert_none(&wrong);
}
