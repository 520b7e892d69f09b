//! Computes the distance of every board of a size by one sweep from both goals.
//!
//! A round undoes itself, so distances from the goals are distances to them. Only boards that can be solved (4,096 of
//! 65,536 on 4 x 4) are ever visited. The sweep takes O(solvable boards x cells), once per size. After that, an answer
//! is one lookup in the table. Its presses are found by walking to boards of smaller and smaller distance.

use std::sync::OnceLock;

use super::board::{Board, Solution};
use crate::puzzle::{Declined, Size};

/// The maximum number of pieces of a board that this solver accepts. The table of 20 pieces has a byte for each of the
/// 2^20 boards.
pub const MOST_CELLS: usize = 20;

/// The distance of a board that cannot be solved.
pub const NEVER: u8 = u8::MAX;

/// One table per size, each built when it is first needed.
static TABLES: [[OnceLock<Table>; MOST_CELLS]; MOST_CELLS] =
    [const { [const { OnceLock::new() }; MOST_CELLS] }; MOST_CELLS];

/// Returns the fewest presses that make the board one colour. Fails if the board has more than [`MOST_CELLS`] pieces.
pub fn solve(board: &Board) -> Result<Solution, Declined> {
    let table = of_size(board.size())?;
    let columns = board.size().columns;
    let packed = board.rows().iter().rev().fold(0, |bits, row| bits << columns | *row as usize);
    Ok(table.solve(packed))
}

/// Returns the table of boards of `size`; builds it at the first call. Fails if the size is too large.
pub fn of_size(size: Size) -> Result<&'static Table, Declined> {
    let fits = size.rows.saturating_mul(size.columns) <= MOST_CELLS;
    let slot = TABLES.get(size.rows.wrapping_sub(1)).and_then(|row| row.get(size.columns.wrapping_sub(1)));
    match slot {
        Some(slot) if fits => Ok(slot.get_or_init(|| Table::build(size))),
        _ => Err(Declined(format!(
            "the solver table keeps a byte for every board, so it supports at most {MOST_CELLS} pieces; \
             {size} has more; use the solver rows or gf2"
        ))),
    }
}

/// The distance of every board of one size to the nearer of the two goals.
#[derive(Debug)]
pub struct Table {
    columns: usize,
    rounds: Vec<u8>,
    flips: Vec<u32>,
}

impl Table {
    /// Sweeps outwards from both goals. `size` must have at most [`MOST_CELLS`] cells.
    fn build(size: Size) -> Table {
        let cells = size.rows * size.columns;
        let flips: Vec<u32> = (0..cells).map(|cell| flip(size, cell)).collect();
        let goals = [0, (1_u32 << cells) - 1];
        let mut rounds = vec![NEVER; 1 << cells];
        for goal in goals {
            rounds[goal as usize] = 0;
        }
        let mut edge = goals.to_vec();
        let mut next_edge = Vec::new();
        for distance in 1.. {
            for board in &edge {
                for flip in &flips {
                    let next = board ^ flip;
                    let seen = &mut rounds[next as usize];
                    if *seen == NEVER {
                        *seen = distance;
                        next_edge.push(next);
                    }
                }
            }
            if next_edge.is_empty() {
                break;
            }
            edge.clear();
            std::mem::swap(&mut edge, &mut next_edge);
        }
        Table { columns: size.columns, rounds, flips }
    }

    /// Returns the distances, indexed by board. The cell in row r and column c is bit `r * columns + c` of the index.
    pub fn rounds(&self) -> &[u8] {
        &self.rounds
    }

    fn solve(&self, mut board: usize) -> Solution {
        if self.rounds[board] == NEVER {
            return Solution::Impossible;
        }
        let mut presses = vec![0; self.flips.len() / self.columns];
        while self.rounds[board] > 0 {
            let nearer = |flip: &u32| self.rounds[board ^ *flip as usize] < self.rounds[board];
            let Some(cell) = self.flips.iter().position(nearer) else { break };
            presses[cell / self.columns] |= 1 << (cell % self.columns);
            board ^= self.flips[cell] as usize;
        }
        Solution::Fewest(presses)
    }
}

/// Returns the pieces that one round at `cell` turns: the piece itself, the pieces above and below it, and the pieces
/// to the left and to the right of it.
fn flip(size: Size, cell: usize) -> u32 {
    let row = ((1_u32 << size.columns) - 1) << (cell / size.columns * size.columns);
    let board = (1_u64 << (size.rows * size.columns)) - 1;
    let piece = 1_u32 << cell;
    let beside = (piece << 1 | piece >> 1) & row;
    let above_and_below = (u64::from(piece) << size.columns | u64::from(piece) >> size.columns) & board;
    piece | beside | above_and_below as u32
}

/// Builds the 4 x 4 table without the cache. The benchmark uses it to measure the cost of the first answer.
pub fn build_anew() -> Table {
    Table::build(super::board::PACKAGE_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_more_than_20_pieces_are_declined_and_empty_ones_do_not_panic() {
        for (rows, columns) in [(3, 7), (64, 64), (21, 1), (0, 4), (usize::MAX, 2)] {
            assert!(of_size(Size { rows, columns }).is_err());
        }
        assert!(of_size(Size { rows: 1, columns: 20 }).is_ok());
    }

    #[test]
    fn the_greatest_distance_of_each_small_size_is_the_known_one() {
        // Independent programs measured these distances before this solver existed.
        for (rows, columns, most) in [(2, 2, 2), (3, 3, 6), (3, 4, 7), (3, 5, 7), (4, 4, 6), (3, 6, 13), (4, 5, 15)] {
            let table = of_size(Size { rows, columns }).unwrap();
            let found = table.rounds().iter().filter(|&&rounds| rounds != NEVER).max();
            assert_eq!(found, Some(&most), "{rows}x{columns}");
        }
    }

    #[test]
    fn a_table_is_the_same_for_a_size_and_its_transpose_in_numbers_of_boards() {
        let count = |rows, columns| {
            let mut of_rounds = [0_u32; 256];
            let table = of_size(Size { rows, columns }).unwrap();
            table.rounds().iter().for_each(|&rounds| of_rounds[rounds as usize] += 1);
            of_rounds
        };
        assert_eq!(count(3, 5), count(5, 3));
    }
}
