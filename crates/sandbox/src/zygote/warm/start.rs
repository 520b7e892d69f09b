//! The start of a warm process: until it is about to open the program's file.

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::time::Duration;

use super::super::super::clone::WARM_SOCKET;
use super::super::super::isolation;
use super::super::tracee::{Registers, Tracee};

/// Maximum number of system calls until the program's file is opened. Python makes about 500.
const MOST_CALLS: u32 = 1 << 15;

/// Maximum number of bytes that the program writes until its file is opened. It fits into one page of a pipe.
const MOST_WRITTEN: u64 = 1 << 10;

/// Maximum time until the program's file is opened, in seconds.
pub(super) const MOST_SECONDS: u32 = 5;

/// The number of system calls that measure how much CPU time one traced call costs.
const MEASURED_CALLS: u32 = 16;

/// Addresses that a C library gives to the kernel for each thread.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThreadFacts {
    /// The address at which the kernel stores the thread's number.
    pub(super) thread_number: u64,
    /// The address and length of the list of locks that the kernel releases at the thread's end.
    pub(super) robust_list: [u64; 2],
}

/// Lets the process run until it is about to open the file `until`. Returns its registers, the addresses that it has
/// given to the kernel, and the number of its system calls.
pub(super) fn run_until_opening(tracee: Tracee, until: &[u8]) -> io::Result<(Registers, ThreadFacts, u32)> {
    let (mut facts, mut written) = (ThreadFacts::default(), 0);
    for calls in 0..MOST_CALLS {
        tracee.step()?;
        let registers = tracee.registers()?;
        let [first, second] = [registers.rdi, registers.rsi];
        match registers.orig_rax.cast_signed() {
            libc::SYS_open if tracee.has_text(first, until) => return Ok((registers, facts, calls)),
            libc::SYS_openat if tracee.has_text(second, until) => return Ok((registers, facts, calls)),
            libc::SYS_set_tid_address => facts.thread_number = first,
            libc::SYS_set_robust_list => facts.robust_list = [first, second],
            libc::SYS_write if first == 1 || first == 2 => {
                written += registers.rdx;
                if written > MOST_WRITTEN {
                    return Err(io::Error::other("the program writes much while it starts"));
                }
            }
            // The filter of the warm process refuses these calls. A program that starts anew may make them.
            call if isolation::protects(tracee.pid().cast_unsigned(), call, [first, second]) => {
                return Err(io::Error::other("the program signals or limits itself while it starts"));
            }
            call if moves_data(call) && first <= 2 => {
                return Err(io::Error::other("the program uses a standard stream while it starts"));
            }
            _ => {}
        }
        tracee.step()?;
    }
    Err(io::Error::other("the program does not open its file"))
}

/// Whether the system call may move data through the descriptor that is its first argument.
fn moves_data(call: libc::c_long) -> bool {
    let calls = [
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_pread64,
        libc::SYS_preadv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_pwrite64,
        libc::SYS_pwritev,
        libc::SYS_sendfile,
        libc::SYS_splice,
        libc::SYS_ftruncate,
    ];
    calls.contains(&call)
}

/// Returns the bytes that are in a pipe. A pipe in the kernel has room for all that a program may write while it
/// starts.
pub(super) fn all_in(pipe: impl AsFd) -> io::Result<Vec<u8>> {
    rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
    let mut bytes = vec![0; MOST_WRITTEN as usize];
    match rustix::io::read(&pipe, &mut bytes) {
        Ok(length) => bytes.truncate(length),
        Err(rustix::io::Errno::AGAIN) => bytes.clear(),
        Err(error) => return Err(error.into()),
    }
    Ok(bytes)
}

/// Fails if the process has a second thread, a descriptor besides its streams and the socket, or memory that a fork
/// would share with it.
pub(super) fn check_that_nothing_is_shared(pid: i32) -> io::Result<()> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))?.count();
    let mut descriptors = Vec::new();
    for entry in fs::read_dir(format!("/proc/{pid}/fd"))? {
        descriptors.push(entry?.file_name().to_string_lossy().parse::<i32>().unwrap_or(-1));
    }
    descriptors.sort_unstable();
    let maps = fs::read_to_string(format!("/proc/{pid}/maps"))?;
    let is_shared = |line: &str| line.split(' ').nth(1).is_none_or(|mode| mode.contains('w') && mode.ends_with('s'));
    if threads == 1 && descriptors == [0, 1, 2, WARM_SOCKET] && !maps.lines().any(is_shared) {
        return Ok(());
    }
    Err(io::Error::other("the program has a second thread, open files or shared memory"))
}

/// Returns the memory of the process that a control group counts, in bytes: its own pages and its page tables.
pub(super) fn memory_bytes(pid: i32) -> io::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let kibibytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let found = kibibytes("RssAnon:").zip(kibibytes("VmPTE:")).map(|(own, tables)| (own + tables) << 10);
    found.ok_or_else(|| io::Error::other("the kernel does not report the memory of a process"))
}

/// Returns the CPU time that the process has used until now, without the cost of tracing its `calls` system calls.
pub(super) fn start_cpu(tracee: Tracee, parked: &Registers, calls: u32) -> io::Result<Duration> {
    let traced = cpu_of(tracee.pid())?;
    for _ in 0..MEASURED_CALLS {
        tracee.call(parked, libc::SYS_getppid, [0; 5])?;
    }
    let cost = cpu_of(tracee.pid())?.saturating_sub(traced) / MEASURED_CALLS;
    // The estimate is never below half of what was measured.
    Ok(traced.saturating_sub(cost * calls).max(traced / 2))
}

/// Returns the CPU time of the process.
pub(super) fn cpu_of(pid: i32) -> io::Result<Duration> {
    // The number of the clock of another process, as `clock_getcpuclockid` makes it.
    let clock = (!pid << 3) | 2;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the pointer is to a live local variable of the right type, for which all-zero is a valid value.
    let time = unsafe {
        if libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        time.assume_init()
    };
    Ok(Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0)))
}

/// Interrupts waits of this process with SIGALRM, until the value is dropped.
pub(super) struct Alarm;

impl Alarm {
    pub(super) fn in_seconds(seconds: u32) -> io::Result<Alarm> {
        extern "C" fn nothing(_: libc::c_int) {}
        // SAFETY: an all-zero sigaction is valid and has no flags, so that waits fail with EINTR. The handler does
        // nothing.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = nothing as *const () as usize;
            if libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
            libc::alarm(seconds);
        }
        Ok(Alarm)
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // SAFETY: the call takes a number.
        unsafe { libc::alarm(0) };
    }
}
