//! All 65,536 boards of the package's size, by all solvers.

use super::Flipgame;
use super::board::Board;
use crate::agreement::Tally;

pub(super) const PARTS: u32 = 64;

const BOARDS: u32 = 1 << 16;

pub(super) const ARGUMENT: &str = "A 4 x 4 board is 16 pieces of two colours, so there are 2^16 = 65,536 boards, the \
    numbers 0 to 65,535 in binary. Part p of 64 takes the 1,024 numbers from 1,024 p on, so every board is taken \
    exactly once; none is left out for symmetry. Each is given to every solver, every list of rounds is replayed, \
    and every quiet pattern that proves a board Impossible is verified.";

/// Compares all solvers on the boards of `part`.
pub(super) fn run(part: u32, tally: &mut Tally) {
    let each = BOARDS / PARTS;
    // Parts that do not exist hold no boards.
    for packed in (part.saturating_mul(each)..).take_while(|&board| board < BOARDS).take(each as usize) {
        let board = Board::packed(packed as u16);
        tally.compare(&Flipgame, &board);
    }
}
