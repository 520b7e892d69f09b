//! Textbook breadth-first search: a queue of boards and a map from each board reached to the board before it.
//!
//! At most 12,870 boards can be reached (8 `1`s in 16 cells), each with at most 24 neighbours, so a search costs about
//! 300,000 lookups at worst. This search is the simplest program that answers the question, and all faster solvers are
//! compared with it. Source: the statement (Luogu P1225), and E. F. Moore, "The shortest path through a maze", 1959.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use super::{Board, Exchange, Pair, SIDE};

/// Returns the fewest exchanges from the start to the goal; `None` if the search does not reach the goal.
pub fn solve(pair: Pair) -> Option<Vec<Exchange>> {
    let reached = search(pair.start(), Some(pair.goal()));
    let mut moves = Vec::new();
    let mut board = pair.goal();
    while board != pair.start() {
        let before = reached.get(&board)?.before;
        moves.push(difference(before, board)?);
        board = before;
    }
    moves.reverse();
    Some(moves)
}

/// Returns the distances of all boards that can be reached from `start`.
pub fn distances(start: Board) -> HashMap<Board, u32> {
    search(start, None).into_iter().map(|(board, reached)| (board, reached.distance)).collect()
}

struct Reached {
    before: Board,
    distance: u32,
}

/// Searches from `start` until `stop` is reached; with `None`, searches everything that can be reached.
fn search(start: Board, stop: Option<Board>) -> HashMap<Board, Reached> {
    let mut reached = HashMap::from([(start, Reached { before: start, distance: 0 })]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((board, distance)) = queue.pop_front() {
        if Some(board) == stop {
            break;
        }
        for next in neighbours(board) {
            if let Entry::Vacant(vacant) = reached.entry(next) {
                vacant.insert(Reached { before: board, distance: distance + 1 });
                queue.push_back((next, distance + 1));
            }
        }
    }
    reached
}

/// Returns all boards one exchange away: each cell is exchanged with the one to its right and the one below it, if the
/// colours differ.
fn neighbours(board: Board) -> Vec<Board> {
    let mut boards = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            let cell = SIDE * row + column;
            if column + 1 < SIDE {
                boards.extend(exchanged(board, cell, cell + 1));
            }
            if row + 1 < SIDE {
                boards.extend(exchanged(board, cell, cell + SIDE));
            }
        }
    }
    boards
}

/// Returns the board after exchanging two cells; `None` if they have the same colour.
fn exchanged(board: Board, cell: usize, other: usize) -> Option<Board> {
    let unlike = (board.0 >> cell & 1) != (board.0 >> other & 1);
    unlike.then_some(Board(board.0 ^ (1 << cell) ^ (1 << other)))
}

/// Returns the exchange that leads from `before` to `after`; `None` if there is none.
fn difference(before: Board, after: Board) -> Option<Exchange> {
    let cell = |ones: u16| ones.is_power_of_two().then(|| ones.trailing_zeros() as u8);
    Some(Exchange { from: cell(before.0 & !after.0)?, to: cell(after.0 & !before.0)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_one_neighbour_per_unlike_pair_of_adjacent_cells() {
        assert_eq!(neighbours(Board(0)), []);
        assert_eq!(neighbours(Board(0xffff)), []);
        // The chequered board: all 24 adjacent pairs have different colours.
        assert_eq!(neighbours(Board(0xa5a5)).len(), 24);
        assert_eq!(neighbours(Board(1)), [Board(2), Board(16)]);
    }

    #[test]
    fn every_board_with_as_many_ones_is_reached() {
        for (start, boards) in [(0x0000, 1), (0x0001, 16), (0x0003, 120), (0x00f1, 4368), (0x00ff, 12870)] {
            assert_eq!(distances(Board(start)).len(), boards);
        }
    }

    #[test]
    fn four_ones_in_the_first_row_need_twelve_steps_to_the_last() {
        let pair = Pair::new(Board(0x000f), Board(0xf000)).unwrap();
        assert_eq!(solve(pair).unwrap().len(), 12);
    }
}
