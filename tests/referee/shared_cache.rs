//! `--shared-cache`: what one machine has judged, another machine of the same kind does not run again. Each machine is a
//! cache of its own here.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;
use walkdir::WalkDir;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

const ADD: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b); }\n";

/// A program, a shared cache, and the caches of the machines.
struct Machines(TempDir);

/// What ran, in a run of one program.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    compiled: bool,
    cases: usize,
    reused: usize,
    verdict: String,
}

impl Machines {
    fn new() -> Machines {
        let machines = Machines(temporary_folder());
        write(machines.0.path(), "add.c", ADD);
        fs::create_dir(machines.shared()).expect("a new folder");
        machines
    }

    fn shared(&self) -> PathBuf {
        self.0.path().join("shared")
    }

    fn grade(&self, machine: &str, shared: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = referee(["grade", SUM]);
        command.arg(self.0.path().join("add.c")).arg("--shared-cache").arg(shared.as_ref()).args(arguments);
        command.env("XDG_CACHE_HOME", self.0.path().join(machine));
        command
    }

    fn run(&self, machine: &str, arguments: &[&str]) -> Ran {
        ran(self.grade(machine, self.shared(), arguments))
    }

    fn entries(&self) -> Vec<PathBuf> {
        let all = WalkDir::new(self.shared()).into_iter().map(|entry| entry.expect("it can be read"));
        all.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
    }
}

fn ran(command: Command) -> Ran {
    let (_, lines) = json(command);
    let cases = of_type(&lines, "case_finished");
    Ran {
        compiled: of_type(&lines, "build_finished")[0]["cached"] == false,
        cases: cases.len(),
        reused: cases.iter().filter(|line| line["cached"] == true).count(),
        verdict: of_type(&lines, "submission_finished")[0]["verdict"].as_str().unwrap_or_default().to_owned(),
    }
}

fn all_reused(cases: usize) -> Ran {
    Ran { compiled: false, cases, reused: cases, verdict: "AC".to_owned() }
}

fn nothing_reused(cases: usize) -> Ran {
    Ran { compiled: true, reused: 0, ..all_reused(cases) }
}

/// The number of test cases of [`SUM`].
fn cases() -> usize {
    let files = WalkDir::new(super::support::files::in_repository(SUM).join("data")).into_iter();
    files.filter(|file| file.as_ref().is_ok_and(|file| file.path().extension().is_some_and(|end| end == "in"))).count()
}

#[test]
fn what_one_machine_has_judged_another_does_not_run_again() {
    needs!("gcc");
    let machines = Machines::new();
    assert_eq!(machines.run("one", &[]), nothing_reused(cases()));
    assert_eq!(machines.run("two", &[]), all_reused(cases()));
    // A machine without the shared cache does not have the results.
    let mut alone = referee(["grade", SUM]);
    alone.arg(machines.0.path().join("add.c")).env("XDG_CACHE_HOME", machines.0.path().join("three"));
    assert_eq!(ran(alone), nothing_reused(cases()));
    assert_eq!(machines.run("three", &[]), all_reused(cases()));
    assert_eq!(machines.run("three", &["--memory", "300"]).reused, 0, "another limit");
}

#[test]
fn a_machine_that_must_run_a_program_takes_it_compiled() {
    needs!("gcc");
    let machines = Machines::new();
    machines.run("one", &[]);
    let feedback = machines.0.path().join("feedback");
    let ran = machines.run("two", &["--feedback", feedback.to_str().expect("UTF-8")]);
    assert_eq!(ran, Ran { reused: 0, ..all_reused(cases()) });
}

#[test]
fn a_machine_completes_its_own_results_with_those_of_others() {
    needs!("gcc");
    let machines = Machines::new();
    assert_eq!(machines.run("one", &["--cases", "secret/1"]).reused, 0);
    let second = machines.run("two", &[]);
    assert!(second.reused > 0 && second.reused < second.cases, "{second:?}");
    assert_eq!(machines.run("one", &[]), all_reused(cases()));
}

/// Returns the damaged bytes of an entry.
type Change = fn(&[u8]) -> Vec<u8>;

#[test]
fn a_damaged_entry_is_not_believed_and_is_replaced() {
    needs!("gcc");
    let machines = Machines::new();
    machines.run("one", &[]);
    let good: Vec<_> = machines.entries().into_iter().map(|path| (fs::read(&path).expect("bytes"), path)).collect();
    assert_eq!(good.len(), 2, "a compiled program, and results");
    let changes: [Change; 4] = [
        |good| good[..good.len() - 1].to_vec(),
        |good| [&good[..good.len() - 1], &[good[good.len() - 1] ^ 1]].concat(),
        |_| Vec::new(),
        |good| [good, b"more"].concat(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        for (bytes, path) in &good {
            fs::write(path, change(bytes)).expect("an entry can be damaged");
        }
        assert_eq!(machines.run(&format!("damaged{number}"), &[]), nothing_reused(cases()), "change {number}");
        assert_eq!(machines.run(&format!("after{number}"), &[]), all_reused(cases()), "change {number}");
    }
}

#[test]
fn entries_of_machines_with_another_secret_do_not_count() {
    needs!("gcc");
    let machines = Machines::new();
    let with = |machine: &str, secret: &str| {
        let mut command = machines.grade(machine, machines.shared(), &[]);
        ran({
            command.env("REFEREE_SHARED_CACHE_SECRET", secret);
            command
        })
    };
    assert_eq!(with("one", "a"), nothing_reused(cases()));
    assert_eq!(with("two", "b"), nothing_reused(cases()));
    assert_eq!(with("three", "b"), all_reused(cases()));
    assert_eq!(machines.run("four", &[]), nothing_reused(cases()));
}

#[test]
fn a_machine_that_only_reads_adds_nothing() {
    needs!("gcc");
    let machines = Machines::new();
    machines.run("one", &["--shared-cache-read-only"]);
    assert_eq!(machines.entries(), Vec::<PathBuf>::new());
    machines.run("two", &[]);
    assert_eq!(machines.run("three", &["--shared-cache-read-only"]), all_reused(cases()));
}

#[test]
fn machines_that_write_at_the_same_time_leave_a_whole_cache() {
    needs!("gcc");
    let machines = Machines::new();
    thread::scope(|scope| {
        for number in 0..4 {
            let machines = &machines;
            scope.spawn(move || assert_eq!(machines.run(&format!("{number}"), &["-j", "1"]).verdict, "AC"));
        }
    });
    assert_eq!(machines.run("later", &[]), all_reused(cases()));
    assert_eq!(machines.entries().len(), 2, "nothing unfinished is left");
}

#[test]
fn a_cache_that_is_away_costs_a_warning_and_no_verdict() {
    needs!("gcc");
    let machines = Machines::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/cache", listener.local_addr().expect("an address"));
    drop(listener);
    let told = contains(format!("warning: shared cache: {address}: ")).and(contains("did not use it"));
    machines.grade("one", &address, &[]).assert().code(0).stderr(told);
    // A folder in which nothing can be written, because files are in the place of its folders.
    for number in 0..256 {
        write(&machines.shared(), &format!("{number:02x}"), "");
    }
    let told = contains("warning: shared cache: ").and(contains("did not use it"));
    machines.grade("two", machines.shared(), &[]).assert().code(0).stderr(told);
}

#[test]
fn a_place_that_cannot_be_a_cache_is_refused_before_anything_runs() {
    let machines = Machines::new();
    let missing = machines.0.path().join("missing");
    machines
        .grade("one", &missing, &[])
        .assert()
        .code(2)
        .stderr(contains(format!("--shared-cache: {} is not a folder", missing.display())));
    machines.grade("one", machines.shared(), &["--no-cache"]).assert().code(2).stderr(contains("--no-cache"));
    let mut of_environment = referee(["grade", SUM, "--shared-cache-read-only"]);
    of_environment.env("REFEREE_SHARED_CACHE", "https://me:secret@example.org");
    of_environment
        .assert()
        .code(2)
        .stderr(contains("REFEREE_SHARED_CACHE: https://example.org: other users").and(contains("secret").not()));
    referee(["grade", SUM, "--shared-cache-read-only"])
        .assert()
        .code(2)
        .stderr(contains("--shared-cache-read-only: there is no shared cache"));
}
