//! What a run is given: its input, its pipes, and the limits it inherits.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::pipe::PipeFlags;
use rustix::process::Resource;

use super::{Input, Limits, MOST_PROCESSES, SandboxError, system};

/// The stack a program may use. The usual 8 MiB fail honest recursion; without any limit, endless recursion would eat
/// all memory before it fails.
const STACK_BYTES: u64 = 256 << 20;

/// Files a program may have open at once.
const MOST_FILES: u64 = 1024;

/// A copy of the input in sealed memory: it can be read and sought like a file, and leads nowhere.
pub(super) fn standard_input(input: &Input<'_>) -> Result<File, SandboxError> {
    let mut memory = match input {
        Input::Empty => return File::open("/dev/null").map_err(system("opening /dev/null")),
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
    Ok(memory)
}

/// A pipe whose reading end does not block; the writing end does, because the program's must. Whoever has the pipe may
/// open it again by its name, /dev/stdout, also as another user than the judge.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    rustix::fs::fchmod(&write, Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}

/// What the program is started under. The limit of CPU time is a backstop, in case the judge itself is stopped; the
/// limits that decide a verdict are watched by the judge. `scratch_bytes` bounds a file where the folder has no bound
/// of its own; `alone` says that no control group holds down processes and memory.
pub(super) fn limits(limits: &Limits, scratch_bytes: Option<u64>, alone: bool) -> Vec<(u32, u64)> {
    let at_most = |resource: Resource, wanted: u64| {
        rustix::process::getrlimit(resource).maximum.map_or(wanted, |hard| hard.min(wanted))
    };
    let mut all = vec![
        (libc::RLIMIT_STACK, at_most(Resource::Stack, STACK_BYTES)),
        // In whole seconds, above the judge's own.
        (libc::RLIMIT_CPU, at_most(Resource::Cpu, limits.cpu.as_secs() + 2)),
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_NOFILE, at_most(Resource::Nofile, MOST_FILES)),
        (libc::RLIMIT_MSGQUEUE, 0),
    ];
    // A file in memory is memory that no process shows.
    let in_memory = alone.then_some(limits.memory_bytes);
    let file_bytes = [scratch_bytes, in_memory].into_iter().flatten().min();
    all.extend(file_bytes.map(|bytes| (libc::RLIMIT_FSIZE, at_most(Resource::Fsize, bytes))));
    if alone {
        all.push((libc::RLIMIT_NPROC, at_most(Resource::Nproc, MOST_PROCESSES + own_tasks())));
    }
    all
}

/// Processes and threads that the judge's user has already: the kernel counts them all together.
fn own_tasks() -> u64 {
    use std::os::unix::fs::MetadataExt;
    static COUNT: OnceLock<u64> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let user = rustix::process::geteuid().as_raw();
        let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
        let own = processes.filter(|process| process.metadata().is_ok_and(|found| found.uid() == user));
        own.map(|process| fs::read_dir(process.path().join("task")).map_or(0, Iterator::count) as u64).sum()
    })
}
