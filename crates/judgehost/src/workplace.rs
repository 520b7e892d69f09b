//! The files, scripts and settings that the jobs of a judgehost use.

use std::path::PathBuf;

use referee_compare::{Dialect, Options};
use referee_files::temporary;
use referee_judge::{Settings, Trials};
use serde::de::DeserializeOwned;

use crate::api::{Api, ApiError, Blame};
use crate::choices::{Choices, Script};
use crate::compile::{Compiled, Source};
use crate::defaults::Role;
use crate::executable;
use crate::files::{self, FileCache, FilesError};
use crate::packages::Packages;
use crate::past_jobs::PastJobs;
use crate::problem::{JudgingOptions, Problem, Validation};
use crate::tasks::{CompareConfig, CompileConfig, FileContent, Id, RunConfig, ScriptLimits, ServerConfig, Task};
use crate::trouble::{Trouble, preparing};

/// What all jobs of a judgehost have in common.
pub(crate) struct Workplace<'w> {
    pub(crate) api: &'w Api<'w>,
    pub(crate) cache: &'w FileCache,
    pub(crate) settings: &'w Settings,
    /// The tasks of the last judgings.
    pub(crate) past: &'w PastJobs,
    pub(crate) packages: &'w Packages,
    pub(crate) choices: &'w Choices,
    pub(crate) options: JudgingOptions,
}

/// The configuration of a judging, which all its tasks share.
pub(crate) struct Configuration {
    pub(crate) compile: CompileConfig,
    pub(crate) run: RunConfig,
    pub(crate) compare: CompareConfig,
    pub(crate) server: ServerConfig,
}

impl Configuration {
    /// Returns what the configuration says about the problem.
    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem { compile: &self.compile, run: &self.run, compare: &self.compare, server: &self.server }
    }

    /// Reads the configuration of a task, and asks for the server's. Fails if the task's cannot be read, or if it has
    /// limits under which no program could run.
    pub(crate) fn of(task: &Task, api: &Api<'_>) -> Result<Configuration, Trouble> {
        let run: RunConfig = parsed("run_config", task.run_config.as_deref())?;
        let configuration = Configuration {
            compile: parsed("compile_config", task.compile_config.as_deref())?,
            compare: parsed("compare_config", task.compare_config.as_deref())?,
            server: api.config()?,
            run,
        };
        configuration.check_limits().map_err(Trouble::OfJob)?;
        Ok(configuration)
    }

    /// Fails if a limit is not positive. The team's program or the compiler would be blamed for it.
    fn check_limits(&self) -> Result<(), String> {
        let limits = [
            ("run_config", "time_limit", self.run.time_limit, "seconds"),
            ("run_config", "memory_limit", self.run.memory_limit, "KiB"),
            ("run_config", "output_limit", self.run.output_limit, "KiB"),
            ("compile_config", "script_timelimit", self.compile.limits.seconds, "seconds"),
            ("compile_config", "script_memory_limit", self.compile.limits.memory_kib, "KiB"),
            ("compare_config", "script_timelimit", self.compare.limits.seconds, "seconds"),
            ("compare_config", "script_memory_limit", self.compare.limits.memory_kib, "KiB"),
        ];
        match limits.into_iter().find(|(_, _, value, _)| *value <= 0.0) {
            Some((part, name, value, unit)) => Err(format!(
                "the server sent {part}.{name} = {value} {unit}{}, expected more than 0; correct the limit in the problem or \
                 in the server's configuration, and rejudge the submission",
                // A limit that is missing is read as 0.
                if value == 0.0 { " or left it out" } else { "" }
            )),
            None => Ok(()),
        }
    }
}

impl Workplace<'_> {
    /// Fails if the disk has less free space than the server demands. Removes entries of the cache before that.
    pub(crate) fn check_disk(&self, server: &ServerConfig) -> Result<(), Trouble> {
        let needed = executable::kib(server.diskspace_error);
        let free = self.cache.make_room(needed);
        let temporary = files::free_bytes(&temporary::parent());
        let Some(least) = free.into_iter().chain(temporary).min().filter(|least| *least < needed) else {
            return Ok(());
        };
        let description = format!(
            "low on disk space: {} MiB are free, the server's diskspace_error demands {} MiB",
            least >> 20,
            needed >> 20
        );
        Err(Trouble::Internal { blame: Blame::Host, description })
    }

    /// Returns the output validator: the judge's own comparison, the compare script, or the jury's program of an
    /// interactive problem.
    pub(crate) fn validation(&self, task: &Task, configuration: &Configuration) -> Result<Validation, Trouble> {
        let (run, compare) = (&configuration.run, &configuration.compare);
        if compare.combined_run_compare {
            let id = task.run_script_id.clone().unwrap_or_default();
            return self.script("run", &id, &run.hash, compare.limits).map(Validation::Script);
        }
        let id = task.compare_script_id.clone().unwrap_or_default();
        let arguments: Vec<_> = compare.compare_args.as_deref().unwrap_or_default().split_whitespace().collect();
        // The script refuses arguments that it does not know, and then the server must hear of it.
        let fits = |_: &str| {
            !configuration.problem().is_multi_pass() && Options::parse_legacy(&arguments, Dialect::Domjudge).is_ok()
        };
        let script = Script { role: Role::Compare, id: id.clone(), hash: &compare.hash };
        if self.choices.replaces(self.api, &script, fits) {
            return Ok(Validation::Default);
        }
        self.script("compare", &id, &compare.hash, compare.limits).map(Validation::Script)
    }

    /// Returns the folder of the run script; `None` if it only redirects the streams of the submission, or if the
    /// problem is interactive and the script is the jury's program.
    fn runner(&self, task: &Task, configuration: &Configuration) -> Result<Option<PathBuf>, Trouble> {
        if configuration.compare.combined_run_compare {
            return Ok(None);
        }
        let id = task.run_script_id.clone().unwrap_or_default();
        let hash = &configuration.run.hash;
        if self.choices.replaces(self.api, &Script { role: Role::Run, id: id.clone(), hash }, |_| true) {
            return Ok(None);
        }
        self.script("run", &id, hash, configuration.compare.limits).map(Some)
    }

    /// Compiles the submission of `task`, which has these sources.
    pub(crate) fn compiled(
        &self,
        task: &Task,
        sources: Vec<FileContent>,
        trials: &Trials<'_>,
        settings: &Settings,
        configuration: &Configuration,
    ) -> Result<Compiled, Trouble> {
        let folder = temporary::folder("judgehost").map_err(preparing)?;
        let files = files::write_sources(folder.path(), sources)
            .map_err(|error| Trouble::OfJob(format!("the sources cannot be used: {error}")))?;
        let (id, hash) = (task.compile_script_id.clone().unwrap_or_default(), &configuration.compile.hash);
        let runner = self.runner(task, configuration)?;
        let source = Source {
            name: &task.submitid.clone().unwrap_or_default().0,
            folder: folder.path(),
            files: &files,
            compile: &configuration.compile,
            run: &configuration.run,
            script: id.clone(),
            runner: runner.as_deref(),
        };
        if let Some(failed) = source.without_sources() {
            return Ok(failed);
        }
        let script = Script { role: Role::Compile, id: id.clone(), hash };
        if self.choices.replaces(self.api, &script, |name| source.fits_own_language(name, settings)) {
            return source.with_own_language(trials, settings);
        }
        let folder = self.script("compile", &id, hash, configuration.compile.limits)?;
        source.with_script(&folder, trials, settings)
    }

    /// Returns the folder of a script, with an executable `run`.
    pub(crate) fn script(&self, kind: &str, id: &Id, hash: &str, limits: ScriptLimits) -> Result<PathBuf, Trouble> {
        let folder = self.files_of_script(kind, id, hash)?;
        let name = if hash.is_empty() { format!("{kind}-{id}") } else { hash.to_owned() };
        let built = executable::runnable(&folder, &name, limits, self.cache, self.settings);
        built.map_err(|error| Trouble::of_script(error, blame(kind, id)))
    }

    fn files_of_script(&self, kind: &str, id: &Id, hash: &str) -> Result<PathBuf, Trouble> {
        let found = self.cache.script(kind, &id.0, hash, || self.api.files(kind, id).map_err(Fetching::from));
        found.map_err(|error| error.trouble(blame(kind, id)))
    }

    /// Returns the folder of a test case.
    pub(crate) fn test_case(&self, task: &Task) -> Result<PathBuf, Trouble> {
        let id = task.testcase_id.clone().unwrap_or_default();
        let hash = task.testcase_hash.clone().unwrap_or_default();
        let found = self.cache.test_case(&id.0, &hash, || self.api.files("testcase", &id).map_err(Fetching::from));
        found.map_err(|error| error.trouble(Blame::TestCase(id.clone())))
    }
}

/// The reason why files cannot be fetched.
enum Fetching {
    Api(ApiError),
    Files(FilesError),
}

impl Fetching {
    fn trouble(self, blame: Blame) -> Trouble {
        match self {
            Fetching::Api(error) => Trouble::of_refusal(error, blame),
            Fetching::Files(FilesError::Unusable(description)) => Trouble::Internal { blame, description },
            Fetching::Files(error) => Trouble::from(error),
        }
    }
}

impl From<ApiError> for Fetching {
    fn from(error: ApiError) -> Fetching {
        Fetching::Api(error)
    }
}

impl From<FilesError> for Fetching {
    fn from(error: FilesError) -> Fetching {
        Fetching::Files(error)
    }
}

fn blame(kind: &str, id: &Id) -> Blame {
    let script = match kind {
        "compile" => "compile_script",
        "run" | "debug" => "run_script",
        _ => "compare_script",
    };
    Blame::Script(script, id.clone())
}

fn parsed<T: DeserializeOwned>(name: &str, text: Option<&str>) -> Result<T, Trouble> {
    serde_json::from_str(text.unwrap_or("{}"))
        .map_err(|error| Trouble::OfJob(format!("the server sent a {name} that cannot be read: {error}")))
}
