//! Builds one mutant and runs it on test cases.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::{MutantRun, MutantRunner, Product, RunCounts, StopPolicy};
use crate::build::compile::may_compile_next_time;
use crate::build::executable::Executable;
use crate::build::metamutant::Contained;
use crate::build::product_digest;
use crate::build::{self, Build, BuildPlan, Built};
use crate::cache::results::CachedResults;
use crate::case::together::Ran;
use crate::outcome::case_result::CaseResult;
use crate::validator::ValidationContext;
use crate::{JudgeError, Submission};
use referee_grading::verdict::Verdict;
use referee_package::TestCase;

/// The run of one mutant on the test cases. The mutant is compiled only if the digest of its program or a needed result
/// is not cached.
pub(super) struct OneMutant<'r, 'a> {
    shared: &'r MutantRunner<'a>,
    submission: &'r Submission,
    plan: Option<BuildPlan<'r>>,
    program: Option<Executable>,
    /// What `program` is, or would be if it were built.
    kind: Kind,
    /// The result of compiling the mutant alone after it was run in a metamutant.
    own_product: Option<Product>,
    /// Whether nothing was compiled or run yet.
    is_cached: bool,
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

/// The kind of a program that contains the mutant.
enum Kind {
    Alone,
    Metamutant,
    /// A metamutant in which the mutant may need more time or memory than alone, with the CPU time of the unchanged
    /// program on each test case.
    SlowerMetamutant(Arc<[Duration]>),
}

/// The name of the cached note that contains the digest of a mutant's compiled program, or the compiler's message.
const PRODUCT: &str = "product";

/// The name of the cached note that contains the identity of a metamutant, and the digest of the mutant's code in it.
/// If the metamutant does not contain the mutant, the note ends after the identity.
const IN_METAMUTANT: &str = "product-in-metamutant";

/// A mutant that was spared by this many test cases is run on the others in one process. Most mutants that are killed
/// at all are killed earlier.
const SPARED_ALONE: usize = 3;

/// A mutant in a slower metamutant is run alone where it needs more than this many times the usual CPU time, plus this
/// time. A smaller limit would compile more mutants alone, a larger one would wait longer for mutants that never end.
const PATIENCE: u32 = 4;
const SHORTEST_LIMIT: Duration = Duration::from_millis(50);

/// With fewer test cases, a process for all of them would save little.
const FEWEST_TOGETHER: usize = 4;

impl<'r, 'a> OneMutant<'r, 'a> {
    /// Plans the build of the mutant, and looks for its cached results.
    pub(super) fn plan(
        shared: &'r MutantRunner<'a>,
        submission: &'r Submission,
        policy: &'r dyn StopPolicy,
    ) -> Result<Self, JudgeError> {
        let session = &shared.session;
        let plan = build::plan(&session.source(submission), &session.settings, session.site())?;
        let cache = shared.result_cache.as_ref().zip(plan.key());
        Ok(OneMutant {
            shared,
            submission,
            cached_results: cache.map(|(result_cache, key)| result_cache.results_of(&key, submission)),
            plan: Some(plan),
            program: None,
            kind: Kind::Alone,
            own_product: None,
            is_cached: true,
            policy,
            spared: vec![None; session.package.cases.len()],
            alone: 0,
            is_shareable: true,
            counts: RunCounts::default(),
        })
    }

    /// Builds the mutant and runs it on the test cases that the policy chooses.
    pub(super) fn run(mut self) -> Result<MutantRun, JudgeError> {
        let policy = self.policy;
        let mut product = match self.known_product() {
            Some(product) => product,
            None => self.build()?,
        };
        let mut results = vec![None; self.spared.len()];
        if product.digest().is_some_and(|digest| policy.begins(&digest)) {
            while let Some(index) = policy.next(&results).filter(|index| matches!(results.get(*index), Some(None))) {
                match self.result(index, &results)? {
                    Ok(result) => results[index] = Some(result),
                    // The mutant compiled in an earlier run but does not compile now, and this test case has no cached
                    // result.
                    Err(reason) => {
                        product = Product::Unavailable(reason);
                        break;
                    }
                }
            }
            if !matches!(self.kind, Kind::Alone) && self.own_product.is_none() && policy.needs_own_product(&results) {
                self.own_product = Some(self.known_or_new_own_product()?);
            }
        }
        let (own_product, cached, counts) = (self.own_product, self.is_cached, self.counts);
        Ok(MutantRun { product, own_product, results, cached, counts })
    }

    /// Returns the product that an earlier run cached.
    fn known_product(&mut self) -> Option<Product> {
        if let Some(metamutant) = self.policy.metamutant() {
            let note = self.cached_results.as_ref()?.note(IN_METAMUTANT)?;
            let digest = note.strip_prefix(&metamutant[..])?;
            if !digest.is_empty() {
                self.kind = Kind::Metamutant;
                return Some(Product::Made(digest.try_into().ok()?));
            }
        }
        self.known_own_product()
    }

    /// Returns the cached result of compiling the mutant alone.
    fn known_own_product(&self) -> Option<Product> {
        let note = self.cached_results.as_ref()?.note(PRODUCT)?;
        match note.split_first()? {
            (1, digest) => Some(Product::Made(digest.try_into().ok()?)),
            (0, message) => Some(Product::Failed(String::from_utf8_lossy(message).into_owned())),
            _ => None,
        }
    }

    /// Stores a note about the mutant in the cache, if there is one.
    fn store_note(&self, name: &str, note: &[&[u8]]) {
        if let Some((result_cache, cached_results)) =
            self.shared.result_cache.as_ref().zip(self.cached_results.as_ref())
        {
            result_cache.store_note(cached_results, name, &note.concat());
        }
    }

    /// Stores the result on a test case in the cache, if there is one.
    fn store_result(&self, index: usize, result: &mut CaseResult) {
        if let Some((result_cache, cached_results)) =
            self.shared.result_cache.as_ref().zip(self.cached_results.as_ref())
        {
            result_cache.store(cached_results, index, result, self.submission);
        }
    }

    /// Builds the program that is run: the metamutant that contains the mutant, or else the mutant alone.
    fn build(&mut self) -> Result<Product, JudgeError> {
        self.is_cached = false;
        let contained = self.policy.before_compiling()?;
        self.kind = match &contained {
            None => Kind::Alone,
            Some(Contained { usual_times: Some(times), .. }) => Kind::SlowerMetamutant(Arc::clone(times)),
            Some(_) => Kind::Metamutant,
        };
        if let Some(metamutant) = self.policy.metamutant() {
            let digest = contained.as_ref().map_or(&[][..], |contained| &contained.product[..]);
            self.store_note(IN_METAMUTANT, &[&metamutant[..], digest]);
        }
        let Some(contained) = contained else { return self.build_alone() };
        self.program = Some(contained.metamutant.copy(contained.number));
        Ok(Product::Made(contained.product))
    }

    /// Returns the result of compiling the mutant alone, from the cache if it is there.
    fn known_or_new_own_product(&mut self) -> Result<Product, JudgeError> {
        match self.known_own_product() {
            Some(known) => Ok(known),
            None => self.build_alone(),
        }
    }

    /// Compiles the mutant alone.
    fn build_alone(&mut self) -> Result<Product, JudgeError> {
        self.is_cached = false;
        let Some(plan) = self.plan.take() else { return Err(crate::run::reorder::worker_lost()) };
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
        match &product {
            Product::Made(digest) => self.store_note(PRODUCT, &[&[1], digest]),
            Product::Failed(message) => self.store_note(PRODUCT, &[&[0], message.as_bytes()]),
            Product::Unavailable(_) => {}
        }
        Ok(product)
    }

    /// Returns the result on one test case. `results` are those on the others, as far as they are known. The inner
    /// error is the reason why the mutant cannot be run.
    fn result(
        &mut self,
        index: usize,
        results: &[Option<CaseResult>],
    ) -> Result<Result<CaseResult, String>, JudgeError> {
        let case = &self.shared.session.package.cases[index];
        let cache = self.shared.result_cache.as_ref().zip(self.cached_results.as_ref());
        if let Some(known) = cache.and_then(|(result_cache, cached_results)| result_cache.known(cached_results, index))
        {
            return Ok(Ok(known));
        }
        if self.program.is_none()
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
            self.store_result(index, &mut result);
            return Ok(Ok(result));
        }
        self.counts.alone += 1;
        let mut result = match &self.kind {
            Kind::Alone | Kind::Metamutant => shared.judge(&self.submission.name, program, case)?,
            Kind::SlowerMetamutant(usual_times) => {
                let time = usual_times.get(index).copied().unwrap_or_default() * PATIENCE + SHORTEST_LIMIT;
                let result = shared.judge_briefly(&self.submission.name, program, case, time)?;
                match if depends_on_limits(&result) { self.judge_alone(case)? } else { Ok(result) } {
                    Ok(result) => result,
                    Err(reason) => return Ok(Err(reason)),
                }
            }
        };
        self.alone += usize::from(self.policy.spares(index, &result));
        if self.policy.one_timeout_suffices() || result.verdict != Verdict::TimeLimitExceeded {
            self.store_result(index, &mut result);
        }
        Ok(Ok(result))
    }

    /// Compiles the mutant alone, and runs it on the test case. Later runs use this program, too. The inner error is the
    /// reason why the mutant cannot be run.
    fn judge_alone(&mut self, case: &TestCase) -> Result<Result<CaseResult, String>, JudgeError> {
        let product = self.build_alone()?;
        let own_product = self.own_product.insert(product);
        if let Product::Failed(reason) | Product::Unavailable(reason) = own_product {
            return Ok(Err(reason.clone()));
        }
        self.kind = Kind::Alone;
        let Some(program) = &self.program else { return Err(crate::run::reorder::worker_lost()) };
        self.counts.alone += 1;
        self.shared.judge(&self.submission.name, program, case).map(Ok)
    }

    /// Runs the mutant in one process on the test cases that have no result in `results`. Stores the results on those
    /// that spare it.
    fn run_together(&mut self, results: &[Option<CaseResult>]) -> Result<(), JudgeError> {
        let session = &self.shared.session;
        let (package, settings) = (session.package, &session.settings);
        let Some(program) = &self.program else { return Ok(()) };
        let is_plain = |case: &TestCase| case.files.is_none() && case.arguments.is_empty();
        let indices: Vec<usize> = (0..results.len())
            .filter(|&index| {
                let is_open = results[index].is_none() && self.spared[index].is_none();
                is_open && self.policy.may_share(index) && is_plain(&package.cases[index])
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

/// Whether the program could get another result if it needed less time, memory or stack.
fn depends_on_limits(result: &CaseResult) -> bool {
    result.verdict.is_exceeded_limit() || result.signal.is_some()
}

fn unreadable(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "reading the compiled files", source }
}
