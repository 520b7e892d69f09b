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
    let key =
        settings.needs_keys().then(|| ProgramKey::of_scripts(folder.path(), languages(), settings.scope())).flatten();
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
            room: None,
            settings,
        };
        if let Err(failure) = compile::compile(compiler, folder.path())? {
            return Ok(Built::Failed(failure.message()));
        }
    }
    if let Some(reason) = why_not_runnable(&run, build.is_file()) {
        return Ok(Built::Failed(reason.to_owned()));
    }
    let commands = Commands { compile: None, run: command(&run), environment: Vec::new(), warm_until: None };
    Ok(Built::Ready(executable_in(commands, tool_folders, folder, source.role, settings, site).with_key(key)))
}

/// Returns why the script 'run' cannot be started; `None` if it can. `is_built` says whether a script 'build' has run.
fn why_not_runnable(run: &Path, is_built: bool) -> Option<&'static str> {
    match run.metadata() {
        // Links that 'build' makes are not copied from the sandbox.
        Err(_) if is_built => Some(
            "its folder has no file 'run' after 'build' (a link does not count); let 'build' create it, or add one",
        ),
        Err(_) => Some("its folder has no file 'run'; add one"),
        Ok(found) if !found.is_file() => Some("its 'run' is not a file; replace it with an executable file"),
        Ok(_) if is_executable(run) => None,
        Ok(_) if is_built => Some("its file 'run' is not executable after 'build'; let 'build' run chmod +x on it"),
        Ok(_) => Some("its script 'run' is not executable; run chmod +x on it"),
    }
}

/// Returns the command of a script. The shell runs a script without a `#!` line.
fn command(path: &Path) -> Vec<OsString> {
    let own = path.as_os_str().to_owned();
    if language::can_be_executed(path) { vec![own] } else { vec!["/bin/sh".into(), own] }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_condition_that_a_run_script_fails_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let reason = |is_built| why_not_runnable(&run, is_built).unwrap_or("none");
        assert!(reason(false).starts_with("its folder has no file 'run'; "));
        assert!(reason(true).starts_with("its folder has no file 'run' after 'build'"));
        fs::create_dir(&run).unwrap();
        assert!(reason(true).contains("is not a file"));
        fs::remove_dir(&run).unwrap();
        fs::write(&run, "").unwrap();
        fs::set_permissions(&run, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(reason(false).contains("'run' is not executable; "));
        assert!(reason(true).contains("'run' is not executable after 'build'"));
        fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(reason(true), "none");
    }
}
