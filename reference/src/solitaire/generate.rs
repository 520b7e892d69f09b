//! Generates test cases. Every test case has the property of its kind: a solver or a bound proves the property when the
//! case is drawn.
//!
//! Pieces are written in a random order, except those of the goal in kind `shuffled`.

use crate::puzzle::{GenerateError, Kind};
use referee_random::Random;

use super::{Configuration, Field, MOVES, PIECES, Pair, SIDE, bounded, names, shrink, traps};

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind { name: "uniform", about: "two configurations, all pairs equally likely; YES in 11 of 100" },
    Kind { name: "exactly-8", about: "YES, but not with seven moves" },
    Kind { name: "exactly-9", about: "NO, but YES if one more move were allowed" },
    Kind { name: "near", about: "YES: start and goal differ and are one to four moves apart" },
    Kind { name: "identical", about: "YES with no move: the same fields twice" },
    Kind { name: "shuffled", about: "YES, but NO if each piece had to reach its own goal field" },
    Kind { name: "jumps-needed", about: "YES, but NO without jumps" },
    Kind { name: "jumps-blocked", about: "NO, but YES if a piece could jump over two in a row" },
    Kind { name: "row-ends", about: "NO, but YES if a move could go from a row's end to the next row" },
    Kind { name: "corners", about: "pieces on corner fields; start and goal are seven to nine moves apart" },
    Kind { name: "edges", about: "all pieces on the edge; start and goal are seven to nine moves apart" },
    Kind { name: "far", about: "NO, even if pieces could pass through one another" },
];

/// Generates a test case of `kind`.
pub fn pair(kind: &str, random: &mut Random) -> Result<Pair, GenerateError> {
    Ok(match kind {
        "uniform" => uniform(random),
        "exactly-8" => draw_until(random, uniform, |pair| exactly(pair, 8)),
        "exactly-9" => draw_until(random, uniform, |pair| exactly(pair, 9)),
        "near" => draw_until(random, near, |pair| pair.start.sorted() != pair.goal.sorted()),
        "identical" => identical(random),
        "shuffled" => draw_until(random, shuffled, |pair| in_written_order(pair) > MOVES),
        "jumps-needed" => draw_until(random, uniform, |pair| shrink::apart(pair) > MOVES && within(pair, MOVES)),
        "jumps-blocked" => draw_until(random, traps::double_jump, |pair| !within_growing(pair, MOVES)),
        "row-ends" => draw_until(random, traps::row_end, |pair| !within(pair, MOVES)),
        "corners" => draw_until(random, on_corners, at_the_limit),
        "edges" => draw_until(random, on_edges, at_the_limit),
        "far" => draw_until(random, uniform, |pair| passing_through(pair) > MOVES),
        _ => {
            let known = names(KINDS, |kind| kind.name);
            return Err(GenerateError(format!("solitaire has no kind '{kind}', allowed: {known}")));
        }
    })
}

/// Draws until a test case satisfies `wanted`. The rarest kind takes a few hundred draws.
fn draw_until(random: &mut Random, draw: fn(&mut Random) -> Pair, wanted: impl Fn(&Pair) -> bool) -> Pair {
    loop {
        let pair = draw(random);
        if wanted(&pair) {
            return pair;
        }
    }
}

fn within(pair: &Pair, limit: u32) -> bool {
    bounded::within(pair, limit).is_some()
}

/// Returns the same as [`within`], faster if start and goal are only a few moves apart: tries smaller limits first,
/// because a search with a smaller limit visits fewer configurations.
fn within_growing(pair: &Pair, limit: u32) -> bool {
    (limit / 2..=limit).any(|limit| within(pair, limit))
}

fn exactly(pair: &Pair, moves: u32) -> bool {
    within(pair, moves) && !within(pair, moves - 1)
}

fn at_the_limit(pair: &Pair) -> bool {
    within(pair, MOVES + 1) && !within(pair, MOVES - 2)
}

fn uniform(random: &mut Random) -> Pair {
    Pair { start: configuration(random, any_field), goal: configuration(random, any_field) }
}

fn near(random: &mut Random) -> Pair {
    let start = configuration(random, any_field);
    let moves = random.between(1, 4);
    let goal = traps::walk(start, moves, random);
    Pair { start, goal: rewritten(goal, random) }
}

fn identical(random: &mut Random) -> Pair {
    let start = configuration(random, any_field);
    Pair { start, goal: rewritten(start, random) }
}

/// Returns a pair with the answer YES. The goal's fields are in the order that makes [`in_written_order`] largest.
fn shuffled(random: &mut Random) -> Pair {
    let pair = draw_until(random, uniform, |pair| within(pair, MOVES));
    let fields = pair.goal.fields();
    let goals = shrink::orders().filter_map(|order| Configuration::new(order.map(|piece| fields[piece])));
    let pairs = goals.map(|goal| Pair { goal, ..pair });
    pairs.max_by_key(in_written_order).unwrap_or(pair)
}

/// Returns a lower bound on the number of moves under a stricter rule: the first piece must go to the first field, the
/// second to the second and so on. A move takes one piece at most two rows or two columns further.
pub(super) fn in_written_order(pair: &Pair) -> u32 {
    let moves = |(from, to): (Field, Field)| {
        let half = |one: i8, other: i8| u32::from(one.abs_diff(other).div_ceil(2));
        half(from.row(), to.row()) + half(from.column(), to.column())
    };
    pair.start.fields().into_iter().zip(pair.goal.fields()).map(moves).sum()
}

/// Returns the bound of [`in_written_order`] for identical pieces: the minimum over all ways to assign pieces to
/// fields.
pub(super) fn passing_through(pair: &Pair) -> u32 {
    let fields = pair.goal.fields();
    let goals = shrink::orders().filter_map(|order| Configuration::new(order.map(|piece| fields[piece])));
    goals.map(|goal| in_written_order(&Pair { goal, ..*pair })).min().unwrap_or(0)
}

/// The mean number of configurations that are at most 0, 1, 2, 3 and 4 moves away.
const NEARBY: [u64; MOVES as usize / 2 + 1] = [1, 15, 112, 565, 2139];

/// Returns an estimate of the number of configurations that a search from both ends visits. The estimate uses a lower
/// bound on the number of moves.
pub(super) fn effort(pair: &Pair) -> u64 {
    let moves = passing_through(pair).min(MOVES) as usize;
    NEARBY[moves / 2] + NEARBY[moves - moves / 2]
}

/// Returns a test case with the same answer: turns or mirrors the board, may exchange start and goal, and writes the
/// pieces in another order. Every move can be undone by a move, so the exchange does not change the answer.
pub(super) fn variation(pair: &Pair, random: &mut Random) -> Pair {
    let [upright, up, left, back] = [(); 4].map(|()| random.chance(1, 2));
    let turned = |at: i8, turn: bool| if turn { SIDE as i8 - 1 - at } else { at };
    let image = |field: Field| {
        let (row, column) = (turned(field.row(), up), turned(field.column(), left));
        if upright { inside(row, column) } else { inside(column, row) }
    };
    let (start, goal) = if back { (pair.goal, pair.start) } else { (pair.start, pair.goal) };
    let [start, goal] = [start, goal].map(|one| rewritten(Configuration(one.fields().map(image)), random));
    Pair { start, goal }
}

fn on_corners(random: &mut Random) -> Pair {
    let mut draw = || {
        let corner = corner_field(random);
        draw_configuration(random, |random| configuration_with(corner, random))
    };
    Pair { start: draw(), goal: draw() }
}

fn configuration_with(field: Field, random: &mut Random) -> Option<Configuration> {
    let mut fields = [field, any_field(random), any_field(random), any_field(random)];
    random.shuffle(&mut fields);
    Configuration::new(fields)
}

fn on_edges(random: &mut Random) -> Pair {
    Pair { start: configuration(random, edge_field), goal: configuration(random, edge_field) }
}

/// Returns four different fields, each drawn by `field`. All sets and orders are equally likely if the fields are.
pub(super) fn configuration(random: &mut Random, field: fn(&mut Random) -> Field) -> Configuration {
    draw_configuration(random, |random| {
        Configuration::new([field(random), field(random), field(random), field(random)])
    })
}

fn draw_configuration(random: &mut Random, draw: impl Fn(&mut Random) -> Option<Configuration>) -> Configuration {
    loop {
        if let Some(configuration) = draw(random) {
            return configuration;
        }
    }
}

pub(super) fn any_field(random: &mut Random) -> Field {
    inside(random.below(8) as i8, random.below(8) as i8)
}

fn corner_field(random: &mut Random) -> Field {
    let last = SIDE as i8 - 1;
    inside(last * random.below(2) as i8, last * random.below(2) as i8)
}

fn edge_field(random: &mut Random) -> Field {
    let last = SIDE as i8 - 1;
    // Each edge is counted from its corner to the field before the next corner, so no field is counted twice.
    let along = random.below(last as u64) as i8;
    match random.below(4) {
        0 => inside(0, along),
        1 => inside(along, last),
        2 => inside(last, last - along),
        _ => inside(last - along, 0),
    }
}

/// Returns the field at coordinates from 0 to 7.
fn inside(row: i8, column: i8) -> Field {
    Field((row * SIDE as i8 + column) as u8)
}

/// Returns the same fields in a random order.
pub(super) fn rewritten(configuration: Configuration, random: &mut Random) -> Configuration {
    let mut fields: [Field; PIECES] = configuration.fields();
    random.shuffle(&mut fields);
    Configuration(fields)
}
