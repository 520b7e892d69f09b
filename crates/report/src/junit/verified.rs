//! A verified package as a test suite: one test for each check.

use super::suite::{Outcome, Suite, Test};
use referee_event::{Gravity, VerifyCheck, VerifyFinding, VerifyFinished};

/// Returns the suite of a package.
pub(super) fn suite(done: &VerifyFinished) -> Suite {
    Suite { name: done.package.clone(), tools: done.tools.clone(), points: None }
}

/// Returns the tests of a package.
pub(super) fn tests(done: &VerifyFinished, findings: &[VerifyFinding]) -> Vec<Test> {
    let tests = done.checks.iter().map(|check| {
        let of_check: Vec<_> = findings.iter().filter(|finding| finding.check == check.name).collect();
        test(&done.package, check, &of_check)
    });
    tests.collect()
}

fn test(package: &str, check: &VerifyCheck, findings: &[&VerifyFinding]) -> Test {
    let lines_of = |wanted: fn(Gravity) -> bool| {
        let those = findings.iter().filter(|finding| wanted(finding.severity));
        those.map(|finding| line(finding)).collect::<String>()
    };
    let mut test = Test { seconds: Some(check.seconds), ..Test::passed(package, &check.name) };
    test.output = lines_of(|gravity| gravity == Gravity::Warning);
    if check.errors > 0 {
        let message = findings.iter().find(|finding| finding.severity == Gravity::Error);
        let message = message.map(|finding| finding.message.clone()).unwrap_or_default();
        test.outcome = Outcome::Failed { message, text: lines_of(|gravity| gravity == Gravity::Error) };
    } else if let Some(reason) = check.skipped.as_ref().filter(|_| check.about.is_empty()) {
        test.outcome = Outcome::Skipped(reason.clone());
    }
    test
}

fn line(finding: &VerifyFinding) -> String {
    let place = finding.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let hint = finding.hint.as_ref().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
    format!("{}: {place}{}{hint}\n", finding.severity.word(), finding.message)
}
