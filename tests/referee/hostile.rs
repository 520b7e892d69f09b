//! Hostile programs: the folder of tests/hostile a program lies in is the verdict it must get, and nothing of it may
//! stay behind.

use std::path::Path;

use serde_json::Value;

use super::support::command::{json, names_in, of_type, processes_below, referee};
use super::support::files;
use super::support::program::{has, temporary_folder};

/// The package they are judged on: two numbers, one sum.
const PACKAGE: &str = "tests/packages/judged/sum";

/// The verdict and the path of every program.
fn programs() -> Vec<(String, String)> {
    let root = files::in_repository("tests/hostile");
    let mut programs = Vec::new();
    for verdict in names_in(&root) {
        let folder = root.join(&verdict);
        programs.extend(names_in(&folder).into_iter().map(|name| {
            let path = files::shown(&folder.join(name));
            (verdict.clone(), path)
        }));
    }
    programs
}

fn judge(programs: &[(String, String)], temporary: &Path) -> Vec<Value> {
    let mut command = referee(["grade", PACKAGE]);
    command.args(programs.iter().map(|(_, path)| path)).env("TMPDIR", temporary);
    let (code, lines) = json(command);
    assert_eq!(code, 1, "most are not accepted, and none is the judge's failure");
    lines
}

#[test]
fn every_hostile_program_gets_the_verdict_of_its_folder_and_leaves_nothing_behind() {
    if !has("g++", "hostile programs") || !has("gcc", "hostile programs") || !has("python3", "hostile programs") {
        return;
    }
    let programs = programs();
    assert!(programs.len() > 40, "the folder was read");
    let temporary = temporary_folder();
    let lines = judge(&programs, temporary.path());
    let finished = of_type(&lines, "submission_finished");
    let got: Vec<_> = finished.iter().map(|line| (line["verdict"].clone(), line["submission"].clone())).collect();
    let wanted: Vec<_> =
        programs.iter().map(|(verdict, path)| (Value::from(verdict.as_str()), Value::from(path.as_str()))).collect();
    assert_eq!(got, wanted);
    assert_eq!(processes_below(temporary.path()), Vec::<String>::new());
    assert_eq!(names_in(temporary.path()), Vec::<String>::new());
}

#[test]
fn nothing_a_program_writes_can_move_the_cursor_or_change_the_colours() {
    if !has("python3", "escape sequences") {
        return;
    }
    let mut command = referee(["grade", PACKAGE, "--color", "never"]);
    command.args(["tests/hostile/WA/escape_sequences.py", "tests/hostile/WA/broken_utf8.py"]);
    let output = command.output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    assert!(text.contains("␛[2J"), "the escape is shown, as a picture: {text}");
    let unsafe_character = |character: char| character.is_control() && character != '\n';
    assert!(!text.contains(unsafe_character), "{text:?}");
    assert!(text.contains("\\xff"), "{text}");
}

#[test]
fn a_run_after_a_hostile_one_is_judged_right() {
    if !has("gcc", "a run after a hostile one") || !has("python3", "a run after a hostile one") {
        return;
    }
    let (hostile, honest) =
        ("tests/hostile/AC/child_holds_stdout.c", "tests/packages/judged/sum/submissions/accepted/sum.py");
    let (code, lines) = json(referee(["grade", PACKAGE, hostile, honest, hostile, honest]));
    assert_eq!(code, 0, "{lines:?}");
    assert_eq!(of_type(&lines, "submission_finished").len(), 4);
}
