//! Proves the answers of a puzzle's package again with the reference solvers.
//!
//! An answer is proved if the [`agreed_answers`] has a value for every board of its input, and the puzzle's checker accepts
//! the answer and finds nothing after it.

use rayon::prelude::*;
use reference::puzzle::Puzzle;
use reference::text::Tokens;

use crate::puzzles::agreed_answers::{self, instances, read, value};
use referee_package::{Package, TestCase};
use referee_verify::{Proof, Prover, WrongAnswer};

/// The puzzles of the registry, for `verify`.
pub struct Puzzles;

impl Prover for Puzzles {
    fn prove(&self, package: &Package) -> Proof {
        let Some(puzzle) = agreed_answers::puzzle_of(package) else {
            return Proof::Unknown("the problem is none of the puzzles that have reference solvers".to_owned());
        };
        let wrong: Vec<_> = package
            .cases
            .par_iter()
            .filter_map(|case| {
                let reason = prove(puzzle, case).err()?;
                let below = case.answer.strip_prefix(&package.root).unwrap_or(&case.answer);
                Some(WrongAnswer { case: case.name.clone(), place: below.display().to_string(), reason })
            })
            .collect();
        let solvers = puzzle.solvers().len();
        let by = format!("the {solvers} reference solvers of {}", puzzle.name());
        Proof::Tried { proved: package.cases.len() - wrong.len(), by, wrong }
    }
}

fn prove(puzzle: &dyn Puzzle, case: &TestCase) -> Result<(), String> {
    let (input, answer) = (read(&case.input)?, read(&case.answer)?);
    let mut tokens = Tokens::new(answer.as_slice());
    for instance in instances(puzzle, &input)? {
        let value = value(puzzle, &*instance)?;
        instance.check(&mut tokens, &value).map_err(|error| error.to_string())?;
    }
    match tokens.next_token().map_err(|error| error.to_string())? {
        Some(token) => Err(format!("{}: {} is left over", token.place, token.quoted())),
        None => Ok(()),
    }
}
