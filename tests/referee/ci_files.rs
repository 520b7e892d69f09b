//! Runs the scripts of the GitHub Action (action.yml) and of the template for GitLab (packaging/ci/gitlab.yml), as the
//! two services would: each step in a shell, with the service's variables. Steps that use other actions are left out.

mod github;
mod gitlab;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use referee_package::Document;

use super::support::command::{settings, write};
use super::support::files::in_repository;

/// Reads a YAML file of the repository.
fn yaml(name: &str) -> Document {
    Document::read(&in_repository(name)).unwrap_or_else(|findings| panic!("{name}: {findings}"))
}

/// Returns the value at a path of keys.
pub(crate) fn at<'a>(document: &'a Document, keys: &[&str]) -> &'a Document {
    keys.iter().fold(document, |inside, key| inside.get(key).unwrap_or_else(|| panic!("{keys:?}: no key {key}")))
}

/// The exit code of a script, and its output.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a script in `folder` with only these variables and the commands in `bin` besides those of the system.
pub(crate) fn run_script(script: &str, folder: &Path, bin: &[PathBuf], variables: &[(&str, &str)]) -> Ended {
    let system = std::env::var("PATH").expect("there is a PATH");
    let path = bin.iter().map(|folder| folder.display().to_string()).chain([system]).collect::<Vec<_>>().join(":");
    let mut shell = Command::new("bash");
    shell.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]).current_dir(folder);
    shell.env_clear().env("PATH", path).env("XDG_CONFIG_HOME", settings().join("config")).envs(variables.to_vec());
    let output = shell.stdin(Stdio::null()).output().expect("bash starts");
    Ended {
        code: output.status.code().expect("the script is not killed"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Writes an executable script.
pub(crate) fn write_script(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = write(folder, name, &format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a mode can be set");
}
