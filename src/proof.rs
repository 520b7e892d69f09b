//! Answers of a puzzle's package, proved again by the reference solvers.
//!
//! A package is a puzzle's if it has the `uuid` of the bundled package, or its name with inputs that all read as that
//! puzzle's. An answer is proved if at least two solvers serve every instance of its input, all that serve it agree, and
//! the puzzle's own checker finds the answer right with nothing left over.

use std::io;
use std::path::Path;

use rayon::prelude::*;
use reference::agreement::Tally;
use reference::puzzle::{ALL, Instance, Puzzle, Repetition, Value};
use reference::text::{Lines, Tokens};

use crate::bundled;
use crate::package::{Package, TestCase};
use crate::verify::{Proof, Prover, WrongAnswer};

/// The puzzles of the registry.
pub struct Puzzles;

/// Boards are far smaller.
const LARGEST_BYTES: u64 = 16 << 20;

impl Prover for Puzzles {
    fn prove(&self, package: &Package) -> Proof {
        let Some(puzzle) = ALL.iter().copied().find(|puzzle| is_of(package, *puzzle)) else {
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

fn is_of(package: &Package, puzzle: &dyn Puzzle) -> bool {
    let same_uuid = || {
        let own = package.uuid.as_deref()?;
        Some(bundled::uuid(puzzle.name())? == own)
    };
    // A name alone may be chance.
    let reads = |case: &TestCase| read(&case.input).and_then(|bytes| instances(puzzle, &bytes)).is_ok();
    same_uuid().unwrap_or(false) || (package.name == puzzle.name() && package.cases.iter().all(reads))
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

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let size = path.metadata().map_err(told)?.len();
    if size > LARGEST_BYTES {
        return Err(format!("{} has more than the {LARGEST_BYTES} bytes that are read", path.display()));
    }
    std::fs::read(path).map_err(told)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn told(error: io::Error) -> String {
    error.to_string()
}

/// All instances of an input, of which there are as many as the puzzle's packages want.
fn instances(puzzle: &dyn Puzzle, bytes: &[u8]) -> Result<Vec<Box<dyn Instance>>, String> {
    let mut lines = Lines::new(bytes);
    let mut found = Vec::new();
    while let Some(instance) = puzzle.read(&mut lines, None).map_err(|error| format!("its input: {error}"))? {
        found.push(instance);
    }
    match (puzzle.repetition(), found.len()) {
        (_, 0) => Err("its input holds no board".to_owned()),
        (Repetition::One, 2..) => Err("its input holds more than one board".to_owned()),
        _ => Ok(found),
    }
}

/// The value on which all solvers agree that serve the instance; at least two must.
fn value(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Result<Value, String> {
    let mut tally = Tally::default();
    tally.compare(puzzle, instance);
    if let Some(example) = tally.examples.first() {
        return Err(format!("the reference solvers disagree: {}", example.reason));
    }
    let served = puzzle.solvers().len() as u64 - tally.declined.values().sum::<u64>();
    let value = tally.histogram.into_keys().next().filter(|_| served >= 2);
    value.ok_or_else(|| format!("only {served} reference solvers serve its input, and two must agree"))
}
