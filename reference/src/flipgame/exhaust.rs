//! Compares all solvers on all 65,536 boards of the package's size.

use super::Flipgame;
use super::board::Board;
use crate::disagreement::Tally;

pub(super) const PARTS: u32 = 64;

pub(super) const BOARDS: u32 = 1 << CELLS;

const CELLS: u32 = 16;

pub(super) const ARGUMENT: &str = "A 4 x 4 board is 16 pieces of two colours, so there are 2^16 = 65,536 boards, the \
    numbers 0 to 65,535 in binary. Part p of 64 takes the 1,024 numbers from 1,024 p on, so every board is taken \
    exactly once; none is skipped because of symmetry. Every solver solves each board, every list of rounds is replayed, \
    and every quiet pattern that proves a board Impossible is verified.";

/// Compares all solvers on the boards of `part`.
pub(super) fn run(part: u32, tally: &mut Tally) {
    let each = BOARDS / PARTS;
    // A `part` of [`PARTS`] or more has no boards.
    for packed in (part.saturating_mul(each)..).take_while(|&board| board < BOARDS).take(each as usize) {
        let board = Board::packed(packed as u16);
        tally.compare(&Flipgame, &board);
    }
}

/// Returns board number `index`. Boards with fewer black pieces come first. Boards with equally many black pieces are
/// ordered by the binary numbers that encode them. Returns `None` if there is no such board.
pub(super) fn nth(index: u64) -> Option<Board> {
    let mut rest = u32::try_from(index).ok().filter(|index| *index < BOARDS)?;
    let mut blacks = 0;
    while rest >= choose(CELLS, blacks) {
        rest -= choose(CELLS, blacks);
        blacks += 1;
    }
    // The combinatorial number system. In each step, `left` pieces remain to be placed. The last of these pieces takes
    // the last cell such that the cells before it offer at most `rest` ways to place `left` pieces.
    let mut packed = 0;
    for left in (1..=blacks).rev() {
        let highest = (0..CELLS).rev().find(|&cell| choose(cell, left) <= rest)?;
        packed |= 1 << highest;
        rest -= choose(highest, left);
    }
    Some(Board::packed(packed))
}

/// Returns the number of ways to choose `taken` of `all` things.
fn choose(all: u32, taken: u32) -> u32 {
    (0..taken).fold(1, |ways, step| ways * (all.saturating_sub(step)) / (step + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_its_number_and_fewer_black_pieces_come_first() {
        let boards: Vec<_> = (0..u64::from(BOARDS)).map(|index| nth(index).unwrap()).collect();
        let different: std::collections::BTreeSet<_> = boards.iter().map(|board| board.as_packed().unwrap()).collect();
        assert_eq!(different.len(), 65_536);
        assert!(boards.windows(2).all(|pair| pair[0].blacks() <= pair[1].blacks()));
        assert!(nth(65_536).is_none() && nth(u64::MAX).is_none());
    }
}
