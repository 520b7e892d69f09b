//! Submissions in Python with `--warm`: they are forked from an interpreter that has started, and must behave as if
//! each had started anew.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::hostile::{control_groups, isolation};
use super::support::command::{json, names_in, of_type, referee, write};
use super::support::files;
use super::support::leftovers::{groups_left, helpers_left};
use super::support::person::Person;
use super::support::program::temporary_folder;

/// The number of test cases of [`sums`].
const CASES: usize = 6;

/// Makes a package in `folder`: the sum of two numbers.
fn sums(folder: &Path) -> PathBuf {
    let settings = "problem_format_version: 2025-09\nname: Sums\nuuid: 5e7d3bd3-7b5c-4d0c-8a0e-6f1f6f0a7c11\n\
                    limits:\n  time_limit: 4\n  memory: 256\n";
    write(folder, "sums/problem.yaml", settings);
    for case in 0..CASES {
        write(folder, &format!("sums/data/secret/{case}.in"), &format!("{} {case}\n", 10 * case));
        write(folder, &format!("sums/data/secret/{case}.ans"), &format!("{}\n", 11 * case));
    }
    folder.join("sums")
}

/// Returns the programs of `tests/hostile_warm/VERDICT`.
fn programs(verdict: &str) -> Vec<String> {
    let folder = files::in_repository("tests/hostile_warm").join(verdict);
    names_in(&folder).into_iter().map(|name| files::shown(&folder.join(name))).collect()
}

/// Judges all programs of a verdict on all test cases. Returns the verdict, exit code and signal of each run.
fn judged(verdict: &str, options: &[&str]) -> Vec<Value> {
    let folder = temporary_folder();
    let mut command = referee(["grade", "--all-cases", "-j", "2"]);
    command.arg(sums(folder.path())).args(programs(verdict)).args(options);
    let (_, lines) = json(command);
    let finished = of_type(&lines, "case_finished").into_iter();
    finished
        .map(|line| ["submission", "case", "verdict", "exit_code", "signal"].map(|key| line[key].clone()).into())
        .collect()
}

#[test]
#[ignore = "takes a minute: every hostile program twice"]
fn a_hostile_program_gets_the_same_verdict_whether_it_is_forked_or_started_anew() {
    needs!("python3", isolation(&Person::Myself), control_groups(&Person::Myself));
    for verdict in ["AC", "RTE", "MLE", "WA"] {
        let warm = judged(verdict, &["--warm"]);
        let wrong: Vec<_> = warm.iter().filter(|run| run[2] != verdict).collect();
        assert_eq!((wrong, warm.len()), (Vec::new(), CASES * programs(verdict).len()));
        assert_eq!(warm, judged(verdict, &[]));
    }
    assert_eq!((helpers_left(), groups_left()), (Vec::new(), Vec::new()));
}

/// How the judge ends such a program is a matter of chance: the program may notice that its output is closed.
#[test]
fn a_forked_program_that_exceeds_a_limit_gets_the_verdict_of_its_folder() {
    needs!("python3", isolation(&Person::Myself), control_groups(&Person::Myself));
    // The processes of a fork bomb need about 300 MiB, more than the package allows.
    let of_tle = &["--warm", "--time-limit", "0.4", "--memory", "1024"][..];
    for (verdict, options) in [("TLE", of_tle), ("OLE", &["--warm"])] {
        let runs = judged(verdict, options);
        let wrong: Vec<_> = runs.iter().filter(|run| run[2] != verdict).collect();
        assert_eq!((wrong, runs.len()), (Vec::new(), CASES * programs(verdict).len()));
    }
    assert_eq!((helpers_left(), groups_left()), (Vec::new(), Vec::new()));
}

#[test]
fn without_namespaces_a_warning_says_that_nothing_is_kept_warm() {
    needs!("python3");
    let folder = temporary_folder();
    let mut command = referee(["grade", "--warm", "tests/packages/judged/sum"]);
    command.arg(write(folder.path(), "add.py", "print(sum(map(int, input().split())))\n"));
    command.env("REFEREE_SANDBOX_WITHOUT", "namespaces").env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let output = command.output().expect("referee starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--warm has no effect here: it needs namespaces"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}");
}
