//! The judge's side of zygotes: how one is come by, asked, and ended.

pub(super) mod descendants;
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
use super::patience::{Patience, SLICE};
use super::plan::{Plan, Trouble};
use super::walls::Standing;
use message::Birth;
pub(super) use message::{Reply, Request};

/// How long a zygote outside namespaces may take to end what its program has left behind.
const LAST_DUTIES: Duration = Duration::from_secs(6);

/// How long one is waited for that its program can have stopped.
const PATIENCE_OUTSIDE: Duration = Duration::from_secs(20);

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
        let (socket, theirs) = pair().map_err(Trouble::in_("making a socket"))?;
        let fds: Vec<_> = std::iter::once(theirs.as_fd()).chain(entrances.iter().copied()).collect();
        let pid = ask_nursery(plan, &fds)?;
        drop(theirs);
        let watch = rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(Trouble::in_("watching a zygote"))?;
        let in_namespace = plan.walls.namespaces.is_some();
        let standing = Standing::default();
        let mut zygote = Zygote { socket: Some(socket), pid, watch, in_namespace, standing, scratch: None };
        loop {
            let (birth, fds) = zygote.receive::<Birth>().map_err(Trouble::in_("waiting for a zygote"))?;
            match birth {
                Birth::Trouble(trouble) => return Err(trouble),
                Birth::Folder => zygote.scratch = fds.into_iter().next(),
                Birth::Ready(standing) => {
                    zygote.standing = standing;
                    return Ok(zygote);
                }
            }
        }
    }

    /// Returns the parts of the isolation that are in force.
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
        let patience = if self.in_namespace { wire::PATIENCE } else { PATIENCE_OUTSIDE };
        wire::receive_within(patience, self.socket()?)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
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
        if is_ready(self.watch.as_fd(), wire::PATIENCE).unwrap_or(false) {
            let _ = super::syscall::reap(self.pid.as_raw_nonzero().get());
        }
    }
}

fn is_ready(fd: BorrowedFd<'_>, patience: Duration) -> io::Result<bool> {
    let mut patience = Patience::new(patience);
    loop {
        let mut events = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        match poll(&mut events, Timespec::try_from(patience.slice()).ok().as_ref()) {
            Ok(0) if patience.has_run_out() => return Ok(false),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// The nursery, started when it is first needed.
static NURSERY: Mutex<Option<Nursery>> = Mutex::new(None);

struct Nursery {
    socket: UnixStream,
    child: clone::Child,
}

/// How long the judge waits at its end for that of the nursery, which has nothing to do any more.
const PARTING: Duration = Duration::from_millis(500);

/// Has the nursery end, and takes note of it. Where the first process of a container is none that does, one would be
/// left for each run of the judge.
pub(super) fn end_nursery() {
    let Some(Nursery { socket, child }) = NURSERY.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    drop(socket);
    if is_ready(child.watch.as_fd(), PARTING).unwrap_or(false) {
        let _ = super::syscall::reap(child.pid.as_raw_nonzero().get());
    }
}

fn ask_nursery(plan: &Plan, fds: &[BorrowedFd<'_>]) -> Result<Pid, Trouble> {
    let mut nursery = NURSERY.lock().unwrap_or_else(PoisonError::into_inner);
    let result = asked(&mut nursery, plan, fds);
    if result.is_err() {
        // Whatever state it is in: the next zygote gets a new one.
        *nursery = None;
    }
    let born = result.map_err(Trouble::in_("asking for a zygote"))?;
    Pid::from_raw(born?).ok_or(Trouble { doing: "making a zygote".to_owned(), errno: libc::ESRCH })
}

fn asked(nursery: &mut Option<Nursery>, plan: &Plan, fds: &[BorrowedFd<'_>]) -> io::Result<nursery::Born> {
    let socket = match nursery {
        Some(Nursery { socket, .. }) => socket,
        None => &nursery.insert(start_nursery()?).socket,
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
fn start_nursery() -> io::Result<Nursery> {
    let (ours, theirs) = pair()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let order = Order {
        command: vec![c"/proc/self/exe".to_owned()],
        environment: vec![CString::new(format!("{}=1", nursery::MARK))?],
        directory: c"/".to_owned(),
        standard: [theirs.as_fd(), nothing.as_fd(), nothing.as_fd()],
        limits: vec![super::spawn::no_core_dumps()],
        lockdown: None,
        lets_go_of_signals: true,
        // Whichever thread of the judge needs it first, it is for all of them.
        dies_with_its_parent: false,
    };
    clone::start(&order).map(|child| Nursery { socket: ours, child }).map_err(|failed| failed.error)
}
