//! Compiles a submission: with the judge's own languages, or with the server's compile script.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use referee_judge::package_program::{ending_words, limit_words};
use referee_judge::{Contender, NotBuilt, Settings, Submission, Trials};
use referee_language::Detected;
use referee_sandbox::{Ended, Limits};
use referee_text::printable::printable;

use crate::api::Blame;
use crate::defaults::ADDED_BY_USER;
use crate::executable::{Workshop, copy_folder, is_executable, kib, quoted};
use crate::tasks::{CompileConfig, Id, RunConfig};
use crate::trouble::{Trouble, preparing};

/// The commands that compile submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Toolchain {
    /// The judge's own languages and comparison in place of DOMjudge's default scripts; the server's scripts otherwise.
    #[default]
    Own,
    /// The server's compile and compare scripts.
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
    /// The folder of a run script that starts the program; `None` if the judge starts it.
    pub(crate) runner: Option<&'a Path>,
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
const PRODUCT: &str = "program";

/// The folder of the run script in the folder of the program, and the file that calls it.
const RUN_SCRIPT: &str = ".run-script";
const START: &str = ".start";

impl Source<'_> {
    /// Returns the sources that are passed to the compiler.
    fn passed(&self) -> Vec<&String> {
        let endings = &self.compile.language_extensions;
        let fits = |name: &&String| endings.iter().any(|ending| name.ends_with(&format!(".{ending}")));
        let filters = self.compile.filter_compiler_files;
        self.files.iter().filter(|name| !filters || fits(name)).collect()
    }

    /// Returns the result for a submission without any file that may be passed to the compiler; `None` if there is one.
    pub(crate) fn without_sources(&self) -> Option<Compiled> {
        self.passed().is_empty().then(|| {
            let allowed = self.compile.language_extensions.join(", ");
            Compiled::failed(format!(
                "No files with allowed extensions found to pass to compiler. Allowed extensions: {allowed}"
            ))
        })
    }

    /// Whether one of the judge's own languages can take the place of DOMjudge's compile script `name`. The ending of
    /// the sources must lead to the language of the script. A run script needs the file that a compile script makes.
    pub(crate) fn fits_own_language(&self, name: &str, settings: &Settings) -> bool {
        let expected = match name {
            "java_javac_detect" => "java",
            "py3" => "python3",
            name => name,
        };
        let is_any = name == ADDED_BY_USER;
        self.runner.is_none()
            && matches!(self.detected(settings), Detected::Source(language) if is_any || language.id == expected)
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

    /// Compiles the submission with one of the judge's own languages.
    pub(crate) fn with_own_language(&self, trials: &Trials<'_>, settings: &Settings) -> Result<Compiled, Trouble> {
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

    /// Compiles the submission with the server's script in the folder `script`, which is ready to run. The script runs
    /// as `run program MEMORY_KIB FILE...` in a folder with the sources.
    pub(crate) fn with_script(
        &self,
        script: &Path,
        trials: &Trials<'_>,
        settings: &Settings,
    ) -> Result<Compiled, Trouble> {
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
            let seconds = self.compile.limits.seconds;
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
        if !is_executable(&product.path().join(PRODUCT)) {
            return Ok(Compiled::failed(format!(
                "Compiling failed: no executable was created; compiler output:\n{all}"
            )));
        }
        fs::set_permissions(product.path(), PermissionsExt::from_mode(0o755)).map_err(preparing)?;
        let command = self.command(product.path()).map_err(preparing)?;
        let program = trials.compiled(self.name, product.path(), command)?;
        Ok(Compiled { program: Some(program), output: others, entry_point })
    }

    /// Returns the name of the file in `folder` that starts the program. If there is a run script, that is a new file
    /// that calls it.
    fn command(&self, folder: &Path) -> io::Result<&'static str> {
        let Some(runner) = self.runner else { return Ok(PRODUCT) };
        // A compilation may have made files with these names.
        for name in [RUN_SCRIPT, START] {
            let _ = fs::remove_dir_all(folder.join(name));
            let _ = fs::remove_file(folder.join(name));
        }
        copy_folder(runner, &folder.join(RUN_SCRIPT))?;
        let start = folder.join(START);
        // The shell has opened neither stream. So the script can open both again, as it opens files on DOMjudge's
        // hosts.
        let commands = format!(
            "#!/bin/sh\nhere=${{0%/*}}\n\
             exec \"$here/{RUN_SCRIPT}/run\" /dev/stdin /dev/stdout \"$here/{PRODUCT}\" \"$@\"\n"
        );
        fs::write(&start, commands)?;
        fs::set_permissions(&start, PermissionsExt::from_mode(0o755))?;
        Ok(START)
    }

    fn limits(&self) -> Limits {
        let limits = self.compile.limits.of_run();
        // The compiler's output goes to the server, which stores only its beginning.
        Limits { output_bytes: limits.output_bytes.min(MOST_OUTPUT_BYTES), ..limits }
    }

    fn commands(&self) -> String {
        let entry_point = self.run.entry_point.as_deref().filter(|name| !name.is_empty());
        let variable = entry_point.map(|name| format!("export ENTRY_POINT={}; ", quoted(name))).unwrap_or_default();
        format!(
            "{variable}cp -R \"$here/sources/.\" . && chmod -R u+w . || exit 1\n\
             exec \"$here/script/run\" {PRODUCT} \"$@\" 2>&1"
        )
    }
}

/// Maximum size of a compiler's output, in bytes.
const MOST_OUTPUT_BYTES: u64 = 16 << 20;

/// Returns the entry point that a compile script reports, and the output without the lines that report it. Such a line
/// begins with `Detected entry_point: ` or `detected entry_point: `; `Info: ` may precede it. Lines that contain these
/// words elsewhere may come from the submission, for example from a warning of the compiler.
fn entry_point_in(output: &str) -> (Option<String>, String) {
    let detected = |line: &str| {
        let line = line.strip_prefix("Info: ").unwrap_or(line);
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
        assert_eq!(entry_point_in("Info: detected entry_point: a.py\n").0.as_deref(), Some("a.py"));
        assert_eq!(entry_point_in("warning: Detected entry_point: a").0, None);
    }

    #[test]
    fn only_files_with_the_endings_of_the_language_are_passed() {
        let files = ["b.h", "a.c", "c.c"].map(str::to_owned);
        let mut compile =
            CompileConfig { language_extensions: vec!["c".into()], filter_compiler_files: true, ..Default::default() };
        let run = RunConfig::default();
        let passed = |compile: &CompileConfig| {
            source(&files, compile, &run, None).passed().into_iter().cloned().collect::<Vec<_>>()
        };
        assert_eq!(passed(&compile), ["a.c", "c.c"]);
        compile.filter_compiler_files = false;
        assert_eq!(passed(&compile), files);
    }

    #[test]
    fn what_a_compilation_made_in_place_of_our_files_is_replaced_and_not_followed() {
        let (runner, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(runner.path().join("run"), "script").unwrap();
        let victim = outside.path().join("victim");
        fs::write(&victim, "untouched").unwrap();
        let link = |at: &Path| std::os::unix::fs::symlink(&victim, at).unwrap();
        let file = |at: &Path| fs::write(at, "").unwrap();
        let folder = |at: &Path| fs::create_dir_all(at.join("below")).unwrap();
        let makers: [&dyn Fn(&Path); 4] = [&link, &file, &folder, &|_| {}];
        let (compile, run) = (CompileConfig::default(), RunConfig::default());
        for make in makers {
            let made = tempfile::tempdir().unwrap();
            for name in [RUN_SCRIPT, START] {
                make(&made.path().join(name));
            }
            assert_eq!(source(&[], &compile, &run, Some(runner.path())).command(made.path()).unwrap(), START);
            let at = |name: &str| made.path().join(name);
            assert!(at(START).symlink_metadata().unwrap().is_file() && is_executable(&at(START)));
            assert_eq!(fs::read_to_string(at(RUN_SCRIPT).join("run")).unwrap(), "script");
            assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
        }
    }

    fn source<'a>(
        files: &'a [String],
        compile: &'a CompileConfig,
        run: &'a RunConfig,
        runner: Option<&'a Path>,
    ) -> Source<'a> {
        Source { name: "1", folder: Path::new("/"), files, compile, run, script: Id::default(), runner }
    }
}
