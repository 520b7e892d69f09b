//! Wakes the zygote when a child ends. The zygote blocks SIGCHLD and accepts it only while it polls, so no signal is lost
//! between a check and the next wait. This costs fewer system calls than a process descriptor for each child.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Makes the kernel report the end of children to [`wait`]. Call this before the first child starts.
pub(super) fn prepare() -> io::Result<()> {
    // SAFETY: an all-zero sigaction is valid. The handler does nothing, so it may run at any time.
    let handles = unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = ignore as extern "C" fn(libc::c_int) as usize;
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut()) == 0
    };
    let child = set_with_child_signal();
    // SAFETY: the pointer is to a live set of signals.
    let blocks = unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const child, std::ptr::null_mut()) } == 0;
    if handles && blocks { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Waits until `socket` is readable, and then returns true. Returns false if a child may have ended.
pub(super) fn wait(socket: BorrowedFd<'_>) -> io::Result<bool> {
    let mut event = libc::pollfd { fd: socket.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let none = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the pointers are to live local variables. An all-zero set of signals is valid and empty.
    match unsafe { libc::ppoll(&raw mut event, 1, std::ptr::null(), none.as_ptr()) } {
        1.. => Ok(true),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            error => Err(error),
        },
    }
}

extern "C" fn ignore(_: libc::c_int) {}

fn set_with_child_signal() -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the set is live, and all-zero is a valid, empty set.
    unsafe {
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        set.assume_init()
    }
}
