//! The unchanged validator, whose rulings count as correct.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::super::telling_line;
use super::question::Question;
use super::seeds::Stock;
use super::validator_cases::{Test, tests};
use super::validator_runner::Panel;
use crate::subject::{Role, Subject};
use referee_grading::verdict::Verdict;
use referee_judge::{Digest, JudgeError, Ruling, Settings};
use referee_package::{Limits, Package, TestCase};

/// An unchanged validator and its rulings.
pub(super) struct Original<'a> {
    subject: &'a Subject,
    /// The package with this validator as the only one of its kind.
    package: &'a Package,
    panel: Panel<'a>,
    /// The same validator with the shorter time limit of its mutants; built at the first use.
    hurried: OnceLock<Panel<'a>>,
    pub(super) product: Digest,
    pub(super) tests: Vec<Test>,
    /// The validator's ruling on each test.
    pub(super) truth: Vec<Verdict>,
    /// The settings for mutants. The time limit is shorter than the validator's own if the validator needs little time.
    pub(super) settings: Settings,
    stock: OnceLock<Stock>,
    /// The validator's rulings so far, by a hash of the test case and the text. Most survivors are tested with the same
    /// questions.
    said: Mutex<HashMap<blake3::Hash, Ruling>>,
}

/// Factor for the time limit of a mutant: this many times the validator's slowest run, with a minimum.
const SLOWER: u32 = 20;
const SHORTEST: Duration = Duration::from_secs(3);

/// The maximum number of remembered rulings.
const MOST_SAID: usize = 50_000;

impl<'a> Original<'a> {
    /// Builds the validator and runs it on its tests. The inner error is the reason why its mutants cannot be measured.
    pub(super) fn look_at(
        subject: &'a Subject,
        package: &'a Package,
        settings: &Settings,
    ) -> Result<Result<Original<'a>, String>, JudgeError> {
        if let Some(reason) = no_plain_outputs(subject, package) {
            return Ok(Err(reason));
        }
        let panel = match Panel::open(subject, package, settings)? {
            Ok(panel) => panel,
            Err(reason) => return Ok(Err(telling_line(&reason).to_owned())),
        };
        let product = panel.product(&subject.path)?;
        let tests = tests(subject, package);
        let (mut truth, mut slowest) = (Vec::new(), Duration::ZERO);
        for test in &tests {
            let started = Instant::now();
            let ruling = panel.ask(&test.case, test.output().as_deref())?;
            slowest = slowest.max(started.elapsed());
            if let Some(reason) = contradiction(test, &ruling) {
                return Ok(Err(reason));
            }
            truth.push(ruling.verdict);
        }
        let validation_time = settings.limits.validation_time.min((slowest * SLOWER).max(SHORTEST));
        let settings = Settings { limits: Limits { validation_time, ..settings.limits }, ..settings.clone() };
        let (stock, said) = (OnceLock::new(), Mutex::new(HashMap::new()));
        let hurried = OnceLock::new();
        Ok(Ok(Original { subject, package, panel, hurried, product, tests, truth, settings, stock, said }))
    }

    /// Returns a remark if the validator aborted and its aborts were counted as rejections; else `None`.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        self.panel.abort_remarks()
    }

    /// Runs the validator on a file of the package.
    pub(super) fn ask(&self, case: &TestCase, bytes: Option<&[u8]>) -> Result<Ruling, JudgeError> {
        self.panel.ask(case, bytes)
    }

    /// Returns the validator's ruling on a question. Runs the validator only if the ruling is not remembered.
    pub(super) fn say(&self, question: &Question, case: &TestCase, bytes: &[u8]) -> Result<Ruling, JudgeError> {
        let mut hasher = blake3::Hasher::new();
        let key = hasher.update(&question.like.to_le_bytes()).update(bytes).finalize();
        let said = || self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = said().get(&key) {
            return Ok(known.clone());
        }
        let ruling = self.panel.ask(case, Some(bytes))?;
        let mut said = said();
        if said.len() < MOST_SAID {
            said.insert(key, ruling.clone());
        }
        Ok(ruling)
    }

    /// Returns whether the unchanged validator fails on this text under the mutant's time limit. If it fails, the
    /// failure of a mutant proves nothing.
    pub(super) fn fails_in_a_hurry(&self, case: &TestCase, bytes: &[u8]) -> Result<bool, JudgeError> {
        let panel = match self.hurried.get() {
            Some(panel) => panel,
            None => match Panel::open(self.subject, self.package, &self.settings)? {
                Ok(panel) => self.hurried.get_or_init(|| panel),
                Err(_) => return Ok(true),
            },
        };
        Ok(panel.ask(case, Some(bytes))?.verdict == Verdict::JudgeError)
    }

    /// Returns the texts from which questions are made; collects them at the first call. `package` is the whole
    /// package.
    pub(super) fn stock(
        &self,
        subject: &Subject,
        package: &Package,
        settings: &Settings,
    ) -> Result<&Stock, JudgeError> {
        if let Some(stock) = self.stock.get() {
            return Ok(stock);
        }
        let stock = Stock::of(subject, &self.tests, package, settings)?;
        Ok(self.stock.get_or_init(|| stock))
    }
}

/// Returns why outputs cannot be validated without the submission; `None` if they can.
fn no_plain_outputs(subject: &Subject, package: &Package) -> Option<String> {
    let kind = package.kind;
    let word = match (kind.interactive, kind.multi_pass, kind.submit_answer) {
        (true, ..) => "interactive",
        (_, true, _) => "multi-pass",
        (_, _, true) => "submit-answer",
        _ => return None,
    };
    let reason = format!("the problem is {word}, and changing validators that talk with submissions is not built yet");
    (subject.role == Role::OutputValidator).then_some(reason)
}

/// Compares the validator's ruling with the verdict that the package demands. Returns the contradiction; `None` if
/// there is none.
fn contradiction(test: &Test, ruling: &Ruling) -> Option<String> {
    let said = ruling.message.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    let name = &test.case.name;
    match (ruling.verdict, test.wanted) {
        (Verdict::JudgeError, _) => Some(format!("it fails on {name} without changes: {said}")),
        (verdict, Some(wanted)) if verdict != wanted => {
            let colon = if said.is_empty() { "" } else { ": " };
            Some(format!("it gives {verdict} on {name} without changes, but the package demands {wanted}{colon}{said}"))
        }
        _ => None,
    }
}
