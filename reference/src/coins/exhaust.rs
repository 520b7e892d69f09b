//! The exhaustive comparison of the solvers.

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ, Outcome, bidirectional};
use crate::agreement::Tally;
use crate::puzzle::Puzzle;

pub(super) const PARTS: u32 = 64;

pub(super) const ARGUMENT: &str = "\
Every row of 2 to 9 coins with both letters is compared (1,004 rows). An answer depends on the limit L in one way \
only: it is Impossible below the fewest moves m and the same from m on. So the limits m - 1 and m, where it changes, \
settle all 41; a row that 40 moves do not sort is compared with 40, and nothing sorts it with fewer. Since a solver \
may go wrong where the answer does not change, rows of up to 6 coins are compared with all 41 limits, and rows of 7 \
and 8 also with 0 and 40; for 9 coins that would take minutes. m is what bidirectional says with limit 40: were it \
too large, bfs, which uses no invariant, would reach the goal with m - 1, and were it too small, bfs would not reach \
it with m.";

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
    let mut limits = if coins.len() < MOST_COINS_READ { vec![0, LARGEST_LIMIT_READ] } else { Vec::new() };
    let widest = Board::new(coins.to_vec(), LARGEST_LIMIT_READ);
    match widest.map(|board| bidirectional::solve(&board)) {
        Some(Ok(Outcome::Reached(rows))) => {
            let fewest = rows.len() as u32 - 1;
            limits.extend([fewest.saturating_sub(1), fewest]);
        }
        _ => limits.push(LARGEST_LIMIT_READ),
    }
    limits.sort_unstable();
    limits.dedup();
    limits
}
