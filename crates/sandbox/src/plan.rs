//! The plan that a zygote receives at its start: the program, the files that the program sees, and the isolation.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The properties of a zygote that stay the same for its life.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ZygotePlan {
    /// The executable's absolute path and its first arguments.
    pub(super) command: Vec<OsString>,
    /// Environment variables, as `NAME=value`.
    pub(super) environment: Vec<OsString>,
    /// The working directory of programs.
    pub(super) directory: OsString,
    /// The files and folders that the program sees, parents first.
    pub(super) views: Vec<View>,
    /// The folder that the program can write; `None` if it can write none.
    pub(super) scratch: Option<ScratchPlan>,
    /// The user and group number that programs run as; `None` if they run as the judge's user.
    pub(super) identity: Option<u32>,
    /// The isolation to set up.
    pub(super) isolation: Isolation,
    /// The file whose opening ends the start of the program, which the zygote keeps warm from there on. `None` if each
    /// run starts the program anew.
    pub(super) warm_until: Option<OsString>,
    /// Whether a control group counts the program's memory.
    pub(super) is_counted: bool,
    /// Whether the program stays on the cores of the zygote.
    pub(super) keeps_cores: bool,
    /// Whether the zygote tries to count the CPU time of its programs with [`super::task_clock`].
    pub(super) uses_task_clock: bool,
}

/// A file or folder as the program sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct View {
    pub(super) path: OsString,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
/// What a program sees at the path of a [`View`].
pub(super) enum Kind {
    /// The machine's file or folder at this path, with everything below it, to read and to execute.
    ReadOnly,
    /// The machine's device at this path.
    Device,
    /// A symbolic link to this target.
    Link(OsString),
    /// A small file with this text.
    Text(String),
    /// An empty folder, which hides the machine's folder.
    Empty,
    /// An empty file that cannot be executed, which hides the machine's file.
    Blank,
}

impl View {
    /// Whether the view hides the machine's file or folder at this path.
    pub(super) fn hides(&self) -> bool {
        matches!(self.kind, Kind::Empty | Kind::Blank)
    }
}

/// A folder that the program can write.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ScratchPlan {
    pub(super) path: OsString,
    pub(super) bytes: u64,
    pub(super) files: u64,
}

/// The parts of the isolation to set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Isolation {
    /// How namespaces are made; `None` if they are not used.
    pub(super) namespaces: Option<Namespaces>,
    pub(super) landlock: bool,
    pub(super) filter: bool,
}

/// How namespaces are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Namespaces {
    /// The judge is root and can make them directly.
    ByRoot,
    /// An ordinary user makes them inside a user namespace.
    ByUser,
}

impl Isolation {
    /// No isolation.
    pub(super) const NONE: Isolation = Isolation { namespaces: None, landlock: false, filter: false };
}

/// An error while a helper set up a zygote or its isolation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SetupError {
    /// The step that failed.
    pub(super) doing: String,
    pub(super) errno: i32,
}

impl SetupError {
    /// Returns a function for `map_err`. The function wraps an error that occurred in the step `doing`.
    pub(super) fn during<E: Into<std::io::Error>>(doing: impl Into<String>) -> impl FnOnce(E) -> SetupError {
        let doing = doing.into();
        move |error| SetupError { doing, errno: errno(&error.into()) }
    }

    /// Whether a file or folder does not exist.
    pub(super) fn is_missing(&self) -> bool {
        self.errno == libc::ENOENT
    }

    pub(super) fn error(&self) -> std::io::Error {
        std::io::Error::from_raw_os_error(self.errno)
    }
}

/// Returns the number of the error. An error without a number gets the number that fits its kind best.
fn errno(error: &std::io::Error) -> i32 {
    error.raw_os_error().unwrap_or(match error.kind() {
        std::io::ErrorKind::TimedOut => libc::ETIMEDOUT,
        std::io::ErrorKind::UnexpectedEof => libc::ECONNRESET,
        _ => libc::EIO,
    })
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {}", self.doing, self.error())
    }
}

/// Returns a path as text for messages.
pub(super) fn display_path(path: &std::ffi::OsStr) -> String {
    PathBuf::from(path).display().to_string()
}
