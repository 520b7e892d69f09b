//! The judge's side of zygotes: how one is come by, asked, and ended.

mod descendants;
mod keeper;
mod message;
mod nursery;
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

use super::clone::{self, Order};
use super::plan::{Namespaces, Plan, Trouble};
use super::walls::Standing;
use message::Birth;
pub(super) use message::{Reply, Request};

/// How long a zygote outside namespaces may take to end what its program has left behind.
const LAST_DUTIES: Duration = Duration::from_secs(6);

/// How long a helper may take to come up. It takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// A zygote, alive as long as this value.
#[derive(Debug)]
pub(super) struct Zygote {
    socket: Option<UnixStream>,
    pid: Pid,
    watch: OwnedFd,
    in_namespace: bool,
    standing: Standing,
    scratch: Option<OwnedFd>,
}

impl Zygote {
    /// Has a zygote made to `plan`, in the control groups with these `entrances`.
    pub(super) fn born(plan: &Plan, entrances: &[BorrowedFd<'_>]) -> Result<Zygote, Trouble> {
        let (socket, theirs) = UnixStream::pair().map_err(Trouble::in_("making a socket"))?;
        let fds: Vec<_> = std::iter::once(theirs.as_fd()).chain(entrances.iter().copied()).collect();
        let pid = ask_nursery(plan, &fds)?;
        drop(theirs);
        let watch = rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(Trouble::in_("watching a zygote"))?;
        let in_namespace = plan.walls.namespaces.is_some();
        let standing = Standing::default();
        let mut zygote = Zygote { socket: Some(socket), pid, watch, in_namespace, standing, scratch: None };
        let (birth, fds) = zygote.receive::<Birth>().map_err(Trouble::in_("waiting for a zygote"))?;
        match birth {
            Birth::Trouble(trouble) => return Err(trouble),
            Birth::Ready(standing) => zygote.standing = standing,
        }
        zygote.scratch = fds.into_iter().next();
        Ok(zygote)
    }

    /// The walls that are up.
    pub(super) fn standing(&self) -> Standing {
        self.standing
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
        let socket = self.socket()?;
        if !is_ready(socket.as_fd(), PATIENCE)? {
            return Err(io::Error::from(io::ErrorKind::TimedOut));
        }
        wire::receive(socket)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
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
        let _ = super::syscall::reap(self.pid.as_raw_nonzero().get());
    }
}

fn is_ready(fd: BorrowedFd<'_>, patience: Duration) -> io::Result<bool> {
    let deadline = std::time::Instant::now() + patience;
    loop {
        let left = deadline.saturating_duration_since(std::time::Instant::now());
        let mut events = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        match poll(&mut events, Timespec::try_from(left).ok().as_ref()) {
            Ok(count) => return Ok(count > 0),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The two nurseries a judge can have: one in a user namespace, one as it is. Each is started when it is first needed.
static NURSERIES: [Mutex<Option<UnixStream>>; 2] = [Mutex::new(None), Mutex::new(None)];

fn ask_nursery(plan: &Plan, fds: &[BorrowedFd<'_>]) -> Result<Pid, Trouble> {
    let in_user_namespace = plan.walls.namespaces == Some(Namespaces::ByUser);
    let mut nursery = NURSERIES[usize::from(in_user_namespace)].lock().unwrap_or_else(PoisonError::into_inner);
    let result = asked(&mut nursery, in_user_namespace, plan, fds);
    if result.is_err() {
        // Whatever state it is in: the next zygote gets a new one.
        *nursery = None;
    }
    let born = result.map_err(Trouble::in_("asking for a zygote"))?;
    Pid::from_raw(born?).ok_or(Trouble { doing: "making a zygote".to_owned(), errno: libc::ESRCH })
}

fn asked(
    nursery: &mut Option<UnixStream>,
    in_user_namespace: bool,
    plan: &Plan,
    fds: &[BorrowedFd<'_>],
) -> io::Result<nursery::Born> {
    let socket = match nursery {
        Some(socket) => socket,
        None => nursery.insert(start_nursery(in_user_namespace)?),
    };
    wire::send(socket, plan, fds)?;
    if !is_ready(socket.as_fd(), PATIENCE)? {
        return Err(io::Error::from(io::ErrorKind::TimedOut));
    }
    let (born, _) = wire::receive(socket)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    Ok(born)
}

/// Executes this binary once more. It ends when the judge's end of its socket is closed, at the latest with the judge.
fn start_nursery(in_user_namespace: bool) -> io::Result<UnixStream> {
    let (ours, theirs) = UnixStream::pair()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let kind = if in_user_namespace { nursery::IN_USER_NAMESPACE } else { nursery::AS_IT_IS };
    let order = Order {
        command: vec![c"/proc/self/exe".to_owned()],
        environment: vec![CString::new(format!("{}={kind}", nursery::MARK))?],
        directory: c"/".to_owned(),
        standard: [theirs.as_fd(), nothing.as_fd(), nothing.as_fd()],
        limits: vec![(libc::RLIMIT_CORE, 0)],
        lockdown: None,
        lets_go_of_signals: true,
    };
    // Nobody waits for it; it is reaped with the judge.
    clone::start(&order).map(|_| ours).map_err(|failed| failed.error)
}
