//! Runs submissions on test cases and decides verdicts.
//!
//! # How a submission is judged
//!
//! 1. [`plan`] lists the test cases and static tests to judge, and whether their results add up by groups. Where a
//!    package states no time limit, [`time_limit`] measures the package's own submissions first.
//! 2. [`build`] detects what a submission is. [`compilation`] gathers its [`sources`] ([`copy`]) and compiles them
//!    ([`compile`]), or takes the [`build_cache`] of an earlier run. The result is a [`executable`] program. A program
//!    of the package may have a build [`script`] of its own. Test cases whose [`results`] are known from an earlier run
//!    are not run again, and a program all of whose results are known is not compiled.
//! 3. [`schedule`] gives the test cases to the cores. [`case`] runs one of them, in a [`workdir`] of its own where the
//!    program may write files, and asks the [`validator`]. Multi-pass and interactive problems go through [`passes`],
//!    where [`interactive_verdict`] combines the verdicts of submission and validator.
//! 4. [`classify`] turns the sandbox's outcome into a verdict where a limit or an exit code decides alone.
//!    [`remeasure`] runs a test case again where its time is close to the limit, and decides whether the limit was
//!    kept. No other module decides a verdict.
//! 5. [`reorder`] puts the results back in order and adds them up by groups, as [`referee_grading::score`] defines it,
//!    with the package's [`grader`] if it has one. [`submission`] combines the verdicts of the test cases and compares
//!    them with the expected verdicts.
//!
//! # What else the judge offers
//!
//! [`examiner`] runs the package's validators on inputs, answers and outputs that are no submission's;
//! [`input_validator`] builds the validators of inputs and answers. [`trial`] runs a program on inputs that are no test
//! cases. [`mutant_runner`] runs hundreds of programs that differ little. [`package_program`] builds and runs programs
//! of the package, such as generators, outside any judging.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod aborts;
mod activity;
mod build;
mod build_cache;
mod case;
mod classify;
mod compilation;
mod compile;
mod copy;
mod enforcement;
mod examiner;
mod excerpt;
mod executable;
mod fingerprint;
mod folder;
mod grader;
mod input_validator;
mod interactive_verdict;
mod mutant_runner;
mod normalize_modes;
pub mod package_program;
mod passes;
mod plan;
mod remeasure;
mod reorder;
mod results;
mod retry;
mod schedule;
mod script;
mod sources;
mod stale_dirs;
mod submission;
mod time_limit;
pub mod toolchain;
mod trial;
mod validator;
mod workdir;

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use build_cache::Cache;
use executable::Site;
use folder::Folder;
use plan::Plan;
pub use results::Earlier;

use referee_compare::Dialect;
use referee_event::{Event, Partition, RunFinished, RunStarted};
use referee_files::temporary;
use referee_grading::score::Wanted;
use referee_grading::verdict::{Expectation, Verdict};
use referee_language::{Shebangs, Table};
use referee_package::{JurySubmission, Kind, LeftOut, Limits, Package, TestCase};
use referee_sandbox::{self as sandbox, Mode};

pub use activity::Activity;
pub use copy::copy_sources;
pub use enforcement::{enforced_part, enforcement};
pub use examiner::{AnswerExaminer, InputExaminer, OutputExaminer, Ruling};
pub use excerpt::beginning;
pub use fingerprint::time_limit_basis;
pub use input_validator::{InputVerdict, Unusable};
pub use mutant_runner::{Digest, Product, Row, Rows, StopPolicy, settings_of_rows};
pub use retry::asked_again;
pub use time_limit::{Measured, Reached, is_asleep, measure_time_limit, slowest_of_upper_bounds};
pub use trial::{Attempt, Contender, TrialCase, Trials};
pub use validator::testlib_checker;

/// Something to be judged.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its name in reports.
    pub name: String,
    /// The source file, source folder or executable.
    pub path: PathBuf,
    /// The language, if it is declared and not to be told from the files.
    pub language: Option<String>,
    /// The entry point, if it is declared.
    pub entry_point: Option<String>,
    /// What its verdicts must be; `None` if nothing is declared, and then it should be accepted.
    pub expectations: Option<Vec<Expectation>>,
    /// What its scores must be.
    pub scores: Vec<Wanted>,
    /// Why it is not judged, if it is not.
    pub left_out: Option<String>,
}

impl Submission {
    /// The package's own submissions.
    pub fn of_jury(package: &Package) -> Vec<Submission> {
        let one = |submission: &JurySubmission| Submission {
            name: submission.name.clone(),
            path: submission.path.clone(),
            language: submission.language.clone(),
            entry_point: submission.entry_point.clone(),
            expectations: Some(submission.expectations.clone()),
            scores: submission.scores.clone(),
            left_out: None,
        };
        package.submissions.iter().map(one).collect()
    }

    /// A submission of the package that is not judged. A run tells of it and of the reason.
    pub fn left_out(left_out: &LeftOut) -> Submission {
        Submission {
            name: left_out.name.clone(),
            path: left_out.path.clone(),
            language: None,
            entry_point: None,
            expectations: Some(Vec::new()),
            scores: Vec::new(),
            left_out: Some(left_out.reason.clone()),
        }
    }
}

/// How to judge.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "choices that go together in every way")]
pub struct Settings {
    /// How many programs run at a time.
    pub jobs: usize,
    /// CPU time per test case.
    pub time: Duration,
    /// Whether nobody stated that, and it follows from the package's own submissions.
    pub time_is_measured: bool,
    /// The other limits.
    pub limits: Limits,
    /// How often a result that comes close to the time limit is measured in all.
    pub repeat: NonZeroU32,
    /// Whether to go on after the first case that is not accepted.
    pub all_cases: bool,
    /// Whether programs may write files.
    pub file_writing: bool,
    /// What was asked of the sandbox.
    pub sandbox: Mode,
    /// Whether arguments of the default output validator may set a tolerance again, as in packages of old.
    pub legacy_arguments: bool,
    /// Whose default output validator is followed.
    pub dialect: Dialect,
    /// The user's testlib.h, for checkers that come without.
    pub testlib: Option<PathBuf>,
    /// Where to keep what output validators leave in their feedback folders.
    pub feedback: Option<PathBuf>,
    /// The languages there are.
    pub languages: Arc<Table>,
    /// Whether a source's first line may tell its language.
    pub shebangs: Shebangs,
    /// Where what compilers make is kept.
    pub cache: Option<Arc<Cache>>,
    /// Whether every case is run, even if its result is known from an earlier run.
    pub anew: bool,
    /// What an earlier run has told of the same submissions, which is taken as it is where nothing has changed.
    pub earlier: Option<Arc<dyn Earlier>>,
    /// Whether results are told with their keys, by which a later run knows what they are of.
    pub keyed: bool,
    /// The digest of the program's own code, which the keys of results hold. `None` where the program does not know it:
    /// then no result has a key, and none is remembered.
    pub build: Option<&'static str>,
    /// Which part of the submissions is graded, if not all are.
    pub partition: Option<Partition>,
    /// When every program that is compiled or run is stopped, without a verdict; `None` if never. The work that needs
    /// it ends as [`JudgeError::Interrupted`].
    pub until: Option<Instant>,
    /// Where it is told what is done at the moment.
    pub activity: Arc<Activity>,
}

impl Settings {
    /// Those that say no more than they must: one program at a time on all cases, nothing remembered or told beside.
    pub fn new(time: Duration, limits: Limits, languages: Arc<Table>) -> Settings {
        Settings {
            jobs: 1,
            time,
            time_is_measured: false,
            limits,
            repeat: NonZeroU32::MIN,
            all_cases: true,
            file_writing: false,
            sandbox: Mode::default(),
            legacy_arguments: false,
            dialect: Dialect::default(),
            testlib: None,
            feedback: None,
            languages,
            shebangs: Shebangs::Ignored,
            cache: None,
            anew: false,
            earlier: None,
            keyed: false,
            build: None,
            partition: None,
            until: None,
            activity: Arc::default(),
        }
    }

    /// Wall time after which a program is ended although it used little CPU time. Time in which the program waited for
    /// a core does not count.
    pub fn wall(&self) -> Duration {
        wall_limit(self.time)
    }

    /// Whether it must be known what results are of.
    fn needs_keys(&self) -> bool {
        self.keyed || self.earlier.is_some() || self.cache.is_some()
    }

    /// Whether the submission of this index is among those that are graded.
    fn judges(&self, index: usize) -> bool {
        self.partition.is_none_or(|part| part.holds(index))
    }
}

/// The limit of wall time that goes with a time limit.
pub fn wall_limit(time: Duration) -> Duration {
    time * 3 + Duration::from_secs(2)
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Submissions judged.
    pub submissions: usize,
    /// Submissions that were found and not judged: a tool is missing, say, or the package leaves them out.
    pub skipped: usize,
    /// Of those, the ones that the user named: skipping them is not what was expected.
    pub unjudged: usize,
    /// Cases run.
    pub cases_run: usize,
    /// Submissions that did not end as expected.
    pub not_as_wanted: usize,
    /// Submissions on which the judge or the package failed.
    pub judge_errors: usize,
}

impl Summary {
    /// Whether everything ended as expected.
    pub fn as_wanted(&self) -> bool {
        self.not_as_wanted == 0 && self.judge_errors == 0 && self.unjudged == 0
    }

    fn count(&mut self, verdict: Verdict, as_wanted: bool) {
        self.submissions += 1;
        self.not_as_wanted += usize::from(!as_wanted);
        self.judge_errors += usize::from(verdict == Verdict::JudgeError);
    }
}

/// The run as a whole could not be done.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The package cannot be used as it is.
    #[error("{0}")]
    Package(String),
    /// The judge failed.
    #[error("the judge failed while {doing}: {source}")]
    System {
        /// What it was doing.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The user interrupted the judge, or [`Settings::until`] has come.
    #[error("interrupted")]
    Interrupted,
}

/// Judges `submissions` on `cases` and tells `report` everything that happens, in order of submissions and cases
/// whatever the number of jobs is.
pub fn grade(
    package: &Package,
    cases: &[TestCase],
    submissions: &[Submission],
    settings: &Settings,
    report: &mut dyn FnMut(Event),
) -> Result<Summary, JudgeError> {
    let started = Instant::now();
    refuse_what_cannot_be_judged(package)?;
    let all = submissions.len();
    let own = submissions.iter().enumerate().filter(|(index, _)| settings.judges(*index));
    let submissions_digest = Some(fingerprint::of_submissions(submissions));
    let submissions: &[_] = &own.map(|(_, submission)| submission.clone()).collect::<Vec<_>>();
    let judged = submissions.iter().filter(|submission| submission.left_out.is_none());
    report(Event::RunStarted(RunStarted {
        package: package.name.clone(),
        jobs: settings.jobs,
        seed: None,
        sandbox: Some(enforcement(settings.sandbox)),
        planned: Plan::new(package, cases, settings).works.len() * judged.count(),
        time_limit_seconds: Some(settings.time.as_secs_f64()),
        memory_limit_bytes: Some(settings.limits.memory_bytes),
        time_limit_measured: settings.time_is_measured,
        submissions: Some(all),
        partition: settings.partition,
        submissions_digest,
        cases_digest: Some(fingerprint::of_cases(cases, settings)),
        time_limit_basis: settings.time_is_measured.then(|| time_limit_basis(package, settings)),
        has_declared: submissions.iter().any(submission::declares),
    }));
    let summary = judge_all(package, cases, submissions, settings, report)?;
    report(Event::RunFinished(RunFinished {
        as_wanted: summary.as_wanted(),
        submissions: summary.submissions,
        skipped: summary.skipped,
        unjudged: summary.unjudged,
        cases_run: summary.cases_run,
        wall_seconds: started.elapsed().as_secs_f64(),
    }));
    Ok(summary)
}

/// Judges, and tells `report` of builds, cases and submissions, but of no run.
pub fn judge_all(
    package: &Package,
    cases: &[TestCase],
    submissions: &[Submission],
    settings: &Settings,
    report: &mut dyn FnMut(Event),
) -> Result<Summary, JudgeError> {
    let workspace = workspace().map_err(|source| JudgeError::System { doing: MAKING_A_FOLDER, source })?;
    let site = Site { workspace: workspace.path(), package: &package.root, drawn: None };
    let validator = validator::prepare(package, cases, settings, site)?;
    let static_validator = validator::prepare_static(package, settings, site)?;
    let grader = grader::prepare(package, settings, site)?;
    let plan = Plan::new(package, cases, settings);
    let ledger = results::Ledger::open(package, cases, settings, &validator);
    let run = schedule::Run {
        package,
        plan,
        submissions,
        settings,
        validator: &validator,
        static_validator: static_validator.as_ref(),
        grader: grader.as_ref(),
        site,
        ledger: ledger.as_ref(),
        gate: remeasure::ExclusiveGate::new(),
    };
    schedule::run(&run, report)
}

/// What programs of the package that judge may use.
pub fn jury_limits(settings: &Settings) -> sandbox::Limits {
    sandbox::Limits {
        cpu: settings.limits.validation_time,
        wall: settings.limits.validation_time * 2 + Duration::from_secs(1),
        memory_bytes: settings.limits.validation_memory_bytes,
        output_bytes: settings.limits.validation_output_bytes,
        until: settings.until,
    }
}

/// Says of which problems no verdict would mean anything yet.
pub fn refuse_what_cannot_be_judged(package: &Package) -> Result<(), JudgeError> {
    let Kind { submit_answer, .. } = package.kind;
    let words = Kind { submit_answer, ..Kind::default() }.words();
    if words.is_empty() {
        return Ok(());
    }
    Err(JudgeError::Package(format!(
        "the package {} is {}; this version of referee judges programs only",
        package.name,
        words.join(" and ")
    )))
}

/// What fails where there is no room for temporary files, in [`JudgeError::System`].
pub const MAKING_A_FOLDER: &str = "making a temporary folder";

/// The folder that holds everything of a run. Programs that run as another user pass through it, and cannot list it.
fn workspace() -> io::Result<Folder> {
    let above = std::env::temp_dir();
    stale_dirs::remove_once(&above);
    Folder::new_in(&above, &temporary::prefix(""), 0o711)
}
