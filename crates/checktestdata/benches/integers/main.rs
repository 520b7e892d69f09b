//! Measures the check of 100 MB of integers, compared with a C++ program that reads them with streams.
//!
//! `cargo bench -p referee-checktestdata` prints a table with the ratios, and then the number of checks of a small input
//! per second. It needs g++ and Linux. The benchmark starts both programs alternately on the same file, so that a
//! disturbance of the machine affects both. It compares CPU times, because wall times include waiting for a core.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run may panic")]

mod cases;
mod cpu_time;
mod small;
mod streams;

use std::path::Path;
use std::process::Command;

use cases::{CASES, Case};
use cpu_time::CpuTime;
use referee_checktestdata::{Limits, Program};

/// The number of pairs of runs.
const PAIRS: usize = 7;

/// The first argument with which the benchmark starts itself, to check a file in a process of its own.
const CHECK: &str = "--check";

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [CHECK, program, input] => check(program, Path::new(input)),
        // `cargo test --benches` only checks that the benchmark starts.
        _ if arguments.iter().any(|argument| argument == "--test") => {}
        _ => measure(),
    }
}

fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    streams::compile(folder.path());
    println!("Median of {PAIRS} pairs of runs; times are user CPU time, the second ratio includes system time.\n");
    println!("| input | referee | C++ streams | ratio | with system time | C++ does the same, ratio |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for case in &CASES {
        let input = folder.path().join("input");
        std::fs::write(&input, (case.input)()).expect("the input can be written");
        println!("{}", row(case, folder.path(), &input));
    }
    println!();
    small::measure();
}

/// Measures a case, and returns its row of the table.
fn row(case: &Case, folder: &Path, input: &Path) -> String {
    let own = std::env::current_exe().expect("the benchmark's own path is known");
    let (mut ours, mut theirs, mut same) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        ours.push(cpu_time::of_child(Command::new(&own).args([CHECK, case.program]).arg(input)));
        theirs.push(cpu_time::of_child(&mut streams::reader(folder, input, case, "bounds")));
        if let Some(task) = case.task {
            same.push(cpu_time::of_child(&mut streams::reader(folder, input, case, task)));
        }
    }
    let ratio = |part: fn(&CpuTime) -> f64, others: &[CpuTime]| {
        median(ours.iter().zip(others).map(|(ours, other)| part(ours) / part(other)).collect())
    };
    let milliseconds = |times: &[CpuTime]| median(times.iter().map(|time| time.user * 1000.0).collect());
    let same = if same.is_empty() { String::new() } else { format!("{:.2}", ratio(CpuTime::total, &same)) };
    format!(
        "| {} | {:.0} ms | {:.0} ms | {:.2} | {:.2} | {same} |",
        case.name,
        milliseconds(&ours),
        milliseconds(&theirs),
        ratio(|time| time.user, &theirs),
        ratio(CpuTime::total, &theirs),
    )
}

fn check(program: &str, input: &Path) {
    let program = Program::parse(program.as_bytes()).expect("a program");
    let input = std::fs::read(input).expect("the input can be read");
    program
        .check(&input, Limits { until: None, is_interrupted: || false, memory_bytes: 8 << 30 })
        .expect("the input is valid");
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
