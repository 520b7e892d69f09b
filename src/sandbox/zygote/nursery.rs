//! Where zygotes are born: a small process of one thread that is started once and forks a zygote when asked.
//!
//! A fork copies page tables, so the judge itself, which may hold gigabytes and has many threads, never forks. It
//! executes its own binary once more, and that does nothing but this. What it forks has the judge as its parent.
//!
//! The binary recognises its other purpose before `main`, in the way of a constructor of a library: whoever uses this
//! library has the nursery in it, the command, its tests and its benchmarks alike.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::thread::UnshareFlags;

use super::super::plan::{Namespaces, Plan, Trouble};
use super::message::Birth;
use super::{keeper, wire};

/// The environment variable that makes a process a nursery. Its socket is its standard input.
pub(super) const MARK: &str = "REFEREE_NURSERY";
/// Its value for a nursery whose zygotes live in a user namespace.
pub(super) const IN_USER_NAMESPACE: &str = "user";
/// Its value for all others.
pub(super) const AS_IT_IS: &str = "plain";

/// What the nursery answers to a plan.
pub(super) type Born = Result<i32, Trouble>;

#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = before_main;

extern "C" fn before_main() {
    if let Some(kind) = std::env::var_os(MARK) {
        // SAFETY: a process with the mark is executed with its socket as standard input, which nothing else uses.
        let socket = UnixStream::from(unsafe { OwnedFd::from_raw_fd(0) });
        let _ = rustix::thread::set_name(c"referee-nursery");
        let code = i32::from(serve(&socket, kind == IN_USER_NAMESPACE).is_err());
        std::process::exit(code);
    }
}

fn serve(socket: &UnixStream, in_user_namespace: bool) -> io::Result<()> {
    let ready = if in_user_namespace { enter_user_namespace() } else { Ok(()) };
    while let Some((plan, mut fds)) = wire::receive::<Plan>(socket)? {
        let answer: Born = match &ready {
            Err(trouble) => Err(trouble.clone()),
            Ok(()) if fds.is_empty() => Err(Trouble { doing: "reading a plan".to_owned(), errno: libc::EBADF }),
            Ok(()) => {
                let entrances = fds.split_off(1);
                let theirs = fds.pop().map(UnixStream::from);
                theirs.map_or_else(|| Ok(0), |theirs| give_birth(&plan, &theirs, entrances))
            }
        };
        wire::send(socket, &answer, &[])?;
    }
    Ok(())
}

/// All capabilities over namespaces that are made from here on, and none over anything else. The user is the same
/// inside and outside, but for root, who would be taken for one with privileges.
fn enter_user_namespace() -> Result<(), Trouble> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    // SAFETY: changes the namespaces of this process, which has one thread and shares nothing.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWUSER) }
        .map_err(Trouble::in_("making a user namespace"))?;
    let inside = |outside: u32| if outside == 0 { 1000 } else { outside };
    let write = |file: &str, text: String| {
        std::fs::write(format!("/proc/self/{file}"), text).map_err(Trouble::in_(format!("writing {file}")))
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{} {user} 1", inside(user)))?;
    write("gid_map", format!("{} {group} 1", inside(group)))
}

fn give_birth(plan: &Plan, socket: &UnixStream, entrances: Vec<OwnedFd>) -> Born {
    match fork(plan.walls.namespaces) {
        Err(error) => Err(Trouble::in_("making a process in new namespaces")(error)),
        Ok(Some(pid)) => Ok(pid),
        Ok(None) => {
            let code = match let_go_of_the_nursery() {
                Ok(()) => i32::from(keeper::live(plan, socket, entrances).is_err()),
                Err(error) => {
                    let trouble = Trouble::in_("letting go of the nursery")(error);
                    i32::from(wire::send(socket, &Birth::Trouble(trouble), &[]).is_err())
                }
            };
            std::process::exit(code)
        }
    }
}

/// As `fork(2)`, into new namespaces: `None` in the child, whose parent is the nursery's own.
fn fork(namespaces: Option<Namespaces>) -> io::Result<Option<i32>> {
    let new = libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let flags = libc::CLONE_PARENT | libc::SIGCHLD | if namespaces.is_some() { new } else { 0 };
    // SAFETY: without a stack and without shared memory clone is fork; this process has one thread, so that no lock
    // is held in the child by somebody who is not there.
    let pid = unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(flags), 0, 0, 0, 0) };
    match pid {
        0 => Ok(None),
        1.. => Ok(Some(pid as i32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The zygote must not hold the nursery's socket open, nor belong to its session.
fn let_go_of_the_nursery() -> io::Result<()> {
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::process::setsid()?;
    Ok(rustix::thread::set_name(c"referee-zygote")?)
}
