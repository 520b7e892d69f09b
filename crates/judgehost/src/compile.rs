//! Compiles a submission: with the judge's own languages, or with the server's compile script.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use referee_judge::package_program::{ending_words, limit_words};
use referee_judge::{Contender, NotBuilt, Settings, Submission, Trials};
use referee_language::Detected;
use referee_sandbox::{Ended, Limits};
use referee_text::printable::printable;

use crate::api::Blame;
use crate::executable::{ScriptLimits, Workshop, is_executable, kib, quoted};
use crate::tasks::{CompileConfig, Id, RunConfig};
use crate::trouble::Trouble;

/// The commands that compile submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Toolchain {
    /// The judge's own languages, found by the endings of the sources. The server's script compiles submissions in
    /// languages that the judge does not know.
    #[default]
    Own,
    /// The server's compile scripts.
    Server,
}

/// A submission to compile.
pub(crate) struct Source<'a> {
    /// The submission's name in messages.
    pub(crate) name: &'a str,
    /// The folder of the sources.
    pub(crate) folder: &'a Path,
    /// The names of the sources, the main one first.
    pub(crate) files: &'a [String],
    pub(crate) compile: &'a CompileConfig,
    pub(crate) run: &'a RunConfig,
    /// The id of the compile script.
    pub(crate) script: Id,
}

/// The result of compiling a submission.
pub(crate) struct Compiled {
    /// The program; `None` if the submission does not compile.
    pub(crate) program: Option<Contender>,
    /// The compiler's output for the jury and the team.
    pub(crate) output: String,
    /// The entry point that the compile script found; `None` if it reported none.
    pub(crate) entry_point: Option<String>,
}

impl Compiled {
    fn failed(output: String) -> Compiled {
        Compiled { program: None, output, entry_point: None }
    }
}

/// The file that a compile script makes.
const PROGRAM: &str = "program";

impl Source<'_> {
    /// Returns the sources that are passed to the compiler.
    fn passed(&self) -> Vec<&String> {
        let endings = &self.compile.language_extensions;
        let fits = |name: &&String| endings.iter().any(|ending| name.ends_with(&format!(".{ending}")));
        let filters = self.compile.filter_compiler_files;
        self.files.iter().filter(|name| !filters || fits(name)).collect()
    }

    /// Compiles the submission. `script` returns the folder of the server's compile script, ready to run.
    pub(crate) fn compile(
        &self,
        toolchain: Toolchain,
        trials: &Trials<'_>,
        settings: &Settings,
        script: impl FnOnce() -> Result<PathBuf, Trouble>,
    ) -> Result<Compiled, Trouble> {
        if self.passed().is_empty() {
            let allowed = self.compile.language_extensions.join(", ");
            return Ok(Compiled::failed(format!(
                "No files with allowed extensions found to pass to compiler. Allowed extensions: {allowed}"
            )));
        }
        if toolchain == Toolchain::Own && self.is_known(settings) {
            return self.with_own_language(trials, settings);
        }
        self.with_script(&script()?, trials, settings)
    }

    /// Whether the judge knows the language of the submission.
    fn is_known(&self, settings: &Settings) -> bool {
        matches!(self.detected(settings), Detected::Source(_))
    }

    fn detected<'t>(&self, settings: &'t Settings) -> Detected<'t> {
        settings.languages.detect(&self.path(), None, settings.shebangs)
    }

    /// Returns the path of the submission: its only file, or its folder.
    fn path(&self) -> PathBuf {
        match self.files {
            [only] => self.folder.join(only),
            _ => self.folder.to_path_buf(),
        }
    }

    fn with_own_language(&self, trials: &Trials<'_>, settings: &Settings) -> Result<Compiled, Trouble> {
        let starts_with_file =
            matches!(self.detected(settings), Detected::Source(language) if language.starts_with_file());
        // The first file is the main one, if the language has a main file.
        let main =
            || self.passed().first().map(|name| (*name).clone()).filter(|_| starts_with_file && self.files.len() > 1);
        let submission = Submission {
            name: self.name.to_owned(),
            path: self.path(),
            language: None,
            entry_point: self.run.entry_point.clone().filter(|name| !name.is_empty()).or_else(main),
            expectations: None,
            scores: Vec::new(),
            left_out: None,
            student: None,
        };
        let (_, built) = trials.build_or_blame(&submission)?;
        match built {
            Ok(program) => Ok(Compiled { program: Some(program), output: String::new(), entry_point: None }),
            Err(NotBuilt::BySubmission(message)) => {
                Ok(Compiled::failed(format!("Compiling failed, compiler output:\n{message}")))
            }
            Err(NotBuilt::ByMachine(description)) => {
                Err(Trouble::Internal { blame: Blame::Script("compile_script", self.script.clone()), description })
            }
            Err(NotBuilt::ByJudge(description)) => Err(Trouble::Internal { blame: Blame::Host, description }),
        }
    }

    /// Runs the script as `run program MEMORY_KIB FILE...` in a folder with the sources.
    fn with_script(&self, script: &Path, trials: &Trials<'_>, settings: &Settings) -> Result<Compiled, Trouble> {
        let workshop = Workshop::open(settings)?;
        workshop.add(script, "script")?;
        workshop.add(self.folder, "sources")?;
        let product = referee_files::temporary::folder("judgehost").map_err(preparing)?;
        let mut arguments = vec![OsString::from(format!("{}", kib(self.run.memory_limit) >> 10))];
        arguments.extend(self.passed().into_iter().map(OsString::from));
        let limits = self.limits();
        let (outcome, copied) = workshop.run(&self.commands(), arguments, limits, product.path())?;
        let (entry_point, others) = entry_point_in(&printable(&outcome.stdout));
        let all = printable(&outcome.stdout);
        if let Some(line) = all.lines().find(|line| line.starts_with("internal-error:")) {
            let blame = Blame::Script("compile_script", self.script.clone());
            return Err(Trouble::Internal { blame, description: line.to_owned() });
        }
        if let Some(limit) = outcome.crossed {
            let seconds = self.compile.script_timelimit;
            let words = limit_words(limit, &limits, &outcome.usage);
            return Ok(Compiled::failed(format!(
                "Compiling aborted after {seconds} seconds, compiler output:\n{all}\nthe compiler used {words}"
            )));
        }
        match outcome.ended {
            Ended::Exited(0) => {}
            Ended::Exited(code) => {
                return Ok(Compiled::failed(format!("Compiling failed with exitcode {code}, compiler output:\n{all}")));
            }
            killed @ Ended::Signaled(_) => {
                let words = ending_words(killed);
                return Ok(Compiled::failed(format!("Compiling failed with {words}, compiler output:\n{all}")));
            }
        }
        if let Err(reason) = copied {
            return Ok(Compiled::failed(format!("Compiling failed: {reason}; compiler output:\n{all}")));
        }
        if !is_executable(&product.path().join(PROGRAM)) {
            return Ok(Compiled::failed(format!(
                "Compiling failed: no executable was created; compiler output:\n{all}"
            )));
        }
        fs::set_permissions(product.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(preparing)?;
        let program = trials.compiled(self.name, product.path(), PROGRAM)?;
        Ok(Compiled { program: Some(program), output: others, entry_point })
    }

    fn limits(&self) -> Limits {
        let CompileConfig { script_timelimit, script_memory_limit, script_filesize_limit, .. } = self.compile;
        let limits = ScriptLimits {
            seconds: *script_timelimit,
            memory_kib: *script_memory_limit,
            files_kib: *script_filesize_limit,
        };
        // The compiler's output goes to the server, which stores only its beginning.
        Limits { output_bytes: limits.of_run().output_bytes.min(MOST_OUTPUT_BYTES), ..limits.of_run() }
    }

    fn commands(&self) -> String {
        let entry_point = self.run.entry_point.as_deref().filter(|name| !name.is_empty());
        let variable = entry_point.map(|name| format!("export ENTRY_POINT={}; ", quoted(name))).unwrap_or_default();
        format!(
            "{variable}cp -R \"$here/sources/.\" . && chmod -R u+w . || exit 1\n\
             exec \"$here/script/run\" {PROGRAM} \"$@\" 2>&1"
        )
    }
}

/// Maximum size of a compiler's output, in bytes.
const MOST_OUTPUT_BYTES: u64 = 16 << 20;

fn preparing(source: std::io::Error) -> Trouble {
    referee_judge::JudgeError::System { doing: "preparing a compilation", source }.into()
}

/// Returns the entry point that a compile script reports, and the output without the lines that report it.
fn entry_point_in(output: &str) -> (Option<String>, String) {
    let detected = |line: &str| {
        let line = line.strip_prefix('D').or_else(|| line.strip_prefix('d'))?;
        line.strip_prefix("etected entry_point: ").map(|name| name.trim().to_owned())
    };
    let found = output.lines().find_map(detected);
    let others = output.lines().filter(|line| detected(line).is_none()).map(|line| format!("{line}\n"));
    (found, others.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_point_is_taken_out_of_the_output() {
        let (found, others) = entry_point_in("warning\nDetected entry_point: Main\nmore\n");
        assert_eq!((found.as_deref(), others.as_str()), (Some("Main"), "warning\nmore\n"));
        assert_eq!(entry_point_in("x: Detected entry_point: a").0, None);
    }

    #[test]
    fn only_files_with_the_endings_of_the_language_are_passed() {
        let files = ["b.h", "a.c", "c.c"].map(str::to_owned);
        let mut compile =
            CompileConfig { language_extensions: vec!["c".into()], filter_compiler_files: true, ..Default::default() };
        let run = RunConfig::default();
        let source = |compile: &CompileConfig| {
            let source =
                Source { name: "1", folder: Path::new("/"), files: &files, compile, run: &run, script: Id::default() };
            source.passed().into_iter().cloned().collect::<Vec<_>>()
        };
        assert_eq!(source(&compile), ["a.c", "c.c"]);
        compile.filter_compiler_files = false;
        assert_eq!(source(&compile), files);
    }
}
