//! How to judge.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use referee_compare::Dialect;
use referee_event::{Partition, TimeLimit};
use referee_language::{Shebangs, Table};
use referee_package::Limits;
use referee_sandbox::{self as sandbox, Mode};

/// The names that the sandbox uses, and the environment variable with which a user leaves out mechanisms of it.
pub const SANDBOX: sandbox::Config = sandbox::Config::new("referee").without_from("REFEREE_SANDBOX_WITHOUT");

use crate::activity::Activity;
use crate::cache::build_cache::Cache;
use crate::cache::results::Earlier;

/// How to judge.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "choices that go together in every way")]
pub struct Settings {
    /// How many programs run at a time.
    pub jobs: usize,
    /// CPU time per test case, and where that limit comes from.
    pub time_limit: TimeLimit,
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
    /// it ends as [`JudgeError::Interrupted`](crate::JudgeError::Interrupted).
    pub until: Option<Instant>,
    /// Where it is told what is done at the moment.
    pub activity: Arc<Activity>,
}

impl Settings {
    /// Those that say no more than they must: one program at a time on all cases, nothing remembered or told beside.
    pub fn new(time: Duration, limits: Limits, languages: Arc<Table>) -> Settings {
        Settings {
            jobs: 1,
            time_limit: TimeLimit::Stated(time),
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

    /// CPU time per test case.
    pub fn time(&self) -> Duration {
        self.time_limit.duration()
    }

    /// Wall time after which a program is ended although it used little CPU time. Time in which the program waited for
    /// a core does not count.
    pub fn wall(&self) -> Duration {
        wall_limit(self.time())
    }

    /// Whether it must be known what results are of.
    pub(crate) fn needs_keys(&self) -> bool {
        self.keyed || self.earlier.is_some() || self.cache.is_some()
    }

    /// Whether the submission of this index is among those that are graded.
    pub(crate) fn judges(&self, index: usize) -> bool {
        self.partition.is_none_or(|part| part.holds(index))
    }
}

/// The limit of wall time that goes with a time limit.
pub fn wall_limit(time: Duration) -> Duration {
    time * 3 + Duration::from_secs(2)
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
