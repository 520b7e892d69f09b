//! Breadth-first search from both ends, 4 + 4 levels, without a hash table: every level is a sorted list.
//!
//! **Method.** Moves are reversible, so a neighbour of a configuration in one level lies in the level before, the same
//! level or the next level. So the next level is the sorted list of all neighbours without the members of the last two
//! levels. Each step adds a level on the side, start or goal, whose last level is smaller. Let the last levels be level
//! `a` of the one side and level `b` of the other side. As soon as they have a common member, the distance is `a + b`.
//! Both lists are sorted, so one merge finds the member.
//!
//! **Complexity.** For the fourth level of each end, about 14 x 453 neighbours are sorted. The time is O(n log n) for n
//! configurations within four moves of an end. Source: bidirectional search (Pohl 1971); levels as sorted lists after
//! Munagala and Ranade 1999.

use super::{MOVES, PIECES, Pair, Path, SIDE};

/// A configuration: four bytes, one for each piece's field, ascending from the most significant byte.
type Packed = u32;

/// Returns a shortest path if it has at most eight moves; otherwise `None`.
pub fn solve(pair: &Pair) -> Option<Path> {
    let mut near = Side::new(pair.start.sorted());
    let mut far = Side::new(pair.goal.sorted());
    for _ in 0..MOVES {
        if let Some(middle) = common(near.last(), far.last()) {
            return Some(joined_path(&near, middle, &far));
        }
        if near.last().len() <= far.last().len() { near.grow() } else { far.grow() }
    }
    common(near.last(), far.last()).map(|middle| joined_path(&near, middle, &far))
}

/// One end with its levels so far. Level `d` holds the configurations exactly `d` moves away, in ascending order.
struct Side {
    levels: Vec<Vec<Packed>>,
}

impl Side {
    fn new(root: [u8; PIECES]) -> Self {
        Side { levels: vec![vec![u32::from_be_bytes(root)]] }
    }

    fn last(&self) -> &[Packed] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    fn grow(&mut self) {
        let mut next = Vec::with_capacity(self.last().len() * 16);
        for &packed in self.last() {
            neighbours(packed, &mut next);
        }
        next.sort_unstable();
        next.dedup();
        for known in self.levels.iter().rev().take(2) {
            remove(&mut next, known);
        }
        self.levels.push(next);
    }

    /// Returns the path from the root to `end`, which must be in the last level.
    fn path_to(&self, end: Packed) -> Vec<Packed> {
        let mut path = vec![end];
        let mut last = end;
        for level in self.levels.iter().rev().skip(1) {
            let mut around = Vec::new();
            neighbours(last, &mut around);
            if let Some(&before) = around.iter().find(|packed| level.binary_search(packed).is_ok()) {
                path.push(before);
                last = before;
            }
        }
        path.reverse();
        path
    }
}

fn joined_path(near: &Side, middle: Packed, far: &Side) -> Path {
    let mut path = near.path_to(middle);
    path.extend(far.path_to(middle).into_iter().rev().skip(1));
    path.into_iter().map(u32::to_be_bytes).collect()
}

/// Removes the members of `known` from `list`; both are ascending.
fn remove(list: &mut Vec<Packed>, known: &[Packed]) {
    let mut rest = known;
    list.retain(|packed| {
        while rest.first().is_some_and(|first| first < packed) {
            rest = &rest[1..];
        }
        rest.first() != Some(packed)
    });
}

/// Returns the first common member of two ascending lists; `None` if there is none.
fn common(one: &[Packed], other: &[Packed]) -> Option<Packed> {
    let (mut one, mut other) = (one, other);
    while let (Some(first), Some(second)) = (one.first(), other.first()) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => one = &one[1..],
            std::cmp::Ordering::Greater => other = &other[1..],
            std::cmp::Ordering::Equal => return Some(*first),
        }
    }
    None
}

/// Appends all configurations one move away.
pub(super) fn neighbours(packed: Packed, into: &mut Vec<Packed>) {
    let pieces = packed.to_be_bytes();
    for (piece, &from) in pieces.iter().enumerate() {
        let (row, column) = (from / SIDE, from % SIDE);
        if row > 0 {
            into.extend(towards(pieces, piece, -8, row));
        }
        if row < SIDE - 1 {
            into.extend(towards(pieces, piece, 8, SIDE - 1 - row));
        }
        if column > 0 {
            into.extend(towards(pieces, piece, -1, column));
        }
        if column < SIDE - 1 {
            into.extend(towards(pieces, piece, 1, SIDE - 1 - column));
        }
    }
}

/// Moves piece number `piece` by `stride`, or by twice as much if it jumps over another piece. `room` is the number of
/// fields between the piece and the edge in this direction, at least one. Returns `None` if the move is not legal.
fn towards(pieces: [u8; PIECES], piece: usize, stride: i8, room: u8) -> Option<Packed> {
    let next = pieces[piece].wrapping_add_signed(stride);
    if !pieces.contains(&next) {
        return Some(replaced(pieces, piece, next));
    }
    let behind = next.wrapping_add_signed(stride);
    (room > 1 && !pieces.contains(&behind)).then(|| replaced(pieces, piece, behind))
}

fn replaced(mut pieces: [u8; PIECES], mut piece: usize, field: u8) -> Packed {
    // The other three pieces are still sorted, so only the moved piece shifts to its position among them.
    while piece > 0 && pieces[piece - 1] > field {
        pieces[piece] = pieces[piece - 1];
        piece -= 1;
    }
    while piece < PIECES - 1 && pieces[piece + 1] < field {
        pieces[piece] = pieces[piece + 1];
        piece += 1;
    }
    pieces[piece] = field;
    u32::from_be_bytes(pieces)
}
