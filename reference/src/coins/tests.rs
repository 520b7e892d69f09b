//! Compares the solvers, the checker and the generator with one another.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::facts::board;
use super::{Board, Coin, Coins, bfs, dfs, exhaust, generate};
use crate::disagreement::Tally;
use crate::puzzle::{Answer, Instance, Puzzle, Value};
use crate::text::{Lines, Tokens};
use referee_random::Random;

fn check(board: &Board, text: &str, right: &Value) -> Result<(), String> {
    board.check(&mut Tokens::new(text.as_bytes()), right).map_err(|error| error.to_string())
}

#[test]
fn rows_of_up_to_seven_coins_agree_with_every_limit_that_matters() {
    let mut tally = Tally::default();
    for coins in exhaust::rows().filter(|row| row.len() <= 7) {
        for limit in [0, 1, 2, 3, 5, 8, 13, 14, 40] {
            tally.compare(&Coins, &Board::new(coins.clone(), limit).unwrap());
        }
    }
    assert_eq!((tally.disagreements, &tally.examples), (0, &Vec::new()));
    assert_eq!(tally.boards, 240 * 9);
    assert!(tally.declined.is_empty());
}

#[test]
fn the_parts_cover_every_row_once() {
    let rows: Vec<_> = exhaust::rows().collect();
    assert_eq!(rows.len(), (2..=9).map(|length| (1 << length) - 2).sum::<usize>());
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
}

#[test]
fn every_kind_keeps_its_promise() {
    for kind in Coins.kinds() {
        for index in 0..6 {
            let board = generate::board(kind.name, None, &mut Random::new(11, index)).unwrap();
            let text = board.to_string();
            let read = Coins.read(&mut Lines::new(text.as_bytes()), None).unwrap().unwrap();
            assert_eq!(read.print(), text, "{}", kind.name);
            let answer = board.solve("bidirectional").unwrap();
            keeps(kind.name, &board, &answer.value, answer.certificate.is_some());
        }
    }
}

fn keeps(kind: &str, board: &Board, value: &Value, parted: bool) {
    let unlimited = Board::new(board.coins().to_vec(), 40).unwrap().solve("bidirectional").unwrap().value;
    let kept = match kind {
        "sorted" => *value == Value::Minimum(0),
        "long" => matches!(value, Value::Minimum(14..)),
        "invariant" => *value == Value::Impossible && parted,
        "exception" => unlimited == Value::Impossible && !parted,
        "limit-short" => *value == Value::Impossible && unlimited == Value::Minimum(board.limit() + 1),
        "limit-exact" => *value == Value::Minimum(board.limit()),
        "limit-zero" => board.limit() == 0,
        "limit-forty" => board.limit() == 40,
        "nine" => board.coins().len() == 9,
        "alternating" => board.coins().windows(2).all(|pair| pair[0] != pair[1]),
        "near-alternating" => board.coins().len() % 2 == 1,
        "lone" => [1, board.coins().len() - 1].contains(&board.row().matches('A').count()),
        "uniform" => true,
        exact => exact.strip_prefix("moves-").unwrap() == value.to_string(),
    };
    assert!(kept, "{kind}: {board} is {value}");
}

#[test]
fn unknown_kinds_and_sizes_are_refused_with_what_is_allowed() {
    let error = |kind, size| generate::board(kind, size, &mut Random::new(1, 1)).unwrap_err().to_string();
    assert!(error("moves-7", None).contains("uniform, nine"));
    assert!(error("uniform", Some(crate::puzzle::Size { rows: 1, columns: 9 })).contains("no board size"));
}

#[test]
fn the_checker_names_the_row_the_line_and_the_rule() {
    let five = "ABABA";
    let right = "1\nABA\nBA..A\n";
    let wrong = [
        ("ABA", "1\nBA..A\nABA\n", "line 2, column 1: row 0"),
        ("ABA", "1\nABA\nABA\n", "same row"),
        ("ABA", right, "not a legal move"),
        ("ABA", "1\nABA\nA..AB\n", "not a legal move"),
        ("ABA", "1\nABA\n", "end of the output"),
        ("ABA", "2\nABA\nAAB\n", "found '2', expected '1'"),
        ("ABA", "1\nABA\nA.AB\n", "cells; legal moves leave only even gaps"),
        ("ABA", "1\nABA\n..AAB\n", "begins or ends with '.'"),
        ("ABA", "1\nABA\nABB\n", "1 A and 2 B"),
        ("ABA", "1\nABA\nAaB\n", "neither"),
    ];
    for (row, text, expected) in wrong {
        let error = check(&board(row, 40), text, &Value::Minimum(1)).unwrap_err();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let rules = [
        ("ABABA\nA..BAAB", "order"),
        ("ABABA\nABA..BA", "touch the pair"),
        ("AABBA\nBBAAA", "different"),
        ("ABABA\nABA..AB", "right next to them"),
        ("ABABA\nBBAAA", "no move of two touching"),
    ];
    for (rows, expected) in rules {
        let start = rows.lines().next().unwrap();
        let error = check(&board(start, 40), &format!("5\n{rows}\n"), &Value::Minimum(5)).unwrap_err();
        assert!(error.contains(expected) && error.contains("line 3"), "{rows:?}: {error}");
    }
    assert!(check(&board(five, 3), "impossible\n", &Value::Impossible).unwrap_err().contains("'Impossible'"));
    assert!(check(&board(five, 3), "5\n", &Value::Impossible).unwrap_err().contains("at most 3 moves"));
}

#[test]
fn the_checker_accepts_an_answer_written_by_hand() {
    // By hand: the first two coins, AB, pass over the last A, so ABA becomes AAB. Only AAB and BAA are goals.
    let text = "1\nABA\nAAB\nrest";
    let mut tokens = Tokens::new(text.as_bytes());
    let board = board("ABA", 1);
    board.check(&mut tokens, &Value::Minimum(1)).unwrap();
    assert_eq!(tokens.next_token().unwrap().unwrap().bytes, b"rest");
}

#[test]
fn a_damaged_certificate_is_refused() {
    let board = board("ABAB", 9);
    let answer = board.solve("bidirectional").unwrap();
    assert!(board.verify(&answer).unwrap().bound_proved);
    for at in 0..4 {
        let mut damaged = answer.clone();
        damaged.certificate.as_mut().unwrap()[at] += 1;
        assert!(board.verify(&damaged).is_err(), "{at}");
    }
}

#[test]
fn a_way_that_is_none_is_refused() {
    let solved = board("BABAA", 31);
    let good = solved.solve("bidirectional").unwrap();
    assert_eq!(good.value, Value::Minimum(3));
    assert!(solved.verify(&good).unwrap().moves_replayed);
    assert!(board("BABAA", 2).verify(&good).is_err(), "it takes more moves than the limit");
    let lines: Vec<_> = good.text.lines().collect();
    let damaged = [lines[..4].to_vec(), [&lines[..2], &lines[1..]].concat(), [&["4"], &lines[1..]].concat()];
    for lines in damaged {
        assert!(solved.verify(&Answer { text: lines.join("\n") + "\n", ..good.clone() }).is_err(), "{lines:?}");
    }
    assert!(solved.verify(&Answer { text: good.text.trim_end().to_owned(), ..good.clone() }).is_err());
}

#[test]
fn bfs_and_dfs_decline_what_they_do_not_serve() {
    let serve = |row: &str, limit: u32| {
        let board = board(row, limit);
        [bfs::solve(&board).is_ok(), dfs::solve(&board).is_ok()]
    };
    assert_eq!(serve("ABABABABABA", 40), [false, false]);
    assert_eq!(serve("AAAAABBBBB", 40), [true, true]);
    assert_eq!(serve("AAAAABBBBB", 41), [true, false]);
}

fn any_board() -> impl Strategy<Value = Board> {
    (2_usize..=7, any::<u32>(), 0_u32..=40).prop_map(|(length, bits, limit)| {
        let bits = 1 + bits % ((1 << length) - 2);
        let coins = (0..length).map(|at| if bits >> at & 1 == 1 { Coin::B } else { Coin::A }).collect();
        Board::new(coins, limit).unwrap()
    })
}

proptest! {
    #[test]
    fn a_printed_board_is_read_back(board in any_board()) {
        let text = board.to_string();
        prop_assert_eq!(super::parse::board(&mut Lines::new(text.as_bytes()), None).unwrap(), Some(board));
    }

    #[test]
    fn every_answer_is_accepted_and_every_damage_to_it_refused(board in any_board()) {
        for solver in Coins.solvers() {
            let answer = board.solve(solver.name).unwrap();
            prop_assert!(board.verify(&answer).is_ok());
            prop_assert_eq!(check(&board, &answer.text, &answer.value), Ok(()));
            let lines: Vec<&str> = answer.text.lines().collect();
            for at in 0..lines.len() {
                let mut short = lines.clone();
                short.remove(at);
                prop_assert!(check(&board, &short.join("\n"), &answer.value).is_err());
                let mut twice = lines.clone();
                twice.insert(at, lines[at]);
                // A second copy of the last line comes after the answer, so the checker does not read it.
                prop_assert_eq!(check(&board, &twice.join("\n"), &answer.value).is_err(), at + 1 < lines.len());
            }
        }
    }

    #[test]
    fn every_shrink_step_is_legal_and_lighter(board in any_board()) {
        for step in board.shrink() {
            prop_assert!(step.weight() < board.weight());
            let text = step.print();
            prop_assert!(Coins.read(&mut Lines::new(text.as_bytes()), None).unwrap().is_some());
        }
    }
}
