//! The puzzles that a hunt can draw boards of, as the command gives them.
//!
//! A hunt knows puzzles only by the traits of [`mod@reference`]. Which package is of which puzzle, and whether the
//! solvers agree, the caller says.

use std::path::Path;

use reference::puzzle::{Instance, Puzzle};

use referee_package::Package;

/// Knows the puzzles and the right answers to their boards.
pub trait AnswerKey: Sync {
    /// Returns the puzzle that `package` is of; `None` if it is of none.
    fn puzzle_of(&self, package: &Package) -> Option<&'static dyn Puzzle>;

    /// Reads the boards of an input file. Fails if the file cannot be read or does not hold boards of `puzzle`.
    fn boards(&self, puzzle: &dyn Puzzle, path: &Path) -> Result<Vec<Box<dyn Instance>>, String>;

    /// Fails with the reason if fewer than two solvers serve the board, or those that do disagree.
    fn check_agreement(&self, puzzle: &dyn Puzzle, board: &dyn Instance) -> Result<(), String>;
}
