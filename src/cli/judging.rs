//! Arguments of the subcommands that judge, and the judge's settings for these arguments and a package.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::Failure;
use super::archive_root::ArchiveArguments;
use super::choices::{dialect, sandbox_mode};
use super::common::JobArguments;
use super::languages::LanguageArguments;
use super::measured_limit;
use super::numbers::{seconds, whole_number_in};
use super::open::{self, Opened, Unopened};
use super::open_files;
use super::process_limits;
use super::sandbox_memory;
use super::shared_cache::SharedCacheArguments;
use referee_compare::Dialect;
use referee_event::{Measuring, TimeLimit};
use referee_files::regular;
use referee_files::trusted::Refused;
use referee_judge::{self as judge, Cache, RunUntil, Settings, Substitutes};
use referee_language::{CommandsOf, Shebangs, Table};
use referee_package::{Extent, Limits, Package, Version};
use referee_sandbox::{self as sandbox, Enforcement, Mode, Overall};
use referee_shared_cache::SharedCache;

/// The options for judging.
#[derive(Debug, Args)]
pub(super) struct JudgingArguments {
    /// CPU time per test case [default: the package's, or measured with its submissions]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,

    /// Memory limit [default: the package's]
    #[arg(long, value_name = "MIB", value_parser = whole_number_in(1..=1_u64 << 24), allow_negative_numbers = true)]
    memory: Option<u64>,

    /// How strictly to isolate programs
    #[arg(long, value_parser = sandbox_mode(), value_name = "MODE", default_value = "auto")]
    sandbox: Mode,

    /// Judge as another judge does, where it differs from the format: default output validator, commands, limits
    #[arg(long = "as", value_parser = dialect(), value_name = "JUDGE", default_value = "spec")]
    dialect: Dialect,

    /// The path of testlib.h, for output validators that need it and do not contain it
    #[arg(long, value_name = "FILE", env = "REFEREE_TESTLIB")]
    testlib: Option<PathBuf>,

    /// Compile and run everything again; neither read nor write the cache of results and compiled programs
    #[arg(long)]
    no_cache: bool,

    #[command(flatten)]
    shared_cache: SharedCacheArguments,

    #[command(flatten)]
    pub(super) archive: ArchiveArguments,

    #[command(flatten)]
    languages: LanguageArguments,

    #[command(flatten)]
    jobs: JobArguments,
}

/// The settings for a package.
pub(super) struct Judging {
    pub(super) settings: Settings,
}

/// The source of the time limit if neither the package nor the user states one.
pub(super) enum TimeLimitFallback<'a> {
    /// This function returns the limit that the resumed run measured. It returns `None` if no run is resumed, or if
    /// that limit is outdated. In these two cases, the judge takes the limit from the cache. If the cache has none
    /// either, the judge measures the limit with the jury submissions.
    Measured(&'a dyn Fn(&Settings) -> Option<Duration>),
    /// The judge takes the measured limit from the cache. If the cache has none, the limit is provisional, because
    /// running all jury submissions takes too long if only one program is judged.
    Remembered,
}

/// DOMjudge's time limit for a package that states none (`ImportProblemService.php`).
const DOMJUDGE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// The memory limit that problemtools uses if the package states none (`problemtools/config/problem.yaml`).
const KATTIS_MEMORY_BYTES: u64 = 1 << 30;

impl JudgingArguments {
    /// Opens the package that the user named, as the judge of `--as` reads it.
    pub(super) fn open(&self, package: &Path, extent: Extent) -> Result<Opened, Failure> {
        open::open_for(self.dialect, package, self.archive.open()?.as_ref(), extent)
    }

    /// Opens a package like [`JudgingArguments::open`]. If the package has errors, the inner error contains them.
    pub(super) fn try_open(&self, package: &Path) -> Result<Result<Opened, Unopened>, Failure> {
        Ok(open::try_open_for(self.dialect, package, self.archive.open()?.as_ref()))
    }

    /// Returns the settings for a package. If neither the user nor the package states a time limit, `fallback`
    /// determines it. Fails if the package cannot be judged.
    pub(super) fn with_time_limit(
        &self,
        package: &Package,
        languages: Arc<Table>,
        run_until: RunUntil,
        is_verbose: bool,
        fallback: &TimeLimitFallback<'_>,
    ) -> Result<Judging, Failure> {
        judge::refuse_unsupported(package).map_err(Failure::unusable)?;
        let (mut settings, stated) = self.settings(package, languages, run_until, is_verbose)?;
        if stated.is_none() {
            settings.time_limit = match fallback {
                TimeLimitFallback::Measured(earlier) => match earlier(&settings) {
                    Some(limit) => TimeLimit::Measured { limit, cost: Measuring::default() },
                    None => measured_limit::measured(package, &settings)?,
                },
                TimeLimitFallback::Remembered => measured_limit::remembered(package, &settings)?,
            };
        }
        Ok(Judging { settings })
    }

    /// Returns the settings for a package, and the time limit that the user or the package states; the time limit is
    /// `None` if neither states one. Fails if the sandbox is not as strict as required, if testlib.h does not exist, or
    /// if too few files can be open at the same time.
    pub(super) fn settings(
        &self,
        package: &Package,
        languages: Arc<Table>,
        run_until: RunUntil,
        is_verbose: bool,
    ) -> Result<(Settings, Option<Duration>), Failure> {
        check_sandbox(self.sandbox)?;
        if let Some(header) = &self.testlib
            && let Err(error) = regular::open(header)
        {
            let reason = match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                _ => error.to_string(),
            };
            return Err(Failure::unusable(format!("--testlib {}: {reason}", header.display()))
                .with_hint("name the file testlib.h itself"));
        }
        open_files::allow_for(self.jobs.count())?;
        process_limits::allow_for(self.jobs.count())?;
        self.jobs.warn_of_too_many();
        let stated = self.time_limit.or(package.limits.time).or_else(|| self.default_time_limit(package));
        let limits = self.limits(package);
        warn_of_memory(limits.memory_bytes);
        let settings = Settings {
            jobs: self.jobs.count(),
            run_until,
            file_writing: package.file_writing,
            sandbox: self.sandbox,
            substitutes: self.substitutes(package),
            shebangs: JudgingArguments::shebangs(package),
            cache: open_cache(self.no_cache, is_verbose, self.shared_cache.open(self.sandbox)?.as_ref()),
            legacy_arguments: package.version.is_legacy(),
            dialect: self.dialect,
            testlib: self.testlib.clone(),
            build: Some(env!("REFEREE_BUILD")),
            ..Settings::new(stated.unwrap_or_default(), limits, languages)
        };
        Ok((settings, stated))
    }

    /// Returns the time limit that DOMjudge uses for a package that states none. Returns `None` unless `--as domjudge`
    /// is given.
    fn default_time_limit(&self, package: &Package) -> Option<Duration> {
        (self.dialect == Dialect::Domjudge).then(|| {
            super::eprint_line(format_args!(
                "{} states no time limit; using {} s, as DOMjudge does; use --time-limit to set another",
                package.name,
                DOMJUDGE_TIME_LIMIT.as_secs()
            ));
            DOMJUDGE_TIME_LIMIT
        })
    }

    /// Returns which Python programs run with PyPy, the Python interpreter of Kattis and DOMjudge. With `--as kattis`
    /// or `--as domjudge`, all of them run with PyPy. Without these options, only submissions of packages in the older
    /// formats run with PyPy, because those packages were made for these two judges.
    fn substitutes(&self, package: &Package) -> Substitutes {
        match self.dialect {
            Dialect::Kattis | Dialect::Domjudge => Substitutes::Always,
            Dialect::Spec if package.version <= Version::V2023_07 => Substitutes::OfSubmissions,
            Dialect::Spec => Substitutes::Never,
        }
    }

    /// Returns whether the first line of a source may decide its language. In legacy packages, it distinguishes Python 2
    /// from Python 3.
    pub(super) fn shebangs(package: &Package) -> Shebangs {
        if package.version.is_legacy() { Shebangs::Considered } else { Shebangs::Ignored }
    }

    /// Returns the time limit that the user, the package or the judge of `--as` states; `None` if none of them does, so
    /// that the judge measures the limit or uses a provisional one.
    pub(super) fn stated_time_limit(&self, package: &Package) -> Option<Duration> {
        let of_judge = (self.dialect == Dialect::Domjudge).then_some(DOMJUDGE_TIME_LIMIT);
        self.time_limit.or(package.limits.time).or(of_judge)
    }

    /// Returns the memory limit of the submissions, in bytes.
    pub(super) fn memory_bytes(&self, package: &Package) -> u64 {
        self.limits(package).memory_bytes
    }

    /// Returns the limits of the package, with those of the user and of the judge of `--as`.
    fn limits(&self, package: &Package) -> Limits {
        let mut limits = package.limits;
        if self.dialect == Dialect::Kattis {
            limits = limits.with_default_memory(KATTIS_MEMORY_BYTES);
        }
        if let Some(mib) = self.memory {
            limits.memory_bytes = mib << 20;
        }
        limits
    }

    /// Warns if the run could not use the shared cache.
    pub(super) fn warn_of_shared_cache(&self) {
        self.shared_cache.warn_of_trouble();
    }

    /// Returns the number of programs that run at the same time.
    pub(super) fn jobs(&self) -> usize {
        self.jobs.count()
    }

    /// Returns the value of `--as`.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Returns the value of `--sandbox`.
    pub(super) fn sandbox(&self) -> Mode {
        self.sandbox
    }

    /// Returns the known languages. Fails if a file of languages is invalid.
    pub(super) fn languages(&self) -> Result<Arc<Table>, Failure> {
        let judge = match self.dialect {
            Dialect::Spec => None,
            Dialect::Kattis => Some(CommandsOf::Kattis),
            Dialect::Domjudge => Some(CommandsOf::Domjudge),
        };
        self.languages.load_like(judge).map(Arc::new)
    }
}

/// Opens the cache. Returns `None` if `--no-cache` is given or the cache cannot be opened. If another user could change
/// the cache, a warning gives the reason; with `-v`, or if other machines should share the cache, a note gives any other
/// reason.
pub(super) fn open_cache(no_cache: bool, is_verbose: bool, shared: Option<&Arc<SharedCache>>) -> Option<Arc<Cache>> {
    if no_cache {
        return None;
    }
    let print_reason = |refused: &Refused| match refused {
        Refused::Untrusted(reason) => super::warn(&format!("nothing is cached: {reason}")),
        Refused::Unusable(reason) if is_verbose || shared.is_some() => {
            super::eprint_line(format_args!("nothing is cached: {reason}"));
        }
        Refused::Unusable(_) => {}
    };
    let opened = match shared {
        Some(shared) => Cache::of_user_shared(Arc::clone(shared)),
        None => Cache::of_user(),
    };
    let cache = opened.inspect_err(print_reason).ok()?;
    if let Some(reason) = cache.untrusted_results() {
        super::warn(&format!("results are not cached: {reason}"));
    }
    Some(Arc::new(cache))
}

/// Fails if `--sandbox strict` is given and a part of the sandbox is not enforced. Tests the machine, unless an earlier
/// run found everything enforced ([`sandbox_memory`]).
pub(super) fn check_sandbox(mode: Mode) -> Result<(), Failure> {
    sandbox_memory::use_for(mode);
    let enforcement = Enforcement::of(mode);
    if mode != Mode::Strict || enforcement.overall == Overall::Full {
        return Ok(());
    }
    let missing = enforcement.missing().join(", ");
    let message = format!("--sandbox strict: not fully enforced on this machine: {missing}");
    let first = enforcement.parts.values().find_map(|part| part.remedy.as_ref());
    let remedy = first.map(|remedy| format!("{remedy}\n")).unwrap_or_default();
    Err(Failure::unusable(message).with_hint(format!(
        "{remedy}run `referee doctor` for details, or use --sandbox auto to continue with partial isolation"
    )))
}

/// Warns if the limit exceeds the memory of the machine, because a program may then fail below its limit.
fn warn_of_memory(limit_bytes: u64) {
    let machine_bytes = sandbox::machine_memory_bytes();
    if limit_bytes > machine_bytes {
        let text = format!(
            "the memory limit of {} MiB is more than the {} MiB of this machine; programs cannot use all of it",
            limit_bytes >> 20,
            machine_bytes >> 20
        );
        super::warn(&text);
    }
}

impl Judging {
    /// With `-v`, prints why results could not be stored in the cache.
    pub(super) fn note_uncached_results(&self, is_verbose: bool) {
        let trouble = self.settings.cache.as_ref().and_then(|cache| cache.trouble_with_results());
        if let Some(reason) = trouble.filter(|_| is_verbose) {
            super::eprint_line(format_args!("results are not cached: {reason}"));
        }
    }

    /// Returns the first line of a report: the package, the number of cases, and the time limit.
    pub(super) fn heading(&self, package: &Package, cases: usize) -> String {
        let from = match self.settings.time_limit {
            TimeLimit::Stated(_) => "",
            TimeLimit::Measured { .. } => ", measured",
            TimeLimit::Provisional(_) => ", provisional",
        };
        heading(package, cases, self.settings.time(), from, self.settings.dialect)
    }
}

/// Returns the first line of a report. `from` says where the time limit is from; it is empty if the limit is stated.
pub(super) fn heading(package: &Package, cases: usize, limit: Duration, from: &str, dialect: Dialect) -> String {
    let (plural, seconds) = (if cases == 1 { "" } else { "s" }, limit.as_secs_f64());
    let title = if package.title.is_empty() { &package.name } else { &package.title };
    let judge = match dialect {
        Dialect::Spec => "",
        Dialect::Kattis => ", as Kattis",
        Dialect::Domjudge => ", as DOMjudge",
    };
    format!("{title} ({}): {cases} case{plural}, time limit {seconds} s{from}{judge}", package.name)
}
