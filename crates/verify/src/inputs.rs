//! Runs every input validator on every input (format, "Input Validators" and "Invalid Test Cases").

use super::Check;
use super::bench::{Bench, not_asked};
use super::finding::{Finding, Outcome, below, counted, listed};
use referee_judge::{InputExaminer, InputVerdict, JudgeError};
use referee_package::{Package, TestCase, ValidatorTestKind};

/// An input and the result that it must get.
struct Task<'a> {
    case: &'a TestCase,
    must_be_valid: bool,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let examiner = bench.inputs()?;
    let names = examiner.names();
    let mut findings = unusable(examiner, bench.package);
    if names.is_empty() {
        return Ok(Outcome { findings, ..Outcome::skipped("there is no input validator that can be run") });
    }
    let tasks = tasks(bench.package);
    let words = bench.each_until(
        Check::Inputs,
        &tasks,
        |words: &Vec<_>| is_exhausted(words),
        |task| examiner.judge(task.case),
    )?;
    findings.extend(not_asked(tasks.len(), words.len(), "input"));
    for (task, words) in tasks.iter().zip(&words) {
        let place = below(bench.package, &task.case.input);
        let found = if task.must_be_valid { valid(&names, words) } else { invalid(&names, words, examiner) };
        findings.extend(found.into_iter().map(|finding| finding.at(place.clone()).on(task.case.name.clone())));
    }
    findings.extend(abort_remarks(bench, examiner));
    findings.extend(missing_tests(bench.package));
    let about = format!("{} by {}", counted(words.len(), "input"), counted(names.len(), "validator"));
    let left_out: Vec<_> = examiner.unusable().iter().map(|one| one.name.as_str()).collect();
    let skipped = (!left_out.is_empty()).then(|| format!("not run: {}", listed(&left_out)));
    Ok(Outcome { about, findings, skipped })
}

/// Returns whether some validator used its full time limit.
pub(super) fn is_exhausted(words: &[InputVerdict]) -> bool {
    words.iter().any(|word| matches!(word, InputVerdict::Exhausted(_)))
}

fn tasks(package: &Package) -> Vec<Task<'_>> {
    let cases = package.cases.iter().map(|case| Task { case, must_be_valid: true });
    let tests = package
        .validator_tests
        .iter()
        .map(|test| Task { case: &test.case, must_be_valid: test.part != ValidatorTestKind::InvalidInput });
    cases.chain(tests).collect()
}

/// Returns whether the validator rejects the input.
pub(super) fn rejects(word: &InputVerdict) -> bool {
    matches!(word, InputVerdict::Invalid(_) | InputVerdict::Aborted(_))
}

/// Returns the remarks on validators that reject inputs by an abort. Each remark is reported by only one check.
pub(super) fn abort_remarks(bench: &Bench<'_>, examiner: &InputExaminer<'_>) -> Vec<Finding> {
    let new = examiner.aborting().into_iter().filter(|(_, remark)| bench.tell_once(remark));
    let finding = |(name, remark)| {
        let finding = Finding::note(remark)
            .hint("end with exit code 43: other tools may treat an abort as a failure of the validator");
        match bench.package.input_validators.iter().find(|one| one.name == name) {
            Some(validator) => finding.at(below(bench.package, &validator.path)),
            None => finding,
        }
    };
    new.map(finding).collect()
}

/// Returns a warning for each validator that cannot be run.
fn unusable(examiner: &InputExaminer<'_>, package: &Package) -> Vec<Finding> {
    let told = examiner.unusable().iter().map(|one| {
        let message = format!("the input validator {} is not run: {}", one.name, one.reason);
        let finding = if one.is_grammar {
            Finding::warning(message).hint("check the inputs with VIVA, or add an input validator that is a program")
        } else {
            Finding::error(message)
        };
        finding.at(below(package, &one.path))
    });
    told.collect()
}

/// Returns the findings on an input that must be valid.
fn valid(names: &[String], words: &[InputVerdict]) -> Vec<Finding> {
    let told = names.iter().zip(words).filter_map(|(name, word)| match word {
        InputVerdict::Valid => None,
        InputVerdict::Invalid(said) => {
            Some(Finding::error(format!("the input is not valid, says {name}{}", colon(said))))
        }
        InputVerdict::Aborted(how) | InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => Some(
            Finding::error(format!("the input validator {name} {how}"))
                .hint("an input validator ends with exit code 42 for valid, 43 for invalid"),
        ),
    });
    told.collect()
}

/// Returns the findings on an input that at least one validator must reject.
fn invalid(names: &[String], words: &[InputVerdict], examiner: &InputExaminer<'_>) -> Vec<Finding> {
    if words.iter().any(rejects) {
        return Vec::new();
    }
    let failed = names.iter().zip(words).find_map(|(name, word)| match word {
        InputVerdict::Failed(how) | InputVerdict::Exhausted(how) => Some((name, how)),
        _ => None,
    });
    let finding = match failed {
        // The format counts a crash as a rejection; other tools do not, and a crash does not say what is wrong.
        Some((name, how)) => {
            Finding::warning(format!("is not rejected with exit code 43: the input validator {name} {how}"))
                .hint("let the validator check each value before it uses it")
        }
        None if examiner.unusable().is_empty() => {
            Finding::error(format!("no input validator rejects it; asked: {}", names.join(", ")))
                .hint("let an input validator check what is wrong with it, or move it to valid data")
        }
        None => Finding::note("no input validator that was run rejects it"),
    };
    vec![finding]
}

/// Returns a note if the package has no invalid inputs to test its input validators; `None` otherwise.
fn missing_tests(package: &Package) -> Option<Finding> {
    let has = package.validator_tests.iter().any(|test| test.part == ValidatorTestKind::InvalidInput);
    (!has && !package.version.is_legacy()).then(|| {
        Finding::note("there is no invalid input to show what the input validators reject")
            .at("data/invalid_input")
            .hint("add a NAME.in for each rule of the input section that a generator could break")
    })
}

fn colon(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}
