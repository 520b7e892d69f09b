//! Runs the output validator on answers and example outputs. Also runs the package's answer validators on answers, if
//! there are any.
//!
//! See the validation of samples and the sections "Invalid output" and "Valid output" in format 2025-09.

use std::borrow::Cow;
use std::path::Path;

use super::Check;
use super::answer_validators;
use super::bench::{Bench, not_tried};
use super::finding::{Finding, Outcome, below, counted};
use referee_files::regular;
use referee_grading::verdict::Verdict;
use referee_judge::{JudgeError, Ruling};
use referee_package::{Package, TestCase, ValidatorTestKind};

/// An output and the verdict that it must get.
struct Task<'a> {
    case: &'a TestCase,
    output: Cow<'a, Path>,
    wanted: OutputKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    /// An output that the statement shows to contestants as correct.
    Shown,
    /// The jury's own answer.
    Answer,
    /// An output in `valid_output`.
    Right,
    /// An output in `invalid_output`.
    Wrong,
}

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    // Answer validators check the format of answers, so they run even if an output cannot be judged without its
    // submission.
    let by_answer_validators = answer_validators::check(bench)?;
    let by_output_validators = match bench.why_needs_submission() {
        Some(reason) => Outcome::skipped(reason),
        None => outputs(bench)?,
    };
    Ok(match by_answer_validators {
        Some(outcome) => outcome.and(by_output_validators),
        None => by_output_validators,
    })
}

fn outputs(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    let examiner = bench.output_examiner()?;
    let tasks = tasks(bench.package);
    let failed = |ruling: &Ruling| ruling.verdict == Verdict::JudgeError;
    let rulings = bench.each_until(Check::Answers, &tasks, failed, |task| match read(&task.output) {
        Ok(output) => examiner.judge(task.case, &output),
        Err(reason) => Ok(Ruling { verdict: Verdict::JudgeError, message: Some(reason) }),
    })?;
    let tried = rulings.len();
    let found = tasks.iter().zip(rulings).filter_map(|(task, ruling)| finding(bench.package, task, &ruling));
    let mut findings: Vec<_> = found.collect();
    findings.extend(not_tried(tasks.len(), tried, "output"));
    findings.extend(missing_tests(bench));
    Ok(Outcome { about: counted(tried, "output"), findings, skipped: None })
}

/// The maximum size of an output that is read, in bytes. It exceeds the usual output limits of submissions.
const LARGEST_BYTES: u64 = 256 << 20;

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let size = path.metadata().map_err(|error| format!("the file cannot be read: {error}"))?.len();
    if size > LARGEST_BYTES {
        return Err(format!("the file has {size} bytes; at most {LARGEST_BYTES} are allowed"));
    }
    regular::read(path, LARGEST_BYTES).map_err(|error| format!("the file cannot be read: {error}"))
}

fn tasks(package: &Package) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    for case in package.cases.iter() {
        let is_sample = case.name.starts_with("sample/");
        // If a sample has an output to show, the statement shows that output instead of the answer.
        let is_shown = is_sample && case.output.is_none();
        tasks.push(Task {
            case,
            output: case.answer().into(),
            wanted: if is_shown { OutputKind::Shown } else { OutputKind::Answer },
        });
        tasks.extend(case.output.as_deref().map(|output| Task {
            case,
            output: output.into(),
            wanted: OutputKind::Shown,
        }));
    }
    for test in &package.validator_tests {
        let wanted = match test.part {
            ValidatorTestKind::InvalidInput => continue,
            ValidatorTestKind::InvalidOutput => OutputKind::Wrong,
            ValidatorTestKind::ValidOutput => OutputKind::Right,
        };
        // Skips a test without an answer. It breaks the format, and the loader has already reported it.
        let output = test.case.output.as_deref().filter(|_| test.case.answer().is_file());
        tasks.extend(output.map(|output| Task { case: &test.case, output: output.into(), wanted }));
    }
    tasks
}

fn finding(package: &Package, task: &Task<'_>, ruling: &Ruling) -> Option<Finding> {
    let said = ruling.message.as_deref().and_then(|text| text.lines().next());
    let said = said.map_or_else(String::new, |said| format!(": {said}"));
    let finding = match (ruling.verdict, task.wanted) {
        (Verdict::JudgeError, _) => Finding::error(format!("cannot be judged{said}")),
        (Verdict::Accepted, OutputKind::Wrong) => {
            Finding::error("must be rejected, but the output validator accepts it")
                .hint("make the output validator detect the mistake, or move the test case to data/valid_output")
        }
        (Verdict::Accepted, _) | (_, OutputKind::Wrong) => return None,
        (_, OutputKind::Shown) => {
            Finding::error(format!("is shown to contestants as correct, but the output validator rejects it{said}"))
        }
        (_, OutputKind::Right) => {
            Finding::error(format!("must be accepted, but the output validator rejects it{said}"))
        }
        // This is only a warning, because an answer file need not have the format of an output.
        (_, OutputKind::Answer) => Finding::warning(format!("the output validator rejects the jury's answer{said}")),
    };
    Some(finding.at(below(package, &task.output)).on(task.case.name.to_string()))
}

/// Returns a warning if the package has its own output validator but no invalid output to test it; `None` otherwise.
/// Packages of the legacy format never get this warning.
fn missing_tests(bench: &Bench<'_>) -> Option<Finding> {
    let has = bench.package.validator_tests.iter().any(|test| test.part == ValidatorTestKind::InvalidOutput);
    let wanted = !bench.is_default_validator() && !bench.package.version.is_legacy();
    (!has && wanted).then(|| {
        Finding::warning("there is no invalid output to test the output validator with")
            .at("data/invalid_output")
            .hint("for each mistake that the validator must detect, add NAME.in, NAME.ans and a wrong NAME.out")
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{TestPackage, legacy, test_package};
    use super::*;

    #[test]
    fn an_output_without_an_answer_is_not_asked_about() {
        let fixture = test_package(&[
            ("data/invalid_output/lacks.in", "1\n"),
            ("data/invalid_output/lacks.out", "1\n"),
            ("data/invalid_output/whole.in", "1\n"),
            ("data/invalid_output/whole.ans", "1\n"),
            ("data/invalid_output/whole.out", "2\n"),
        ]);
        let names: Vec<_> = tasks(&fixture.package).iter().map(|task| &*task.case.name).collect();
        assert_eq!(names, ["sample/1", "secret/1", "secret/2", "invalid_output/whole"]);
    }

    #[test]
    fn only_a_validator_of_the_packages_own_needs_outputs_that_it_rejects() {
        let own = ("output_validator/any.py", "");
        let wrong =
            [("data/invalid_output/1.in", "1\n"), ("data/invalid_output/1.ans", ""), ("data/invalid_output/1.out", "")];
        let lacks = |fixture: TestPackage| fixture.with_bench(|bench| missing_tests(bench).is_some());
        assert!(lacks(test_package(&[own])));
        assert!(!lacks(test_package(&[])));
        assert!(!lacks(test_package(&[&[own], wrong.as_slice()].concat())));
        assert!(!lacks(legacy(&[("output_validators/any.py", ""), ("problem.yaml", "name: A\nvalidation: custom\n")])));
    }

    #[test]
    fn outputs_are_read_up_to_a_bound() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(read(file.path()), Ok(Vec::new()));
        // The file is sparse, so it takes no disk space.
        file.as_file().set_len(LARGEST_BYTES + 1).unwrap();
        let read = read(file.path());
        assert!(read.is_err_and(|reason| reason.starts_with("the file has 268435457 bytes; at most 268435456")));
    }
}
