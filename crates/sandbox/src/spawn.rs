//! What a run is given: its input, its pipes, and the limits it inherits.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::pipe::PipeFlags;
use rustix::process::Resource;

use super::monitor::cores;
use super::{Input, Limits, MOST_PROCESSES, SandboxError, stack, system};

/// Files a program may have open at once.
const MOST_FILES: u64 = 1024;

/// The largest input, which is held in memory.
const LARGEST_INPUT_BYTES: u64 = 1 << 30;

/// A copy of the input in sealed memory: it can be read and sought like a file, and leads nowhere.
pub(super) fn standard_input(input: &Input<'_>) -> Result<File, SandboxError> {
    // Nothing is a file in memory, too: /dev/null is the machine's, and its owner could change it.
    let mut memory = File::from(
        rustix::fs::memfd_create("input", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)
            .map_err(|error| system("making room for the input")(error.into()))?,
    );
    match input {
        Input::Empty => {}
        Input::File(path) => {
            let failed = |source| SandboxError::Input { path: path.display().to_string(), source };
            let file = File::open(path).map_err(failed)?;
            // What a file says of its size is not trusted: those of /proc never end.
            if io::copy(&mut file.take(LARGEST_INPUT_BYTES + 1), &mut memory).map_err(failed)? > LARGEST_INPUT_BYTES {
                return Err(failed(io::Error::from(io::ErrorKind::FileTooLarge)));
            }
        }
        Input::Captured(bytes) => memory.write_all(bytes).map_err(system("copying the input"))?,
    }
    let sealed = rustix::fs::seek(&memory, rustix::fs::SeekFrom::Start(0)).and_then(|_| {
        rustix::fs::fcntl_add_seals(&memory, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)
    });
    sealed.map_err(|error| system("sealing the input")(error.into()))?;
    Ok(memory)
}

/// Makes a pipe. Its reading end does not block; its writing end does, because the program's output must. A process
/// that has the pipe may open it again by its name, /dev/stdout, also as another user than the judge.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    rustix::fs::fchmod(&write, Mode::from_raw_mode(0o666))?;
    Ok((read, write))
}

/// What else holds a program down, and what therefore its own limits have to do.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The bound of a file, where the folder that may be written has none of its own.
    pub(super) file_bytes: Option<u64>,
    /// No control group holds down processes and memory.
    pub(super) is_without_groups: bool,
    /// Whether the kernel's count of processes for this user or namespace covers this program alone.
    pub(super) is_alone: bool,
}

/// What the program is started under. The limit of CPU time is a backstop, in case the judge itself is stopped; the
/// limits that decide a verdict are watched by the judge.
pub(super) fn limits(limits: &Limits, rules: Rules) -> Vec<(u32, u64)> {
    let at_most = |resource: Resource, wanted: u64| {
        rustix::process::getrlimit(resource).maximum.map_or(wanted, |hard| hard.min(wanted))
    };
    let mut all = vec![
        (Resource::Stack as u32, at_most(Resource::Stack, stack::limit_bytes(limits.memory_bytes))),
        // In whole seconds, above the judge's own.
        (Resource::Cpu as u32, at_most(Resource::Cpu, limits.cpu.as_secs() + 2)),
        no_core_dumps(),
        (Resource::Nice as u32, 0),
        (Resource::Rtprio as u32, 0),
        (Resource::Nofile as u32, at_most(Resource::Nofile, MOST_FILES)),
        (Resource::Msgqueue as u32, 0),
    ];
    // A file in memory is memory that no process shows.
    let in_memory = rules.is_without_groups.then_some(limits.memory_bytes);
    let file_bytes = [rules.file_bytes, in_memory].into_iter().flatten().min();
    all.extend(file_bytes.map(|bytes| (Resource::Fsize as u32, at_most(Resource::Fsize, bytes))));
    if rules.is_without_groups {
        // One more for the zygote.
        let others = if rules.is_alone { 1 } else { own_tasks() };
        all.push((Resource::Nproc as u32, at_most(Resource::Nproc, MOST_PROCESSES + others)));
    }
    all
}

/// Hard limits of the judge's own that hold for every program, too, each with the letter by which shells know it, what
/// it is of, and how much that is: a number, or in bytes, or in seconds.
pub fn inherited_limits() -> Vec<(char, &'static str, u64)> {
    let least = |resource, enough| rustix::process::getrlimit(resource).maximum.filter(|&most| most < enough);
    let limits = [
        (Resource::Cpu, 't', "CPU time", u64::MAX),
        (Resource::Fsize, 'f', "files", u64::MAX),
        (Resource::As, 'v', "address space", u64::MAX),
        (Resource::Data, 'd', "data", u64::MAX),
        (Resource::Stack, 's', "stack", u64::MAX),
        (Resource::Nofile, 'n', "open files", MOST_FILES),
    ];
    let limits = limits.map(|(resource, letter, what, enough)| Some((letter, what, least(resource, enough)?)));
    let processes = few_processes().map(|most| ('u', "processes", most));
    limits.into_iter().chain([processes]).flatten().collect()
}

/// How many processes a user may have, if each core could not judge a program of as many as are promised. The kernel
/// counts those of the judge's user together, where programs are not other users.
fn few_processes() -> Option<u64> {
    let most = rustix::process::getrlimit(Resource::Nproc).maximum?;
    let programs = u64::from(cores()) * (MOST_PROCESSES + 1);
    // Counting takes longer than all else that is done at the start.
    (most < programs + MANY_TASKS && most < programs + own_tasks()).then_some(most)
}

/// More processes and threads than any user has.
const MANY_TASKS: u64 = 1 << 13;

/// No core dumps. To the kernel 1 byte means that no helper of the system's is started for one, either.
pub(super) fn no_core_dumps() -> (u32, u64) {
    (Resource::Core as u32, rustix::process::getrlimit(Resource::Core).maximum.map_or(1, |hard| hard.min(1)))
}

/// Processes and threads that the judge's user has already: the kernel counts them all together. Other programs that
/// are being judged are among them.
fn own_tasks() -> u64 {
    use std::os::unix::fs::MetadataExt;
    let user = rustix::process::geteuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let own = processes.filter(|process| process.metadata().is_ok_and(|found| found.uid() == user));
    own.map(|process| fs::read_dir(process.path().join("task")).map_or(0, Iterator::count) as u64).sum()
}
