//! Runs every answer validator on every answer.
//!
//! The package format does not define answer validators, but BAPCtools does. They are the programs in
//! `answer_validators/`, run as `validator input arguments < answer`. They exit with code 42 if the answer is
//! well-formed.

use super::Check;
use super::bench::{Bench, not_tried};
use super::finding::{Finding, Outcome, below, counted, listed};
use super::inputs::{colon, is_exhausted};
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
    let verdicts = bench.each_until(
        Check::Answers,
        &cases,
        |verdicts: &Vec<_>| is_exhausted(verdicts),
        |case| examiner.judge(case),
    )?;
    findings.extend(not_tried(cases.len(), verdicts.len(), "answer"));
    for (case, verdicts) in cases.iter().zip(&verdicts) {
        let of_case = names.iter().zip(verdicts).filter_map(|(name, verdict)| finding(name, verdict));
        findings.extend(of_case.map(|finding| finding.at(below(package, &case.answer())).on(case.name.to_string())));
    }
    let about = if names.is_empty() {
        String::new()
    } else {
        format!("{} by {}", counted(verdicts.len(), "answer"), counted(names.len(), "answer validator"))
    };
    let left_out: Vec<_> = examiner.unusable().iter().map(|one| one.name.as_str()).collect();
    let skipped = (!left_out.is_empty()).then(|| format!("answer validators not run: {}", listed(&left_out)));
    Ok(Some(Outcome { about, findings, skipped }))
}

/// Returns the test cases, and the validator tests that have an answer. In a validator test, only the output may be
/// wrong, so the answer must be well-formed.
fn cases(package: &Package) -> Vec<&TestCase> {
    let tests = package.validator_tests.iter().map(|test| &test.case).filter(|case| case.answer().is_file());
    package.cases.iter().chain(tests).collect()
}

fn unusable(examiner: &AnswerExaminer<'_>, package: &Package) -> Vec<Finding> {
    let findings = examiner.unusable().iter().map(|one| {
        let message = format!("the answer validator {} is not run: {}", one.name, one.reason);
        // This is only a warning, because only BAPCtools runs answer validators; judges do not.
        Finding::warning(message).at(below(package, &one.path))
    });
    findings.collect()
}

fn finding(name: &str, verdict: &InputVerdict) -> Option<Finding> {
    match verdict {
        InputVerdict::Valid => None,
        InputVerdict::Invalid(reason) => {
            Some(Finding::error(format!("the answer validator {name} rejects the answer{}", colon(reason))))
        }
        InputVerdict::Aborted(how) | InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => {
            Some(Finding::error(format!("the answer validator {name} {how}")).hint(
                "make the validator exit with code 42 if the answer is valid and with code 43 if not; referee runs \
                 `validator INPUT < ANSWER`",
            ))
        }
    }
}
