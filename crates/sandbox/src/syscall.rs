//! The system calls that no dependency wraps safely, one small function each.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

/// How a process ended and what it used, as the kernel tells at the moment it is reaped.
pub(super) struct Reaped {
    pub(super) status: i32,
    pub(super) peak_memory_bytes: u64,
}

/// Reaps the child `pid`, or any if that is -1, waiting for its end.
pub(super) fn reap(pid: i32) -> io::Result<Reaped> {
    loop {
        // Without the flag not to wait, the call returns a reaped process.
        if let Some(reaped) = wait(pid, 0)? {
            return Ok(reaped);
        }
    }
}

/// Reaps a child that has ended, if there is one.
pub(super) fn reap_ended() -> io::Result<Option<Reaped>> {
    wait(-1, libc::WNOHANG)
}

fn wait(pid: i32, flags: i32) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    let got = loop {
        // SAFETY: both pointers are to live locals of the types wait4 fills in.
        let got = unsafe { libc::wait4(pid, &raw mut status, flags, usage.as_mut_ptr()) };
        let error = io::Error::last_os_error();
        if got >= 0 {
            break got;
        }
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    };
    if got == 0 || libc::WIFSTOPPED(status) {
        // The child is stopped for a tracer: a program can ask its parent to trace it, and the judge never does.
        if got > 0 {
            // SAFETY: takes two numbers; the child has not been reaped, so the number is still its own.
            unsafe { libc::kill(got, libc::SIGKILL) };
        }
        return Ok(None);
    }
    // SAFETY: wait4 returned a child's number, so it has filled in the usage.
    let usage = unsafe { usage.assume_init() };
    Ok(Some(Reaped { status, peak_memory_bytes: kibibytes(usage.ru_maxrss) }))
}

/// CPU time of all children that have been reaped, and of theirs.
pub(super) fn children_cpu() -> Duration {
    let usage = usage_of(libc::RUSAGE_CHILDREN);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// The caller's own peak memory, which a process it starts carries in its figures until it executes its program.
pub(super) fn own_peak_memory_bytes() -> u64 {
    kibibytes(usage_of(libc::RUSAGE_SELF).ru_maxrss)
}

fn usage_of(whom: i32) -> libc::rusage {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local of the type getrusage fills in; all-zero is a valid value of it, so
    // reading it is sound even if the call failed.
    unsafe {
        libc::getrusage(whom, usage.as_mut_ptr());
        usage.assume_init()
    }
}

/// Returns the bytes in a page of memory. The C library has received the number at its start; a process that has closed
/// its memory to others cannot look it up in /proc.
pub(super) fn page_bytes() -> u64 {
    configured(libc::_SC_PAGESIZE)
}

/// In which parts of a second the kernel tells times in /proc.
pub(super) fn clock_ticks_per_second() -> u64 {
    configured(libc::_SC_CLK_TCK)
}

fn configured(name: i32) -> u64 {
    // SAFETY: takes a number.
    u64::try_from(unsafe { libc::sysconf(name) }).unwrap_or(1).max(1)
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

fn kibibytes(count: libc::c_long) -> u64 {
    u64::try_from(count).unwrap_or(0) * 1024
}
