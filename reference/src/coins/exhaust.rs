//! The exhaustive comparison of the solvers.

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ, bidirectional};
use crate::agreement::Tally;
use crate::puzzle::Puzzle;

pub(super) const PARTS: u32 = 64;

pub(super) const ARGUMENT: &str = "\
Every row of 2 to 9 coins with both letters is compared (1,004 rows). An answer depends on the limit L in one way \
only: it is Impossible below the fewest moves m and the same from m on. So of the 41 limits the two where it \
changes, m - 1 and m, are compared, and the two outermost, 0 and 40, on which a bound that uses the limit has most \
and least to cut; rows of up to 6 coins are compared with all 41 limits. A row that no limit sorts is compared with \
0 and 40: within 40 moves nothing sorts it, so nothing does within fewer. m is what bidirectional says with limit \
40; were it wrong, the comparison with 40 would show it, for there bfs, which uses no invariant, has its say.";

/// Compares every row whose number is `part` modulo [`PARTS`].
pub(super) fn part(puzzle: &dyn Puzzle, part: u32, tally: &mut Tally) {
    for coins in rows().skip(part as usize).step_by(PARTS as usize) {
        for limit in limits(&coins) {
            if let Some(board) = Board::new(coins.clone(), limit) {
                tally.compare(puzzle, &board);
            }
        }
    }
}

/// Every row of both letters that an input may hold, shortest first.
pub(super) fn rows() -> impl Iterator<Item = Vec<Coin>> {
    (2..=MOST_COINS_READ).flat_map(|length| (1..(1_u32 << length) - 1).map(move |bits| row(length, bits)))
}

fn row(length: usize, bits: u32) -> Vec<Coin> {
    (0..length).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect()
}

fn limits(coins: &[Coin]) -> Vec<u32> {
    if coins.len() <= 6 {
        return (0..=LARGEST_LIMIT_READ).collect();
    }
    let mut limits = vec![0, LARGEST_LIMIT_READ];
    let widest = Board::new(coins.to_vec(), LARGEST_LIMIT_READ);
    if let Some(Ok(super::Outcome::Reached(rows))) = widest.map(|board| bidirectional::solve(&board)) {
        let fewest = rows.len() as u32 - 1;
        limits.extend([fewest.saturating_sub(1), fewest]);
    }
    limits.sort_unstable();
    limits.dedup();
    limits
}
