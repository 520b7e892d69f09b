//! Finds compilers and interpreters on this machine.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use super::Unready;
use super::answers::remembered_of_system;
use super::choice::Choice;

/// A compiler or an interpreter.
#[derive(Debug, Default)]
pub struct Tool {
    /// The name by which languages refer to it.
    pub name: String,
    /// Names in PATH, or absolute paths. The first one that exists is used.
    pub(super) commands: Vec<String>,
    /// The command that installs it.
    pub install: String,
    /// The arguments that make it print its version.
    pub version: Vec<String>,
    /// The arguments that make it print its real path, or the folder above its `bin/`. The judge needs the real path
    /// because the command in PATH may be a script of a version manager. `None` if it is never such a script.
    pub(super) real: Option<Vec<String>>,
    /// Further folders that it reads.
    pub(super) readable: Vec<PathBuf>,
    /// Files that it cannot work without, relative to the folder above its `bin/`.
    pub(super) needs: Vec<PathBuf>,
    /// The result of the search, which happens only once.
    pub(super) found: OnceLock<Result<Found, Unready>>,
}

/// A tool that is installed on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The absolute path of the tool.
    pub path: PathBuf,
    /// The absolute path of the folder above its `bin/`, with all links resolved.
    pub home: PathBuf,
    /// All folders that it needs to work.
    pub folders: Vec<PathBuf>,
}

/// Tools, and the choices that depend on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tools {
    /// The tools by name.
    pub(super) by_name: BTreeMap<String, Arc<Tool>>,
    /// The choices by name.
    pub(super) choices: BTreeMap<String, Arc<Choice>>,
}

impl Tools {
    /// Returns where the tool with this name is. Fails if the tool or a part of it is missing.
    pub(super) fn find(&self, name: &str) -> Result<&Found, Unready> {
        if let Some(tool) = self.by_name.get(name) {
            return tool.find();
        }
        let install = "(no install command is known)".to_owned();
        Err(Unready::MissingTool { tool: name.to_owned(), places: String::new(), install })
    }
}

/// Returns the PATH in which tools and their helpers (the linker, the assembler) are searched: the judge's own PATH, or
/// the usual folders if it is not set.
pub fn search_path() -> OsString {
    std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

impl Tool {
    /// Returns where the tool is. Fails if the tool or a part of it is missing. Searches only once.
    pub fn find(&self) -> Result<&Found, Unready> {
        self.found.get_or_init(|| self.locate()).as_ref().map_err(Clone::clone)
    }

    fn locate(&self) -> Result<Found, Unready> {
        let path = self.commands.iter().find_map(|command| self.find_command(command)).ok_or_else(|| {
            Unready::MissingTool { tool: self.name.clone(), places: self.other_places(), install: self.install.clone() }
        })?;
        let home = home(&path.canonicalize().unwrap_or_else(|_| path.clone()));
        if let Some(missing) = self.needs.iter().map(|below| home.join(below)).find(|needed| !needed.exists()) {
            let (tool, install) = (self.name.clone(), self.install.clone());
            return Err(Unready::MissingPart { tool, missing, install });
        }
        let needed =
            self.needs.iter().filter_map(|below| home.join(below).canonicalize().ok()?.parent().map(Path::to_path_buf));
        let mut folders: Vec<_> = [self::home(&path), home.clone()].into_iter().chain(needed).collect();
        folders.extend(self.readable.iter().filter(|folder| folder.is_dir()).cloned());
        folders.dedup();
        Ok(Found { path, home, folders })
    }

    /// Returns where the tool was searched besides PATH, as a part of a message; empty if nowhere.
    fn other_places(&self) -> String {
        let others: Vec<_> = self.paths().map(with_fault).collect();
        if others.is_empty() { String::new() } else { format!(" (searched in PATH, and as {})", others.join(", ")) }
    }

    /// Returns the paths among the commands. The other commands are names in PATH.
    fn paths(&self) -> impl Iterator<Item = &str> {
        self.commands.iter().map(String::as_str).filter(|command| command.contains('/'))
    }

    /// Returns the paths among the commands as text for a message, each with its fault if it leads to something that
    /// cannot be run. Returns `None` if all commands are names.
    pub fn unusable_paths(&self) -> Option<String> {
        let paths: Vec<_> = self.paths().map(with_fault).collect();
        (!paths.is_empty()).then(|| paths.join(", "))
    }

    /// Returns the path of the command in the first folder of PATH in which it works; `None` if it works in none.
    /// Version managers leave scripts in PATH even for tools that are not installed; such a script does not work.
    fn find_command(&self, command: &str) -> Option<PathBuf> {
        if command.starts_with("~/") {
            return below_home(command).filter(|path| is_executable(path));
        }
        // If `command` is an absolute path, `join` returns it unchanged.
        let places = std::env::split_paths(&search_path()).map(|folder| folder.join(command)).collect::<Vec<_>>();
        places.into_iter().filter(|path| is_executable(path)).find_map(|path| match &self.real {
            None => Some(path),
            Some(arguments) => real_path(&path, arguments),
        })
    }
}

/// Returns the path of a command that begins with `~/`; `None` if it does not, or if the user has no home.
fn below_home(command: &str) -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("HOME")?).join(command.strip_prefix("~/")?))
}

/// Returns a path as text for a message. If the path leads to a folder, or to a file that is not executable, the text
/// says so.
fn with_fault(command: &str) -> String {
    let path = below_home(command).unwrap_or_else(|| PathBuf::from(command));
    if path.is_dir() {
        format!("{command}, which is a folder")
    } else if path.exists() && !is_executable(&path) {
        format!("{command}, which is not executable")
    } else {
        command.to_owned()
    }
}

/// Returns the folder above `bin/`. If the tool is not in a `bin/`, or if the folder above is the root folder, the
/// user's home or its `.local`, returns only the folder that contains the tool.
fn home(tool: &Path) -> PathBuf {
    let folder = tool.parent().unwrap_or(tool);
    let user_home = std::env::var_os("HOME").map(PathBuf::from);
    let is_of_user = |path: &Path| {
        let local = user_home.as_deref().map(|home| home.join(".local"));
        path.parent().is_none() || Some(path) == user_home.as_deref() || Some(path) == local.as_deref()
    };
    match folder.parent() {
        Some(above) if folder.ends_with("bin") && !is_of_user(above) => above.to_path_buf(),
        _ => folder.to_path_buf(),
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Returns the real path of the tool at `first`, which an earlier run may have remembered; `None` if the tool does not
/// work.
fn real_path(first: &Path, arguments: &[String]) -> Option<PathBuf> {
    let mut asked = None;
    let remembered = remembered_of_system(first, "path", arguments.iter().map(String::as_str), || {
        asked = ask_for_real_path(first, arguments);
        asked.as_ref()?.to_str().map(str::to_owned)
    });
    let known = remembered.map(PathBuf::from).or(asked).filter(|path| is_executable(path));
    known.or_else(|| ask_for_real_path(first, arguments))
}

/// Asks the tool at `first` for its real path. Returns `first` if the answer is not a path of a program, and `None` if
/// the tool fails.
///
/// The tool runs outside the sandbox, in the root folder. It must not run in the current folder, which may be a
/// package: a file `rust-toolchain.toml` there could make rustup run a compiler that the package's author chose.
fn ask_for_real_path(first: &Path, arguments: &[String]) -> Option<PathBuf> {
    let mut command = Command::new(std::path::absolute(first).ok()?);
    command.args(arguments).current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    if !output.status.success() {
        return None;
    }
    let answer = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let candidates = [answer.join("bin").join(first.file_name()?), answer];
    Some(
        candidates
            .into_iter()
            .find(|path| path.is_absolute() && is_executable(path))
            .unwrap_or_else(|| first.to_path_buf()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join("bin").join(name);
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn tool(command: &Path) -> Tool {
        Tool { name: "tool".into(), commands: vec![command.display().to_string()], ..Tool::default() }
    }

    #[test]
    fn a_version_managers_script_leads_to_the_tool_and_one_that_fails_to_none() {
        let (shims, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let tool_itself = script(real.path(), "real", "");
        let shim = script(shims.path(), "shim", &format!("echo {}", tool_itself.display()));
        let asked = Tool { real: Some(Vec::new()), ..tool(&shim) };
        assert_eq!(asked.find().unwrap().path, tool_itself);
        let broken = script(shims.path(), "broken", "exit 127");
        let asked = Tool { real: Some(Vec::new()), ..tool(&broken) };
        assert!(matches!(asked.find(), Err(Unready::MissingTool { .. })));
    }

    #[test]
    fn a_tool_is_asked_in_the_root_folder_and_not_in_a_package() {
        let folder = tempfile::tempdir().unwrap();
        let real = script(folder.path(), "real", "");
        let shim = script(folder.path(), "shim", &format!("[ \"$(pwd)\" = / ] && echo {}", real.display()));
        assert_eq!(Tool { real: Some(Vec::new()), ..tool(&shim) }.find().unwrap().path, real);
    }

    #[test]
    fn a_tool_without_what_it_needs_is_not_there_and_says_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let command = script(folder.path(), "compiler", "");
        let needy = || Tool { needs: vec!["lib/library".into()], ..tool(&command) };
        let answer = needy().find().unwrap_err().to_string();
        assert!(answer.contains("lib/library"), "{answer}");
        std::fs::create_dir(folder.path().join("lib")).unwrap();
        std::fs::write(folder.path().join("lib/library"), "").unwrap();
        let found = needy();
        let library = folder.path().canonicalize().unwrap().join("lib");
        assert!(found.find().unwrap().folders.contains(&library));
    }
}
