//! Keeps an interpreter warm: starts it once, stops it just before it opens the program's file, and forks it for each
//! run.
//!
//! Starting an interpreter such as Python takes longer than most test cases. Until it opens the program's file, its
//! state does not depend on the run. So the zygote starts it once and traces it up to that point (`ptrace`). This
//! **warm process** then stays stopped for the rest of its life: it never executes an instruction of the program. For
//! each run, the zygote makes it fork, gives the fork the streams of the run, stops tracing the fork, and lets it
//! continue. The interpreter notices nothing of this, and executes no code of the judge.
//!
//! # Why a run cannot reach the next one
//! A fork gets copies of the memory and of the table of descriptors. The zygote refuses to keep a program warm that has
//! open descriptors besides its three streams, memory that it shares with its forks, or a second thread. The warm
//! process runs as the same user as its forks, so three things protect it: its memory and its files in `/proc` are out
//! of reach because it is not dumpable; the forks' filter of system calls refuses to signal it and to change its
//! limits; and it is in a process group of its own. A signal to all processes (`kill` with -1) has no effect on a
//! stopped process, except that SIGKILL ends it. A run that leaves a process behind, and a run that is killed, also end
//! the warm process. The next run then starts another one.
//!
//! # What differs from a new start
//! All forks of one warm process have the same addresses and the same seed of Python's string hashes. Between test
//! cases, a new start would have changed both.
//!
//! # If something is unexpected
//! If the program ends, forks, gets a signal, reads its input or starts too slowly before it opens the file, the zygote
//! never tries again and starts each run anew. What the program writes before it opens the file is written anew for
//! each fork. The judge learns how much of the CPU time was used for that.

mod start;
mod streams;

use std::ffi::{CString, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::Pid;

use super::super::clone::{self, Child, WARM_SOCKET, WarmSpec};
use super::super::isolation::Lockdown;
use super::super::syscall;
use super::message::WarmStart;
use super::tracee::{Registers, Tracee};
use start::{
    Alarm, MOST_SECONDS, ThreadFacts, all_in, check_that_nothing_is_shared, cpu_of, memory_bytes, run_until_opening,
    start_cpu,
};
use streams::{Message, send_descriptors};

/// What the warm process starts with. A run with other arguments or limits starts anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StartedWith {
    pub(super) arguments: Vec<OsString>,
    pub(super) limits: Vec<(u32, u64)>,
}

/// A warm process.
#[derive(Debug)]
pub(super) struct Warm {
    tracee: Tracee,
    /// Its registers. It is about to open the program's file.
    parked: Registers,
    /// The zygote's end of the socket from which forks receive their streams.
    socket: UnixStream,
    facts: ThreadFacts,
    /// What the program has written to standard output and standard error until it opened the file.
    written: [Vec<u8>; 2],
    started_with: StartedWith,
    start_cpu: Duration,
    memory_bytes: u64,
    has_forked: bool,
}

/// Whether a zygote keeps its program warm, and the warm process.
#[derive(Debug)]
pub(super) struct Keeper {
    /// The arguments with which the filter allows `setsid`.
    session_key: [u32; 2],
    /// The file whose opening ends the start of the program.
    until: CString,
    children: Children,
    /// Whether the program has run before. The first run starts anew, because a single run would be slower with a warm
    /// process.
    has_run: bool,
    warm: Option<Warm>,
}

/// A run that a [`Keeper`] has tried to start.
pub(super) struct Attempt {
    /// The fork; `None` if the run must start anew.
    pub(super) child: Option<Child>,
    /// The figures of the warm process; `None` if it has used no time during this run.
    pub(super) figures: Option<WarmStart>,
    /// Whether the program cannot be kept warm.
    pub(super) is_hopeless: bool,
}

impl Attempt {
    const NONE: Attempt = Attempt { child: None, figures: None, is_hopeless: false };
}

impl Keeper {
    /// Returns a keeper without a warm process. Fails if the kernel does not list the children of a process.
    pub(super) fn new(until: CString, session_key: [u32; 2]) -> io::Result<Keeper> {
        Ok(Keeper { until, session_key, children: Children::open()?, has_run: false, warm: None })
    }

    /// Forks the warm process for a run. Starts it if there is none. `end_all` kills and reaps all children of the
    /// zygote.
    pub(super) fn fork(
        &mut self,
        with: &StartedWith,
        standard: [BorrowedFd<'_>; 3],
        execute: impl Fn([BorrowedFd<'_>; 3], WarmSpec<'_>, &Lockdown),
        end_all: impl Fn(),
    ) -> Attempt {
        if !std::mem::replace(&mut self.has_run, true) {
            return Attempt::NONE;
        }
        if self.warm.as_ref().is_some_and(|warm| warm.started_with != *with) {
            self.end(&end_all);
        }
        let key = self.session_key;
        // An earlier run may have ended the warm process. That shows in the first attempt.
        if let Some(Ok((child, figures))) = self.warm.as_mut().map(|warm| warm.fork(standard, key)) {
            return Attempt { child: Some(child), figures: Some(figures), is_hopeless: false };
        }
        self.end(&end_all);
        let before = syscall::children_cpu();
        let started = Warm::start(execute, &self.until, with.clone());
        let forked = started.and_then(|mut warm| warm.fork(standard, key).map(|forked| (warm, forked)));
        if let Ok((warm, (child, figures))) = forked {
            self.warm = Some(warm);
            return Attempt { child: Some(child), figures: Some(figures), is_hopeless: false };
        }
        end_all();
        let used = syscall::children_cpu().saturating_sub(before).as_nanos() as u64;
        let figures = WarmStart { cpu_nanoseconds: 0, counted_cpu_nanoseconds: used, held_bytes: 0, is_new: true };
        Attempt { child: None, figures: Some(figures), is_hopeless: true }
    }

    /// Ends the warm process, if there is one.
    pub(super) fn end(&mut self, end_all: impl Fn()) {
        if self.warm.take().is_some() {
            end_all();
        }
    }

    /// Whether a run has left nothing behind, so that the warm process may stay.
    pub(super) fn is_alone(&self) -> bool {
        self.warm.as_ref().is_some_and(|warm| self.children.are_only(warm))
    }

    /// Forgets the warm process, which has ended.
    pub(super) fn forget(&mut self) {
        self.warm = None;
    }
}

/// The result of a call that a signal has interrupted and that is to be repeated. It never leaves the kernel, except to
/// a tracer.
const REPEAT: i64 = -513;

impl Warm {
    /// Starts the program with `execute`, which a fork of the zygote calls, and stops it just before it opens the file
    /// `until`. Fails if the program cannot be kept warm; the caller then kills it.
    pub(super) fn start(
        execute: impl FnOnce([BorrowedFd<'_>; 3], WarmSpec<'_>, &Lockdown),
        until: &CString,
        started_with: StartedWith,
    ) -> io::Result<Warm> {
        let (socket, theirs) = UnixStream::pair()?;
        let input = rustix::fs::memfd_create("input", rustix::fs::MemfdFlags::CLOEXEC)?;
        let (written_output, output) = std::io::pipe()?;
        let (written_error, error) = std::io::pipe()?;
        let standard = [input.as_fd(), output.as_fd(), error.as_fd()];
        // SAFETY: this process has one thread, so that the child may do everything. The child ends with exec or exit.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            let lockdown = Lockdown::of_warm_process(std::process::id());
            execute(standard, WarmSpec { socket: theirs.as_fd() }, &lockdown);
            // SAFETY: the call ends the child at once.
            unsafe { libc::_exit(127) };
        }
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        drop((output, error));
        let alarm = Alarm::in_seconds(MOST_SECONDS)?;
        let tracee = Tracee::attach(pid)?;
        let (parked, facts, calls) = run_until_opening(tracee, until.to_bytes())?;
        check_that_nothing_is_shared(pid)?;
        let memory_bytes = memory_bytes(pid)?;
        let start_cpu = start_cpu(tracee, &parked, calls)?;
        expect_zero(tracee.call(&parked, libc::SYS_prctl, [libc::PR_SET_DUMPABLE as u64, 0, 0, 0, 0])?.0)?;
        let written = [all_in(written_output)?, all_in(written_error)?];
        drop(alarm);
        Ok(Warm { tracee, parked, socket, facts, written, started_with, start_cpu, memory_bytes, has_forked: false })
    }

    /// Forks the program, with `standard` as its standard input, output and error. Fails if the warm process has ended
    /// or does something unexpected; the caller then kills it and its forks.
    pub(super) fn fork(
        &mut self,
        standard: [BorrowedFd<'_>; 3],
        session_key: [u32; 2],
    ) -> io::Result<(Child, WarmStart)> {
        // A run that starts the warm process pays for the whole start with the time and memory of the group.
        let before = if self.has_forked { cpu_of(self.tracee.pid())? } else { Duration::ZERO };
        let fork = self.forked()?;
        fork.wait_for_first_stop()?;
        self.equip(fork, standard, session_key)?;
        let pid = Pid::from_raw(fork.pid()).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let counted = cpu_of(self.tracee.pid())?.saturating_sub(before);
        let now = Duration::from_nanos(clone::monotonic_nanoseconds());
        let start = WarmStart {
            cpu_nanoseconds: self.start_cpu.as_nanos() as u64,
            counted_cpu_nanoseconds: counted.as_nanos() as u64,
            held_bytes: self.memory_bytes,
            is_new: !self.has_forked,
        };
        fork.release(&self.parked)?;
        self.has_forked = true;
        // The start counts as wall time, too.
        Ok((Child { pid, started: now.saturating_sub(self.start_cpu) }, start))
    }

    /// Makes the warm process fork. The zygote becomes the parent of the fork (`CLONE_PARENT`).
    fn forked(&self) -> io::Result<Tracee> {
        let flags = libc::CLONE_PARENT | libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID | libc::SIGCHLD;
        let arguments = [flags as u64, 0, 0, self.facts.thread_number, 0];
        loop {
            match self.tracee.call(&self.parked, libc::SYS_clone, arguments)? {
                (REPEAT, None) => {}
                (_, Some(fork)) => return Ok(fork),
                (result, None) => return Err(failed(result)),
            }
        }
    }

    /// Gives a new fork what a program that starts anew would have, and nothing else.
    fn equip(&self, fork: Tracee, standard: [BorrowedFd<'_>; 3], session_key: [u32; 2]) -> io::Result<()> {
        let call = |number, arguments| fork.call_of_fork(&self.parked, number, arguments);
        expect_zero(call(libc::SYS_prctl, [libc::PR_SET_DUMPABLE as u64, 1, 0, 0, 0])?)?;
        expect_zero(call(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64, 0, 0, 0])?)?;
        let [first, second] = session_key.map(u64::from);
        let session = call(libc::SYS_setsid, [first, second, 0, 0, 0])?;
        if session <= 0 {
            return Err(failed(session));
        }
        for (stream, bytes) in standard.into_iter().skip(1).zip(&self.written) {
            if rustix::io::write(stream, bytes)? != bytes.len() {
                return Err(io::Error::from(io::ErrorKind::WriteZero));
            }
        }
        let [list, length] = self.facts.robust_list;
        if list != 0 {
            expect_zero(call(libc::SYS_set_robust_list, [list, length, 0, 0, 0])?)?;
        }
        send_descriptors(&self.socket, standard)?;
        // The message is received below the stack, beyond the bytes that the C ABI reserves there.
        let message = Message::at((self.parked.rsp - Message::DISTANCE) & !15);
        message.write(fork)?;
        let received = call(libc::SYS_recvmsg, [WARM_SOCKET as u64, message.address, 0, 0, 0])?;
        if received != 1 {
            return Err(failed(received));
        }
        for (target, descriptor) in message.descriptors(fork)?.into_iter().enumerate() {
            let result = call(libc::SYS_dup2, [descriptor, target as u64, 0, 0, 0])?;
            if result != target as i64 {
                return Err(failed(result));
            }
        }
        expect_zero(call(libc::SYS_close_range, [3, u64::from(u32::MAX), 0, 0, 0])?)
    }

    pub(super) fn pid(&self) -> i32 {
        self.tracee.pid()
    }
}

/// The list of the zygote's children, in which a process that a run has left behind appears.
#[derive(Debug)]
pub(super) struct Children(File);

impl Children {
    /// Opens the list. Fails if the kernel has none.
    pub(super) fn open() -> io::Result<Children> {
        File::open("/proc/self/task/1/children").map(Children)
    }

    /// Whether the zygote has no child but the warm process. Every process that a program leaves behind is a child of
    /// the zygote, or a descendant of such a child.
    pub(super) fn are_only(&self, warm: &Warm) -> bool {
        let mut text = [0; 64];
        let Ok(length) = self.0.read_at(&mut text, 0) else { return false };
        text[..length].trim_ascii() == warm.pid().to_string().as_bytes()
    }
}

fn expect_zero(result: i64) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(failed(result)) }
}

fn failed(result: i64) -> io::Error {
    io::Error::from_raw_os_error(i32::try_from(result.wrapping_neg()).unwrap_or(libc::EIO))
}
