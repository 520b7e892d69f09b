//! Starting a program: its input, its pipes, its process group and the limits it inherits.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Once;
use std::time::Duration;

use rustix::fs::{MemfdFlags, OFlags, SealFlags};
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Resource, Rlimit};

use super::{Input, Limits, Program, Run, SandboxError, system};

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
pub(super) fn standard_input(input: &Input<'_>) -> Result<Stdio, SandboxError> {
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
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, rustix::fs::fcntl_getfl(&read)? | OFlags::NONBLOCK)?;
    Ok((read, write))
}

pub(super) fn spawn(
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
    let mut command = Command::new(executable);
    // No `pre_exec`: with it the standard library forks, which copies the judge's page tables.
    command
        .args(first)
        .args(&run.arguments)
        .current_dir(&program.directory)
        .env_clear()
        .envs(program.environment.iter().map(|(name, value)| (name, value)))
        .stdin(input)
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0);
    let child = start(&mut command).map_err(|source| {
        if is_the_programs_own(&source) {
            SandboxError::Start { program: executable.to_string_lossy().into_owned(), source }
        } else {
            system("starting a program")(source)
        }
    })?;
    let pid = Pid::from_child(&child);
    restrain(pid, &run.limits);
    Ok(pid)
}

/// How often a program that is "busy" is tried again, and after how long.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(2);

/// A program that the judge has just written can be open for writing for a moment yet: in the child of another
/// thread, between its start and its `exec`. That passes.
fn start(command: &mut Command) -> io::Result<Child> {
    for _ in 0..BUSY_TRIES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::sleep(BUSY_PAUSE),
            result => return result,
        }
    }
    command.spawn()
}

/// Whether starting fails because of the program's file or folder, which a program can spoil for its next run. All
/// else, such as a lack of processes, memory or descriptors, is the judge's trouble.
fn is_the_programs_own(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let own = [
        Errno::ACCESS,
        Errno::INVAL,
        Errno::ISDIR,
        Errno::LIBBAD,
        Errno::LOOP,
        Errno::NOENT,
        Errno::NOEXEC,
        Errno::NOTDIR,
        Errno::PERM,
        Errno::TXTBSY,
    ];
    Errno::from_io_error(error).is_some_and(|found| own.contains(&found))
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
