//! The plan that a zygote receives at its start: the program, what it may see, and how it is isolated.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Everything about a zygote that stays the same for its life.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The executable's absolute path and its first arguments.
    pub(super) command: Vec<OsString>,
    /// Environment variables, as `NAME=value`.
    pub(super) environment: Vec<OsString>,
    /// The folder that programs run in.
    pub(super) directory: OsString,
    /// What of the machine's files is there, parents first.
    pub(super) views: Vec<View>,
    /// The folder that may be written, if any.
    pub(super) scratch: Option<ScratchPlan>,
    /// The user and group number to become, where the judge is root.
    pub(super) identity: Option<u32>,
    /// The isolation to set up.
    pub(super) isolation: Isolation,
    /// Whether a control group counts the program's memory.
    pub(super) is_counted: bool,
}

/// One place in the file system as the program sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct View {
    pub(super) path: OsString,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Kind {
    /// The machine's file or folder of that name, with everything below it, to read and to execute.
    ReadOnly,
    /// The machine's device of that name.
    Device,
    /// A symbolic link to this.
    Link(OsString),
    /// A small file with this text.
    Text(String),
    /// An empty folder in the place of the machine's.
    Empty,
    /// Nothing that can be read or executed, in the place of the machine's file.
    Blank,
}

/// A folder that may be written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ScratchPlan {
    pub(super) path: OsString,
    pub(super) bytes: u64,
    pub(super) files: u64,
}

/// The kind of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Isolation {
    /// How namespaces are come by, if they are used at all.
    pub(super) namespaces: Option<Namespaces>,
    pub(super) landlock: bool,
    pub(super) filter: bool,
}

/// How namespaces are come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Namespaces {
    /// The judge is root and may make them.
    ByRoot,
    /// In a user namespace, where an ordinary user may.
    ByUser,
}

impl Isolation {
    /// None at all.
    pub(super) const NONE: Isolation = Isolation { namespaces: None, landlock: false, filter: false };
}

/// An error while isolation was set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SetupError {
    /// What the helper was doing.
    pub(super) doing: String,
    pub(super) errno: i32,
}

impl SetupError {
    /// For `map_err`: makes the error of a step that the kernel refused.
    pub(super) fn in_<E: Into<std::io::Error>>(doing: impl Into<String>) -> impl FnOnce(E) -> SetupError {
        let doing = doing.into();
        move |error| SetupError { doing, errno: errno(&error.into()) }
    }

    pub(super) fn error(&self) -> std::io::Error {
        std::io::Error::from_raw_os_error(self.errno)
    }
}

/// The kernel's number for an error, or the one that comes nearest.
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

/// Paths as text, for messages of helpers.
pub(super) fn shown(path: &std::ffi::OsStr) -> String {
    PathBuf::from(path).display().to_string()
}
