//! Tests the solvers against known facts about the puzzle.

use std::collections::{BTreeMap, BTreeSet};

use super::{Board, Coin, Coins, Outcome, bidirectional, sweep};
use crate::puzzle::{Instance, Puzzle, Value};

pub(super) fn board(row: &str, limit: u32) -> Board {
    Board::new(row.chars().map(|c| if c == 'A' { Coin::A } else { Coin::B }).collect(), limit).unwrap()
}

fn values(board: &Board) -> Vec<Value> {
    Coins.solvers().iter().map(|solver| board.solve(solver.name).unwrap().value).collect()
}

#[test]
fn alternating_rows_need_1_5_14_and_30_moves() {
    // Only the fast solver is tested on nine coins, because the two slow ones take seconds. The exhaustive comparison
    // runs all three on nine coins.
    assert_eq!(board("BABABABAB", 40).solve("bidirectional").unwrap().value, Value::Minimum(30));
    assert_eq!(board("BABABABAB", 29).solve("bidirectional").unwrap().value, Value::Impossible);
    for (row, moves) in [("ABA", 1), ("ABABA", 5), ("ABABABA", 14)] {
        assert_eq!(values(&board(row, 40)), vec![Value::Minimum(moves); 3], "{row}");
        assert_eq!(values(&board(row, moves - 1)), vec![Value::Impossible; 3], "{row}");
    }
    assert_eq!(values(&board("BABAA", 40)), vec![Value::Minimum(3); 3]);
}

#[test]
#[ignore = "takes 20 seconds and 2.7 GB in the release profile; .ci/long runs it"]
fn eleven_alternating_coins_need_53_moves() {
    let eleven = board("ABABABABABA", 53);
    let answer = eleven.solve("bidirectional").unwrap();
    assert_eq!(answer.value, Value::Minimum(53));
    assert!(eleven.verify(&answer).unwrap().moves_replayed);
}

#[test]
fn even_alternating_rows_and_the_exceptions_are_impossible() {
    let exceptions = ["ABBBA", "BBAAB", "BAABB", "BBAABB"];
    for row in exceptions.into_iter().chain(["ABAB", "BABABA", "ABABABAB"]) {
        let swapped: String = row.chars().map(|c| if c == 'A' { 'B' } else { 'A' }).collect();
        for row in [row, &swapped] {
            assert_eq!(values(&board(row, 40)), vec![Value::Impossible; 3], "{row}");
        }
    }
}

#[test]
fn the_invariant_proves_all_impossible_rows_but_the_exceptions() {
    for coins in 2..=10 {
        let solved: BTreeSet<u32> = sweep::fewest_moves(coins, 40).into_iter().map(|(bits, _)| bits).collect();
        for bits in 1..(1_u32 << coins) - 1 {
            let row: String = (0..coins).map(|at| if bits >> at & 1 == 1 { 'B' } else { 'A' }).collect();
            let proved = bidirectional::prove_impossible(board(&row, 40).coins()).is_some();
            let exception =
                ["ABBBA", "BBAAB", "BAABB", "BBAABB", "BAAAB", "AABBA", "ABBAA", "AABBAA"].contains(&row.as_str());
            assert_eq!(solved.contains(&bits), !proved && !exception, "{row}");
        }
    }
}

/// Returns the sizes of the first `count` levels of a search. It uses a move generator of its own, which works on text.
fn levels(start: &str, count: usize) -> Vec<usize> {
    let mut seen = BTreeSet::from([start.to_owned()]);
    let mut level = vec![start.to_owned()];
    let mut sizes = vec![1];
    while sizes.len() < count {
        let mut next = Vec::new();
        for row in level.iter().flat_map(|row| neighbours(row)) {
            if seen.insert(row.clone()) {
                next.push(row);
            }
        }
        sizes.push(next.len());
        level = next;
    }
    sizes
}

fn neighbours(row: &str) -> Vec<String> {
    let mirror = |row: &str| row.chars().rev().collect::<String>();
    let mut rows = moves_right(row);
    rows.extend(moves_right(&mirror(row)).iter().map(|row| mirror(row)));
    rows
}

fn moves_right(row: &str) -> Vec<String> {
    let padded = format!("{row}..");
    let mut rows = Vec::new();
    for at in 0..row.len() - 1 {
        let pair = &padded[at..at + 2];
        let passed: String = padded[at + 2..].chars().take_while(|&c| c != '.').collect();
        if (pair == "AB" || pair == "BA") && !passed.is_empty() {
            let rest = &padded[at + 2 + passed.len() + 2..];
            rows.push(format!("{}..{passed}{pair}{rest}", &padded[..at]).trim_matches('.').to_owned());
        }
    }
    rows
}

#[test]
fn the_levels_of_a_search_have_the_known_sizes() {
    assert_eq!(levels("ABABA", 6), [1, 6, 12, 18, 18, 18]);
    assert_eq!(levels("ABABABA", 6), [1, 10, 45, 130, 248, 422]);
}

#[test]
fn the_packed_moves_are_the_moves_of_the_text() {
    let mut level = BTreeSet::from(["ABABABA".to_owned(), "AABBABABB".to_owned()]);
    for _ in 0..4 {
        let mut next = BTreeSet::new();
        for row in &level {
            let mut packed = BTreeSet::new();
            super::packed::tests::parse(row).each_move(|moved| {
                packed.insert(moved.print());
            });
            let text: BTreeSet<String> = neighbours(row).into_iter().collect();
            assert_eq!(packed, text, "{row}");
            next.extend(text);
        }
        level = next;
    }
}

#[test]
fn the_sweep_and_the_solver_say_the_same_of_every_row_of_eight() {
    let swept: BTreeMap<u32, u32> = sweep::fewest_moves(8, 40).into_iter().collect();
    for bits in 1..255_u32 {
        let row = (0..8).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect();
        let moves = match bidirectional::solve(&Board::new(row, 40).unwrap()).unwrap() {
            Outcome::Reached(rows) => Some(rows.len() as u32 - 1),
            Outcome::Impossible(_) => None,
        };
        assert_eq!(swept.get(&bits).copied(), moves, "{bits:b}");
    }
}
