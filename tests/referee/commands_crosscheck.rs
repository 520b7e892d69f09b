//! `referee crosscheck` compares the reference solvers with each other.

use std::collections::BTreeMap;

use predicates::prelude::*;
use predicates::str::contains;
use reference::registry::by_name;
use serde_json::Value;

use super::support::command::{json, of_type, referee};
use super::support::program::temporary_folder;

/// Returns the lines of a report without their times.
fn without_times(mut lines: Vec<Value>) -> Vec<Value> {
    for line in &mut lines {
        line.as_object_mut().expect("every line is an object").retain(|key, _| !key.contains("seconds"));
    }
    lines
}

#[test]
fn every_puzzle_is_checked_by_all_of_its_solvers() {
    // coins is left out, because its solvers need a minute for the inputs of its package. The module `answers` compares
    // the solvers on these inputs.
    let puzzles = ["flipgame", "swapgame", "solitaire"];
    let (code, lines) = json(referee(["crosscheck", "--boards", "20"].iter().chain(&puzzles)));
    assert_eq!(code, 0);
    let checked = of_type(&lines, "crosscheck_finished");
    let names: Vec<_> = checked.iter().map(|line| line["puzzle"].as_str().unwrap_or("")).collect();
    assert_eq!(names, puzzles);
    for (line, puzzle) in checked.iter().zip(puzzles.map(|name| by_name(name).expect("the puzzle is registered"))) {
        assert_eq!(line["disagreements"], 0);
        assert_eq!(line["solvers"].as_array().map(Vec::len), Some(puzzle.solvers().len()));
        assert!(line["boards"].as_u64().is_some_and(|boards| boards >= 20), "{line}");
        let counted: u64 = line["histogram"].as_object().expect("a histogram").values().filter_map(Value::as_u64).sum();
        assert_eq!(Some(counted), line["boards"].as_u64(), "every board is counted under its answer");
    }
}

#[test]
#[ignore = "takes ten seconds: 65,536 boards"]
fn all_flip_boards_have_the_published_histogram_and_people_see_why_these_are_all() {
    let folder = temporary_folder();
    let report = folder.path().join("report.jsonl");
    referee(["crosscheck", "flipgame", "--exhaustive", "--json"])
        .arg(&report)
        .assert()
        .code(0)
        .stdout(contains("✓ flipgame (exhaustive): 65536 boards, 0 disagreements"))
        .stdout(predicates::str::is_match("Impossible +61440 #+").expect("a regex"))
        .stderr(contains("65,536").or(contains("65536")));
    let text = std::fs::read_to_string(report).expect("the report is there");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let all: Vec<_> =
        of_type(&lines, "crosscheck_finished").into_iter().filter(|line| line["scope"] == "exhaustive").collect();
    assert_eq!(all.len(), 1);
    let found: BTreeMap<String, u64> = serde_json::from_value(all[0]["histogram"].clone()).expect("a histogram");
    let facts =
        [("0", 2), ("1", 32), ("2", 228), ("3", 880), ("4", 1562), ("5", 1136), ("6", 256), ("Impossible", 61440)];
    assert_eq!(found, facts.map(|(answer, count)| (answer.to_owned(), count)).into());
    assert_eq!((&all[0]["boards"], &all[0]["disagreements"]), (&Value::from(65536), &Value::from(0)));
}

#[test]
fn the_seed_decides_which_boards_are_drawn_and_the_jobs_do_not() {
    let run = |seed: &str, jobs: &str| {
        let (code, lines) = json(referee(["crosscheck", "swapgame", "--boards", "40", "--seed", seed, "-j", jobs]));
        assert_eq!(code, 0);
        let mut lines = without_times(lines);
        lines[0].as_object_mut().expect("an object").remove("jobs");
        lines
    };
    assert_eq!(run("3", "1"), run("3", "4"));
    assert_ne!(run("3", "1")[1]["histogram"], run("4", "1")[1]["histogram"]);
}

#[test]
fn without_random_boards_the_packages_inputs_are_checked() {
    // The flip game's package holds one board per file.
    let files = super::support::files::inputs("flipgame", &["sample", "secret"]).len();
    let (code, lines) = json(referee(["crosscheck", "flipgame", "--boards", "0"]));
    assert_eq!((code, &of_type(&lines, "crosscheck_finished")[0]["boards"]), (0, &Value::from(files)));
}

#[test]
fn more_boards_than_any_memory_holds_are_begun_and_can_be_interrupted() {
    let command = env!("CARGO_BIN_EXE_referee");
    let mut child = std::process::Command::new(command)
        .args(["crosscheck", "flipgame", "--boards", "18446744073709551615"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("referee starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it still runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn wrong_use_is_refused() {
    referee(["crosscheck", "chess"]).assert().code(2).stderr(contains("there is no puzzle \"chess\""));
    referee(["crosscheck", "--boards", "many"]).assert().code(2).stderr(contains("--boards"));
}
