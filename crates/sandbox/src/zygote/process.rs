//! The zygote: the first process of its namespace, and the parent of every program of one sandbox.
//!
//! The zygote is never the program itself. As first process of a namespace, a program that calls `abort` would seem to
//! end by a bad address, and one that sends itself a signal would seem to exit. The zygote runs one program at a time.
//! After each, it kills all other processes of its namespace, which one system call reaches, and reaps them. If the
//! judge dies, the socket closes, the zygote ends, and the kernel kills everything in the namespace.
//!
//! Without a namespace the zygote is not isolated, and finds the processes that a program left behind among its own
//! adopted children ([`super::descendants`]).

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{DumpableBehavior, Pid, Signal};

use super::super::clone::{self, Child, ChildSpec, Step};
use super::super::isolation::{self, Lockdown};
use super::super::plan::{Plan, SetupError};
use super::super::syscall::{self, Reaped};
use super::descendants;
use super::message::{Reply, Request, Startup};
use super::wire;

/// How often a program that is "busy" is tried again, and after how long. One that the judge has just written can be
/// open for writing for a moment yet: in a child of the judge, between its start and its exec.
const BUSY_TRIES: u32 = 100;
const BUSY_PAUSE: Duration = Duration::from_millis(2);

/// A zygote's life, from its startup in the spawner to the end of the judge's interest.
pub(super) fn run(plan: &Plan, socket: &UnixStream, join_files: Vec<OwnedFd>) -> io::Result<()> {
    let zygote = match ZygoteProcess::prepare(plan, socket, join_files) {
        Ok((zygote, in_force)) => {
            wire::send(socket, &Startup::Ready(in_force), &[])?;
            zygote
        }
        Err(failed) => return wire::send(socket, &Startup::SetupError(failed), &[]),
    };
    while let Some((request, fds)) = wire::receive(socket)? {
        // Anything else is about a run that has ended already.
        if let Request::Run { arguments, limits } = request
            && let Some(reply) = zygote.run(socket, arguments, limits, fds)?
        {
            wire::send(socket, &reply, &[])?;
        }
    }
    Ok(())
}

/// What every run needs, prepared.
struct ZygoteProcess {
    command: Vec<CString>,
    environment: Vec<CString>,
    directory: CString,
    /// The isolation that a program has to apply itself.
    lockdown: Option<Lockdown>,
    in_namespace: bool,
}

impl ZygoteProcess {
    fn prepare(
        plan: &Plan,
        socket: &UnixStream,
        join_files: Vec<OwnedFd>,
    ) -> Result<(ZygoteProcess, isolation::InForce), SetupError> {
        // First of all, so that everything from here on is counted, and inherited by what it starts.
        for join_file in &join_files {
            rustix::io::write(join_file, b"0").map_err(SetupError::in_("joining a control group"))?;
        }
        drop(join_files);
        // A judge that the kernel may not kill for want of memory must not make its programs so.
        let _ = std::fs::write("/proc/self/oom_score_adj", "0");
        let in_namespace = plan.isolation.namespaces.is_some();
        let isolation::Prepared { lockdown, in_force, scratch } = isolation::prepare(plan)?;
        if let Some(scratch) = &scratch {
            // Later the filter would not let it through.
            wire::send(socket, &Startup::Folder, &[scratch.as_fd()]).map_err(SetupError::in_("showing a folder"))?;
        }
        let lockdown = if in_namespace {
            lockdown.apply_to_self()?;
            None
        } else {
            rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
                .map_err(SetupError::in_("adopting what programs leave behind"))?;
            Some(lockdown).filter(|lockdown| !lockdown.is_empty())
        };
        // The programs have the same user; they must not look into their zygote, nor stop it.
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
            .map_err(SetupError::in_("closing the own memory to others"))?;
        let text = |text: &OsString| CString::new(text.clone().into_vec()).map_err(SetupError::in_("reading the plan"));
        let zygote = ZygoteProcess {
            command: plan.command.iter().map(text).collect::<Result<_, _>>()?,
            environment: plan.environment.iter().map(text).collect::<Result<_, _>>()?,
            directory: text(&plan.directory)?,
            lockdown,
            in_namespace,
        };
        Ok((zygote, in_force))
    }

    /// One run, with `fds` as standard input, output and error. `None` if the judge went away meanwhile.
    fn run(
        &self,
        socket: &UnixStream,
        arguments: Vec<OsString>,
        limits: Vec<(u32, u64)>,
        fds: Vec<OwnedFd>,
    ) -> io::Result<Option<Reply>> {
        let [input, output, error] = fds.as_slice() else {
            return Err(io::Error::other("three streams belong to a run"));
        };
        let standard = [input, output, error].map(AsFd::as_fd);
        let before = syscall::children_cpu();
        let child = match self.start(arguments, limits, standard) {
            Ok(child) => child,
            Err(failed) => {
                let errno = failed.error.raw_os_error().unwrap_or(libc::EIO);
                return Ok(Some(Reply::Failed { step: failed.step, errno }));
            }
        };
        // Only the program's own copies are left, so that the reader of its output sees when the program closes it.
        drop(fds);
        let watched = self.until_it_ends(socket, &child);
        let ended = clone::monotonic_nanoseconds();
        let reaped = syscall::reap(child.pid.as_raw_nonzero().get())?;
        let peak = self.sweep(child.pid)?;
        // A judge that gave up waiting has received the reason; the cleaning up above was the last duty.
        if !watched? {
            return Ok(None);
        }
        let peak = Some(peak.max(reaped.peak_memory_bytes)).filter(|&bytes| bytes > syscall::own_peak_memory_bytes());
        Ok(Some(Reply::Ended {
            status: reaped.status,
            wall_nanoseconds: ended.saturating_sub(child.started.as_nanos() as u64),
            cpu_nanoseconds: syscall::children_cpu().saturating_sub(before).as_nanos() as u64,
            peak_memory_bytes: peak,
        }))
    }

    fn start(
        &self,
        arguments: Vec<OsString>,
        limits: Vec<(u32, u64)>,
        standard: [BorrowedFd<'_>; 3],
    ) -> Result<Child, clone::Failed> {
        let invalid = |error: std::ffi::NulError| clone::Failed { step: Step::Execute, error: error.into() };
        let arguments = arguments.into_iter().map(|text| CString::new(text.into_vec()));
        let arguments: Vec<_> = arguments.collect::<Result<_, _>>().map_err(invalid)?;
        let spec = ChildSpec {
            command: self.command.iter().cloned().chain(arguments).collect(),
            environment: self.environment.clone(),
            directory: self.directory.clone(),
            standard,
            limits,
            lockdown: self.lockdown.as_ref(),
            // The spawner was started with no signal ignored, and this has not changed since.
            resets_signals: false,
            dies_with_its_parent: true,
        };
        for _ in 0..BUSY_TRIES {
            match clone::start(&spec) {
                Err(failed) if failed.error.kind() == io::ErrorKind::ExecutableFileBusy => {
                    std::thread::sleep(BUSY_PAUSE);
                }
                result => return result,
            }
        }
        clone::start(&spec)
    }

    /// Waits for the end of the main process, and kills everything if the judge says so or is gone; then `false`.
    fn until_it_ends(&self, socket: &UnixStream, child: &Child) -> io::Result<bool> {
        loop {
            let mut events = [
                PollFd::from_borrowed_fd(child.watch.as_fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::IN),
            ];
            match poll(&mut events, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            if !events[0].revents().is_empty() {
                return Ok(true);
            }
            if events[1].revents().is_empty() {
                continue;
            }
            match wire::receive(socket) {
                Ok(Some((Request::Kill, _))) => self.kill_run(child.pid),
                gone => {
                    self.kill_run(child.pid);
                    return gone.map(|_: Option<(Request, _)>| false);
                }
            }
        }
    }

    fn kill_run(&self, main: Pid) {
        if self.in_namespace {
            kill_all_others();
        } else {
            let _ = rustix::process::kill_process_group(main, Signal::KILL);
            let _ = rustix::process::kill_process(main, Signal::KILL);
        }
    }

    /// Kills all processes of the run. Returns the largest memory peak among those that it reaped.
    fn sweep(&self, main: Pid) -> io::Result<u64> {
        if self.in_namespace {
            kill_all_others();
            return reap_all();
        }
        let _ = rustix::process::kill_process_group(main, Signal::KILL);
        descendants::kill_all()
    }
}

/// Kills every process of the namespace except the caller, which is its first. One system call does it, during which no
/// process can start another.
fn kill_all_others() {
    // SAFETY: takes two numbers. The caller is the first process of a namespace of its own, so that "everybody" are
    // the programs it has started.
    unsafe { libc::kill(-1, libc::SIGKILL) };
}

/// Reaps all children, waiting for them: they have been killed.
fn reap_all() -> io::Result<u64> {
    let mut peak = 0;
    loop {
        match syscall::reap(-1) {
            Ok(Reaped { peak_memory_bytes, .. }) => peak = peak_memory_bytes.max(peak),
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(peak),
            Err(error) => return Err(error),
        }
    }
}
