//! `referee grade --points`: points from 0 to 100 for every program.

use std::path::Path;

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::{Value, json as value};
use tempfile::TempDir;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

/// A package with two groups. The programs print a number: `ok 1 2` is accepted on the cases 1 and 2.
const EXERCISE: [(&str, &str); 13] = [
    ("exercise/problem.yaml", "problem_format_version: legacy\nname: Doubles\n"),
    ("exercise/data/sample/1.in", "0\n"),
    ("exercise/data/sample/1.ans", "0\n"),
    ("exercise/data/secret/easy/1.in", "1\n"),
    ("exercise/data/secret/easy/1.ans", "2\n"),
    ("exercise/data/secret/easy/2.in", "2\n"),
    ("exercise/data/secret/easy/2.ans", "4\n"),
    ("exercise/data/secret/hard/3.in", "3\n"),
    ("exercise/data/secret/hard/3.ans", "6\n"),
    ("exercise/data/secret/hard/4.in", "4\n"),
    ("exercise/data/secret/hard/4.ans", "8\n"),
    ("all.py", "print(2 * int(input()))\n"),
    ("small.py", "print(2 * min(2, int(input())))\n"),
];

fn exercise() -> TempDir {
    let folder = temporary_folder();
    for (name, text) in EXERCISE {
        write(folder.path(), name, text);
    }
    write(folder.path(), "three.py", "print(2 * min(3, int(input())))\n");
    write(folder.path(), "nosample.py", "n = int(input())\nprint(2 * n if n else 'none')\n");
    write(folder.path(), "broken.py", "print(\n");
    folder
}

fn grade(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = referee(["grade", "--time-limit", "20"]);
    command.current_dir(folder).args(arguments);
    command
}

/// Returns the points of each program, in order.
fn points(folder: &Path, arguments: &[&str]) -> Value {
    let (_, lines) = json(grade(folder, arguments));
    of_type(&lines, "submission_finished").iter().map(|line| line["points"].clone()).collect()
}

const PROGRAMS: [&str; 5] = ["all.py", "small.py", "three.py", "nosample.py", "broken.py"];

#[test]
#[ignore = "takes ten seconds: many runs"]
fn points_are_the_share_of_secret_cases_and_every_program_runs_on_all() {
    needs!("python3");
    let folder = exercise();
    let of = |options: &[&str]| points(folder.path(), &[&["exercise"], &PROGRAMS[..], options].concat());
    assert_eq!(of(&["--points"]), value!([100.0, 50.0, 75.0, 100.0, 0.0]));
    assert_eq!(of(&["--points", "cases"]), value!([100.0, 50.0, 75.0, 100.0, 0.0]));
    assert_eq!(of(&["--points", "groups"]), value!([100.0, 50.0, 50.0, 100.0, 0.0]));
    assert_eq!(of(&[]), value!([null, null, null, null, null]));
    let (_, lines) = json(grade(folder.path(), &["exercise", "small.py", "--points"]));
    assert_eq!(of_type(&lines, "case_finished").len(), 5, "it runs on after its first failure");
}

#[test]
fn weights_change_what_a_case_or_a_group_is_worth() {
    needs!("python3");
    let folder = exercise();
    let of = |options: &[&str]| points(folder.path(), &[&["exercise", "small.py", "three.py"], options].concat());
    // small.py: 2 of 2 + 3 + 3; three.py: 2 + 3 of 8.
    let cases = ["--points", "--weight", "secret/hard=3", "--weight", "secret/easy/*=1"];
    assert_eq!(of(&cases), value!([25.0, 62.5]));
    assert_eq!(of(&["--points=groups", "--weight", "secret/hard=2"]), value!([33.33, 33.33]));
    // The sample counts if a weight names it: 3 of 5 and 4 of 5.
    assert_eq!(of(&["--points", "--weight", "sample=1"]), value!([60.0, 80.0]));
    assert_eq!(of(&["--points", "--weight", "*/*/*=2", "--weight", "secret/hard/4=0"]), value!([66.67, 100.0]));
}

#[test]
fn points_of_a_part_count_only_that_part() {
    needs!("python3");
    let folder = exercise();
    let of =
        |cases: &str| points(folder.path(), &["exercise", "small.py", "nosample.py", "--points", "--cases", cases]);
    assert_eq!(of("secret/hard"), value!([0.0, 100.0]));
    assert_eq!(of("sample"), value!([100.0, 0.0]), "samples count if there is nothing else");
    grade(folder.path(), &["exercise", "all.py", "--points", "--cases", "secret/hard"])
        .assert()
        .code(0)
        .stderr(contains("points count 2 of 5 test cases, because of --cases"));
}

#[test]
fn a_scoring_package_keeps_its_scores() {
    needs!("python3");
    let (_, lines) = json(referee(["grade", "tests/packages/judged/scoring-least-of-groups", "--points"]));
    let finished = of_type(&lines, "submission_finished");
    assert!(!finished.is_empty());
    for line in finished {
        let (score, best) = (line["score"].as_f64().unwrap(), line["max_score"].as_f64().unwrap());
        let expected = (score / best * 10_000.0).round() / 100.0;
        assert!((line["points"].as_f64().unwrap() - expected).abs() < 1e-9, "{line}");
    }
    let refused = |arguments: &[&str], message: &'static str| {
        referee(["grade"]).args(arguments).assert().code(2).stderr(contains(message));
    };
    let package = "tests/packages/judged/scoring-least-of-groups";
    refused(&["tests/packages/judged/scoring-unbounded", "--points"], "have no maximum, so 100 points are undefined");
    refused(&["tests/packages/judged/legacy-less-is-better", "--points"], "smaller scores are better");
    refused(&[package, "--points", "--weight", "*=2"], "scores by itself");
    refused(&[package, "--points", "--cases", "secret/a"], "scores by itself, which needs all its test cases");
}

#[test]
fn a_judge_error_gives_no_points() {
    needs!("python3");
    let (code, lines) = json(referee(["grade", "tests/packages/judge-error/validator-exits-0", "--points"]));
    assert_eq!(code, 3);
    let finished = of_type(&lines, "submission_finished");
    let errors: Vec<_> = finished.iter().filter(|line| line["verdict"] == "JE").collect();
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|line| line["points"].is_null()), "{errors:?}");
}

#[test]
fn a_wrong_option_is_refused_with_what_would_be_right() {
    let folder = exercise();
    let refused = |options: &[&str], message: &'static str, hint: &'static str| {
        let output = grade(folder.path(), &[&["exercise", "all.py"], options].concat()).assert().code(2);
        output.stderr(contains(message)).stderr(contains(hint));
    };
    refused(
        &["--points", "--weight", "secret/esay/1=2"],
        "no test case matches --weight secret/esay/1",
        "did you mean secret/easy/1? this run has 5 test cases: ",
    );
    refused(&["--points=groups", "--weight", "secret/easy/1=2"], "no group matches", "did you mean secret/easy?");
    refused(&["--points", "--weight", "secret=0"], "the weights of all test cases are 0", "a --weight above 0");
    refused(&["--weight", "secret=1"], "--points", "");
    refused(&["--points", "--weight", "secret=-1"], "allowed: 0 to 1000000", "");
    refused(&["--points=half"], "invalid value 'half'", "cases, groups");
    refused(&["--points", "--stop-early"], "cannot be used with", "");
    let flat = temporary_folder();
    for (name, text) in EXERCISE {
        write(flat.path(), &name.replace("easy/", "").replace("hard/", ""), text);
    }
    grade(flat.path(), &["exercise", "all.py", "--points", "groups"])
        .assert()
        .code(2)
        .stderr(contains("the package exercise has no groups"))
        .stderr(contains("use --points=cases"));
}

#[test]
fn points_survive_merging_and_resuming_and_stand_in_junit() {
    needs!("python3");
    let folder = exercise();
    let programs = ["exercise", "all.py", "small.py", "three.py"];
    let part = |part: &str, file: &str, options: &[&str]| {
        let arguments = [&programs[..], &["--partition", part, "--json", file], options].concat();
        grade(folder.path(), &arguments).output().expect("referee starts");
    };
    part("1/2", "1.jsonl", &["--points"]);
    part("2/2", "2.jsonl", &["--points"]);
    part("2/2", "other.jsonl", &["--points=groups"]);
    let mut merge = referee(["merge", "1.jsonl", "2.jsonl", "--junit", "all.xml"]);
    merge.current_dir(folder.path());
    let (_, lines) = json(merge);
    let merged: Value = of_type(&lines, "submission_finished").iter().map(|line| line["points"].clone()).collect();
    assert_eq!(merged, value!([100.0, 50.0, 75.0]));
    let junit = std::fs::read_to_string(folder.path().join("all.xml")).expect("the report is there");
    for points in ["100", "50", "75"] {
        assert!(junit.contains(&format!(r#"<property name="points" value="{points}"/>"#)), "{junit}");
    }
    referee(["merge", "1.jsonl", "other.jsonl"])
        .current_dir(folder.path())
        .assert()
        .code(2)
        .stderr(contains("--points and --weight"));
    // The results of the first run did not ask for points, and the second run gives them.
    let (_, lines) = json(grade(folder.path(), &[&programs[..], &["--resume", "1.jsonl", "--points"]].concat()));
    let resumed: Value = of_type(&lines, "submission_finished").iter().map(|line| line["points"].clone()).collect();
    assert_eq!(resumed, value!([100.0, 50.0, 75.0]));
}
