//! Runs a program under limits, isolated from the machine, and reports how it ended and how much time and memory it
//! used ([`Outcome`]). Needs Linux. All unsafe code that makes system calls is in this crate.
//!
//! # Example
//! ```standalone_crate
//! use std::time::Duration;
//! use referee_sandbox::{Config, Crossed, Ended, Input, Limits, Mode, Program, Run, Sandbox, SandboxError, init};
//!
//! fn main() -> Result<(), SandboxError> {
//!     init(Config::new("example"));
//!     let program = Program::new(["/bin/sh", "-c", "echo $((6 * 7)); while :; do :; done"], "/");
//!     let (cpu, wall) = (Duration::from_millis(300), Duration::from_secs(3));
//!     let limits = Limits { cpu, wall, memory_bytes: 64 << 20, output_bytes: 1 << 20, until: None };
//!     let sandbox = Sandbox::open(program, Mode::Auto); // no network, no file to write
//!     let outcome = sandbox.run(&Run { arguments: Vec::new(), input: Input::Empty, limits })?;
//!     let verdict = match (outcome.crossed, outcome.ended) {
//!         (Some(Crossed::Cpu | Crossed::Wall), _) => "time limit exceeded",
//!         (Some(limit), _) => &format!("limit exceeded: {limit:?}"),
//!         (None, Ended::Exited(0)) => "ended normally",
//!         (None, _) => "run-time error",
//!     };
//!     println!("{verdict}, {:?}, it wrote {:?}", outcome.usage.cpu, String::from_utf8_lossy(&outcome.stdout));
//! #   assert_eq!((verdict, &*outcome.stdout), ("time limit exceeded", &b"42\n"[..]));
//!     Ok(())
//! }
//! ```
//!
//! Call [`init`](fn@init) first in `main`; its documentation explains why. [`Mode::Auto`] enforces as much as the
//! machine allows, and [`Enforcement`] lists how much that is. To run several programs at the same time, use several
//! threads; they can share one [`Sandbox`]. [`run_interactive`] connects two programs.
//!
//! # Terms
//! - The **judge** is the process that uses this crate.
//! - The **program** is the command that the judge runs, with all processes that it starts.
//! - The **spawner** and the **zygotes** are helper processes of the judge. A zygote is a process that is prepared once
//!   and then starts a program again and again; the term comes from Android.
//!
//! # Theory of operation
//!
//! Isolation is expensive to set up and cheap to inherit. So the sandbox isolates a small process, the zygote, once for
//! each program. The zygote then starts the program once for each request of the judge.
//!
//! 1. **The spawner** ([`zygote`]). The judge may use gigabytes and many threads, so it never forks. It executes its
//!    own binary once more (`clone` with `CLONE_VFORK`, then `execve` of `/proc/self/exe`). In that process
//!    [`init`](fn@init) does not return. The process stays small and has one thread.
//! 2. **The zygote.** The spawner forks one zygote for each program. If several runs of a program happen at the same
//!    time, each of them has a zygote of its own. A zygote begins in new namespaces of mounts, processes, network,
//!    System V, host name and control groups (`clone`). The judge is its parent (`CLONE_PARENT`), so that the judge can
//!    wait for it. If the judge is not root, the zygote also gets a user namespace, in which it may set up the other
//!    namespaces. The zygote joins its control group before it starts anything, so that the group counts every process
//!    from its first instruction.
//! 3. **Isolation** ([`isolation`]). The zygote moves into a private root (`open_tree`, `mount_setattr`, `move_mount`,
//!    `pivot_root`). The root contains read-only mounts of the system's folders and of the program's own folders, a
//!    tmpfs of bounded size if the program may write, and a `/proc` that shows only the program's processes. If the
//!    judge is root, the zygote becomes a user that owns nothing (`setresuid`). It gives up its capabilities
//!    (`capset`). It can never gain privileges again (`PR_SET_NO_NEW_PRIVS`), can open only the files that Landlock's
//!    rules allow, and can make only the system calls that a filter allows (`seccomp`). The program inherits all of
//!    this.
//! 4. **A run** ([`run`]). The judge sends the zygote a request with three descriptors: the input and the writing ends
//!    of two pipes. The input is a sealed copy in memory (`memfd_create`), because with the package's own file as
//!    input, `/proc/self/fd/0` would lead the program to the answer file in the same folder. The zygote keeps the
//!    descriptors for its next run if the program cannot leave anything in them ([`streams`]). The zygote starts the
//!    program ([`clone`]). Between clone and exec the program gets its session (`setsid`), streams (`dup2`) and limits
//!    (`setrlimit`), and loses every other descriptor (`close_range`). Process 1 of the namespace is the zygote, not the
//!    program. The reason is that the kernel ignores SIGABRT for process 1: a program that called `abort` as process 1
//!    would end with SIGSEGV.
//! 5. **Monitoring** ([`monitor`]). The judge polls the zygote's answer and, after the first millisecond, both pipes. It
//!    reads the pipes up to their limits, and checks the CPU clock of the control group and the monotonic clock. When a
//!    limit is exceeded, it sends a byte, which makes the kernel interrupt the zygote (SIGIO), and the zygote kills all
//!    processes of the run.
//! 6. **Cleaning up.** When the main process has ended, the zygote kills all others in its namespace and reaps them.
//!    One system call reaches all of them (`kill` with -1 from process 1). Only then does the zygote answer. If the
//!    judge dies, its end of the socket closes. Then the zygote ends, and the kernel kills everything in the namespace.
//! 7. **An interactive run** ([`mod@interactive`]). Two programs run at the same time, each with its own isolation, and
//!    the judge relays their messages.
//!
//! A zygote can also keep an interpreter warm ([`Program::warm_until`]): from the second run on, it starts the
//! interpreter once and forks it for each run, instead of starting it anew. `zygote/warm.rs` describes how, and why no
//! run can reach another one by that.
//!
//! A zygote is used again for the next [`Instance`]. If its program has a writable folder, this happens only on request
//! ([`Scratch::is_reused`]), and only if the folder can be emptied ([`mod@scratch`]). One run can still pass a few facts
//! to the next run of the same program. The first is the number of processes that it made, because process numbers
//! continue from there. The second is which of the system's files it read, because reading a cached file takes less
//! time. The third is which of its streams it changed, because the judge replaces these. The fourth is the number of
//! files that it made in a folder that was emptied, because the kernel numbers them.
//!
//! # What is measured
//!
//! With control groups ([`cgroup`]) of either version, the sandbox measures CPU time and peak memory of the whole
//! process tree. These figures include orphans, files in memory and the kernel's buffers. They exclude the setup, and
//! the file cache that earlier runs left. Without control groups, the judge samples the processes ([`sampling`]). The
//! CPU time is the largest of three figures: a counter of the kernel, if the kernel allows it ([`task_clock`]); the sum
//! over all reaped processes; and the sum of the samples. The memory is the larger of two figures: the peak of the
//! largest reaped process, and the largest sum of a sample, in which shared memory counts once. The memory is unknown
//! (not 0) if no sample found a living process and no reaped process was larger than the zygote. Wall time runs from
//! the exec to the end.
//!
//! # If a mechanism is missing
//!
//! [`machine`] tests which mechanisms the kernel allows. Without namespaces the zygote itself is not isolated. Instead,
//! each program applies Landlock's rules and the filter between clone and exec. The zygote finds the processes that a
//! program leaves behind, because the kernel makes them the zygote's children (`PR_SET_CHILD_SUBREAPER`).
//! [`Enforcement`] lists whether each part of the isolation is enforced, and if not, the reason and the remedy.
//! [`mechanisms`] lists the same for each mechanism.
//!
//! The sandbox does not decide verdicts. It reports how the program ended, which limit it exceeded first, and how much
//! time and memory it used.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]
#![allow(unsafe_code, reason = "system calls without a safe wrapper; no other crate of the workspace may make them")]

mod cgroup;
mod clone;
mod closed_stdout;
mod container;
mod core_dumps;
mod cores;
mod deadline;
mod descriptors;
mod enforcement;
mod folder_usage;
mod idle;
mod init;
mod inode_numbers;
mod instance;
mod interactive;
pub mod interrupt;
mod isolation;
mod machine;
mod mechanism;
mod monitor;
mod output;
mod plan;
mod program;
mod refusal;
mod remembered;
mod resource_limits;
mod run;
mod sampling;
mod schedule;
mod scheduling;
mod scratch;
mod stack;
mod stat_line;
mod streams;
mod syscall;
mod task_clock;
mod view;
mod waiting;
mod zygote;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

pub use cgroup::{ProcessRoom, process_room};
pub use closed_stdout::{output_was_closed, record_closed_output};
pub use cores::usable_cores;
pub use enforcement::{Enforcement, Mode, Overall, Protection, State};
pub use idle::set_most_idle;
pub use init::{Config, init};
pub use inode_numbers::InodeNumbers;
pub use instance::{Instance, Sandbox};
pub use interactive::{Exchange, Interaction, InteractiveError, Overload, Participant, Side, run_interactive};
pub use machine::{
    check_disabled_mechanisms, first_inaccessible_folder, has_private_root, machine_memory_bytes, why_never_warm,
};
pub use mechanism::mechanisms;
pub use output::Captured;
pub use program::{Identity, MAX_PROCESSES, Program, Scratch};
pub use remembered::{Memory, remember_with};
pub use resource_limits::inherited_limits;
pub use scheduling::inherited_scheduling;

/// The smallest memory limit of a control group, in bytes. The kernel refuses a limit below the memory that a control
/// group already uses.
const MIN_MEMORY_BYTES: u64 = 1 << 20;

/// The limits of one run. The sandbox ends a run that exceeds one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// User plus system CPU time.
    pub cpu: Duration,
    /// Wall time. Time in which the program was ready to run and waited for a CPU core does not count. After ten times
    /// this limit the run ends in any case.
    pub wall: Duration,
    /// Peak memory in bytes. The limit of the control group is at least 1 MiB, even if this value is smaller.
    pub memory_bytes: u64,
    /// Bytes on standard output and standard error together.
    pub output_bytes: u64,
    /// The time at which the judge stops the run, even if the program has exceeded no other limit; `None` if there is
    /// no such time. A stopped run fails with [`SandboxError::Interrupted`].
    pub until: Option<Instant>,
}

impl Limits {
    /// Whether the judge stops the run now: the user has interrupted the judge, or `until` has passed.
    fn is_interrupted(&self) -> bool {
        interrupt::happened() || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// The standard input of a program.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// An empty input.
    Empty,
    /// A copy of the file.
    File(&'a Path),
    /// A copy of another program's output.
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

/// What the sandbox does with output beyond [`Limits::output_bytes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExcessOutput {
    /// It ends the program: [`Crossed::Output`].
    #[default]
    EndsTheRun,
    /// It discards the rest, and the program continues. The limit then applies to standard output and standard error
    /// separately, and [`Captured::overflowed`] says whether something was discarded.
    IsLost,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code.
    Exited(i32),
    /// A signal ended it. The signal may be the SIGKILL that the judge sends after the program has exceeded a limit.
    Signaled(i32),
}

/// A limit that a program exceeded.
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
    /// [`Scratch::bytes`] or [`Scratch::files`]. With namespaces, writing more fails instead.
    Files,
    /// The stack limit, which is [`Limits::memory_bytes`] minus a reserve.
    Stack,
    /// No limit was exceeded. Both sides of an interactive run wait for each other, so neither can continue.
    Deadlock,
}

/// The time and memory of a run. An unknown figure is `None`, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// User plus system CPU time.
    pub cpu: Duration,
    /// Wall time from the start of the program to its end.
    pub wall: Duration,
    /// The part of the wall time in which the program was ready to run and waited for a CPU core. `None` if the kernel
    /// does not count it, or if the sandbox did not measure it: the run ended long before its wall limit, or had too
    /// many processes.
    pub waited: Option<Duration>,
    /// Peak memory in bytes; `None` if it is unknown.
    pub memory_bytes: Option<u64>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How the program ended.
    pub ended: Ended,
    /// The limit that the program exceeded first; `None` if it exceeded none.
    pub crossed: Option<Crossed>,
    /// The time and memory that the program used.
    pub usage: Usage,
    /// The number of bytes that the program wrote to standard output and standard error together, up to the limit.
    pub printed_bytes: u64,
    /// The program's standard output, up to the limit; empty if it was delivered to another program.
    pub stdout: Captured,
    /// The program's standard error, up to the limit.
    pub stderr: Captured,
}

/// The reason why a program could not be run. Only [`SandboxError::Start`] can be the program's own fault.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The program's file cannot be executed: it does not exist, or this machine cannot execute it.
    #[error("{program} cannot be executed: {source}")]
    Start {
        /// The executable.
        program: String,
        /// The cause.
        source: io::Error,
    },
    /// The input could not be read.
    #[error("cannot read the input {path}: {source}")]
    Input {
        /// The input file.
        path: String,
        /// The cause.
        source: io::Error,
    },
    /// The isolation could not be set up.
    #[error("the judge failed to isolate a program while {reason}")]
    Isolation {
        /// The step that failed, with the cause.
        reason: String,
        /// The cause.
        source: io::Error,
    },
    /// The judge did not call [`init`](fn@init).
    #[error("the sandbox is not initialised; call init first in main, and init_before_main! in tests")]
    NotInitialised,
    /// A system call failed during a run.
    #[error("the judge failed while {doing}: {}", error_words(source))]
    System {
        /// The step that failed.
        doing: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The user interrupted the judge, or the time [`Limits::until`] has passed.
    #[error("interrupted")]
    Interrupted,
}

/// Returns the text of an error. If a disk is full, the text names the folder for temporary files, because that is
/// where the judge writes while programs are built and run.
pub fn error_words(error: &io::Error) -> String {
    let text = error.to_string();
    let kinds = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
    if !is_one_of(error, &kinds) || text.contains(FULL) {
        return text;
    }
    // The standard library returns an empty path for an empty variable.
    let folder =
        Some(std::env::temp_dir()).filter(|path| !path.as_os_str().is_empty()).unwrap_or_else(|| "/tmp".into());
    format!("{text}{FULL}{}; free space there, or set TMPDIR to a folder with more space", folder.display())
}

/// The words between an error and the folder whose disk is full.
const FULL: &str = " in the folder for temporary files, ";

/// Whether the error, or an error that caused it, is of one of these kinds.
fn is_one_of(error: &io::Error, kinds: &[io::ErrorKind]) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if found.downcast_ref::<io::Error>().is_some_and(|error| kinds.contains(&error.kind())) {
            return true;
        }
        cause = found.source();
    }
    false
}

/// Returns a function for `map_err`. The function wraps an I/O error that occurred in the step `doing`.
fn system(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::System { doing, source }
}

/// Ends the spawner and reaps it. The judge calls this function before it exits. Existing sandboxes remain usable: when
/// one of them needs a new zygote, the judge starts a new spawner.
pub fn end_helpers() {
    zygote::end_spawner();
}

#[cfg(test)]
init_before_main!(Config::new("sandbox").without_from("SANDBOX_WITHOUT"));

#[cfg(test)]
mod tests;
