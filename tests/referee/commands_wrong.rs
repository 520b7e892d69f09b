//! Wrong commands: the hint contains a command that works when it is copied into a shell.

use std::path::Path;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Writes the package `my tasks/sum it` and the programs `my tasks/a b.py`, `handed in/amy.py` and `-solver.py`.
fn files(folder: &Path) {
    for (name, text) in [
        (
            "my tasks/sum it/problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\nuuid: \
          2b1d5f9a-0a44-4a1e-9d55-0d8f5c1f6a02\nlimits:\n  time_limit: 1\n",
        ),
        ("my tasks/sum it/data/secret/1.in", "1 2\n"),
        ("my tasks/sum it/data/secret/1.ans", "3\n"),
        ("my tasks/a b.py", RIGHT),
        ("handed in/amy/main.py", RIGHT),
        ("handed in/bob/main.py", RIGHT),
        ("loose/x.py", RIGHT),
        ("loose/y.py", RIGHT),
        ("-solver.py", RIGHT),
    ] {
        write(folder, name, text);
    }
}

/// Runs a wrong command, copies the command of its hint into a shell, and returns that command and its exit code.
fn copied(folder: &Path, wrong: &[&str]) -> (String, Option<i32>) {
    let output = referee(wrong).current_dir(folder).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
    let told = String::from_utf8(output.stderr).expect("it is text");
    let line = told.lines().find_map(|line| line.strip_prefix("  referee "));
    let line = line.unwrap_or_else(|| panic!("{wrong:?} has no command in its hint: {told}"));
    let program = Path::new(env!("CARGO_BIN_EXE_referee")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").expect("a PATH"));
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", &format!("referee {line}")]).current_dir(folder).env("PATH", path).output();
    (line.to_owned(), output.expect("bash starts").status.code())
}

#[test]
fn the_command_of_a_hint_works_when_it_is_copied() {
    needs!("python3", "bash");
    let folder = temporary_folder();
    files(folder.path());
    let task = "my tasks/sum it";
    for (wrong, right) in [
        // The arguments in the wrong order.
        (vec!["grade", "my tasks/a b.py", task, "-q"], "grade 'my tasks/sum it' 'my tasks/a b.py' -q"),
        (vec!["grade", "handed in", task], "grade 'my tasks/sum it' 'handed in'"),
        (
            vec!["grade", "my tasks/a b.py", "flipgame", "--cases", "sample/1"],
            "grade flipgame 'my tasks/a b.py' --cases sample/1",
        ),
        // A part of a package, and a folder of packages.
        (vec!["grade", "my tasks/sum it/data", "my tasks/a b.py"], "grade 'my tasks/sum it' 'my tasks/a b.py'"),
        (vec!["grade", "my tasks", "my tasks/a b.py"], "grade 'my tasks/sum it' 'my tasks/a b.py'"),
        // A name that looks like an option.
        (vec!["grade", task, "-solver.py"], "grade 'my tasks/sum it' -- -solver.py"),
        (vec!["grade", task, "-solver.py", "-q"], "grade 'my tasks/sum it' ./-solver.py -q"),
        // The files of a class in the place of its folder.
        (vec!["grade", task, "--class", "loose/x.py", "loose/y.py"], "grade 'my tasks/sum it' --class loose"),
    ] {
        let (line, code) = copied(folder.path(), &wrong);
        assert_eq!(line, right, "{wrong:?}");
        let expected = if wrong.contains(&"flipgame") { Some(1) } else { Some(0) };
        assert_eq!(code, expected, "referee {line}");
    }
}

#[test]
fn a_package_in_the_place_of_a_program_is_graded_by_the_command_of_the_hint() {
    let folder = temporary_folder();
    files(folder.path());
    write(folder.path(), "outer/inner/problem.yaml", "name: A\n");
    let (line, _) = copied(folder.path(), &["grade", "my tasks/sum it", "outer/inner"]);
    assert_eq!(line, "grade outer/inner");
    let (line, _) = copied(folder.path(), &["grade", "outer"]);
    assert_eq!(line, "grade outer/inner", "a package that was unpacked into a folder of its own name");
}

#[test]
fn programs_without_a_package_get_the_place_where_the_package_belongs() {
    needs!("python3", "bash");
    let folder = temporary_folder();
    files(folder.path());
    for (wrong, right) in [
        (vec!["grade", "handed in"], "  referee grade PACKAGE 'handed in'\n"),
        (vec!["grade", "loose", "-q"], "  referee grade PACKAGE loose -q\n"),
        (vec!["grade", "loose/x.py"], "  referee grade PACKAGE loose/x.py\n"),
    ] {
        let output = referee(&wrong).current_dir(folder.path()).output().expect("referee starts");
        let told = String::from_utf8(output.stderr).expect("it is text");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {told}");
        assert!(told.contains("holds programs, and no problem package is named"), "{told}");
        assert!(told.ends_with(right), "{told}");
    }
    let (line, code) = copied(&folder.path().join("my tasks/sum it"), &["grade", "../a b.py"]);
    assert_eq!((line.as_str(), code), ("grade . '../a b.py'", Some(0)), "the current folder is a package");
}

#[test]
fn an_option_with_a_wrong_number_says_which_numbers_are_allowed() {
    let whole = |most: &str| format!("allowed: a whole number from 1 to {most}\n");
    let time = "allowed: a number of seconds above 0 and up to 1000000, such as 1.5\n";
    let seed = "allowed: a whole number from 0 to 18446744073709551615\n";
    for (command, option, allowed) in [
        ("grade", "--jobs", whole("1024")),
        ("grade", "--memory", whole("16777216")),
        ("grade", "--repeat", whole("1000")),
        ("grade", "--time-limit", time.to_owned()),
        ("strength", "--mutants", whole("4294967295")),
        ("strength", "--seed", seed.to_owned()),
        ("hunt", "--seconds", time.to_owned()),
        ("hunt", "--seed", seed.to_owned()),
    ] {
        for wrong in ["-1", "x", "18446744073709551616"] {
            let output = referee([command, "flipgame", option, wrong]).output().expect("referee starts");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command} {option} {wrong}");
            assert!(error.contains(&allowed), "{command} {option} {wrong}: {error}");
        }
    }
}
