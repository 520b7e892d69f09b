//! One program under limits gives one [`Outcome`]. All unsafe code of the project lives here.
//!
//! # Theory of operation
//!
//! What is here now is the *plain* runner. It keeps programs to their limits of time and output, but it does not wall
//! them in, and it says so: [`Enforcement`] lists, part by part, what is enforced and what is not.
//!
//! 1. [`Sandbox::open`] is called once per submission with everything that stays the same from run to run.
//! 2. [`Sandbox::run`] starts the program in the way of vfork ([`clone`]), in a session and in control groups of its
//!    own ([`cgroup`]), which it joins before it executes. Standard input is a sealed copy in memory, never the
//!    package's own file: through `/proc/self/fd/0` that would lead to the answer beside it.
//! 3. One `poll` loop ([`run`]) drains both output pipes up to their caps, watches the clocks, and waits for the end
//!    through a pidfd, which cannot be confused by a recycled process number.
//! 4. Whatever happened, everybody in the control group is killed before the run returns, and where there are no
//!    control groups the process group; a daemon that holds standard output
//!    open cannot keep the judge waiting, because the pipe is read until the main process has ended and no longer.
//!
//! What is measured, with control groups: CPU time and peak memory of the whole tree, orphans and kernel memory
//! included; the file cache that earlier runs have left is not billed. Without: CPU time of the main process and of
//! the children it has waited for, and the peak of the largest single process, unknown (not 0) where the kernel's
//! figure is only the judge's own, which a process carries until it executes the program.
//!
//! A sandbox knows no verdict. It reports how the program ended, which limit it crossed first, and what it used.
#![allow(unsafe_code, reason = "system calls without a safe wrapper; nothing outside this module may do this")]

mod cgroup;
mod clone;
mod enforcement;
pub mod interrupt;
mod output;
mod run;
mod spawn;
mod syscall;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use enforcement::{Enforcement, Mode, Overall, Part, State};
pub use output::Captured;

/// Everything about a program that stays the same from run to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable's absolute path and its first arguments.
    pub command: Vec<OsString>,
    /// The directory it runs in: its own files and build products.
    pub directory: PathBuf,
    /// Environment variables, all of them: nothing is inherited from the judge.
    pub environment: Vec<(OsString, OsString)>,
}

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

/// A place to run one program many times, also at the same time.
#[derive(Debug)]
pub struct Sandbox {
    program: Program,
    /// Whether control groups are used.
    grouped: bool,
    /// Control groups that no run is using.
    idle: Mutex<Vec<cgroup::Group>>,
}

impl Sandbox {
    /// Prepares to run `program`.
    pub fn open(program: Program, mode: Mode) -> Self {
        let grouped = mode != Mode::Off && cgroup::available().is_ok();
        Sandbox { program, grouped, idle: Mutex::new(Vec::new()) }
    }

    /// Runs the program once, to its end or to the limit it crosses first.
    pub fn run(&self, run: &Run<'_>) -> Result<Outcome, SandboxError> {
        let group = self.group(run.limits.memory_bytes).map_err(system("preparing a control group"))?;
        let outcome = run::run(&self.program, run, group.as_ref());
        // A group that could not be emptied is not used again.
        if outcome.is_ok() {
            let again = group.filter(cgroup::Group::can_be_used_again);
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(again);
        }
        outcome
    }

    fn group(&self, memory_bytes: u64) -> io::Result<Option<cgroup::Group>> {
        if !self.grouped {
            return Ok(None);
        }
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut group = idle.map_or_else(cgroup::Group::new, Ok)?;
        group.begin(memory_bytes)?;
        Ok(Some(group))
    }
}

#[cfg(test)]
mod tests;
