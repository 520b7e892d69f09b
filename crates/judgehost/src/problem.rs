//! Makes a problem package from the server's settings for a batch, so that the judge can load it. The package contains
//! the server's compare script as its output validator, or the jury's program of an interactive problem. Both are called
//! in the way of the package format. DOMjudge's default compare script is replaced by the judge's own comparison.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_compare::Dialect;
use referee_event::TimeLimit;
use referee_judge::{Settings, Substitutes};
use referee_language::Shebangs;
use referee_package::{Limits, Package};
use referee_sandbox::MAX_PROCESSES;

use crate::executable::{copy_folder, folder_for_nobody, give_to_nobody, kib, seconds};
use crate::overshoot::overshoot;
use crate::tasks::{CompareConfig, CompileConfig, RunConfig, ServerConfig};

/// DOMjudge's own rule for the time beyond the time limit.
const DEFAULT_OVERSHOOT: &str = "1s|10%";

/// Maximum size of the sources of a submission, in bytes. The server has a limit of its own.
const SOURCE_BYTES: u64 = 256 << 20;

/// What the server says about the problem.
pub(crate) struct Problem<'a> {
    pub(crate) compile: &'a CompileConfig,
    pub(crate) run: &'a RunConfig,
    pub(crate) compare: &'a CompareConfig,
    pub(crate) server: &'a ServerConfig,
}

/// The options of the user that change how submissions are judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgingOptions {
    /// Whether a program that exceeds the memory limit gets the verdict `memory-limit` instead of `run-error`.
    pub memory_limit_verdict: bool,
}

/// The output validator of a problem.
#[derive(Clone, Debug)]
pub(crate) enum Validation {
    /// The judge's own comparison, with the rules of DOMjudge.
    Default,
    /// The folder of a script or of the jury's program, which contains an executable `run`.
    Script(PathBuf),
}

impl Problem<'_> {
    pub(crate) fn is_multi_pass(&self) -> bool {
        self.run.pass_limit > 1.0
    }

    /// Returns the content of the package's problem.yaml.
    pub(crate) fn yaml(&self, validation: &Validation) -> io::Result<String> {
        let features = [(self.compare.combined_run_compare, " interactive"), (self.is_multi_pass(), " multi-pass")];
        let features: String = features.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        let arguments = self.compare.compare_args.as_deref().unwrap_or_default();
        let arguments = serde_json::to_string(&arguments.split_whitespace().collect::<Vec<_>>().join(" "))?;
        let word = match validation {
            Validation::Default => "default",
            Validation::Script(_) => "custom",
        };
        Ok(format!("name: judgehost\nvalidation: {word}{features}\nvalidator_flags: {arguments}\n"))
    }

    /// Returns the settings for judging `package`. `base` contains the settings that are the same for all problems.
    pub(crate) fn settings(&self, base: &Settings, package: &Package, options: JudgingOptions) -> Settings {
        let time = seconds(self.run.time_limit);
        Settings {
            jobs: 1,
            time_limit: TimeLimit::Stated(time),
            limits: self.limits(package),
            file_writing: package.file_writing,
            dialect: Dialect::Domjudge,
            substitutes: Substitutes::Always,
            shebangs: Shebangs::Ignored,
            legacy_arguments: true,
            run_wall: Some(self.wall(time)),
            has_memory_verdict: options.memory_limit_verdict,
            written_bytes: Some(stored_bytes(self.server)),
            processes: self.processes(),
            ..base.clone()
        }
    }

    /// Returns the wall limit of a run. DOMjudge doubles it for interactive problems.
    fn wall(&self, time: Duration) -> Duration {
        let limit = time.as_secs_f64();
        let over = overshoot(&self.server.timelimit_overshoot, limit).or_else(|| overshoot(DEFAULT_OVERSHOOT, limit));
        let wall = limit + over.unwrap_or_default() + self.run.overshoot.max(0.0);
        seconds(if self.compare.combined_run_compare { 2.0 * wall } else { wall })
    }

    /// Returns the largest number of processes and threads of the submission. A server that states none gets the limit of
    /// our sandbox.
    fn processes(&self) -> u64 {
        if self.run.process_limit < 1.0 { MAX_PROCESSES } else { MAX_PROCESSES.min(self.run.process_limit as u64) }
    }

    fn limits(&self, package: &Package) -> Limits {
        Limits {
            time: None,
            memory_bytes: kib(self.run.memory_limit),
            output_bytes: kib(self.run.output_limit),
            code_bytes: SOURCE_BYTES,
            compilation_time: seconds(self.compile.limits.seconds),
            compilation_memory_bytes: kib(self.compile.limits.memory_kib),
            validation_time: seconds(self.compare.limits.seconds),
            validation_memory_bytes: kib(self.compare.limits.memory_kib),
            validation_output_bytes: kib(self.compare.limits.files_kib),
            validation_passes: self.run.pass_limit.clamp(1.0, 1e6) as u32,
            ..package.limits
        }
    }
}

/// Writes the package with this problem.yaml into the temporary folder `above`, which is empty, and loads it. Fails
/// if a file cannot be written or the package cannot be loaded.
pub(crate) fn package(above: &Path, yaml: &str, validation: &Validation) -> io::Result<Package> {
    let folder = folder_for_nobody(above)?;
    let data = folder.join("data/secret");
    fs::create_dir_all(&data)?;
    fs::write(folder.join("problem.yaml"), yaml)?;
    // The judge needs a test case whose properties it copies. No submission runs on this one.
    fs::write(data.join("1.in"), "")?;
    fs::write(data.join("1.ans"), "")?;
    if let Validation::Script(validator) = validation {
        fs::create_dir(folder.join("output_validators"))?;
        copy_folder(validator, &folder.join("output_validators/compare"))?;
    }
    give_to_nobody(&folder)?;
    referee_package::load(&folder).map_err(|findings| io::Error::other(findings.to_string()))
}

/// Returns the largest size of each output that the server stores, in bytes.
pub(crate) fn stored_bytes(server: &ServerConfig) -> usize {
    if server.output_storage_limit < 0.0 { usize::MAX } else { server.output_storage_limit as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the wall limit in seconds for a time limit of 2 s, and the process limit.
    fn limits(run: &RunConfig, is_interactive: bool, rule: &str) -> (f64, u64) {
        let compare = CompareConfig { combined_run_compare: is_interactive, ..CompareConfig::default() };
        let server = ServerConfig { timelimit_overshoot: rule.to_owned(), ..ServerConfig::default() };
        let problem = Problem { compile: &CompileConfig::default(), run, compare: &compare, server: &server };
        (problem.wall(Duration::from_secs(2)).as_secs_f64(), problem.processes())
    }

    #[test]
    fn the_wall_limit_has_the_overshoot_of_server_and_problem_and_is_doubled_for_interactive_problems() {
        for (overshoot, is_interactive, rule, expected) in [
            (0.0, false, "1s|10%", 3.0),
            (0.5, false, "3s", 5.5),
            (0.5, true, "3s", 11.0),
            // DOMjudge's own rule takes the place of one that cannot be read.
            (0.0, false, "what", 3.0),
        ] {
            let wall = limits(&RunConfig { overshoot, ..RunConfig::default() }, is_interactive, rule).0;
            assert!((wall - expected).abs() < 1e-9, "{rule}: {wall}");
        }
    }

    #[test]
    fn the_process_limit_is_that_of_the_server_and_at_most_ours() {
        let processes = |process_limit| limits(&RunConfig { process_limit, ..RunConfig::default() }, false, "1s").1;
        assert_eq!([64.0, 0.0, -1.0, 1e9].map(processes), [64, MAX_PROCESSES, MAX_PROCESSES, MAX_PROCESSES]);
    }
}
