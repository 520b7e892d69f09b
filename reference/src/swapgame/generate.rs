//! Generates pairs of boards of each kind. Every pair has the property of its kind: either the construction guarantees
//! the property, or a solver proves it.

use super::{Board, CELLS, FARTHEST, Input, Pair, SIDE, matching};
use crate::puzzle::{GenerateError, Kind, Size};
use referee_random::Random;

/// The number of drawn or changed pairs after which a search gives up. In practice, no kind needs nearly as many.
const TRIES: u32 = 100_000;
/// The number of changes after which [`climb`] starts again from a new pair.
const CLIMB: u32 = 500;

/// The largest distance between two boards, indexed by their number of `1`s.
pub const FARTHEST_BY_ONES: [u32; CELLS + 1] = [0, 6, 10, 14, 16, 18, 20, 20, 20, 20, 20, 18, 16, 14, 10, 6, 0];

const NAMED: [Kind; 10] = [
    Kind { name: "uniform", about: "every legal pair equally likely" },
    Kind { name: "balanced", about: "eight ones and eight zeros" },
    Kind { name: "farthest", about: "as many steps apart as the number of ones allows" },
    Kind { name: "single", about: "a single one, or a single zero" },
    Kind { name: "one-colour", about: "zeros only or ones only" },
    Kind { name: "blocked", about: "one `1` must move, and other `1`s fill its straight path" },
    Kind { name: "greedy", about: "giving each `1` its nearest free goal is not optimal" },
    Kind { name: "in-order", about: "pairing `1`s and goals in reading order is not optimal" },
    Kind { name: "blank-line", about: "uniform, with a blank line between the boards" },
    Kind { name: "no-blank-line", about: "uniform, without a blank line" },
];

const EXACT: [&str; FARTHEST as usize + 1] = [
    "exact-0", "exact-1", "exact-2", "exact-3", "exact-4", "exact-5", "exact-6", "exact-7", "exact-8", "exact-9",
    "exact-10", "exact-11", "exact-12", "exact-13", "exact-14", "exact-15", "exact-16", "exact-17", "exact-18",
    "exact-19", "exact-20",
];

/// All kinds: those of `NAMED`, and one for each number of steps.
pub const KINDS: &[Kind] = &{
    let mut kinds = [NAMED[0]; NAMED.len() + EXACT.len()];
    let mut index = 0;
    while index < kinds.len() {
        kinds[index] = if index < NAMED.len() {
            NAMED[index]
        } else {
            Kind { name: EXACT[index - NAMED.len()], about: "exactly this number of steps apart" }
        };
        index += 1;
    }
    kinds
};

/// Generates a pair of the given kind.
pub fn generate(kind: &str, size: Option<Size>, random: &mut Random) -> Result<Input, GenerateError> {
    if let Some(size) = size.filter(|size| size.rows != SIDE || size.columns != SIDE) {
        return Err(GenerateError(format!("swapgame has no board of {size}; its only size is 4x4")));
    }
    let blank_line = random.chance(1, 2);
    let drawn = |pair: Option<Pair>| pair.map(|pair| Input { pair, blank_line });
    let input = match kind {
        "uniform" => drawn(uniform(random)),
        "balanced" => drawn(with_ones(8, random)),
        "farthest" => drawn(farthest(random)),
        "single" => drawn(with_ones(*random.pick(&[1, 15]).unwrap_or(&1), random)),
        "one-colour" => drawn(with_ones(*random.pick(&[0, 16]).unwrap_or(&0), random)),
        "blocked" => drawn(blocked(random)),
        "greedy" => drawn(costly(greedy_cost, random)),
        "in-order" => drawn(costly(in_order_cost, random)),
        "blank-line" => uniform(random).map(|pair| Input { pair, blank_line: true }),
        "no-blank-line" => uniform(random).map(|pair| Input { pair, blank_line: false }),
        _ => match EXACT.iter().position(|name| *name == kind) {
            Some(steps) => drawn(exact(steps as u32, random)),
            None => return Err(unknown(kind)),
        },
    };
    input.ok_or_else(|| GenerateError(format!("no pair of kind '{kind}' was found in {TRIES} tries")))
}

fn unknown(kind: &str) -> GenerateError {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    GenerateError(format!("swapgame has no kind '{kind}', allowed: {}", names.join(", ")))
}

/// Returns a uniform pair. First draws a number of `1`s, weighted by the number of pairs that have this number. Then
/// draws two boards with this number of `1`s.
fn uniform(random: &mut Random) -> Option<Pair> {
    let pairs = |ones: u32| boards_with(ones).pow(2);
    let mut drawn = random.below((0..=CELLS as u32).map(pairs).sum());
    let mut ones = 0;
    while drawn >= pairs(ones) {
        drawn -= pairs(ones);
        ones += 1;
    }
    with_ones(ones, random)
}

/// Returns how many boards have `ones` `1`s: 16 choose `ones`.
fn boards_with(ones: u32) -> u64 {
    (0..u64::from(ones)).fold(1, |boards, index| boards * (CELLS as u64 - index) / (index + 1))
}

/// Returns an estimate of the number of boards that a breadth-first search visits: of all boards with as many `1`s, the
/// share that the distance is of the largest distance.
pub(super) fn effort(pair: Pair) -> u64 {
    let ones = pair.start().ones();
    let farthest = u64::from(FARTHEST_BY_ONES[ones as usize]).max(1);
    boards_with(ones) * u64::from(matching::distance(pair)) / farthest
}

fn with_ones(ones: u32, random: &mut Random) -> Option<Pair> {
    Pair::new(board_with_ones(ones, random), board_with_ones(ones, random))
}

fn board_with_ones(ones: u32, random: &mut Random) -> Board {
    let mut cells: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
    random.shuffle(&mut cells);
    Board(cells.iter().take(ones as usize).fold(0, |board, cell| board | 1 << cell))
}

/// Returns a pair that is `steps` steps apart. Draws the number of `1`s at random from the numbers for which such pairs
/// exist.
fn exact(steps: u32, random: &mut Random) -> Option<Pair> {
    let possible: Vec<u32> =
        (0..).zip(FARTHEST_BY_ONES).filter(|&(_, far)| far >= steps).map(|(ones, _)| ones).collect();
    climb(*random.pick(&possible)?, steps, random)
}

fn farthest(random: &mut Random) -> Option<Pair> {
    let ones = random.between(1, 15) as u32;
    climb(ones, FARTHEST_BY_ONES[ones as usize], random)
}

/// Changes a random pair by single exchanges until its boards are `steps` steps apart. Some changes go in the wrong
/// direction, so that the climb does not get stuck. An exchange changes the distance by exactly one, so the climb
/// cannot skip a distance. Returns `None` if it does not succeed in about [`TRIES`] changes.
fn climb(ones: u32, steps: u32, random: &mut Random) -> Option<Pair> {
    for _ in 0..TRIES / CLIMB {
        let mut pair = with_ones(ones, random)?;
        let mut off = matching::distance(pair).abs_diff(steps);
        for _ in 0..CLIMB {
            if off == 0 {
                return Some(pair);
            }
            let changed = nudge(pair, random)?;
            // Half of the nudges change nothing. Computing the distance again would take longer than everything else.
            let off_then = if changed == pair { off } else { matching::distance(changed).abs_diff(steps) };
            if off_then < off || random.chance(1, 8) {
                (pair, off) = (changed, off_then);
            }
        }
    }
    None
}

/// Exchanges two random neighbours on one of the boards. Nothing changes if they have the same colour, or if the second
/// cell is outside the board.
fn nudge(pair: Pair, random: &mut Random) -> Option<Pair> {
    let cell = random.below(CELLS as u64) as usize;
    let other = if random.chance(1, 2) { cell + 1 } else { cell + SIDE };
    let wraps = other == cell + 1 && cell % SIDE == SIDE - 1;
    let exchange = |Board(board): Board| {
        let unlike = other < CELLS && !wraps && (board >> cell & 1) != (board >> other & 1);
        Board(if unlike { board ^ (1 << cell) ^ (1 << other) } else { board })
    };
    if random.chance(1, 2) {
        Pair::new(exchange(pair.start()), pair.goal())
    } else {
        Pair::new(pair.start(), exchange(pair.goal()))
    }
}

/// Returns a pair in which a `1` must travel two or three cells along a row or column. The cells between hold `1`s that
/// need not move.
fn blocked(random: &mut Random) -> Option<Pair> {
    let line = random.below(SIDE as u64) as usize;
    let cell = |step: usize, upright: bool| if upright { SIDE * step + line } else { SIDE * line + step };
    let upright = random.chance(1, 2);
    let &(from, to) = random.pick(&[(0, 2), (2, 0), (1, 3), (3, 1), (0, 3), (3, 0)])?;
    let between = (from.min(to) + 1..from.max(to)).fold(0_u16, |ones, step| ones | 1 << cell(step, upright));
    let (start, goal) = (1_u16 << cell(from, upright), 1_u16 << cell(to, upright));
    let same = (random.bits() as u16 | between) & !(start | goal);
    Pair::new(Board(same | start), Board(same | goal))
}

/// Draws uniform pairs until a naive assignment costs more than the cheapest assignment. `cost` returns the cost of the
/// naive assignment. Returns `None` after [`TRIES`] draws.
fn costly(cost: fn(Pair) -> u32, random: &mut Random) -> Option<Pair> {
    (0..TRIES).find_map(|_| uniform(random).filter(|&pair| cost(pair) > matching::distance(pair)))
}

/// Returns the cost of the greedy assignment: in reading order, each `1` that is out of place takes the nearest free
/// place.
fn greedy_cost(pair: Pair) -> u32 {
    let mut places = cells(pair.goal().0 & !pair.start().0);
    let take_nearest = |one: usize| {
        let (index, steps) =
            places.iter().map(|&place| apart(one, place)).enumerate().min_by_key(|&(_, steps)| steps)?;
        places.remove(index);
        Some(steps)
    };
    cells(pair.start().0 & !pair.goal().0).into_iter().filter_map(take_nearest).sum()
}

/// Returns the cost of the assignment in reading order: the first `1` goes to the first goal, the second `1` to the
/// second, and so on.
fn in_order_cost(pair: Pair) -> u32 {
    cells(pair.start().0).into_iter().zip(cells(pair.goal().0)).map(|(one, place)| apart(one, place)).sum()
}

fn cells(board: u16) -> Vec<usize> {
    (0..CELLS).filter(|cell| board >> cell & 1 == 1).collect()
}

fn apart(cell: usize, other: usize) -> u32 {
    ((cell / SIDE).abs_diff(other / SIDE) + (cell % SIDE).abs_diff(other % SIDE)) as u32
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
