//! Measures the overhead of grading one C++ program on many small cases. The grading is compared with spawning the
//! program once per case and discarding its output.
//!
//! `cargo bench --bench grade` prints the time of `referee grade` on one case (the start-up), and the time of each
//! further case with its ratio to one spawn. It also prints the time of a second run whose results are all cached. All
//! times are medians over alternating rounds. Needs g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASES: usize = 1000;
const ROUNDS: usize = 7;

const PROGRAM: &str =
    "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << \"\\n\"; }\n";

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let program = compile(folder.path());
    let (many, one) = (package(folder.path(), "many", CASES), package(folder.path(), "one", 1));
    let mut rounds: Vec<[Duration; 6]> = Vec::new();
    for _ in 0..ROUNDS {
        let spawned = timed(|| spawn(&many, &program));
        let graded = timed(|| grade(&many, &program, "1", None));
        let parallel = timed(|| grade(&many, &program, "2", None));
        let started = timed(|| grade(&one, &program, "1", None));
        let cache = tempfile::tempdir().expect("a temporary folder can be made");
        let first = timed(|| grade(&many, &program, "1", Some(cache.path())));
        let second = timed(|| grade(&many, &program, "1", Some(cache.path())));
        rounds.push([spawned, graded, parallel, started, first, second]);
    }
    let median = |index: usize| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[index]).collect();
        times.sort();
        times[ROUNDS / 2].as_secs_f64()
    };
    let (spawned, graded, parallel, started) = (median(0), median(1), median(2), median(3));
    let (first, second) = (median(4), median(5));
    let each = |time: f64| (time - started).max(0.0) / (CASES - 1) as f64;
    let spawn = spawned / CASES as f64;
    println!("medians of {ROUNDS} rounds, {CASES} cases");
    println!("one spawn of the program       {:>9.1} us", spawn * 1e6);
    println!("each further case, grade -j 1  {:>9.1} us {:>6.2}x", each(graded) * 1e6, each(graded) / spawn);
    println!("each further case, grade -j 2  {:>9.1} us {:>6.2}x", each(parallel) * 1e6, each(parallel) / spawn);
    println!("grade of {CASES} cases, -j 1      {:>9.1} ms {:>6.2}x", graded * 1e3, graded / spawned);
    println!("grade of one case              {:>9.1} ms", started * 1e3);
    println!("first grade with a cache       {:>9.1} ms {:>6.2}x of one without a cache", first * 1e3, first / graded);
    println!("second grade, all cached       {:>9.1} ms {:>6.3}x of the first", second * 1e3, second / first);
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn compile(folder: &Path) -> PathBuf {
    let (program, text) = (folder.join("sum"), folder.join("sum.cpp"));
    fs::write(&text, PROGRAM).expect("a source can be written");
    let status = Command::new("g++").arg("-O2").arg("-o").args([&program, &text]).status();
    assert!(status.expect("g++ is installed").success(), "the program compiles");
    program
}

fn package(folder: &Path, name: &str, cases: usize) -> PathBuf {
    let root = folder.join(name);
    let secret = root.join("data/secret");
    fs::create_dir_all(&secret).expect("a folder can be made");
    let problem = "problem_format_version: 2025-09\nname: Sum\nuuid: 1\nlimits:\n  time_limit: 2\n";
    fs::write(root.join("problem.yaml"), problem).expect("a file can be written");
    for case in 0..cases {
        fs::write(secret.join(format!("{case:04}.in")), format!("{case} 1\n")).expect("a file can be written");
        fs::write(secret.join(format!("{case:04}.ans")), format!("{}\n", case + 1)).expect("a file can be written");
    }
    root
}

/// Spawns the program on every input, one after the other, without a sandbox.
fn spawn(package: &Path, program: &Path) {
    for case in 0..CASES {
        let input = File::open(package.join(format!("data/secret/{case:04}.in"))).expect("an input can be read");
        let status = Command::new(program).stdin(input).stdout(Stdio::null()).status();
        assert!(status.expect("the program starts").success());
    }
}

/// Grades with the cache folder `cache`, or without a cache if it is `None`.
fn grade(package: &Path, program: &Path, jobs: &str, cache: Option<&Path>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.arg("grade").arg(package).arg(program).args(["-q", "-j", jobs]);
    match cache {
        Some(folder) => command.env("XDG_CACHE_HOME", folder),
        None => command.arg("--no-cache"),
    };
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("referee starts").success(), "the program is accepted");
}
