//! A program while it runs: what it writes, what it uses, which limit it crosses, and how it ended.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::cgroup::Group;
use super::clone::Step;
use super::output::Spool;
use super::stack::{self, Growth};
use super::waiting::Waiting;
use super::zygote::{Reply, Request, Zygote, descendants};
use super::{Crossed, Ended, Limits, Outcome, SandboxError, Usage, system};

/// How often the memory of a running program is looked at.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// The clock of a control group is looked at no more often than this.
pub(super) const CPU_TICK: Duration = Duration::from_millis(1);

/// Where there is none, every process has to be looked at, which takes longer.
const PROCESSES_TICK: Duration = Duration::from_millis(5);

/// How often it is asked how long a run has waited for a core, which takes a look at each thread.
const WAITING_TICK: Duration = Duration::from_millis(50);

/// The interval between two looks where the wall limit may be exceeded.
const WALL_TICK: Duration = Duration::from_millis(5);

/// Where a program runs: its zygote, and the group that counts what it uses.
#[derive(Clone, Copy)]
pub(super) struct SlotRef<'a> {
    pub(super) zygote: &'a Zygote,
    pub(super) group: Option<&'a Group>,
}

/// What came of asking a zygote for a run.
pub(super) enum Ran {
    /// The zygote was gone before it was asked.
    ZygoteGone,
    /// The program could not be started.
    NotStarted(Step, io::Error),
    /// The program ran.
    Ended {
        outcome: Outcome,
        /// Whether the zygote can be used again.
        zygote_lives: bool,
    },
}

/// A program while it runs.
pub(super) struct Monitor<'a> {
    zygote: &'a Zygote,
    group: Option<&'a Group>,
    /// When the run was asked for, which is a little before the program's first instruction.
    started: Instant,
    limits: Limits,
    stdout: Stream,
    stderr: Stream,
    crossed: Option<Crossed>,
    /// When processes were looked at last.
    looked: Instant,
    cpu_seen: Duration,
    sampled_memory_bytes: u64,
    /// The limit of the program's stack in bytes; `None` if it has none of its own.
    stack_bytes: Option<u64>,
    stack: Growth,
    /// The wall time that does not count, because the program waited for the other one, or the judge did not run.
    excluded: Duration,
    waiting: Waiting,
}

/// What a program is given to read and write, and what the judge reads of that.
pub(super) struct Streams<'a> {
    /// The program's ends: standard input, output and error.
    pub(super) standard: [BorrowedFd<'a>; 3],
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
}

/// The last message of a zygote.
pub(super) enum Last {
    /// `Ended` or `Failed`.
    Reply(Reply),
    /// Nothing: it is dead, and with it everything in its namespace.
    Nothing,
}

/// An output pipe and what has come out of it. The pipe is `None` once it has ended.
pub(super) struct Stream {
    pipe: Option<OwnedFd>,
    spool: Spool,
}

impl<'a> Monitor<'a> {
    /// Has a program started; `None` if its zygote is gone.
    pub(super) fn start(
        slot: SlotRef<'a>,
        arguments: Vec<OsString>,
        limits: Limits,
        resources: Vec<(u32, u64)>,
        streams: Streams<'_>,
    ) -> Result<Option<Monitor<'a>>, SandboxError> {
        let SlotRef { zygote, group } = slot;
        let started = Instant::now();
        let stack_bytes = stack::limit_among(&resources);
        match zygote.ask(&Request::Run { arguments, limits: resources }, &streams.standard) {
            Err(error) if is_gone(&error) => return Ok(None),
            asked => asked.map_err(system("asking for a run"))?,
        }
        Ok(Some(Monitor {
            zygote,
            group,
            started,
            limits,
            stdout: streams.stdout,
            stderr: streams.stderr,
            crossed: None,
            looked: started,
            cpu_seen: Duration::ZERO,
            sampled_memory_bytes: 0,
            stack_bytes,
            stack: Growth::below(zygote.pid().as_raw_nonzero().get()),
            excluded: Duration::ZERO,
            waiting: Waiting::default(),
        }))
    }

    /// Readable when the zygote has answered, or is gone.
    pub(super) fn readiness(&self) -> Result<BorrowedFd<'a>, SandboxError> {
        self.zygote.readiness().map_err(system("waiting for a program"))
    }

    /// The output pipes that the judge drains and that have not ended.
    pub(super) fn pipes(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.pipe.as_ref()).map(AsFd::as_fd)
    }

    /// Whether the judge stops the run.
    pub(super) fn is_interrupted(&self) -> bool {
        self.limits.is_interrupted()
    }

    /// When the run was asked for.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Does not count this much of the wall time.
    pub(super) fn exclude(&mut self, waited: Duration) {
        self.excluded += waited;
    }

    /// Counts bytes of standard output that the caller has read. Returns how many of them are within the limit.
    pub(super) fn count(&mut self, bytes: &[u8]) -> Result<usize, SandboxError> {
        let before = self.stdout.spool.written();
        self.stdout.spool.cap_at(self.limits.output_bytes - self.stderr.spool.counted());
        self.stdout.spool.take(bytes).map_err(system("keeping an output"))?;
        Ok((self.stdout.spool.written() - before) as usize)
    }

    /// Starts the count of the output again: the other program has asked for the output so far, so the limit applies
    /// from here on.
    pub(super) fn count_anew(&mut self) {
        self.stdout.spool.count_anew();
    }

    /// Returns whether the program and all its processes sleep: none computes, is ready to, or is ending. If so, the
    /// result is the CPU time used so far, so that two looks at different times show that no process woke up in
    /// between.
    pub(super) fn sleeps(&self) -> Option<Duration> {
        let members = self.group.map_or_else(|| Ok(Vec::new()), Group::members).ok()?;
        let zygote = self.zygote.pid().as_raw_nonzero().get();
        // The zygote sleeps as long as the program's main process lives.
        if !descendants::all_sleep(zygote, &members) {
            return None;
        }
        match self.group {
            Some(group) => group.cpu().ok(),
            None => Some(descendants::used_below(zygote).0),
        }
    }

    /// Kills everybody, and takes the zygote's answer to that.
    pub(super) fn kill(&self) -> Result<Last, SandboxError> {
        match self.zygote.ask(&Request::Kill, &[]) {
            Err(error) if !self.is_lost(&error) => Err(system("ending a program")(error)),
            _ => self.receive_reply(),
        }
    }

    /// Reads what both pipes hold. What one of them has brought is not left for the other.
    pub(super) fn drain(&mut self) -> Result<(), SandboxError> {
        let all = self.limits.output_bytes;
        self.stdout.drain(all - self.stderr.spool.counted())?;
        let of_stdout = if self.stderr.spool.is_cutting() { 0 } else { self.stdout.spool.written() };
        self.stderr.drain(all - of_stdout)
    }

    /// Takes the zygote's answer, which is there or about to come.
    pub(super) fn receive_reply(&self) -> Result<Last, SandboxError> {
        match self.zygote.answer() {
            Ok(reply) => Ok(Last::Reply(reply)),
            Err(error) if self.is_lost(&error) => Ok(Last::Nothing),
            Err(error) => Err(system("waiting for the end of a program")(error)),
        }
    }

    /// Whether the error says that there is no zygote any more. One without a namespace of its own can have been
    /// stopped by its program.
    fn is_lost(&self, error: &io::Error) -> bool {
        is_gone(error) || (!self.zygote.in_namespace() && error.kind() == io::ErrorKind::TimedOut)
    }

    /// Returns how long no limit can be reached: the wall limit, the CPU limit if every core worked at it, the interval
    /// of memory checks.
    pub(super) fn time_to_next_check(&self) -> Duration {
        let wall = self.limits.wall.saturating_sub(self.own_wall());
        let cpu = self.limits.cpu.saturating_sub(self.cpu_seen) / cores();
        let tick = if self.group.is_some() { CPU_TICK } else { PROCESSES_TICK };
        wall.max(WALL_TICK).min(cpu.max(tick)).min(MEMORY_TICK) + Duration::from_micros(100)
    }

    /// Returns the wall time that counts against the limit: without the time in which others kept the run from going
    /// on.
    fn own_wall(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.excluded + self.waiting.total().unwrap_or_default())
    }

    fn exceeds_the_wall_limit(&self, wall: Duration) -> bool {
        self.waiting.is_beyond(self.limits.wall, wall.saturating_sub(self.excluded))
    }

    /// Returns whether the wall limit is exceeded. The time that the run waited for a core is looked up first, once it
    /// matters: a program that only computes would have exceeded its CPU limit by then.
    fn is_over_on_the_wall(&mut self) -> bool {
        let wall = self.own_wall();
        if wall <= self.limits.cpu.min(self.limits.wall / 2) {
            return false;
        }
        let tick = if wall > self.limits.wall { WALL_TICK } else { WAITING_TICK };
        if !self.waiting.is_due(tick) {
            return false;
        }
        let members = match self.group {
            Some(group) => group.members().unwrap_or_default(),
            None => descendants::all_below(self.zygote.pid().as_raw_nonzero().get()),
        };
        self.waiting.look(&members);
        self.exceeds_the_wall_limit(self.started.elapsed())
    }

    /// The limit that was crossed, if any was.
    pub(super) fn look_at_the_limits(&mut self) -> Result<Option<Crossed>, SandboxError> {
        // A program that writes much wakes the judge often.
        let is_due = self.group.is_some() || self.looked.elapsed() >= PROCESSES_TICK;
        match self.group {
            _ if !is_due => {}
            Some(group) => self.cpu_seen = group.cpu().map_err(system("reading a program's CPU time"))?,
            None => {
                self.looked = Instant::now();
                let (cpu, memory) = descendants::used_below(self.zygote.pid().as_raw_nonzero().get());
                // Those that have ended since are not seen any more.
                self.cpu_seen = self.cpu_seen.max(cpu);
                self.sampled_memory_bytes = self.sampled_memory_bytes.max(memory.unwrap_or(0));
            }
        }
        self.stack.look(self.group);
        self.crossed = if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if self.sampled_memory_bytes > self.limits.memory_bytes {
            Some(Crossed::Memory)
        } else if self.cpu_seen > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.is_over_on_the_wall() {
            Some(Crossed::Wall)
        } else {
            None
        };
        if matches!(self.crossed, Some(Crossed::Cpu | Crossed::Wall))
            && self.stack.is_endless_now(self.stack_bytes, self.group)
        {
            self.crossed = Some(Crossed::Stack);
        }
        Ok(self.crossed)
    }

    /// Nothing of the program is left: says what came of it.
    pub(super) fn finish(mut self, last: &Last) -> Result<Ran, SandboxError> {
        if let Last::Reply(Reply::Failed { step, errno }) = *last {
            return Ok(Ran::NotStarted(step, io::Error::from_raw_os_error(errno)));
        }
        if let (Some(group), false) = (self.group, self.zygote.in_namespace()) {
            group.kill_all_but(Some(self.zygote.pid())).map_err(system("killing what a program has started"))?;
        }
        // What the program wrote before it ended is still in the pipes.
        self.drain()?;
        let used = self.group.map(Group::used).transpose().map_err(system("reading what a program used"))?;
        let out_of_memory = used.is_some_and(|used| used.out_of_memory);
        let zygote_lives = matches!(last, Last::Reply(_));
        let (status, wall, cpu, peak) = match *last {
            Last::Reply(Reply::Ended { status, wall_nanoseconds, cpu_nanoseconds, peak_memory_bytes }) => {
                let (wall, cpu) = (Duration::from_nanos(wall_nanoseconds), Duration::from_nanos(cpu_nanoseconds));
                (status, wall, cpu, peak_memory_bytes)
            }
            // When memory runs out, the kernel may choose to kill the zygote. Without a namespace of its own, the
            // program may have killed it. Otherwise no process of the program could.
            _ if out_of_memory || !self.zygote.in_namespace() => {
                (libc::SIGKILL, self.started.elapsed(), self.cpu_seen, None)
            }
            _ => return Err(system("waiting for a zygote that is gone")(io::ErrorKind::UnexpectedEof.into())),
        };
        let sampled = Some(self.sampled_memory_bytes).filter(|&bytes| bytes > 0);
        let usage = Usage {
            cpu: used.map_or(cpu.max(self.cpu_seen), |used| used.cpu),
            wall,
            waited: self.waiting.total(),
            memory_bytes: used.map_or(peak.max(sampled), |used| used.peak_memory_bytes),
        };
        let outcome = Outcome {
            ended: ended(status),
            crossed: self.first_crossed(ended(status), &usage, out_of_memory),
            usage,
            printed_bytes: self.stdout.spool.written() + self.stderr.spool.counted(),
            stdout: self.stdout.spool.finish().map_err(system("keeping an output"))?,
            stderr: self.stderr.spool.finish().map_err(system("keeping an output"))?,
        };
        Ok(Ran::Ended { outcome, zygote_lives })
    }

    /// The limit that decides. A program can cross one and end before the judge looks; and one whose processes were
    /// killed for want of memory may go on for a while, in any way.
    fn first_crossed(&self, ended: Ended, usage: &Usage, out_of_memory: bool) -> Option<Crossed> {
        let too_much = usage.memory_bytes.is_some_and(|bytes| bytes > self.limits.memory_bytes);
        let out_of_memory = out_of_memory || too_much || self.crossed == Some(Crossed::Memory);
        let overflowed = !out_of_memory
            && match ended {
                Ended::Signaled(libc::SIGSEGV) => stack::is_filled(self.stack_bytes, usage.memory_bytes),
                Ended::Signaled(libc::SIGABRT) => self.stack.was_large(self.stack_bytes),
                _ => false,
            };
        if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if overflowed || (out_of_memory && self.stack.was_endless(self.limits.memory_bytes)) {
            Some(Crossed::Stack)
        } else if out_of_memory {
            Some(Crossed::Memory)
        } else if self.crossed.is_some() {
            self.crossed
        } else if usage.cpu > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.exceeds_the_wall_limit(usage.wall) {
            Some(Crossed::Wall)
        } else {
            None
        }
    }
}

/// Returns how much later than planned the judge woke up, because it was stopped (Ctrl-Z) or not scheduled. In that
/// time the judge neither reads the program's output nor sees its end, so the program's wall time stands still.
pub(super) fn wakeup_delay(began: Instant, planned: Duration) -> Duration {
    let late = began.elapsed().saturating_sub(planned);
    if late > MOST_LATE { late } else { Duration::ZERO }
}

/// On a busy machine everybody wakes up a little late.
const MOST_LATE: Duration = Duration::from_millis(250);

/// How many cores a program can use at once. Asked once: the answer takes longer than a small program.
pub(super) fn cores() -> u32 {
    static CORES: OnceLock<u32> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u32))
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

impl Stream {
    /// A stream that the judge reads, and keeps up to so many bytes.
    pub(super) fn kept(pipe: OwnedFd, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::new(most_bytes) }
    }

    /// A stream that the judge reads, and of which it keeps up to so many bytes, however much it is.
    pub(super) fn cut(pipe: OwnedFd, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::cutting(most_bytes) }
    }

    /// Makes a stream that the caller reads, and that is only counted.
    pub(super) fn counted(most_bytes: u64) -> Stream {
        Stream { pipe: None, spool: Spool::counting(most_bytes) }
    }

    /// Reads the bytes that are there, without waiting for more and without reading much past the cap.
    fn drain(&mut self, cap: u64) -> Result<(), SandboxError> {
        let mut buffer = [0; 16 * 1024];
        self.spool.cap_at(cap);
        while let Some(pipe) = &self.pipe {
            match rustix::io::read(pipe, &mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.spool.take(&buffer[..length]).map_err(system("keeping an output"))?,
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(system("reading an output")(error.into())),
            }
            if self.spool.overflowed() {
                self.pipe = None;
            }
        }
        Ok(())
    }
}

fn ended(status: i32) -> Ended {
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signaled(signal),
        // wait4 without WUNTRACED reports nothing but ends; the kernel's own number is the least misleading.
        (None, None) => Ended::Signaled(status.into_raw()),
    }
}
