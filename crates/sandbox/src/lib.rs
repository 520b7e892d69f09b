//! One program under limits, behind walls, gives one [`Outcome`]. All unsafe code of the project lives here.
//!
//! # Theory of operation
//!
//! Walls are dear to put up and cheap to inherit. So they are put up once per program, around a small process that
//! then starts the program as often as it is asked to.
//!
//! 1. **The nursery** ([`zygote`]). The judge may hold gigabytes and has many threads, so it never forks. It executes
//!    its own binary once more (`clone` in the way of vfork, then `execve` of `/proc/self/exe`), which stays a small
//!    process of one thread.
//! 2. **The zygote.** For each program, and each run of it that goes on at the same time, the nursery forks a zygote
//!    into new namespaces of mounts, processes, network, System V, host name and control groups (`clone` with
//!    `CLONE_PARENT`, so that the judge can wait for it); for an ordinary user into a user namespace as well, in which
//!    it is the same user and may do all that. The zygote joins its control group by writing to it, so that
//!    everything it starts is counted from its first instruction.
//! 3. **The walls** ([`walls`]). The zygote moves into a private root: read-only copies of the system's folders and of
//!    the program's own (`open_tree`, `mount_setattr`, `move_mount`, `pivot_root`), a tmpfs of bounded size if the
//!    program may write, a `/proc` that shows its own processes. It becomes a user that owns nothing (`setresuid`), or
//!    gives up its capabilities (`capset`); it can never gain privileges again (`PR_SET_NO_NEW_PRIVS`), may open only
//!    what Landlock's rules allow, and calls the kernel through a filter (`seccomp`). All of that is inherited.
//! 4. **A run** ([`run`]). The judge sends the zygote a request with three descriptors: the input, a sealed copy in
//!    memory (`memfd_create`; the package's own file would lead to the answer beside it through `/proc/self/fd/0`), and
//!    the writing ends of two pipes. The zygote starts the program ([`clone`]): between clone and exec it takes its
//!    session, streams and limits (`setsid`, `dup2`, `setrlimit`), and loses every other descriptor (`close_range`).
//!    The zygote is the first process of the namespace, the program never is: there `abort` would look like a bad
//!    address.
//! 5. **The watch.** The judge polls both pipes and the zygote's answer. It reads the pipes up to their caps, looks at
//!    the group's CPU clock and at the monotonic clock, and has the zygote kill everybody when a limit is crossed.
//! 6. **The sweep.** When the main process has ended, the zygote kills all others in its namespace, which is one system
//!    call that misses nobody (`kill` with -1 as first process), and reaps them. Only then it answers. When the judge
//!    is gone, however it went, the socket ends, the zygote with it, and the kernel ends everything in the namespace.
//!
//! 7. **A talk** ([`mod@talk`]). Two programs, each in a place of its own, run at the same time, and the judge carries
//!    what they say to each other.
//!
//! A zygote that gave its program a folder to write in is used once; every run finds a new folder. Another zygote is
//! used again. What a run can still tell the next one of the same program is how many processes it made, by the numbers
//! that the next ones get, and, by timing, which files of the system it has read.
//!
//! # What is measured
//!
//! With control groups ([`cgroup`]), of either version: CPU time and peak memory of the whole tree, orphans, files in
//! memory and the kernel's own buffers included; what earlier runs have left in the file cache is not billed, nor is
//! setting up. Without: CPU time of all processes that were reaped or seen alive, and the larger of the largest one's
//! peak and what all were seen to have at once; unknown (not 0) where nothing larger than the zygote was seen. Time on
//! the wall goes from the exec to the end.
//!
//! # Where something is missing
//!
//! [`machine`] finds out by trying. Without namespaces the zygote stays outside the walls, each program puts on
//! Landlock's rules and the filter between clone and exec, and what it leaves behind is found among the zygote's
//! adopted children. [`Enforcement`] lists, part by part, what is enforced, why not, and what to do; [`mechanisms`]
//! does so by mechanism.
//!
//! A sandbox knows no verdict. It reports how the program ended, which limit it crossed first, and what it used.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]
#![allow(unsafe_code, reason = "system calls without a safe wrapper; nothing outside this module may do this")]

mod cgroup;
mod clone;
mod enforcement;
pub mod interrupt;
mod machine;
mod mechanism;
mod output;
mod patience;
mod plan;
mod room;
mod run;
mod spawn;
mod stack;
mod standard;
mod syscall;
mod talk;
mod view;
mod waiting;
mod walls;
mod watched;
mod zygote;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use enforcement::{Enforcement, Mode, Overall, Part, State};
pub use machine::{check_what_is_left_out, closed_to_programs, machine_memory_bytes};
pub use mechanism::mechanisms;
pub use output::Captured;
pub use room::{Room, Sandbox};
pub use spawn::inherited_limits;
pub use standard::output_was_closed;
pub use talk::{Exchange, Side, Speaker, Talk, TalkError, talk};

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
    /// The one folder it may write, if any. It is new and empty for each [`Room`].
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
    /// The walls could not be put up.
    #[error("cannot put walls around a program: {reason}")]
    Walls {
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
    zygote::end_nursery();
}

#[cfg(test)]
mod tests;
