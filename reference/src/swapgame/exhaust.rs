//! The exhaustive comparison: every ordered pair of boards with equally many `1`s, 601,080,390 of them.

use super::{Board, CELLS, Exchange, FARTHEST, Input, Pair, SIDE, SwapGame, bfs, bidirectional, matching, subsets};
use crate::disagreement::{Disagreement, Tally};
use crate::puzzle::{Instance, Value};
use referee_random::Random;

/// Explains to users what the comparison covers.
pub const ARGUMENT: &str = "\
`matching` solves all 601,080,390 ordered pairs of boards with equally many ones, and each distance is compared with \
`bfs`. Symmetry saves work on the side of `bfs` only. If the square is turned or reflected (8 ways), or the colours \
are exchanged, every step is still a step. So the distance between two boards equals the distance between their \
images. A start has up to 16 images, and the 65,536 starts fall into 4,324 classes. `bfs` searches from one start of \
each class, and must reach every board with the same number of ones. On these 39,572,683 pairs the moves of `matching` \
are replayed, its heights must prove the distance, and `subsets` is compared too. `bidirectional` and the moves of \
`subsets` are compared on 16 random goals of each class, and all solvers and the checker on one of these goals.";

/// The number of parts; a thread pool may use up to this many threads.
pub const PARTS: u32 = 64;

/// The number of random goals per class of starts, for the solvers that are too slow for all goals.
const SAMPLED: u32 = 16;

/// Runs one part: the classes of starts that `part_of` maps to it.
pub fn run(part: u32, tally: &mut Tally) {
    let symmetries = Symmetry::all();
    for start in (0..=u16::MAX).filter(|&start| part_of(start) == part) {
        let images = images(&symmetries, start);
        // The smallest start of a class represents it.
        if images.iter().all(|(image, _)| *image >= start) {
            compare_class(Board(start), &images, tally);
        }
    }
}

/// Returns the part of a start. Neighbouring starts cost about the same. Multiplying by an odd number spreads them over
/// the parts, so that the parts take equally long.
fn part_of(start: u16) -> u32 {
    (u32::from(start.wrapping_mul(40_503)) * PARTS) >> 16
}

/// Compares `bfs` and `matching` on all pairs whose start is an image of `start`. `images` lists these images. Then
/// compares the slower solvers on a few goals.
fn compare_class(start: Board, images: &[(u16, &Symmetry)], tally: &mut Tally) {
    let mut goals: Vec<(Board, u32)> = bfs::distances(start).into_iter().collect();
    goals.sort_unstable();
    if goals.len() as u64 != boards_like(start) {
        return tally.disagree(disagreement(
            start,
            start,
            format!("bfs reaches {} boards from here, expected {}", goals.len(), boards_like(start)),
        ));
    }
    let mut agreed = [0; FARTHEST as usize + 1];
    for &(goal, distance) in &goals {
        if let Err(reason) = certify(start, goal, distance, tally) {
            tally.disagree(disagreement(start, goal, reason));
        }
        for (image, symmetry) in images {
            let (start, goal) = (Board(*image), Board(symmetry.of(goal.0)));
            match (Pair::new(start, goal).map(matching::distance), agreed.get_mut(distance as usize)) {
                (Some(said), Some(pairs)) if said == distance => *pairs += 1,
                (said, _) => {
                    tally.disagree(disagreement(start, goal, format!("bfs says {distance}, matching says {said:?}")));
                }
            }
        }
    }
    for (distance, &pairs) in (0..).zip(&agreed).filter(|&(_, &pairs)| pairs > 0) {
        tally.count(Value::Minimum(distance), pairs);
    }
    compare_sample(start, &goals, tally);
}

/// Returns the number of boards with as many `1`s as this board: 16 choose the number of its `1`s.
fn boards_like(board: Board) -> u64 {
    (0..u64::from(board.ones())).fold(1, |boards, index| boards * (CELLS as u64 - index) / (index + 1))
}

/// Proves the distance without `bfs`: the moves of `matching` lead to the goal, and its heights prove that fewer moves
/// are not enough. Then compares the distance with `subsets`.
fn certify(start: Board, goal: Board, distance: u32, tally: &mut Tally) -> Result<(), String> {
    let pair = Pair::new(start, goal).ok_or("bfs reaches a board with another number of ones")?;
    let solution = matching::solve(pair);
    if solution.moves.len() as u32 != distance || replay(start, &solution.moves) != Some(goal) {
        return Err(format!(
            "bfs finds a distance of {distance}, but the moves that matching finds do not lead to the goal in that \
             many moves: {:?}",
            solution.moves
        ));
    }
    if lower_bound(pair, &solution.heights) != Some(i64::from(distance)) {
        return Err(format!("the heights of matching do not prove the distance {distance}: {:?}", solution.heights));
    }
    let by_subsets = subsets::distance(pair);
    if by_subsets != distance {
        return Err(format!("bfs says {distance}, subsets says {by_subsets}"));
    }
    tally.moves_replayed += 1;
    tally.bounds_proved += 1;
    Ok(())
}

/// Returns the board after the moves; `None` if one of them is not legal. Applies the same rules as `check`, but to
/// bits and not to the text of an answer.
fn replay(start: Board, moves: &[Exchange]) -> Option<Board> {
    moves.iter().try_fold(start, |Board(board), step| {
        let unlike = board >> step.from & 1 == 1 && board >> step.to & 1 == 0;
        (unlike && adjacent(step.from, step.to)).then_some(Board(board ^ (1 << step.from) ^ (1 << step.to)))
    })
}

fn adjacent(cell: u8, other: u8) -> bool {
    let side = SIDE as u8;
    (cell / side).abs_diff(other / side) + (cell % side).abs_diff(other % side) == 1
}

/// Returns the lower bound that the heights prove: the sum of the heights under the `1`s of the goal, minus this sum
/// for the start. Returns `None` if the heights are too steep to prove a bound.
fn lower_bound(pair: Pair, heights: &[i8; CELLS]) -> Option<i64> {
    let gentle = |cell: usize, next: usize| heights[cell].abs_diff(heights[next]) <= 1;
    let rows = (0..CELLS).filter(|cell| cell % SIDE + 1 < SIDE).all(|cell| gentle(cell, cell + 1));
    let columns = (0..CELLS - SIDE).all(|cell| gentle(cell, cell + SIDE));
    let signed = |cell: usize| i64::from(pair.goal().0 >> cell & 1) - i64::from(pair.start().0 >> cell & 1);
    (rows && columns).then(|| (0..CELLS).map(|cell| signed(cell) * i64::from(heights[cell])).sum())
}

/// Compares the slower solvers on a few goals, and all solvers and the checker on one of these goals.
fn compare_sample(start: Board, goals: &[(Board, u32)], tally: &mut Tally) {
    let mut random = Random::new(u64::from(start.0), 0);
    for sample in 0..SAMPLED {
        let Some((goal, distance)) = random.pick(goals).copied() else {
            return;
        };
        let Some(pair) = Pair::new(start, goal) else {
            continue;
        };
        for (solver, moves) in [("bidirectional", bidirectional::solve(pair)), ("subsets", subsets::solve(pair))] {
            let right = moves
                .as_ref()
                .is_some_and(|moves| moves.len() as u32 == distance && replay(start, moves) == Some(goal));
            if !right {
                tally.disagree(disagreement(start, goal, format!("bfs says {distance}, {solver} says {moves:?}")));
            }
        }
        if sample == 0 {
            compare_all(pair, tally);
        }
    }
}

/// Compares the answers of all solvers to one pair, and runs the checker on the text of each answer. Does not count the
/// pair, because the caller has counted it.
fn compare_all(pair: Pair, tally: &mut Tally) {
    let mut one = Tally::default();
    one.compare(&SwapGame, &Input { pair, blank_line: false });
    one.boards = 0;
    one.histogram.clear();
    tally.merge(one);
}

fn disagreement(start: Board, goal: Board, reason: String) -> Disagreement {
    let input = Pair::new(start, goal)
        .map_or_else(|| format!("{start}{goal}"), |pair| Input { pair, blank_line: false }.print());
    Disagreement { input, answers: Vec::new(), reason }
}

/// Returns the different images of `start`, each with one symmetry that gives it.
fn images(symmetries: &[Symmetry], start: u16) -> Vec<(u16, &Symmetry)> {
    let mut images: Vec<(u16, &Symmetry)> = symmetries.iter().map(|symmetry| (symmetry.of(start), symmetry)).collect();
    images.sort_by_key(|(image, _)| *image);
    images.dedup_by_key(|(image, _)| *image);
    images
}

/// A symmetry of the game: the square turned or reflected, the colours exchanged or not.
struct Symmetry {
    /// For each way of filling the upper half of the board, the cells to which the symmetry maps its `1`s.
    upper: [u16; 256],
    /// The same for the lower half.
    lower: [u16; 256],
    /// All bits set if the colours are exchanged, none otherwise.
    colours: u16,
}

impl Symmetry {
    fn all() -> Vec<Symmetry> {
        (0..16).map(Symmetry::new).collect()
    }

    /// Creates a symmetry. The bits of `number`, from bit 0, stand for: columns reversed, rows reversed, rows and
    /// columns exchanged, colours exchanged.
    fn new(number: u32) -> Symmetry {
        let image_of = |cell: usize| {
            let (row, column) = (cell / SIDE, cell % SIDE);
            let column = if number & 1 == 0 { column } else { SIDE - 1 - column };
            let row = if number & 2 == 0 { row } else { SIDE - 1 - row };
            if number & 4 == 0 { SIDE * row + column } else { SIDE * column + row }
        };
        let moved =
            |board: usize| (0..CELLS).filter(|cell| board >> cell & 1 == 1).map(|cell| 1_u16 << image_of(cell)).sum();
        Symmetry {
            upper: std::array::from_fn(moved),
            lower: std::array::from_fn(|half| moved(half << 8)),
            colours: if number & 8 == 0 { 0 } else { u16::MAX },
        }
    }

    fn of(&self, board: u16) -> u16 {
        (self.upper[usize::from(board & 255)] | self.lower[usize::from(board >> 8)]) ^ self.colours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_starts_hold_every_pair_exactly_once() {
        let symmetries = Symmetry::all();
        let (mut classes, mut searched, mut pairs, mut seen) = (0, 0, 0, vec![0_u8; 1 << 16]);
        for start in (0..PARTS).flat_map(|part| (0..=u16::MAX).filter(move |&start| part_of(start) == part)) {
            let images = images(&symmetries, start);
            if images.iter().all(|(image, _)| *image >= start) {
                (classes, searched) = (classes + 1, searched + boards_like(Board(start)));
                pairs += images.len() as u64 * boards_like(Board(start));
                for (image, _) in &images {
                    seen[usize::from(*image)] += 1;
                }
            }
        }
        assert_eq!((classes, searched, pairs), (4_324, 39_572_683, 601_080_390));
        assert!(seen.iter().all(|&times| times == 1));
    }

    #[test]
    fn symmetries_are_sixteen_different_bijections_that_keep_neighbours() {
        let symmetries = Symmetry::all();
        for symmetry in &symmetries[..8] {
            for cell in 0..15_u8 {
                let image = |cell: u8| symmetry.of(1 << cell).trailing_zeros() as u8;
                assert!((cell + 1..16).all(|other| adjacent(cell, other) == adjacent(image(cell), image(other))));
            }
        }
        // A board without any symmetry has 16 images.
        assert_eq!(images(&symmetries, 0b0000_0000_0010_0011).len(), 16);
    }

    #[test]
    fn a_part_counts_its_pairs_and_finds_nothing_wrong() {
        // The class of the board with a single `1` in a corner: 4 starts with 16 goals each, and the same with
        // exchanged colours.
        let symmetries = Symmetry::all();
        let mut tally = Tally::default();
        compare_class(Board(1), &images(&symmetries, 1), &mut tally);
        assert_eq!((tally.disagreements, tally.boards), (0, 8 * 16));
        let counts: Vec<u64> = tally.histogram.values().copied().collect();
        assert_eq!(counts, [8, 16, 24, 32, 24, 16, 8]);
        assert!(tally.moves_replayed >= 16 && tally.bounds_proved >= 16);
    }

    #[test]
    fn damaged_evidence_does_not_pass() {
        let pair = Pair::new(Board(1), Board(4)).unwrap();
        let mut solution = matching::solve(pair);
        assert_eq!(lower_bound(pair, &solution.heights), Some(2));
        solution.heights[2] += 2;
        assert_eq!(lower_bound(pair, &solution.heights), None);
        assert_eq!(replay(Board(1), &[Exchange { from: 0, to: 2 }]), None);
        assert_eq!(replay(Board(3), &[Exchange { from: 0, to: 1 }]), None);
        assert_eq!(replay(Board(1), &solution.moves), Some(Board(4)));
    }
}
