//! The spawner is a small process with one thread. It forks a zygote whenever the judge requests one.
//!
//! A fork copies page tables, and in the child of a process with many threads any lock may be held for ever. So the
//! judge, which may use gigabytes and many threads, never forks. It executes its own binary once more, and the new
//! process forks zygotes, whose parent is the judge. The new process learns its purpose from its environment, in
//! [`crate::init()`].

use std::ffi::CString;
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use super::super::plan::{Namespaces, SetupError, ZygotePlan};
use super::super::{clone, init, scheduling};
use super::message::Startup;
use super::{process, wire};

/// The environment variable that marks a process as the spawner. The standard input of the spawner is its socket to the
/// judge.
pub(super) const MARK: &str = "SANDBOX_SPAWNER";

/// The spawner's answer to a plan: the process number of the new zygote.
pub(super) type Reply = Result<i32, SetupError>;

/// Becomes the spawner if this process was started as one. In that case this function does not return.
pub(in super::super) fn serve_if_spawner() {
    // Another program may have set the variable. In that case standard input is not a socket.
    let is_socket = || rustix::fs::fstat(rustix::stdio::stdin()).is_ok_and(|found| is_socket(found.st_mode));
    if std::env::var_os(MARK).is_some() && is_socket() {
        // Rust's start-up makes this process ignore SIGPIPE. Without the reset, every program would inherit that.
        clone::reset_own_signals();
        scheduling::reset();
        // SAFETY: the judge sets the mark only for a process whose standard input is the socket, and no other value
        // owns descriptor 0.
        let socket = UnixStream::from(unsafe { OwnedFd::from_raw_fd(0) });
        let _ = set_name("spawner");
        let code = i32::from(serve(&socket).is_err());
        std::process::exit(code);
    }
}

/// Names this process after the program that uses the sandbox. The kernel cuts names after 15 bytes.
fn set_name(purpose: &str) -> io::Result<()> {
    let name = CString::new(format!("{}-{purpose}", init::name()))?;
    Ok(rustix::thread::set_name(&name)?)
}

fn is_socket(mode: u32) -> bool {
    rustix::fs::FileType::from_raw_mode(mode).is_socket()
}

fn serve(socket: &UnixStream) -> io::Result<()> {
    wire::send(socket, &(), &[])?;
    let has_one_thread = std::fs::read_dir("/proc/self/task").map_or(true, |threads| threads.count() == 1);
    while let Some((plan, mut fds)) = wire::receive::<ZygotePlan>(socket)? {
        let join_files = fds.split_off(2.min(fds.len()));
        let sockets = fds.pop().zip(fds.pop()).map(|(stop, socket)| (UnixStream::from(socket), stop));
        let answer: Reply = match sockets {
            // A lock that another thread holds at the fork would never be released in the child.
            _ if !has_one_thread => Err(SetupError {
                doing: "forking a zygote (the program started threads before it called init; call init first in main)"
                    .to_owned(),
                errno: libc::EBUSY,
            }),
            Some((socket, stop)) => fork_zygote(&plan, &socket, stop, join_files),
            None => Err(SetupError { doing: "reading a plan".to_owned(), errno: libc::EBADF }),
        };
        wire::send(socket, &answer, &[])?;
    }
    Ok(())
}

/// Maps the user and the group into the new user namespace, under the same numbers as outside. Only 0 becomes 1000,
/// because user 0 would have privileges in the namespace. Each zygote has a namespace of its own, because the kernel
/// counts the processes of a user separately in each namespace.
fn map_user(user: u32, group: u32) -> Result<(), SetupError> {
    let inside = |outside: u32| if outside == 0 { 1000 } else { outside };
    let write = |file: &str, text: String| {
        std::fs::write(format!("/proc/self/{file}"), text).map_err(SetupError::during(format!("writing {file}")))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{} {user} 1", inside(user)))?;
    write("gid_map", format!("{} {group} 1", inside(group)))
}

fn fork_zygote(plan: &ZygotePlan, socket: &UnixStream, stop: OwnedFd, join_files: Vec<OwnedFd>) -> Reply {
    // In a new user namespace, the user and the group are "nobody" until they are mapped, so this reads their numbers
    // before the fork.
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    match fork(plan.isolation.namespaces) {
        Err(error) => Err(SetupError::during("making a process in new namespaces")(error)),
        Ok(Some(pid)) => Ok(pid),
        Ok(None) => {
            let mapped = match plan.isolation.namespaces {
                Some(Namespaces::ByUser) => map_user(user, group),
                _ => Ok(()),
            };
            let ready =
                mapped.and_then(|()| detach_from_spawner().map_err(SetupError::during("detaching from the spawner")));
            let result = match ready {
                Ok(()) => process::run(plan, socket, stop, join_files),
                Err(failed) => wire::send(socket, &Startup::SetupError(failed), &[]),
            };
            std::process::exit(i32::from(result.is_err()))
        }
    }
}

/// Forks this process. The child begins in new namespaces, unless `namespaces` is `None`. Its parent is the judge
/// (`CLONE_PARENT`). Returns the child's process number; `None` in the child.
fn fork(namespaces: Option<Namespaces>) -> io::Result<Option<i32>> {
    let new = libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let new = match namespaces {
        None => 0,
        Some(Namespaces::ByRoot) => new,
        Some(Namespaces::ByUser) => new | libc::CLONE_NEWUSER,
    };
    let flags = libc::CLONE_PARENT | libc::SIGCHLD | new;
    // SAFETY: without a stack and without CLONE_VM, clone does what fork does. This process has one thread, so no lock
    // is held in the child by a thread that does not exist there. The raw call skips the C library's fork handlers and
    // leaves its cached thread number wrong; the code below relies on neither.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(flags), 0, 0, 0, 0) };
    match pid {
        0 => Ok(None),
        1.. => Ok(Some(pid as i32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Closes the spawner's socket in the zygote, leaves the spawner's session, and names the process.
fn detach_from_spawner() -> io::Result<()> {
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::process::setsid()?;
    set_name("zygote")
}
