//! Compares the sample files that contestants see with those that programs receive (see the section "Samples" of format
//! 2025-09). Also checks the size and the order of samples.

use std::fs;
use std::path::Path;

use super::bench::Bench;
use super::finding::{Finding, Outcome, below, counted};
use referee_files::regular;
use referee_package::{Package, TestCase};

/// The maximum size of a sample's input or answer in a statement, in bytes. A longer one is hard to read.
const LARGEST_BYTES: u64 = 4 << 10;

pub(super) fn check(bench: &Bench<'_>) -> Outcome {
    let package = bench.package;
    let samples: Vec<_> = package.cases.iter().filter(|case| case.name.starts_with("sample/")).collect();
    if samples.is_empty() {
        return Outcome::skipped("there is no sample");
    }
    let mut findings: Vec<_> = samples.iter().flat_map(|case| of_sample(package, case)).collect();
    findings.extend(order(&samples));
    Outcome { about: counted(samples.len(), "sample"), findings, skipped: None }
}

fn of_sample(package: &Package, case: &TestCase) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut tell =
        |finding: Finding, path: &Path| findings.push(finding.at(below(package, path)).on(case.name.to_string()));
    let (input, answer) = (case.input(), case.answer());
    for path in [&input, &answer] {
        let size = path.metadata().map_or(0, |found| found.len());
        let shown =
            path.with_extension(format!("{}.statement", path.extension().unwrap_or_default().to_string_lossy()));
        if size > LARGEST_BYTES && !shown.is_file() {
            let message =
                format!("has {size} bytes; samples in the statement should have at most {LARGEST_BYTES} bytes");
            tell(
                Finding::note(message).hint("add a shorter version with the extension .in.statement or .ans.statement"),
                path,
            );
        }
        if are_identical(path, &shown) {
            tell(Finding::note("is identical to the file that it replaces in the statement"), &shown);
        }
    }
    if let Some(output) = case.output.as_deref().filter(|output| are_identical(&answer, output)) {
        tell(
            Finding::note("is identical to the answer and can be removed: without it, contestants see the answer"),
            output,
        );
    }
    let shown = answer.with_extension("ans.statement");
    if shown.is_file() && !package.kind.interactive && !package.kind.multi_pass {
        let message = "is shown to contestants, but nothing checks that it is correct";
        tell(Finding::note(message).hint("use an .out file instead; the output validator checks .out files"), &shown);
    }
    findings
}

/// Returns a finding on the first pair of neighbouring samples in which the larger number comes first; `None` if there
/// is no such pair. Judges order names byte by byte, so 10 comes before 2.
fn order(samples: &[&TestCase]) -> Option<Finding> {
    let number = |case: &TestCase| case.name.rsplit('/').next().and_then(|name| name.parse::<u64>().ok());
    let pair =
        samples.windows(2).find(|pair| matches!((number(pair[0]), number(pair[1])), (Some(a), Some(b)) if a > b))?;
    let message = format!("comes before {}, because names are ordered byte by byte", pair[1].name);
    Some(
        Finding::warning(message)
            .on(pair[0].name.to_string())
            .hint("write all numbers with the same number of digits: 01, 02, 10"),
    )
}

fn read(path: &Path) -> Option<Vec<u8>> {
    regular::read(path, regular::LARGEST_BYTES).ok()
}

fn are_identical(one: &Path, other: &Path) -> bool {
    let size = |path: &Path| path.metadata().ok().filter(fs::Metadata::is_file).map(|found| found.len());
    size(one).is_some()
        && size(one) == size(other)
        && read(one).zip(read(other)).is_some_and(|(one, other)| one == other)
}
