//! Measures how many inputs `hunt` tries per second. For each puzzle, it hunts an accepted C++ submission for a few
//! seconds. The rate is compared with spawning the submission on the first sample.
//!
//! `cargo bench --bench hunt` prints the spawns per second, the inputs per second with one and with two jobs, and the
//! ratios: medians over alternating rounds. An input of solitaire has up to 100 boards, so its rates are not comparable
//! with those of the other puzzles. Needs g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 3;

/// The duration of each measurement, in seconds.
const SECONDS: u64 = 3;

const PUZZLES: [(&str, &str); 4] = [
    ("flipgame", "two_halves.cpp"),
    ("swapgame", "subset_dp.cpp"),
    ("solitaire", "bidirectional.cpp"),
    ("coins", "two_ended.cpp"),
];

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    println!("per second, medians of {ROUNDS} rounds of {SECONDS} s each");
    println!("{:<10}{:>10}{:>12}{:>12}{:>10}{:>10}", "", "spawns", "tries -j 1", "tries -j 2", "ratio", "ratio");
    for (puzzle, submission) in PUZZLES {
        let source = Path::new("cases").join(puzzle).join("submissions/accepted").join(submission);
        let program = compile(folder.path(), puzzle, &source);
        let input = Path::new("cases").join(puzzle).join("data/sample/1.in");
        let mut rounds: Vec<[f64; 3]> = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push([spawns(&program, &input), tries(puzzle, &program, "1"), tries(puzzle, &program, "2")]);
        }
        let [spawns, one, two] = [0, 1, 2].map(|index| median(&rounds, index));
        println!("{puzzle:<10}{spawns:>10.0}{one:>12.0}{two:>12.0}{:>10.2}{:>10.2}", one / spawns, two / spawns);
    }
}

fn median(rounds: &[[f64; 3]], index: usize) -> f64 {
    let mut rates: Vec<_> = rounds.iter().map(|round| round[index]).collect();
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn compile(folder: &Path, name: &str, source: &Path) -> PathBuf {
    let program = folder.join(name);
    let status = Command::new("g++").args(["-O2", "-std=c++20", "-o"]).arg(&program).arg(source).status();
    assert!(status.expect("g++ is installed").success(), "the program compiles");
    program
}

/// Returns the number of times per second that the program can be spawned and waited for, without a judge.
fn spawns(program: &Path, input: &Path) -> f64 {
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < Duration::from_secs(SECONDS) {
        let input = File::open(input).expect("the sample can be read");
        let status = Command::new(program).stdin(input).stdout(Stdio::null()).status();
        assert!(status.expect("the program starts").success(), "the program must exit with 0");
        count += 1;
    }
    f64::from(count) / started.elapsed().as_secs_f64()
}

/// Returns the number of inputs per second that the command reports.
fn tries(puzzle: &str, program: &Path, jobs: &str) -> f64 {
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["hunt", puzzle, "--json", "-", "-j", jobs, "--seconds", &SECONDS.to_string()])
        .arg(program)
        .output()
        .expect("referee starts");
    assert!(
        output.status.success(),
        "the hunt of an accepted submission must find nothing: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("JSON lines are UTF-8");
    let line =
        text.lines().find(|line| line.contains("\"hunt_finished\"")).expect("the report has a line hunt_finished");
    let finished: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
    let figure = |key: &str| finished[key].as_f64().expect("a number");
    figure("tried") / figure("seconds")
}
