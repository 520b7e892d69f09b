//! Tests what the sandbox does with the remembered result of a test of the machine. Each step is a process of its own,
//! because a process tests the machine at most once. This test has no harness, because the harness has its own `main`.

#![allow(clippy::unwrap_used, reason = "a step that fails must fail the test")]

use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use std::{env, fs};

use referee_sandbox::{Config, Enforcement, Input, Limits, Memory, Mode, Overall, Program, Run, Sandbox};

/// The answer that this process recalls, and the file to which it stores answers.
static RECALLED: OnceLock<String> = OnceLock::new();
static FILE: OnceLock<String> = OnceLock::new();

fn main() {
    referee_sandbox::init(Config::new("remembering"));
    let arguments: Vec<_> = env::args().skip(1).collect();
    if let [step, answer, file] = arguments.as_slice()
        && step.starts_with("step-")
    {
        let _ = (RECALLED.set(answer.clone()), FILE.set(file.clone()));
        take(step);
        referee_sandbox::end_helpers();
        return;
    }
    test();
}

/// Prints what this step finds.
fn take(step: &str) {
    referee_sandbox::remember_with(Memory {
        recall: |_| RECALLED.get().filter(|answer| !answer.is_empty()).cloned(),
        store: |question, answer| {
            assert!(question.len() > 5);
            fs::write(FILE.get().unwrap(), answer).unwrap();
        },
    });
    let enforcement = Enforcement::of(Mode::Auto);
    println!("{:?}, {} processes", enforcement.overall, children());
    println!("{}", enforcement.parts["files"].why);
    if step == "step-run" {
        let second = Duration::from_secs(1);
        let limits = Limits { cpu: second, wall: second, memory_bytes: 1 << 26, output_bytes: 1 << 20, until: None };
        let run = Run { arguments: Vec::new(), input: Input::Empty, limits };
        let ran = Sandbox::open(Program::new(["/bin/echo", "hello"], "/"), Mode::Auto).run(&run);
        match ran {
            Ok(outcome) => println!("{}", String::from_utf8_lossy(&outcome.stdout)),
            Err(error) => println!("{error}"),
        }
    }
}

/// Counts the processes that this process has started.
fn children() -> usize {
    let own = format!("PPid:\t{}", std::process::id());
    let statuses = fs::read_dir("/proc").unwrap().filter_map(Result::ok).map(|entry| entry.path().join("status"));
    statuses.filter(|path| fs::read_to_string(path).is_ok_and(|text| text.lines().any(|line| line == own))).count()
}

fn test() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer");
    let step = |step: &str, answer: &str| {
        let _ = fs::remove_file(&file);
        let command = Command::new(env::current_exe().unwrap()).args([step, answer]).arg(&file).output().unwrap();
        assert!(command.status.success(), "{}", String::from_utf8_lossy(&command.stderr));
        (String::from_utf8(command.stdout).unwrap(), fs::read_to_string(&file).ok())
    };

    // Without a remembered answer, the machine is tested, and the result is stored if everything is enforced.
    let (tested, stored) = step("step-only", "");
    let Some(answer) = stored else {
        assert!(tested.starts_with(&format!("{:?}", Overall::Partial)), "{tested}");
        println!("skipped: this machine does not enforce everything, so nothing is remembered");
        return;
    };
    assert!(tested.starts_with("Full, 1 processes\n"), "{tested}");

    // With the answer, no process starts, and the report is the same.
    let (recalled, stored) = step("step-only", &answer);
    assert_eq!(recalled, tested.replace("1 processes", "0 processes"));
    assert_eq!(stored, None);

    // A program runs as it does without a remembered answer.
    let (ran, stored) = step("step-run", &answer);
    assert!(ran.starts_with("Full, 0 processes\n") && ran.ends_with("\nhello\n\n"), "{ran}");
    assert_eq!(stored, None);

    // If the machine enforces less than the answer says, no program runs, and the answer is forgotten.
    let version = answer.split("\"landlock\":").last().unwrap().split([',', '}']).next().unwrap();
    let outdated = answer.replace(&format!("\"landlock\":{version}"), "\"landlock\":99");
    assert_ne!(outdated, answer);
    let (ran, stored) = step("step-run", &outdated);
    assert!(ran.contains("Landlock version 99") && ran.contains("the sandbox with that of an earlier run"), "{ran}");
    assert!(!ran.contains("hello"), "{ran}");
    assert_eq!(stored.as_deref(), Some(""));

    // An answer that enforces less is not used.
    for lesser in [answer.replace("\"filter\":true", "\"filter\":false"), "{}".to_owned()] {
        let (tested_again, stored) = step("step-only", &lesser);
        assert_eq!((tested_again, stored), (tested.clone(), Some(answer.clone())));
    }
    println!("1 passed, 0 failed");
}
