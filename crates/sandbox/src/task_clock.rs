//! Counts the CPU time of a zygote and everything that it starts, without a control group.
//!
//! The kernel's performance events have a counter of CPU time, which every new process inherits. It includes processes
//! that no parent waits for. Ordinary users may use it if `kernel.perf_event_paranoid` is at most 2. The kernel stops
//! counting a process that executes a file which its user cannot read, so this figure is a lower bound.

use std::io;
use std::mem::size_of;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::time::Duration;

/// The first version of the kernel's `perf_event_attr`. The kernel takes the missing fields as 0.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint: u32,
    config1: u64,
}

/// `PERF_TYPE_SOFTWARE`: the kernel counts, not the processor.
const SOFTWARE: u32 = 1;

/// `PERF_COUNT_SW_TASK_CLOCK`.
const TASK_CLOCK: u64 = 1;

/// New processes inherit the counter.
const INHERIT: u64 = 1 << 1;

/// These two exclude events in the kernel and in the hypervisor. Ordinary users must set them. This counter counts the
/// time in the kernel nevertheless.
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// Opens a counter of the CPU time of the calling process and of all processes that it starts from now on. Fails if the
/// kernel does not allow it.
///
/// The counter is not opened with `enable_on_exec`. Such a counter would exclude the caller. It would also miss the
/// next child if the kernel exchanged the counters of parent and child.
pub(super) fn open() -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: SOFTWARE,
        size: size_of::<Attributes>() as u32,
        config: TASK_CLOCK,
        flags: INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
        ..Attributes::default()
    };
    let (this_process, any_core, no_group): (libc::c_long, libc::c_long, libc::c_long) = (0, -1, -1);
    // SAFETY: the pointer is to a live value of the size that it states. The kernel only reads it.
    let opened = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            std::ptr::from_ref(&attributes),
            this_process,
            any_core,
            no_group,
            CLOSE_ON_EXEC,
        )
    };
    if opened < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has succeeded, so this is a new descriptor, and no other value owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(opened as i32) })
}

/// Returns the CPU time that a counter of [`open`] has counted so far.
pub(super) fn read(clock: impl AsFd) -> io::Result<Duration> {
    let mut nanoseconds = [0; 8];
    match rustix::io::read(clock, &mut nanoseconds)? {
        8 => Ok(Duration::from_nanos(u64::from_ne_bytes(nanoseconds))),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_children_that_nobody_waits_for() {
        let clock = match open() {
            Ok(clock) => clock,
            Err(error) => {
                eprintln!("skipped, the kernel does not allow the counter of CPU time: {error}");
                return;
            }
        };
        // The counter is inherited from the thread that has opened it, so this thread starts the shell.
        let text = "trap '' CHLD; (i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done) & wait";
        let before = read(&clock).unwrap();
        assert!(std::process::Command::new("sh").args(["-c", text]).status().unwrap().success());
        assert!(read(&clock).unwrap() > before + Duration::from_millis(1));
    }
}
