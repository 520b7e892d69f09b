//! The zygote's own side: process 1 of its namespace, and the parent of every program of one sandbox.
//!
//! The zygote is never the program itself. For process 1, the kernel ignores signals that have no handler. As process
//! 1, a program that calls `abort` would end with SIGSEGV, and a program that sends itself a signal would continue. The
//! zygote runs one program at a time. After each run it kills all other processes of its namespace with one system
//! call, and reaps them. If the judge dies, the socket closes, the zygote exits, and the kernel kills every process in
//! the namespace.
//!
//! Without a namespace the zygote is not isolated. It adopts the processes that a program leaves behind, and then finds
//! them among its own children ([`super::descendants`]).

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::{DumpableBehavior, Pid, Signal};

#[cfg(target_arch = "x86_64")]
use super::super::clone::WarmSpec;
use super::super::clone::{self, Child, ChildSpec, Signals, Step};
use super::super::isolation::{self, Lockdown};
use super::super::plan::{SetupError, ZygotePlan};
use super::super::resource_limits;
use super::super::syscall::{self, Reaped};
use super::super::task_clock;
use super::descendants;
use super::message::{Reply, Request, Startup, WarmStart};
use super::near::Cores;
use super::received_streams::ReceivedStreams;
use super::stop::StopSocket;
#[cfg(target_arch = "x86_64")]
use super::warm::{Attempt, Keeper, StartedWith};
use super::wire;

/// Runs the zygote until the judge closes the socket.
pub(super) fn run(plan: &ZygotePlan, socket: &UnixStream, stop: OwnedFd, join_files: Vec<OwnedFd>) -> io::Result<()> {
    let mut zygote = match ZygoteProcess::prepare(plan, socket, stop, join_files) {
        Ok((zygote, in_force)) => {
            wire::send(socket, &Startup::Ready(in_force), &[])?;
            zygote
        }
        Err(failed) => return wire::send(socket, &Startup::SetupError(failed), &[]),
    };
    while let Some((request, fds)) = wire::receive(socket)? {
        match zygote.run(request, fds)? {
            Some(reply) => wire::send(socket, &reply, &[])?,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// The values that every run needs, prepared once.
struct ZygoteProcess {
    command: Vec<CString>,
    environment: Vec<CString>,
    /// The working directory of programs; `None` if they inherit it from the zygote.
    directory: Option<CString>,
    /// The isolation that each program applies to itself. `None` if the program inherits all its isolation from the
    /// zygote, or if there is none.
    lockdown: Option<Lockdown>,
    in_namespace: bool,
    received: ReceivedStreams,
    stop: StopSocket,
    /// Whether a control group counts the time and memory of programs, so that the zygote need not.
    is_counted: bool,
    /// The arguments with which the filter lets the zygote begin a session for a program.
    session_key: [u32; 2],
    /// The core on which the zygote stays, and the cores of its programs.
    cores: Cores,
    /// `None` if each run starts the program anew.
    #[cfg(target_arch = "x86_64")]
    keeper: Option<Keeper>,
}

impl ZygoteProcess {
    fn prepare(
        plan: &ZygotePlan,
        socket: &UnixStream,
        stop: OwnedFd,
        join_files: Vec<OwnedFd>,
    ) -> Result<(ZygoteProcess, isolation::InForce), SetupError> {
        // The zygote joins first, so that the group counts everything that the zygote and its children do from here on.
        for join_file in &join_files {
            rustix::io::write(join_file, b"0").map_err(SetupError::during("joining a control group"))?;
        }
        drop(join_files);
        // The judge may be exempt from the kernel's out-of-memory killer. Programs must not inherit that.
        let _ = std::fs::write("/proc/self/oom_score_adj", "0");
        let in_namespace = plan.isolation.namespaces.is_some();
        // The counter is opened now, because the filter of system calls later refuses it.
        let task_clock = if plan.uses_task_clock { task_clock::open().ok() } else { None };
        let isolation::Prepared { lockdown, mut in_force, scratch, session_key } = isolation::prepare(plan)?;
        in_force.task_clock = task_clock.is_some();
        if let Some(clock) = task_clock {
            wire::send(socket, &Startup::TaskClock, &[clock.as_fd()])
                .map_err(SetupError::during("sending a counter of CPU time"))?;
        }
        if let Some(scratch) = &scratch {
            // The descriptor is sent now, because the system call filter later refuses `sendmsg`.
            wire::send(socket, &Startup::Folder, &[scratch.as_fd()])
                .map_err(SetupError::during("sending the writable folder"))?;
        }
        let stop = StopSocket::new(stop, in_namespace)
            .map_err(SetupError::during("asking for a signal when the judge stops a program (SIGIO)"))?;
        for (resource, value) in resource_limits::fixed_limits() {
            syscall::set_limit(resource, value).map_err(SetupError::during("setting resource limits"))?;
        }
        let lockdown = if in_namespace {
            lockdown.apply_to_self()?;
            Lockdown::of_programs(plan)
        } else {
            rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
                .map_err(SetupError::during("adopting the processes that programs leave behind"))?;
            Some(lockdown).filter(|lockdown| !lockdown.is_empty())
        };
        // Programs run as the same user as the zygote. They must not read its memory or trace it.
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
            .map_err(SetupError::during("making the helper process's memory unreadable"))?;
        let text =
            |text: &OsString| CString::new(text.clone().into_vec()).map_err(SetupError::during("reading the plan"));
        let directory = text(&plan.directory)?;
        // No program can move or remove a folder to which it cannot write, so one call serves all runs. If the call
        // fails, each run fails with the reason.
        let is_fixed = in_namespace && plan.scratch.is_none();
        let is_entered = is_fixed && rustix::process::chdir(&directory).is_ok();
        let zygote = ZygoteProcess {
            command: plan.command.iter().map(text).collect::<Result<_, _>>()?,
            environment: plan.environment.iter().map(text).collect::<Result<_, _>>()?,
            directory: if is_entered { None } else { Some(directory) },
            lockdown,
            in_namespace,
            received: ReceivedStreams::default(),
            stop,
            is_counted: plan.is_counted,
            session_key,
            cores: Cores::new(plan.keeps_cores),
            #[cfg(target_arch = "x86_64")]
            keeper: plan
                .warm_until
                .as_ref()
                .map(text)
                .transpose()?
                .and_then(|until| Keeper::new(until, session_key).ok()),
        };
        Ok((zygote, in_force))
    }

    /// Runs the program once. The message with the request carried `fds`. Returns `None` if the judge has ended.
    fn run(&mut self, request: Request, fds: Vec<OwnedFd>) -> io::Result<Option<Reply>> {
        let Request { arguments, limits, may_be_warm, core, input, outputs } = request;
        self.cores.move_to(core);
        if !self.stop.begin() {
            return Ok(None);
        }
        let streams = self.received.for_run(input, outputs, fds)?;
        let standard = streams.each_ref().map(|stream| stream.as_fd());
        let before = if self.is_counted { Duration::ZERO } else { syscall::children_cpu() };
        let (forked, warm) = self.fork_warm(may_be_warm, &arguments, &limits, standard);
        let ran = match forked {
            Some(Child { pid: main, started }) => {
                drop(streams);
                Ok(Ran { main, started, waited: self.wait_for_end(main) })
            }
            None => self.start_and_wait(arguments, limits, streams),
        };
        let Ran { main, started, waited } = match ran {
            Ok(ran) => ran,
            Err(failed) => {
                let errno = failed.error.raw_os_error().unwrap_or(libc::EIO);
                return Ok(Some(Reply::Failed { step: failed.step, errno }));
            }
        };
        let peak = self.kill_and_reap_all(main)?;
        // The result of the wait is checked only now, because the processes must be killed and reaped even if the wait
        // has failed.
        let (reaped, ended) = waited?;
        let (status, wall_nanoseconds) = (reaped.status, ended.saturating_sub(started.as_nanos() as u64));
        if self.is_counted {
            let (cpu_nanoseconds, peak_memory_bytes) = (None, None);
            return Ok(Some(Reply::Ended { status, wall_nanoseconds, cpu_nanoseconds, peak_memory_bytes, warm }));
        }
        let peak = Some(peak.max(reaped.peak_memory_bytes)).filter(|&bytes| bytes > syscall::own_peak_memory_bytes());
        let cpu_nanoseconds = Some(syscall::children_cpu().saturating_sub(before).as_nanos() as u64);
        Ok(Some(Reply::Ended { status, wall_nanoseconds, cpu_nanoseconds, peak_memory_bytes: peak, warm }))
    }

    /// Forks the program from the warm process, if the zygote keeps it warm. Returns the fork; `None` if the run must
    /// start the program anew. Also returns the figures of the warm process; `None` if it has used no time.
    #[cfg(target_arch = "x86_64")]
    fn fork_warm(
        &mut self,
        may_be_warm: bool,
        arguments: &[OsString],
        limits: &[(u32, u64)],
        standard: [BorrowedFd<'_>; 3],
    ) -> (Option<Child>, Option<WarmStart>) {
        let Some(mut keeper) = self.keeper.take() else { return (None, None) };
        if !may_be_warm {
            keeper.end(end_all);
            self.keeper = Some(keeper);
            return (None, None);
        }
        let with = StartedWith { arguments: arguments.to_vec(), limits: limits.to_vec() };
        let execute = |standard: [BorrowedFd<'_>; 3], warm: WarmSpec<'_>, lockdown: &Lockdown| {
            let standard = standard.map(|stream| stream.as_raw_fd());
            if let Ok(spec) = self.spec(with.arguments.clone(), with.limits.clone(), standard) {
                let _ = clone::execute(&ChildSpec { lockdown: Some(lockdown), warm: Some(warm), ..spec });
            }
        };
        let Attempt { child, figures, is_hopeless } = keeper.fork(&with, standard, execute, end_all);
        self.keeper = Some(keeper).filter(|_| !is_hopeless);
        (child, figures)
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[expect(clippy::unused_self, reason = "the variant for the other architecture uses it")]
    fn fork_warm(
        &mut self,
        _: bool,
        _: &[OsString],
        _: &[(u32, u64)],
        _: [BorrowedFd<'_>; 3],
    ) -> (Option<Child>, Option<WarmStart>) {
        (None, None)
    }

    /// Describes the program of a run.
    fn spec(
        &self,
        arguments: Vec<OsString>,
        limits: Vec<(u32, u64)>,
        standard: [RawFd; 3],
    ) -> Result<ChildSpec<'_>, clone::Failed> {
        let invalid = |error: std::ffi::NulError| clone::Failed { step: Step::Execute, error: error.into() };
        let arguments = arguments.into_iter().map(|text| CString::new(text.into_vec()));
        let arguments: Vec<_> = arguments.collect::<Result<_, _>>().map_err(invalid)?;
        Ok(ChildSpec {
            command: self.command.iter().cloned().chain(arguments).collect(),
            environment: self.environment.clone(),
            directory: self.directory.clone(),
            standard,
            limits,
            lockdown: self.lockdown.as_ref(),
            session_key: self.session_key,
            cores: self.cores.of_programs(),
            // The spawner reset all signals. Since then, the zygote has only handled some, and exec resets these.
            signals: Signals::Keep,
            // The kernel ends a namespace with its process 1, which is this zygote.
            dies_with_its_parent: !self.in_namespace,
            warm: None,
        })
    }

    /// Starts the program and waits for its end. Meanwhile, closes the zygote's copies of the streams that it does not
    /// keep, so that in an interactive run the judge notices when the program closes its output.
    fn start_and_wait(
        &self,
        arguments: Vec<OsString>,
        limits: Vec<(u32, u64)>,
        streams: [Rc<OwnedFd>; 3],
    ) -> Result<Ran, clone::Failed> {
        let spec = self.spec(arguments, limits, streams.each_ref().map(AsRawFd::as_raw_fd))?;
        let wait = |main| {
            drop(streams);
            (main, self.wait_for_end(main))
        };
        // SAFETY: `wait_for_end` fails only if there is no such child.
        let (started, (main, waited)) = unsafe { clone::start_and_wait(&spec, wait) }?;
        Ok(Ran { main, started, waited })
    }

    /// Waits for the end of the main process and reaps it. Returns its figures and the time of its end on the monotonic
    /// clock, in nanoseconds. Meanwhile, a request of the judge or its end kills every process of the run.
    fn wait_for_end(&self, main: Pid) -> io::Result<(Reaped, u64)> {
        self.stop.watch(main.as_raw_nonzero().get());
        if !self.in_namespace {
            syscall::wait_without_reaping(main)?;
            self.stop.end();
        }
        let reaped = syscall::reap(main.as_raw_nonzero().get());
        let now = clone::monotonic_nanoseconds();
        self.stop.end();
        Ok((reaped?, now))
    }

    /// Kills all processes of the run and reaps them. Spares the warm process if no other process is left. Returns the
    /// largest memory peak among them, in bytes.
    fn kill_and_reap_all(&mut self, main: Pid) -> io::Result<u64> {
        #[cfg(target_arch = "x86_64")]
        if let Some(keeper) = &mut self.keeper {
            if keeper.is_alone() {
                return Ok(0);
            }
            keeper.forget();
        }
        if self.in_namespace {
            return kill_and_reap_namespace();
        }
        let _ = rustix::process::kill_process_group(main, Signal::KILL);
        descendants::kill_all()
    }
}

/// A run whose main process has ended.
struct Ran {
    main: Pid,
    /// See [`Child::started`].
    started: Duration,
    /// The result of [`ZygoteProcess::wait_for_end`].
    waited: io::Result<(Reaped, u64)>,
}

/// Kills every process of the namespace except the caller, which is its process 1. This takes one system call, during
/// which no process can fork.
pub(super) fn kill_all_others() {
    // SAFETY: the call takes two numbers. The caller is process 1 of its own PID namespace, so -1 means the programs
    // that it has started.
    unsafe { libc::kill(-1, libc::SIGKILL) };
}

/// Kills and reaps all other processes of the namespace.
#[cfg(target_arch = "x86_64")]
fn end_all() {
    let _ = kill_and_reap_namespace();
}

/// Kills and reaps all other processes of the namespace. Returns the largest memory peak, in bytes.
///
/// The caller adopts orphans, so no process is left once it has no children. Most programs leave none. Then the kernel
/// need not search all processes of the machine for those of the namespace.
fn kill_and_reap_namespace() -> io::Result<u64> {
    let (mut peak, mut next) = (0, syscall::reap_ended());
    if next.is_ok() {
        kill_all_others();
    }
    loop {
        match next {
            Ok(reaped) => peak = reaped.map_or(peak, |reaped| reaped.peak_memory_bytes.max(peak)),
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(peak),
            Err(error) => return Err(error),
        }
        next = syscall::reap(-1).map(Some);
    }
}
