//! One run: start, drain, watch the clocks, sweep.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::output::Spool;
use super::spawn::{pipe, spawn, standard_input};
use super::{Crossed, Ended, Limits, Outcome, Program, Run, SandboxError, Usage, interrupt, syscall, system};

/// How often the memory of a running program is looked at.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// The CPU clock is looked at no more often than this.
const CPU_TICK: Duration = Duration::from_millis(1);

pub(super) fn run(program: &Program, run: &Run<'_>) -> Result<Outcome, SandboxError> {
    let input = standard_input(&run.input)?;
    let (stdout, stdout_write) = pipe().map_err(system("making a pipe"))?;
    let (stderr, stderr_write) = pipe().map_err(system("making a pipe"))?;
    let started = Instant::now();
    let pid = spawn(program, run, input, stdout_write, stderr_write)?;
    let mut watched = Watched {
        pid,
        started,
        limits: run.limits,
        stdout: Stream { pipe: Some(stdout), spool: Spool::new(run.limits.stdout_bytes) },
        stderr: Stream { pipe: Some(stderr), spool: Spool::new(run.limits.stderr_bytes) },
        crossed: None,
        sampled_memory_bytes: 0,
    };
    let watching = watched.until_the_end();
    // Whatever went wrong above, nothing may stay alive.
    sweep(pid);
    let wall = started.elapsed();
    let reaped = syscall::reap(pid.as_raw_nonzero().get()).map_err(system("reaping a program"))?;
    watching?;
    watched.finish(wall, &reaped)
}

/// A program while it runs.
struct Watched {
    pid: Pid,
    started: Instant,
    limits: Limits,
    stdout: Stream,
    stderr: Stream,
    crossed: Option<Crossed>,
    sampled_memory_bytes: u64,
}

/// An output pipe and what has come out of it; the pipe is gone once it has ended.
struct Stream {
    pipe: Option<OwnedFd>,
    spool: Spool,
}

impl Watched {
    /// Returns when the main process has ended or has to end.
    fn until_the_end(&mut self) -> Result<(), SandboxError> {
        let process = rustix::process::pidfd_open(self.pid, PidfdFlags::empty())
            .map_err(|error| system("watching a program")(error.into()))?;
        loop {
            let ended = self.wait(process.as_fd())?;
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
            self.look_at_the_limits();
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
        let cpu = self.limits.cpu.saturating_sub(self.cpu_used()) / cores;
        wall.min(cpu.max(CPU_TICK)).min(MEMORY_TICK) + Duration::from_micros(100)
    }

    fn cpu_used(&self) -> Duration {
        syscall::cpu_time(self.pid.as_raw_nonzero().get()).unwrap_or_default()
    }

    fn look_at_the_limits(&mut self) {
        if let Some(bytes) = resident_bytes(self.pid) {
            self.sampled_memory_bytes = self.sampled_memory_bytes.max(bytes);
        }
        self.crossed = if self.sampled_memory_bytes > self.limits.memory_bytes {
            Some(Crossed::Memory)
        } else if self.cpu_used() > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.started.elapsed() > self.limits.wall {
            Some(Crossed::Wall)
        } else {
            None
        };
    }

    fn finish(mut self, wall: Duration, reaped: &syscall::Reaped) -> Result<Outcome, SandboxError> {
        // What the program wrote before it ended is still in the pipes.
        self.stdout.drain()?;
        self.stderr.drain()?;
        let memory_bytes = peak_memory(reaped.peak_memory_bytes);
        let crossed = self.crossed.or_else(|| self.crossed_at_the_end(wall, reaped.cpu, memory_bytes));
        Ok(Outcome {
            ended: ended(reaped.status),
            crossed,
            usage: Usage { cpu: reaped.cpu, wall, memory_bytes },
            stdout: self.stdout.spool.finish().map_err(system("keeping an output"))?,
            stderr: self.stderr.spool.finish().map_err(system("keeping an output"))?,
        })
    }

    /// A program can cross a limit and end before the judge looks.
    fn crossed_at_the_end(&self, wall: Duration, cpu: Duration, memory_bytes: Option<u64>) -> Option<Crossed> {
        if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if memory_bytes.is_some_and(|bytes| bytes > self.limits.memory_bytes) {
            Some(Crossed::Memory)
        } else if cpu > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if wall > self.limits.wall {
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

/// Kills the program's process group. The group exists until its leader is reaped, so no other can have its number.
fn sweep(pid: Pid) {
    let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    let _ = rustix::process::kill_process(pid, Signal::KILL);
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
