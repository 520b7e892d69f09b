//! The exhaustive comparison of the solvers.

use std::sync::OnceLock;

use super::{Board, Coin, LARGEST_LIMIT_READ, MOST_COINS_READ, Outcome, bidirectional, fewest};
use crate::disagreement::Tally;
use crate::puzzle::{Puzzle, effort_level};

pub(super) const PARTS: u32 = 64;

pub(super) const ARGUMENT: &str = "\
Every row of 2 to 9 coins with both letters is compared (1,004 rows). Let m be the fewest moves that sort a row. The \
answer is Impossible for every limit below m, and m for every limit from m on. So comparing the limits m - 1 and m \
covers all 41 limits. A row that 40 moves do not sort is compared with limit 40; fewer moves do not sort it either. A \
solver may also be wrong at limits where the answer does not change. So rows of up to 6 coins are compared with all 41 \
limits, and rows of 7 and 8 coins also with the limits 0 and 40; for 9 coins that would take minutes. The number m is \
the answer of bidirectional with limit 40. If it were too large, bfs, which uses no invariant, would reach the goal \
with limit m - 1. If it were too small, bfs would not reach the goal with limit m.";

/// Compares the solvers on every row whose number is `part` modulo [`PARTS`].
pub(super) fn part(puzzle: &dyn Puzzle, part: u32, tally: &mut Tally) {
    for coins in rows().skip(part as usize).step_by(PARTS as usize) {
        for limit in limits(&coins) {
            if let Some(board) = Board::new(coins.clone(), limit) {
                tally.compare(puzzle, &board);
            }
        }
    }
}

/// Iterates over every row with both letters that an input may hold, shortest first.
pub(super) fn rows() -> impl Iterator<Item = Vec<Coin>> {
    (2..=MOST_COINS_READ).flat_map(|length| (1..(1_u32 << length) - 1).map(move |bits| row(length, bits)))
}

fn row(length: usize, bits: u32) -> Vec<Coin> {
    (0..length).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect()
}

/// The number of rows of 2 to 9 coins, without the rows that have only one letter.
const ROWS: u64 = ((1 << (MOST_COINS_READ + 1)) - 4) - 2 * (MOST_COINS_READ as u64 - 1);

/// Returns the number of inputs: every row with every limit.
pub(super) fn instance_count() -> u64 {
    ROWS * (u64::from(LARGEST_LIMIT_READ) + 1)
}

/// Returns input number `index`, ordered by the level of the effort. Inputs of one level are in the order of
/// [`by_limit`]. Returns `None` if `index` is too large.
pub(super) fn nth(index: u64) -> Option<Board> {
    static ORDER: OnceLock<Vec<u64>> = OnceLock::new();
    let order = ORDER.get_or_init(|| {
        let mut order: Vec<u64> = (0..instance_count()).collect();
        order.sort_by_cached_key(|index| by_limit(*index).map(|board| effort_level(fewest::effort(&board))));
        order
    });
    by_limit(*order.get(usize::try_from(index).ok()?)?)
}

/// Returns input number `index` in this order: first every row with the largest limit, then every row with each smaller
/// limit, from 0 on. Returns `None` if `index` is too large.
fn by_limit(index: u64) -> Option<Board> {
    let round = u32::try_from(index / ROWS).ok().filter(|round| *round <= LARGEST_LIMIT_READ)?;
    let limit = round.checked_sub(1).unwrap_or(LARGEST_LIMIT_READ);
    let mut rest = index % ROWS;
    for length in 2..=MOST_COINS_READ {
        let rows = (1 << length) - 2;
        if rest < rows {
            return Board::new(row(length, rest as u32 + 1), limit);
        }
        rest -= rows;
    }
    None
}

/// Returns the limits for a row. For each limit, the solvers' answers to the row with this limit are compared with one
/// another. [`ARGUMENT`] says why these limits are enough.
fn limits(coins: &[Coin]) -> Vec<u32> {
    if coins.len() <= 6 {
        return (0..=LARGEST_LIMIT_READ).collect();
    }
    let mut limits = if coins.len() < MOST_COINS_READ { vec![0, LARGEST_LIMIT_READ] } else { Vec::new() };
    let board = Board::new(coins.to_vec(), LARGEST_LIMIT_READ);
    match board.map(|board| bidirectional::solve(&board)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_meets_every_limit_once() {
        let inputs: std::collections::BTreeSet<_> =
            (0..instance_count()).map(|index| nth(index).unwrap()).map(|board| (board.row(), board.limit())).collect();
        assert_eq!(inputs.len(), 1004 * 41);
        assert!(nth(instance_count()).is_none() && nth(u64::MAX).is_none());
        assert_eq!(nth(0).map(|board| (board.row().len(), board.limit())), Some((2, 40)));
    }
}
