//! Runs mutants, which are slightly changed copies of a program. A [`StopPolicy`] chooses on which test cases of the
//! package a mutant is run. The result for each mutant is the digest of its compiled program, and its results on these
//! test cases.
//!
//! The results are cached like those of submissions, but in a separate store: thousands of mutants must not displace
//! the results of submissions.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::build::compile::may_compile_next_time;
use crate::build::executable::Executable;
use crate::build::product_digest::{self, Digest};
use crate::build::together::{self, Member};
use crate::build::{self, Build, Built};
use crate::cache::results::{CachedResults, ResultCache};
use crate::case;
use crate::case::together::{Ran, Together};
use crate::outcome::case_result::CaseResult;
use crate::run::retry::retry_if_held_up;
use crate::session::Session;
use crate::validator::{ValidationContext, Validator};
use crate::workspace::headers::SharedHeaders;
use crate::{Cache, JudgeError, RunUntil, Settings, Submission};
use referee_grading::verdict::Verdict;
use referee_package::TestCase;

/// Runs mutants on a package's test cases. Its temporary files are removed when the value is dropped.
pub struct MutantRunner<'a> {
    /// A session with the settings of the mutants.
    session: Session<'a>,
    validator: Validator,
    result_cache: Option<ResultCache<'a>>,
    together: Together,
}

/// The result of building a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// The mutant can be run. Contains the digest of the compiled program.
    Made(Digest),
    /// The mutant does not compile. Contains the compiler's message.
    Failed(String),
    /// This machine, or the judge, cannot build the mutant. Contains the reason.
    Unavailable(String),
}

/// The results of one mutant.
pub struct MutantRun {
    /// The result of building the mutant.
    pub product: Product,
    /// One result for each test case of the package; `None` if the mutant was not run on that test case.
    pub results: Vec<Option<CaseResult>>,
    /// Whether the product and all results came from the cache.
    pub cached: bool,
    /// How the results were found.
    pub counts: RunCounts,
}

/// How the results of mutants were found. Results that came from the cache are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// The number of results for which a process was started.
    pub alone: usize,
    /// The number of results of runs in a process that ran the mutant on several test cases.
    pub together: usize,
}

/// Decides on which test cases a mutant is run, and when it stops.
pub trait StopPolicy {
    /// Whether the mutant with this compiled program is run at all.
    fn begins(&self, product: &Digest) -> bool;
    /// Returns the index of the next test case, given the results so far; `None` if no more runs are needed.
    fn next(&self, results: &[Option<CaseResult>]) -> Option<usize>;
    /// Whether the mutant does the same as the unchanged program on the test case with this index, if this is its
    /// result there. If this returns false, a result of several runs in one process is not used: the runner runs the
    /// mutant alone on the test case.
    fn spares(&self, index: usize, result: &CaseResult) -> bool;
    /// Whether TLE is cached as the result of a mutant after a single run that exceeded the time limit. A second run
    /// might end within the limit. But many mutants never end, and running each of them again takes long.
    fn one_timeout_suffices(&self) -> bool;
    /// The runner calls this function before it compiles the mutant. The function may compile the mutant together with
    /// others, by [`MutantRunner::compile_together`]. Fails if the judge fails.
    fn before_compiling(&self) -> Result<(), JudgeError> {
        Ok(())
    }
}

/// Returns the settings for mutants. A failed test case does not end the run. Results are cached in a separate store.
/// Results that an interrupted run reported are not used.
pub fn settings_of_mutants(settings: &Settings) -> Settings {
    let cache = settings.cache.as_ref().and_then(|_| Cache::of_mutants().ok()).map(Arc::new);
    // Without a temporary folder, no program can be built either, which is reported then.
    let shared_headers = SharedHeaders::new().ok().map(Arc::new);
    Settings {
        cache,
        run_until: RunUntil::End,
        feedback: None,
        earlier: None,
        keyed: false,
        shared_headers,
        ..settings.clone()
    }
}

/// The name of the cached note that contains the digest of a mutant's compiled program, or the compiler's message.
const PRODUCT: &str = "product";

impl<'a> Session<'a> {
    /// Returns a [`MutantRunner`], for which it builds the output validators. The mutants run under the settings
    /// `of_mutants`; [`settings_of_mutants`] returns such settings.
    pub fn mutant_runner(&self, of_mutants: &Settings) -> Result<MutantRunner<'a>, JudgeError> {
        MutantRunner::open(self, of_mutants)
    }
}

impl<'a> MutantRunner<'a> {
    /// Builds the output validators under the session's settings. The mutants run under the settings `of_mutants`.
    pub(crate) fn open(session: &Session<'a>, of_mutants: &Settings) -> Result<Self, JudgeError> {
        crate::refuse_unsupported(session.package)?;
        let validator = session.validator(&session.package.cases)?;
        let result_cache =
            ResultCache::open(session.package, &session.package.cases, of_mutants, validator.ingredients(of_mutants));
        let session = session.with(of_mutants.clone());
        Ok(MutantRunner { session, validator, result_cache, together: Together::default() })
    }

    /// Builds a mutant, and runs it on the test cases that `policy` chooses. Cached results are used.
    pub fn run(&self, submission: &Submission, policy: &dyn StopPolicy) -> Result<MutantRun, JudgeError> {
        let plan = build::plan(&self.session.source(submission), &self.session.settings, self.session.site())?;
        let cached_results = self
            .result_cache
            .as_ref()
            .zip(plan.key())
            .map(|(result_cache, key)| result_cache.results_of(&key, submission));
        let known_product = known_product(cached_results.as_ref());
        let count = self.session.package.cases.len();
        let spared = vec![None; count];
        let mut runner = Runner {
            shared: self,
            submission,
            plan: Some(plan),
            program: None,
            cached_results,
            policy,
            spared,
            alone: 0,
            is_shareable: true,
            counts: RunCounts::default(),
        };
        let product = match known_product {
            Some(product) => product,
            None => runner.build()?,
        };
        let mut results = vec![None; count];
        if let Product::Made(digest) = &product
            && policy.begins(digest)
        {
            while let Some(index) = policy.next(&results).filter(|index| matches!(results.get(*index), Some(None))) {
                match runner.result(index, &results)? {
                    Ok(result) => results[index] = Some(result),
                    // The mutant compiled in an earlier run but does not compile now, and this test case has no cached
                    // result.
                    Err(reason) => {
                        let (product, counts) = (Product::Unavailable(reason), runner.counts);
                        return Ok(MutantRun { product, results, cached: false, counts });
                    }
                }
            }
        }
        Ok(MutantRun { product, results, cached: runner.plan.is_some(), counts: runner.counts })
    }

    /// Compiles mutants of one program together, if their language can do that. The path of each mutant is the path of
    /// its sources when it is run. Mutants that do not compile together with others are compiled alone then. Fails if
    /// the judge fails.
    pub fn compile_together(&self, mutants: &[(Submission, PathBuf)]) -> Result<(), JudgeError> {
        let members: Vec<_> = mutants
            .iter()
            .map(|(submission, path)| Member { source: self.session.source(submission), path: path.clone() })
            .collect();
        together::compile(&members, &self.session.settings, self.session.site())
    }

    fn store(&self, cached_results: Option<&CachedResults>, product: &Product) {
        let Some((result_cache, cached_results)) = self.result_cache.as_ref().zip(cached_results) else { return };
        match product {
            Product::Made(digest) => result_cache.store_note(cached_results, PRODUCT, &[&[1], &digest[..]].concat()),
            Product::Failed(message) => {
                result_cache.store_note(cached_results, PRODUCT, &[&[0], message.as_bytes()].concat());
            }
            Product::Unavailable(_) => {}
        }
    }
}

fn known_product(cached_results: Option<&CachedResults>) -> Option<Product> {
    let note = cached_results?.note(PRODUCT)?;
    match note.split_first()? {
        (1, digest) => Some(Product::Made(digest.try_into().ok()?)),
        (0, message) => Some(Product::Failed(String::from_utf8_lossy(message).into_owned())),
        _ => None,
    }
}

/// The run of one mutant on the test cases. The mutant is compiled only if the digest of its program or a needed result
/// is not cached.
struct Runner<'r, 'a> {
    shared: &'r MutantRunner<'a>,
    submission: &'r Submission,
    plan: Option<build::BuildPlan<'r>>,
    program: Option<Executable>,
    cached_results: Option<CachedResults>,
    policy: &'r dyn StopPolicy,
    /// Results of runs in one process, by test case. Each is used once.
    spared: Vec<Option<CaseResult>>,
    /// The number of test cases that the mutant was run on alone and that spare it, since it was last run on several
    /// test cases in one process.
    alone: usize,
    /// Whether runs in one process may have results. False after such runs had none.
    is_shareable: bool,
    counts: RunCounts,
}

/// A mutant that was spared by this many test cases is run on the others in one process. Most mutants that are killed
/// at all are killed earlier.
const SPARED_ALONE: usize = 3;

/// With fewer test cases, a process for all of them would save little.
const FEWEST_TOGETHER: usize = 4;

impl Runner<'_, '_> {
    fn build(&mut self) -> Result<Product, JudgeError> {
        let Some(plan) = self.plan.take() else { return Err(crate::run::reorder::worker_lost()) };
        self.policy.before_compiling()?;
        let sources = plan.folder().map(product_digest::contents).transpose().map_err(unreadable)?.unwrap_or_default();
        let Build { result, .. } = plan.make()?;
        let product = match result {
            Built::Ready(program) => {
                let digest = product_digest::digest(program.folder(), &sources);
                self.program = Some(program);
                Product::Made(digest.map_err(unreadable)?)
            }
            // The compiler ran out of time or memory, or was killed. The mutant may compile in the next run.
            Built::Failed(message) if may_compile_next_time(&message) => Product::Unavailable(message),
            Built::Failed(message) | Built::Refused(message) => Product::Failed(message),
            // The judge continues with the other mutants.
            Built::Skipped(reason) => Product::Unavailable(reason.to_string()),
            Built::Broken(reason) => Product::Unavailable(reason),
        };
        self.shared.store(self.cached_results.as_ref(), &product);
        Ok(product)
    }

    /// Returns the result on one test case. `results` are those on the others, as far as they are known. The inner error
    /// is the reason why the mutant cannot be run.
    fn result(
        &mut self,
        index: usize,
        results: &[Option<CaseResult>],
    ) -> Result<Result<CaseResult, String>, JudgeError> {
        let case = &self.shared.session.package.cases[index];
        if let Some(known_product) = self.cached_results.as_ref().and_then(|cached_results| cached_results.take(index))
        {
            return Ok(Ok(known_product));
        }
        if self.plan.is_some()
            && let Product::Failed(reason) | Product::Unavailable(reason) = self.build()?
        {
            return Ok(Err(reason));
        }
        if self.alone >= SPARED_ALONE && self.is_shareable {
            self.alone = 0;
            self.run_together(results)?;
        }
        let (shared, Some(program)) = (self.shared, &self.program) else {
            return Err(crate::run::reorder::worker_lost());
        };
        if let Some(mut result) = self.spared[index].take() {
            self.counts.together += 1;
            if let Some((result_cache, cached_results)) = shared.result_cache.as_ref().zip(self.cached_results.as_ref())
            {
                result_cache.store(cached_results, index, &mut result, self.submission);
            }
            return Ok(Ok(result));
        }
        let context = shared.session.context(&shared.validator);
        let judge = || case::judge(&context, &self.submission.name, program, case);
        let mut result = retry_if_held_up(judge()?, shared.session.settings.time(), judge)?;
        self.counts.alone += 1;
        self.alone += usize::from(self.policy.spares(index, &result));
        let is_lasting = self.policy.one_timeout_suffices() || result.verdict != Verdict::TimeLimitExceeded;
        if let Some((result_cache, cached_results)) =
            shared.result_cache.as_ref().zip(self.cached_results.as_ref()).filter(|_| is_lasting)
        {
            result_cache.store(cached_results, index, &mut result, self.submission);
        }
        Ok(Ok(result))
    }
}

impl Runner<'_, '_> {
    /// Runs the mutant in one process on the test cases that have no result in `results`. Stores the results on those
    /// that spare it.
    fn run_together(&mut self, results: &[Option<CaseResult>]) -> Result<(), JudgeError> {
        let session = &self.shared.session;
        let (package, settings) = (session.package, &session.settings);
        let Some(program) = &self.program else { return Ok(()) };
        let is_plain = |case: &TestCase| case.files.is_none() && case.arguments.is_empty();
        let indices: Vec<usize> = (0..results.len())
            .filter(|&index| {
                results[index].is_none() && self.spared[index].is_none() && is_plain(&package.cases[index])
            })
            .collect();
        if indices.len() < FEWEST_TOGETHER
            || package.kind.interactive
            || package.kind.multi_pass
            || settings.file_writing
        {
            return Ok(());
        }
        let cases: Vec<_> = indices.iter().map(|index| &package.cases[*index]).collect();
        let runs = self.shared.together.run(program, &cases, settings, session.site());
        self.is_shareable = runs.iter().any(Option::is_some);
        for (index, run) in indices.into_iter().zip(runs) {
            let Some(Ran { time, output }) = run else { continue };
            let case = &package.cases[index];
            let (submitted, workspace) = (program.folder(), session.context(&self.shared.validator).workspace);
            let validation =
                ValidationContext { submission: &self.submission.name, case, submitted, workspace, inputs: None };
            let judgement = self.shared.validator.judge(&validation, &output, settings)?;
            let seconds = Some(time.as_secs_f64());
            let result = CaseResult {
                given: judgement.given,
                cpu_seconds: seconds,
                wall_seconds: seconds,
                exit_code: Some(0),
                ..CaseResult::of(judgement.verdict)
            };
            let fits = output.len() as u64 <= settings.limits.output_bytes;
            if fits && self.policy.spares(index, &result) {
                self.spared[index] = Some(result);
            }
        }
        Ok(())
    }
}

fn unreadable(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "reading the compiled files", source }
}
