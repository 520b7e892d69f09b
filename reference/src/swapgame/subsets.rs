//! Dynamic programming over subsets. For each set of m places that must be filled, this solver computes the cheapest
//! assignment of the first m `1`s that must leave their cells. There are at most 8 such places and `1`s, so at most 256
//! sets and 1,024 additions.
//!
//! A `1` that already lies on a goal may stay there. To see this, let a cheapest assignment send the `1` on cell s to
//! the goal c, and the `1` that lies on c to the goal g. Leaving the `1` on c there and sending the `1` on s to g costs
//! at most as much (triangle inequality). So only the cells in which the boards differ matter.
//!
//! The moves come from descent: each step is an exchange after which the distance is smaller. Source of the dynamic
//! programming: M. Held and R. M. Karp, "A dynamic programming approach to sequencing problems", 1962.

use super::{Board, CELLS, Exchange, Pair, SIDE};

/// The maximum number of `1`s out of place. For each of them, a different cell must be filled. So they occupy at most
/// half of the cells.
const MOST: usize = CELLS / 2;

/// Returns the smallest number of exchanges.
pub fn distance(pair: Pair) -> u32 {
    distance_between(pair.start().0, pair.goal().0)
}

/// Returns the fewest exchanges from the start to the goal. Returns `None` if no exchange reduces the distance, which
/// would be a bug in the computation of the distance.
pub fn solve(pair: Pair) -> Option<Vec<Exchange>> {
    let Board(mut board) = pair.start();
    let Board(goal) = pair.goal();
    let mut moves = Vec::new();
    let mut left = distance_between(board, goal);
    while left > 0 {
        let (step, next) = exchanges(board).find(|&(_, next)| distance_between(next, goal) < left)?;
        moves.push(step);
        board = next;
        left = distance_between(board, goal);
    }
    (board == goal).then_some(moves)
}

/// Returns the smallest number of exchanges between two boards with equally many `1`s.
fn distance_between(start: u16, goal: u16) -> u32 {
    let mut leaving = start & !goal;
    let (places, count) = cells(goal & !start);
    let mut cheapest = [0_u8; 1 << MOST];
    let mut costs = [[0_u8; MOST]; MOST];
    for row in costs.iter_mut().take(count) {
        let from = leaving.trailing_zeros() as usize % CELLS;
        leaving &= leaving.wrapping_sub(1);
        for (cost, &place) in row.iter_mut().zip(&places) {
            *cost = APART[from][usize::from(place)];
        }
    }
    for set in 1..1_usize << count {
        // The first m `1`s fill a set of m places. The loop tries each of these places for the m-th `1`.
        let row = &costs[(set.count_ones() as usize - 1) % MOST];
        let mut best = u8::MAX;
        let mut rest = set;
        while rest != 0 {
            let place = rest.trailing_zeros() as usize % MOST;
            best = best.min(cheapest[set ^ 1 << place] + row[place]);
            rest &= rest - 1;
        }
        cheapest[set] = best;
    }
    u32::from(cheapest[(1 << count) - 1])
}

/// Returns the cells whose bits are set in `mask`, at most 8, and their number.
fn cells(mut mask: u16) -> ([u8; MOST], usize) {
    let mut cells = [0; MOST];
    let count = (mask.count_ones() as usize).min(MOST);
    for cell in cells.iter_mut().take(count) {
        *cell = mask.trailing_zeros() as u8 % CELLS as u8;
        mask &= mask - 1;
    }
    (cells, count)
}

/// Returns all exchanges of a `1` and an adjacent `0`, each with the board after it.
fn exchanges(board: u16) -> impl Iterator<Item = (Exchange, u16)> {
    let pairs = (0..CELLS).flat_map(|from| (0..CELLS).map(move |to| (from, to)));
    pairs.filter(|&(from, to)| APART[from][to] == 1).filter_map(move |(from, to)| {
        let fits = board >> from & 1 == 1 && board >> to & 1 == 0;
        fits.then(|| (Exchange { from: from as u8, to: to as u8 }, board ^ (1 << from) ^ (1 << to)))
    })
}

/// The Manhattan distance of any two cells: the number of steps on an empty board.
const APART: [[u8; CELLS]; CELLS] = {
    let mut apart = [[0; CELLS]; CELLS];
    let mut index = 0;
    while index < CELLS * CELLS {
        let (cell, other) = (index / CELLS, index % CELLS);
        let rows = (cell / SIDE).abs_diff(other / SIDE);
        let columns = (cell % SIDE).abs_diff(other % SIDE);
        apart[cell][other] = (rows + columns) as u8;
        index += 1;
    }
    apart
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_difference_counts() {
        let far = Pair::new(Board(0x8ff0), Board(0x0ff1)).unwrap();
        assert_eq!((distance(far), solve(far).map(|moves| moves.len())), (6, Some(6)));
        let same = Pair::new(Board(0xffff), Board(0xffff)).unwrap();
        assert_eq!((distance(same), solve(same)), (0, Some(vec![])));
    }

    #[test]
    fn the_nearest_place_is_not_always_the_right_one() {
        // The 1s are on cells 1 and 3, and the goals are cells 2 and 4. If the 1 on cell 1 takes its nearest goal, cell
        // 2, the other 1 needs four more steps.
        let pair = Pair::new(Board(0b1010), Board(0b1_0100)).unwrap();
        assert_eq!(distance(pair), 2 + 1);
    }

    #[test]
    fn the_halves_of_the_board_are_sixteen_steps_apart() {
        let halves = Pair::new(Board(0x00ff), Board(0xff00)).unwrap();
        assert_eq!((distance(halves), solve(halves).map(|moves| moves.len())), (16, Some(16)));
    }
}
