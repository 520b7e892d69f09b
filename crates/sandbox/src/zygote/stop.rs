//! Stops a run when the judge asks for it or ends. So the zygote need only wait for its program: the kernel interrupts
//! it with SIGIO when something arrives on the stop socket, or when the judge's end of that socket closes. A zygote that
//! polled for both would need three more system calls in each run.
//!
//! No request is lost: the signal handler itself kills the run, and [`StopSocket::watch`] kills a run whose request
//! came before its start was complete. A program can send the same signal to the zygote, so the handler looks at the
//! socket.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use rustix::net::SendFlags;

/// The longest wait for the signal of a trial. Normally it comes before the system call that caused it returns.
const LONGEST_TRIAL: Duration = Duration::from_secs(2);

/// The descriptor of the socket.
static SOCKET: AtomicI32 = AtomicI32::new(-1);

/// Whether a request has come since the last [`StopSocket::begin`].
static IS_REQUESTED: AtomicBool = AtomicBool::new(false);

/// The number of the run's main process; 0 between runs.
static MAIN: AtomicI32 = AtomicI32::new(0);

/// Whether a run consists of all processes of the namespace except this one.
static IN_NAMESPACE: AtomicBool = AtomicBool::new(false);

/// The zygote's end of the socket on which the judge requests that it stops a run.
#[derive(Debug)]
pub(super) struct StopSocket(OwnedFd);

impl StopSocket {
    /// Makes the kernel signal requests on `socket`. Fails if the kernel does not: a run would then never be stopped. A
    /// process does this once.
    pub(super) fn new(socket: OwnedFd, in_namespace: bool) -> io::Result<StopSocket> {
        let (theirs, ours) = super::wire::pair()?;
        let trial = StopSocket::watch_socket(ours.into(), in_namespace)?;
        rustix::net::send(&theirs, b"x", SendFlags::NOSIGNAL)?;
        let began = Instant::now();
        while !IS_REQUESTED.load(Ordering::SeqCst) {
            if began.elapsed() > LONGEST_TRIAL {
                return Err(rustix::io::Errno::OPNOTSUPP.into());
            }
            std::thread::yield_now();
        }
        // Closed in this order, the trial makes no further signal.
        drop(trial);
        drop(theirs);
        IS_REQUESTED.store(false, Ordering::SeqCst);
        StopSocket::watch_socket(socket, in_namespace)
    }

    fn watch_socket(socket: OwnedFd, in_namespace: bool) -> io::Result<StopSocket> {
        IN_NAMESPACE.store(in_namespace, Ordering::Relaxed);
        SOCKET.store(socket.as_raw_fd(), Ordering::Relaxed);
        // SAFETY: an all-zero sigaction is valid, and has no flags, so that waits fail with EINTR. The handler uses only
        // atomic variables, `poll` and `kill`, which a handler may call. `fcntl` takes numbers, and the socket is open.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = stop as extern "C" fn(libc::c_int) as usize;
            let descriptor = socket.as_raw_fd();
            let is_done = libc::sigaction(libc::SIGIO, &raw const action, std::ptr::null_mut()) == 0
                && libc::fcntl(descriptor, libc::F_SETOWN, libc::getpid()) == 0
                && libc::fcntl(descriptor, libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK) == 0;
            if is_done { Ok(StopSocket(socket)) } else { Err(io::Error::last_os_error()) }
        }
    }

    /// Begins a run. Forgets requests about earlier runs, which have ended before they arrived. Returns whether the
    /// judge still lives.
    pub(super) fn begin(&self) -> bool {
        if !IS_REQUESTED.swap(false, Ordering::Relaxed) {
            return true;
        }
        loop {
            match rustix::io::read(&self.0, &mut [0; 1]) {
                Ok(0) => return false,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return error == rustix::io::Errno::AGAIN,
            }
        }
    }

    /// From now on, a request kills the run whose main process is `main`.
    #[expect(clippy::unused_self, reason = "without the socket, there are no requests")]
    pub(super) fn watch(&self, main: i32) {
        MAIN.store(main, Ordering::SeqCst);
        if IS_REQUESTED.load(Ordering::SeqCst) {
            kill_run(main);
        }
    }

    /// From now on, a request kills nothing. The main process has not been reaped yet, or the caller is in a namespace:
    /// otherwise another process could have got its number.
    #[expect(clippy::unused_self, reason = "as above")]
    pub(super) fn end(&self) {
        MAIN.store(0, Ordering::SeqCst);
    }
}

extern "C" fn stop(_: libc::c_int) {
    // The interrupted code may be about to read the error of its own system call.
    // SAFETY: the pointer is to the error of this thread.
    let error = unsafe { *libc::__errno_location() };
    if has_request() {
        IS_REQUESTED.store(true, Ordering::SeqCst);
        let main = MAIN.load(Ordering::SeqCst);
        if main != 0 {
            kill_run(main);
        }
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = error };
}

/// Whether a request waits on the socket, or its other end is closed. A request is on the socket before its signal
/// comes, even if the kernel merges that signal with one of a program.
fn has_request() -> bool {
    let mut event = libc::pollfd { fd: SOCKET.load(Ordering::Relaxed), events: libc::POLLIN, revents: 0 };
    // SAFETY: the pointer is to a live local variable.
    unsafe { libc::poll(&raw mut event, 1, 0) > 0 }
}

/// Kills every process of the run. Outside a namespace, kills the main process and its process group.
fn kill_run(main: i32) {
    if IN_NAMESPACE.load(Ordering::Relaxed) {
        return super::process::kill_all_others();
    }
    // SAFETY: the calls take numbers. The main process has not been reaped, so the number is still its own.
    unsafe {
        libc::kill(-main, libc::SIGKILL);
        libc::kill(main, libc::SIGKILL);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command};

    use super::super::wire;
    use super::*;

    fn sleeping() -> Child {
        Command::new("sleep").arg("60").spawn().unwrap()
    }

    /// One test, because the handler and its variables belong to the whole process.
    #[test]
    fn a_request_kills_the_watched_run_only_and_the_end_of_the_judge_is_one() {
        let (judge, zygote) = wire::pair().unwrap();
        let socket = StopSocket::new(zygote.into(), false).unwrap();
        let request = || {
            rustix::net::send(&judge, b"x", SendFlags::NOSIGNAL).unwrap();
            // The kernel may deliver the signal to any thread of this process.
            while !IS_REQUESTED.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        };
        let number = |child: &Child| i32::try_from(child.id()).unwrap();
        let killed = |mut child: Child| assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));

        // Between runs.
        let mut child = sleeping();
        request();
        assert!(socket.begin());
        socket.watch(number(&child));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none(), "the request was about an earlier run");

        // A signal of a program is no request.
        // SAFETY: the call takes numbers.
        unsafe { libc::kill(libc::getpid(), libc::SIGIO) };
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none(), "no request has come");

        // During a run.
        request();
        killed(child);
        socket.end();

        // Before the start is complete.
        assert!(socket.begin());
        let child = sleeping();
        request();
        socket.watch(number(&child));
        killed(child);
        socket.end();

        assert!(socket.begin());
        let child = sleeping();
        socket.watch(number(&child));
        drop(judge);
        killed(child);
        socket.end();
        assert!(!socket.begin(), "the judge has ended");
    }
}
