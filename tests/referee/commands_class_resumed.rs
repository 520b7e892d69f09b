//! A class is graded in parts, again after a crash, and again after each save.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::support::class::{archive, every_fault, of_moodle, unpacked};
use super::support::command::{json, of_type, referee, settings, write};
use super::support::poll::wait_until;
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// The number of students who can be killed in the middle.
const STUDENTS: usize = 60;

struct Resumable {
    class: PathBuf,
    report: PathBuf,
}

impl Resumable {
    fn start(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", SUM, "--all-cases", "--no-cache"]).arg(&self.class);
        command.arg("--json").arg(&self.report).arg("--resume").arg(&self.report);
        command.env("XDG_CONFIG_HOME", settings().join("config")).env("XDG_CACHE_HOME", settings().join("cache"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("referee starts")
    }

    /// Returns the complete lines of results in the partial report. Their times are exact to the nanosecond, so equal
    /// lines come from one run of a program.
    fn results_so_far(&self) -> Vec<String> {
        let text = fs::read_to_string(self.report.with_extension("jsonl.part")).unwrap_or_default();
        results(&text)
    }
}

fn results(text: &str) -> Vec<String> {
    let whole = text.lines().filter(|line| line.starts_with("{\"type\":\"case_finished\"") && line.ends_with('}'));
    whole.map(str::to_owned).collect()
}

#[test]
fn a_class_whose_judge_is_killed_is_resumed_without_losing_or_repeating_a_student() {
    needs!("python3");
    let folder = temporary_folder();
    let mut files: Vec<(String, Vec<u8>)> = (0..STUDENTS)
        .map(|number| (format!("Student {number}_{number}_assignsubmission_file_/main.py"), RIGHT.into()))
        .collect();
    files.push(("Zoe_999_assignsubmission_file_/essay.pdf".to_owned(), b"%PDF-1.4".to_vec()));
    let run = Resumable {
        class: archive(&folder.path().join("class.zip"), &files),
        report: folder.path().join("report.jsonl"),
    };
    let mut killed = run.start();
    wait_until("results are in the partial report", || run.results_so_far().len() > 10);
    kill_process(Pid::from_child(&killed), Signal::KILL).expect("a signal can be sent");
    killed.wait().expect("it ends");
    let before = run.results_so_far();
    assert!(!run.report.exists() && before.len() < 2 * STUDENTS, "the run was killed in the middle");
    assert_eq!(run.start().wait().expect("it ends").code(), Some(2), "a PDF was not judged");
    let text = fs::read_to_string(&run.report).expect("the report is complete");
    let after = results(&text);
    assert_eq!(after.len(), 2 * STUDENTS);
    let kept: BTreeSet<_> = after.iter().collect();
    assert!(before.iter().all(|line| kept.contains(line)), "results of the killed run are taken over");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let judged: BTreeSet<_> =
        of_type(&lines, "submission_finished").iter().map(|line| line["submission"].to_string()).collect();
    assert_eq!(judged.len(), STUDENTS);
    assert_eq!(of_type(&lines, "submission_skipped").len(), 1);
}

#[test]
#[ignore = "takes ten seconds: a class three times"]
fn parts_of_a_class_are_merged_into_the_whole_class() {
    needs!("python3", "gcc", "g++", "javac");
    let class = every_fault();
    let folder = temporary_folder();
    let zip = archive(&folder.path().join("class.zip"), &of_moodle(&class));
    let parts: Vec<_> = (1..=2)
        .map(|part| {
            let report = folder.path().join(format!("{part}.jsonl"));
            let mut command = referee(["grade", SUM, "--partition", &format!("{part}/2"), "--json"]);
            command.arg(&report).arg(&zip).assert().code(2);
            report
        })
        .collect();
    let mut command = referee(["merge"]);
    command.args(&parts);
    let (code, lines) = json(command);
    let students: BTreeSet<_> = ["submission_finished", "submission_skipped"]
        .into_iter()
        .flat_map(|kind| of_type(&lines, kind))
        .map(|line| line["student"]["moodle_id"].to_string())
        .collect();
    assert_eq!((code, students.len()), (2, class.len()));
}

#[test]
fn a_class_is_graded_again_when_a_student_hands_in() {
    needs!("python3");
    let folder = temporary_folder();
    let class = unpacked(
        &folder.path().join("class"),
        &[("amy/main.py".to_owned(), RIGHT.into()), ("bob/main.py".to_owned(), RIGHT.into())],
    );
    let log = folder.path().join("log");
    let mut watched = watch(&class, &log);
    let runs = || fs::read_to_string(&log).unwrap_or_default().matches("all as expected: ").count();
    wait_until("the class is graded", || runs() == 1);
    write(&class, "carl/main.py", "print('late')\n");
    wait_until("the class is graded again", || runs() >= 2);
    wait_until("the late program is judged", || {
        fs::read_to_string(&log).unwrap_or_default().contains("not all as expected: 3 submissions judged")
    });
    kill_process(Pid::from_child(&watched), Signal::INT).expect("a signal can be sent");
    assert_eq!(watched.wait().expect("it ends").code(), Some(130));
}

fn watch(class: &Path, log: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["grade", SUM, "--watch"]).arg(class);
    command.env("XDG_CONFIG_HOME", settings().join("config")).env("XDG_CACHE_HOME", settings().join("cache"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::null());
    command.stdout(fs::File::create(log).expect("a file can be made"));
    command.spawn().expect("referee starts")
}
