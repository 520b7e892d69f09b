//! Runs programs hundreds of times with the sandbox library. The runs leave nothing behind and disturb no other
//! process.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use referee_sandbox::{Crossed, Ended, Enforcement, Limits, Mode, State};

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;
use super::support::sandbox::{compiled, run, sandbox};

const LIMITS: Limits = Limits {
    cpu: Duration::from_millis(100),
    wall: Duration::from_secs(1),
    memory_bytes: 64 << 20,
    output_bytes: 1 << 16,
    until: None,
};

const FORK_BOMB: &str = "#include <unistd.h>\nint main(void) { for (;;) { fork(); } }";

/// A program that forks twice, each time into a new session. Both descendants ignore every signal and keep standard
/// output open. The parent exits.
const DAEMON: &str = "
#include <signal.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (fork() != 0) { return 0; }
        setsid();
        for (int s = 1; s < 65; s++) { signal(s, SIG_IGN); }
    }
    for (;;) { pause(); }
}";

/// A program that runs until it has used a certain CPU time, by its own CPU clock. Its last argument is this time in
/// milliseconds.
const BURNS: &str = "
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
    long wanted = atol(words[count - 1]);
    struct timespec used;
    do { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used); } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < wanted);
    return 0;
}";

/// Returns the number of processes whose program is `program`.
fn alive(program: &Path) -> usize {
    let processes = std::fs::read_dir("/proc").expect("/proc can be read").filter_map(Result::ok);
    let is_it = |process: &std::fs::DirEntry| {
        let words = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        words.split(|&byte| byte == 0).next() == Some(program.as_os_str().as_encoded_bytes())
    };
    processes.filter(is_it).count()
}

fn namespaces() -> Result<(), String> {
    let found = Enforcement::of(Mode::Auto).parts["processes"].state == State::Enforced;
    if found { Ok(()) } else { Err("processes cannot be held here".to_owned()) }
}

#[test]
#[ignore = "takes a minute: 400 hostile runs"]
fn two_hundred_fork_bombs_and_daemons_leave_nothing_and_disturb_no_other_judge() {
    needs!("gcc", namespaces());
    let folder = temporary_folder();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // A failed assertion must end the other judge, too, because the scope waits for the thread of that judge.
        let _ends = SetOnDrop(&over);
        let other = scope.spawn(|| another_judge(&over));
        for (name, text) in [("bomb", FORK_BOMB), ("daemon", DAEMON)] {
            let program = compiled(folder.path(), name, text);
            let sandbox = sandbox(&program);
            for _ in 0..200 {
                let outcome = run(&sandbox, &[], LIMITS);
                assert_eq!(alive(&program), 0, "{name}");
                match name {
                    "bomb" => assert!(matches!(outcome.crossed, Some(Crossed::Cpu | Crossed::Wall | Crossed::Memory))),
                    _ => assert_eq!(outcome.ended, Ended::Exited(0), "{:?} {:?}", outcome.crossed, outcome.usage),
                }
            }
        }
        over.store(true, Ordering::Relaxed);
        assert!(other.join().expect("the other judge is right") > 0);
    });
}

/// Sets the flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Judges until the other threads are done. Every verdict must be right. Returns the number of runs.
fn another_judge(over: &AtomicBool) -> usize {
    let mut count = 0;
    while !over.load(Ordering::Relaxed) {
        let right = "tests/packages/judged/sum/submissions/accepted/sum.py";
        let (code, lines) = json(referee(["grade", "tests/packages/judged/sum", right, "--time-limit", "20"]));
        assert_eq!((code, &of_type(&lines, "submission_finished")[0]["verdict"]), (0, &"AC".into()), "{lines:?}");
        count += 1;
    }
    count
}

#[test]
fn a_program_below_its_limit_of_cpu_time_is_not_ended_and_one_above_it_is() {
    needs!("gcc");
    let folder = temporary_folder();
    let sandbox = sandbox(&compiled(folder.path(), "burns", BURNS));
    let limits = Limits { cpu: Duration::from_millis(200), wall: Duration::from_secs(20), ..LIMITS };
    for _ in 0..10 {
        let below = run(&sandbox, &["150"], limits);
        assert_eq!((below.ended, below.crossed), (Ended::Exited(0), None));
        assert!(below.usage.cpu >= Duration::from_millis(150), "{:?}", below.usage);
        assert_eq!(run(&sandbox, &["100000"], limits).crossed, Some(Crossed::Cpu));
    }
}

#[test]
fn no_descriptor_of_the_judge_is_lost_over_many_runs() {
    let open = || std::fs::read_dir("/proc/self/fd").expect("/proc can be read").count();
    let sandbox = sandbox(Path::new("/bin/true"));
    run(&sandbox, &[], LIMITS);
    let before = open();
    for _ in 0..300 {
        run(&sandbox, &[], Limits { cpu: Duration::from_secs(5), wall: Duration::from_secs(10), ..LIMITS });
    }
    // A small difference is allowed, because other tests of this process open and close files at the same time.
    assert!(open() < before + 100, "{before} open before, {} after", open());
}

/// The largest resident memory of `grade` on a new package with this number of test cases, in KiB: first without known
/// results, then with all results in the cache.
fn peaks(program: &Path, cases: usize) -> [u64; 2] {
    let folder = temporary_folder();
    write(folder.path(), "package/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n");
    for case in 0..cases {
        write(folder.path(), &format!("package/data/secret/{case:05}.in"), "1\n");
        write(folder.path(), &format!("package/data/secret/{case:05}.ans"), "1\n");
    }
    [0; 2].map(|_| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", "--quiet"]).arg(folder.path().join("package")).arg(program);
        command.env("XDG_CACHE_HOME", folder.path().join("cache")).stderr(Stdio::null()).stdout(Stdio::null());
        let mut running = command.spawn().expect("referee starts");
        let mut peak = 0;
        loop {
            let status = fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
            peak = line.map_or(peak, |kibibytes| kibibytes.parse().expect("a number"));
            if let Some(ended) = running.try_wait().expect("it can be waited for") {
                assert!(ended.success());
                return peak;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    })
}

#[test]
#[ignore = "takes ten seconds: 12,000 runs"]
fn a_test_case_takes_less_than_half_a_kibibyte_of_memory_and_less_than_one_with_a_known_result() {
    needs!("gcc");
    let folder = temporary_folder();
    let program = compiled(folder.path(), "one", "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }");
    let (few, many) = (peaks(&program, 1_000), peaks(&program, 11_000));
    let bytes_each = [0, 1].map(|run| (many[run] - few[run]) * 1024 / 10_000);
    assert!(bytes_each[0] < 512 && bytes_each[1] < 1024, "{bytes_each:?} bytes, {few:?} and {many:?} KiB");
}
