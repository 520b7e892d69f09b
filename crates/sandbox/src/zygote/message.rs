//! Defines the messages between the judge and a zygote.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::super::clone::Step;
use super::super::isolation::InForce;
use super::super::plan::SetupError;

/// The first messages of a zygote.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) enum Startup {
    /// The message carries a descriptor of the folder to which the program can write.
    Folder,
    /// The message carries a counter of the CPU time of everything that the zygote starts
    /// ([`super::super::task_clock`]).
    TaskClock,
    /// The zygote is ready for requests.
    Ready(InForce),
    SetupError(SetupError),
}

/// A request of the judge to run the program once. The message carries the streams that are [`Source::Sent`] or
/// [`Source::SentToKeep`]: first standard input, then standard output and standard error.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) struct Request {
    /// Arguments after those of the plan.
    pub(in super::super) arguments: Vec<OsString>,
    /// Resources and their limits. Each value is both the soft and the hard limit.
    pub(in super::super) limits: Vec<(u32, u64)>,
    /// Whether the zygote may fork the program from a warm process.
    pub(in super::super) may_be_warm: bool,
    /// The core to which the zygote moves; `None` if the kernel chooses.
    pub(in super::super) core: Option<usize>,
    pub(in super::super) input: Source,
    pub(in super::super) outputs: Source,
}

/// Where a stream of a run comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Source {
    /// The message carries it, for this run only.
    Sent,
    /// The message carries it, and the zygote keeps it for later runs.
    SentToKeep,
    /// The zygote has kept it.
    Kept,
}

/// An answer of a zygote.
#[derive(Debug, Serialize, Deserialize)]
pub(in super::super) enum Reply {
    /// The program has ended, and none of its processes is left.
    Ended {
        /// The status as `wait4` returns it.
        status: i32,
        wall_nanoseconds: u64,
        /// CPU time of all processes that were reaped; `None` if a control group counts it.
        cpu_nanoseconds: Option<u64>,
        /// Peak memory of the largest process, in bytes; `None` if it is not larger than the peak of the zygote, or if
        /// a control group measures it.
        peak_memory_bytes: Option<u64>,
        /// The start of the warm process; `None` if the run had nothing to do with one.
        warm: Option<WarmStart>,
    },
    /// The program could not be started.
    Failed { step: Step, errno: i32 },
}

/// The figures of a warm process. They turn those of a fork into those of a program that starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct WarmStart {
    /// The CPU time of the start without the cost of tracing it; 0 if the program was not forked.
    pub(in super::super) cpu_nanoseconds: u64,
    /// The CPU time that the warm process has used during this run, which the control group counts.
    pub(in super::super) counted_cpu_nanoseconds: u64,
    /// The memory of the warm process in bytes; 0 if the program was not forked.
    pub(in super::super) held_bytes: u64,
    /// Whether the warm process started in this run, so that the control group counts its memory.
    pub(in super::super) is_new: bool,
}
