//! Two-colour token swapping as a cheapest assignment. A place is a cell that must be filled. Each `1` that must leave
//! its cell is assigned to a place of its own. The cheapest assignment has the smallest sum of Manhattan distances.
//! There are at most 8 such `1`s, so the assignment takes O(8^3) operations.
//!
//! **The cost is a lower bound.** Shortest augmenting paths give the assignment and its dual potentials. The potentials
//! give a height for every cell. Heights of neighbours differ by at most one, so an exchange raises the sum of the
//! heights under all `1`s by at most one. From start to goal, this sum rises by exactly the cost of the assignment. So
//! the sixteen heights prove the minimum, no matter which program found them.
//!
//! **As many exchanges as the cost are enough.** A `1` walks to its place without detours. If other `1`s lie on its
//! path, the `1` nearest to the place walks to the place first. Then the next `1` on the path walks to the cell that
//! has become free, and so on. Together, they make as many exchanges as a `1` that walks the whole path alone. Each
//! exchange moves pieces of different colours, and no cell changes except the two ends of the path.
//!
//! A `1` whose cell holds a `1` in the goal, too, has no part in the assignment. Leaving it out does not change the
//! cost, by the triangle inequality (`subsets` has the full argument). Sources: H. W. Kuhn, "The Hungarian method",
//! 1955; R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
//! problems", 1987; heights: L. V. Kantorovich, 1942.

use super::{Board, CELLS, Exchange, Pair, SIDE};

/// The maximum number of `1`s that can be out of place.
const MOST: usize = CELLS / 2;
/// A value that is larger than any sum of distances.
const FAR: i8 = 100;

/// A shortest sequence of exchanges, and the proof that it is shortest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The exchanges, from the start to the goal.
    pub moves: Vec<Exchange>,
    /// A height for each cell; see [`super::check::verify`].
    pub heights: [i8; CELLS],
}

/// Returns the smallest number of exchanges.
pub fn distance(pair: Pair) -> u32 {
    Assignment::cheapest(pair).cost()
}

/// Returns the fewest exchanges from the start to the goal.
pub fn solve(pair: Pair) -> Solution {
    let assignment = Assignment::cheapest(pair);
    let mut moves = Vec::with_capacity(assignment.cost() as usize);
    let mut board = pair.start();
    for (place, &one) in assignment.one_of.iter().enumerate().take(assignment.count) {
        board = walk(board, assignment.ones[one as usize % MOST], assignment.places[place], &mut moves);
    }
    Solution { moves, heights: assignment.heights() }
}

/// The `1`s that must leave their cells, the cells that must be filled, and the assignment between them.
struct Assignment {
    count: usize,
    ones: [u8; MOST],
    places: [u8; MOST],
    /// For each place, the index of the `1` that goes there.
    one_of: [u8; MOST],
    /// Dual potentials: for every `1` and place, the sum of their potentials is at most their distance, and equal to
    /// the distance if the `1` goes there.
    one_potential: [i8; MOST],
    place_potential: [i8; MOST],
}

const UNASSIGNED: u8 = u8::MAX;

impl Assignment {
    fn cheapest(pair: Pair) -> Assignment {
        let (Board(start), Board(goal)) = (pair.start(), pair.goal());
        let mut assignment = Assignment {
            count: (start & !goal).count_ones() as usize,
            ones: cells(start & !goal),
            places: cells(goal & !start),
            one_of: [UNASSIGNED; MOST],
            one_potential: [0; MOST],
            place_potential: [0; MOST],
        };
        for one in 0..assignment.count.min(MOST) {
            assignment.assign(one);
        }
        assignment
    }

    /// Assigns a place to the `1` with index `newcomer`, at the least additional cost. A shortest path, in reduced
    /// costs, leads from the newcomer to a place that is not assigned yet. Each `1` whose place is on this path moves
    /// on to the next place of the path.
    fn assign(&mut self, newcomer: usize) {
        let mut slack = [FAR; MOST];
        let mut before = [UNASSIGNED; MOST];
        let mut closed = [false; MOST];
        let mut one = newcomer;
        let mut last = UNASSIGNED;
        loop {
            let (mut step, mut nearest) = (FAR, 0);
            for place in 0..self.count.min(MOST) {
                if closed[place] {
                    continue;
                }
                let reduced = self.apart(one, place) - self.one_potential[one] - self.place_potential[place];
                if reduced < slack[place] {
                    (slack[place], before[place]) = (reduced, last);
                }
                if slack[place] < step {
                    (step, nearest) = (slack[place], place);
                }
            }
            self.shift_potentials(newcomer, closed, &mut slack, step);
            closed[nearest] = true;
            last = nearest as u8;
            if self.one_of[nearest] == UNASSIGNED {
                break;
            }
            one = self.one_of[nearest] as usize % MOST;
        }
        self.reassign_path(newcomer, last, before);
    }

    /// Shifts the potentials so that the nearest place that is not closed has a reduced cost of 0.
    fn shift_potentials(&mut self, newcomer: usize, closed: [bool; MOST], slack: &mut [i8; MOST], step: i8) {
        self.one_potential[newcomer] += step;
        for place in 0..self.count.min(MOST) {
            if closed[place] {
                self.one_potential[self.one_of[place] as usize % MOST] += step;
                self.place_potential[place] -= step;
            } else {
                slack[place] -= step;
            }
        }
    }

    /// Reassigns the places along the path that ends at place `last`. The `1` of each place on the path moves on to the
    /// next place, and the newcomer gets the first place.
    fn reassign_path(&mut self, newcomer: usize, mut last: u8, before: [u8; MOST]) {
        while last != UNASSIGNED {
            let place = last as usize % MOST;
            last = before[place];
            self.one_of[place] = if last == UNASSIGNED { newcomer as u8 } else { self.one_of[last as usize % MOST] };
        }
    }

    fn apart(&self, one: usize, place: usize) -> i8 {
        apart(self.ones[one], self.places[place])
    }

    /// Returns the sum of the distances, which equals the sum of all potentials.
    fn cost(&self) -> u32 {
        let sum: i32 =
            self.one_potential.iter().chain(&self.place_potential).map(|&potential| i32::from(potential)).sum();
        sum.unsigned_abs()
    }

    /// Returns the height of each cell: the minimum of `distance(cell, one) - potential(one)`, where `one` is any `1`
    /// that must leave its cell. So heights of neighbours differ by at most one. The height of the cell of `one` is at
    /// most `-potential(one)`. The height of a place is at least the potential of the place. So moving all these `1`s
    /// to their places raises the sum of the heights under them by at least the sum of all potentials, which is the
    /// cost.
    fn heights(&self) -> [i8; CELLS] {
        let height = |cell| {
            let over = |one: usize| apart(cell, self.ones[one]) - self.one_potential[one];
            (0..self.count.min(MOST)).map(over).min().unwrap_or(0)
        };
        std::array::from_fn(|cell| height(cell as u8))
    }
}

/// Moves the `1` on `from` to the empty cell `to`, first along the column, then along the row. If other `1`s are on the
/// way, the `1` nearest to `to` moves to `to` first. Then each `1` behind it moves to the cell that has become free.
/// Returns the board afterwards, which differs from `board` only in the cells `from` and `to`.
fn walk(board: Board, from: u8, to: u8, moves: &mut Vec<Exchange>) -> Board {
    let length = apart(from, to) as usize;
    let mut way = [from; 2 * SIDE - 1];
    for step in 1..=length {
        way[step] = towards(way[step - 1], to);
    }
    let mut free = length;
    for spot in (0..length).rev() {
        if board.0 >> way[spot] & 1 == 1 {
            moves.extend(way[spot..=free].windows(2).map(|step| Exchange { from: step[0], to: step[1] }));
            free = spot;
        }
    }
    Board(board.0 ^ (1 << from) ^ (1 << to))
}

/// Returns the cell next to `cell` on the way to `to`.
fn towards(cell: u8, to: u8) -> u8 {
    let side = SIDE as u8;
    match (cell / side).cmp(&(to / side)) {
        std::cmp::Ordering::Less => cell + side,
        std::cmp::Ordering::Greater => cell - side,
        std::cmp::Ordering::Equal if cell < to => cell + 1,
        std::cmp::Ordering::Equal => cell - 1,
    }
}

/// Returns the cells whose bits are set in `mask`, at most 8, followed by zeros.
fn cells(mut mask: u16) -> [u8; MOST] {
    let mut cells = [0; MOST];
    for cell in &mut cells {
        if mask == 0 {
            break;
        }
        *cell = mask.trailing_zeros() as u8;
        mask &= mask - 1;
    }
    cells
}

/// Returns the Manhattan distance of two cells.
fn apart(cell: u8, other: u8) -> i8 {
    let side = SIDE as u8;
    ((cell / side).abs_diff(other / side) + (cell % side).abs_diff(other % side)) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(start: u16, goal: u16) -> Pair {
        Pair::new(Board(start), Board(goal)).unwrap()
    }

    #[test]
    fn ones_in_the_way_pass_the_step_on() {
        // Cells 0, 1 and 2 hold a 1, and cell 3 is free. The 1s on cells 2, 1 and 0 each move one cell to the right.
        let solution = solve(pair(0b0111, 0b1110));
        let steps: Vec<_> = solution.moves.iter().map(|step| (step.from, step.to)).collect();
        assert_eq!(steps, [(2, 3), (1, 2), (0, 1)]);
    }

    #[test]
    fn a_one_on_its_goal_may_step_aside_for_another() {
        let solution = solve(pair(0x8ff0, 0x0ff1));
        assert_eq!((solution.moves.len(), distance(pair(0x8ff0, 0x0ff1))), (6, 6));
    }

    #[test]
    fn a_later_one_may_displace_an_earlier_one() {
        // The 1 on cell 1 is first assigned to cell 2. Then the 1 on cell 3 takes cell 2, and the first 1 gets cell 4.
        // This costs 2 + 1 steps instead of 1 + 4.
        let crossing = pair(0b1010, 0b1_0100);
        assert_eq!(distance(crossing), 3);
        assert_eq!(solve(crossing).moves.len(), 3);
    }

    #[test]
    fn equal_boards_have_flat_heights_and_no_moves() {
        assert_eq!(solve(pair(0x1f2e, 0x1f2e)), Solution { moves: vec![], heights: [0; CELLS] });
    }

    #[test]
    fn heights_of_a_single_one_fall_away_from_its_goal() {
        let solution = solve(pair(0x0001, 0x8000));
        assert_eq!(i32::from(solution.heights[15]) - i32::from(solution.heights[0]), 6);
    }
}
