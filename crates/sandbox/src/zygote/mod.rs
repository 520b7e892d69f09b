//! The judge's side of a zygote: starts the zygote, sends it requests, and ends it.

pub(super) mod blocked;
pub(super) mod descendants;
mod message;
mod near;
mod process;
mod received_streams;
mod spawner;
mod stop;
#[cfg(target_arch = "x86_64")]
mod tracee;
#[cfg(target_arch = "x86_64")]
pub(super) mod warm;
mod wire;

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::SendFlags;
use rustix::process::{Pid, PidfdFlags, Signal};

use super::clone::{self, ChildSpec, Signals};
use super::deadline::{Deadline, SLICE};
use super::isolation::InForce;
use super::plan::{SetupError, ZygotePlan};
use message::Startup;
pub(super) use message::{Reply, Request, Source, WarmStart};
pub(super) use near::core_of_next_run;
pub(super) use spawner::serve_if_spawner;

/// Maximum time for a zygote outside namespaces to kill the processes that its program left behind.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(6);

/// The timeout for answers of a zygote outside namespaces. It is shorter than [`wire::TIMEOUT`], because a program
/// outside namespaces may have stopped its zygote.
const TIMEOUT_OUTSIDE: Duration = Duration::from_secs(20);

/// A running zygote. Dropping this value ends the zygote.
#[derive(Debug)]
pub(super) struct Zygote {
    socket: Option<UnixStream>,
    /// The socket for [`Zygote::request_stop`].
    stop: Option<UnixStream>,
    pid: Pid,
    watch: OwnedFd,
    in_namespace: bool,
    in_force: InForce,
    scratch: Option<OwnedFd>,
    task_clock: Option<OwnedFd>,
    /// Whether it may keep its program warm.
    keeps_warm: bool,
    /// The memory of its warm process in bytes; 0 if no run has been forked from one.
    warm_bytes: AtomicU64,
}

impl Zygote {
    /// Starts a zygote with this `plan`. The zygote joins its control group by writing to `join_files`.
    pub(super) fn start(plan: &ZygotePlan, join_files: &[BorrowedFd<'_>]) -> Result<Zygote, SetupError> {
        if !super::init::is_done() {
            // Without `init`, the new process would run `main` instead of becoming the spawner.
            return Err(SetupError {
                doing: "starting a zygote (init was not called; call init first in main)".to_owned(),
                errno: libc::EPERM,
            });
        }
        let (socket, theirs) = pair().map_err(SetupError::during("making a socket"))?;
        let (stop, their_stop) = wire::pair().map_err(SetupError::during("making a socket"))?;
        let fds: Vec<_> = [theirs.as_fd(), their_stop.as_fd()].into_iter().chain(join_files.iter().copied()).collect();
        let pid = ask_spawner(plan, &fds)?;
        drop((theirs, their_stop));
        let watch =
            rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(SetupError::during("watching a zygote"))?;
        let in_namespace = plan.isolation.namespaces.is_some();
        let in_force = InForce::default();
        let mut zygote = Zygote {
            socket: Some(socket),
            stop: Some(stop),
            pid,
            watch,
            in_namespace,
            in_force,
            scratch: None,
            task_clock: None,
            keeps_warm: plan.warm_until.is_some(),
            warm_bytes: AtomicU64::new(0),
        };
        loop {
            let (startup, fds) =
                zygote.receive::<Startup>().map_err(SetupError::during("waiting for the sandbox's helper process"))?;
            match startup {
                Startup::SetupError(failed) => return Err(failed),
                Startup::Folder => zygote.scratch = fds.into_iter().next(),
                Startup::TaskClock => zygote.task_clock = fds.into_iter().next(),
                Startup::Ready(in_force) => {
                    zygote.in_force = in_force;
                    return Ok(zygote);
                }
            }
        }
    }

    /// Returns the parts of the isolation that are in force.
    pub(super) fn in_force(&self) -> InForce {
        self.in_force
    }

    /// The folder to which the program can write; `None` if there is none.
    pub(super) fn scratch(&self) -> Option<BorrowedFd<'_>> {
        self.scratch.as_ref().map(AsFd::as_fd)
    }

    /// The counter of the CPU time of everything that the zygote starts; `None` if a control group counts it, or if the
    /// kernel does not allow the counter.
    pub(super) fn task_clock(&self) -> Option<BorrowedFd<'_>> {
        self.task_clock.as_ref().map(AsFd::as_fd)
    }

    /// Whether the zygote's programs run in a PID namespace. The kernel kills every process in it when the zygote ends.
    pub(super) fn in_namespace(&self) -> bool {
        self.in_namespace
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether it may fork its program from a warm process.
    pub(super) fn keeps_warm(&self) -> bool {
        self.keeps_warm
    }

    /// Returns the memory in bytes that its warm process holds between runs.
    pub(super) fn warm_bytes(&self) -> u64 {
        self.warm_bytes.load(Ordering::Relaxed)
    }

    /// Returns a descriptor that is readable when the zygote has answered or ended.
    pub(super) fn readiness(&self) -> io::Result<BorrowedFd<'_>> {
        Ok(self.socket()?.as_fd())
    }

    pub(super) fn ask(&self, request: &Request, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
        wire::send(self.socket()?, request, fds)
    }

    /// Requests that the zygote kills every process of the run. The zygote then answers as at any other end.
    pub(super) fn request_stop(&self) -> io::Result<()> {
        let socket = self.stop.as_ref().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
        match rustix::net::send(socket, b"x", SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
            // Earlier requests are still there.
            Ok(_) | Err(rustix::io::Errno::AGAIN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Receives the answer, waiting for it if necessary. Fails with `UnexpectedEof` if the zygote has ended.
    pub(super) fn answer(&self) -> io::Result<Reply> {
        let (reply, _) = self.receive()?;
        if let Reply::Ended { warm: Some(WarmStart { held_bytes, .. }), .. } = reply {
            self.warm_bytes.store(held_bytes, Ordering::Relaxed);
        }
        Ok(reply)
    }

    fn socket(&self) -> io::Result<&UnixStream> {
        self.socket.as_ref().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))
    }

    fn receive<T: serde::de::DeserializeOwned>(&self) -> io::Result<(T, Vec<OwnedFd>)> {
        let timeout = if self.in_namespace { wire::TIMEOUT } else { TIMEOUT_OUTSIDE };
        wire::receive_within(timeout, self.socket()?)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    }
}

impl Drop for Zygote {
    fn drop(&mut self) {
        drop((self.socket.take(), self.stop.take()));
        if !self.in_namespace {
            // The zygote has to kill the processes that its program left behind. In a namespace the kernel does that.
            let _ = is_ready(self.watch.as_fd(), CLEANUP_TIMEOUT);
        }
        let _ = rustix::process::pidfd_send_signal(&self.watch, Signal::KILL);
        // A process that hangs in the kernel must not make the judge hang.
        if is_ready(self.watch.as_fd(), wire::TIMEOUT).unwrap_or(false) {
            let _ = super::syscall::reap(self.pid.as_raw_nonzero().get());
        }
    }
}

fn is_ready(fd: BorrowedFd<'_>, timeout: Duration) -> io::Result<bool> {
    let mut deadline = Deadline::new(timeout);
    loop {
        let mut events = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        match poll(&mut events, Timespec::try_from(deadline.slice()).ok().as_ref()) {
            Ok(0) if deadline.has_passed() => return Ok(false),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// The spawner. It starts when the first zygote is needed, so it inherits the umask and the limits of the judge at that
/// time. `None` before that, after an error, and after [`end_spawner`].
static SPAWNER: Mutex<Option<Spawner>> = Mutex::new(None);

struct Spawner {
    socket: UnixStream,
    pid: Pid,
    watch: OwnedFd,
}

/// Maximum wait for the spawner to call `init`. Normally that takes milliseconds.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum wait for the spawner to exit, when the judge itself exits.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Ends the spawner and reaps it. Otherwise each judge would leave a zombie in a container whose process 1 reaps no
/// orphans.
pub(super) fn end_spawner() {
    let Some(Spawner { socket, pid, watch }) = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return;
    };
    drop(socket);
    if is_ready(watch.as_fd(), EXIT_TIMEOUT).unwrap_or(false) {
        let _ = super::syscall::reap(pid.as_raw_nonzero().get());
    }
}

fn ask_spawner(plan: &ZygotePlan, fds: &[BorrowedFd<'_>]) -> Result<Pid, SetupError> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    let result = exchange(&mut spawner, plan, fds);
    if result.is_err() {
        // The state of this spawner is unknown, so a new spawner forks the next zygote.
        *spawner = None;
    }
    Pid::from_raw(result??).ok_or(SetupError { doing: "making a zygote".to_owned(), errno: libc::ESRCH })
}

fn exchange(
    spawner: &mut Option<Spawner>,
    plan: &ZygotePlan,
    fds: &[BorrowedFd<'_>],
) -> Result<spawner::Reply, SetupError> {
    let failed = SetupError::during("requesting a helper process from the spawner");
    let socket = match spawner {
        Some(Spawner { socket, .. }) => socket,
        None => &spawner.insert(start_spawner()?).socket,
    };
    let request = || {
        wire::send(socket, plan, fds)?;
        wire::receive(socket)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    };
    request().map(|(pid, _)| pid).map_err(failed)
}

/// Makes a pair of sockets. On the first one, reads and writes time out after one [`SLICE`], so that the judge can
/// check its deadline.
fn pair() -> io::Result<(UnixStream, UnixStream)> {
    let (ours, theirs) = wire::pair()?;
    ours.set_read_timeout(Some(SLICE))?;
    ours.set_write_timeout(Some(SLICE))?;
    Ok((ours, theirs))
}

/// Executes this binary once more; [`crate::init()`] then turns the new process into the spawner. The spawner exits
/// when the judge closes its end of the socket, at the latest when the judge exits.
fn start_spawner() -> Result<Spawner, SetupError> {
    let spawner = execute_spawner().map_err(SetupError::during("starting the spawner"))?;
    // Until the new process calls `init`, it runs the beginning of the program's own `main`, which must not take long.
    if let Ok(Some(_)) = wire::receive_within::<()>(START_TIMEOUT, &spawner.socket) {
        return Ok(spawner);
    }
    let _ = rustix::process::pidfd_send_signal(&spawner.watch, Signal::KILL);
    let _ = super::syscall::reap(spawner.pid.as_raw_nonzero().get());
    let doing = "starting the spawner (main did not reach init; call init first in main)".to_owned();
    Err(SetupError { doing, errno: libc::ETIME })
}

fn execute_spawner() -> io::Result<Spawner> {
    let (ours, theirs) = pair()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let spec = ChildSpec {
        command: vec![c"/proc/self/exe".to_owned()],
        environment: vec![CString::new(format!("{}=1", spawner::MARK))?],
        directory: Some(c"/".to_owned()),
        standard: [theirs.as_raw_fd(), nothing.as_raw_fd(), nothing.as_raw_fd()],
        limits: vec![super::core_dumps::core_dump_limit()],
        lockdown: None,
        session_key: [0; 2],
        cores: None,
        signals: Signals::Reset,
        // All threads of the judge use the spawner, so it must not end with the thread that starts it.
        dies_with_its_parent: false,
        warm: None,
    };
    let child = clone::start(&spec).map_err(|failed| failed.error)?;
    // The spawner has not been reaped, so the number is still its own.
    let watch = rustix::process::pidfd_open(child.pid, PidfdFlags::empty())?;
    Ok(Spawner { socket: ours, pid: child.pid, watch })
}
