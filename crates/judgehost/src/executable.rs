//! Makes the server's scripts runnable. A script with a file `build` is built once in the sandbox, and the product is
//! cached by the content of the script.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use referee_files::temporary;
use referee_judge::package_program::{PackagePrograms, ProgramSource, ending_words, limit_words};
use referee_judge::{JudgeError, Settings};
use referee_sandbox::{Ended, Limits, Outcome, SandboxError};
use referee_text::printable::printable;
use tempfile::TempDir;

use crate::files::{FileCache, FilesError};
use crate::tasks::ScriptLimits;

/// Maximum length of a build's output in a message, in characters.
const QUOTED: usize = 2000;

/// The user as whom the scripts run if the judgehost is root. No file belongs to this user.
const NOBODY: u32 = 65534;

/// The reason why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScriptError {
    /// The script is wrong.
    #[error("{0}")]
    Script(String),
    /// The judgehost failed.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The cache failed.
    #[error(transparent)]
    Files(#[from] FilesError),
}

impl ScriptLimits {
    /// Returns the limits for the sandbox. DOMjudge limits the wall time of scripts; twice the time is allowed here,
    /// because the sandbox also limits the CPU time.
    pub(crate) fn of_run(self) -> Limits {
        Limits {
            cpu: seconds(self.seconds),
            wall: seconds(self.seconds) * 2 + Duration::from_secs(1),
            memory_bytes: kib(self.memory_kib),
            output_bytes: kib(self.files_kib),
            until: None,
        }
    }
}

/// Returns a time of the server. An impossible time becomes the nearest possible one.
pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.001, 1e6))
}

/// Returns a size of the server in bytes. An impossible size becomes the nearest possible one.
pub(crate) fn kib(kib: f64) -> u64 {
    (kib.clamp(1.0, 1e12) * 1024.0) as u64
}

/// Returns the folder with the executable `run` of the script in `folder`. Builds it if that was not done before. `name`
/// identifies the content of the script.
pub(crate) fn runnable(
    folder: &Path,
    name: &str,
    limits: ScriptLimits,
    cache: &FileCache,
    settings: &Settings,
) -> Result<PathBuf, ScriptError> {
    let has = |file: &str| folder.join(file).is_file();
    if !has("build") && has("run") {
        return Ok(folder.to_path_buf());
    }
    let made = cache.product(name, |to| build(folder, to, limits, settings));
    made.map_err(|error| error.map_or_else(|error| error, ScriptError::from))
}

fn build(folder: &Path, to: &Path, limits: ScriptLimits, settings: &Settings) -> Result<(), ScriptError> {
    let commands = if folder.join("build").is_file() {
        "chmod u+x ./build && ./build".to_owned()
    } else {
        build_commands(folder).ok_or_else(|| {
            let reason = "it has neither `build` nor `run`, and no source in C, C++ or Python";
            ScriptError::Script(reason.to_owned())
        })?
    };
    let workshop = Workshop::open(settings)?;
    workshop.add(folder, "script")?;
    let wrapper = format!("cp -R \"$here/script/.\" . && chmod -R u+w . && {{ {commands}; }} 2>&1");
    let (outcome, copied) = workshop.run(&wrapper, Vec::new(), limits.of_run(), to)?;
    let said: String = printable(&outcome.stdout).chars().take(QUOTED).collect();
    if let Some(limit) = outcome.crossed {
        let words = limit_words(limit, &limits.of_run(), &outcome.usage);
        return Err(ScriptError::Script(format!("its build used {words}; it said: {said}")));
    }
    if outcome.ended != Ended::Exited(0) {
        let ended = ending_words(outcome.ended);
        return Err(ScriptError::Script(format!("its build ended with {ended}; it said: {said}")));
    }
    copied.map_err(|reason| ScriptError::Script(format!("the files of its build cannot be copied: {reason}")))?;
    if !is_executable(&to.join("run")) {
        return Err(ScriptError::Script(format!("its build made no executable file `run`; it said: {said}")));
    }
    Ok(())
}

/// Returns the commands that build a script without a file `build`, by the ending of its sources. Returns `None` if no
/// source has a known ending.
fn build_commands(folder: &Path) -> Option<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let with = |endings: &[&str]| {
        let fits = |name: &&String| endings.iter().any(|ending| name.ends_with(ending));
        let found: Vec<_> = names.iter().filter(fits).map(|name| quoted(name)).collect();
        (!found.is_empty()).then(|| found.join(" "))
    };
    if let Some(sources) = with(&[".cc", ".cpp", ".cxx", ".c++"]) {
        return Some(format!("g++ -Wall -O2 -std=gnu++20 {sources} -o run"));
    }
    if let Some(sources) = with(&[".c"]) {
        return Some(format!("gcc -Wall -O2 -std=gnu11 {sources} -o run -lm"));
    }
    let source = names.iter().find(|name| Path::new(name).extension().is_some_and(|ending| ending == "py"))?;
    let script = format!("#!/bin/sh\nexec python3 \"${{0%/*}}\"/{} \"$@\"\n", quoted(source));
    Some(format!("printf %s {} > run && chmod +x run", quoted(&script)))
}

/// Returns the text as one word of the shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// A folder with files of the server, and a sandbox in which commands use copies of them.
pub(crate) struct Workshop<'a> {
    /// A temporary folder that contains `folder`.
    _above: TempDir,
    folder: PathBuf,
    settings: &'a Settings,
}

impl Workshop<'_> {
    pub(crate) fn open(settings: &Settings) -> Result<Workshop<'_>, JudgeError> {
        let above = temporary::folder("judgehost").map_err(making)?;
        let folder = folder_for_nobody(above.path()).map_err(making)?;
        fs::create_dir(folder.join(PROGRAM)).map_err(making)?;
        Ok(Workshop { _above: above, folder, settings })
    }

    /// Copies a folder into the program's folder, under the name `name`.
    pub(crate) fn add(&self, from: &Path, name: &str) -> Result<(), JudgeError> {
        copy_folder(from, &self.folder.join(PROGRAM).join(name)).map_err(making)
    }

    /// Runs commands of the shell in a new folder, and copies its files to `to`, which exists. In the commands, `$here`
    /// is the folder with the added folders. The inner error says why the files cannot be copied.
    pub(crate) fn run(
        &self,
        commands: &str,
        arguments: Vec<OsString>,
        limits: Limits,
        to: &Path,
    ) -> Result<(Outcome, Result<(), String>), JudgeError> {
        let program = self.folder.join(PROGRAM);
        let run = program.join("run");
        fs::write(&run, format!("#!/bin/sh\nhere=${{0%/*}}\n{commands}\n"))
            .and_then(|()| fs::set_permissions(&run, Permissions::from_mode(0o755)))
            .and_then(|()| give_to_nobody(&self.folder))
            .map_err(making)?;
        let programs = PackagePrograms::outside_a_package(&self.folder, self.settings)?;
        let built = programs.build(&ProgramSource::Program(&program))?;
        let built = built.result.map_err(|reason| making(io::Error::other(reason)))?;
        programs.run_and_copy(&built, arguments, limits, to).map_err(|error| match error {
            SandboxError::Interrupted => JudgeError::Interrupted,
            error => JudgeError::System { doing: "running a script", source: io::Error::other(error) },
        })
    }
}

/// The name of the folder of the commands.
const PROGRAM: &str = "program";

/// Makes a folder in the temporary folder `above`, for [`give_to_nobody`]. `above` itself keeps its owner: after a kill,
/// the next judge of that user removes it.
pub(crate) fn folder_for_nobody(above: &Path) -> io::Result<PathBuf> {
    fs::set_permissions(above, Permissions::from_mode(0o711))?;
    let folder = above.join("files");
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// Lets programs that run as the owner of `folder` have no right of root.
pub(crate) fn give_to_nobody(folder: &Path) -> io::Result<()> {
    if rustix::process::geteuid().is_root() {
        chown(folder, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(())
}

fn making(source: io::Error) -> JudgeError {
    JudgeError::System { doing: "preparing a script", source }
}

/// Copies a folder of regular files and folders.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
