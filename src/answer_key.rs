//! Which puzzle a package is of, and what the right answers on its inputs are.
//!
//! A package is a puzzle's if it has the `uuid` of the bundled package, or its name with inputs that all read as that
//! puzzle's. An answer counts only if at least two solvers serve the instance and all that serve it agree.

use std::io;
use std::path::Path;

use reference::agreement::Tally;
use reference::puzzle::{ALL, Instance, Puzzle, Repetition, Value};
use reference::text::Lines;

use crate::bundled;
use crate::package::{Package, TestCase};

/// Boards are far smaller.
const LARGEST_BYTES: u64 = 16 << 20;

/// The puzzle that a package is of.
pub fn puzzle_of(package: &Package) -> Option<&'static dyn Puzzle> {
    ALL.iter().copied().find(|puzzle| is_of(package, *puzzle))
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

/// The bytes of a file of a package, if there are no more than boards have.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
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
pub fn instances(puzzle: &dyn Puzzle, bytes: &[u8]) -> Result<Vec<Box<dyn Instance>>, String> {
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
pub fn value(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Result<Value, String> {
    let mut tally = Tally::default();
    tally.compare(puzzle, instance);
    if let Some(example) = tally.examples.first() {
        return Err(format!("the reference solvers disagree: {}", example.reason));
    }
    let served = puzzle.solvers().len() as u64 - tally.declined.values().sum::<u64>();
    let value = tally.histogram.into_keys().next().filter(|_| served >= 2);
    value.ok_or_else(|| format!("only {served} reference solvers serve its input, and two must agree"))
}
