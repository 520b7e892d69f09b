//! Textbook breadth-first search with a queue of rows and a set of the rows seen. It ends when it takes a goal from the
//! queue.
//!
//! It uses **no invariant**, so its result on an impossible start is independent of the other solvers. It stores rows
//! cell by cell, as in the problem statement; rows that differ only by a shift count as one. The table is endless, and
//! `ABAB` can walk along it forever. So the search drops a row if the remaining moves cannot close its gaps: if the
//! number of free cells inside the row is more than twice the number of remaining moves. The reason is that a move
//! narrows a row by at most two cells. It can take only one pair away from an end of the row, and the coin that touched
//! this pair stays in its cell.
//!
//! Time and memory: at most about three million rows for nine coins and limit 40, each with 48 bytes and an entry in
//! the set.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Board, Coin, Outcome};
use crate::puzzle::Declined;

/// Two bits per cell, the leftmost cell in the lowest bits: 0 free, 1 A, 2 B. The leftmost cell is never free.
type Cells = u128;

/// The maximum width of a row, in cells. With one more free cell on the right and two on the left, such a row still
/// fits into [`Cells`].
const WIDEST: u32 = 60;

struct Reached {
    row: Cells,
    before: u32,
    moves: u32,
}

/// Returns a shortest sequence of moves within the limit, or `Impossible` if there is none. Fails if the row is too
/// long or the limit too large.
pub fn solve(board: &Board) -> Result<Outcome, Declined> {
    let coins = board.coins().len() as u32;
    if coins > 10 || coins + board.limit() > WIDEST {
        return Err(Declined("bfs supports up to ten coins, and at most 60 for the sum of coins and limit".to_owned()));
    }
    let start = board.coins().iter().rev().fold(0, |row: Cells, &coin| row << 2 | if coin == Coin::A { 1 } else { 2 });
    let mut queue = vec![Reached { row: start, before: 0, moves: 0 }];
    let mut seen: HashSet<Cells, BuildHasherDefault<RowHasher>> = HashSet::default();
    seen.insert(start);
    let mut head = 0;
    while head < queue.len() {
        let Reached { row, moves, .. } = queue[head];
        if is_goal(row, coins) {
            return Ok(Outcome::Reached(rows(&queue, head)));
        }
        if moves < board.limit() {
            let left = board.limit() - moves - 1;
            for next in moved(row) {
                if width(next) <= coins + 2 * left && seen.insert(next) {
                    queue.push(Reached { row: next, before: head as u32, moves: moves + 1 });
                }
            }
        }
        head += 1;
    }
    Ok(Outcome::Impossible(None))
}

fn cell(row: Cells, at: u32) -> u32 {
    (row >> (2 * at) & 3) as u32
}

fn width(row: Cells) -> u32 {
    (u128::BITS - row.leading_zeros()).div_ceil(2)
}

fn is_goal(row: Cells, coins: u32) -> bool {
    let changes = (1..coins).filter(|&at| cell(row, at) != cell(row, at - 1)).count();
    width(row) == coins && changes == 1
}

/// Returns all rows that are one move away.
fn moved(row: Cells) -> Vec<Cells> {
    // Two free cells on the left, where a pair can land.
    let row = row << 4;
    let mut rows = Vec::new();
    for at in 2..width(row) - 1 {
        let (first, second) = (cell(row, at), cell(row, at + 1));
        if first == 0 || second == 0 || first == second {
            continue;
        }
        if cell(row, at + 2) != 0 {
            let landing = (at + 2..=width(row)).find(|&to| cell(row, to) == 0).unwrap_or(at);
            rows.push(carried(row, at, landing));
        }
        if cell(row, at - 1) != 0 {
            let landing = (0..at).rev().find(|&to| cell(row, to) == 0).unwrap_or(at + 1) - 1;
            rows.push(carried(row, at, landing));
        }
    }
    rows
}

/// Returns the row after the pair at `from` was moved to `to`.
fn carried(row: Cells, from: u32, to: u32) -> Cells {
    let pair = row >> (2 * from) & 15;
    let row = row & !(15 << (2 * from)) | pair << (2 * to);
    row >> (row.trailing_zeros() / 2 * 2)
}

fn rows(queue: &[Reached], last: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut at = last;
    loop {
        rows.push(print(queue[at].row));
        if at == 0 {
            break;
        }
        at = queue[at].before as usize;
    }
    rows.reverse();
    rows
}

fn print(row: Cells) -> String {
    (0..width(row)).map(|at| ['.', 'A', 'B', '?'][cell(row, at) as usize]).collect()
}

/// A fast hash of rows: it folds the two halves of a row together and multiplies. The standard hash would take most of
/// the search's time.
#[derive(Default)]
struct RowHasher(u64);

impl Hasher for RowHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(byte.into());
        }
    }

    fn write_u128(&mut self, row: u128) {
        let folded = (self.0 ^ row as u64).wrapping_mul(0xA24B_AED4_963E_E407) ^ (row >> 64) as u64;
        let product = u128::from(folded) * 0x9FB2_1C65_1E98_DF25;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}
