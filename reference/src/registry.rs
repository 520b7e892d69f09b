//! The registry of all puzzles.

use crate::puzzle::Puzzle;

/// Every puzzle, in the order in which reports list them.
pub static ALL: &[&dyn Puzzle] =
    &[&crate::flipgame::Flipgame, &crate::swapgame::SwapGame, &crate::solitaire::Solitaire, &crate::coins::Coins];

/// Returns the puzzle called `name`; `None` if there is none.
pub fn by_name(name: &str) -> Option<&'static dyn Puzzle> {
    ALL.iter().copied().find(|puzzle| puzzle.name() == name)
}
