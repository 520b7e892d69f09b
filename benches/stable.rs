//! Measures whether a program near the time limit gets the same verdict each time. One program needs 0.8 times the
//! limit, and the other 1.25 times. The other cores are idle, busy, or use the whole memory bandwidth.
//!
//! `cargo bench --bench stable` judges each program 300 times under each load, without and with `--repeat 5`. It prints
//! how often the program got each verdict, and the smallest and largest CPU time relative to the limit. The programs
//! execute a fixed number of steps and read no clock. So the benchmark first measures the time of a step before it
//! starts a load. Needs gcc. The benchmark takes more than an hour. Arguments reduce it: a number replaces the 300,
//! `idle`, `busy` and `memory` select the loads, and `once` leaves out the runs with `--repeat`. For example, `cargo
//! bench --bench stable -- 50 busy once` judges each program 50 times under one load.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const LIMIT_SECONDS: f64 = 0.5;
/// The CPU times of the two programs, relative to the limit.
const PARTS: [f64; 2] = [0.8, 1.25];

/// The source of both programs. Each step depends on the step before, so that all steps take the same time.
const PROGRAM: &str = "#include <stdio.h>
int main(void) {
    unsigned long x = 88172645463325252ul;
    for (unsigned long left = STEPS; left > 0; left--) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    puts(x ? \"1\" : \"0\");
}
";

/// The name of each load, and the source code of the program that runs on every core but one; the source code is empty
/// if no program runs. These programs end when the benchmark ends, even if the benchmark is killed.
const LOADS: [(&str, &str); 3] = [
    ("idle", ""),
    (
        "busy",
        "#include <unistd.h>
int main(void) {
    int judge = getppid();
    for (volatile unsigned long i = 0;; i++) if (i % (1ul << 28) == 0 && getppid() != judge) return 0;
}",
    ),
    (
        "memory",
        "#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    int judge = getppid();
    size_t size = 256ul << 20;
    char *one = malloc(size), *other = malloc(size);
    memset(one, 1, size);
    while (getppid() == judge) { memcpy(other, one, size); memcpy(one, other, size); }
}",
    ),
];

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let count = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(300);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let few = package(folder.path(), 20);
    let trial = compiled(folder.path(), "trial", &PROGRAM.replace("STEPS", "100000000ul"));
    let least = judged(&few, &[trial], &[]).iter().map(|(_, _, seconds)| *seconds).fold(f64::INFINITY, f64::min);
    println!("{count} runs each, time limit {LIMIT_SECONDS} s, 10^8 steps in {least:.3} s");
    let programs = PARTS.map(|part| {
        let steps = (1e8 / least * LIMIT_SECONDS * part) as u64;
        compiled(folder.path(), &format!("at-{part}"), &PROGRAM.replace("STEPS", &format!("{steps}ul")))
    });
    let package = package(folder.path(), count);
    let is_asked = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !LOADS.iter().any(|(name, _)| is_asked(name));
    let how_often: &[&[&str]] = if is_asked("once") { &[&[]] } else { &[&[], &["--repeat", "5"]] };
    for (name, source) in LOADS.into_iter().filter(|(name, _)| all || is_asked(name)) {
        let load = Load::start(folder.path(), name, source);
        for options in how_often {
            let results = judged(&package, &programs, options);
            for part in PARTS {
                print_results(&format!("{name} {}", options.join(" ")), part, &results);
            }
        }
        drop(load);
    }
}

fn print_results(how: &str, part: f64, results: &[(String, String, f64)]) {
    let own = || results.iter().filter(|(name, ..)| name.ends_with(&format!("at-{part}")));
    let verdicts = ["AC", "TLE"].map(|word| own().filter(|(_, verdict, _)| verdict == word).count());
    let others = own().count() - verdicts.iter().sum::<usize>();
    let times = || own().map(|(_, _, seconds)| seconds / LIMIT_SECONDS);
    println!(
        "{how:<18} {part:>5} of the limit: {:>4} AC {:>4} TLE {others:>3} others, took {:.2} to {:.2}",
        verdicts[0],
        verdicts[1],
        times().fold(f64::INFINITY, f64::min),
        times().fold(0.0, f64::max)
    );
}

/// Returns submission, verdict and CPU time in seconds of each run.
fn judged(package: &Path, programs: &[PathBuf], options: &[&str]) -> Vec<(String, String, f64)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["grade", "--json", "-", "--all-cases", "--no-cache", "-j", "1"]).args(options).arg(package);
    let output = command.args(programs).stderr(Stdio::null()).output().expect("referee starts");
    let lines = String::from_utf8(output.stdout).expect("it is UTF-8");
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let cases = lines.filter(|line| line["type"] == "case_finished");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let of_line = |line: Value| {
        (word(&line, "submission"), word(&line, "verdict"), line["cpu_seconds"].as_f64().unwrap_or(f64::NAN))
    };
    cases.map(of_line).collect()
}

/// The processes that load the other cores. They run until this value is dropped.
struct Load(Vec<Child>);

impl Load {
    fn start(folder: &Path, name: &str, source: &str) -> Load {
        if source.is_empty() {
            return Load(Vec::new());
        }
        let program = compiled(folder, name, source);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Load((1..cores.max(2)).map(|_| Command::new(&program).spawn().expect("it starts")).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn compiled(folder: &Path, name: &str, text: &str) -> PathBuf {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, text).expect("a file can be written");
    let done = Command::new("gcc").args(["-O1", "-static", "-w", "-o"]).arg(&program).arg(&source).status();
    assert!(done.is_ok_and(|status| status.success()), "gcc compiles it");
    program
}

fn package(folder: &Path, cases: usize) -> PathBuf {
    let package = folder.join(format!("cases-{cases}"));
    let data = package.join("data/secret");
    fs::create_dir_all(&data).expect("a folder can be made");
    let yaml = format!("problem_format_version: 2025-09\nname: Near\nlimits:\n  time_limit: {LIMIT_SECONDS}\n");
    fs::write(package.join("problem.yaml"), yaml).expect("a file can be written");
    for case in 0..cases {
        fs::write(data.join(format!("{case:04}.in")), format!("{case}\n")).expect("a file can be written");
        fs::write(data.join(format!("{case:04}.ans")), "1\n").expect("a file can be written");
    }
    package
}
