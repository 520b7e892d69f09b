//! The settings of the judge.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee_compare::Dialect;
use referee_event::{Partition, TimeLimit};
use referee_grading::points::Scheme;
use referee_language::{Shebangs, Table};
use referee_package::Limits;
use referee_sandbox::{self as sandbox, ExcessOutput, Mode};

/// The configuration of the sandbox: the prefix of the names of its control groups and helper processes, the
/// environment variable with which the user switches mechanisms off, and the command that prints an AppArmor profile.
pub const SANDBOX: sandbox::Config = sandbox::Config::new("referee")
    .without_from("REFEREE_SANDBOX_WITHOUT")
    .apparmor_profile_from("referee doctor --apparmor-profile");

use crate::activity::Activity;
use crate::cache::build_cache::Cache;
use crate::cache::environment::Scope;
use crate::cache::results::EarlierReport;
use crate::workspace::compiled::CompiledTogether;
use crate::workspace::prepared::SharedHeaders;

/// The test cases on which a submission is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunUntil {
    /// All test cases.
    #[default]
    End,
    /// The test cases that can still change the submission's verdict or score.
    Verdict,
    /// The test cases that can still change whether the submission gets the verdicts that the package declares for it.
    /// A submission without declared verdicts is run on all test cases.
    Declaration,
}

/// The programs that run with the substitute of their language, if the substitute's tools are installed. For example,
/// PyPy is the substitute of Python, because Kattis and DOMjudge run Python programs with PyPy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Substitutes {
    /// No programs.
    #[default]
    Never,
    /// Submissions, but not the package's other programs.
    OfSubmissions,
    /// All programs.
    Always,
}

/// The settings of the judge.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub struct Settings {
    /// Maximum number of programs that run at the same time.
    pub jobs: usize,
    /// The CPU time limit per test case, and the source of that limit.
    pub time_limit: TimeLimit,
    /// The limits other than the CPU time limit.
    pub limits: Limits,
    /// Total number of measurements of a run whose time is close to the time limit.
    pub repeat: NonZeroU32,
    /// The test cases on which a submission is run.
    pub run_until: RunUntil,
    /// Whether submissions may write files.
    pub file_writing: bool,
    /// The requested mode of the sandbox.
    pub sandbox: Mode,
    /// Whether the sandbox forks the programs of some interpreters from a warm process ([`Program::warm_until`]).
    ///
    /// [`Program::warm_until`]: referee_sandbox::Program::warm_until
    pub warm: bool,
    /// Whether the arguments of the default output validator may set a tolerance twice, as in old packages.
    pub legacy_arguments: bool,
    /// The judge whose rules apply where judges differ: in the default output validator, in test groups, in the limits
    /// on wall time, and in the verdict on submissions that exceed the memory limit.
    pub dialect: Dialect,
    /// The path of the user's testlib.h, for checkers without a header of their own; `None` if the user
    /// supplied none.
    pub testlib: Option<PathBuf>,
    /// The folder to which the feedback files of output validators are copied; `None` if they are not stored.
    pub feedback: Option<PathBuf>,
    /// The table of known languages.
    pub languages: Arc<Table>,
    /// Whether the `#!` line of a source decides its language.
    pub shebangs: Shebangs,
    /// The programs that run with the substitute of their language ([`referee_language::Language::substitute`]).
    pub substitutes: Substitutes,
    /// The cache of compiled programs and results; `None` if nothing is cached.
    pub cache: Option<Arc<Cache>>,
    /// Whether every test case is run, even if its result is cached.
    pub anew: bool,
    /// The report of an interrupted run; `None` if this run does not continue one. A result in the report is used if
    /// its key is still the same.
    pub earlier: Option<Arc<dyn EarlierReport>>,
    /// Whether reports contain the keys of results, so that a later run can use them.
    pub keyed: bool,
    /// How submissions get points; `None` if they get none.
    pub points: Option<Arc<Scheme>>,
    /// The digest of the judge's own code, which is a part of every key. If it is `None`, results have no key and are
    /// not cached.
    pub build: Option<&'static str>,
    /// The part of the submissions that this run judges; `None` for all.
    pub partition: Option<Partition>,
    /// The time at which every compiler and program is stopped without a verdict; `None` if never. The call that
    /// runs the program then fails with [`JudgeError::Interrupted`](crate::JudgeError::Interrupted).
    pub until: Option<Instant>,
    /// The precompiled headers for all `#include` lines with which a program begins. `None` if only the headers that
    /// the table of languages names are precompiled. They are worth making if many programs begin with the same lines,
    /// as mutants do.
    pub shared_headers: Option<Arc<SharedHeaders>>,
    /// The programs that were compiled together with others. They need not be compiled again.
    pub compiled: Arc<CompiledTogether>,
    /// The wall limit of a run of a submission; `None` for the rule of the dialect. See [`Settings::wall`].
    pub run_wall: Option<Duration>,
    /// Whether a program that exceeds the memory limit gets that verdict even if the dialect has no such verdict.
    pub has_memory_verdict: bool,
    /// The number of bytes of each stream of a submission that its results contain
    /// ([`CaseResult::written`](crate::CaseResult::written)); `None` if they contain only excerpts.
    pub written_bytes: Option<usize>,
    /// Maximum number of processes and threads of a submission at the same time.
    pub processes: u64,
    /// Whether all programs stay on the cores on which the judge runs ([`Program::keeps_cores`]).
    ///
    /// [`Program::keeps_cores`]: referee_sandbox::Program::keeps_cores
    pub keeps_cores: bool,
    /// The list of current activities, for progress displays.
    pub activity: Arc<Activity>,
}

impl Settings {
    /// Returns the simplest settings: one program at a time, all test cases, no cache and no additional files.
    pub fn new(time: Duration, limits: Limits, languages: Arc<Table>) -> Settings {
        Settings {
            jobs: 1,
            time_limit: TimeLimit::Stated(time),
            limits,
            repeat: NonZeroU32::MIN,
            run_until: RunUntil::End,
            file_writing: false,
            sandbox: Mode::default(),
            warm: false,
            legacy_arguments: false,
            dialect: Dialect::default(),
            testlib: None,
            feedback: None,
            languages,
            shebangs: Shebangs::Ignored,
            substitutes: Substitutes::Never,
            cache: None,
            anew: false,
            earlier: None,
            keyed: false,
            points: None,
            build: None,
            partition: None,
            until: None,
            shared_headers: None,
            compiled: Arc::default(),
            run_wall: None,
            has_memory_verdict: false,
            written_bytes: None,
            processes: sandbox::MAX_PROCESSES,
            keeps_cores: false,
            activity: Arc::default(),
        }
    }

    /// Returns the CPU time limit per test case.
    pub fn time(&self) -> Duration {
        self.time_limit.duration()
    }

    /// Returns the wall limit, after which a program is ended even if it used little CPU time. Time in which the
    /// program waited for a core does not count. DOMjudge's wall limit exceeds the time limit by 1 s or by a tenth of
    /// the time limit, whichever is more. On DOMjudge, the time limit itself also applies to the wall time
    /// ([`Settings::wall_counts_as_time`]).
    pub fn wall(&self) -> Duration {
        if let Some(limit) = self.run_wall {
            return limit;
        }
        match self.dialect {
            Dialect::Spec | Dialect::Kattis => wall_limit(self.time()),
            Dialect::Domjudge => self.time() + (self.time() / 10).max(Duration::from_secs(1)),
        }
    }

    /// Returns what happens to output beyond the limit. On Kattis and DOMjudge, the program continues and may then
    /// exceed the time limit. For both dialects, the judge discards the rest of the output, as DOMjudge does.
    pub(crate) fn excess_output(&self) -> ExcessOutput {
        match self.dialect {
            Dialect::Spec => ExcessOutput::EndsTheRun,
            Dialect::Kattis | Dialect::Domjudge => ExcessOutput::IsLost,
        }
    }

    /// Whether the time limit applies to the wall time, too, as on DOMjudge.
    pub(crate) fn wall_counts_as_time(&self) -> bool {
        self.dialect == Dialect::Domjudge
    }

    /// The limits of one run of a submission. The CPU time limit is multiplied by `cpu_factor`.
    pub(crate) fn submission_limits(&self, cpu_factor: f64) -> sandbox::Limits {
        sandbox::Limits {
            cpu: self.time().mul_f64(cpu_factor),
            wall: self.wall(),
            memory_bytes: self.limits.memory_bytes,
            output_bytes: self.limits.output_bytes,
            until: self.until,
        }
    }

    /// The number of programs that the workers may build ahead of the submission whose results are awaited.
    pub(crate) fn builds_ahead(&self) -> usize {
        BUILDS_AHEAD * self.jobs
    }

    /// The maximum number of built submissions that exist at the same time: the submission whose results are awaited,
    /// and those that are built ahead.
    pub(crate) fn programs_at_once(&self) -> usize {
        self.builds_ahead() + 1
    }

    /// Returns the settings under which the time limit is measured.
    pub(crate) fn for_measuring(&self) -> Settings {
        let time_limit = TimeLimit::Provisional(LONGEST_MEASURED);
        Settings { time_limit, run_until: RunUntil::End, repeat: NonZeroU32::MIN, ..self.clone() }
    }

    /// Returns settings for building programs that no cache stores, and that therefore need no keys.
    pub(crate) fn without_cache(&self) -> Settings {
        Settings { cache: None, keyed: false, earlier: None, ..self.clone() }
    }

    /// Whether results need keys.
    pub(crate) fn needs_keys(&self) -> bool {
        self.keyed || self.earlier.is_some() || self.cache.is_some()
    }

    /// The machines whose results and compiled programs have the same keys.
    pub(crate) fn scope(&self) -> Scope {
        if self.cache.as_ref().is_some_and(|cache| cache.is_shared()) { Scope::SameKind } else { Scope::ThisMachine }
    }

    /// Whether this run judges the submission with this index.
    pub(crate) fn judges(&self, index: usize) -> bool {
        self.partition.is_none_or(|part| part.contains(index))
    }
}

/// Maximum CPU time of a submission on a test case while the time limit is measured.
pub(crate) const LONGEST_MEASURED: Duration = Duration::from_secs(60);

/// The number of programs that the workers may build ahead for each job. It is small, because each built program needs
/// a folder on disk.
const BUILDS_AHEAD: usize = 2;

/// Returns the wall limit of a program whose CPU time limit is `time`, under the rules of the package format and of
/// Kattis. See [`Settings::wall`] for the rule of DOMjudge.
pub fn wall_limit(time: Duration) -> Duration {
    time * 3 + Duration::from_secs(2)
}

/// Returns the limits of the package's validators and graders.
pub fn jury_limits(settings: &Settings) -> sandbox::Limits {
    sandbox::Limits {
        cpu: settings.limits.validation_time,
        wall: settings.limits.validation_time * 2 + Duration::from_secs(1),
        memory_bytes: settings.limits.validation_memory_bytes,
        output_bytes: settings.limits.validation_output_bytes,
        until: settings.until,
    }
}
