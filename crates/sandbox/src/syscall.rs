//! Wraps system calls for which no dependency has a safe wrapper.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions};

/// The status and peak memory of a process, as the kernel reports them when it is reaped.
pub(super) struct Reaped {
    pub(super) status: i32,
    pub(super) peak_memory_bytes: u64,
}

/// Waits until the child `pid` has ended, and reaps it. If `pid` is -1, waits for any child.
pub(super) fn reap(pid: i32) -> io::Result<Reaped> {
    loop {
        // Without WNOHANG the call returns `None` only for a stopped child.
        if let Some(reaped) = wait(pid, 0)? {
            return Ok(reaped);
        }
    }
}

/// Waits until the child `pid` has ended or stopped, and does not reap it.
pub(super) fn wait_without_reaping(pid: Pid) -> io::Result<()> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match rustix::process::waitid(WaitId::Pid(pid), options) {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result.map(drop)?),
        }
    }
}

/// Reaps a child that has ended. Returns `None` if no child has ended.
pub(super) fn reap_ended() -> io::Result<Option<Reaped>> {
    wait(-1, libc::WNOHANG)
}

fn wait(pid: i32, flags: i32) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    let got = loop {
        // SAFETY: both pointers are to live local variables of the types that wait4 fills in.
        let got = unsafe { libc::wait4(pid, &raw mut status, flags, usage.as_mut_ptr()) };
        let error = io::Error::last_os_error();
        if got >= 0 {
            break got;
        }
        // A signal has interrupted the call. The error may be another one: a child that has not executed its program yet
        // shares the memory in which the C library stores errors.
        if error.raw_os_error() == Some(libc::ECHILD) {
            return Err(error);
        }
    };
    if got == 0 || libc::WIFSTOPPED(status) {
        // Without WUNTRACED, the call reports a stopped child only if the child has asked its parent to trace it. The
        // parent does not trace, so it kills the child.
        if got > 0 {
            // SAFETY: the call takes two numbers. The child has not been reaped, so the number is still its own.
            unsafe { libc::kill(got, libc::SIGKILL) };
        }
        return Ok(None);
    }
    // SAFETY: wait4 has returned a child's number, so it has filled in the usage.
    let usage = unsafe { usage.assume_init() };
    Ok(Some(Reaped { status, peak_memory_bytes: kibibytes(usage.ru_maxrss) }))
}

/// Sets the soft and the hard limit of the caller for a resource. Fails if the value exceeds the present hard limit.
pub(super) fn set_limit(resource: u32, value: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: the pointer is to a live local variable of the right type. This is a raw call, because the type of a
    // resource differs between C libraries.
    let failed =
        unsafe { libc::syscall(libc::SYS_prlimit64, 0, resource, &raw const limit, std::ptr::null_mut::<u8>()) };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns the CPU time of all reaped children, including the time of the processes that these children had reaped.
pub(super) fn children_cpu() -> Duration {
    let usage = usage_of(libc::RUSAGE_CHILDREN);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// Returns the peak memory of the caller in bytes. The kernel reports at least this peak for a child that shared the
/// memory of the caller before its exec.
pub(super) fn own_peak_memory_bytes() -> u64 {
    kibibytes(usage_of(libc::RUSAGE_SELF).ru_maxrss)
}

fn usage_of(whom: i32) -> libc::rusage {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local variable of the type that getrusage fills in. All-zero is a valid value of
    // it, so reading it is sound even if the call failed.
    unsafe {
        libc::getrusage(whom, usage.as_mut_ptr());
        usage.assume_init()
    }
}

/// Whether two processes use the same memory, as after `vfork`. Returns false if the kernel does not say so.
pub(super) fn share_memory(one: i32, other: i32) -> bool {
    const MEMORY: libc::c_long = 1;
    let unused: libc::c_long = 0;
    // SAFETY: the call takes numbers and changes nothing.
    unsafe {
        libc::syscall(libc::SYS_kcmp, libc::c_long::from(one), libc::c_long::from(other), MEMORY, unused, unused) == 0
    }
}

/// Returns the size of a page of memory in bytes. The C library received it at the process's start, so this works in a
/// zygote, which cannot read its own files in /proc.
pub(super) fn page_bytes() -> u64 {
    configured(libc::_SC_PAGESIZE)
}

/// Returns the number of clock ticks in a second. Files in /proc give times in clock ticks.
pub(super) fn clock_ticks_per_second() -> u64 {
    configured(libc::_SC_CLK_TCK)
}

fn configured(name: i32) -> u64 {
    // SAFETY: the call takes a number.
    u64::try_from(unsafe { libc::sysconf(name) }).unwrap_or(1).max(1)
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

fn kibibytes(count: libc::c_long) -> u64 {
    u64::try_from(count).unwrap_or(0) * 1024
}
