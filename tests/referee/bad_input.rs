//! Illegal boards, missing files and unknown names are reported with their position and a hint.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

/// Illegal inputs: the puzzle, the input, and a text that the message must contain. The positions in these texts were
/// counted by hand.
const ILLEGAL: [(&str, &str, &str); 38] = [
    ("flipgame", "bwwb\nbbwb\nbwwb\n", "line 4, column 1: found the end of the input, allowed: row 4 of 4"),
    ("flipgame", "bwwb\nbbxb\nbwwb\nbwww\n", "line 2, column 3: found 'x', allowed: 'w' or 'b'"),
    ("flipgame", "bwwb\nbbwb\nbwwb\nbwwW\n", "line 4, column 4: found 'W', allowed: 'w' or 'b'"),
    ("flipgame", "bwwb\nbbwbb\nbwwb\nbwww\n", "line 2, column 5: found 'b', allowed: the end of the line"),
    ("flipgame", "bwwb\nbbw\nbwwb\nbwww\n", "line 2, column 4: found the end of the line"),
    ("flipgame", "bwwb\n\nbwwb\nbwww\n", "line 2, column 1: found the end of the line"),
    ("flipgame", "bw\0b\nbbwb\nbwwb\nbwww\n", "line 1, column 3: found a NUL byte (0x00)"),
    ("flipgame", "bwwb\r\nbbwb\r\nbwwb\r\nbwww\r\n", "line 1, column 5: found a carriage return (0x0D"),
    ("flipgame", "bwwb \nbbwb\nbwwb\nbwww\n", "line 1, column 5: found"),
    ("flipgame", "bwwb\nbbwb\nbwwb\nbwww\nbbbb\n", "line 6, column 1: found the end of the input, allowed: row 2 of 4"),
    ("flipgame", "", "line 1, column 1: found the end of the input, allowed: at least one board"),
    ("flipgame", "\n\n", "line 1, column 1: found the end of the input, allowed: at least one board"),
    ("swapgame", "0110\n1000\n0001\n\n1010\n0000\n0101\n0000\n", "line 4, column 1: found the end of the line"),
    ("swapgame", "0110\n1000\n0001\n0000\n", "line 5, column 1: found the end of the input"),
    ("swapgame", "0110\n1000\n0001\n0000\n\n1010\n0000\n0101\n", "line 9, column 1: found the end of the input"),
    ("swapgame", "0110\n1000\n0001\n0000\n\n1010\n0000\n0101\n0001\n", "line 6, column 1: found a second board with 5"),
    (
        "swapgame",
        "0110\n1000\n0001\n0000\n\n1010\n00O0\n0101\n0000\n",
        "line 7, column 3: found 'O', allowed: '0' or '1'",
    ),
    ("swapgame", "0110\n10000\n0001\n0000\n\n1010\n0000\n0101\n0000\n", "line 2, column 5: found '0'"),
    ("swapgame", "0110\n1000\n00\0\n0000\n\n1010\n0000\n0101\n0000\n", "line 3, column 3: found a NUL byte (0x00)"),
    ("swapgame", "", "line 1, column 1: found the end of the input, allowed: at least one board"),
    ("solitaire", "1 1 1 1 5 4 5 5\n4 5 1 2 5 4 1 3\n", "line 1, column 5: found the field 1 1 a second time"),
    ("solitaire", "4 4 4 5 5 4 6 5\n2 4 3 3 6 3 2 4\n", "line 2, column 13: found the field 2 4 a second time"),
    ("solitaire", "1 1 1 2 5 9 5 5\n4 5 1 2 5 4 1 3\n", "line 1, column 11: found '9', allowed: a number from 1 to 8"),
    ("solitaire", "0 1 1 2 5 4 5 5\n4 5 1 2 5 4 1 3\n", "line 1, column 1: found '0', allowed: a number from 1 to 8"),
    ("solitaire", "1 1 1 2 5 -4 5 5\n4 5 1 2 5 4 1 3\n", "line 1, column 11: found '-', allowed: a number from 1 to 8"),
    ("solitaire", "1 1 1 2 5 4 5\n4 5 1 2 5 4 1 3\n", "line 1, column 14: found the end of the line"),
    (
        "solitaire",
        "1 1 1 2 5 4 5 5\n",
        "line 2, column 1: found the end of the input, allowed: the second configuration",
    ),
    ("solitaire", "1 1 1 2 5 4 5 5 1\n4 5 1 2 5 4 1 3\n", "line 1, column 16: found"),
    ("solitaire", "", "line 1, column 1: found the end of the input, allowed: at least one board"),
    ("coins", "A?B\n5\n", "line 1, column 2: found '?', allowed: a row of 2 to 9 coins"),
    ("coins", "A.B\n5\n", "line 1, column 2: found '.', allowed: a row of 2 to 9 coins"),
    ("coins", "ABABABABAB\n5\n", "line 1, column 10: found 'B', allowed: the line's end after at most 9"),
    ("coins", "AAA\n5\n", "line 1, column 4: found the end of the line"),
    ("coins", "ABAB\n", "line 2, column 1: found the end of the input, allowed: the move limit"),
    ("coins", "ABAB\n41\n", "line 2, column 1: found 41, allowed: the move limit, a number from 0 to 40"),
    ("coins", "ABAB\n-1\n", "line 2, column 1: found '-', allowed: the move limit"),
    ("coins", "ABAB\n05\n", "line 2, column 1: found 05, allowed: the move limit"),
    ("coins", "", "line 1, column 1: found the end of the input, allowed: at least one board"),
];

#[test]
fn an_illegal_board_is_refused_with_file_line_and_column() {
    let folder = temporary_folder();
    for (puzzle, input, place) in ILLEGAL {
        write(folder.path(), "board.in", input);
        let mut command = referee(["solve", puzzle, "board.in"]);
        command
            .current_dir(folder.path())
            .assert()
            .code(2)
            .stderr(contains(format!("error: board.in: {place}")))
            .stderr(contains("panicked").not());
    }
}

#[test]
fn check_refuses_the_same_inputs_before_it_looks_at_the_output() {
    let folder = temporary_folder();
    for (puzzle, input, place) in ILLEGAL {
        write(folder.path(), "board.in", input);
        write(folder.path(), "my.out", "0\n");
        let mut command = referee(["check", puzzle, "board.in", "my.out"]);
        command.current_dir(folder.path()).assert().code(2).stderr(contains(format!("error: board.in: {place}")));
    }
}

#[test]
fn standard_input_is_named_as_such() {
    referee(["solve", "flipgame"])
        .write_stdin("bwwb\nb")
        .assert()
        .code(2)
        .stderr(contains("error: standard input: line 2, column 2: found the end of the line"));
}

#[test]
fn a_long_stretch_of_garbage_is_refused_at_its_first_byte_without_being_kept() {
    let folder = temporary_folder();
    for (name, bytes) in [("zeros", vec![0; 4 << 20]), ("letters", vec![b'x'; 4 << 20]), ("bytes", vec![0xff; 4 << 20])]
    {
        fs::write(folder.path().join(name), bytes).expect("a file can be written");
        for puzzle in ["flipgame", "swapgame", "solitaire", "coins"] {
            let mut command = referee(["solve", puzzle, name]);
            let output = command.current_dir(folder.path()).output().expect("referee starts");
            let said = String::from_utf8(output.stderr).expect("a message is UTF-8");
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.starts_with(&format!("error: {name}: line 1, column ")), "{said}");
            assert!(said.len() < 500, "{said}");
        }
    }
}

#[test]
fn boards_before_the_illegal_one_have_been_answered() {
    let board = "bwwb\nbbwb\nbwwb\nbwww\n";
    referee(["solve", "flipgame"])
        .write_stdin(format!("{board}{board}oops\n"))
        .assert()
        .code(2)
        .stdout("4\n4\n")
        .stderr(contains("line 9, column 1: found 'o'"));
}

#[test]
fn files_that_are_not_there_or_are_folders_are_named() {
    referee(["solve", "flipgame", "no/such.in"])
        .assert()
        .code(2)
        .stderr(contains("cannot read no/such.in: No such file"));
    referee(["solve", "flipgame", "src"]).assert().code(2).stderr(contains("cannot read src: is a directory"));
    referee(["check", "flipgame", "no/such.in", "x"]).assert().code(2).stderr(contains("no/such.in"));
    referee(["check", "flipgame", "cases/flipgame/data/sample/1.in", "no/such.out"])
        .assert()
        .code(2)
        .stderr(contains("cannot read no/such.out: No such file"));
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    let wrong: [(&[&str], &str); 11] = [
        (&["grad", "flipgame"], "grade"),
        (&["solve", "flipgaem"], "flipgame, swapgame, solitaire, coins"),
        (&["crosscheck", "flipgaem"], "flipgame, swapgame, solitaire, coins"),
        (&["generate", "nothing"], "flipgame, swapgame, solitaire, coins"),
        (&["solve", "flipgame", "--solver", "row"], "rows, table, gf2, bfs"),
        (&["generate", "flipgame", "--kind", "unifrom"], "black-nearer"),
        (&["solve", "flipgame", "--size", "4"], "ROWSxCOLUMNS"),
        (&["solve", "flipgame", "--size", "65x4"], "each from 1 to 64"),
        (&["generate", "flipgame", "--cuont", "3"], "--count"),
        (&["generate", "flipgame", "--count", "-1"], "allowed: a whole number"),
        (&["crosscheck", "flipgame", "--boards", "many"], "allowed: a whole number"),
    ];
    for (arguments, known) in wrong {
        referee(arguments).assert().code(2).stderr(contains(known)).stderr(contains("panicked").not());
    }
}

#[test]
fn a_size_that_a_puzzle_does_not_have_is_refused() {
    for puzzle in ["swapgame", "solitaire", "coins"] {
        referee(["generate", puzzle, "--size", "3x3"]).assert().code(2).stderr(contains("3x3"));
    }
    referee(["solve", "flipgame", "--size", "3x3"])
        .write_stdin("bbb\nwww\nbwbw\n")
        .assert()
        .code(2)
        .stderr(contains("line 3, column 4"));
}
