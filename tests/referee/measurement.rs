//! Measurements of CPU time and memory. Most of these programs start further processes, and only the usage of the whole
//! process tree is right.

use std::path::Path;
use std::time::Duration;

use referee_sandbox::{Crossed, Ended, Enforcement, Limits, Mode, Outcome, State};

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, of_type, referee, write};
use super::support::poll::wait_until;
use super::support::program::temporary_folder;
use super::support::sandbox::{ROOMY, compiled, run, sandbox};

/// The C code that the programs below share.
const HEAD: &str = "
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void burn(long wanted) {
    struct timespec used;
    do { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used); } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < wanted);
}
static void take(long megabytes) {
    volatile char *taken = malloc(megabytes << 20);
    for (long i = 0; i < megabytes << 20; i += 4096) { taken[i] = 1; }
}
";

const MIB: u64 = 1 << 20;

fn control_groups() -> Result<(), String> {
    let parts = Enforcement::of(Mode::Auto).parts;
    let found = parts["memory"].state == State::Enforced && parts["cpu_time"].state == State::Enforced;
    let needed = std::env::var_os("REFEREE_TESTS_NEED_CONTROL_GROUPS").is_some();
    assert!(found || !needed, "this machine allows control groups, but the sandbox does not use them");
    if found { Ok(()) } else { Err("there are no control groups".to_owned()) }
}

fn outcome(folder: &Path, name: &str, body: &str, limits: Limits) -> Outcome {
    let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
    run(&sandbox(&compiled(folder, name, &text)), &[], limits)
}

#[test]
fn cpu_time_is_that_of_every_process_however_it_was_left_alone() {
    needs!("gcc", control_groups());
    let folder = temporary_folder();
    let second = Duration::from_millis(990);
    let ignored = "signal(SIGCHLD, SIG_IGN); if (fork() == 0) { burn(1000); _exit(0); } while (wait(0) > 0) { }";
    assert!(outcome(folder.path(), "ignored", ignored, ROOMY).usage.cpu >= second);
    let orphan = "int ends[2]; pipe(ends); if (fork() == 0) { if (fork() == 0) { close(ends[0]); burn(1000); _exit(0); } \
                  _exit(0); } wait(0); close(ends[1]); char end; read(ends[0], &end, 1);";
    assert!(outcome(folder.path(), "orphan", orphan, ROOMY).usage.cpu >= second);
    let nothing = outcome(folder.path(), "nothing", "", ROOMY).usage;
    assert!(nothing.cpu < Duration::from_millis(300), "{nothing:?}");
}

#[test]
fn memory_is_that_of_the_whole_tree_whoever_it_belongs_to() {
    needs!("gcc", control_groups());
    let folder = temporary_folder();
    let memory = |name: &str, body: &str| {
        let outcome = outcome(folder.path(), name, body, ROOMY);
        assert_eq!((outcome.ended, outcome.crossed), (Ended::Exited(0), None), "{name}");
        outcome.usage.memory_bytes.expect("control groups tell the peak") / MIB
    };
    let file = "char *block = calloc(1, 1 << 20); int file = memfd_create(\"a\", 0); \
                for (int i = 0; i < 300; i++) { write(file, block, 1 << 20); }";
    assert!((300..330).contains(&memory("file", file)));
    let four = "int ends[2]; pipe(ends); for (int i = 0; i < 4; i++) { if (fork() == 0) { take(80); write(ends[1], \"x\", 1); \
                pause(); } } char done; for (int i = 0; i < 4; i++) { read(ends[0], &done, 1); }";
    assert!((320..350).contains(&memory("four", four)));
    let pipes = "char *block = calloc(1, 1 << 20); for (int i = 0; i < 50; i++) { int ends[2]; pipe2(ends, O_NONBLOCK); \
                 fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); write(ends[1], block, 1 << 20); }";
    assert!((50..80).contains(&memory("pipes", pipes)));
    let promised = "mmap(0, 100L << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);";
    assert!(memory("promised", promised) < 20);
}

/// The kernel lets a new process begin with the peak memory of its parent. A run must not report the peak memory of the
/// judge.
#[test]
fn the_judges_own_memory_is_not_billed() {
    needs!("gcc", control_groups());
    let folder = temporary_folder();
    let mut large = vec![0u8; 200 << 20];
    large.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    let usage = outcome(folder.path(), "nothing", "", ROOMY).usage;
    assert!(usage.memory_bytes.is_some_and(|bytes| bytes < 20 * MIB), "{usage:?}");
    assert!(large.contains(&1));
}

#[test]
fn a_child_that_is_killed_for_want_of_memory_decides_although_its_parent_ends_well() {
    needs!("gcc", control_groups());
    let folder = temporary_folder();
    let limits = Limits { memory_bytes: 100 * MIB, ..ROOMY };
    let child = "if (fork() == 0) { take(300); _exit(0); } wait(0);";
    let outcome = outcome(folder.path(), "child", child, limits);
    assert_eq!((outcome.ended, outcome.crossed), (Ended::Exited(0), Some(Crossed::Memory)));
}

/// Each run must report only its own usage, although the runs share a zygote and a control group.
#[test]
fn each_run_is_billed_for_itself_alone() {
    needs!("gcc", control_groups());
    let folder = temporary_folder();
    let text = format!(
        "{HEAD}int main(int count, char **words) {{ take(atol(words[1])); burn(atol(words[1])); return 0; }}\n"
    );
    let sandbox = sandbox(&compiled(folder.path(), "takes", &text));
    for megabytes in ["300", "10", "100", "1"] {
        let usage = run(&sandbox, &[megabytes], ROOMY).usage;
        let wanted: u64 = megabytes.parse().expect("it is a number");
        // The kernel charges 64 pages per core in advance. Pages that an earlier run was charged for may be used by a
        // later run, so the peak of the later run may be lower. The test adds 1 MiB for these pages.
        let memory = (usage.memory_bytes.expect("control groups tell the peak") + MIB) / MIB;
        assert!((wanted..wanted + 20).contains(&memory), "{megabytes}: {usage:?}");
        assert!(
            usage.cpu >= Duration::from_millis(wanted) && usage.cpu < Duration::from_millis(wanted + 500),
            "{usage:?}"
        );
    }
}

/// A program that runs until it has used a certain CPU time, by its own CPU clock. `MILLISECONDS` is replaced by this
/// time.
const BURNS_BY_THE_CLOCK: &str =
    "int main(void) { int a, b; scanf(\"%d%d\", &a, &b); burn(MILLISECONDS); printf(\"%d\\n\", a + b); }";

/// Runs a program that uses this CPU time on the package `sum`. Returns the JSON line with its result on the first
/// case.
fn result_of_burning(milliseconds: u32, options: &[&str]) -> serde_json::Value {
    let folder = temporary_folder();
    let body = BURNS_BY_THE_CLOCK.replace("MILLISECONDS", &milliseconds.to_string());
    let program = write(folder.path(), "burns.c", &format!("#include <stdio.h>\n{HEAD}{body}\n"));
    let mut command = referee(["grade", "tests/packages/judged/sum", "--no-cache"]);
    command.args(["--time-limit", "0.5"]).args(options).arg(program);
    let (_, lines) = json(command);
    of_type(&lines, "case_finished")[0].clone()
}

#[test]
fn what_is_close_to_the_limit_is_told_and_measured_as_often_as_is_asked() {
    needs!("gcc", control_groups());
    let far = result_of_burning(100, &["--repeat", "3"]);
    assert_eq!((&far["verdict"], &far["close"], far["cpu_seconds_all"].is_null()), (&"AC".into(), &false.into(), true));
    let near = result_of_burning(410, &[]);
    assert_eq!(
        (&near["verdict"], &near["close"], near["cpu_seconds_all"].is_null()),
        (&"AC".into(), &true.into(), true)
    );
    let repeated = result_of_burning(410, &["--repeat", "3"]);
    let all: Vec<_> =
        repeated["cpu_seconds_all"].as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    let least = all.iter().copied().fold(f64::MAX, f64::min);
    assert_eq!((all.len(), repeated["cpu_seconds"].as_f64(), &repeated["close"]), (3, Some(least), &true.into()));
}

#[test]
fn no_run_can_tell_that_it_is_not_the_first() {
    needs!("gcc", control_groups(), pid_namespace());
    let folder = temporary_folder();
    // The program exceeds the time limit only if its process number is 2, and then it also forks. Suppose that process
    // numbers did not start anew in the second run. Then the program would have another number there, and would not
    // exceed the limit.
    let body = "int main(void) { int a, b; scanf(\"%d%d\", &a, &b); if (getpid() == 2) { burn(1030); \
                for (int i = 0; i < 5; i++) { if (fork() == 0) { _exit(0); } wait(0); } } printf(\"%d\\n\", a + b); }";
    let program = write(folder.path(), "counts.c", &format!("#include <stdio.h>\n{HEAD}{body}\n"));
    let mut command = referee(["grade", "tests/packages/judged/sum", "--no-cache", "-j", "1", "--time-limit", "1"]);
    command.arg(program);
    let case = of_type(&json(command).1, "case_finished")[0].clone();
    assert_eq!(case["verdict"], "TLE", "{case}");
    let times = case["cpu_seconds_all"].as_array().map(Vec::len).unwrap_or_default();
    // A result near the limit is measured again. On a busy machine, the first run may exceed the limit by so much that
    // it is not measured again; `close` is then false.
    assert!(times > 1 || case["close"] == false, "{case}");
}

#[test]
fn of_what_exceeded_the_limit_no_feedback_is_kept() {
    needs!("gcc", "python3", control_groups());
    let folder = temporary_folder();
    let kept_of = |milliseconds: u32| {
        let body =
            format!("int main(void) {{ int a; scanf(\"%d\", &a); burn({milliseconds}); printf(\"%d\\n\", a); }}");
        let program = write(folder.path(), "echoes.c", &format!("#include <stdio.h>\n{HEAD}{body}\n"));
        let feedback = folder.path().join(milliseconds.to_string());
        let mut command = referee(["grade", "tests/packages/judged/custom-validator", "--no-cache", "--cases", "*/1"]);
        command.args(["--time-limit", "0.5", "--feedback"]).arg(&feedback).arg(program);
        let case = of_type(&json(command).1, "case_finished")[0].clone();
        let files = walkdir::WalkDir::new(feedback).into_iter().filter_map(Result::ok);
        (case["verdict"].clone(), files.filter(|file| file.file_name() == "judgemessage.txt").count())
    };
    assert_eq!(kept_of(1), ("AC".into(), 1));
    // The program exceeds the limit of 0.5 s, but it ends before the judge kills it, and the validator accepts its
    // output.
    assert_eq!(kept_of(540), ("TLE".into(), 0));
}

/// Fails unless the sandbox has its own process numbers (a PID namespace).
fn pid_namespace() -> Result<(), String> {
    let found = Enforcement::of(Mode::Auto).parts["processes"].why.contains("namespace");
    if found { Ok(()) } else { Err("the sandbox has no PID namespace".to_owned()) }
}

#[test]
fn a_program_is_not_blamed_for_time_in_which_the_judge_was_stopped() {
    needs!("gcc");
    let folder = temporary_folder();
    let body = "int main(void) { int a, b; scanf(\"%d%d\", &a, &b); sleep(1); printf(\"%d\\n\", a + b); }";
    let program = write(folder.path(), "sleeps.c", &format!("#include <stdio.h>\n#include <unistd.h>\n{body}\n"));
    let report = folder.path().join("report.jsonl");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["grade", "tests/packages/judged/sum", "--no-cache", "--time-limit", "0.3", "-j", "1"]);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("--json").arg(&report).arg(program);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("referee starts");
    let part = report.with_extension("jsonl.part");
    wait_until("it is built", || std::fs::read_to_string(&part).is_ok_and(|text| text.contains("build_finished")));
    std::thread::sleep(Duration::from_millis(200));
    let id = rustix::process::Pid::from_child(&child);
    // The wall limit is 2 s plus three times the time limit, here 2.9 s. The test stops the judge for longer than that.
    rustix::process::kill_process(id, rustix::process::Signal::STOP).expect("it runs");
    std::thread::sleep(Duration::from_millis(3500));
    rustix::process::kill_process(id, rustix::process::Signal::CONT).expect("it is there");
    assert_eq!(child.wait().expect("it can be waited for").code(), Some(0));
}

#[test]
fn of_what_exceeds_the_limit_it_is_known_by_how_much_when_it_is_measured_again() {
    needs!("gcc", control_groups());
    let once = result_of_burning(5000, &[]);
    assert_eq!((&once["verdict"], &once["close"]), (&"TLE".into(), &false.into()));
    let slow = result_of_burning(540, &["--repeat", "3"]);
    let seconds = slow["cpu_seconds"].as_f64().unwrap();
    // On a busy machine the measured time is longer. The expected value of `close` depends on the measured time.
    assert!(seconds >= 0.54, "{slow}");
    assert_eq!((&slow["verdict"], &slow["close"]), (&"TLE".into(), &(seconds < 0.625).into()), "{slow}");
    let slower = result_of_burning(2000, &["--repeat", "5"]);
    assert_eq!((&slower["verdict"], &slower["close"]), (&"TLE".into(), &false.into()), "{slower}");
    assert!(slower["cpu_seconds_all"].is_null(), "the judge stopped the program, so the time is unknown: {slower}");
}

/// Other processes that keep the first core busy.
struct Neighbours(Vec<std::process::Child>);

impl Neighbours {
    fn on_the_first_core(count: usize) -> Neighbours {
        let endless = ["--cpu-list", "0", "sh", "-c", "while :; do :; done"];
        let one = |_| std::process::Command::new("taskset").args(endless).spawn().expect("taskset starts");
        Neighbours((0..count).map(one).collect())
    }
}

impl Drop for Neighbours {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Pins the program to the core that the other processes use.
const ON_THE_FIRST_CORE: &str = "unsigned long first = 1; syscall(SYS_sched_setaffinity, 0, sizeof first, &first);";

fn wait_times() -> Result<(), String> {
    if Path::new("/proc/self/schedstat").exists() {
        Ok(())
    } else {
        Err("the kernel does not measure how long processes wait for a core".to_owned())
    }
}

#[test]
fn a_wall_limit_is_for_sleep_and_not_for_waiting_for_a_core() {
    needs!("gcc", "taskset", wait_times());
    let _neighbours = Neighbours::on_the_first_core(2);
    let folder = temporary_folder();
    // On a busy machine, a program also waits for the disk, and that time counts.
    let limits = Limits { wall: Duration::from_secs(2), ..ROOMY };
    // If the neighbours get a sixth of the core, the program exceeds the wall limit. Their share is small if other tests,
    // with which the kernel counts them together, keep the other cores busy.
    let body = format!("{ON_THE_FIRST_CORE} burn(1700);");
    let right = outcome(folder.path(), "waits", &body, limits);
    assert_eq!((right.ended, right.crossed), (Ended::Exited(0), None), "{:?}", right.usage);
    let waited = right.usage.waited.expect("the wait is measured");
    assert!(right.usage.wall > limits.wall && right.usage.wall < limits.wall + waited, "{:?}", right.usage);
    let sleeper = outcome(folder.path(), "sleeps", "sleep(60);", limits);
    assert_eq!(sleeper.crossed, Some(Crossed::Wall));
    assert!(sleeper.usage.wall < 5 * limits.wall, "{:?}", sleeper.usage);
}

#[test]
fn threads_that_wait_for_each_other_gain_no_time() {
    needs!("gcc");
    let folder = temporary_folder();
    let limits = Limits { cpu: Duration::from_millis(500), wall: Duration::from_millis(500), ..ROOMY };
    let body = "for (int i = 0; i < 60; i++) { if (fork() == 0) { for (;;) { } } } for (;;) { }";
    let many = outcome(folder.path(), "many", body, limits);
    assert!(matches!(many.crossed, Some(Crossed::Cpu | Crossed::Wall)), "{:?}", many.usage);
    assert!(many.usage.wall < 10 * limits.wall, "{:?}", many.usage);
}

#[test]
fn a_sleeping_program_is_told_what_its_time_was_used_for_and_more_jobs_than_cores_are_warned_of() {
    needs!("gcc");
    let grade = || {
        let sleeps = "tests/hostile/TLE/sleeps.c";
        referee(["grade", "tests/packages/judged/sum", sleeps, "--time-limit", "0.1", "-j", "64"])
    };
    grade().assert().code(1).stderr(contains("warning: -j 64 on ").and(contains("programs wait for a core")));
    let (_, lines) = json(grade());
    let message =
        of_type(&lines, "case_finished")[0]["message"].as_str().expect("the message gives the reason").to_owned();
    assert!(message.starts_with("more wall time than the limit of 2.3 s allows: 0.0"), "{message}");
    assert!(message.contains(" s asleep, ") && message.ends_with(" s waiting for a core"), "{message}");
}
