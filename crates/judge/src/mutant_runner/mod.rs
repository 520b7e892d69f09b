//! Runs mutants, which are slightly changed copies of a program. A [`StopPolicy`] chooses on which test cases of the
//! package a mutant is run. The result for each mutant is the digest of its compiled program, and its results on these
//! test cases.
//!
//! The results are cached like those of submissions, but in a separate store: thousands of mutants must not displace
//! the results of submissions.

mod one_mutant;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::build::Source;
use crate::build::executable::Executable;
use crate::build::metamutant::{self, Contained, Metamutant, MetamutantBuild};
use crate::build::product_digest::Digest;
use crate::build::together::{self, Member};
use crate::cache::results::ResultCache;
use crate::case;
use crate::case::together::Together;
use crate::outcome::case_result::CaseResult;
use crate::run::retry::retry_if_held_up;
use crate::session::Session;
use crate::validator::Validator;
use crate::workspace::prepared::SharedHeaders;
use crate::{Cache, JudgeError, RunUntil, Settings, Submission};
use one_mutant::OneMutant;
use referee_event::TimeLimit;
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

impl Product {
    /// Returns the digest of the compiled program; `None` if there is none.
    pub fn digest(&self) -> Option<Digest> {
        if let Product::Made(digest) = self { Some(*digest) } else { None }
    }
}

/// The results of one mutant.
pub struct MutantRun {
    /// The result of building the mutant. If a metamutant contains it, this is the mutant's code in the metamutant.
    pub product: Product,
    /// The result of compiling the mutant alone; `None` if it was not compiled alone in addition to `product`.
    pub own_product: Option<Product>,
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
    /// Whether the mutant may share a process with its runs on other test cases, if it is run on the test case with this
    /// index. This is not worth the effort if the run takes much longer than the start of a process.
    fn may_share(&self, index: usize) -> bool;
    /// Whether TLE is cached as the result of a mutant after a single run that exceeded the time limit. A second run
    /// might end within the limit. But many mutants never end, and running each of them again takes long.
    fn one_timeout_suffices(&self) -> bool;
    /// The runner calls this function before it compiles the mutant. The function may compile the mutant together with
    /// others, by [`MutantRunner::compile_together`]. If it returns a metamutant that contains the mutant, the runner
    /// runs that one instead of compiling the mutant. Fails if the judge fails.
    fn before_compiling(&self) -> Result<Option<Contained>, JudgeError> {
        Ok(None)
    }
    /// Identifies the metamutant that may contain the mutant, before it is built. `None` if there is none.
    fn metamutant(&self) -> Option<Digest> {
        None
    }
    /// Whether the runner compiles a mutant with these results alone after it was run in a metamutant.
    fn needs_own_product(&self, _results: &[Option<CaseResult>]) -> bool {
        false
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
        OneMutant::plan(self, submission, policy)?.run()
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

    /// Compiles a metamutant, which contains `copies` programs. Its sources are at the path of `submission`.
    pub fn build_metamutant(&self, submission: &Submission, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        // The limit on the size of sources is meant for one program.
        let source = Source { code_bytes: None, ..self.session.source(submission) };
        metamutant::build(&source, copies, &self.session.settings, self.session.site())
    }

    /// Runs a copy of a metamutant on all test cases until `goes_on` returns false for a result. Returns the results.
    pub fn run_copy(
        &self,
        name: &str,
        (metamutant, number): (&Metamutant, usize),
        goes_on: &dyn Fn(usize, &CaseResult) -> bool,
    ) -> Result<Vec<CaseResult>, JudgeError> {
        let (program, mut results) = (metamutant.copy(number), Vec::new());
        for (index, case) in self.session.package.cases.iter().enumerate() {
            results.push(self.judge(name, &program, case)?);
            if !goes_on(index, &results[index]) {
                break;
            }
        }
        Ok(results)
    }

    fn judge(&self, name: &str, program: &Executable, case: &TestCase) -> Result<CaseResult, JudgeError> {
        let context = self.session.context(&self.validator);
        let judge = || case::judge(&context, name, program, case);
        retry_if_held_up(judge()?, self.session.settings.time(), judge)
    }

    /// Judges a program with a limit on its CPU time, where that of the package is larger.
    fn judge_briefly(
        &self,
        name: &str,
        program: &Executable,
        case: &TestCase,
        time: Duration,
    ) -> Result<CaseResult, JudgeError> {
        let settings = &self.session.settings;
        let time_limit = TimeLimit::Stated(time.min(settings.time()));
        let session = self.session.with(Settings { time_limit, ..(**settings).clone() });
        case::judge(&session.context(&self.validator), name, program, case)
    }
}
