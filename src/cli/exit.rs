//! The exit codes. They are a contract: scripts depend on them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything is as wanted.
    AsWanted = 0,
    /// A submission was not accepted or not as declared, solvers disagree, an output is wrong.
    NotAsWanted = 1,
    /// Wrong use, or a package or an input that cannot be used.
    Unusable = 2,
    /// The judge itself failed.
    JudgeFailed = 3,
    /// The user interrupted it: 128 + SIGINT, as shells have it.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
