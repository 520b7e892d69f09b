//! Measures how long a check of 100 MB of integers takes, compared with a C++ program that reads them with streams.
//!
//! `cargo bench -p referee-checktestdata` prints the medians of both and their ratio. The benchmark runs the two
//! programs alternately, so that a disturbance of the machine affects both. It needs g++.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run may panic")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use referee_checktestdata::{Limits, Program};
use referee_random::Random;

/// The number of integers; with their separators they take 100 MB.
const COUNT: usize = 12_900_000;

/// The number of pairs of runs.
const RUNS: usize = 5;

const READER: &str = "#include <iostream>\n\
    int main() {\n\
    std::ios::sync_with_stdio(false); std::cin.tie(nullptr);\n\
    long n, x, sum = 0; std::cin >> n;\n\
    for (long i = 0; i < n; i++) { std::cin >> x; if (x < 1 || x > 10000000) return 1; sum += x; }\n\
    std::cout << sum << '\\n'; }\n";

const PLAIN: &str = "INT(1, 10^8, n) NEWLINE REP(n, SPACE) INT(1, 10^7) END NEWLINE";
const STORED: &str = "INT(1, 10^8, n) NEWLINE REPI(i, n, SPACE) INT(1, 10^7, a[i]) END NEWLINE";

fn main() {
    // `cargo test --benches` only checks that the benchmark starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let input = input();
    std::fs::write(folder.path().join("input"), &input).expect("the input can be written");
    compile(folder.path());
    println!("{} MB, medians of {RUNS} runs", input.len() / 1_000_000);
    for (name, source) in [("INT", PLAIN), ("INT into an array", STORED)] {
        let program = Program::parse(source.as_bytes()).expect("a program");
        let limits = Limits { until: None, memory_bytes: 4 << 30 };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            ours.push(timed(|| program.check(input.as_bytes(), limits).expect("the input is valid")));
            theirs.push(timed(|| read_with_streams(folder.path())));
        }
        let (ours, theirs) = (median(ours), median(theirs));
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("{name:<20} {:>7.0} ms   C++ streams {:>7.0} ms   ratio {ratio:.2}", ms(ours), ms(theirs));
    }
}

fn input() -> String {
    let mut random = Random::new(1, 0);
    let mut text = format!("{COUNT}\n");
    for index in 0..COUNT {
        let end = if index + 1 < COUNT { ' ' } else { '\n' };
        let _ = write!(text, "{}{end}", random.between(1, 10_000_000));
    }
    text
}

fn compile(folder: &Path) {
    std::fs::write(folder.join("reader.cpp"), READER).expect("the source can be written");
    let mut compiler = Command::new("g++");
    compiler.args(["-O2", "-o", "reader", "reader.cpp"]).current_dir(folder);
    assert!(compiler.status().expect("g++ starts").success());
}

fn read_with_streams(folder: &Path) {
    let input = std::fs::File::open(folder.join("input")).expect("the input is there");
    let status = Command::new(folder.join("reader")).stdin(input).stdout(Stdio::null()).status();
    assert!(status.expect("the reader starts").success());
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
