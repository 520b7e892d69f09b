//! Compares the interpreter with the package `checktestdata` of PyPI, on random programs and inputs.
//!
//! `.ci/long checktestdata` installs the package and runs this test. `PYCTD_PYTHON` names a Python that has the
//! package, `PYCTD_CASES` the number of cases and `PYCTD_SEED` the first seed.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of a test may fail as the test does"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use referee_checktestdata::{Failure, Limits, Program};
use referee_random::Random;

#[test]
#[ignore = "needs the package checktestdata of PyPI; .ci/long checktestdata runs it"]
fn both_interpreters_agree_on_random_programs() {
    let Ok(python) = std::env::var("PYCTD_PYTHON") else {
        println!("SKIPPED: set PYCTD_PYTHON to a Python that has the package checktestdata");
        return;
    };
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (cases, seed) = (number("PYCTD_CASES", 3000), number("PYCTD_SEED", 1));
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let ours: Vec<_> = (0..cases).map(|case| write_case(folder.path(), seed, case)).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pyctd.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().expect("Python starts");
    let theirs = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(theirs.lines().count(), ours.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut seen = [0; 3];
    for (case, (line, ours)) in theirs.lines().zip(&ours).enumerate() {
        let theirs = line.split_once(' ').expect("a number and a word").1;
        let read =
            |ending: &str| std::fs::read_to_string(folder.path().join(format!("{case}.{ending}"))).expect("a file");
        assert_eq!(theirs, *ours, "seed {seed}, case {case}:\n{}\non {:?}", read("ctd"), read("in"));
        seen[["accepted", "rejected", "broken"].iter().position(|word| word == ours).expect("one of these")] += 1;
    }
    println!("{} accepted, {} rejected, {} broken programs", seen[0], seen[1], seen[2]);
    assert!(seen.iter().all(|count| count * 50 > cases), "every outcome must occur: {seen:?}");
}

/// Writes a random program with an input, and returns this interpreter's outcome.
fn write_case(folder: &Path, seed: u64, case: u64) -> &'static str {
    let mut writer = Writer { random: Random::new(seed, case), program: String::new(), input: String::new() };
    writer.block(3);
    let Writer { mut random, mut program, mut input } = writer;
    if random.chance(1, 3) {
        change_input(&mut input, &mut random);
    }
    // The package refuses a float at the end of the input, because the package takes the end for an exponent. So the
    // program and the input end with a newline.
    program.push_str("NEWLINE");
    input.push('\n');
    std::fs::write(folder.join(format!("{case}.ctd")), &program).expect("a file can be written");
    std::fs::write(folder.join(format!("{case}.in")), &input).expect("a file can be written");
    let limits = Limits {
        until: Some(Instant::now() + Duration::from_secs(20)),
        is_interrupted: || false,
        memory_bytes: 1 << 28,
    };
    match Program::parse(program.as_bytes()).map(|program| program.check(input.as_bytes(), limits)) {
        Ok(Ok(())) => "accepted",
        Ok(Err(Failure::Mismatch { .. })) => "rejected",
        Ok(Err(Failure::Broken { .. })) | Err(_) => "broken",
        Ok(Err(limit)) => panic!("seed {seed}, case {case}: {limit}\n{program}"),
    }
}

/// Changes a byte of the input, removes one or adds one.
fn change_input(input: &mut String, random: &mut Random) {
    let at = random.below(input.len() as u64 + 1) as usize;
    let byte = *random.pick(b" \n0123459-+.eEabz").expect("not empty") as char;
    match random.below(3) {
        0 => input.insert(at, byte),
        1 if at < input.len() => drop(input.remove(at)),
        _ if at < input.len() => input.replace_range(at..=at, &byte.to_string()),
        _ => {}
    }
}

/// Writes a program, and at the same time an input that the program often accepts.
struct Writer {
    random: Random,
    program: String,
    input: String,
}

const NAMES: [&str; 4] = ["a", "b", "i", "n1"];
const PATTERNS: [(&str, &str); 8] = [
    ("[a-z]+", "abz"),
    ("[0-9]{2,4}", "012"),
    ("a|ab", "a"),
    ("(ab)*b?", "ababb"),
    ("[^ \\n]{1,3}", "x-1"),
    ("[a\\\\-b]*\\\\.", "a-b."),
    (".", "5"),
    ("[a-z]*z", "abz"),
];

impl Writer {
    fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        *self.random.pick(things).expect("not empty")
    }

    fn block(&mut self, depth: u64) {
        for _ in 0..=self.random.below(4) {
            self.command(depth);
        }
    }

    fn command(&mut self, depth: u64) {
        match self.random.below(if depth == 0 { 10 } else { 14 }) {
            0 => self.literal("SPACE", " "),
            1 => self.literal("NEWLINE", "\n"),
            2 | 3 => self.integer(),
            4 => self.float(),
            5 => self.literal("STRING(\"ab\\n\")", "ab\n"),
            6 => {
                let (pattern, text) = self.pick(&PATTERNS);
                let target = self.target();
                self.literal(&format!("REGEX(\"{pattern}\"{target})"), text);
            }
            7 => {
                let condition = self.condition(2);
                let _ = write!(self.program, "ASSERT({condition}) ");
            }
            8 => {
                let (variable, value) = (self.variable(), self.expression(2));
                let _ = write!(self.program, "SET({variable} = {value}) ");
            }
            9 => {
                let name = self.pick(&NAMES);
                let command = self.pick(&["UNSET", "SET"]);
                let value = if command == "SET" { " = 1" } else { "" };
                let _ = write!(self.program, "{command}({name}{value}) ");
            }
            10 | 11 => self.repeat(depth),
            12 => {
                let condition = self.condition(2);
                let _ = write!(self.program, "IF({condition}) ");
                self.block(depth - 1);
                if self.random.chance(1, 2) {
                    self.program.push_str("ELSE ");
                    self.block(depth - 1);
                }
                self.program.push_str("END ");
            }
            _ => {
                // The loop reads input in every iteration, so it ends.
                let separator = self.pick(&["", ", SPACE"]);
                let _ = write!(self.program, "WHILE(MATCH(\"123\"){separator}) INT(0, 9) END ");
                self.input.push_str(self.random.pick(&["", "1", "1 2 3"]).expect("not empty"));
            }
        }
    }

    fn literal(&mut self, command: &str, text: &str) {
        self.program.push_str(command);
        self.program.push(' ');
        self.input.push_str(text);
    }

    fn target(&mut self) -> String {
        if self.random.chance(1, 2) { format!(", {}", self.variable()) } else { String::new() }
    }

    fn variable(&mut self) -> String {
        let name = self.pick(&NAMES);
        match self.random.below(5) {
            0 => format!("{name}[{}]", self.random.below(3)),
            1 => format!("{name}[{}, {}]", self.random.below(2), self.random.below(2)),
            2 => format!("{name}[i]"),
            _ => name.to_owned(),
        }
    }

    fn integer(&mut self) {
        let number =
            self.pick(&["0", "7", "-3", "12", "1", "123456789012345678901", "-9223372036854775808", "-0", "05"]);
        let least = self.pick(&["-5", "0", "-10^30", "3 - 4"]);
        let most = self.pick(&["9", "100", "10^30", "2^5 - 1"]);
        let target = self.target();
        self.literal(&format!("INT({least}, {most}{target})"), number);
    }

    fn float(&mut self) {
        let number = self.pick(&["0", "1.5", "-2.25", "3e0", "1.0e+1", "25E-1", "-0.0", "1.", "01.5", "2.50"]);
        let least = self.pick(&["-5", "0", "-2.25"]);
        let most = self.pick(&["9", "10.5", "1e3"]);
        let (command, decimals) = self.pick(&[("FLOAT", ""), ("FLOATP", ", 0, 2"), ("FLOATP", ", 1, 1")]);
        let option = self.pick(&["", ", n1", ", n1, FIXED", ", n1, SCIENTIFIC"]);
        self.literal(&format!("{command}({least}, {most}{decimals}{option})"), number);
        // Without the space, the next digits could extend an exponent so far that Python cannot compute the number.
        self.literal("SPACE", " ");
    }

    fn repeat(&mut self, depth: u64) {
        let count = self.random.below(4);
        let separator = self.pick(&["", ", SPACE", ", NEWLINE", ", SET(b[5] = 2)"]);
        let start = match self.random.below(3) {
            0 => format!("REP({count}{separator}) "),
            1 => format!("REPI({}, {count}{separator}) ", self.variable()),
            _ => format!("WHILEI(i, i < {count}{separator}) "),
        };
        self.program.push_str(&start);
        let before = self.input.len();
        self.block(depth - 1);
        let once = self.input.split_off(before);
        let text = if separator.contains("SPACE") { " " } else { "" };
        let text = if separator.contains("NEWLINE") { "\n" } else { text };
        self.input.push_str(&vec![once; count as usize].join(text));
        self.program.push_str("END ");
    }

    fn expression(&mut self, depth: u64) -> String {
        match self.random.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => self.pick(&["0", "1", "2", "7", "10^20", "12345678901234567890"]).to_owned(),
            2 => self.pick(&["0.5", "1.0", "2e0", "2.25"]).to_owned(),
            3 => self.pick(&["\"a\"", "\"ab\\n\"", "STRLEN(\"abc\")"]).to_owned(),
            4 | 5 => self.variable(),
            6 => format!("-{}", self.expression(depth - 1)),
            7 => format!("({})", self.expression(depth - 1)),
            _ => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                format!("{} {operator} {}", self.expression(depth - 1), self.expression(depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: u64) -> String {
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 => "ISEOF".to_owned(),
            1 => self.pick(&["MATCH(\"0123456789\")", "MATCH(\" \\n\")"]).to_owned(),
            2 => format!("UNIQUE({})", self.pick(&["a", "b", "a, b", "a, n1, b"])),
            3 => format!("INARRAY({}, {})", self.expression(0), self.pick(&NAMES)),
            4 | 5 => {
                let comparison = self.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("{} {comparison} {}", self.expression(1), self.expression(1))
            }
            6 => format!("!{}", self.condition(depth - 1)),
            7 => format!("({})", self.condition(depth - 1)),
            _ => {
                let operator = self.pick(&["&&", "||"]);
                format!("{} {operator} {}", self.condition(depth - 1), self.condition(depth - 1))
            }
        }
    }
}
