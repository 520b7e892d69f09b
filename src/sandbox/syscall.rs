//! The system calls that no dependency wraps safely, one small function each.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

/// How a process ended and what it used, as the kernel tells at the moment it is reaped.
pub(super) struct Reaped {
    pub(super) status: i32,
    pub(super) cpu: Duration,
    pub(super) peak_memory_bytes: u64,
}

/// Reaps the child `pid`, waiting for its end.
pub(super) fn reap(pid: i32) -> io::Result<Reaped> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    loop {
        // SAFETY: both pointers are to live locals of the types wait4 fills in.
        let got = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if got == pid {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: wait4 returned the child's number, so it has filled in the usage.
    let usage = unsafe { usage.assume_init() };
    Ok(Reaped {
        status,
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak_memory_bytes: kibibytes(usage.ru_maxrss),
    })
}

/// The judge's own peak memory, which a spawned process carries in its figures until it executes its program.
pub(super) fn own_peak_memory_bytes() -> u64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a live local of the type getrusage fills in; all-zero is a valid value of it, so
    // reading it is sound even if the call failed.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    kibibytes(usage.ru_maxrss)
}

/// CPU time used so far by the process `pid` (all its threads), or `None` once it is gone.
pub(super) fn cpu_time(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: both pointers are to live locals; `time` is read only after clock_gettime has said that it filled it.
    unsafe {
        if libc::clock_getcpuclockid(pid, &raw mut clock) != 0 || libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return None;
        }
        let time = time.assume_init();
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

fn kibibytes(count: libc::c_long) -> u64 {
    u64::try_from(count).unwrap_or(0) * 1024
}
