//! One run: spawn, drain, watch the clocks, sweep.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, OFlags, SealFlags};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, Signal};

use super::output::Spool;
use super::{Crossed, Ended, Input, Limits, Outcome, Program, Run, SandboxError, Usage, interrupt, syscall};

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

fn system(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::System { doing, source }
}

/// The stack a program may use. The usual 8 MiB fail honest recursion; without any limit, endless recursion would eat
/// all memory before it fails.
const STACK_BYTES: u64 = 256 << 20;

/// Raises this process's own limit, once: a program gets its memory layout from the limit it is started under.
pub(super) fn allow_deep_recursion() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let limit = rustix::process::getrlimit(Resource::Stack);
        let most = limit.maximum.map_or(STACK_BYTES, |hard| hard.min(STACK_BYTES));
        // Where the system forbids it, programs keep the stack they would have in the user's shell.
        let _ = rustix::process::setrlimit(Resource::Stack, Rlimit { current: Some(most), ..limit });
    });
}

/// A copy of the input in sealed memory: it can be read and sought like a file, and leads nowhere.
fn standard_input(input: &Input<'_>) -> Result<Stdio, SandboxError> {
    let mut memory = match input {
        Input::Empty => return Ok(Stdio::null()),
        _ => File::from(
            rustix::fs::memfd_create("input", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
                .map_err(|error| system("making room for the input")(error.into()))?,
        ),
    };
    match input {
        Input::Empty => {}
        Input::File(path) => {
            let failed = |source| SandboxError::Input { path: path.display().to_string(), source };
            io::copy(&mut File::open(path).map_err(failed)?, &mut memory).map_err(failed)?;
        }
        Input::Captured(bytes) => memory.write_all(bytes).map_err(system("copying the input"))?,
    }
    let sealed = rustix::fs::seek(&memory, rustix::fs::SeekFrom::Start(0)).and_then(|_| {
        rustix::fs::fcntl_add_seals(&memory, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)
    });
    sealed.map_err(|error| system("sealing the input")(error.into()))?;
    Ok(Stdio::from(memory))
}

/// A pipe whose reading end does not block; the writing end does, because the program's must.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, rustix::fs::fcntl_getfl(&read)? | OFlags::NONBLOCK)?;
    Ok((read, write))
}

fn spawn(
    program: &Program,
    run: &Run<'_>,
    input: Stdio,
    stdout: OwnedFd,
    stderr: OwnedFd,
) -> Result<Pid, SandboxError> {
    let (executable, first) = program.command.split_first().ok_or_else(|| SandboxError::Start {
        program: "nothing".to_owned(),
        source: io::Error::from(io::ErrorKind::InvalidInput),
    })?;
    // No `pre_exec`: with it the standard library forks, which copies the judge's page tables.
    let child = Command::new(executable)
        .args(first)
        .args(&run.arguments)
        .current_dir(&program.directory)
        .env_clear()
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .stdin(input)
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0)
        .spawn()
        .map_err(|source| SandboxError::Start { program: executable.to_string_lossy().into_owned(), source })?;
    let pid = Pid::from_child(&child);
    restrain(pid, &run.limits);
    Ok(pid)
}

/// Backstops in the kernel, in case the judge itself is stopped. The program may run for some microseconds before
/// they are set; the limits that decide a verdict are watched by the judge.
fn restrain(pid: Pid, limits: &Limits) {
    let set = |resource, value| {
        let limit = Rlimit { current: Some(value), maximum: Some(value) };
        // The process may have ended already, and then there is nothing to restrain.
        let _ = rustix::process::prlimit(Some(pid), resource, limit);
    };
    set(Resource::Cpu, limits.cpu.as_secs() + 2);
    set(Resource::Core, 0);
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
