//! The judge's side of zygotes: how one is come by, asked, and ended.

pub(super) mod descendants;
mod message;
mod process;
mod spawner;
mod wire;

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::clone::{self, ChildSpec};
use super::deadline::{Deadline, SLICE};
use super::isolation::InForce;
use super::plan::{Plan, SetupError};
use message::Startup;
pub(super) use message::{Reply, Request};
pub(super) use spawner::serve_if_spawner;

/// How long a zygote outside namespaces may take to end what its program has left behind.
const LAST_DUTIES: Duration = Duration::from_secs(6);

/// How long one is waited for that its program can have stopped.
const TIMEOUT_OUTSIDE: Duration = Duration::from_secs(20);

/// A zygote, alive as long as this value.
#[derive(Debug)]
pub(super) struct Zygote {
    socket: Option<UnixStream>,
    pid: Pid,
    watch: OwnedFd,
    in_namespace: bool,
    in_force: InForce,
    scratch: Option<OwnedFd>,
}

impl Zygote {
    /// Has a zygote made to `plan`, in the control groups with these `join_files`.
    pub(super) fn start(plan: &Plan, join_files: &[BorrowedFd<'_>]) -> Result<Zygote, SetupError> {
        if !super::init::is_done() {
            // The binary would not know that it is to become the spawner.
            return Err(SetupError {
                doing: "isolating a program before init was called".to_owned(),
                errno: libc::EPERM,
            });
        }
        let (socket, theirs) = pair().map_err(SetupError::in_("making a socket"))?;
        let fds: Vec<_> = std::iter::once(theirs.as_fd()).chain(join_files.iter().copied()).collect();
        let pid = ask_spawner(plan, &fds)?;
        drop(theirs);
        let watch =
            rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(SetupError::in_("watching a zygote"))?;
        let in_namespace = plan.isolation.namespaces.is_some();
        let in_force = InForce::default();
        let mut zygote = Zygote { socket: Some(socket), pid, watch, in_namespace, in_force, scratch: None };
        loop {
            let (startup, fds) = zygote.receive::<Startup>().map_err(SetupError::in_("waiting for a zygote"))?;
            match startup {
                Startup::SetupError(failed) => return Err(failed),
                Startup::Folder => zygote.scratch = fds.into_iter().next(),
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

    /// The folder that programs may write, if there is one.
    pub(super) fn scratch(&self) -> Option<BorrowedFd<'_>> {
        self.scratch.as_ref().map(AsFd::as_fd)
    }

    /// Whether its programs are in a namespace of processes, which end with it.
    pub(super) fn in_namespace(&self) -> bool {
        self.in_namespace
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Readable when there is an answer, or the zygote is gone.
    pub(super) fn readiness(&self) -> io::Result<BorrowedFd<'_>> {
        Ok(self.socket()?.as_fd())
    }

    pub(super) fn ask(&self, request: &Request, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
        wire::send(self.socket()?, request, fds)
    }

    /// The answer that is there or about to come. An error of the kind `UnexpectedEof` says that the zygote is gone.
    pub(super) fn answer(&self) -> io::Result<Reply> {
        self.receive().map(|(reply, _)| reply)
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
        drop(self.socket.take());
        if !self.in_namespace {
            // It has to end what its program has left behind. Of a namespace the kernel ends everything.
            let _ = is_ready(self.watch.as_fd(), LAST_DUTIES);
        }
        let _ = rustix::process::pidfd_send_signal(&self.watch, Signal::KILL);
        // Whatever hangs in the kernel must not make the judge hang.
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

/// The spawner, started when it is first needed.
static SPAWNER: Mutex<Option<Spawner>> = Mutex::new(None);

struct Spawner {
    socket: UnixStream,
    child: clone::Child,
}

/// How long the judge waits at its end for that of the spawner, which has nothing to do any more.
const PARTING: Duration = Duration::from_millis(500);

/// Has the spawner end, and takes note of it. Where the first process of a container is none that does, one would be
/// left for each run of the judge.
pub(super) fn end_spawner() {
    let Some(Spawner { socket, child }) = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    drop(socket);
    if is_ready(child.watch.as_fd(), PARTING).unwrap_or(false) {
        let _ = super::syscall::reap(child.pid.as_raw_nonzero().get());
    }
}

fn ask_spawner(plan: &Plan, fds: &[BorrowedFd<'_>]) -> Result<Pid, SetupError> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    let result = asked(&mut spawner, plan, fds);
    if result.is_err() {
        // Whatever state it is in: the next zygote gets a new one.
        *spawner = None;
    }
    let born = result.map_err(SetupError::in_("asking for a zygote"))?;
    Pid::from_raw(born?).ok_or(SetupError { doing: "making a zygote".to_owned(), errno: libc::ESRCH })
}

fn asked(spawner: &mut Option<Spawner>, plan: &Plan, fds: &[BorrowedFd<'_>]) -> io::Result<spawner::Reply> {
    let socket = match spawner {
        Some(Spawner { socket, .. }) => socket,
        None => &spawner.insert(start_spawner()?).socket,
    };
    wire::send(socket, plan, fds)?;
    let (born, _) = wire::receive(socket)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    Ok(born)
}

/// A pair of sockets, of which the first waits for a slice at a time.
fn pair() -> io::Result<(UnixStream, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_read_timeout(Some(SLICE))?;
    ours.set_write_timeout(Some(SLICE))?;
    Ok((ours, theirs))
}

/// Executes this binary once more. It ends when the judge's end of its socket is closed, at the latest with the judge.
fn start_spawner() -> io::Result<Spawner> {
    let (ours, theirs) = pair()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let spec = ChildSpec {
        command: vec![c"/proc/self/exe".to_owned()],
        environment: vec![CString::new(format!("{}=1", spawner::MARK))?],
        directory: c"/".to_owned(),
        standard: [theirs.as_fd(), nothing.as_fd(), nothing.as_fd()],
        limits: vec![super::spawn::no_core_dumps()],
        lockdown: None,
        resets_signals: true,
        // Whichever thread of the judge needs it first, it is for all of them.
        dies_with_its_parent: false,
    };
    clone::start(&spec).map(|child| Spawner { socket: ours, child }).map_err(|failed| failed.error)
}
