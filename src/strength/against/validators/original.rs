//! The validator as it is: what it says is what is right.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::super::telling_line;
use super::panel::Panel;
use super::question::Question;
use super::stock::Stock;
use super::tests::{Test, tests};
use crate::judge::{Digest, JudgeError, Ruling, Settings};
use crate::package::{Limits, Package, TestCase};
use crate::strength::subject::{Role, Subject};
use crate::verdict::Verdict;

/// A validator that nobody has changed.
pub(super) struct Original<'a> {
    subject: &'a Subject,
    /// The package with this validator alone.
    package: &'a Package,
    panel: Panel<'a>,
    /// The same validator in the hurry that its mutants are in.
    hurried: OnceLock<Panel<'a>>,
    pub(super) product: Digest,
    pub(super) tests: Vec<Test>,
    /// What it says of each.
    pub(super) truth: Vec<Verdict>,
    /// How mutants are run: with less time, where it needs less.
    pub(super) settings: Settings,
    stock: OnceLock<Stock>,
    /// What it has said, by the case and what it was asked about. Every survivor is tried with much the same.
    said: Mutex<HashMap<blake3::Hash, Ruling>>,
}

/// A mutant may take so many times as long as the validator at its slowest, and so long in any case.
const SLOWER: u32 = 20;
const SHORTEST: Duration = Duration::from_secs(3);

/// So many of the validator's words are held.
const MOST_SAID: usize = 50_000;

impl<'a> Original<'a> {
    /// The inner error is why nothing can be learnt of its mutants.
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

    /// The remark on the validator if its aborts have counted as rejections so far.
    pub(super) fn abort_remarks(&self) -> Vec<String> {
        self.panel.abort_remarks()
    }

    /// Asks it about something of the package.
    pub(super) fn ask(&self, case: &TestCase, bytes: Option<&[u8]>) -> Result<Ruling, JudgeError> {
        self.panel.ask(case, bytes)
    }

    /// Asks it, or remembers.
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

    /// Whether it fails like a mutant in as little time, or this time: then the mutant is not to blame.
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

    /// What there is to make questions of. `package` is the whole one.
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

/// Why outputs mean nothing by themselves, if so.
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

/// What it says against what the package demands.
fn contradiction(test: &Test, ruling: &Ruling) -> Option<String> {
    let said = ruling.message.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    let name = &test.case.name;
    match (ruling.verdict, test.wanted) {
        (Verdict::JudgeError, _) => Some(format!("it fails on {name} as it is: {said}")),
        (verdict, Some(wanted)) if verdict != wanted => {
            let colon = if said.is_empty() { "" } else { ": " };
            Some(format!("it says {verdict} of {name} as it is, and the package wants {wanted}{colon}{said}"))
        }
        _ => None,
    }
}
