//! Runs every input validator on every input (see the sections "Input Validators" and "Invalid Test Cases" of the
//! format).

use super::Check;
use super::bench::{Bench, not_tried};
use super::finding::{Finding, Outcome, below, counted, listed};
use referee_judge::{InputExaminer, InputVerdict, JudgeError};
use referee_package::{Package, TestCase, ValidatorTestKind};

/// An input and the result that it must get.
struct Task<'a> {
    case: &'a TestCase,
    must_be_valid: bool,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let examiner = bench.input_examiner()?;
    let names = examiner.names();
    let mut findings = unusable(examiner, bench.package);
    if names.is_empty() {
        return Ok(Outcome { findings, ..Outcome::skipped(why_no_validator(examiner)) });
    }
    let tasks = tasks(bench.package);
    let verdicts = bench.each_until(
        Check::Inputs,
        &tasks,
        |verdicts: &Vec<_>| is_exhausted(verdicts),
        |task| examiner.judge(task.case),
    )?;
    findings.extend(not_tried(tasks.len(), verdicts.len(), "input"));
    for (task, verdicts) in tasks.iter().zip(&verdicts) {
        let place = below(bench.package, &task.case.input());
        let found =
            if task.must_be_valid { on_valid(&names, verdicts) } else { on_invalid(&names, verdicts, examiner) };
        findings.extend(found.into_iter().map(|finding| finding.at(place.clone()).on(task.case.name.to_string())));
    }
    findings.extend(abort_remarks(bench, examiner));
    findings.extend(missing_tests(bench.package));
    let about = format!("{} by {}", counted(verdicts.len(), "input"), counted(names.len(), "validator"));
    let left_out: Vec<_> = examiner.unusable().iter().map(|one| one.name.as_str()).collect();
    let skipped = (!left_out.is_empty()).then(|| format!("input validators not run: {}", listed(&left_out)));
    Ok(Outcome { about, findings, skipped })
}

/// Returns why no input validator is run. The caller has checked that none is run.
pub(super) fn why_no_validator(examiner: &InputExaminer<'_>) -> &'static str {
    if examiner.unusable().is_empty() {
        "the package has no input validator"
    } else {
        "no input validator of the package can be run"
    }
}

/// Returns whether some validator exceeded its time, memory or output limit.
pub(super) fn is_exhausted(verdicts: &[InputVerdict]) -> bool {
    verdicts.iter().any(|verdict| matches!(verdict, InputVerdict::Exhausted(_)))
}

fn tasks(package: &Package) -> Vec<Task<'_>> {
    let cases = package.cases.iter().map(|case| Task { case, must_be_valid: true });
    let tests = package
        .validator_tests
        .iter()
        .map(|test| Task { case: &test.case, must_be_valid: test.part != ValidatorTestKind::InvalidInput });
    cases.chain(tests).collect()
}

/// Returns whether the validator rejects the input. An abort counts as a rejection.
pub(super) fn rejects(verdict: &InputVerdict) -> bool {
    matches!(verdict, InputVerdict::Invalid(_) | InputVerdict::Aborted(_))
}

/// Returns the remarks on validators that reject inputs by aborting (SIGABRT). Leaves out remarks that another check
/// has already reported.
pub(super) fn abort_remarks(bench: &Bench<'_>, examiner: &InputExaminer<'_>) -> Vec<Finding> {
    let new = examiner.aborting().into_iter().filter(|(_, remark)| bench.mark_reported(remark));
    let finding = |(name, remark)| {
        let finding = Finding::note(remark)
            .hint("make the validator exit with code 43: other tools may treat an abort as a failure of the validator");
        match bench.package.input_validators.iter().find(|one| one.name == name) {
            Some(validator) => finding.at(below(bench.package, &validator.path)),
            None => finding,
        }
    };
    new.map(finding).collect()
}

/// Returns a finding for each validator that cannot be run: a warning if this machine lacks a tool, otherwise an error.
fn unusable(examiner: &InputExaminer<'_>, package: &Package) -> Vec<Finding> {
    let findings = examiner.unusable().iter().map(|one| {
        let message = format!("the input validator {} is not run: {}", one.name, one.reason);
        let finding = if one.lacks_tool {
            Finding::warning(message).hint("install the missing tool, or add an input validator that needs none")
        } else {
            Finding::error(message)
        };
        finding.at(below(package, &one.path))
    });
    findings.collect()
}

/// Returns the findings on an input that every input validator must accept.
fn on_valid(names: &[String], verdicts: &[InputVerdict]) -> Vec<Finding> {
    let findings = names.iter().zip(verdicts).filter_map(|(name, verdict)| match verdict {
        InputVerdict::Valid => None,
        InputVerdict::Invalid(reason) => {
            Some(Finding::error(format!("the input validator {name} rejects the input{}", colon(reason))))
        }
        InputVerdict::Aborted(how) | InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => Some(
            Finding::error(format!("the input validator {name} {how}"))
                .hint("make the validator exit with code 42 if the input is valid and with code 43 if not"),
        ),
    });
    findings.collect()
}

/// Returns the findings on an input that at least one input validator must reject.
fn on_invalid(names: &[String], verdicts: &[InputVerdict], examiner: &InputExaminer<'_>) -> Vec<Finding> {
    if verdicts.iter().any(rejects) {
        return Vec::new();
    }
    let failed = names.iter().zip(verdicts).find_map(|(name, verdict)| match verdict {
        InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => Some((name, how)),
        _ => None,
    });
    let finding = match failed {
        // The format counts a crash as a rejection, so this is no error. It is a warning, because other tools do not
        // count a crash as a rejection, and because a crash does not name the mistake in the input.
        Some((name, how)) => Finding::warning(format!(
            "must be rejected with exit code 43, but the input validator {name} {how}"
        ))
        .hint("make the validator check each value before using it and exit with code 43 if the value is invalid"),
        None if examiner.unusable().is_empty() => {
            Finding::error(format!("must be rejected, but is accepted by every input validator: {}", names.join(", ")))
                .hint("make an input validator detect the mistake, or move the input out of data/invalid_input")
        }
        None => Finding::note("must be rejected, but is accepted by every input validator that could be run"),
    };
    vec![finding]
}

/// Returns a note if the package has no invalid inputs to test its input validators; `None` otherwise. Packages of the
/// legacy format never get this note.
fn missing_tests(package: &Package) -> Option<Finding> {
    let has = package.validator_tests.iter().any(|test| test.part == ValidatorTestKind::InvalidInput);
    (!has && !package.version.is_legacy()).then(|| {
        Finding::note("there is no invalid input to test the input validators with")
            .at("data/invalid_input")
            .hint("for each rule of the statement's input section, add a NAME.in that breaks it")
    })
}

/// Returns `: message`, or nothing if the message is empty.
pub(super) fn colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}
