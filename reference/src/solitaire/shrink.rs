//! Makes smaller test cases: moves the two configurations closer together or nearer to the upper left corner, or sorts
//! their pieces into reading order.
//!
//! For debugging, a test case should have few moves between start and goal, then small numbers, then pieces written in
//! reading order. The weight ranks the three criteria in this order.

use super::{Configuration, Field, PIECES, Pair};

/// The number of bits of the weight that count the pairs of pieces that are not in reading order. There are at most 12
/// such pairs.
const ORDER_BITS: u32 = 4;
/// The number of bits of the weight that hold the sum of all coordinates. The sum is at most 112.
const CORNER_BITS: u32 = 7;

/// Returns the weight. The distance between start and goal counts most, then the distance of both from the corner, then
/// the number of pairs of pieces that are not in reading order.
pub fn weight(pair: &Pair) -> u64 {
    let apart = u64::from(apart(pair));
    let corner: u64 = [pair.start, pair.goal].iter().flat_map(Configuration::fields).map(from_corner).sum();
    let disorder = disorder(&pair.start) + disorder(&pair.goal);
    (((apart << CORNER_BITS) + corner) << ORDER_BITS) + disorder
}

/// Returns all test cases one step away with a lower weight, the lightest first.
pub fn steps(pair: &Pair) -> Vec<Pair> {
    let mut steps = Vec::new();
    for fields in moved_pieces(pair.start) {
        steps.extend(Configuration::new(fields).map(|start| Pair { start, ..*pair }));
    }
    for fields in moved_pieces(pair.goal).chain(pieces_on_start_fields(pair)) {
        steps.extend(Configuration::new(fields).map(|goal| Pair { goal, ..*pair }));
    }
    steps.extend(shifted(pair, -1, 0));
    steps.extend(shifted(pair, 0, -1));
    steps.extend(moved_together(pair));
    let own = weight(pair);
    steps.retain(|step| weight(step) < own);
    steps.sort_by_key(weight);
    steps.dedup();
    steps
}

/// Returns the fewest steps that lead from one configuration to the other. A step moves a piece to a neighbouring
/// field. Pieces may pass through one another and do not jump.
pub(super) fn apart(pair: &Pair) -> u32 {
    let (start, goal) = (pair.start.fields(), pair.goal.fields());
    let steps = |(from, to): (&Field, Field)| {
        u32::from(from.row().abs_diff(to.row())) + u32::from(from.column().abs_diff(to.column()))
    };
    let cost = |order: [usize; PIECES]| start.iter().zip(order.map(|piece| goal[piece])).map(steps).sum();
    orders().map(cost).min().unwrap_or(0)
}

/// Iterates over the 24 orders of four things.
pub(super) fn orders() -> impl Iterator<Item = [usize; PIECES]> {
    let all = (0..256_usize).map(|code| [code >> 6, (code >> 4) & 3, (code >> 2) & 3, code & 3]);
    all.filter(|order| (1..PIECES).all(|later| !order[..later].contains(&order[later])))
}

fn from_corner(field: Field) -> u64 {
    (field.row() + field.column()) as u64
}

fn disorder(configuration: &Configuration) -> u64 {
    let fields = configuration.fields();
    let later = |piece: usize| fields[piece + 1..].iter().filter(move |other| **other < fields[piece]).count() as u64;
    (0..PIECES).map(later).sum()
}

fn shift(field: Field, rows: i8, columns: i8) -> Option<Field> {
    Field::at(field.row() + rows, field.column() + columns)
}

/// Iterates over the fields after one change: one piece moves by one field up, down, left or right, or two pieces that
/// are neighbours in written order are exchanged.
fn moved_pieces(configuration: Configuration) -> impl Iterator<Item = [Field; PIECES]> {
    let fields = configuration.fields();
    let replaced = move |piece: usize, field: Field| {
        let mut fields = fields;
        fields[piece] = field;
        fields
    };
    let moves = (0..PIECES).flat_map(move |piece| {
        let around = [(-1, 0), (0, -1), (1, 0), (0, 1)].into_iter();
        around.filter_map(move |(rows, columns)| shift(fields[piece], rows, columns)).map(move |to| replaced(piece, to))
    });
    let swaps = (1..PIECES).map(move |later| {
        let mut fields = fields;
        fields.swap(later - 1, later);
        fields
    });
    moves.chain(swaps)
}

/// Iterates over the fields of the goal after one of its pieces is put onto the field of a piece of the start.
fn pieces_on_start_fields(pair: &Pair) -> impl Iterator<Item = [Field; PIECES]> {
    let (start, goal) = (pair.start.fields(), pair.goal.fields());
    (0..PIECES * PIECES).map(move |code| {
        let mut fields = goal;
        fields[code / PIECES] = start[code % PIECES];
        fields
    })
}

/// Moves all eight pieces by `rows` and `columns`; `None` if one of them would leave the board.
fn shifted(pair: &Pair, rows: i8, columns: i8) -> Option<Pair> {
    let all = |configuration: Configuration| {
        let fields = configuration.fields().map(|field| shift(field, rows, columns));
        let [Some(a), Some(b), Some(c), Some(d)] = fields else { return None };
        Configuration::new([a, b, c, d])
    };
    Some(Pair { start: all(pair.start)?, goal: all(pair.goal)? })
}

/// Returns all pairs in which one piece of the start and one piece of the goal have moved by one field in the same
/// direction, up or to the left.
fn moved_together(pair: &Pair) -> Vec<Pair> {
    let nearer = |configuration: Configuration, piece: usize, (rows, columns): (i8, i8)| {
        let mut fields = configuration.fields();
        fields[piece] = shift(fields[piece], rows, columns)?;
        Configuration::new(fields)
    };
    let mut pairs = Vec::new();
    for code in 0..PIECES * PIECES {
        for by in [(-1, 0), (0, -1)] {
            let start = nearer(pair.start, code / PIECES, by);
            let goal = nearer(pair.goal, code % PIECES, by);
            pairs.extend(start.zip(goal).map(|(start, goal)| Pair { start, goal }));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solitaire::generate;
    use referee_random::Random;

    #[test]
    fn the_lightest_case_is_four_pieces_in_the_corner_that_stay_there() {
        let fields = [(0, 0), (0, 1), (0, 2), (1, 0)].map(|(row, column)| Field::at(row, column).unwrap());
        let start = Configuration::new(fields).unwrap();
        assert!(steps(&Pair { start, goal: start }).is_empty());
    }

    #[test]
    fn there_are_24_orders() {
        let mut all: Vec<_> = orders().collect();
        all.dedup();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn every_step_is_lighter_and_the_way_down_ends_at_two_equal_lines() {
        for index in 0..200 {
            let mut pair = generate::pair("uniform", &mut Random::new(11, index)).unwrap();
            while let Some(step) = steps(&pair).last().copied() {
                assert!(steps(&pair).iter().all(|step| weight(step) < weight(&pair)));
                pair = step;
            }
            assert_eq!(pair.start, pair.goal);
            assert!(pair.start.fields().is_sorted());
        }
    }
}
