//! The exhaustive comparison. For every configuration, it compares the moves that the solvers generate. It also
//! compares the searches of the solvers. Configurations that are images of one another under the symmetries of the
//! board form a class. The searches are compared only for every eighth class, from one configuration of the class.

use crate::disagreement::{Disagreement, Tally};
use crate::puzzle::{Answer, Instance, Value};

use super::{Configuration, Field, MOVES, PIECES, Pair, Path, SIDE, answer, bfs, bidirectional, bounded, check};

/// Explains to users what the comparison covers, and why that is enough.
pub const ARGUMENT: &str = "\
For each of the 635,376 configurations, the move generators of the three solvers must give the same neighbours. Each \
neighbour must be one legal and reversible move away by the checker's rule, and exactly one move away by the distance \
of the projections. That distance is a metric, so it never exceeds the number of moves between two configurations, and \
pruning by it is exact for all pairs. It remains to compare the searches. The eight symmetries of the board preserve \
distances, so one start represents its class; every eighth of the 79,920 classes is searched. From its start, bfs \
lists the configurations at each distance from 0 to 9. The other two solvers then solve one configuration at each \
distance, and their moves are replayed. For every class, the configurations within 4 moves must fit into the tables of \
the solver bounded. Comparing all pairs would take 4 x 10^11 searches and is not done.";

/// The number of parts. Part `p` takes every configuration and class whose number is `p` modulo `PARTS`.
pub const PARTS: u32 = 64;
/// One out of this many classes is searched, up to distance 9.
const SEARCHED_CLASSES: usize = 8;

/// Runs one part.
pub fn part(part: u32, tally: &mut Tally) {
    let every = |number: &usize| number % PARTS as usize == part as usize;
    for (_, pieces) in all().enumerate().filter(|(number, _)| every(number)) {
        if let Err(reason) = compare_moves(pieces) {
            disagree(tally, &identical_pair(pieces), reason);
        }
    }
    for (number, start) in classes().enumerate().filter(|(number, _)| every(number)) {
        compare_ball_size(start, tally);
        if (number / PARTS as usize).is_multiple_of(SEARCHED_CLASSES) {
            compare_ball(start, number, tally);
        }
    }
}

/// Iterates over all configurations, sorted, in lexicographic order.
pub(super) fn all() -> impl Iterator<Item = [u8; PIECES]> {
    (0..64_u8).flat_map(|a| {
        (a + 1..64).flat_map(move |b| (b + 1..64).flat_map(move |c| (c + 1..64).map(move |d| [a, b, c, d])))
    })
}

/// Iterates over the lexicographically first configuration of every class under the symmetries of the board.
pub(super) fn classes() -> impl Iterator<Item = [u8; PIECES]> {
    all().filter(|pieces| (1..8).all(|symmetry| image(*pieces, symmetry) >= *pieces))
}

/// Returns the image under one of the eight symmetries: bit 0 reverses the rows, bit 1 the columns, and bit 2 then
/// exchanges rows and columns.
pub(super) fn image(pieces: [u8; PIECES], symmetry: u8) -> [u8; PIECES] {
    let mut image = pieces.map(|field| {
        let (row, column) = (field / SIDE, field % SIDE);
        let row = if symmetry & 1 == 0 { row } else { SIDE - 1 - row };
        let column = if symmetry & 2 == 0 { column } else { SIDE - 1 - column };
        if symmetry & 4 == 0 { row * SIDE + column } else { column * SIDE + row }
    });
    image.sort_unstable();
    image
}

/// Returns the neighbours of `from`, which the three move generators must all give. Fails if the generators differ, or
/// if the checker's rule forbids a move or its reverse. Also fails if the projections of a neighbour are not exactly
/// one move from those of `from`.
pub(super) fn compare_moves(from: [u8; PIECES]) -> Result<Vec<[u8; PIECES]>, String> {
    let by_bfs = neighbours_by_bfs(from);
    if by_bfs != neighbours_by_lists(from) {
        return Err("bfs and bidirectional generate different moves".to_owned());
    }
    let bounded = bounded::neighbours(from);
    if !by_bfs.iter().eq(bounded.iter().map(|(to, _)| to)) {
        return Err("bfs and bounded generate different moves".to_owned());
    }
    match bounded.iter().find(|(to, bound)| *bound != 1 || !check::is_move(from, *to) || !check::is_move(*to, from)) {
        Some((to, bound)) => {
            Err(format!("the move to {to:?} is illegal, or not reversible, or has the bound {bound} instead of 1"))
        }
        None => Ok(by_bfs),
    }
}

fn neighbours_by_bfs(from: [u8; PIECES]) -> Vec<[u8; PIECES]> {
    let mut reached = [[0; PIECES]; 4 * PIECES];
    let count = bfs::Mailbox::new().moves(from, &mut reached);
    let mut neighbours = reached[..count].to_vec();
    neighbours.sort_unstable();
    neighbours
}

fn neighbours_by_lists(from: [u8; PIECES]) -> Vec<[u8; PIECES]> {
    let mut packed = Vec::new();
    bidirectional::neighbours(u32::from_be_bytes(from), &mut packed);
    packed.sort_unstable();
    packed.into_iter().map(u32::to_be_bytes).collect()
}

fn compare_ball_size(start: [u8; PIECES], tally: &mut Tally) {
    let size: usize = bfs::rings(start, 4).iter().map(Vec::len).sum();
    if size > bounded::LARGEST_BALL {
        disagree(
            tally,
            &identical_pair(start),
            format!("{size} configurations lie within 4 moves, but bounded can store only {}", bounded::LARGEST_BALL),
        );
    }
}

/// Compares the solvers on one configuration at each distance from `start`. `number`, the number of the class, selects
/// the configuration.
fn compare_ball(start: [u8; PIECES], number: usize, tally: &mut Tally) {
    for (distance, ring) in bfs::rings(start, MOVES + 1).iter().enumerate() {
        if ring.is_empty() {
            continue;
        }
        // The stride is a prime, so that the positions vary from class to class.
        let goal = ring[number * 7919 % ring.len()];
        compare_member(&Pair { start: written(start), goal: written(goal) }, distance as u32, tally);
    }
}

fn compare_member(pair: &Pair, distance: u32, tally: &mut Tally) {
    let value = if distance <= MOVES { Value::Yes } else { Value::No };
    let ways: [(&str, Option<Path>); 2] =
        [("bounded", bounded::solve(pair)), ("bidirectional", bidirectional::solve(pair))];
    for (solver, way) in ways {
        match agrees(pair, &answer(way), &value) {
            Ok(replayed) if replayed => tally.moves_replayed += 1,
            Ok(_) => {}
            Err(reason) => {
                return disagree(
                    tally,
                    pair,
                    format!("{solver}, on configurations that are {distance} moves apart according to bfs: {reason}"),
                );
            }
        }
    }
    tally.count(value, 1);
}

fn agrees(pair: &Pair, answer: &Answer, value: &Value) -> Result<bool, String> {
    let evidence = check::verify(pair, answer)?;
    if answer.value == *value { Ok(evidence.moves_replayed) } else { Err(format!("the answer is {}", answer.value)) }
}

fn identical_pair(pieces: [u8; PIECES]) -> Pair {
    Pair { start: written(pieces), goal: written(pieces) }
}

/// Returns the configuration for four field numbers, which must be different.
pub(super) fn written(pieces: [u8; PIECES]) -> Configuration {
    Configuration(pieces.map(Field))
}

fn disagree(tally: &mut Tally, pair: &Pair, reason: String) {
    let ask = |solver| (solver, pair.solve(solver).map_or_else(|declined| declined.0, |answer| answer.text));
    let answers = ["bounded", "bidirectional", "bfs"].map(ask).to_vec();
    tally.disagree(Disagreement { input: pair.print(), answers, reason });
}
