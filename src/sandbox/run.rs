//! One run: start, drain, watch the clocks, sweep.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};

use super::cgroup::Group;
use super::clone::Child;
use super::output::Spool;
use super::spawn::{pipe, spawn, standard_input};
use super::{Crossed, Ended, Limits, Outcome, Program, Run, SandboxError, Usage, interrupt, syscall, system};

/// How often the memory of a running program is looked at.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// The CPU clock is looked at no more often than this.
const CPU_TICK: Duration = Duration::from_millis(1);

pub(super) fn run(program: &Program, run: &Run<'_>, group: Option<&Group>) -> Result<Outcome, SandboxError> {
    let input = standard_input(&run.input)?;
    let (stdout, stdout_write) = pipe().map_err(system("making a pipe"))?;
    let (stderr, stderr_write) = pipe().map_err(system("making a pipe"))?;
    let child = spawn(program, run, [input.as_fd(), stdout_write.as_fd(), stderr_write.as_fd()], group)?;
    let started = child.started;
    // The program's ends; while the judge held them, the pipes would not end.
    drop((input, stdout_write, stderr_write));
    let pid = child.pid;
    let mut watched = Watched {
        child,
        group,
        started,
        limits: run.limits,
        stdout: Stream { pipe: Some(stdout), spool: Spool::new(run.limits.stdout_bytes) },
        stderr: Stream { pipe: Some(stderr), spool: Spool::new(run.limits.stderr_bytes) },
        crossed: None,
        cpu_seen: Duration::ZERO,
        sampled_memory_bytes: 0,
    };
    let watching = watched.until_the_end();
    // Whatever went wrong above, nothing may stay alive.
    let swept = sweep(pid, group);
    let wall = started.elapsed();
    let reaped = syscall::reap(pid.as_raw_nonzero().get()).map_err(system("reaping a program"))?;
    swept.map_err(system("killing what a program has started"))?;
    watching?;
    watched.finish(wall, &reaped)
}

/// A program while it runs.
struct Watched<'a> {
    child: Child,
    group: Option<&'a Group>,
    started: Instant,
    limits: Limits,
    stdout: Stream,
    stderr: Stream,
    crossed: Option<Crossed>,
    cpu_seen: Duration,
    sampled_memory_bytes: u64,
}

/// An output pipe and what has come out of it; the pipe is gone once it has ended.
struct Stream {
    pipe: Option<OwnedFd>,
    spool: Spool,
}

impl Watched<'_> {
    /// Returns when the main process has ended or has to end.
    fn until_the_end(&mut self) -> Result<(), SandboxError> {
        loop {
            let ended = self.wait(self.child.watch.as_fd())?;
            self.stdout.drain()?;
            self.stderr.drain()?;
            if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
                self.crossed = Some(Crossed::Output);
                return Ok(());
            }
            if ended {
                return Ok(());
            }
            if interrupt::happened() {
                return Err(SandboxError::Interrupted);
            }
            self.look_at_the_limits()?;
            if self.crossed.is_some() {
                return Ok(());
            }
        }
    }

    /// Sleeps until something happens or is due; says whether the main process has ended.
    fn wait(&self, process: BorrowedFd<'_>) -> Result<bool, SandboxError> {
        let pipes = [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.pipe.as_ref());
        let others = pipes.map(AsFd::as_fd).chain(interrupt::waker());
        let mut sources: Vec<_> = std::iter::once(process).chain(others).collect();
        let mut events: Vec<_> = sources.drain(..).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let patience = Timespec::try_from(self.patience()).ok();
        match poll(&mut events, patience.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(system("waiting for a program")(error.into())),
        }
        Ok(events.first().is_some_and(|event| !event.revents().is_empty()))
    }

    /// How long nothing can become due: the wall limit, the CPU limit if every core worked at it, the memory tick.
    fn patience(&self) -> Duration {
        let wall = self.limits.wall.saturating_sub(self.started.elapsed());
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let cpu = self.limits.cpu.saturating_sub(self.cpu_seen) / cores;
        wall.min(cpu.max(CPU_TICK)).min(MEMORY_TICK) + Duration::from_micros(100)
    }

    fn cpu_used(&self) -> Result<Duration, SandboxError> {
        match self.group {
            Some(group) => group.cpu().map_err(system("reading a program's CPU time")),
            None => Ok(syscall::cpu_time(self.child.pid.as_raw_nonzero().get()).unwrap_or_default()),
        }
    }

    fn look_at_the_limits(&mut self) -> Result<(), SandboxError> {
        self.cpu_seen = self.cpu_used()?;
        // A control group's limit of memory is kept by the kernel.
        if let Some(bytes) = self.group.is_none().then(|| resident_bytes(self.child.pid)).flatten() {
            self.sampled_memory_bytes = self.sampled_memory_bytes.max(bytes);
        }
        self.crossed = if self.sampled_memory_bytes > self.limits.memory_bytes {
            Some(Crossed::Memory)
        } else if self.cpu_seen > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.started.elapsed() > self.limits.wall {
            Some(Crossed::Wall)
        } else {
            None
        };
        Ok(())
    }

    fn finish(mut self, wall: Duration, reaped: &syscall::Reaped) -> Result<Outcome, SandboxError> {
        // What the program wrote before it ended is still in the pipes.
        self.stdout.drain()?;
        self.stderr.drain()?;
        let used = self.group.map(Group::used).transpose().map_err(system("reading what a program used"))?;
        let usage = Usage {
            cpu: used.map_or(reaped.cpu, |used| used.cpu),
            wall,
            memory_bytes: used.map_or_else(|| peak_memory(reaped.peak_memory_bytes), |used| used.peak_memory_bytes),
        };
        let out_of_memory = used.is_some_and(|used| used.out_of_memory);
        Ok(Outcome {
            ended: ended(reaped.status),
            crossed: self.first_crossed(&usage, out_of_memory),
            usage,
            stdout: self.stdout.spool.finish().map_err(system("keeping an output"))?,
            stderr: self.stderr.spool.finish().map_err(system("keeping an output"))?,
        })
    }

    /// The limit that decides. A program can cross one and end before the judge looks; and one whose processes were
    /// killed for want of memory may go on for a while, in any way.
    fn first_crossed(&self, usage: &Usage, out_of_memory: bool) -> Option<Crossed> {
        let too_much = usage.memory_bytes.is_some_and(|bytes| bytes > self.limits.memory_bytes);
        if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if out_of_memory || too_much || self.crossed == Some(Crossed::Memory) {
            Some(Crossed::Memory)
        } else if self.crossed.is_some() {
            self.crossed
        } else if usage.cpu > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if usage.wall > self.limits.wall {
            Some(Crossed::Wall)
        } else {
            None
        }
    }
}

impl Stream {
    /// Reads what is there, without waiting for more and without reading much past the cap.
    fn drain(&mut self) -> Result<(), SandboxError> {
        let mut buffer = [0; 16 * 1024];
        while let Some(pipe) = &self.pipe {
            match rustix::io::read(pipe, &mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.spool.take(&buffer[..length]).map_err(system("keeping an output"))?,
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("reading an output")(error.into())),
            }
            if self.spool.overflowed() {
                self.pipe = None;
            }
        }
        Ok(())
    }
}

/// Kills everybody in the control group, or where there is none the process group. That exists until its leader is
/// reaped, so no other can have its number.
fn sweep(pid: Pid, group: Option<&Group>) -> io::Result<()> {
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    group.map_or(Ok(()), Group::kill_all)
}

fn ended(status: i32) -> Ended {
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signaled(signal),
        // wait4 without WUNTRACED reports nothing but ends; the kernel's own number is the least misleading.
        (None, None) => Ended::Signaled(status.into_raw()),
    }
}

/// Resident memory of the main process, now.
fn resident_bytes(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// The kernel's peak counts the judge's own memory, too, up to the moment the program is executed. A figure no larger
/// than that says nothing about the program.
fn peak_memory(kernel_bytes: u64) -> Option<u64> {
    (kernel_bytes > syscall::own_peak_memory_bytes()).then_some(kernel_bytes)
}
