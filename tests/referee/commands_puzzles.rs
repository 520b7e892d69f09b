//! `referee generate` draws boards, `solve` answers them, and `check` accepts the answers.

use std::collections::BTreeMap;
use std::fs;

use predicates::str::contains;
use reference::registry::ALL;

use super::support::command::{names_in, referee, write};
use super::support::damage::damaged;
use super::support::files;
use super::support::program::temporary_folder;

/// Returns the standard output of a command that must succeed.
fn stdout(arguments: &[&str]) -> String {
    let output = referee(arguments).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("what is printed is UTF-8")
}

/// Returns the first word of each entry of a list. Lines that continue an entry start with blanks.
fn names(list: &str) -> Vec<&str> {
    list.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn what_is_generated_is_solved_by_every_solver_and_found_right() {
    let folder = temporary_folder();
    for puzzle in ALL.iter().map(|puzzle| puzzle.name()) {
        let kinds = stdout(&["generate", puzzle, "--list-kinds"]);
        let solvers = stdout(&["solve", puzzle, "--list"]);
        assert!(names(&kinds).len() >= 5 && names(&solvers).len() >= 3, "{puzzle}");
        // Each kind is tried with only one solver, and each solver with only one kind, because some pairs of a kind and
        // a solver take minutes. The library's tests try all pairs.
        let (kinds, solvers) = (names(&kinds), names(&solvers));
        let of_each_kind = kinds.iter().map(|kind| (*kind, solvers[0]));
        for (kind, solver) in of_each_kind.chain(solvers.iter().map(|solver| (kinds[0], *solver))) {
            let input = write(folder.path(), "board.in", &stdout(&["generate", puzzle, "--kind", kind, "--seed", "5"]));
            let input = input.to_str().expect("a temporary path is UTF-8");
            let answer = stdout(&["solve", puzzle, "--solver", solver, input]);
            let output = write(folder.path(), "my.out", &answer);
            referee(["check", puzzle, input]).arg(output).assert().code(0).stdout("right: 1 board\n");
        }
    }
}

#[test]
fn a_damaged_answer_is_found_wrong_with_its_place() {
    let folder = temporary_folder();
    for puzzle in ALL.iter().map(|puzzle| puzzle.name()) {
        let input = files::package(puzzle).join("data/sample/1.in");
        let answer = stdout(&["solve", puzzle, input.to_str().expect("the path is UTF-8")]);
        let wrong: Vec<_> = damaged(&answer).into_iter().filter(|damage| damage.surely_wrong).collect();
        assert!(!wrong.is_empty(), "{puzzle}: no damage of {answer:?} is surely wrong");
        for damage in wrong {
            write(folder.path(), "my.out", &damage.output);
            let mut command = referee(["check", puzzle]);
            let assertion = command.arg(&input).arg("my.out").current_dir(folder.path()).assert().code(1);
            assertion
                .stdout(predicates::str::is_match("^wrong: my.out: line [0-9]+, column [0-9]+: ").expect("a regex"));
        }
    }
}

#[test]
fn check_says_where_an_output_is_wrong_and_why() {
    // The positions were counted by hand, for wrong outputs to the first sample of each package.
    let wrong = [
        ("flipgame", "3\n", "line 1, column 1: found '3', expected '2'"),
        ("flipgame", "  two\n", "line 1, column 3: found 'two'"),
        ("flipgame", "2\n\n 2\n", "line 3, column 2: found '2', expected the end of the output"),
        ("swapgame", "3\n1211\n2131\n3131\n", "line 4, column 1: step 3 ('3131'): cells 31 and 31 are not neighbours"),
        ("swapgame", "3\n1211\n2131\n", "line 4, column 1: the output ends here, expected step 3 of 3"),
        ("swapgame", "3\n1211\n2131\n3142\n", "line 4, column 1: step 3 ('3142')"),
        ("solitaire", "YES\nYES\n", "line 2, column 1: found 'YES', the right answer is NO"),
        ("solitaire", "YES\n", "line 2, column 1: found the end of the output"),
        ("coins", "3\nBABAA\nBA..BAA\nAABBA\n", "line 3, column 1: row 1 of rows 0 to 3, 'BA..BAA': not a legal move"),
        ("coins", "3\nBABAB\nBABA..A\nB..AABA\nBBAAA\n", "line 2, column 1: "),
        ("coins", "Impossible\n", "line 1, column 1: found 'Impossible', expected '3'"),
    ];
    let folder = temporary_folder();
    for (puzzle, output, place) in wrong {
        write(folder.path(), "my.out", output);
        let mut command = referee(["check", puzzle]);
        command.arg(files::package(puzzle).join("data/sample/1.in")).arg("my.out").current_dir(folder.path());
        command.assert().code(1).stdout(predicates::str::starts_with(format!("wrong: my.out: {place}")));
    }
}

#[test]
fn check_gives_up_an_output_that_has_no_end() {
    let mut command = referee(["check", "flipgame"]);
    command.arg(files::package("flipgame").join("data/sample/1.in")).arg("/dev/zero");
    command.assert().code(2).stderr(predicates::str::contains("cannot read /dev/zero: it has more than 256 MiB"));
}

#[test]
fn a_seed_gives_the_same_boards_on_every_machine_and_in_every_version() {
    // If one of these boards changes, the generator's version must be raised: users may have boards of the old version
    // in their regression tests.
    let pinned = [
        ("flipgame", "bbww\nbwbw\nwbbb\nwwww\n"),
        ("swapgame", "1100\n1000\n1011\n1000\n0110\n1010\n0001\n1001\n"),
        ("solitaire", "4 6 7 1 4 5 6 5\n6 3 7 8 8 6 2 1\n"),
        ("coins", "AABBB\n31\n"),
    ];
    assert_eq!(pinned.len(), ALL.len());
    for (puzzle, board) in pinned {
        assert_eq!(stdout(&["generate", puzzle, "--seed", "7"]), board, "{puzzle}");
        assert_ne!(stdout(&["generate", puzzle, "--seed", "8"]), board, "{puzzle}");
        let three = stdout(&["generate", puzzle, "--seed", "7", "--count", "3"]);
        assert!(three.starts_with(board), "the first of several is the same: {puzzle}");
    }
}

#[test]
fn every_board_of_every_input_is_drawn_by_itself() {
    let boards = |count: &str, per_file: &str| {
        stdout(&["generate", "solitaire", "--seed", "7", "--count", count, "--per-file", per_file])
    };
    let (lone, four) = (boards("1", "1"), boards("2", "2"));
    assert!(four.starts_with(&lone), "more boards do not change the first");
    let different: std::collections::BTreeSet<_> =
        four.lines().collect::<Vec<_>>().chunks(2).map(<[_]>::concat).collect();
    assert_eq!(different.len(), 4, "{four}");
    referee(["generate", "flipgame", "--per-file", "2"])
        .assert()
        .code(2)
        .stderr(contains("contains exactly one board"));
    let folder = temporary_folder();
    referee(["generate", "flipgame", "--kind", "rounds-6", "--out"]).arg(folder.path()).assert().code(0);
    assert_eq!(names_in(folder.path()), ["01-rounds-6.ans", "01-rounds-6.in"]);
}

#[test]
fn all_65536_flip_boards_are_answered_in_one_go_as_the_facts_have_it() {
    let letter = |number: u32, cell: u32| if number >> cell & 1 == 1 { 'b' } else { 'w' };
    let row = |number: u32, row: u32| (0..4).map(|column| letter(number, row * 4 + column)).collect::<String>() + "\n";
    let boards: String = (0..1 << 16).flat_map(|number| (0..4).map(move |index| row(number, index))).collect();
    // The statement gives these numbers: how many boards need 0 to 6 rounds, and how many boards have no solution.
    let facts =
        [("0", 2), ("1", 32), ("2", 228), ("3", 880), ("4", 1562), ("5", 1136), ("6", 256), ("Impossible", 61440)];
    for solver in ["rows", "table", "gf2"] {
        let mut command = referee(["solve", "flipgame", "--solver", solver]);
        let output = command.write_stdin(boards.clone()).output().expect("referee starts");
        let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        text.lines().for_each(|line| *counts.entry(line).or_default() += 1);
        assert_eq!(counts, BTreeMap::from(facts), "{solver}");
    }
}

#[test]
fn large_flip_boards_are_served_by_the_solvers_that_can() {
    let board = stdout(&["generate", "flipgame", "--size", "19x19", "--kind", "solvable", "--seed", "2"]);
    assert_eq!(board.lines().count(), 19);
    let solve = |solver: &str| {
        referee(["solve", "flipgame", "--size", "19x19", "--solver", solver]).write_stdin(board.clone()).output()
    };
    let answer = solve("gf2").expect("referee starts");
    assert!(String::from_utf8_lossy(&answer.stdout).trim().parse::<u32>().is_ok_and(|rounds| rounds <= 361));
    let refused = solve("bfs").expect("referee starts");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).starts_with("error: standard input: "));
}

#[test]
fn generated_files_hold_an_input_and_the_agreed_answer_each() {
    let folder = temporary_folder();
    for (puzzle, kind) in
        [("flipgame", "rounds-6"), ("swapgame", "balanced"), ("solitaire", "exactly-9"), ("coins", "uniform")]
    {
        let out = folder.path().join(puzzle);
        let mut command = referee(["generate", puzzle, "--kind", kind, "--count", "3", "--seed", "1", "--out"]);
        command.arg(&out).assert().code(0).stderr(contains(format!("3 {kind} inputs with answers in ")));
        let names = names_in(&out);
        assert_eq!(names.len(), 6, "{names:?}");
        let inputs = files::with_ending(&out, "in");
        assert_eq!(inputs.len(), 3, "{names:?}");
        for input in inputs {
            let answer = input.with_extension("ans");
            referee(["check", puzzle]).arg(&input).arg(&answer).assert().code(0);
            if puzzle == "flipgame" {
                assert_eq!(fs::read_to_string(answer).expect("the answer is there"), "6\n");
            }
        }
    }
}

#[test]
fn the_bundled_answers_are_right_by_check_too() {
    for puzzle in ALL.iter().map(|puzzle| puzzle.name()) {
        for input in files::inputs(puzzle, &["sample"]) {
            referee(["check", puzzle]).arg(&input).arg(input.with_extension("ans")).assert().code(0);
        }
    }
}
