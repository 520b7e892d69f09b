//! Proves the answers of a puzzle's package again with the reference solvers.
//!
//! An answer file is proved if it meets three conditions. The solvers agree on the value of every board of the input
//! ([`agreed_answers`]). The puzzle's checker accepts every answer in the file. Nothing follows the last answer.

use rayon::prelude::*;
use reference::puzzle::Puzzle;
use reference::text::Tokens;

use crate::puzzles::agreed_answers::{self, agreed_value, instances, read};
use referee_package::{Package, TestCase};
use referee_verify::{Proof, Prover, WrongAnswer};

/// Proves answers of all puzzles in the registry, for `verify`.
pub struct ReferenceProver;

impl Prover for ReferenceProver {
    fn prove(&self, package: &Package) -> Proof {
        let Some(puzzle) = agreed_answers::puzzle_of(package) else {
            return Proof::Unknown("there are no reference solvers for this problem".to_owned());
        };
        let wrong: Vec<_> = package
            .cases
            .par_iter()
            .filter_map(|case| {
                let reason = prove(puzzle, case).err()?;
                let answer = case.answer();
                let place = answer.strip_prefix(&package.root).unwrap_or(&answer);
                Some(WrongAnswer { case: case.name.to_string(), place: place.display().to_string(), reason })
            })
            .collect();
        let solvers = puzzle.solvers().len();
        let by = format!("the {solvers} reference solvers of {}", puzzle.name());
        Proof::Tried { proved: package.cases.len() - wrong.len(), by, wrong }
    }
}

fn prove(puzzle: &dyn Puzzle, case: &TestCase) -> Result<(), String> {
    let (input, answer) = (read(&case.input())?, read(&case.answer())?);
    let mut tokens = Tokens::new(answer.as_slice());
    for instance in instances(puzzle, &input)? {
        let value = agreed_value(puzzle, &*instance)?;
        instance.check(&mut tokens, &value).map_err(|error| error.to_string())?;
    }
    match tokens.next_token().map_err(|error| error.to_string())? {
        Some(token) => Err(format!("{}: found {}, expected the end of the file", token.place, token.quoted())),
        None => Ok(()),
    }
}
