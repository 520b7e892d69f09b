//! Breadth-first search from both ends. A board is a 16-bit number, and the visited boards of an end are a bitset of 8
//! KiB. Two shifts and two exclusive ors find all adjacent cells of different colours.
//!
//! Each step searches a whole level, on the side whose last level is smaller. While no board is within reach of both
//! ends, the distance is larger than the sum of the two depths. So the first board found from both ends lies on a
//! shortest path. The search from the goal uses the same exchanges, because each exchange is its own inverse. Two
//! searches to half the distance visit far fewer boards than a search to the whole distance: about 2 * b^(n/2) against
//! b^n. Source: I. Pohl, "Bi-directional search", Machine Intelligence 6, 1971.

use super::{Exchange, Pair};

/// Returns the fewest exchanges from the start to the goal; `None` if the searches never meet.
pub fn solve(pair: Pair) -> Option<Vec<Exchange>> {
    let mut front = End::new(pair.start().0);
    let mut back = End::new(pair.goal().0);
    let meeting = meet(&mut front, &mut back)?;
    let mut boards = front.path_from_root(meeting)?;
    boards.extend(back.path_from_root(meeting)?.into_iter().rev().skip(1));
    Some(boards.windows(2).map(|step| exchange(step[0], step[1])).collect())
}

/// Extends both ends until they meet. Returns the board where they meet; `None` if they never do.
fn meet(front: &mut End, back: &mut End) -> Option<u16> {
    if back.visited.contains(front.boards[0]) {
        return Some(front.boards[0]);
    }
    loop {
        let meeting = if front.level_len() <= back.level_len() { front.grow(back) } else { back.grow(front) };
        if meeting.is_some() {
            return meeting;
        }
        if front.level_len() == 0 || back.level_len() == 0 {
            return None;
        }
    }
}

/// One end of the search: the boards within some radius of a root, level by level.
struct End {
    /// The boards in the order in which they were reached.
    boards: Vec<u16>,
    /// For each board, the index of the board from which it was reached; for the root, its own index.
    parents: Vec<u16>,
    /// The index of the first board of the last level.
    level: usize,
    visited: BoardSet,
}

impl End {
    fn new(root: u16) -> End {
        let mut visited = BoardSet::empty();
        visited.insert(root);
        End { boards: vec![root], parents: vec![0], level: 0, visited }
    }

    fn level_len(&self) -> usize {
        self.boards.len() - self.level
    }

    /// Adds the next level. Stops at the first board that the `other` end has visited, and returns it.
    fn grow(&mut self, other: &End) -> Option<u16> {
        let level = self.level..self.boards.len();
        self.level = level.end;
        for parent in level {
            let board = self.boards[parent];
            for step in steps(board) {
                let next = board ^ step;
                if self.visited.insert(next) {
                    self.boards.push(next);
                    self.parents.push(parent as u16);
                    if other.visited.contains(next) {
                        return Some(next);
                    }
                }
            }
        }
        None
    }

    /// Returns the boards from the root to `board`, both included; `None` if `board` was not reached.
    fn path_from_root(&self, board: u16) -> Option<Vec<u16>> {
        let mut index = self.boards.iter().rposition(|&reached| reached == board)?;
        let mut path = vec![board];
        while index != 0 {
            index = usize::from(self.parents[index]);
            path.push(self.boards[index]);
        }
        path.reverse();
        Some(path)
    }
}

/// Iterates over the exchanges allowed on `board`, each as the two bits that it flips.
fn steps(board: u16) -> impl Iterator<Item = u16> {
    // Column 3 has no right neighbour, and row 3 none below.
    let right = (board ^ board >> 1) & 0x7777;
    let below = (board ^ board >> 4) & 0x0fff;
    bits(right).map(|bit| bit | bit << 1).chain(bits(below).map(|bit| bit | bit << 4))
}

/// Iterates over the set bits of `mask`, each as a mask of its own.
fn bits(mut mask: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// Returns the exchange between two boards one step apart.
fn exchange(before: u16, after: u16) -> Exchange {
    Exchange { from: (before & !after).trailing_zeros() as u8, to: (after & !before).trailing_zeros() as u8 }
}

/// A set of boards, one bit each.
struct BoardSet(Box<[u64; 1024]>);

impl BoardSet {
    fn empty() -> BoardSet {
        BoardSet(Box::new([0; 1024]))
    }

    fn contains(&self, board: u16) -> bool {
        self.0[usize::from(board >> 6)] >> (board & 63) & 1 == 1
    }

    /// Adds `board`. Returns whether it is new.
    fn insert(&mut self, board: u16) -> bool {
        let word = &mut self.0[usize::from(board >> 6)];
        let before = *word;
        *word |= 1 << (board & 63);
        *word != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::swapgame::Board;

    #[test]
    fn steps_stay_on_the_board_and_exchange_unlike_cells() {
        assert_eq!(steps(0).count(), 0);
        assert_eq!(steps(0xa5a5).count(), 24);
        // A single `1` in the last column must not wrap around into the next row.
        assert_eq!(steps(0x0008).collect::<Vec<_>>(), [0x000c, 0x0088]);
    }

    #[test]
    fn equal_boards_need_no_step() {
        let pair = Pair::new(Board(0x1234), Board(0x1234)).unwrap();
        assert_eq!(solve(pair), Some(vec![]));
    }

    #[test]
    fn a_one_in_a_corner_needs_six_steps_to_the_opposite_one() {
        let moves = solve(Pair::new(Board(0x0001), Board(0x8000)).unwrap()).unwrap();
        assert_eq!(moves.len(), 6);
        assert_eq!((moves[0].from, moves[5].to), (0, 15));
    }
}
