//! Test support: packages whose programs are not run, and invented results.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::bench::{Bench, Limit};
use super::finding::Finding;
use super::matrix::{Matrix, Row};
use super::{Check, Proof, Prover, VerifyPlan, Watch};
use referee_event::{CaseFinished, Gravity};
use referee_grading::verdict::Verdict;
use referee_judge::{Settings, Submission};
use referee_language::Table;
use referee_package::{self as package, Package};
use referee_sandbox::Mode;

/// A package in a temporary folder. Dropping this value deletes the folder.
pub(super) struct TestPackage {
    _folder: TempDir,
    pub(super) package: Package,
}

/// Creates a package with these files. It also has an input validator, a statement, an accepted submission and three
/// test cases.
pub(super) fn test_package(files: &[(&str, &str)]) -> TestPackage {
    let folder = tempfile::tempdir().unwrap();
    let usual = [
        ("problem.yaml", "problem_format_version: 2025-09\nname: A\nuuid: 00000000-0000-4000-8000-00000000a003\n"),
        ("statement/problem.en.md", "A\n"),
        ("input_validators/any.py", ""),
        ("submissions/accepted/good.py", ""),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "2\n"),
        ("data/secret/2.in", "3\n"),
        ("data/secret/2.ans", "3\n"),
    ];
    for (name, text) in usual.iter().chain(files) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let package = package::load(folder.path()).unwrap();
    TestPackage { _folder: folder, package }
}

/// Creates a package like [`test_package`], but in the legacy format.
pub(super) fn legacy(files: &[(&str, &str)]) -> TestPackage {
    let own = [("problem.yaml", "name: A\n"), ("problem_statement/problem.tex", "\\problemname{A}\n")];
    test_package(&[own.as_slice(), files].concat())
}

/// Stands in for a prover and for a watch: as a prover, it knows no problem; as a watch, it ignores progress.
struct NoOp;

impl Prover for NoOp {
    fn prove(&self, _: &Package) -> Proof {
        Proof::Unknown(String::new())
    }
}

impl Watch for NoOp {
    fn progress(&self, _: Check, _: usize, _: usize) {}
}

impl TestPackage {
    /// Calls `work` with a bench whose time limit is 1 s.
    pub(super) fn with_bench<R>(&self, work: impl FnOnce(&Bench<'_>) -> R) -> R {
        let languages = Arc::new(Table::load(&[]).unwrap());
        let settings = Settings {
            sandbox: Mode::Off,
            anew: true,
            ..Settings::new(Duration::from_secs(1), self.package.limits, languages)
        };
        let time_limit = Some(Duration::from_secs(1));
        let plan =
            VerifyPlan { folder: None, checks: BTreeSet::new(), settings, time_limit, prover: &NoOp, watch: &NoOp };
        work(&Bench::new(&self.package, &plan).unwrap())
    }

    /// Returns the results of a submission. `cases` holds the test case, the verdict and the CPU time in seconds of
    /// each run.
    pub(super) fn row(&self, name: &str, cases: &[(&str, Verdict, f64)]) -> Row {
        let submission = Submission::of_jury(&self.package).into_iter().find(|found| found.name == name).unwrap();
        let cases = cases.iter().map(|&(case, verdict, seconds)| finished(name, case, verdict, seconds)).collect();
        Row { submission, finished: None, skipped: None, build_message: None, tools: Vec::new(), cases }
    }
}

pub(super) fn matrix(rows: Vec<Row>) -> Matrix {
    Matrix { rows, runs: 0 }
}

pub(super) fn limit(seconds: f64) -> Limit {
    Limit { time: Duration::from_secs_f64(seconds), measured: None }
}

fn finished(submission: &str, case: &str, verdict: Verdict, seconds: f64) -> CaseFinished {
    CaseFinished {
        submission: submission.to_owned(),
        case: case.to_owned(),
        verdict,
        // A submission that exceeded the time limit was killed, and has no exit code.
        exit_code: (verdict != Verdict::TimeLimitExceeded).then_some(0),
        ..CaseFinished::accepted(seconds)
    }
}

/// Returns each finding as a line: its severity, place and message.
pub(super) fn as_lines(findings: &[Finding]) -> Vec<String> {
    let line = |finding: &Finding| {
        let gravity = match finding.gravity {
            Gravity::Error => "error",
            Gravity::Warning => "warning",
            Gravity::Note => "note",
        };
        let place = finding.place.as_deref().or(finding.case.as_deref()).unwrap_or_default();
        format!("{gravity} {place}: {}", finding.message)
    };
    findings.iter().map(line).collect()
}

/// Asserts that there are exactly as many lines as `wanted`, and that each begins as expected.
pub(super) fn assert_lines(found: &[String], wanted: &[&str]) {
    let fits = found.len() == wanted.len() && found.iter().zip(wanted).all(|(line, wanted)| line.starts_with(wanted));
    assert!(fits, "found: {found:#?}\nwanted: {wanted:#?}");
}
