//! Measures the default output validator on an answer and an output of up to 64 MB each. The time is compared with the
//! time to read both texts.
//!
//! To read the texts, the benchmark adds up their 64-bit words, which is as fast as the memory allows. Rounds of
//! reading and comparing alternate. Each ratio uses the fastest round of either kind, because other work on the machine
//! only adds time. The answer is in memory, but is read through a `BufReader`, as the judge reads a file. So the
//! figures include copying the answer once, but not the file system.
//!
//! The speed of a machine's memory depends on the other work on it. So `benches/guard` gets the ratios of small texts,
//! which stay in the processor's cache.
//!
//! If answer and output are equal, the validator is also compared with `cmp`. `cmp` reads two files from a file system
//! in memory; its time includes about a millisecond for starting `cmp`. In this comparison, the validator also reads
//! the answer from a file, but the output is already in memory, as in the judge.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must fail")]

#[path = "support/ratios.rs"]
mod ratios;

use std::fs::{self, File};
use std::hint::black_box;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use referee_compare::{Dialect, Options, PIECE_BYTES, compare};

const BYTES: usize = 64 << 20;

/// Two texts of this size, and the buffer of the reader, fit into the second cache of a core.
const SMALL_BYTES: usize = 256 << 10;

const ROUNDS: usize = 5;
const ROUNDS_OF_SMALL: usize = 20;

/// Returns one part of a text. The argument is the number of the part, from 0. All parts in a row make up the text.
type Write = fn(u64) -> String;

/// Two texts, and the arguments with which they are equal.
struct Case {
    name: &'static str,
    arguments: &'static [&'static str],
    answer: Write,
    output: Write,
}

const FLOAT: &[&str] = &["float_tolerance", "1e-6"];
const STRICT: &[&str] = &["case_sensitive", "space_change_sensitive"];

const CASES: [Case; 11] = [
    Case { name: "equal", arguments: &[], answer: lines, output: lines },
    Case { name: "equal, every byte counts", arguments: STRICT, answer: lines, output: lines },
    Case { name: "blanks at ends of lines", arguments: &[], answer: lines, output: |index| line(index) + " \n" },
    Case { name: "CRLF", arguments: &[], answer: lines, output: |index| line(index) + "\r\n" },
    Case { name: "upper case", arguments: &[], answer: lines, output: |index| line(index).to_uppercase() + "\n" },
    Case { name: "floats, equal text", arguments: FLOAT, answer: nine_places, output: nine_places },
    Case { name: "floats, fewer digits", arguments: FLOAT, answer: nine_places, output: six_places },
    Case { name: "digits, equal text", arguments: &[], answer: digits, output: digits },
    Case {
        name: "digits, a line each",
        arguments: &[],
        answer: digits,
        output: |index| digits(index).replace(' ', "\n"),
    },
    Case {
        name: "digits, as floats",
        arguments: FLOAT,
        answer: digits,
        output: |index| digits(index).replace(' ', ".0 "),
    },
    Case { name: "one token", arguments: &[], answer: |_| "x".repeat(1 << 10), output: |_| "x".repeat(1 << 10) },
];

/// Returns a number that the processor's branch prediction cannot learn.
fn mixed(index: u64) -> u64 {
    index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

fn line(index: u64) -> String {
    format!("{} case {:x} impossible", mixed(index) >> 24, mixed(index) as u32)
}

fn lines(index: u64) -> String {
    line(index) + "\n"
}

fn nine_places(index: u64) -> String {
    format!("{:.9}\n", mixed(index) as f64 / 1e9)
}

fn six_places(index: u64) -> String {
    format!("{:.6}\n", mixed(index) as f64 / 1e9)
}

/// Returns sixteen numbers of one digit, separated by blanks.
fn digits(index: u64) -> String {
    (0..16).flat_map(|place| [char::from(b'0' + ((mixed(index) >> (2 * place)) % 10) as u8), ' ']).collect()
}

/// The texts and options of a case.
struct Texts {
    answer: Vec<u8>,
    output: Vec<u8>,
    options: Options,
}

impl Case {
    /// Returns both texts, each of about this many bytes.
    fn texts(&self, bytes: usize) -> Texts {
        let longest = (self.answer)(1).len().max((self.output)(1).len());
        let all = |write: Write| (0..(bytes / longest) as u64).flat_map(|index| write(index).into_bytes()).collect();
        let options = Options::parse(self.arguments, Dialect::Spec).unwrap_or_default();
        Texts { answer: all(self.answer), output: all(self.output), options }
    }
}

impl Texts {
    fn compare(&self) -> bool {
        let answer = BufReader::with_capacity(PIECE_BYTES, black_box(&self.answer[..]));
        matches!(compare(answer, black_box(&self.output), &self.options), Ok(None))
    }

    /// Compares the output with the answer in the file `answer`.
    fn compare_with(&self, answer: &Path) -> bool {
        let answer = BufReader::with_capacity(PIECE_BYTES, File::open(answer).expect("cannot open the answer file"));
        matches!(compare(answer, black_box(&self.output), &self.options), Ok(None))
    }

    /// Writes both texts as files into the folder.
    fn written(&self, folder: &Path) -> [PathBuf; 2] {
        let paths = ["answer", "output"].map(|name| folder.join(name));
        for (path, text) in paths.iter().zip([&self.answer, &self.output]) {
            fs::write(path, text).expect("cannot write a file");
        }
        paths
    }

    /// Adds up both texts as 64-bit numbers. The result is a `bool`, so that the sum can be timed like a comparison.
    fn sum(&self) -> bool {
        let sum = |text: &[u8]| {
            text.as_chunks().0.iter().fold(0, |sum: u64, word| sum.wrapping_add(u64::from_le_bytes(*word)))
        };
        black_box(sum(black_box(&self.answer)).wrapping_add(sum(black_box(&self.output)))) != 1
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    let mut ratios = Vec::new();
    let mut of_files = Vec::new();
    let folder = tempfile::tempdir_in("/dev/shm").expect("cannot create a folder in /dev/shm");
    for case in CASES {
        let texts = case.texts(BYTES);
        assert!(texts.compare(), "{}: the output must be accepted", case.name);
        record_ratio(&case);
        let mut group = criterion.benchmark_group("compare");
        group.throughput(Throughput::Bytes((texts.answer.len() + texts.output.len()) as u64));
        group.bench_function(case.name, |bencher| bencher.iter(|| texts.compare()));
        group.finish();
        ratios.push((case.name, fastest(ROUNDS, [&|| texts.sum(), &|| texts.compare()])));
        if texts.answer == texts.output {
            let [answer, output] = texts.written(folder.path());
            let times = fastest(ROUNDS, [&|| cmp(&answer, &output), &|| texts.compare_with(&answer)]);
            of_files.push((case.name, texts.answer.len() * 2, times));
        }
    }
    criterion.final_summary();
    println!("{:<28}{:>14}{:>14}{:>12}", "64 MB each", "reading, ms", "compare, ms", "ratio");
    for (name, [reading, comparing]) in ratios {
        println!("{name:<28}{reading:>14.2}{comparing:>14.2}{:>12.2}", comparing / reading);
    }
    println!("\n{:<28}{:>14}{:>14}{:>12}", "compared with cmp, GiB/s", "cmp", "referee", "ratio");
    for (name, bytes, times) in of_files {
        let [cmp, ours] = times.map(|milliseconds| bytes as f64 / (milliseconds / 1e3) / f64::from(1 << 30));
        println!("{name:<28}{cmp:>14.2}{ours:>14.2}{:>12.2}", ours / cmp);
    }
}

/// Passes the ratio of small texts to `benches/guard`.
fn record_ratio(case: &Case) {
    let texts = case.texts(SMALL_BYTES);
    let often = |work: &dyn Fn() -> bool| (0..BYTES / SMALL_BYTES).all(|_| work());
    let [reading, comparing] = fastest(ROUNDS_OF_SMALL, [&|| often(&|| texts.sum()), &|| often(&|| texts.compare())]);
    ratios::record(&format!("compare: {}", case.name), comparing / reading);
}

fn cmp(answer: &Path, output: &Path) -> bool {
    Command::new("cmp").arg("-s").arg(answer).arg(output).status().is_ok_and(|status| status.success())
}

/// Returns the time of each function in milliseconds: the fastest of this many alternating rounds.
fn fastest(rounds: usize, functions: [&dyn Fn() -> bool; 2]) -> [f64; 2] {
    let mut fastest = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for (function, fastest) in functions.iter().zip(&mut fastest) {
            let began = Instant::now();
            assert!(black_box(function()), "the comparison must accept the output");
            *fastest = fastest.min(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    fastest
}
