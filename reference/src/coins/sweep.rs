//! Computes the fewest moves of every row of one length at once, by one breadth-first sweep from the sorted rows
//! backwards.
//!
//! Moves are reversible, so the rows at distance d from the goals are those that d moves sort. The sweep is not one of
//! the solvers that are compared, because it shares its moves with `bidirectional`. Its results are stored in the table
//! `fewest`, from which the generator draws rows with a given answer.

use super::packed::{self, Packed};
use super::rows::Rows;
use super::{Board, Coin};

/// Returns the rows of `coins` coins that `limit` moves can sort, with their fewest moves. Returns no rows if `coins`
/// is out of range, or if rows may not fit into a word. Each row is a number whose bit r is set if coin r is a B. The
/// result is sorted, so its order is fixed.
pub fn fewest_moves(coins: usize, limit: u32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    if !(2..=super::MOST_COINS).contains(&coins) || !packed::fits(coins, limit) {
        return found;
    }
    for b in 1..coins as u32 {
        sweep(coins as u32, b, limit, &mut found);
    }
    found.sort_unstable();
    found
}

/// Sweeps the rows with `b` coins B.
fn sweep(coins: u32, b: u32, limit: u32, found: &mut Vec<(u32, u32)>) {
    let goal = Packed::goal(coins - b, b).folded();
    let mut wanted = reachable(coins, b);
    let mut seen = Rows::new();
    seen.enter(goal, 0);
    let mut level = vec![goal];
    for moves in 0..=limit {
        for row in level.iter().filter(|row| row.holes() == 0) {
            for row in [*row, mirrored(*row, coins)] {
                found.push((row.colours() as u32, moves));
                wanted = wanted.saturating_sub(1);
                if mirrored(row, coins) == row {
                    break;
                }
            }
        }
        if wanted == 0 || moves == limit {
            return;
        }
        let mut next = Vec::new();
        for row in &level {
            row.each_move(|moved| {
                let folded = moved.folded();
                if moved.holes() < limit - moves && seen.enter(folded, 0).is_none() {
                    next.push(folded);
                }
            });
        }
        level = next;
    }
}

fn mirrored(row: Packed, coins: u32) -> Packed {
    Packed::touching(row.colours().reverse_bits() >> (u64::BITS - coins), coins)
}

/// Returns the number of rows with `b` coins B for which the sums of positions do not exclude both goals. The sweep may
/// end when it has found that many rows.
fn reachable(coins: u32, b: u32) -> usize {
    let rows = (0..1_u32 << coins).filter(|row| row.count_ones() == b);
    rows.filter(|&bits| {
        let row = (0..coins).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect();
        Board::new(row, 0).is_some_and(|board| super::bidirectional::prove_impossible(board.coins()).is_none())
    })
    .count()
}
