//! The files, scripts and settings that the jobs of a judgehost use.

use std::path::PathBuf;

use referee_files::temporary;
use referee_judge::{JudgeError, Settings, Trials};
use serde::de::DeserializeOwned;

use crate::api::{Api, ApiError, Blame};
use crate::compile::{Compiled, Source, Toolchain};
use crate::executable::{self, ScriptLimits};
use crate::files::{self, FileCache, FilesError};
use crate::past_jobs::PastJobs;
use crate::problem::{JudgingOptions, Problem};
use crate::tasks::{CompareConfig, CompileConfig, Id, RunConfig, ServerConfig, Task};
use crate::trouble::Trouble;

/// What all jobs of a judgehost have in common.
pub(crate) struct Workplace<'w> {
    pub(crate) api: &'w Api<'w>,
    pub(crate) cache: &'w FileCache,
    pub(crate) settings: &'w Settings,
    /// The tasks of the last judgings.
    pub(crate) past: &'w PastJobs,
    pub(crate) toolchain: Toolchain,
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

    /// Reads the configuration of a task, and asks for the server's. Fails if the task's cannot be read.
    pub(crate) fn of(task: &Task, api: &Api<'_>) -> Result<Configuration, Trouble> {
        Ok(Configuration {
            compile: parsed(task.compile_config.as_deref())?,
            run: parsed(task.run_config.as_deref())?,
            compare: parsed(task.compare_config.as_deref())?,
            server: api.config()?,
        })
    }
}

impl Workplace<'_> {
    /// Fails if the disk has less free space than the server demands. Removes entries of the cache before that.
    pub(crate) fn check_disk(&self, server: &ServerConfig) -> Result<(), Trouble> {
        let needed = executable::kib(server.diskspace_error);
        let free = self.cache.make_room(needed);
        let temporary = files::free_bytes(&std::env::temp_dir());
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

    /// Returns the folder of the output validator: the compare script, or the jury's program of an interactive problem.
    pub(crate) fn validator(&self, task: &Task, configuration: &Configuration) -> Result<PathBuf, Trouble> {
        let (run, compare) = (&configuration.run, &configuration.compare);
        let run_script = task.run_script_id.clone().unwrap_or_default();
        if compare.combined_run_compare {
            return self.script("run", &run_script, &run.hash, compare.limits());
        }
        let folder = self.files_of_script("run", &run_script, &run.hash)?;
        if !executable::only_redirects(&folder, &run.hash) {
            let description = "a run script that does more than to redirect input and output is not supported";
            return Err(Trouble::Internal {
                blame: Blame::Script("run_script", run_script),
                description: description.to_owned(),
            });
        }
        self.script("compare", &task.compare_script_id.clone().unwrap_or_default(), &compare.hash, compare.limits())
    }

    /// Compiles the submission of `task`.
    pub(crate) fn compiled(
        &self,
        task: &Task,
        trials: &Trials<'_>,
        settings: &Settings,
        configuration: &Configuration,
    ) -> Result<Compiled, Trouble> {
        let folder = temporary::folder("judgehost")
            .map_err(|source| JudgeError::System { doing: "preparing a compilation", source })?;
        let files = files::write_sources(folder.path(), self.api.sources(task)?)
            .map_err(|error| Trouble::Drop(format!("the sources cannot be used: {error}")))?;
        let script = task.compile_script_id.clone().unwrap_or_default();
        let source = Source {
            name: &task.submitid.clone().unwrap_or_default().0,
            folder: folder.path(),
            files: &files,
            compile: &configuration.compile,
            run: &configuration.run,
            script: script.clone(),
        };
        source.compile(self.toolchain, trials, settings, || {
            self.script("compile", &script, &configuration.compile.hash, configuration.compile.limits())
        })
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

impl CompareConfig {
    pub(crate) fn limits(&self) -> ScriptLimits {
        ScriptLimits {
            seconds: self.script_timelimit,
            memory_kib: self.script_memory_limit,
            files_kib: self.script_filesize_limit,
        }
    }
}

impl CompileConfig {
    pub(crate) fn limits(&self) -> ScriptLimits {
        ScriptLimits {
            seconds: self.script_timelimit,
            memory_kib: self.script_memory_limit,
            files_kib: self.script_filesize_limit,
        }
    }
}

fn blame(kind: &str, id: &Id) -> Blame {
    let script = match kind {
        "compile" => "compile_script",
        "run" => "run_script",
        _ => "compare_script",
    };
    Blame::Script(script, id.clone())
}

fn parsed<T: DeserializeOwned>(text: Option<&str>) -> Result<T, Trouble> {
    serde_json::from_str(text.unwrap_or("{}")).map_err(|error| Trouble::Internal {
        blame: Blame::Host,
        description: format!("the server sent a configuration that cannot be read: {error}"),
    })
}
