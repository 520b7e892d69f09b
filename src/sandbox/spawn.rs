//! Starting a program: its input, its pipes, its control groups and the limits it inherits.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::fs::{MemfdFlags, OFlags, SealFlags};
use rustix::pipe::PipeFlags;
use rustix::process::Resource;

use super::cgroup::Group;
use super::clone::{self, Child, Failed, Order, Step};
use super::{Input, Limits, Program, Run, SandboxError, system};

/// The stack a program may use. The usual 8 MiB fail honest recursion; without any limit, endless recursion would eat
/// all memory before it fails.
const STACK_BYTES: u64 = 256 << 20;

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

/// A pipe whose reading end does not block; the writing end does, because the program's must.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&read, rustix::fs::fcntl_getfl(&read)? | OFlags::NONBLOCK)?;
    Ok((read, write))
}

/// Starts `program` with its standard streams, in `group` if there are control groups.
pub(super) fn spawn(
    program: &Program,
    run: &Run<'_>,
    standard: [BorrowedFd<'_>; 3],
    group: Option<&Group>,
) -> Result<Child, SandboxError> {
    let order = order(program, run, standard, group).map_err(system("preparing a program"))?;
    start(&order).map_err(|failed| {
        let of_the_program = matches!(failed.step, Step::Directory | Step::Execute);
        if of_the_program && is_the_programs_own(&failed.error) {
            let program = order.command.first().map(|name| name.to_string_lossy().into_owned());
            return SandboxError::Start { program: program.unwrap_or_default(), source: failed.error };
        }
        system(match failed.step {
            Step::Clone => "making a process",
            Step::Groups => "joining a control group",
            Step::Streams => "connecting a program's streams",
            Step::Limits => "limiting a program",
            Step::Directory => "going to a program's folder",
            Step::Execute => "executing a program",
        })(failed.error)
    })
}

fn order<'a>(
    program: &Program,
    run: &Run<'_>,
    standard: [BorrowedFd<'a>; 3],
    group: Option<&'a Group>,
) -> io::Result<Order<'a>> {
    let variable = |(name, value): &(OsString, OsString)| {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        c_string(&text)
    };
    if program.command.is_empty() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    Ok(Order {
        command: program.command.iter().chain(&run.arguments).map(|word| c_string(word)).collect::<Result<_, _>>()?,
        environment: program.environment.iter().map(variable).collect::<Result<_, _>>()?,
        directory: c_string(program.directory.as_os_str())?,
        standard,
        groups: group.map(Group::entrances).unwrap_or_default(),
        limits: limits(&run.limits),
    })
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::from)
}

/// What the program is started under. The limit of CPU time is a backstop, in case the judge itself is stopped; the
/// limits that decide a verdict are watched by the judge.
fn limits(limits: &Limits) -> Vec<(u32, u64)> {
    let most = rustix::process::getrlimit(Resource::Stack).maximum;
    // A limit in whole seconds, above the judge's own, and below a harder one that the judge itself is under.
    let seconds = limits.cpu.as_secs() + 2;
    let hard = rustix::process::getrlimit(Resource::Cpu).maximum;
    vec![
        (libc::RLIMIT_STACK, most.map_or(STACK_BYTES, |hard| hard.min(STACK_BYTES))),
        (libc::RLIMIT_CPU, hard.map_or(seconds, |hard| hard.min(seconds))),
        (libc::RLIMIT_CORE, 0),
    ]
}

/// How often a program that is "busy" is tried again, and after how long.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(2);

/// A program that the judge has just written can be open for writing for a moment yet: in the child of another
/// thread, between its start and its `exec`. That passes.
fn start(order: &Order<'_>) -> Result<Child, Failed> {
    for _ in 0..BUSY_TRIES {
        match clone::start(order) {
            Err(failed) if failed.error.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::sleep(BUSY_PAUSE),
            result => return result,
        }
    }
    clone::start(order)
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
