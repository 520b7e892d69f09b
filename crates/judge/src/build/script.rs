//! Builds programs of the package whose folder contains a script `build` or `run`.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::build::compile::{self, Compiler};
use crate::build::sources;
use crate::build::{Built, Source, executable_in, folder};
use crate::cache::results::ProgramKey;
use crate::workspace::copy::CopyError;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_language::{self as language, Commands, Language};

/// Whether the folder contains a file `build` or `run`.
pub(crate) fn has_scripts(path: &Path) -> bool {
    path.is_dir() && ["build", "run"].iter().any(|name| path.join(name).is_file())
}

pub(crate) fn from_scripts(source: &Source<'_>, settings: &Settings, site: Site<'_>) -> Result<Built, JudgeError> {
    let folder = folder(source, site)?;
    match sources::gather(source, folder.path()) {
        Ok(()) => {}
        Err(CopyError::Unfit(reason)) => return Ok(Built::Refused(reason)),
        Err(CopyError::System(source)) => return Err(JudgeError::System { doing: "copying the sources", source }),
    }
    // Scripts can use the tools of these languages.
    let of_these = |language: &&Language| ["c", "cpp", "python3"].contains(&language.id.as_str());
    let languages = || settings.languages.languages.iter().filter(of_these);
    let key = settings.needs_keys().then(|| ProgramKey::of_scripts(folder.path(), languages())).flatten();
    let (build, run) = (folder.path().join("build"), folder.path().join("run"));
    let tool_folders: Vec<_> = languages().flat_map(Language::tool_folders).collect();
    if build.is_file() {
        if !is_executable(&build) {
            return Ok(Built::Failed("its script 'build' is not executable; run chmod +x on it".to_owned()));
        }
        let command = command(&build);
        let compiler = Compiler {
            command,
            variables: Vec::new(),
            readable: tool_folders.clone(),
            hidden: site.hidden(),
            settings,
        };
        if let Err(message) = compile::compile(compiler, folder.path())? {
            return Ok(Built::Failed(message));
        }
    }
    if !is_executable(&run) {
        let reason = "its folder has no executable 'run'; add one, or let 'build' create it";
        return Ok(Built::Failed(reason.to_owned()));
    }
    let commands = Commands { compile: None, run: command(&run), environment: Vec::new() };
    Ok(Built::Ready(executable_in(commands, tool_folders, folder, source.role, settings, site).with_key(key)))
}

/// Returns the command of a script. The shell runs a script without a `#!` line.
fn command(path: &Path) -> Vec<OsString> {
    let own = path.as_os_str().to_owned();
    if language::can_be_executed(path) { vec![own] } else { vec!["/bin/sh".into(), own] }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
