//! Hostile programs: the folder of tests/hostile a program lies in is the verdict it must get, and nothing of it may
//! stay behind.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::command::{json, names_in, of_type, processes_below, referee};
use super::support::files;
use super::support::program::{has, temporary_folder};

/// The package they are judged on: two numbers, one sum.
const PACKAGE: &str = "tests/packages/judged/sum";

/// The verdict and the path of every program in a folder.
fn programs(folder: &str) -> Vec<(String, String)> {
    let root = files::in_repository(folder);
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

/// Judges the programs of `folder` and expects the verdicts of their folders, and that nothing stays behind.
fn every_program_gets_its_verdict(folder: &str, at_least: usize) {
    let programs = programs(folder);
    assert!(programs.len() >= at_least, "the folder was read");
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
fn every_hostile_program_gets_the_verdict_of_its_folder_and_leaves_nothing_behind() {
    if has("g++", "hostile programs") && has("gcc", "hostile programs") && has("python3", "hostile programs") {
        every_program_gets_its_verdict("tests/hostile", 40);
    }
}

/// Only a control group sees what these do: children nobody waits for, memory that belongs to no process.
#[test]
fn every_tree_of_processes_gets_the_verdict_of_its_folder_and_leaves_nothing_behind() {
    if !has("gcc", "trees of processes") || !control_groups("trees of processes") {
        return;
    }
    every_program_gets_its_verdict("tests/hostile_trees", 10);
    assert_eq!(groups_left(), Vec::<String>::new());
}

/// The judge cannot clean up after its own death by SIGKILL; the next one does.
#[test]
fn what_a_killed_judge_leaves_running_is_gone_when_the_next_one_has_begun() {
    if !has("gcc", "a killed judge") || !control_groups("a killed judge") {
        return;
    }
    let temporary = temporary_folder();
    let daemon = "tests/hostile/TLE/sleeps.c";
    let mut judge = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", PACKAGE, daemon, "--time-limit", "600"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("TMPDIR", temporary.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("referee starts");
    let patience = Instant::now() + Duration::from_secs(60);
    while !submission_runs(temporary.path()) {
        assert!(Instant::now() < patience, "the submission never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    judge.kill().expect("referee can be killed");
    judge.wait().expect("referee can be waited for");
    assert_ne!(processes_below(temporary.path()), Vec::<String>::new(), "there is something to clean up");
    referee(["grade", PACKAGE, "tests/hostile/WA/reads_nothing.c"]).assert().code(1);
    assert_eq!(processes_below(temporary.path()), Vec::<String>::new());
}

/// Whether a compiled program of a run in `folder` is running.
fn submission_runs(folder: &Path) -> bool {
    processes_below(folder).iter().any(|process| {
        let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        command.contains("program.out") && !command.contains("-O2")
    })
}

/// Whether this machine has control groups that can be used. Where continuous integration has found that they can, it
/// is a failure if they are not; a user is told what is skipped.
fn control_groups(skipped: &str) -> bool {
    let (_, lines) = json(referee(["grade", PACKAGE, "tests/hostile/WA/reads_nothing.c"]));
    let memory = &lines[0]["sandbox"]["parts"]["memory"];
    let found = memory["state"] == "enforced";
    let needed = std::env::var_os("REFEREE_TESTS_NEED_CONTROL_GROUPS").is_some();
    assert!(found || !needed, "control groups can be written here and are not used: {memory}");
    if !found {
        eprintln!("skipped: {skipped}: {memory}");
    }
    found
}

/// Control groups of judges that are gone.
fn groups_left() -> Vec<String> {
    let entries = walkdir::WalkDir::new("/sys/fs/cgroup").into_iter().filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_dir());
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    // The number of the judge's process is the third part of the name. Other tests judge at the same time.
    let is_gone = |name: &String| {
        let judge = name.strip_prefix("referee-").and_then(|rest| rest.split('-').nth(1));
        judge.is_some_and(|judge| !Path::new("/proc").join(judge).exists())
    };
    names.filter(is_gone).collect()
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
