//! `referee strength` compiles the mutants of a Rust program into one program, in which each function chooses between
//! its copies. The report is the same as if each mutant had been compiled alone.

use super::support::command::write;
use super::support::strength::{StrengthReport, larger, strength_of, strength_report, text};
use serde_json::Value;

/// Prints the larger of two numbers. Some of its mutants do not compile, have the same code as the program or as
/// another mutant, or survive.
const LARGER: &str = r#"use std::io::Read;

struct Pair {
    numbers: [i64; 2],
}

impl Pair {
    fn get(&self, index: usize) -> i64 {
        self.numbers[index & 1]
    }
}

fn difference(pair: &Pair, by: i64) -> i64 {
    pair.get(1) - pair.get(0) + by
}

/// Hides the method of iterators with this name.
trait Hide: Sized {
    fn nth(self, _: usize) -> Option<String> {
        None
    }
}

impl<I: Iterator> Hide for I {}

/// The compiler could move the constant result to the callers.
fn add(numbers: &mut Vec<i64>, number: i64) -> bool {
    numbers.push(number);
    true
}

/// Each mutant could leave another parameter unused.
fn show(first: i64, second: i64) {
    let mut shown = first;
    shown = second;
    println!("{shown}");
}

fn last_bit(number: i64) -> i64 {
    if number & 1 == 1 { 1 } else { 0 }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut pair = Pair { numbers: [0; 2] };
    for (at, word) in text.split_whitespace().enumerate() {
        pair.numbers[at] = word.parse().unwrap();
    }
    let (both, start) = (&pair, pair.get(0));
    let wider = |pair: &Pair, least: i64| difference(pair, least).max(least);
    let sum = wider(both, start) - last_bit(start) + (start & 1);
    MARK
    let mut shown = Vec::new();
    if add(&mut shown, sum) {
        show(pair.get(0).min(pair.get(1)) - 1, shown[0]);
    }
}
"#;

/// The command of the built-in table for metamutants, with `marked` set.
const MARKED: &str = r#"
[[language]]
id = "rust"
compile_metamutant = [
    "{tool:rustc}", "--cfg", "marked", "--edition=2021", "-O", "-A", "warnings", "--error-format=short", "-C",
    "codegen-units=1", "-C", "symbol-mangling-version=v0", "--emit=asm={binary}.s,link={binary}", "{main}",
]
"#;

/// Measures the program with the package's data. `mark` is a statement of the program, `languages` the text of a file
/// of languages.
fn measured(mark: &str, languages: &str, arguments: &[&str]) -> StrengthReport {
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/larger.rs", &LARGER.replace("MARK", mark));
    let arguments = [&["--no-hunt", "--no-cache"], arguments].concat();
    let mut command = strength_of("accepted/larger.rs", &package, &arguments);
    command.arg("--languages").arg(write(&package, "languages.toml", languages));
    strength_report(command)
}

/// Returns what became of each mutant, apart from those that change the mark. Mutants with the same code share their
/// results. Which of them have the same code depends on what the compiler inlines, so it may differ in a metamutant.
fn fates(told: &StrengthReport) -> Vec<String> {
    let first = |mutant: &Value| told.mutants.iter().find(|one| one["number"] == mutant["same_as"]).cloned();
    let fate = |mutant: &Value| {
        let judged = first(mutant).unwrap_or_else(|| mutant.clone());
        let place = ["line", "column", "is"].map(|key| mutant[key].to_string());
        format!("{place:?} {} {} {}", text(&judged, "fate"), text(&judged, "case"), judged["killers"])
    };
    told.mutants.iter().filter(|mutant| !text(mutant, "was").contains("marked")).map(fate).collect()
}

#[test]
fn mutants_in_rust_get_the_same_results_in_a_metamutant_as_one_by_one() {
    needs!("rustc");
    // In a metamutant that is compiled with `marked`, most wrong answers become runtime errors.
    let exits = "if cfg!(marked) && sum != pair.numbers[0].max(pair.numbers[1]) { std::process::exit(3) }";
    let (together, alone) = (measured(exits, "", &[]), measured(exits, "", &["--one-by-one"]));
    assert_eq!(fates(&together), fates(&alone));
    for fate in ["not-compiled", "same-code", "same-mutant", "killed", "survived"] {
        assert!(together.count(fate) > 0, "{fate}: {:?}", fates(&together));
    }
    let marked = measured(exits, MARKED, &[]);
    assert_eq!(fates(&marked), fates(&together));
    assert!(marked.verdicts("RTE") > together.verdicts("RTE"), "{}", marked.sum);
}

#[test]
fn a_result_in_a_metamutant_that_depends_on_a_limit_is_that_of_the_mutant_alone() {
    needs!("rustc");
    // The same wrong answers end the metamutant by a signal or by a limit, as too small a stack or a slower program
    // could.
    let ends = "if cfg!(marked) && sum != pair.numbers[0].max(pair.numbers[1]) { \
                if sum % 2 == 0 { loop {} } else { std::process::abort() } }";
    let (marked, together) = (measured(ends, MARKED, &[]), measured(ends, "", &[]));
    let (found, expected) = (fates(&marked), fates(&together));
    let differ: Vec<_> = found.iter().zip(&expected).filter(|(one, other)| one != other).collect();
    assert!(differ.is_empty(), "{differ:#?}");
    assert_eq!((marked.verdicts("RTE"), marked.verdicts("TLE")), (together.verdicts("RTE"), 0));
    assert!(marked.verdicts("WA") > 0, "{}", marked.sum);
}
