//! What the judge and a zygote say to each other.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::super::clone::Step;
use super::super::isolation::InForce;
use super::super::plan::SetupError;

/// What a zygote says first.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) enum Startup {
    /// The folder that may be written comes along.
    Folder,
    /// It can be asked for runs.
    Ready(InForce),
    SetupError(SetupError),
}

/// What the judge asks.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) enum Request {
    /// Run the program once; its three streams come along.
    Run {
        /// After those of the plan.
        arguments: Vec<OsString>,
        /// Resources and their limits, soft and hard alike.
        limits: Vec<(u32, u64)>,
    },
    /// End the run.
    Kill,
}

/// What a zygote answers.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) enum Reply {
    /// The program has ended, and nothing of it is left.
    Ended {
        /// As `wait4` tells it.
        status: i32,
        wall_nanoseconds: u64,
        /// Of all processes that were reaped.
        cpu_nanoseconds: u64,
        /// Of the largest process; `None` where it is no larger than the zygote was.
        peak_memory_bytes: Option<u64>,
    },
    /// The program could not be started.
    Failed { step: Step, errno: i32 },
}
