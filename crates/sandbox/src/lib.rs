//! Runs one program under limits, isolated from the machine, and reports its [`Outcome`]. All unsafe code of the
//! project is in this crate.
//!
//! # Theory of operation
//!
//! Isolation is expensive to set up and cheap to inherit. So the sandbox sets it up once for each program, around a
//! small process that starts the program as often as the judge asks.
//!
//! 1. **The spawner** ([`zygote`]). The judge may hold gigabytes and has many threads, so it never forks. It executes
//!    its own binary once more (`clone` in the way of vfork, then `execve` of `/proc/self/exe`). That process stays
//!    small and has one thread.
//! 2. **The zygote.** The spawner forks one zygote for each program, and one more for each run of the program that
//!    happens at the same time. A zygote is born into new namespaces of mounts, processes, network, System V, host name
//!    and control groups (`clone` with `CLONE_PARENT`, so that the judge can wait for it). For an ordinary user there
//!    is a user namespace as well, in which that user may set up the others. The zygote joins its control group by
//!    writing to it, so that everything it starts is counted from the first instruction.
//! 3. **Isolation** ([`isolation`]). The zygote moves into a private root (`open_tree`, `mount_setattr`, `move_mount`,
//!    `pivot_root`): read-only copies of the system's folders and of the program's own, a tmpfs of bounded size if the
//!    program may write, and a `/proc` that shows only its own processes. It becomes a user that owns nothing
//!    (`setresuid`), or gives up its capabilities (`capset`). It can never gain privileges again
//!    (`PR_SET_NO_NEW_PRIVS`), may open only what Landlock's rules allow, and calls the kernel through a filter
//!    (`seccomp`). The program inherits all of this.
//! 4. **A run** ([`run`]). The judge sends the zygote a request with three descriptors: the input and the writing ends
//!    of two pipes. The input is a sealed copy in memory (`memfd_create`), because `/proc/self/fd/0` of the package's
//!    own file would lead to the answer beside it. The zygote starts the program ([`clone`]). Between clone and exec
//!    the program gets its session, streams and limits (`setsid`, `dup2`, `setrlimit`) and loses every other descriptor
//!    (`close_range`). The zygote is the first process of the namespace, not the program: as first process, a program
//!    that calls `abort` would seem to end by a bad address.
//! 5. **Watching.** The judge polls both pipes and the zygote's answer. It reads the pipes up to their limits, checks
//!    the CPU clock of the control group and the monotonic clock, and has the zygote kill all processes of the run when
//!    a limit is exceeded.
//! 6. **Cleaning up.** When the main process has ended, the zygote kills all others in its namespace and reaps them.
//!    One system call reaches all of them (`kill` with -1 from the first process). Only then does the zygote answer. If
//!    the judge dies, the socket closes, the zygote ends with it, and the kernel kills everything in the namespace.
//! 7. **An interactive run** ([`mod@interactive`]). Two programs run at the same time, each with its own isolation, and
//!    the judge relays their messages.
//!
//! A zygote whose program had a writable folder is used once, so that every run finds a new folder. Other zygotes are
//! used again. One run can still tell the next run of the same program two things: the number of processes it made,
//! because process numbers go on from there, and, by timing, which files of the system it read.
//!
//! # What is measured
//!
//! With control groups ([`cgroup`]) of either version, the sandbox measures CPU time and peak memory of the whole
//! process tree. That includes orphans, files in memory and the kernel's buffers; it excludes what earlier runs left in
//! the file cache, and the setup. Without control groups, CPU time is that of all processes that were reaped or seen
//! alive. Memory is the larger of two figures: the largest process's peak, and the largest sum over all processes seen
//! at once. It is unknown (not 0) where nothing larger than the zygote was seen. Wall time runs from the exec to the
//! end.
//!
//! # Where something is missing
//!
//! [`machine`] finds out by trying what the kernel allows. Without namespaces the zygote is not isolated itself: each
//! program applies Landlock's rules and the filter between clone and exec, and the zygote finds the processes that a
//! program leaves behind among its adopted children. [`Enforcement`] lists for each part of the isolation whether it is
//! enforced, the reason if it is not, and what to do. [`mechanisms`] lists the same by mechanism.
//!
//! The sandbox knows no verdict. It reports how the program ended, which limit it exceeded first, and what it used.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]
#![allow(unsafe_code, reason = "system calls without a safe wrapper; nothing outside this module may do this")]

mod cgroup;
mod clone;
mod closed_stdout;
mod deadline;
mod enforcement;
mod instance;
mod interactive;
pub mod interrupt;
mod isolation;
mod machine;
mod mechanism;
mod monitor;
mod output;
mod plan;
mod run;
mod spawn;
mod stack;
mod syscall;
mod view;
mod waiting;
mod zygote;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use closed_stdout::output_was_closed;
pub use enforcement::{Enforcement, Mode, Overall, Part, State};
pub use instance::{Instance, Sandbox};
pub use interactive::{Exchange, Interaction, InteractiveError, Participant, Side, run_interactive};
pub use machine::{check_what_is_left_out, closed_to_programs, machine_memory_bytes};
pub use mechanism::mechanisms;
pub use output::Captured;
pub use spawn::inherited_limits;

/// Everything about a program that stays the same from run to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable's absolute path and its first arguments.
    pub command: Vec<OsString>,
    /// The directory it runs in: its own files and build products.
    pub directory: PathBuf,
    /// Environment variables, all of them: nothing is inherited from the judge.
    pub environment: Vec<(OsString, OsString)>,
    /// What it may read and execute besides the system's own folders.
    pub readable: Vec<PathBuf>,
    /// What it must not see, even if it lies in the system's folders.
    pub hidden: Vec<PathBuf>,
    /// The one folder it may write, if any. It is new and empty for each [`Instance`].
    pub scratch: Option<Scratch>,
    /// Who it is.
    pub identity: Identity,
}

/// A folder that a program may write.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Where the program finds it. Where no private roots can be made this very folder is used, and has to be there.
    pub path: PathBuf,
    /// All that can be written, in bytes.
    pub bytes: u64,
    /// How many files and folders can be made.
    pub files: u64,
}

impl Scratch {
    fn plan(&self) -> plan::ScratchPlan {
        plan::ScratchPlan { path: self.path.clone().into_os_string(), bytes: self.bytes, files: self.files }
    }
}

/// Who a program is, where the judge is root. Elsewhere it is who the judge is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A user that owns nothing.
    Nobody,
    /// The owner of this file, without any privilege: for programs that have to read files which others may not.
    OwnerOf(PathBuf),
}

/// How many processes and threads a program may have at once. Run-times start dozens; nobody needs more to solve.
const MOST_PROCESSES: u64 = 512;

/// What one run may use. Crossing a limit ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// User plus system time.
    pub cpu: Duration,
    /// Time on the wall, without the time in which the run waited for a core. A run ends after ten times this, however
    /// much of that it waited.
    pub wall: Duration,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output and standard error together.
    pub output_bytes: u64,
    /// When the judge stops the run, however little the program has used; `None` if the judge never does. The run then
    /// has no outcome: it ends as [`SandboxError::Interrupted`].
    pub until: Option<Instant>,
}

impl Limits {
    /// Whether the judge stops the run now: the user wants it, or the time for it is over.
    fn is_interrupted(&self) -> bool {
        interrupt::happened() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// What a program finds on its standard input.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Nothing.
    Empty,
    /// A copy of the file.
    File(&'a Path),
    /// What another program wrote.
    Captured(&'a Captured),
}

/// One run of a program.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Arguments after those of [`Program::command`].
    pub arguments: Vec<OsString>,
    /// Standard input.
    pub input: Input<'a>,
    /// The limits of this run.
    pub limits: Limits,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code.
    Exited(i32),
    /// A signal ended it, perhaps the judge's own after a limit was crossed.
    Signaled(i32),
}

/// A limit that was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossed {
    /// [`Limits::cpu`].
    Cpu,
    /// [`Limits::wall`].
    Wall,
    /// [`Limits::memory_bytes`].
    Memory,
    /// [`Limits::output_bytes`].
    Output,
    /// The stack, which may be as large as [`Limits::memory_bytes`] less a reserve.
    Stack,
}

/// What a run used. Unknown is `None`, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// User plus system time.
    pub cpu: Duration,
    /// Time on the wall, from the start of the program to its end.
    pub wall: Duration,
    /// The part of that in which it was runnable and waited for a core; `None` if nobody looked, as in runs that end
    /// long before their wall limit, or if the kernel does not tell.
    pub waited: Option<Duration>,
    /// Peak memory in bytes.
    pub memory_bytes: Option<u64>,
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub ended: Ended,
    /// The limit that was crossed first, if any was.
    pub crossed: Option<Crossed>,
    /// What it used.
    pub usage: Usage,
    /// What it wrote to its standard output and standard error together, up to the cap.
    pub printed_bytes: u64,
    /// Its standard output, up to the cap; empty if that was delivered to another program.
    pub stdout: Captured,
    /// Its standard error, up to the cap.
    pub stderr: Captured,
}

/// A program could not be run. Apart from [`SandboxError::Start`] that is never its own fault.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program's file cannot be executed: it is gone, or is no program of this machine.
    #[error("{program} cannot be executed: {source}")]
    Start {
        /// The executable.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// The input could not be read.
    #[error("cannot read the input {path}: {source}")]
    Input {
        /// The input file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The isolation could not be put up.
    #[error("cannot isolate a program: {reason}")]
    Isolation {
        /// What failed.
        reason: String,
        /// Why.
        source: io::Error,
    },
    /// A system call failed during a run.
    #[error("the judge failed while {doing}: {source}")]
    System {
        /// What the judge was doing.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The user interrupted the judge, or [`Limits::until`] has come.
    #[error("interrupted")]
    Interrupted,
}

fn system(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::System { doing, source }
}

/// Ends what helps to make sandboxes, at the end of the judge. Sandboxes that are open go on.
pub fn end_helpers() {
    zygote::end_spawner();
}

#[cfg(test)]
mod tests;
