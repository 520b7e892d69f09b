//! Runs every answer validator on every answer.
//!
//! The format has no answer validators, but BAPCtools has: programs in `answer_validators/`, run as `validator input
//! arguments < answer`. They exit with code 42 if the answer is well-formed.

use super::Check;
use super::bench::{Bench, not_asked};
use super::finding::{Finding, Outcome, below, counted, listed};
use super::inputs::is_exhausted;
use referee_judge::{AnswerExaminer, InputVerdict, JudgeError};
use referee_package::{Package, TestCase};

/// Runs the check. Returns `None` if the package has no answer validators.
pub(super) fn check(bench: &Bench<'_>) -> Result<Option<Outcome>, JudgeError> {
    let package = bench.package;
    if package.answer_validators.is_empty() {
        return Ok(None);
    }
    let examiner = bench.session.answer_examiner()?;
    let names = examiner.names();
    let mut findings = unusable(&examiner, package);
    let cases = if names.is_empty() { Vec::new() } else { cases(package) };
    let words =
        bench.each_until(Check::Answers, &cases, |words: &Vec<_>| is_exhausted(words), |case| examiner.judge(case))?;
    findings.extend(not_asked(cases.len(), words.len(), "answer"));
    for (case, words) in cases.iter().zip(&words) {
        let told = names.iter().zip(words).filter_map(|(name, word)| finding(name, word));
        findings.extend(told.map(|finding| finding.at(below(package, &case.answer)).on(case.name.clone())));
    }
    let about = if names.is_empty() {
        String::new()
    } else {
        format!("{} by {}", counted(words.len(), "answer"), counted(names.len(), "answer validator"))
    };
    let left_out: Vec<_> = examiner.unusable().iter().map(|one| one.name.as_str()).collect();
    let skipped = (!left_out.is_empty()).then(|| format!("answer validators not run: {}", listed(&left_out)));
    Ok(Some(Outcome { about, findings, skipped }))
}

/// Returns the test cases and validator tests with an answer. The answers beside example outputs are correct, too.
fn cases(package: &Package) -> Vec<&TestCase> {
    let tests = package.validator_tests.iter().map(|test| &test.case).filter(|case| case.answer.is_file());
    package.cases.iter().chain(tests).collect()
}

fn unusable(examiner: &AnswerExaminer<'_>, package: &Package) -> Vec<Finding> {
    let told = examiner.unusable().iter().map(|one| {
        let message = format!("the answer validator {} is not run: {}", one.name, one.reason);
        // Only a warning: judges do not run answer validators, and only BAPCtools expects them.
        Finding::warning(message).at(below(package, &one.path))
    });
    told.collect()
}

fn finding(name: &str, word: &InputVerdict) -> Option<Finding> {
    match word {
        InputVerdict::Valid => None,
        InputVerdict::Invalid(said) if said.is_empty() => {
            Some(Finding::error(format!("the answer is not valid, says {name}")))
        }
        InputVerdict::Invalid(said) => Some(Finding::error(format!("the answer is not valid, says {name}: {said}"))),
        InputVerdict::Aborted(how) | InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => {
            Some(Finding::error(format!("the answer validator {name} {how}")).hint(
                "it is called as `validator input < answer`, and ends with exit code 42 for valid, 43 for invalid",
            ))
        }
    }
}
