//! The interface through which a hunt gets its puzzles. The command-line program implements it.
//!
//! A hunt knows puzzles only through the traits of [`mod@reference`]. The caller decides which puzzle a package belongs
//! to, and checks whether the reference solvers agree.

use std::path::Path;

use reference::puzzle::{Instance, Puzzle};

use referee_package::Package;

/// Finds the puzzle of a package, reads its boards, and checks whether the reference solvers agree.
pub trait AnswerKey: Sync {
    /// Returns the puzzle to which `package` belongs; `None` if it belongs to none.
    fn puzzle_of(&self, package: &Package) -> Option<&'static dyn Puzzle>;

    /// Reads the boards of an input file. Fails if the file cannot be read or does not contain boards of `puzzle`.
    fn boards(&self, puzzle: &dyn Puzzle, path: &Path) -> Result<Vec<Box<dyn Instance>>, String>;

    /// Fails if fewer than two solvers support the board, or if those solvers disagree. The error is the reason.
    fn check_agreement(&self, puzzle: &dyn Puzzle, board: &dyn Instance) -> Result<(), String>;
}
