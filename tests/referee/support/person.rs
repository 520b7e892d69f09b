//! The user who runs `referee`: either the user who runs the tests, or, if that is root, an ordinary user.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::Command;
use tempfile::TempDir;

use super::command::{LIMIT, referee};
use super::files;
use super::program::{copy_program, temporary_folder};

/// An unused user id and group id.
const USER: u32 = 47_110;

pub(crate) enum Person {
    Myself,
    Ordinary,
}

impl Person {
    /// Returns an ordinary user. Fails if the user of the tests is not root, because only root can run commands as
    /// another user.
    pub(crate) fn ordinary() -> Result<Person, String> {
        let is_root = rustix::process::geteuid().is_root();
        if is_root { Ok(Person::Ordinary) } else { Err("the user of the tests is not root".to_owned()) }
    }

    /// Returns the command `referee` with `arguments`. This user runs it, in a folder that contains the packages and
    /// programs of the tests.
    pub(crate) fn referee<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        match self {
            Person::Myself => referee(arguments),
            Person::Ordinary => {
                let copy = copy();
                let mut command = self.command(&copy.join("referee"));
                command.args(arguments);
                command.current_dir(copy).env("HOME", copy).env("PATH", "/usr/local/bin:/usr/bin:/bin");
                command
            }
        }
    }

    /// Returns a command with which this user runs `program`, without the settings of another user.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = match self {
            Person::Myself => Command::new(program),
            Person::Ordinary => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", &USER.to_string(), "--regid", &USER.to_string(), "--clear-groups"]);
                command.arg(program);
                command
            }
        };
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").timeout(LIMIT);
        command
    }

    /// Makes this user the owner of a folder.
    pub(crate) fn owns(&self, folder: &Path) {
        if let Person::Ordinary = self {
            chown(folder, Some(USER), Some(USER)).expect("root can give folders away");
        }
    }
}

/// Copies the binary and the tests' files to a folder that every user can read, because the checkout may be in a
/// private folder.
fn copy() -> &'static PathBuf {
    static COPY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = COPY.get_or_init(|| {
        let folder = temporary_folder();
        open_to_all(folder.path());
        copy_program(Path::new(env!("CARGO_BIN_EXE_referee")), &folder.path().join("referee"));
        for part in [
            "tests/hostile",
            "tests/hostile_outside",
            "tests/hostile_sampled",
            "tests/hostile_walls",
            "tests/hostile_trees",
            "tests/packages/judged/sum",
        ] {
            copy_folder(&files::in_repository(part), &folder.path().join(part));
        }
        let path = folder.path().to_path_buf();
        (folder, path)
    });
    path
}

/// Copies a file or a folder to `to`, so that every user can read it. Also makes the folder above `to` readable, so
/// that folder must belong to the tests.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("the folder can be read");
        let below = entry.path().strip_prefix(from).expect("it lies below");
        // Joining an empty path would append a slash, which is an error for a file.
        let target = if below.as_os_str().is_empty() { to.to_path_buf() } else { to.join(below) };
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).expect("a folder can be made");
        } else {
            std::fs::copy(entry.path(), &target).expect("a file can be copied");
        }
        target.ancestors().take_while(|folder| folder.starts_with(to.parent().unwrap_or(to))).for_each(open_to_all);
    }
}

fn open_to_all(path: &Path) {
    let mode = if path.is_dir() { 0o755 } else { 0o644 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions can be set");
}
