//! Measures the overhead of grading one program on many small cases. The grading is compared with a loop that spawns the
//! program once per case, reads its output through a pipe and compares the output with the answer.
//!
//! `cargo bench --bench grade` does this for two programs: one in C++, and one that uses no library and starts in a
//! tenth of the time. It prints the time of `referee grade` on one case (the start-up), and the time of each further
//! case with its ratio to one round of the loop. It also prints the time of a second run whose results are all cached.
//! All times are medians over alternating rounds. Needs gcc and g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/ratios.rs"]
mod ratios;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASES: usize = 1000;
const ROUNDS: usize = 7;

/// A program to be graded. It prints 1 on every input.
struct Subject {
    name: &'static str,
    /// The name of the source file.
    file: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
    source: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "C++",
        file: "one.cpp",
        compiler: "g++",
        options: &["-O2", "-static"],
        source: "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << b << \"\\n\"; }\n",
    },
    Subject {
        name: "raw static",
        file: "one.c",
        compiler: "gcc",
        options: &["-O2", "-static", "-nostdlib"],
        source: RAW,
    },
];

/// A program that uses no library. It makes two system calls: it writes, and it exits.
#[cfg(target_arch = "x86_64")]
const RAW: &str = "static long call(long n, long a, const void *b, long c) { long r; __asm__ volatile(\"syscall\" : \
                   \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c) : \"rcx\", \"r11\", \"memory\"); return r; }\n\
                   void _start(void) { call(1, 1, \"1\\n\", 2); call(60, 0, 0, 0); }\n";
#[cfg(target_arch = "aarch64")]
const RAW: &str = "static long call(long n, long a, const void *b, long c) { register long x8 __asm__(\"x8\") = n; \
                   register long x0 __asm__(\"x0\") = a; register const void *x1 __asm__(\"x1\") = b; register long x2 \
                   __asm__(\"x2\") = c; __asm__ volatile(\"svc #0\" : \"+r\"(x0) : \"r\"(x8), \"r\"(x1), \"r\"(x2) : \
                   \"memory\"); return x0; }\nvoid _start(void) { call(64, 1, \"1\\n\", 2); call(93, 0, 0, 0); }\n";

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (many, one) = (package(folder.path(), "many", CASES), package(folder.path(), "one", 1));
    for subject in &SUBJECTS {
        measure(subject, &subject.compile(folder.path()), &many, &one);
    }
}

fn measure(subject: &Subject, program: &Path, many: &Path, one: &Path) {
    let mut rounds: Vec<[Duration; 6]> = Vec::new();
    for _ in 0..ROUNDS {
        let looped = timed(|| spawn_pipe_compare(many, program));
        let graded = timed(|| grade(many, program, "1", None));
        let parallel = timed(|| grade(many, program, "2", None));
        let started = timed(|| grade(one, program, "1", None));
        let cache = tempfile::tempdir().expect("a temporary folder can be made");
        let first = timed(|| grade(many, program, "1", Some(cache.path())));
        let second = timed(|| grade(many, program, "1", Some(cache.path())));
        rounds.push([looped, graded, parallel, started, first, second]);
    }
    let median = |index: usize| {
        let mut times: Vec<_> = rounds.iter().map(|round| round[index]).collect();
        times.sort();
        times[ROUNDS / 2].as_secs_f64()
    };
    let (looped, graded, parallel, started) = (median(0), median(1), median(2), median(3));
    let (first, second) = (median(4), median(5));
    let each = |time: f64| (time - started).max(0.0) / (CASES - 1) as f64;
    let of_loop = looped / CASES as f64;
    println!("{}: medians of {ROUNDS} rounds, {CASES} cases", subject.name);
    println!("one round of the loop          {:>9.1} us", of_loop * 1e6);
    println!("each further case, grade -j 1  {:>9.1} us {:>6.2}x", each(graded) * 1e6, each(graded) / of_loop);
    println!("each further case, grade -j 2  {:>9.1} us {:>6.2}x", each(parallel) * 1e6, each(parallel) / of_loop);
    println!("grade of {CASES} cases, -j 1      {:>9.1} ms {:>6.2}x", graded * 1e3, graded / looped);
    println!("grade of one case              {:>9.1} ms", started * 1e3);
    println!("first grade with a cache       {:>9.1} ms {:>6.2}x of one without a cache", first * 1e3, first / graded);
    println!("second grade, all cached       {:>9.1} ms {:>6.3}x of the first", second * 1e3, second / first);
    for (what, ratio) in [
        ("each case, -j 1", each(graded) / of_loop),
        ("each case, -j 2", each(parallel) / of_loop),
        ("all cases", graded / looped),
        ("start-up, in rounds of the loop", started / of_loop),
        ("all cached", second / first),
    ] {
        ratios::record(&format!("grade: {}, {what}", subject.name), ratio);
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

impl Subject {
    fn compile(&self, folder: &Path) -> PathBuf {
        let (program, text) = (folder.join(self.name), folder.join(self.file));
        fs::write(&text, self.source).expect("a source can be written");
        let status = Command::new(self.compiler).args(self.options).arg("-o").args([&program, &text]).status();
        assert!(status.expect("the compiler is installed").success(), "the program compiles");
        program
    }
}

fn package(folder: &Path, name: &str, cases: usize) -> PathBuf {
    let root = folder.join(name);
    let secret = root.join("data/secret");
    fs::create_dir_all(&secret).expect("a folder can be made");
    let problem = "problem_format_version: 2025-09\nname: Sum\nuuid: 1\nlimits:\n  time_limit: 2\n";
    fs::write(root.join("problem.yaml"), problem).expect("a file can be written");
    for case in 0..cases {
        fs::write(secret.join(format!("{case:04}.in")), format!("{case} 1\n")).expect("a file can be written");
        fs::write(secret.join(format!("{case:04}.ans")), "1\n").expect("a file can be written");
    }
    root
}

/// Spawns the program on every input, one after the other and without a sandbox, and compares its output with the
/// answer.
fn spawn_pipe_compare(package: &Path, program: &Path) {
    for case in 0..CASES {
        let input = File::open(package.join(format!("data/secret/{case:04}.in"))).expect("an input can be read");
        let output = Command::new(program).stdin(input).stdout(Stdio::piped()).output().expect("the program starts");
        let answer = fs::read(package.join(format!("data/secret/{case:04}.ans"))).expect("an answer can be read");
        assert!(output.status.success() && output.stdout == answer);
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
