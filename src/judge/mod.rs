//! One submission and one test case give one verdict; many of both give a run.
//!
//! The way of a submission: [`build`] gathers its [`sources`] ([`copy`]) and compiles them ([`compile`], or finds among
//! the [`products`] of earlier runs) into something [`ready`] to be run; programs of the package may do that by a
//! [`script`] of their own. [`schedule`] hands its cases to the cores, [`commit`] takes the results back in order,
//! [`case`] runs one case, in a [`workdir`] of its own if need be, and asks the [`validator`], [`classify`] turns what
//! the sandbox saw into a verdict where a limit or an exit code decides alone. No other module decides a verdict.
//! [`submission`] adds up the verdicts of the cases, and holds them to what the package declares. Before all that,
//! where a package states no time limit, [`time_limit`] measures its own submissions. Who wants to know what the
//! package's validators say of something else than a submission's output asks an [`examiner`], which has the validator
//! of outputs and the one of [`inputs`].

mod build;
mod case;
mod classify;
mod commit;
mod compile;
mod copy;
mod examiner;
mod excerpt;
mod folder;
mod in_place;
mod inputs;
mod products;
mod ready;
mod schedule;
mod script;
mod sources;
mod submission;
mod time_limit;
mod validator;
mod workdir;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use folder::Folder;
pub use products::Cache;
use ready::Site;

use crate::compare::Dialect;
use crate::event::{Event, RunFinished, RunStarted};
use crate::language::{Shebangs, Table};
use crate::package::{JurySubmission, Limits, Package, TestCase};
use crate::sandbox::{Enforcement, Mode};
use crate::verdict::{Expectation, Verdict};

pub use examiner::{InputExaminer, OutputExaminer, Ruling};
pub use inputs::{Unusable, Word};
pub use time_limit::{Measured, Reached, measure_time_limit, slowest_of_upper_bounds};

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
        };
        package.submissions.iter().map(one).collect()
    }
}

/// How to judge.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many programs run at a time.
    pub jobs: usize,
    /// CPU time per test case.
    pub time: Duration,
    /// The other limits.
    pub limits: Limits,
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
}

impl Settings {
    /// Time on the wall after which a program is ended although it used little CPU time. It is generous, so that a
    /// busy machine is not mistaken for a sleeping program.
    pub fn wall(&self) -> Duration {
        self.time * 3 + Duration::from_secs(2)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Submissions judged.
    pub submissions: usize,
    /// Submissions skipped because a tool is missing.
    pub skipped: usize,
    /// Of those, the ones that the user named: skipping them is not what was wanted.
    pub unjudged: usize,
    /// Cases run.
    pub cases_run: usize,
    /// Submissions that did not end as wanted.
    pub not_as_wanted: usize,
    /// Submissions on which the judge or the package failed.
    pub judge_errors: usize,
}

impl Summary {
    /// Whether everything ended as wanted.
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
    /// The user interrupted the judge.
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
    report(Event::RunStarted(RunStarted {
        package: package.name.clone(),
        jobs: settings.jobs,
        seed: None,
        sandbox: Some(Enforcement::of(settings.sandbox)),
        planned: cases.len() * submissions.len(),
        time_limit_seconds: Some(settings.time.as_secs_f64()),
    }));
    let summary = judge_all(package, cases, submissions, settings, report)?;
    report(Event::RunFinished(RunFinished {
        as_wanted: summary.as_wanted(),
        submissions: summary.submissions,
        skipped: summary.skipped,
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
    let workspace = workspace().map_err(|source| JudgeError::System { doing: "making a temporary folder", source })?;
    let elsewhere = ready::elsewhere(&package.root, cases);
    let site = Site { workspace: workspace.path(), package: &package.root, elsewhere: &elsewhere };
    let validator = validator::prepare(package, cases, settings, site)?;
    let whole = cases.len() == package.cases.len();
    let run = schedule::Run { package, cases, whole, submissions, settings, validator: &validator, site };
    schedule::run(&run, report)
}

/// Says of which problems no verdict would mean anything yet.
pub fn refuse_what_cannot_be_judged(package: &Package) -> Result<(), JudgeError> {
    let words = package.kind.words();
    if words.is_empty() {
        return Ok(());
    }
    Err(JudgeError::Package(format!(
        "the package {} is {}; this version of referee judges pass-fail problems of one run only",
        package.name,
        words.join(" and ")
    )))
}

/// The folder that holds everything of a run. Programs that run as another user pass through it, and cannot list it.
fn workspace() -> io::Result<Folder> {
    Folder::new_in(&std::env::temp_dir(), "referee-", 0o711)
}
