//! Runs many programs that differ little on all test cases of a package. For each program it finds out what the
//! compiler made of it, and on each case whether the program is right.
//!
//! The results are remembered like those of submissions, but in a place of their own: thousands of mutants must not
//! displace the results of submissions.

use std::io;
use std::sync::Arc;

use crate::build::compile::lacked_something;
use crate::build::executable::Executable;
use crate::build::product_digest::{self, Digest};
use crate::build::{self, Build, Built};
use crate::cache::results::{Ledger, Page};
use crate::case;
use crate::outcome::case_result::CaseResult;
use crate::run::retry::again_if_held_up;
use crate::session::Session;
use crate::validator::Validator;
use crate::{Cache, JudgeError, Settings, Submission};
use referee_grading::verdict::Verdict;
use referee_package::TestCase;

/// Runs programs on a package's test cases. Its temporary files are removed with it.
pub struct MutantRunner<'a> {
    /// Its settings are those of the programs that are run.
    session: Session<'a>,
    validator: Validator,
    ledger: Option<Ledger<'a>>,
}

/// What came of building a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// It can be run.
    Made(Digest),
    /// It does not compile; the compiler's words.
    Failed(String),
    /// This machine, or the judge, cannot build it; why.
    Unavailable(String),
}

/// What a run found out about a program.
pub struct MutantRun {
    /// The result of building it.
    pub product: Product,
    /// By test case; `None` where it was not run.
    pub results: Vec<Option<CaseResult>>,
    /// Whether all of it is what earlier runs have found out.
    pub cached: bool,
}

/// How far a program is run.
pub trait StopPolicy {
    /// Whether it is run at all, when it is known what the compiler made.
    fn begins(&self, product: &Digest) -> bool;
    /// The case that is run next, after these results; `None` if that is enough.
    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize>;
    /// Whether one run that took too long is enough to remember it, as of programs that often never end.
    fn takes_slow_as_slow(&self) -> bool;
}

/// Returns the settings for programs that differ little: all cases are run, and results are remembered in a place of
/// their own.
pub fn settings_of_mutants(settings: &Settings) -> Settings {
    let cache = settings.cache.as_ref().and_then(|_| Cache::of_mutants().ok()).map(Arc::new);
    Settings { cache, all_cases: true, feedback: None, earlier: None, keyed: false, ..settings.clone() }
}

/// The name of a note: what the compiler made of a program.
const PRODUCT: &str = "product";

impl<'a> Session<'a> {
    /// Builds the output validators, to run many programs that differ little. The programs are run by `of_mutants`,
    /// which [`settings_of_mutants`] makes.
    pub fn mutant_runner(&self, of_mutants: &Settings) -> Result<MutantRunner<'a>, JudgeError> {
        MutantRunner::open(self, of_mutants)
    }
}

impl<'a> MutantRunner<'a> {
    /// Builds the output validators by the session's settings. Programs are run by `of_mutants`.
    pub(crate) fn open(session: &Session<'a>, of_mutants: &Settings) -> Result<Self, JudgeError> {
        crate::refuse_what_cannot_be_judged(session.package)?;
        let validator = session.validator(&session.package.cases)?;
        let ledger =
            Ledger::open(session.package, &session.package.cases, of_mutants, validator.ingredients(of_mutants));
        Ok(MutantRunner { session: session.with(of_mutants.clone()), validator, ledger })
    }

    /// Builds and runs a program, as far as `patience` goes and it is not known from earlier runs.
    pub fn run(&self, submission: &Submission, patience: &dyn StopPolicy) -> Result<MutantRun, JudgeError> {
        let plan = build::plan(&self.session.source(submission), &self.session.settings, self.session.site())?;
        let page = self.ledger.as_ref().zip(plan.key()).map(|(ledger, key)| ledger.page(&key, submission));
        let known = known(page.as_ref());
        let slow_is_slow = patience.takes_slow_as_slow();
        let mut runner = Runner { rows: self, submission, plan: Some(plan), program: None, page, slow_is_slow };
        let product = match known {
            Some(product) => product,
            None => runner.build()?,
        };
        let mut results = vec![None; self.session.package.cases.len()];
        if let Product::Made(digest) = &product
            && patience.begins(digest)
        {
            while let Some(index) = patience.next(&results).filter(|index| matches!(results.get(*index), Some(None))) {
                match runner.result(index, &self.session.package.cases[index])? {
                    Ok(result) => results[index] = Some(result),
                    // It could be built once, and is to be run on a case that is new.
                    Err(reason) => {
                        return Ok(MutantRun { product: Product::Unavailable(reason), results, cached: false });
                    }
                }
            }
        }
        Ok(MutantRun { product, results, cached: runner.plan.is_some() })
    }

    fn keep(&self, page: Option<&Page>, product: &Product) {
        let Some((ledger, page)) = self.ledger.as_ref().zip(page) else { return };
        match product {
            Product::Made(digest) => ledger.keep_note(page, PRODUCT, &[&[1], &digest[..]].concat()),
            Product::Failed(message) => ledger.keep_note(page, PRODUCT, &[&[0], message.as_bytes()].concat()),
            Product::Unavailable(_) => {}
        }
    }
}

fn known(page: Option<&Page>) -> Option<Product> {
    let note = page?.note(PRODUCT)?;
    match note.split_first()? {
        (1, digest) => Some(Product::Made(digest.try_into().ok()?)),
        (0, message) => Some(Product::Failed(String::from_utf8_lossy(message).into_owned())),
        _ => None,
    }
}

/// One program on its way through the cases. It is built when something has to be run.
struct Runner<'r, 'a> {
    rows: &'r MutantRunner<'a>,
    submission: &'r Submission,
    plan: Option<build::BuildPlan<'r>>,
    program: Option<Executable>,
    page: Option<Page>,
    slow_is_slow: bool,
}

impl Runner<'_, '_> {
    fn build(&mut self) -> Result<Product, JudgeError> {
        let Some(plan) = self.plan.take() else { return Err(crate::run::reorder::lost()) };
        let sources = plan.folder().map(product_digest::contents).transpose().map_err(unreadable)?.unwrap_or_default();
        let Build { result, .. } = plan.make()?;
        let product = match result {
            Built::Ready(program) => {
                let digest = product_digest::digest(program.folder(), &sources);
                self.program = Some(program);
                Product::Made(digest.map_err(unreadable)?)
            }
            // It may have what it needs the next time.
            Built::Failed(message) if lacked_something(&message) => Product::Unavailable(message),
            Built::Failed(message) => Product::Failed(message),
            // One program that cannot be built must not keep the others from being run.
            Built::Skipped(reason) | Built::Broken(reason) => Product::Unavailable(reason),
        };
        self.rows.keep(self.page.as_ref(), &product);
        Ok(product)
    }

    /// The inner error is why it cannot be run.
    fn result(&mut self, index: usize, case: &TestCase) -> Result<Result<CaseResult, String>, JudgeError> {
        if let Some(known) = self.page.as_ref().and_then(|page| page.recall(index)) {
            return Ok(Ok(known));
        }
        if self.plan.is_some()
            && let Product::Failed(reason) | Product::Unavailable(reason) = self.build()?
        {
            return Ok(Err(reason));
        }
        let (rows, Some(program)) = (self.rows, &self.program) else { return Err(crate::run::reorder::lost()) };
        let bench = rows.session.bench(&rows.validator);
        let judge = || case::judge(&bench, &self.submission.name, program, case);
        let mut result = again_if_held_up(judge()?, rows.session.settings.time(), judge)?;
        let is_lasting = self.slow_is_slow || result.verdict != Verdict::TimeLimitExceeded;
        if let Some((ledger, page)) = rows.ledger.as_ref().zip(self.page.as_ref()).filter(|_| is_lasting) {
            ledger.keep(page, index, &mut result, self.submission);
        }
        Ok(Ok(result))
    }
}

fn unreadable(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "looking at what a compiler has made", source }
}
