//! Finds the puzzle of a package, and the correct answers to its inputs.
//!
//! A package belongs to a puzzle if it has the `uuid` of the puzzle's bundled package. It also belongs to the puzzle if
//! it has the puzzle's name and all its inputs are legal for the puzzle. An answer is correct only if at least two
//! solvers support the board and all of these solvers agree on the answer.

use std::io;
use std::path::Path;

use reference::disagreement::Tally;
use reference::puzzle::{Instance, Puzzle, Repetition, Value};
use reference::registry::ALL;
use reference::text::Lines;

use crate::puzzles::bundled;
use referee_files::regular;
use referee_hunt as hunt;
use referee_package::{Package, TestCase};

/// The largest size allowed for a file, in MiB. Inputs and answers of puzzles are far smaller.
const LARGEST_MIB: u64 = 16;

/// The answer key of all puzzles in the registry, for hunts.
pub struct ReferenceAnswers;

impl hunt::AnswerKey for ReferenceAnswers {
    fn puzzle_of(&self, package: &Package) -> Option<&'static dyn Puzzle> {
        puzzle_of(package)
    }

    fn boards(&self, puzzle: &dyn Puzzle, path: &Path) -> Result<Vec<Box<dyn Instance>>, String> {
        instances(puzzle, &read(path)?)
    }

    fn check_agreement(&self, puzzle: &dyn Puzzle, board: &dyn Instance) -> Result<(), String> {
        agreed_value(puzzle, board).map(drop)
    }
}

/// Returns the puzzle to which the package belongs; `None` if it belongs to none.
pub fn puzzle_of(package: &Package) -> Option<&'static dyn Puzzle> {
    ALL.iter().copied().find(|puzzle| belongs_to(package, *puzzle))
}

fn belongs_to(package: &Package, puzzle: &dyn Puzzle) -> bool {
    let has_same_uuid = || {
        let own = package.uuid.as_deref()?;
        Some(bundled::uuid(puzzle.name())? == own)
    };
    // A package with the puzzle's name can be about another problem, so its inputs must be legal, too.
    let is_input = |case: &TestCase| read(&case.input()).and_then(|bytes| instances(puzzle, &bytes)).is_ok();
    has_same_uuid().unwrap_or(false) || (package.name == puzzle.name() && package.cases.iter().all(is_input))
}

/// Reads a file of a package. Fails if it cannot be read or is larger than 16 MiB.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let message = |error: io::Error| format!("{} cannot be read: {error}", path.display());
    let size = path.metadata().map_err(message)?.len();
    if size > LARGEST_MIB << 20 {
        return Err(format!("{} has {size} bytes, allowed: at most {LARGEST_MIB} MiB", path.display()));
    }
    regular::read(path, LARGEST_MIB << 20).map_err(message)
}

/// Parses all boards of an input. Fails if a board is not legal, or if the puzzle does not allow this number of boards.
pub fn instances(puzzle: &dyn Puzzle, bytes: &[u8]) -> Result<Vec<Box<dyn Instance>>, String> {
    let mut lines = Lines::new(bytes);
    let mut found = Vec::new();
    while let Some(instance) = puzzle.read(&mut lines, None).map_err(|error| format!("the input: {error}"))? {
        found.push(instance);
    }
    match (puzzle.repetition(), found.len()) {
        (_, 0) => Err("the input contains no board".to_owned()),
        (Repetition::One, count @ 2..) => Err(format!("the input contains {count} boards, expected: 1")),
        _ => Ok(found),
    }
}

/// Solves the board with all solvers that support it, and returns the value on which they agree. Fails if they
/// disagree, or if fewer than two solvers support the board.
pub fn agreed_value(puzzle: &dyn Puzzle, instance: &dyn Instance) -> Result<Value, String> {
    let mut tally = Tally::default();
    tally.compare(puzzle, instance);
    if let Some(example) = tally.examples.first() {
        return Err(format!("the reference solvers disagree: {}", example.reason));
    }
    let supporting = puzzle.solvers().len() as u64 - tally.declined.values().sum::<u64>();
    let value = tally.histogram.into_keys().next().filter(|_| supporting >= 2);
    value.ok_or_else(|| format!("reference solvers that support the board: {supporting}, needed: at least 2"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use reference::puzzle::Size;

    use super::*;

    const BOARD: &str = "wwbb\nwbww\nwwbb\nwwww\n";
    const OTHER_UUID: &str = "00000000-0000-4000-8000-00000000a00b";

    fn flipgame() -> &'static dyn Puzzle {
        *ALL.iter().find(|puzzle| puzzle.name() == "flipgame").unwrap()
    }

    /// Creates a package with this name, this `uuid` and these inputs. Returns the name of the puzzle to which the
    /// package belongs; `None` if it belongs to none.
    fn puzzle_named(name: &str, uuid: &str, inputs: [&str; 2]) -> Option<&'static str> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(name);
        let write = |name: &str, text: &str| {
            let path: PathBuf = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("problem.yaml", &format!("problem_format_version: 2025-09\nname: A\nuuid: {uuid}\n"));
        for (index, input) in inputs.iter().enumerate() {
            write(&format!("data/secret/{index}.in"), input);
            write(&format!("data/secret/{index}.ans"), "2\n");
        }
        write("input_validators/any.py", "");
        write("submissions/accepted/any.py", "");
        puzzle_of(&referee_package::load(&root).unwrap()).map(Puzzle::name)
    }

    #[test]
    fn a_package_is_of_a_puzzle_by_its_uuid_alone_or_by_its_name_and_all_its_inputs() {
        let own = bundled::uuid("flipgame").unwrap();
        assert_eq!(puzzle_named("renamed", own, ["1\n", "2\n"]), Some("flipgame"));
        assert_eq!(puzzle_named("flipgame", OTHER_UUID, [BOARD, BOARD]), Some("flipgame"));
        assert_eq!(puzzle_named("flipgame", OTHER_UUID, [BOARD, "2\n"]), None);
        assert_eq!(puzzle_named("renamed", OTHER_UUID, [BOARD, BOARD]), None);
    }

    #[test]
    fn an_input_holds_as_many_boards_as_the_puzzles_packages_want() {
        let count = |text: &str| instances(flipgame(), text.as_bytes()).map(|found| found.len());
        assert_eq!(count(BOARD), Ok(1));
        assert_eq!(count(&BOARD.repeat(2)), Err("the input contains 2 boards, expected: 1".to_owned()));
        assert_eq!(count(""), Err("the input contains no board".to_owned()));
    }

    #[test]
    fn what_a_single_solver_says_is_no_right_answer() {
        let board = |text: &str, size| flipgame().read(&mut Lines::new(text.as_bytes()), size).unwrap().unwrap();
        assert_eq!(agreed_value(flipgame(), &*board(BOARD, None)), Ok(Value::Minimum(2)));
        // Only one solver supports a board of this size.
        let side = 25;
        let white = format!("{}\n", "w".repeat(side)).repeat(side);
        let error = agreed_value(flipgame(), &*board(&white, Some(Size { rows: side, columns: side }))).unwrap_err();
        assert_eq!(error, "reference solvers that support the board: 1, needed: at least 2");
    }
}
