//! Textbook breadth-first search from the board, with a queue and a set of the boards seen. It tries every piece in
//! every board. It takes O(2^cells x cells) time and O(2^cells) memory, so it accepts boards of at most [`MOST_CELLS`]
//! pieces. Statement: POJ 1753.

use std::collections::VecDeque;

use super::board::{Board, Presses, Solution};
use crate::puzzle::Declined;

/// The maximum number of pieces of a board that this solver accepts.
pub const MOST_CELLS: usize = 20;

/// In `led_here`, marks a board that was not seen yet. [`START`] marks the start. Any other value is the cell whose
/// press led to the board.
const UNSEEN: u8 = u8::MAX;
const START: u8 = u8::MAX - 1;

/// Returns the fewest presses that make the board one colour. Fails if the board has more than [`MOST_CELLS`] pieces.
pub fn solve(board: &Board) -> Result<Solution, Declined> {
    let cells = board.cells();
    if cells > MOST_CELLS {
        return Err(Declined(format!(
            "bfs marks every board in memory, which limits it to {MOST_CELLS} pieces; {} has {cells}; \
             use the solver rows or gf2",
            board.size()
        )));
    }
    let columns = board.size().columns;
    let start = board.rows().iter().rev().fold(0, |bits, row| bits << columns | *row as u32);
    let flips = flips(board.size().rows, columns);
    let (white, black) = (0, (1_u32 << cells) - 1);

    let mut led_here = vec![UNSEEN; 1 << cells];
    let mut queue = VecDeque::from([start]);
    led_here[start as usize] = START;
    while let Some(now) = queue.pop_front() {
        if now == white || now == black {
            return Ok(Solution::Fewest(walk_back(now, &led_here, &flips, board)));
        }
        for (cell, flip) in flips.iter().enumerate() {
            let next = now ^ flip;
            if led_here[next as usize] == UNSEEN {
                led_here[next as usize] = cell as u8;
                queue.push_back(next);
            }
        }
    }
    Ok(Solution::Impossible)
}

/// Returns, for every cell, the pieces that a round at this cell turns.
fn flips(rows: usize, columns: usize) -> Vec<u32> {
    let mut flips = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let mut flip = 0;
            let (above, left) = (row.wrapping_sub(1), column.wrapping_sub(1));
            for (r, c) in [(row, column), (above, column), (row + 1, column), (row, left), (row, column + 1)] {
                if r < rows && c < columns {
                    flip |= 1 << (r * columns + c);
                }
            }
            flips.push(flip);
        }
    }
    flips
}

/// Returns the presses on the way from the start to `goal`.
fn walk_back(goal: u32, led_here: &[u8], flips: &[u32], board: &Board) -> Presses {
    let columns = board.size().columns;
    let mut presses = vec![0; board.size().rows];
    let mut now = goal;
    while led_here[now as usize] != START {
        let cell = led_here[now as usize] as usize;
        presses[cell / columns] ^= 1 << (cell % columns);
        now ^= flips[cell];
    }
    presses
}
