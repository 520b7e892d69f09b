//! Measures how the time of grading grows with the number of test cases, submissions and jobs. The time per run and the
//! memory should stay constant as the number of runs grows.
//!
//! `cargo bench --bench scale` prints figures for 10 to 100,000 cases and for 10 to 10,000 submissions: the time per
//! run, its ratio to the time per run with a hundred cases or submissions, and the largest resident memory of the
//! judge. The start-up, measured with one case, is subtracted. Arguments replace the largest numbers: `cargo bench
//! --bench scale -- 1000 100` stops at 1000 cases and 100 submissions. Needs gcc, and 2 GB in the temporary folder.
//! `$REFEREE` names another binary to measure.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/binary.rs"]
mod binary;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str =
    "#include <stdio.h>\nint main(void) { long a, b; scanf(\"%ld%ld\", &a, &b); printf(\"%ld\\n\", a + b); }\n";

/// The cost of one `grade`.
struct Cost {
    seconds: f64,
    peak_mib: f64,
}

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let mut most = arguments.iter().filter_map(|argument| argument.parse().ok());
    let (most_cases, most_submissions) = (most.next().unwrap_or(100_000), most.next().unwrap_or(10_000));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let program = compiled(folder.path());
    let one = package(folder.path(), 1);
    // Other work on the machine only adds time, so the minimum counts.
    let trials = (0..7).map(|_| grade(&one, std::slice::from_ref(&program), "1").seconds);
    let start = trials.fold(f64::INFINITY, f64::min);
    println!("start-up and one run: {:.1} ms", start * 1e3);
    for jobs in ["1", "2"] {
        println!("\n    cases of one submission, -j {jobs}");
        grow(10, most_cases, start, |count| {
            let package = package(folder.path(), count);
            grade(&package, std::slice::from_ref(&program), jobs)
        });
        println!("\nsubmissions on one case, -j {jobs}");
        grow(1, most_submissions, start, |count| grade(&one, &copies(folder.path(), &program, count), jobs));
    }
}

/// Calls `measure` with `from` items (at least 10), and then each time with ten times as many, up to `most`. Prints the
/// cost per item of each call.
fn grow(from: usize, most: usize, start: f64, measure: impl Fn(usize) -> Cost) {
    let mut of_a_hundred = None;
    let mut count = from.max(10);
    while count <= most {
        let cost = measure(count);
        let each = (cost.seconds - start).max(0.0) / (count - 1) as f64;
        let ratio = (count >= 100).then(|| each / *of_a_hundred.get_or_insert(each));
        let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}x"));
        println!(
            "{count:>9}   {:>7.1} us each {ratio:>7}   {:>7.1} MiB   {:>8.2} s",
            each * 1e6,
            cost.peak_mib,
            cost.seconds
        );
        count *= 10;
    }
}

fn grade(package: &Path, programs: &[PathBuf], jobs: &str) -> Cost {
    let mut command = binary::referee();
    command.args(["grade", "--quiet", "--no-cache", "--jobs", jobs]).arg(package);
    // The command runs in the folder of the programs, because their full paths could exceed the maximum length of a
    // command line.
    command.current_dir(programs[0].parent().expect("a program lies in a folder"));
    command.args(programs.iter().filter_map(|path| path.file_name()));
    let started = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("referee starts");
    let peak_mib = wait(child);
    Cost { seconds: started.elapsed().as_secs_f64(), peak_mib }
}

/// Waits for the end of the judge. Returns its largest resident memory in MiB, as last seen in /proc.
fn wait(mut child: std::process::Child) -> f64 {
    let mut peak_kib = 0.0;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map(|rest| rest.trim().trim_end_matches(" kB"));
        peak_kib = peak.and_then(|kib| kib.parse().ok()).unwrap_or(peak_kib);
        if let Some(status) = child.try_wait().expect("cannot wait for referee") {
            assert!(status.success(), "every submission must be accepted");
            return peak_kib / 1024.0;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn compiled(folder: &Path) -> PathBuf {
    let source = folder.join("sum.c");
    fs::write(&source, PROGRAM).expect("a file can be written");
    fs::create_dir(folder.join("programs")).expect("a folder can be made");
    let program = folder.join("programs/0");
    let done = Command::new("gcc").args(["-O2", "-static", "-o"]).arg(&program).arg(&source).status();
    assert!(done.is_ok_and(|status| status.success()), "gcc compiles it");
    program
}

/// Creates `count` links to the program and returns them.
fn copies(folder: &Path, program: &Path, count: usize) -> Vec<PathBuf> {
    let name = |index: usize| folder.join("programs").join(index.to_string());
    for index in (0..count).filter(|&index| !name(index).exists()) {
        fs::hard_link(program, name(index)).expect("a link can be made");
    }
    (0..count).map(name).collect()
}

/// Creates a package with `cases` different cases, unless it exists already.
fn package(folder: &Path, cases: usize) -> PathBuf {
    let package = folder.join(format!("cases-{cases}"));
    if package.exists() {
        return package;
    }
    let data = package.join("data/secret");
    fs::create_dir_all(&data).expect("a folder can be made");
    fs::write(package.join("problem.yaml"), "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 2\n")
        .expect("a file can be written");
    for case in 0..cases {
        fs::write(data.join(format!("{case:06}.in")), format!("{case} 1\n")).expect("a file can be written");
        fs::write(data.join(format!("{case:06}.ans")), format!("{}\n", case + 1)).expect("a file can be written");
    }
    package
}
