//! Makes smaller boards for debugging: the same size with fewer black pieces, down to all white.
//!
//! Making pieces white may turn a solvable board into an Impossible one, or the reverse. A failure may occur only on
//! solvable boards, or only on Impossible boards. So the candidates also include boards after a round that leaves fewer
//! black pieces: a round never changes whether a board is solvable. On boards of at most [`MOST_CELLS_FOR_PAIRS`]
//! pieces, pairs of changes are tried as well, because sometimes only two changes together leave fewer black pieces.

use std::collections::HashSet;

use super::board::Board;

/// The maximum number of pieces of a board on which pairs of changes are tried. 16 pieces have 120 pairs. For each
/// pair, the two rounds are tried, and turning only the two pieces.
const MOST_CELLS_FOR_PAIRS: usize = 16;

/// Returns the number of black pieces.
pub(super) fn weight(board: &Board) -> u64 {
    u64::from(board.blacks())
}

/// Returns boards with fewer black pieces, without duplicates: first boards with whole areas made white, then boards
/// after one or two rounds, then boards with one or two pieces turned.
pub(super) fn steps(board: &Board) -> Vec<Board> {
    let mut candidates = whitened(board);
    let rounds = single(board, play);
    let pieces = single(board, Board::turn_piece);
    if board.cells() <= MOST_CELLS_FOR_PAIRS {
        candidates.extend(rounds.iter().flat_map(|once| single(once, play)));
        candidates.extend(rounds);
        candidates.extend(pieces.iter().flat_map(|once| single(once, Board::turn_piece)));
        candidates.extend(pieces);
    } else {
        candidates.extend(rounds);
        candidates.extend(pieces);
    }
    let mut seen = HashSet::new();
    candidates.retain(|smaller| smaller.blacks() < board.blacks() && seen.insert(smaller.clone()));
    candidates
}

/// Returns copies of the board: one with all pieces made white, then copies with one half, one row or one column made
/// white.
fn whitened(board: &Board) -> Vec<Board> {
    let (rows, columns) = (board.size().rows, board.size().columns);
    let mut candidates = Vec::new();
    for pieces in [rows, rows / 2, 1] {
        candidates.extend((0..rows).step_by(pieces.max(1)).map(|row| without(board, row..row + pieces, 0)));
    }
    for pieces in [columns / 2, 1] {
        let span = u64::MAX >> (64 - pieces.max(1));
        candidates.extend((0..columns).step_by(pieces.max(1)).map(|column| without(board, 0..rows, !(span << column))));
    }
    candidates
}

/// Makes the pieces of `rows` white, except in the columns whose bit in `kept` is set.
fn without(board: &Board, rows: std::ops::Range<usize>, kept: u64) -> Board {
    let mut smaller = board.clone();
    rows.filter(|&row| row < board.rows().len()).for_each(|row| smaller.set_row(row, board.rows()[row] & kept));
    smaller
}

/// Returns, for each cell, the board after `change` at this cell.
fn single(board: &Board, change: fn(&mut Board, usize, usize)) -> Vec<Board> {
    let columns = board.size().columns;
    let changed = |cell: usize| {
        let mut changed = board.clone();
        change(&mut changed, cell / columns, cell % columns);
        changed
    };
    (0..board.cells()).map(changed).collect()
}

/// Plays one round.
fn play(board: &mut Board, row: usize, column: usize) {
    let arms = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
    for (down, right) in arms {
        let cell = (row.checked_add_signed(down), column.checked_add_signed(right));
        if let (Some(row), Some(column)) = cell
            && row < board.size().rows
            && column < board.size().columns
        {
            board.turn_piece(row, column);
        }
    }
}
