//! Tests that concern all solvers together, and facts measured by other programs.

use proptest::prelude::*;

use super::*;
use crate::registry::by_name;

const NAMES: [&str; 4] = ["rows", "table", "gf2", "bfs"];

fn small_boards() -> impl Strategy<Value = Board> {
    (1..=4_usize, 1..=4_usize, any::<u64>())
        .prop_map(|(rows, columns, bits)| board(rows, columns, |row| bits >> (16 * row)))
}

fn large_boards() -> impl Strategy<Value = Board> {
    (1..=64_usize, 1..=64_usize, any::<u64>()).prop_map(|(rows, columns, seed)| {
        let mut random = Random::new(seed, 0);
        board(rows, columns, |_| random.bits())
    })
}

fn board(rows: usize, columns: usize, mut row: impl FnMut(usize) -> u64) -> Board {
    let mut board = Board::white(Size { rows, columns }).unwrap();
    (0..rows).for_each(|r| board.set_row(r, row(r)));
    board
}

fn accepts(board: &Board, output: &str, right: &Value) -> bool {
    board.check(&mut Tokens::new(output.as_bytes()), right).is_ok()
}

#[test]
fn all_boards_have_the_known_numbers_of_rounds_and_three_solvers_agree() {
    // Independent programs counted the boards that need 0, 1, 2, 3, 4, 5 and 6 rounds, and the Impossible boards.
    let known = [2, 32, 228, 880, 1562, 1136, 256, 61_440];
    let mut found = [0; 8];
    for packed in 0..=u16::MAX {
        let board = Board::packed(packed);
        let rounds = rows::solve(&board).unwrap().rounds();
        assert_eq!(rounds, table::solve(&board).unwrap().rounds(), "{board}");
        assert_eq!(rounds, gf2::solve(&board).unwrap().rounds(), "{board}");
        found[rounds.map_or(7, |rounds| rounds as usize)] += 1;
    }
    assert_eq!(found, known);
}

#[test]
fn one_part_of_the_exhaustive_comparison_is_clean_and_there_are_64() {
    let mut tally = Tally::default();
    Flipgame.exhaustive_part(37, &mut tally);
    assert_eq!((tally.boards, tally.disagreements), (1024, 0), "{:?}", tally.examples);
    // Two of the four solvers prove that boards are Impossible. For every solved board, the rounds of all four are
    // replayed.
    let impossible = tally.histogram[&Value::Impossible];
    assert_eq!((tally.bounds_proved, tally.moves_replayed), (2 * impossible, 4 * (1024 - impossible)));
    assert!(tally.declined.is_empty());
    Flipgame.exhaustive_part(64, &mut tally);
    assert_eq!(tally.boards, 1024);
}

#[test]
fn a_board_known_to_be_among_the_hardest_needs_six_rounds() {
    let text = "wwww\nwwbb\nbwbb\nwbwb\n";
    let board = Flipgame.read(&mut Lines::new(text.as_bytes()), None).unwrap().unwrap();
    for name in NAMES {
        let answer = board.solve(name).unwrap();
        assert_eq!((answer.value, answer.text), (Value::Minimum(6), "6\n".to_owned()), "{name}");
    }
}

#[test]
fn every_kind_keeps_its_promise_on_every_draw() {
    for (number, kind) in Flipgame.kinds().iter().enumerate() {
        for index in 0..40 {
            let mut random = Random::new(number as u64, index);
            let board = generate::draw(kind.name, PACKAGE_SIZE, &mut random).unwrap();
            let read = Flipgame.read(&mut Lines::new(board.print().as_bytes()), None).unwrap().unwrap();
            assert_eq!(read.print(), board.print());
            assert!(is_of_kind(&board, kind.name), "{}\n{board}", kind.name);
        }
    }
}

/// Returns whether the board has the property of `kind`. To be independent of the generator's solvers, runs bfs. For
/// the kinds that depend on the distance to a single goal, tries all sets of rounds.
fn is_of_kind(board: &Board, kind: &str) -> bool {
    let rounds = bfs::solve(board).unwrap().rounds();
    let one_off = |target: u32| board.blacks().abs_diff(target) == 1;
    match kind {
        "uniform" => true,
        "solvable" | "sides" => rounds.is_some(),
        "impossible" => rounds.is_none(),
        "one-piece" => one_off(0) || one_off(16),
        "almost" => {
            rounds.is_none()
                && (0..16).any(|cell| {
                    let turned = Board::packed(board.as_packed().unwrap() ^ 1 << cell);
                    bfs::solve(&turned).unwrap().rounds().is_some()
                })
        }
        "black-nearer" => rounds_to(board, 0xFFFF) < rounds_to(board, 0),
        "white-nearer" => rounds_to(board, 0) < rounds_to(board, 0xFFFF),
        _ => rounds == kind.strip_prefix("rounds-").and_then(|rounds| rounds.parse().ok()),
    }
}

/// Returns the fewest rounds to one goal, by trying all 65,536 sets of rounds.
fn rounds_to(board: &Board, goal: u16) -> u32 {
    let cross = |cell: u32| -> u16 {
        let near = |other: &u32| (cell / 4).abs_diff(other / 4) + (cell % 4).abs_diff(other % 4) <= 1;
        (0..16).filter(near).fold(0, |bits, other| bits | 1 << other)
    };
    let crosses: Vec<u16> = (0..16).map(cross).collect();
    let turned = |set: u16| (0..16).filter(|cell| set >> cell & 1 == 1).fold(0, |bits, cell| bits ^ crosses[cell]);
    let wanted = board.as_packed().unwrap() ^ goal;
    (0..=u16::MAX).filter(|&set| turned(set) == wanted).map(u16::count_ones).min().unwrap()
}

#[test]
fn a_kind_that_a_size_does_not_have_is_refused_with_the_reason() {
    let draw = |kind: &str, rows, columns| {
        generate::draw(kind, Size { rows, columns }, &mut Random::new(1, 1)).unwrap_err().to_string()
    };
    assert!(draw("impossible", 3, 3).contains("every board of this size can be solved"));
    assert!(draw("rounds-5", 2, 2).contains("no 2x2 board needs 5 rounds"));
    assert!(draw("white-nearer", 39, 39).contains("not known for this size"));
    assert!(draw("uniform", 65, 1).contains("1 to 64 rows"));
    for kind in ["hard", "rounds-7", "rounds-06", "rounds-"] {
        assert!(draw(kind, 4, 4).contains("allowed: uniform, solvable, impossible, rounds-0"), "{kind}");
    }
}

#[test]
fn other_sizes_are_drawn_truthfully_too() {
    let draw = |kind, rows, columns| generate::draw(kind, Size { rows, columns }, &mut Random::new(9, 4)).unwrap();
    assert_eq!(rows::solve(&draw("rounds-6", 10, 12)).unwrap().rounds(), Some(6));
    assert_eq!(rows::solve(&draw("impossible", 9, 9)).unwrap(), Solution::Impossible);
    assert!(rows::solve(&draw("solvable", 19, 19)).unwrap().rounds().is_some());
    assert_eq!(draw("uniform", 64, 64).cells(), 4096);
}

#[test]
fn the_same_seed_gives_the_same_board_for_ever() {
    // These values prove nothing by themselves. They are pinned at version 1, so that this test fails if a change
    // alters the boards of published seeds. Such a change must raise generator_version.
    let drawn = ["uniform", "rounds-6", "almost"]
        .map(|kind| generate::draw(kind, PACKAGE_SIZE, &mut Random::new(1, 0)).unwrap().as_packed().unwrap());
    assert_eq!(drawn, [41_711, 50_562, 37_832]);
}

#[test]
fn the_checker_names_the_place_and_what_was_expected() {
    let board = Board::packed(0);
    let says = |output: &str, right: Value| {
        board.check(&mut Tokens::new(output.as_bytes()), &right).map_err(|error| error.to_string())
    };
    assert_eq!(says(" \n 4 7", Value::Minimum(4)), Ok(()));
    let refused = [
        ("", Value::Minimum(4), "line 1, column 1: the output ends here, expected 4"),
        ("\n  5", Value::Minimum(4), "line 2, column 3: found '5', expected '4': fewer rounds are enough"),
        ("3", Value::Minimum(4), "line 1, column 1: found '3', expected '4': that is too few rounds"),
        ("04", Value::Minimum(4), "line 1, column 1: found '04', expected '4', digits without sign or leading zeros"),
        (
            "impossible",
            Value::Impossible,
            "line 1, column 1: found 'impossible', expected 'Impossible' (exactly so; case matters)",
        ),
        (
            "0",
            Value::Impossible,
            "line 1, column 1: found '0', expected 'Impossible': no sequence of rounds makes this board one colour",
        ),
        ("at most 4", Value::Minimum(4), "line 1, column 1: found 'at', expected '4', a number of rounds"),
        ("4", Value::AtMost(4), "line 1, column 1: found '4'; the fewest rounds are only known to be at most 4"),
        ("5", Value::AtMost(4), "line 1, column 1: found '5', expected the fewest rounds, which are at most 4"),
    ];
    for (output, right, message) in refused {
        assert_eq!(says(output, right), Err(message.to_owned()));
    }
}

#[test]
fn tokens_after_the_answer_are_left() {
    let mut tokens = Tokens::new(&b"4\n7\n"[..]);
    Board::packed(0).check(&mut tokens, &Value::Minimum(4)).unwrap();
    assert_eq!(tokens.next_token().unwrap().unwrap().bytes, b"7");
}

#[test]
fn an_answer_without_a_proved_minimum_says_so_and_is_no_minimum_to_the_checker() {
    let size = Size { rows: 39, columns: 39 };
    let board = generate::draw("solvable", size, &mut Random::new(4, 4)).unwrap();
    let answer = board.solve("gf2").unwrap();
    let Value::AtMost(rounds) = answer.value else { panic!("{}", answer.value) };
    assert_eq!(answer.text, format!("at most {rounds} (the solver did not look for the minimum)\n"));
    assert!(board.verify(&answer).unwrap().moves_replayed);
    assert!(!accepts(&board, &answer.text, &Value::Minimum(rounds)));
}

#[test]
fn an_unknown_solver_and_a_board_too_large_are_declined_in_words() {
    let large = board(30, 30, |_| 0);
    assert!(large.solve("dfs").unwrap_err().to_string().contains("allowed: rows, table, gf2, bfs"));
    for name in ["rows", "table", "bfs"] {
        let reason = large.solve(name).unwrap_err().to_string();
        assert!(reason.contains("30x30") && reason.contains("gf2"), "{reason}");
    }
    assert_eq!(large.solve("gf2").unwrap().value, Value::Minimum(0));
    // Tries each of these solvers on a board that it accepts and on a board that is too large.
    let serves = |name, rows, columns| board(rows, columns, |_| 0).solve(name).is_ok();
    assert_eq!([serves("rows", 60, 12), serves("rows", 25, 25)], [true, false]);
    assert_eq!([serves("table", 4, 5), serves("table", 3, 7)], [true, false]);
    assert_eq!([serves("bfs", 5, 4), serves("bfs", 7, 3)], [true, false]);
}

#[test]
fn the_puzzle_is_in_the_registry() {
    assert_eq!(by_name("flipgame").unwrap().solvers()[0].name, "rows");
    assert!(Flipgame.question().len() <= 72);
    assert!(Flipgame.solvers().iter().all(|solver| solver.method.len() <= 60));
    assert!(Flipgame.kinds().iter().all(|kind| kind.about.len() <= 60));
}

proptest! {
    #[test]
    fn printing_and_reading_give_the_same_board(board in large_boards()) {
        let read = parse::read(&mut Lines::new(board.print().as_bytes()), Some(board.size())).unwrap();
        prop_assert_eq!(read, Some(board));
    }

    #[test]
    fn no_bytes_make_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let _ = parse::read(&mut Lines::new(&bytes[..]), None);
    }

    #[test]
    fn all_solvers_agree_on_small_boards_of_every_shape(board in small_boards()) {
        let mut tally = Tally::default();
        tally.compare(&Flipgame, &board);
        prop_assert_eq!(tally.disagreements, 0, "{:?}", tally.examples);
        prop_assert!(tally.declined.is_empty());
    }

    #[test]
    fn every_shrink_step_is_a_lighter_board_of_the_same_size(board in small_boards()) {
        for smaller in board.shrink() {
            prop_assert!(smaller.weight() < board.weight());
            let read = parse::read(&mut Lines::new(smaller.print().as_bytes()), Some(board.size())).unwrap().unwrap();
            prop_assert_eq!(read.size(), board.size());
        }
        prop_assert_eq!(board.shrink().is_empty(), board.blacks() == 0);
    }

    #[test]
    fn damaged_answers_are_refused(board in small_boards(), place in any::<prop::sample::Index>()) {
        for name in NAMES {
            let answer = board.solve(name).unwrap();
            prop_assert!(accepts(&board, &answer.text, &answer.value));
            let zero_before = format!("0{}", answer.text);
            prop_assert!(!accepts(&board, &zero_before, &answer.value));
            prop_assert!(!accepts(&board, &answer.text.to_uppercase().replace(|c: char| c.is_ascii_digit(), ""), &answer.value));
            let Some(certificate) = answer.certificate.clone().filter(|cells| !cells.is_empty()) else { continue };
            let mut damaged = vec![certificate.clone(); 4];
            damaged[0].remove(place.index(certificate.len()));
            damaged[1].push(certificate[0]);
            damaged[2].push(-1);
            damaged[3].push(board.cells() as i64);
            for certificate in damaged {
                let damaged = Answer { certificate: Some(certificate), ..answer.clone() };
                prop_assert!(board.verify(&damaged).is_err(), "{name} {damaged:?}\n{board}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_and_gf2_agree_on_boards_up_to_twelve_by_forty(columns in 1..=12_usize, rows in 1..=40_usize, seed in any::<u64>()) {
        let size = Size { rows, columns };
        let kind = if seed % 4 == 0 { "uniform" } else { "solvable" };
        prop_assume!(gf2::kernel_dimension(size).unwrap() <= 10);
        let board = generate::draw(kind, size, &mut Random::new(seed, 0)).unwrap();
        let mut tally = Tally::default();
        tally.compare(&Flipgame, &board);
        prop_assert_eq!(tally.disagreements, 0, "{:?}", tally.examples);
    }

    #[test]
    fn gf2_proves_what_it_says_about_boards_of_any_size(board in large_boards()) {
        prop_assume!(!(11..=gf2::LARGEST_KERNEL).contains(&gf2::kernel_dimension(board.size()).unwrap()));
        let answer = board.solve("gf2").unwrap();
        let evidence = board.verify(&answer).unwrap();
        prop_assert!(evidence.moves_replayed || evidence.bound_proved);
    }
}
