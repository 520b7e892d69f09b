//! Tasks that fail, nodes that are lost, and a Slurm that does not answer.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::fake::FakeSlurm;
use super::runs::{SUM, programs};

/// Returns the words of a command that grades two programs in two parts.
fn words(slurm: &FakeSlurm) -> Vec<String> {
    let report = slurm.file("r.jsonl").display().to_string();
    let mut words: Vec<_> = ["grade", SUM, "--slurm", "2", "--json", &report].map(str::to_owned).to_vec();
    words.extend(programs(slurm, &["right", "right"]));
    words
}

fn grade(slurm: &FakeSlurm, more: &[&str]) -> assert_cmd::assert::Assert {
    let words = words(slurm);
    let words: Vec<_> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
    slurm.referee(&words).assert()
}

#[test]
fn parts_that_fail_or_lose_their_node_are_submitted_again() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    slurm.fault(1, &["lost"]);
    slurm.fault(2, &["cut", "broken"]);
    let run = grade(&slurm, &[]).code(0);
    run.stderr(
        contains("warning: part 1 failed: NODE_FAIL; it is submitted again")
            .and(contains("warning: part 2 failed: NODE_FAIL; it is submitted again"))
            .and(contains("warning: part 2 failed 2 times in a row: exit code 1 on ")),
    );
    let submissions = slurm.submissions();
    assert!((3..=5).contains(&submissions.len()), "{submissions:?}");
    assert!(slurm.file("r.jsonl").exists());
    // The damaged report that the node left stays for the user.
    let folder = fs::read_dir(slurm.file("r.jsonl.slurm")).expect("the folder stays");
    let kept: Vec<_> = folder.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
}

#[test]
fn a_part_that_keeps_failing_ends_the_run_and_resume_continues_it() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    slurm.fault(2, &["broken"; 2]);
    grade(&slurm, &["--slurm-tries", "2"]).code(3).stderr(
        contains("error: 1 of 2 parts failed")
            .and(contains("part 2: exit code 1 on "))
            .and(contains("--resume"))
            .and(contains("r.jsonl.slurm")),
    );
    assert!(!slurm.file("r.jsonl").exists());
    grade(&slurm, &[]).code(2).stderr(contains("has the parts of an earlier run").and(contains("add --resume")));
    let report = slurm.file("r.jsonl").display().to_string();
    grade(&slurm, &["--all-cases", "--resume", &report]).code(2).stderr(contains("has the parts of another run"));
    grade(&slurm, &["--resume", &report]).code(0);
    let submissions = slurm.submissions();
    assert!(submissions.last().is_some_and(|last| last.contains("--array=2 ")), "{submissions:?}");
    assert!(!slurm.file("r.jsonl.slurm").exists());
}

#[test]
fn a_program_that_has_changed_is_judged_again_after_an_interruption() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    slurm.fault(2, &["cancelled"]);
    grade(&slurm, &[]).code(3).stderr(contains("part 2 failed: it was cancelled; it is not submitted again"));
    let (words, report) = (words(&slurm), slurm.file("r.jsonl").display().to_string());
    fs::write(slurm.file("0-right.py"), "print(-1)\n").expect("the program can be changed");
    let mut command = slurm.referee(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command.args(["--resume", &report]).assert().code(1).stderr(contains("files have changed since"));
    assert_eq!(slurm.cancellations(), ["--quiet 101"]);
}

#[test]
fn tasks_that_did_not_reach_the_folder_are_explained() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    for task in [1, 2] {
        slurm.fault(task, &["lost"]);
    }
    grade(&slurm, &["--slurm-tries", "1"])
        .code(3)
        .stderr(contains("2 of 2 parts failed").and(contains("no task wrote a log; do the nodes see")));
}

#[test]
fn what_sbatch_refuses_is_shown_and_leaves_no_folder() {
    let slurm = FakeSlurm::new();
    slurm.set("refusal", "sbatch: error: Batch job submission failed: Invalid partition name specified\n");
    grade(&slurm, &[]).code(2).stderr(contains("Invalid partition name specified").and(contains("--slurm-script")));
    assert!(!slurm.file("r.jsonl.slurm").exists());
    for words in
        ["Batch job submission failed: Unable to contact slurm controller (connect failure)", "failed to fetch config"]
    {
        slurm.set("refusal", &format!("sbatch: error: {words}\n"));
        grade(&slurm, &[]).code(2).stderr(contains("hint: run this where `scontrol ping` says"));
    }
    slurm.unset("refusal");
    slurm.set("answer", "Submitted!\n");
    grade(&slurm, &[]).code(3).stderr(contains("sbatch printed \"Submitted!\", expected the number of a job"));
}

#[test]
fn without_slurm_the_error_says_where_to_run() {
    let slurm = FakeSlurm::new();
    fs::remove_file(slurm.path().join("sbatch")).expect("the program can be removed");
    let words = words(&slurm);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    // A real Slurm of the machine must not be found.
    let path = std::env::join_paths([slurm.path()]).expect("a PATH");
    let run = slurm.referee(&words).env("PATH", path).assert();
    run.code(2).stderr(contains("sbatch is not installed").and(contains("a machine of the cluster")));
}

#[test]
fn the_files_are_enough_if_squeue_fails_or_prints_garbage() {
    needs!("python3");
    for fault in ["silent", "garbage"] {
        let slurm = FakeSlurm::new();
        slurm.set(fault, "");
        grade(&slurm, &[]).code(0);
        assert_eq!(slurm.submissions().len(), 1);
    }
}

#[test]
fn ctrl_c_cancels_the_job_and_the_next_run_continues() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    slurm.fault(2, &["waits"]);
    slurm.set("reason", "launch failed requeued held");
    let words = words(&slurm);
    let report = slurm.file("r.jsonl").display().to_string();
    let path = format!("{}:{}", slurm.path().display(), std::env::var("PATH").expect("there is a PATH"));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(&words).env("PATH", path).current_dir(env!("CARGO_MANIFEST_DIR"));
    let settings = super::super::support::command::settings();
    command.env("XDG_CACHE_HOME", settings.join("cache")).env("XDG_CONFIG_HOME", settings.join("config"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("referee starts");
    let start = Instant::now();
    while !slurm.file("r.jsonl.slurm/part-1.jsonl").exists() {
        assert!(start.elapsed() < Duration::from_secs(100), "part 1 is not judged");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).expect("an id")).expect("an id");
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("referee runs");
    let output = child.wait_with_output().expect("referee ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("cancelled job 101") && error.contains("--resume"), "{error}");
    assert_eq!(slurm.cancellations(), ["--quiet 101"]);
    // If the job was cancelled before its second task began, that task has not met its fault.
    slurm.fault(2, &[]);
    let mut again = slurm.referee(&words.iter().map(String::as_str).collect::<Vec<_>>());
    again.args(["--resume", &report]).assert().code(0);
    assert!(slurm.submissions()[1].contains("--array=2 "), "{:?}", slurm.submissions());
}
