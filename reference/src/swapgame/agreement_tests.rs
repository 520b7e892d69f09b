//! Compares the solvers with one another and with published facts, and tests the parser, the checker and the shrinker.

use proptest::prelude::*;

use super::*;
use crate::text::Tokens;

/// A random pair: a random start, and a goal with the same number of `1`s on random cells.
fn pairs() -> impl Strategy<Value = Pair> {
    (any::<u16>(), any::<u64>()).prop_map(|(start, seed)| {
        let mut cells: Vec<bool> = (0..CELLS).map(|cell| start >> cell & 1 == 1).collect();
        Random::new(seed, 0).shuffle(&mut cells);
        let goal = cells.iter().rev().fold(0, |board, &one| board << 1 | u16::from(one));
        Pair::new(Board(start), Board(goal)).unwrap()
    })
}

fn inputs() -> impl Strategy<Value = Input> {
    (pairs(), any::<bool>()).prop_map(|(pair, blank_line)| Input { pair, blank_line })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn reading_what_is_printed_gives_the_same_input(input in inputs()) {
        let text = input.print();
        prop_assert_eq!(parse::read(&mut Lines::new(text.as_bytes()), None).unwrap(), Some(input));
    }

    #[test]
    fn reading_never_panics(text in "[01\n x\r]{0,60}") {
        let _ = parse::read(&mut Lines::new(text.as_bytes()), None);
    }

    #[test]
    fn all_solvers_agree_and_every_answer_holds(input in inputs()) {
        let mut tally = Tally::default();
        tally.compare(&SwapGame, &input);
        prop_assert_eq!(tally.disagreements, 0, "{:?}", tally.examples);
        prop_assert_eq!((tally.moves_replayed, tally.bounds_proved), (4, 1));
    }

    #[test]
    fn shrink_steps_are_legal_and_lighter(input in inputs()) {
        for step in input.shrink() {
            prop_assert!(step.weight() < input.weight());
            let text = step.print();
            prop_assert!(parse::read(&mut Lines::new(text.as_bytes()), None).unwrap().is_some());
        }
    }

    #[test]
    fn only_the_blankless_empty_pair_cannot_shrink(input in inputs()) {
        prop_assert_eq!(input.shrink().is_empty(), input.weight() == 0);
    }

    #[test]
    fn no_damaged_answer_passes(pair in pairs(), at in any::<prop::sample::Index>()) {
        let answer = Input { pair, blank_line: false }.solve("matching").unwrap();
        let lines: Vec<&str> = answer.text.lines().collect();
        for damaged in damaged(&lines, at.index(lines.len())) {
            let right = check::check(pair, &mut Tokens::new(damaged.as_bytes()), &answer.value);
            prop_assert!(right.is_err(), "{damaged}");
        }
    }
}

/// Returns damaged answers. They lack a move, contain a move twice, contain a diagonal move or two superfluous moves,
/// or announce too many or too few moves.
fn damaged(lines: &[&str], index: usize) -> Vec<String> {
    let moves: u32 = lines[0].parse().unwrap();
    let with = |count: u32, moves: &[&str]| format!("{count}\n{}\n", moves.join("\n"));
    let mut outputs = vec![with(moves + 1, &lines[1..]), with(moves + 2, &[&lines[1..], &["1121", "1121"]].concat())];
    if moves > 0 {
        let index = index.max(1);
        let left_out = [&lines[1..index], &lines[index + 1..]].concat();
        let doubled = [&lines[1..=index], &lines[index..]].concat();
        let diagonal = [&lines[1..index], &["1122"], &lines[index + 1..]].concat();
        outputs.extend([with(moves, &left_out), with(moves - 1, &left_out), with(moves, &doubled[..moves as usize])]);
        outputs.extend([with(moves, &diagonal), with(moves, &lines[1..moves as usize])]);
    }
    // Doubling the last move and cutting it off again gives the undamaged answer.
    outputs.retain(|output| *output != with(moves, &lines[1..]));
    outputs
}

#[test]
fn every_generated_pair_is_legal_and_solved_alike_by_all() {
    for kind in generate::KINDS {
        let mut tally = Tally::default();
        for index in 0..3 {
            let instance = SwapGame.generate(kind.name, None, &mut Random::new(5, index)).unwrap();
            let text = instance.print();
            let again = SwapGame.read(&mut Lines::new(text.as_bytes()), None).unwrap().unwrap();
            assert_eq!(again.print(), text, "{}", kind.name);
            tally.compare(&SwapGame, again.as_ref());
        }
        assert_eq!((tally.boards, tally.disagreements), (3, 0), "{}: {:?}", kind.name, tally.examples);
    }
}

#[test]
fn an_unknown_solver_is_declined_with_the_names_of_the_others() {
    let input = Input { pair: Pair::new(Board(0), Board(0)).unwrap(), blank_line: false };
    let declined = input.solve("astar").unwrap_err().to_string();
    assert_eq!(declined, "swapgame has no solver 'astar', allowed: matching, subsets, bidirectional, bfs");
}

/// Compares both assignment solvers with the distances that breadth-first search finds from a few starts.
#[test]
fn assignments_equal_breadth_first_search_from_whole_starts() {
    for start in [0x0001, 0x8421, 0x00ff, 0x7fff, 0x35a1, 0x0f01] {
        for (goal, distance) in bfs::distances(Board(start)) {
            let pair = Pair::new(Board(start), goal).unwrap();
            assert_eq!((matching::distance(pair), subsets::distance(pair)), (distance, distance), "{pair:?}");
        }
    }
}

/// Counts pairs by their number of `1`s and their distance. The distance depends only on the cells in which the two
/// boards differ. So each of the 5,196,627 differences is solved once, and counted once for each way of filling the
/// other cells.
#[test]
fn the_distances_of_all_pairs_are_as_published() {
    let mut pairs = [[0_u64; FARTHEST as usize + 1]; CELLS + 1];
    let mut differences = 0;
    for leaving in 0..=u16::MAX {
        let out = leaving.count_ones() as usize;
        if out > CELLS / 2 {
            continue;
        }
        let free = !leaving;
        let mut filling = free;
        // `filling` takes the value of every subset of the cells outside `leaving`.
        loop {
            if filling.count_ones() as usize == out {
                differences += 1;
                let distance = matching::distance(Pair::new(Board(leaving), Board(filling)).unwrap()) as usize;
                for kept in 0..=CELLS - 2 * out {
                    pairs[out + kept][distance] += binomial(CELLS - 2 * out, kept);
                }
            }
            if filling == 0 {
                break;
            }
            filling = (filling - 1) & free;
        }
    }
    assert_eq!(differences, 5_196_627);
    assert_eq!(pairs.iter().flatten().sum::<u64>(), 601_080_390);
    let farthest = pairs.map(|by_distance| by_distance.iter().rposition(|&count| count > 0).unwrap() as u32);
    assert_eq!(farthest, [0, 6, 10, 14, 16, 18, 20, 20, 20, 20, 20, 18, 16, 14, 10, 6, 0]);
    assert_eq!(farthest, generate::FARTHEST_BY_ONES);
    let total: u64 = (0..).zip(pairs[8]).map(|(distance, count)| distance * count).sum();
    let mean = total as f64 / (12_870.0 * 12_870.0);
    assert!((mean - 6.986).abs() < 0.0005, "{mean}");
}

fn binomial(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |product, index| product * (n as u64 - index) / (index + 1))
}
