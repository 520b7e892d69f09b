//! Ctrl-C and its like: remembered in a flag, and seen by every waiting run through a pipe.
//!
//! The pipe is written once by the signal handler and never read, so that it wakes every `poll`, now and later.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::low_level;

static HAPPENED: AtomicBool = AtomicBool::new(false);
static WAKER: OnceLock<OwnedFd> = OnceLock::new();

/// Starts to watch for SIGINT, SIGTERM and SIGHUP. Called once, by the command line.
pub fn watch() -> io::Result<()> {
    let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC | rustix::pipe::PipeFlags::NONBLOCK)?;
    if WAKER.set(read).is_err() {
        return Ok(());
    }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let waker = write.try_clone()?;
        // SAFETY: the handler does two things that are safe in a signal handler: it stores to an atomic and calls
        // write(2) on a descriptor that it owns and that does not block.
        unsafe {
            low_level::register(signal, move || {
                HAPPENED.store(true, Ordering::SeqCst);
                let _ = rustix::io::write(&waker, b"!");
            })?;
        }
    }
    // Else what exceeds a limit of the shell's on files would end the judge without a word; so writing fails. Programs
    // that are started have the signal as it was: no handler outlives an exec. SAFETY: the handler does nothing.
    unsafe { low_level::register(SIGXFSZ, || {})? };
    Ok(())
}

/// Whether the user has interrupted the judge.
pub fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

/// Waits until there is something to read from `file`, or its end. An error if the user interrupts the judge first.
///
/// A plain read would go on waiting: after a signal the kernel begins it anew.
pub fn wait_for_input(file: impl AsFd) -> io::Result<()> {
    wait(&file, PollFlags::IN)
}

fn wait(file: &impl AsFd, wanted: PollFlags) -> io::Result<()> {
    let mut watched = vec![PollFd::from_borrowed_fd(file.as_fd(), wanted)];
    watched.extend(waker().map(|waker| PollFd::from_borrowed_fd(waker, PollFlags::IN)));
    loop {
        match poll(&mut watched, None) {
            // What need not be waited for is done, whatever the user wants.
            Ok(_) if !watched[0].revents().is_empty() && wanted == PollFlags::OUT => return Ok(()),
            // Not the kind that is called so, upon which readers try again.
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

/// Becomes readable, and stays so, once the user interrupts the judge.
pub(super) fn waker() -> Option<BorrowedFd<'static>> {
    WAKER.get().map(AsFd::as_fd)
}
