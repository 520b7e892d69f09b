//! Determines which test cases reject which wrong submissions. Reports wrong submissions that only samples or a single
//! secret test case reject, and secret test cases that seem unnecessary.

use std::collections::BTreeSet;

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted, listed};
use super::matrix::{Matrix, Row};
use super::submissions;
use referee_grading::verdict::CaseFilter;
use referee_judge::JudgeError;
use referee_package::{Package, TestCase};

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    if let Some(reason) = bench.why_not_judgeable() {
        return Ok(Outcome::skipped(reason));
    }
    let matrix = bench.matrix()?;
    let was_run = |row: &&Row| row.must_be_rejected() && row.was_judged();
    let rejected: Vec<&Row> = matrix.rows.iter().filter(was_run).collect();
    let mut findings = Vec::new();
    if !rejected.iter().any(|row| row.must_be_wrong()) {
        let message = "no wrong submission was judged, so it is unknown which mistakes the test data detects";
        findings.push(Finding::note(message).at("submissions/wrong_answer"));
    }
    findings.extend(barely_caught(bench.package, &rejected));
    findings.extend(unnecessary_cases(bench, matrix, &rejected));
    let about = format!(
        "{} and {}",
        counted(rejected.len(), "rejected submission"),
        counted(bench.package.cases.len(), "case")
    );
    Ok(Outcome { about, findings, skipped: None })
}

/// Reports wrong submissions that only samples or a single secret test case reject.
fn barely_caught(package: &Package, rejected: &[&Row]) -> Vec<Finding> {
    // Without secret test cases, only samples can reject a submission, so a finding on each submission would say
    // nothing new.
    if !package.cases.iter().any(|case| case.name.starts_with("secret/")) {
        return Vec::new();
    }
    rejected.iter().filter_map(|row| caught_by(row)).collect()
}

/// Returns a finding if only samples or a single secret test case reject the submission; `None` otherwise.
fn caught_by(row: &Row) -> Option<Finding> {
    let failed: Vec<_> = row.failed().map(|case| case.case.as_str()).collect();
    let secret: Vec<_> = failed.iter().filter(|case| case.starts_with("secret/")).collect();
    let finding = match (failed.as_slice(), secret.as_slice()) {
        // No test case rejects the submission; the check `submissions` reports that.
        ([], _) => return None,
        (_, []) => Finding::warning(format!("fails only on samples: {}", listed(&failed)))
            .hint("add a secret case on which the submission fails"),
        (_, [only]) => Finding::note(format!("fails on only 1 secret test case: {only}")).on((**only).to_owned()),
        _ => return None,
    };
    Some(finding.of(row.name()).at(submissions::place(row)))
}

/// Reports secret test cases that are not useful (see [`useful`]) and have no description: each one if most test cases
/// have a description, otherwise all in a single note. Reports nothing if no submission must be rejected.
fn unnecessary_cases(bench: &Bench<'_>, matrix: &Matrix, rejected: &[&Row]) -> Vec<Finding> {
    if rejected.is_empty() {
        return Vec::new();
    }
    let useful = useful(matrix, rejected);
    let secret: Vec<_> = bench.package.cases.iter().filter(|case| case.name.starts_with("secret/")).collect();
    let is_explained = |case: &&&TestCase| case.description.is_some();
    let explained = secret.iter().filter(is_explained).count();
    let idle: Vec<_> = secret
        .iter()
        .filter(|case| case.description.is_none() && !useful.contains(&*case.name))
        .map(|case| &*case.name)
        .collect();
    if idle.is_empty() {
        return Vec::new();
    }
    let what = "no wrong submission fails on it, it is not by far the slowest test case of any submission, no rule in \
                submissions.yaml names it, and it has no description";
    // If most test cases have a description, a missing one is an oversight. Otherwise the setter does not write
    // descriptions.
    if explained * 2 > secret.len() {
        let each = idle.iter().map(|case| {
            Finding::warning(format!("may be unnecessary: {what}"))
                .on((*case).to_owned())
                .at(format!("data/{case}.in"))
                .hint("remove the test case, or describe under `description` in its .yaml file what it tests")
        });
        return each.collect();
    }
    let message =
        format!("{} may be unnecessary: {}; for each case: {what}", counted(idle.len(), "secret case"), listed(&idle));
    vec![Finding::note(message)]
}

/// Returns the test cases that reject a wrong submission, that a rule of any submission names, or on which any
/// submission takes by far the longest.
fn useful<'a>(matrix: &'a Matrix, rejected: &[&'a Row]) -> BTreeSet<&'a str> {
    let mut useful: BTreeSet<&str> =
        rejected.iter().flat_map(|row| row.failed()).map(|case| case.case.as_str()).collect();
    for row in &matrix.rows {
        useful.extend(by_far_slowest(row));
        for rule in row.submission.expectations.iter().flatten() {
            if let CaseFilter::Only(names) = &rule.cases {
                useful.extend(names.iter().map(String::as_str));
            }
        }
    }
    useful
}

/// Returns the test case on which a submission takes longest; `None` if it takes at most 0.1 s longer than on the
/// fastest test case, because so small a difference may be due to chance.
fn by_far_slowest(row: &Row) -> Option<&str> {
    let times = || row.cases.iter().filter_map(|case| Some((case.cpu_seconds?, case.case.as_str())));
    let (slowest, case) = times().max_by(|one, other| one.0.total_cmp(&other.0))?;
    let (fastest, _) = times().min_by(|one, other| one.0.total_cmp(&other.0))?;
    // A run time may include the start-up time of an interpreter, which may double by chance on a busy machine. A
    // longer start-up alone must not make a test case the slowest.
    (slowest - fastest > 0.1).then_some(case)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{TestPackage, as_lines, assert_lines, matrix, test_package};
    use super::*;
    use Verdict::{Accepted, WrongAnswer};
    use referee_grading::verdict::Verdict;

    const WRONG: (&str, &str) = ("submissions/wrong_answer/bad.py", "");

    /// Returns the findings on a package whose wrong submission gets these verdicts.
    fn said(package: &TestPackage, verdicts: &[(&str, Verdict)]) -> Vec<String> {
        let cases: Vec<_> = verdicts.iter().map(|&(case, verdict)| (case, verdict, 0.01)).collect();
        let matrix = matrix(vec![package.row("wrong_answer/bad.py", &cases)]);
        let rejected: Vec<_> = matrix.rows.iter().collect();
        let caught = barely_caught(&package.package, &rejected);
        as_lines(&[caught, package.with_bench(|bench| unnecessary_cases(bench, &matrix, &rejected))].concat())
    }

    #[test]
    fn a_submission_is_caught_by_samples_by_one_case_or_by_enough() {
        let package = test_package(&[WRONG]);
        let idle = "note : 1 secret case may be unnecessary: secret/2;";
        let at = "submissions/wrong_answer/bad.py: fails";
        let (wrong, right) = (WrongAnswer, Accepted);
        let by_samples = said(&package, &[("sample/1", wrong), ("secret/1", right), ("secret/2", right)]);
        let both = "note : 2 secret cases may be unnecessary: secret/1, secret/2;";
        assert_lines(&by_samples, &[&format!("warning {at} only on samples: sample/1"), both]);
        let by_one = said(&package, &[("sample/1", wrong), ("secret/1", wrong), ("secret/2", right)]);
        assert_lines(&by_one, &[&format!("note {at} on only 1 secret test case: secret/1"), idle]);
        assert_lines(&said(&package, &[("sample/1", right), ("secret/1", wrong), ("secret/2", wrong)]), &[]);
        assert_lines(&said(&package, &[("sample/1", right), ("secret/1", right), ("secret/2", right)]), &[both]);
    }

    #[test]
    fn where_there_are_only_samples_nothing_else_can_catch_anybody() {
        let mut package = test_package(&[WRONG]);
        std::sync::Arc::make_mut(&mut package.package.cases).retain(|case| case.name.starts_with("sample/"));
        assert_lines(&said(&package, &[("sample/1", WrongAnswer)]), &[]);
    }

    #[test]
    fn a_case_that_a_rule_names_or_that_says_what_it_is_for_is_needed() {
        let rule = "wrong_answer/bad.py:\n  secret/2:\n    permitted: [AC]\n";
        let package = test_package(&[WRONG, ("submissions/submissions.yaml", rule)]);
        assert_lines(&said(&package, &[("secret/1", WrongAnswer), ("secret/2", Accepted)])[1..], &[]);
        // If most cases have a description, each unnecessary case without one is reported. Otherwise, one note names
        // them all.
        let files = ["1", "2", "3"]
            .map(|name| [(format!("data/secret/{name}.in"), "5\n"), (format!("data/secret/{name}.ans"), "5\n")]);
        let files = files.concat();
        let mut files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        let verdicts = [("secret/1", WrongAnswer), ("secret/2", Accepted), ("secret/3", Accepted)];
        files.extend([WRONG, ("data/secret/2.yaml", "description: a large one\n")]);
        let package = test_package(&files);
        assert_lines(&said(&package, &verdicts)[1..], &["note : 1 secret case may be unnecessary: secret/3;"]);
        files.push(("data/secret/1.yaml", "description: a small one\n"));
        let package = test_package(&files);
        assert_lines(
            &said(&package, &verdicts)[1..],
            &["warning data/secret/3.in: may be unnecessary: no wrong submission fails on it"],
        );
    }

    #[test]
    fn a_case_on_which_somebody_is_by_far_slowest_is_needed_and_by_chance_is_not_by_far() {
        let package = test_package(&[WRONG]);
        let idle = |seconds: f64| {
            let cases = [("secret/1", WrongAnswer, 0.06), ("secret/2", Accepted, seconds)];
            let matrix = matrix(vec![package.row("wrong_answer/bad.py", &cases)]);
            let rejected: Vec<_> = matrix.rows.iter().collect();
            package.with_bench(|bench| unnecessary_cases(bench, &matrix, &rejected)).len()
        };
        assert_eq!(idle(0.12), 1);
        assert_eq!(idle(0.3), 0);
    }

    #[test]
    fn where_nobody_is_to_be_rejected_no_case_is_idle() {
        let package = test_package(&[]);
        assert_eq!(package.with_bench(|bench| unnecessary_cases(bench, &matrix(Vec::new()), &[])), []);
    }
}
