//! One program under limits, behind walls, gives one [`Outcome`]. All unsafe code of the project lives here.
//!
//! # Theory of operation
//!
//! Walls are dear to put up and cheap to inherit. So they are put up once per program, around a small process that
//! then starts the program as often as it is asked to.
//!
//! 1. **The nursery** ([`zygote`]). The judge may hold gigabytes and has many threads, so it never forks. It executes its
//!    own binary once more (`clone` in the way of vfork, then `execve` of `/proc/self/exe`), which stays a small process
//!    of one thread.
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
//!    session, streams and limits (`setsid`, `dup2`, `setrlimit`), and loses every other descriptor (`close_range`). The
//!    zygote is the first process of the namespace, the program never is: there `abort` would look like a bad address.
//! 5. **The watch.** The judge polls both pipes and the zygote's answer. It reads the pipes up to their caps, looks at
//!    the group's CPU clock and at the monotonic clock, and has the zygote kill everybody when a limit is crossed.
//! 6. **The sweep.** When the main process has ended, the zygote kills all others in its namespace, which is one system
//!    call that misses nobody (`kill` with -1 as first process), and reaps them. Only then it answers. When the judge
//!    is gone, however it went, the socket ends, the zygote with it, and the kernel ends everything in the namespace.
//!
//! A zygote that gave its program a folder to write in is used once; every run finds a new folder. Another zygote is used
//! again. What a run can still tell the next one of the same program is how many processes it made, by the numbers that
//! the next ones get, and, by timing, which files of the system it has read.
//!
//! # What is measured
//!
//! With control groups ([`cgroup`]), of either version: CPU time and peak memory of the whole tree, orphans, files in
//! memory and the kernel's own buffers included; what earlier runs have left in the file cache is not billed, nor is
//! setting up. Without: CPU time of all processes that were reaped or seen alive, and the larger of the largest one's
//! peak and what all were seen to have at once; unknown (not 0) where nothing larger than the zygote was seen. Time on the wall goes from the exec to the end.
//!
//! # Where something is missing
//!
//! [`machine`] finds out by trying. Without namespaces the zygote stays outside the walls, each program puts on
//! Landlock's rules and the filter between clone and exec, and what it leaves behind is found among the zygote's adopted
//! children. [`Enforcement`] lists, part by part, what is enforced, why not, and what to do; [`mechanisms`] does so by
//! mechanism.
//!
//! A sandbox knows no verdict. It reports how the program ended, which limit it crossed first, and what it used.
#![allow(unsafe_code, reason = "system calls without a safe wrapper; nothing outside this module may do this")]

mod cgroup;
mod clone;
mod enforcement;
pub mod interrupt;
mod machine;
mod mechanism;
mod output;
mod plan;
mod run;
mod spawn;
mod syscall;
mod view;
mod walls;
mod zygote;

use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clone::Step;
pub use enforcement::{Enforcement, Mode, Overall, Part, State};
pub use machine::check_what_is_left_out;
pub use mechanism::mechanisms;
pub use output::Captured;
use zygote::Zygote;

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
    /// Time on the wall.
    pub wall: Duration,
    /// Peak memory in bytes.
    pub memory_bytes: u64,
    /// Bytes on standard output.
    pub stdout_bytes: u64,
    /// Bytes on standard error.
    pub stderr_bytes: u64,
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
    /// [`Limits::stdout_bytes`] or [`Limits::stderr_bytes`].
    Output,
}

/// What a run used. Unknown is `None`, never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// User plus system time.
    pub cpu: Duration,
    /// Time on the wall, from the start of the program to its end.
    pub wall: Duration,
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
    /// Its standard output, up to the cap.
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
    /// The user interrupted the judge.
    #[error("interrupted")]
    Interrupted,
}

fn system(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::System { doing, source }
}

/// One program, run many times, also at the same time.
#[derive(Debug)]
pub struct Sandbox {
    program: Program,
    mode: Mode,
    /// Places that no run is using.
    idle: Mutex<Vec<Cell>>,
}

/// A zygote in its control group. They go in this order.
#[derive(Debug)]
struct Cell {
    zygote: Zygote,
    group: Option<cgroup::Group>,
}

impl Sandbox {
    /// Prepares to run `program`. Nothing is started yet.
    pub fn open(program: Program, mode: Mode) -> Self {
        Sandbox { program, mode, idle: Mutex::new(Vec::new()) }
    }

    /// Runs the program once, to its end or to the limit it crosses first.
    pub fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        self.room()?.run(run)
    }

    /// A place for a run, for a caller that puts files into the program's folder before it or takes some out after it.
    pub fn room(&self) -> Result<Room<'_>, SandboxError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let cell = idle.map_or_else(|| self.new_cell(), Ok)?;
        Ok(Room { sandbox: self, cell: Some(cell) })
    }

    fn new_cell(&self) -> Result<Cell, SandboxError> {
        let machine = machine::found();
        let grouped = self.mode != Mode::Off && machine.no_groups.is_none();
        let group = grouped.then(cgroup::Group::new).transpose().map_err(system("making a control group"))?;
        let mut plan = machine.plan(&self.program);
        if self.mode == Mode::Off {
            plan = plan::Plan { walls: plan::Walls::NONE, identity: None, ..plan };
        }
        let entrances = group.as_ref().map(cgroup::Group::entrances).unwrap_or_default();
        let zygote = Zygote::born(&plan, &entrances)
            .map_err(|trouble| SandboxError::Walls { reason: trouble.to_string(), source: trouble.error() })?;
        Ok(Cell { zygote, group })
    }

    fn is_without_groups(&self) -> bool {
        self.mode != Mode::Off && machine::found().no_groups.is_some()
    }
}

/// A place for a run of one program.
#[derive(Debug)]
pub struct Room<'a> {
    sandbox: &'a Sandbox,
    /// Gone once something went wrong with it.
    cell: Option<Cell>,
}

impl Room<'_> {
    /// The folder that the program may write, where it is not [`Scratch::path`] itself but one that only it can see.
    pub fn private_scratch(&self) -> Option<BorrowedFd<'_>> {
        let zygote = &self.cell.as_ref()?.zygote;
        zygote.scratch().filter(|_| zygote.in_namespace())
    }

    /// Runs the program once, to its end or to the limit it crosses first.
    pub fn run(&mut self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        let ran = match self.try_run(run)? {
            // It ended while nobody used it. What was put into a folder of its own is gone with it.
            run::Ran::NobodyThere if self.sandbox.program.scratch.is_none() => {
                self.cell = Some(self.sandbox.new_cell()?);
                self.try_run(run)?
            }
            ran => ran,
        };
        match ran {
            run::Ran::NobodyThere => {
                self.cell = None;
                Err(system("asking for a run")(io::Error::from(io::ErrorKind::BrokenPipe)))
            }
            // The zygote is fine, and knows why there was no run.
            run::Ran::NotStarted(step, error) => Err(not_started(&self.sandbox.program, step, error)),
            run::Ran::Ended { outcome, zygote_lives } => {
                if !zygote_lives {
                    self.cell = None;
                }
                Ok(outcome)
            }
        }
    }

    fn try_run(&mut self, run: &Run<'_>) -> Result<run::Ran, SandboxError> {
        let program = &self.sandbox.program;
        let Some(cell) = &mut self.cell else {
            return Err(system("using a place that is gone")(io::Error::from(io::ErrorKind::NotConnected)));
        };
        if let Some(group) = &mut cell.group {
            group.begin(run.limits.memory_bytes).map_err(system("preparing a control group"))?;
        }
        let inside = cell.zygote.in_namespace();
        let rules = spawn::Rules {
            file_bytes: program.scratch.as_ref().filter(|_| !inside).map(|scratch| scratch.bytes),
            is_without_groups: self.sandbox.is_without_groups(),
            is_alone: inside,
        };
        let ran = run::run(&cell.zygote, cell.group.as_ref(), run, spawn::limits(&run.limits, rules));
        if ran.is_err() {
            self.cell = None;
        }
        ran
    }
}

impl Drop for Room<'_> {
    /// A place without a folder that could be written holds nothing of its last run.
    fn drop(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        let again = cell.group.as_ref().is_none_or(cgroup::Group::can_be_used_again);
        if again && self.sandbox.program.scratch.is_none() {
            self.sandbox.idle.lock().unwrap_or_else(PoisonError::into_inner).push(cell);
        }
    }
}

/// Whether starting fails because of the program's own file, which is what was made of a submission. All else is the
/// judge's trouble: an interpreter that cannot be executed, a folder, a lack of processes, memory or descriptors.
fn not_started(program: &Program, step: Step, source: io::Error) -> SandboxError {
    use rustix::io::Errno;
    // What a file can be like is the file's own; that there is no room is not.
    let of_the_judge = [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::INTR];
    let file = program.command.first().map(PathBuf::from).unwrap_or_default();
    let is_own = Errno::from_io_error(&source).is_some_and(|found| !of_the_judge.contains(&found));
    if is_own && step == Step::Execute && file.starts_with(&program.directory) {
        return SandboxError::Start { program: file.display().to_string(), source };
    }
    let doing = match step {
        Step::Clone => "making a process",
        Step::Streams => "connecting a program's streams",
        Step::Limits => "limiting a program",
        Step::Walls => "putting walls around a program",
        Step::Directory => return unusable("going to", &program.directory, &source),
        Step::Execute => return unusable("executing", &file, &source),
    };
    system(doing)(source)
}

fn unusable(doing: &str, path: &Path, source: &io::Error) -> SandboxError {
    let source = io::Error::new(source.kind(), format!("{doing} {}: {source}", path.display()));
    SandboxError::System { doing: "starting a program", source }
}

#[cfg(test)]
mod tests;
