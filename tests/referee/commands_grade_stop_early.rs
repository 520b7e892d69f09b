//! Runs `referee grade --stop-early`, which ends a submission once its declaration is decided.

use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

/// A program that adds two numbers.
const ADD: &str = "print(sum(map(int, input().split())))\n";

/// Returns the exit code and, for each submission, its name, its verdict, whether the verdict is as expected, and the
/// number of test cases on which it was run.
fn judged(command: assert_cmd::Command) -> (i32, Vec<(String, Value, Value, u64)>) {
    let (code, lines) = json(command);
    let one = |line: &&Value| {
        let name = line["submission"].as_str().expect("a name").to_owned();
        (name, line["verdict"].clone(), line["as_expected"].clone(), line["cases_run"].as_u64().expect("a number"))
    };
    (code, of_type(&lines, "submission_finished").iter().map(one).collect())
}

#[test]
fn with_stop_early_a_submission_ends_once_its_declaration_is_decided() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("add");
    write(
        &package,
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Add\nuuid: 0c6a\nlimits: {time_limit: 5}\n",
    );
    for case in ["secret/1", "secret/2", "secret/3", "secret/4"] {
        write(&package, &format!("data/{case}.in"), &format!("{} 1\n", &case[7..]));
        let sum = case[7..].parse::<u32>().expect("a number") + 1;
        write(&package, &format!("data/{case}.ans"), &format!("{sum}\n"));
    }
    let wrong_from_two = "a, b = map(int, input().split())\nprint(a + b if a < 2 else 0)\n";
    let crash_at_three = "a, b = map(int, input().split())\nassert a != 3\nprint(0 if a == 2 else a + b)\n";
    write(&package, "submissions/accepted/right.py", ADD);
    write(&package, "submissions/accepted/wrong.py", wrong_from_two);
    write(&package, "submissions/wrong_answer/crash.py", crash_at_three);
    write(&package, "submissions/wrong_answer/wrong.py", wrong_from_two);
    write(&package, "submissions/rejected/any.py", wrong_from_two);
    let path = package.to_str().expect("it is text");
    let row = |name: &str, verdict: &str, as_expected: bool, cases: u64| {
        (name.to_owned(), Value::from(verdict), Value::from(as_expected), cases)
    };
    let early = [
        row("accepted/right.py", "AC", true, 4),
        // The first wrong answer breaks the declaration.
        row("accepted/wrong.py", "WA", false, 2),
        // A submission in `rejected` may fail in any way, so its first failure already meets the declaration.
        row("rejected/any.py", "WA", true, 2),
        // Only the run-time error on the third test case breaks the declaration.
        row("wrong_answer/crash.py", "WA", false, 3),
        // On the last test case, another verdict such as RTE could still break the declaration. So the submission runs
        // on all cases.
        row("wrong_answer/wrong.py", "WA", true, 4),
    ];
    let (code, found) = judged(referee(["grade", path, "--stop-early", "--no-cache", "-j", "2"]));
    assert_eq!((code, found), (1, early.to_vec()));
    // Without the option, every submission is run on every test case, with the same verdicts.
    let (code, found) = judged(referee(["grade", path, "--no-cache"]));
    let whole = early.map(|(name, verdict, as_expected, _)| (name, verdict, as_expected, 4));
    assert_eq!((code, found), (1, whole.to_vec()));
    referee(["grade", path, "--stop-early", "--all-cases"]).assert().code(2).stderr(contains("cannot be used with"));
}

#[test]
fn with_stop_early_a_legacy_submission_ends_at_the_failure_that_decides_its_verdict() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("add");
    write(&package, "problem.yaml", "name: Add\n");
    write(&package, ".timelimit", "5\n");
    for case in 1..=4 {
        write(&package, &format!("data/secret/{case}.in"), &format!("{case} 1\n"));
        write(&package, &format!("data/secret/{case}.ans"), &format!("{}\n", case + 1));
    }
    write(&package, "submissions/accepted/right.py", ADD);
    write(&package, "submissions/mixed/tagged.py", "# @EXPECTED_RESULTS@: WRONG_ANSWER\nprint(0)\n");
    write(&package, "submissions/run_time_error/crash.py", "exit(1)\n");
    write(&package, "submissions/wrong_answer/crash.py", "exit(1)\n");
    write(&package, "submissions/wrong_answer/wrong.py", "print(0)\n");
    let path = package.to_str().expect("it is text");
    let cases = |options: &[&str]| {
        let mut command = referee(["grade", path, "--no-cache"]);
        command.args(options);
        judged(command)
            .1
            .into_iter()
            .map(|(name, _, as_expected, cases)| (name, as_expected, cases))
            .collect::<Vec<_>>()
    };
    let row = |name: &str, as_expected: bool, cases: u64| (name.to_owned(), Value::from(as_expected), cases);
    let early = [
        row("accepted/right.py", true, 4),
        // The tag is about the overall verdict, which the first failure decides.
        row("mixed/tagged.py", true, 1),
        // One run-time error meets the declaration. Then any other failure is permitted, too.
        row("run_time_error/crash.py", true, 1),
        row("wrong_answer/crash.py", false, 1),
        row("wrong_answer/wrong.py", true, 4),
    ];
    assert_eq!(cases(&["--stop-early"]), early);
    assert_eq!(cases(&[]), early.map(|(name, as_expected, _)| (name, as_expected, 4)));
}
