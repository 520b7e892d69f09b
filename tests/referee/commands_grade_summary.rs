//! What `referee grade` says about a failure, and about all submissions together.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json as value};

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

/// A program that adds numbers.
const ADD: &str = "print(sum(map(int, input().split())))\n";

#[test]
fn a_crash_is_explained_before_the_input_with_the_path_that_the_student_knows() {
    needs!("python3");
    let folder = temporary_folder();
    let program = write(folder.path(), "crash.py", "numbers = [1, 2]\nprint(numbers[5])\n");
    let output = referee(["grade", SUM]).arg(program).output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}"));
    let parts = [
        "  exit code 1\n  IndexError: list index out of range\n",
        "  standard error\n",
        "      File \"crash.py\", line 2, in <module>\n",
        "  input\n",
    ];
    assert!(parts.map(at).is_sorted(), "{text}");
}

#[test]
fn on_a_part_of_the_cases_the_summary_does_not_say_all_as_expected() {
    needs!("python3");
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", "problem_format_version: legacy\nname: Sum\n"),
        ("data/secret/large.in", "40 2\n"),
        ("data/secret/large.ans", "42\n"),
        ("data/secret/small.in", "1 2\n"),
        ("data/secret/small.ans", "3\n"),
        ("submissions/accepted/sum.py", ADD),
        ("submissions/wrong_answer/small.py", "print(min(9, sum(map(int, input().split()))))\n"),
    ];
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    let grade = |cases: &[&str]| {
        let mut command = referee(["grade", "--time-limit", "20"]);
        command.arg(folder.path()).args(cases);
        command
    };
    grade(&["--cases", "secret/small"])
        .assert()
        .code(0)
        .stdout(contains("as expected on 1 of 2 test cases: 2 submissions judged, 2 runs"))
        .stdout(contains("· AC  WA"))
        .stdout(contains("1 test case did not run, so a submission that is expected to fail may have"))
        .stdout(contains("all as expected").not());
    let (_, lines) = json(grade(&["--cases", "secret/small"]));
    assert_eq!(of_type(&lines, "run_started")[0]["part_of_cases"], value!({"used": 1, "all": 2}));
    grade(&[]).assert().code(0).stdout(contains("all as expected")).stdout(contains("✓ WA  WA"));
    let (_, lines) = json(grade(&[]));
    assert_eq!(of_type(&lines, "run_started")[0]["part_of_cases"], Value::Null);
}
