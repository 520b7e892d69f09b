//! Handles interrupts by the user: Ctrl-C, SIGTERM and SIGHUP set a flag and wake every waiting run through a pipe.
//!
//! The signal handler writes a byte to the pipe for each signal, and no code reads from the pipe. So the pipe remains
//! readable, and wakes every later `poll`, too.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level;

use super::Ended;

static HAPPENED: AtomicBool = AtomicBool::new(false);
static IS_GENTLE: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);
static WAKER: OnceLock<OwnedFd> = OnceLock::new();

/// Installs the signal handlers. The program calls this function once, so that an interrupt ends runs with
/// [`crate::SandboxError::Interrupted`]. Fails if the kernel refuses a pipe or a handler.
pub fn watch() -> io::Result<()> {
    let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC | rustix::pipe::PipeFlags::NONBLOCK)?;
    if WAKER.set(read).is_err() {
        return Ok(());
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let waker = write.try_clone()?;
        // SAFETY: the handler does two things, both safe in a signal handler: it reads and stores atomics, and it calls
        // write(2) on a descriptor that it owns and that does not block.
        unsafe {
            low_level::register(signal, move || {
                if IS_GENTLE.load(Ordering::SeqCst) && !IS_ASKED.swap(true, Ordering::SeqCst) {
                    return;
                }
                HAPPENED.store(true, Ordering::SeqCst);
                let _ = rustix::io::write(&waker, b"!");
            })?;
        }
    }
    // If the parent process ignores SIGCHLD, the judge inherits that, and the kernel then reports no child that ended.
    // SAFETY: the default action of SIGCHLD is not a handler, and this process has none for it.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // Without a handler, SIGXFSZ kills the judge when a file becomes larger than `ulimit -f` allows. With a handler,
    // only the write fails. Programs do not inherit the handler, because exec removes it. SAFETY: the handler does
    // nothing.
    unsafe { low_level::register(SIGXFSZ, || {})? };
    Ok(())
}

/// Lets the first signal only ask for an end ([`is_asked`]). The second signal ends runs. A command that must finish its
/// work calls this function before it begins.
pub fn finish_work_first() {
    IS_GENTLE.store(true, Ordering::SeqCst);
}

/// Whether a signal has asked for an end, after [`finish_work_first`].
pub fn is_asked() -> bool {
    IS_ASKED.load(Ordering::SeqCst) || happened()
}

/// Whether the user has interrupted the judge.
pub fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

/// How long the judge waits for SIGHUP, SIGINT or SIGTERM after one of these signals has ended a program. Systems that
/// stop a job send the signal to its processes one after the other.
const GRACE: Duration = Duration::from_millis(100);

/// The exit code of shells and of Java for a program that a signal ended is this number plus that of the signal.
const EXIT_CODE_OF_SIGNALS: i32 = 128;

/// Returns whether the judge is being stopped. Waits up to 100 ms for the signal. Call this function if a program has
/// ended as if it had received the same signal: then the end is no fault of the program.
pub fn follows() -> bool {
    if let Some(waker) = waker() {
        let _ = poll(&mut [PollFd::from_borrowed_fd(waker, PollFlags::IN)], Timespec::try_from(GRACE).ok().as_ref());
    }
    happened()
}

/// Returns whether a program ended in this way because all processes of the judge are being stopped, as by `scancel` of
/// Slurm. Waits for the judge's own signal if SIGHUP, SIGINT or SIGTERM ended the program, or if its exit code says so,
/// as with Java.
pub(super) fn explains(ended: Ended) -> bool {
    let signal = match ended {
        Ended::Signaled(signal) => signal,
        Ended::Exited(code) => code - EXIT_CODE_OF_SIGNALS,
    };
    [SIGHUP, SIGINT, SIGTERM].contains(&signal) && follows()
}

/// Waits until `file` has something to read or has ended. Fails if the user interrupts the judge first.
///
/// A plain read would not notice the interrupt, because the kernel restarts the read after a signal.
pub fn wait_for_input(file: impl AsFd) -> io::Result<()> {
    wait(&file, PollFlags::IN)
}

fn wait(file: &impl AsFd, wanted: PollFlags) -> io::Result<()> {
    let mut watched = vec![PollFd::from_borrowed_fd(file.as_fd(), wanted)];
    watched.extend(waker().map(|waker| PollFd::from_borrowed_fd(waker, PollFlags::IN)));
    loop {
        match poll(&mut watched, None) {
            // Output is still written after an interrupt, if the write does not block.
            Ok(_) if !watched[0].revents().is_empty() && wanted == PollFlags::OUT => return Ok(()),
            // The error is not `ErrorKind::Interrupted`, because readers try again after `ErrorKind::Interrupted`.
            _ if happened() => return Err(io::Error::other("interrupted")),
            Err(rustix::io::Errno::INTR) => {}
            ended => return Ok(ended.map(drop)?),
        }
    }
}

/// Waits until `file` can be written to. Fails if the user interrupts the judge first. A regular file can always be
/// written to.
pub fn wait_until_writable(file: impl AsFd) -> io::Result<()> {
    wait(&file, PollFlags::OUT)
}

/// Returns a descriptor that becomes readable, and remains so, once the user interrupts the judge; `None` if [`watch`]
/// was not called.
pub(super) fn waker() -> Option<BorrowedFd<'static>> {
    WAKER.get().map(AsFd::as_fd)
}
