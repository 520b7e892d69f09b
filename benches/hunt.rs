//! Compares the inputs that `hunt` tries per second with the runs per second that the machine allows.
//!
//! For each puzzle, the benchmark hunts an accepted C++ submission for a few seconds. Then it runs the submission on
//! the same inputs without a judge: it only starts the program and waits for its end. A hunt cannot be faster than
//! that, so the rate of these runs is the limit.
//!
//! `cargo bench --bench hunt` prints medians over the rounds, for one and for two jobs. The first ratio is tries per
//! second divided by runs per second, the second is the CPU time of a run divided by that of a try. On a busy machine,
//! only the second is reliable. The last two columns describe the inputs. `run/start` divides the median time of a run
//! by the median time of a run on the first sample; a value near 1 means that the program is quick on most inputs.
//! `boards` is the mean number of boards of an input. CPU times are in milliseconds per input, and include all
//! processes. `$REFEREE` names another binary to measure. Needs g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/binary.rs"]
mod binary;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use referee::puzzles::agreed_answers::ReferenceAnswers;

const ROUNDS: usize = 3;

/// The duration of each hunt, in seconds.
const SECONDS: u64 = 5;

/// The number of runs on the first sample.
const STARTS: usize = 200;

/// The puzzles, each with a submission and the number of lines of a board.
const PUZZLES: [(&str, &str, usize); 4] = [
    ("flipgame", "two_halves.cpp", 4),
    ("swapgame", "subset_dp.cpp", 8),
    ("solitaire", "bidirectional.cpp", 2),
    ("coins", "two_ended.cpp", 2),
];

/// A measurement of a hunt, and of bare runs on the same inputs.
#[derive(Clone, Copy)]
struct Round {
    /// The number of inputs that the hunt tried per second.
    tries: f64,
    /// The number of bare runs per second.
    runs: f64,
    /// The CPU time of the hunt and of the bare runs, in milliseconds per input.
    cpu: [f64; 2],
    /// The median time of a bare run, in seconds.
    run: f64,
    /// The median time of a bare run on the first sample, in seconds.
    start: f64,
    boards: f64,
}

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    println!("medians of {ROUNDS} rounds of {SECONDS} s each");
    println!(
        "{:<10}{:>4}{:>9}{:>9}{:>7}{:>10}{:>10}{:>7}{:>11}{:>8}",
        "", "jobs", "tries/s", "runs/s", "ratio", "hunt CPU", "run CPU", "ratio", "run/start", "boards"
    );
    let only = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    for (puzzle, submission, lines) in PUZZLES {
        if only.as_ref().is_some_and(|only| only != puzzle) {
            continue;
        }
        let package = Path::new("cases").join(puzzle);
        let program = compile(folder.path(), puzzle, &package.join("submissions/accepted").join(submission));
        for jobs in [1, 2] {
            let rounds: Vec<_> = (0..ROUNDS).map(|_| round(&package, &program, folder.path(), jobs, lines)).collect();
            print(puzzle, jobs, &rounds);
        }
    }
}

fn print(puzzle: &str, jobs: usize, rounds: &[Round]) {
    let of = |figure: fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
    println!(
        "{puzzle:<10}{jobs:>4}{:>9.0}{:>9.0}{:>7.2}{:>10.2}{:>10.2}{:>7.2}{:>11.2}{:>8.1}",
        of(|round| round.tries),
        of(|round| round.runs),
        of(|round| round.tries / round.runs),
        of(|round| round.cpu[0]),
        of(|round| round.cpu[1]),
        of(|round| round.cpu[1] / round.cpu[0]),
        of(|round| round.run / round.start),
        of(|round| round.boards),
    );
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn compile(folder: &Path, name: &str, source: &Path) -> PathBuf {
    let program = folder.join(name);
    let status = Command::new("g++").args(["-O2", "-std=c++20", "-o"]).arg(&program).arg(source).status();
    assert!(status.expect("g++ is installed").success(), "the program compiles");
    program
}

/// Hunts, and then runs the program on the inputs that the hunt tried.
fn round(package: &Path, program: &Path, folder: &Path, jobs: usize, lines: usize) -> Round {
    let before = children_cpu();
    let (tried, seconds) = hunt(package, program, jobs);
    let hunt_cpu = children_cpu() - before;
    let loaded = referee_package::load(package).expect("the package can be read");
    let inputs = referee_hunt::puzzle_inputs(&loaded, &ReferenceAnswers, 1).expect("the package is a puzzle's");
    let texts: Vec<_> = inputs.take(tried).map(|input| input.expect("an input can be drawn")).collect();
    let text_lines: usize =
        texts.iter().map(|text| text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()).sum();
    let paths: Vec<_> = (0..tried).map(|number| folder.join(format!("{number}.in"))).collect();
    for (path, text) in paths.iter().zip(&texts) {
        fs::write(path, text).expect("an input can be written");
    }
    let before = children_cpu();
    let began = Instant::now();
    let run = median(runs(program, &paths, jobs));
    let elapsed = began.elapsed().as_secs_f64();
    let run_cpu = children_cpu() - before;
    let samples = vec![package.join("data/sample/1.in"); STARTS];
    let count = tried as f64;
    Round {
        tries: count / seconds,
        runs: count / elapsed,
        cpu: [hunt_cpu / count, run_cpu / count],
        run,
        start: median(runs(program, &samples, jobs)),
        boards: text_lines as f64 / lines as f64 / count,
    }
}

/// Returns the CPU time of all ended child processes and their descendants, in milliseconds.
fn children_cpu() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").expect("/proc is mounted");
    // The name of the program is in parentheses and may contain spaces. Fields 16 and 17 of the line, which are fields
    // 13 and 14 after the name, are the times in user and in kernel mode, in hundredths of a second.
    let fields: Vec<_> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<u64>().expect("a number");
    10.0 * (ticks(13) + ticks(14)) as f64
}

/// Runs the program on each input, `jobs` at a time, without a judge. Returns the time of each run, in seconds.
fn runs(program: &Path, inputs: &[PathBuf], jobs: usize) -> Vec<f64> {
    let (next, times) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(inputs.len())));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let input = File::open(input).expect("the input can be read");
                    let status = Command::new(program).stdin(input).stdout(Stdio::null()).status();
                    assert!(status.expect("the program starts").success(), "the program must exit with 0");
                    times.lock().expect("no thread panics").push(began.elapsed().as_secs_f64());
                }
            });
        }
    });
    times.into_inner().expect("no thread panics")
}

/// Returns the number of inputs that the command has tried, and the duration of the search in seconds.
fn hunt(package: &Path, program: &Path, jobs: usize) -> (usize, f64) {
    let output = binary::referee()
        .arg("hunt")
        .arg(package)
        .args(["--json", "-", "-j", &jobs.to_string(), "--seconds", &SECONDS.to_string()])
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
    (figure("tried") as usize, figure("seconds"))
}
