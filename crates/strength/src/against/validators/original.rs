//! The unchanged validator, whose rulings count as correct.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::super::telling_line;
use super::question::Question;
use super::seeds::Seeds;
use super::validator_cases::{Test, tests};
use super::validator_runner::ValidatorRunner;
use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_judge::{Digest, JudgeError, Metamutant, MetamutantBuild, Ruling, Settings};
use referee_package::{Limits, Package, TestCase};

/// An unchanged validator and its rulings.
pub(super) struct Original<'a> {
    subject: &'a Subject,
    /// The package with this validator as the only one of its kind.
    package: &'a Package,
    runner: ValidatorRunner<'a>,
    /// The same validator with the shorter time limit of its mutants; built at the first use.
    with_short_limit: OnceLock<ValidatorRunner<'a>>,
    pub(super) product: Digest,
    pub(super) tests: Vec<Test>,
    /// The validator's ruling on each test.
    pub(super) truth: Vec<Verdict>,
    /// The settings for mutants. Their time limit is shorter than that of the unchanged validator if that validator
    /// needs little time.
    pub(super) settings: Settings,
    seeds: OnceLock<Seeds>,
    /// The validator's rulings so far, by a hash of the test case and the text. They are stored because most questions
    /// are tried again on other survivors.
    rulings: Mutex<HashMap<blake3::Hash, Ruling>>,
}

/// The time limit of a mutant is this many times the time of the validator's slowest run. It is at least `MIN_LIMIT`,
/// and at most the validator's own time limit.
const LIMIT_FACTOR: u32 = 20;
const MIN_LIMIT: Duration = Duration::from_secs(3);

/// The maximum number of rulings that are stored.
const MOST_RULINGS: usize = 50_000;

impl<'a> Original<'a> {
    /// Builds the validator and runs it on its tests. The inner error is the reason why its mutants cannot be measured.
    pub(super) fn run(
        subject: &'a Subject,
        package: &'a Package,
        settings: &Settings,
    ) -> Result<Result<Original<'a>, String>, JudgeError> {
        if let Some(reason) = why_needs_submission(subject, package) {
            return Ok(Err(reason));
        }
        let runner = match ValidatorRunner::open(subject, package, settings)? {
            Ok(runner) => runner,
            Err(reason) => return Ok(Err(telling_line(&reason).to_owned())),
        };
        let product = runner.product(&subject.path)?;
        let tests = tests(subject, package);
        let (mut truth, mut slowest) = (Vec::new(), Duration::ZERO);
        for test in &tests {
            let started = Instant::now();
            let ruling = runner.run(&test.case, test.output().as_deref())?;
            slowest = slowest.max(started.elapsed());
            if let Some(reason) = contradiction(test, &ruling) {
                return Ok(Err(reason));
            }
            truth.push(ruling.verdict);
        }
        let validation_time = settings.limits.validation_time.min((slowest * LIMIT_FACTOR).max(MIN_LIMIT));
        let settings = Settings { limits: Limits { validation_time, ..settings.limits }, ..settings.clone() };
        let (seeds, rulings) = (OnceLock::new(), Mutex::new(HashMap::new()));
        let with_short_limit = OnceLock::new();
        Ok(Ok(Original { subject, package, runner, with_short_limit, product, tests, truth, settings, seeds, rulings }))
    }

    /// Returns a remark if the validator aborted on an input; empty if it never aborted. The remark tells the user that
    /// each abort counts as a rejection.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        self.runner.abort_remarks()
    }

    /// Compiles a metamutant of the validator, whose sources are in `folder`.
    pub(super) fn build_metamutant(&self, folder: &Path, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        self.runner.build_metamutant(folder, copies)
    }

    /// Returns a copy in a metamutant of the validator, with the shorter time limit of mutants.
    pub(super) fn copy(&self, metamutant: &Metamutant, number: usize) -> ValidatorRunner<'a> {
        self.runner.of_copy((metamutant, number), &self.settings)
    }

    /// Runs the validator on one of its tests.
    pub(super) fn run_on_test(&self, case: &TestCase, bytes: Option<&[u8]>) -> Result<Ruling, JudgeError> {
        self.runner.run(case, bytes)
    }

    /// Returns the validator's ruling on a question. Runs the validator only if the ruling is not stored.
    pub(super) fn ruling(&self, question: &Question, case: &TestCase, bytes: &[u8]) -> Result<Ruling, JudgeError> {
        let mut hasher = blake3::Hasher::new();
        let key = hasher.update(&question.case.to_le_bytes()).update(bytes).finalize();
        let rulings = || self.rulings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rulings().get(&key) {
            return Ok(known.clone());
        }
        let ruling = self.runner.run(case, Some(bytes))?;
        let mut rulings = rulings();
        if rulings.len() < MOST_RULINGS {
            rulings.insert(key, ruling.clone());
        }
        Ok(ruling)
    }

    /// Returns whether the unchanged validator fails on this text under the mutant's time limit. If it fails, the
    /// failure of a mutant proves nothing.
    pub(super) fn fails_within_short_limit(&self, case: &TestCase, bytes: &[u8]) -> Result<bool, JudgeError> {
        let runner = match self.with_short_limit.get() {
            Some(runner) => runner,
            None => match ValidatorRunner::open(self.subject, self.package, &self.settings)? {
                Ok(runner) => self.with_short_limit.get_or_init(|| runner),
                Err(_) => return Ok(true),
            },
        };
        Ok(runner.run(case, Some(bytes))?.verdict == Verdict::JudgeError)
    }

    /// Returns the texts from which questions are made; collects them at the first call. `package` is the package with
    /// all its validators.
    pub(super) fn seeds(
        &self,
        subject: &Subject,
        package: &Package,
        settings: &Settings,
    ) -> Result<&Seeds, JudgeError> {
        if let Some(seeds) = self.seeds.get() {
            return Ok(seeds);
        }
        let seeds = Seeds::of(subject, &self.tests, package, settings)?;
        Ok(self.seeds.get_or_init(|| seeds))
    }
}

/// Returns why the validator cannot be run on outputs without their submission; `None` if it can.
fn why_needs_submission(subject: &Subject, package: &Package) -> Option<String> {
    let kind = package.kind;
    let word = match (kind.interactive, kind.multi_pass, kind.submit_answer) {
        (true, ..) => "interactive",
        (_, true, _) => "multi-pass",
        (_, _, true) => "submit-answer",
        _ => return None,
    };
    let reason = format!("output validators of {word} problems are not supported");
    (subject.role == Role::OutputValidator).then_some(reason)
}

/// Returns why the validator's ruling on a test shows that the validator is wrong; `None` if it does not. The validator
/// is wrong if it fails, or if the package demands another verdict.
fn contradiction(test: &Test, ruling: &Ruling) -> Option<String> {
    let message = ruling.message.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    let name = &test.case.name;
    match (ruling.verdict, test.wanted) {
        (Verdict::JudgeError, _) => Some(format!("the unchanged validator fails on {name}: {message}")),
        (verdict, Some(wanted)) if verdict != wanted => {
            let colon = if message.is_empty() { "" } else { ": " };
            Some(format!(
                "the unchanged validator gives {verdict} on {name}, but the package demands {wanted}{colon}{message}"
            ))
        }
        _ => None,
    }
}
