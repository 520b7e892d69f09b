//! Monitors one run: collects the program's output, checks its limits, and makes the outcome.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::cgroup::ControlGroup;
use super::clone::Step;
use super::cores::cores;
use super::folder_usage::{FolderLimit, FolderUsage};
use super::output::Spool;
use super::sampling::Sampler;
use super::stack::{self, Growth};
use super::waiting::Waiting;
use super::zygote::{Reply, Request, Zygote, blocked, descendants};
use super::{Crossed, Ended, Limits, Outcome, SandboxError, Usage, system};

/// The interval between two checks of a program's memory.
const MEMORY_TICK: Duration = Duration::from_millis(20);

/// The shortest interval between two reads of a control group's CPU clock.
pub(super) const CPU_TICK: Duration = Duration::from_millis(1);

/// The interval between two measurements of the time that the run waited for a core. Each measurement reads a file for
/// each of up to 16 threads.
const WAITING_TICK: Duration = Duration::from_millis(50);

/// The interval between two measurements of the time that the run waited for a core, once the wall limit may be
/// exceeded.
const WALL_TICK: Duration = Duration::from_millis(5);

/// The zygote of an instance, and the control group that measures its programs. The group is `None` if there are no
/// control groups.
#[derive(Clone, Copy)]
pub(super) struct SlotRef<'a> {
    pub(super) zygote: &'a Zygote,
    pub(super) group: Option<&'a ControlGroup>,
    /// The folder of the machine that the program writes to; `None` if it writes to no folder, or to a folder with a
    /// capacity of its own.
    pub(super) folder: Option<FolderLimit<'a>>,
}

/// The result of requesting a run from a zygote.
pub(super) enum Ran {
    /// The zygote had ended before it received the request.
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

/// The monitor of one run.
pub(super) struct Monitor<'a> {
    zygote: &'a Zygote,
    group: Option<&'a ControlGroup>,
    /// The time at which the judge requested the run, shortly before the program's first instruction.
    started: Instant,
    limits: Limits,
    stdout: Stream,
    stderr: Stream,
    crossed: Option<Crossed>,
    cpu_seen: Duration,
    /// Measures the run if there is no control group; `None` if there is one.
    sampler: Option<Sampler<'a>>,
    /// The program's stack limit in bytes; `None` if the run sets none.
    stack_bytes: Option<u64>,
    stack: Growth,
    folder: Option<FolderUsage<'a>>,
    /// The wall time that does not count against the limit, because the program waited for the other side of an
    /// interactive run, or the judge was not scheduled or stored the output.
    excluded: Duration,
    waiting: Waiting,
}

/// The streams of a program: its own ends, and the judge's ends of its outputs.
pub(super) struct Streams<'a> {
    /// The program's ends: standard input, output and error.
    pub(super) standard: [BorrowedFd<'a>; 3],
    pub(super) stdout: Stream,
    pub(super) stderr: Stream,
}

/// The last message of a zygote about a run.
pub(super) enum LastMessage {
    /// The answer of the zygote: [`Reply::Ended`] or [`Reply::Failed`].
    Reply(Reply),
    /// The zygote has ended, and with it every process in its namespace.
    ZygoteEnded,
}

/// An output pipe and the bytes read from it. The pipe is `None` once it has ended or the output has overflowed, or if
/// the caller reads it.
pub(super) struct Stream {
    pipe: Option<OwnedFd>,
    spool: Spool,
}

impl<'a> Monitor<'a> {
    /// Makes the zygote start a program. Returns `None` if the zygote has ended.
    pub(super) fn start(
        slot: SlotRef<'a>,
        arguments: Vec<OsString>,
        limits: Limits,
        resources: Vec<(u32, u64)>,
        streams: Streams<'_>,
    ) -> Result<Option<Monitor<'a>>, SandboxError> {
        let SlotRef { zygote, group, folder } = slot;
        let folder = folder.map(FolderUsage::open).transpose();
        let folder = folder.map_err(|error| system("opening a program's folder")(error.into()))?;
        let sampler = group.is_none().then(|| Sampler::new(zygote));
        let started = Instant::now();
        let stack_bytes = stack::limit_among(&resources);
        match zygote.ask(&Request::Run { arguments, limits: resources }, &streams.standard) {
            Err(error) if is_gone(&error) => return Ok(None),
            asked => asked.map_err(system("requesting a run from the sandbox's helper process"))?,
        }
        Ok(Some(Monitor {
            zygote,
            group,
            started,
            limits,
            stdout: streams.stdout,
            stderr: streams.stderr,
            crossed: None,
            cpu_seen: Duration::ZERO,
            sampler,
            stack_bytes,
            stack: Growth::new(zygote.pid().as_raw_nonzero().get()),
            folder,
            excluded: Duration::ZERO,
            waiting: Waiting::default(),
        }))
    }

    /// Returns a descriptor that is readable when the zygote has answered or ended.
    pub(super) fn readiness(&self) -> Result<BorrowedFd<'a>, SandboxError> {
        self.zygote.readiness().map_err(system("waiting for a program"))
    }

    /// Returns the output pipes that the monitor reads and that have not ended.
    pub(super) fn pipes(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [&self.stdout, &self.stderr].into_iter().filter_map(|stream| stream.pipe.as_ref()).map(AsFd::as_fd)
    }

    /// Whether the user or [`Limits::until`] stops the run.
    pub(super) fn is_interrupted(&self) -> bool {
        self.limits.is_interrupted()
    }

    /// The time at which the judge requested the run, shortly before the program's first instruction.
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Excludes the time `waited` from the wall time.
    pub(super) fn exclude(&mut self, waited: Duration) {
        self.excluded += waited;
    }

    /// Counts bytes of standard output that the caller has read. Returns how many of these bytes, from the first on,
    /// are within the output limit.
    pub(super) fn count(&mut self, bytes: &[u8]) -> Result<usize, SandboxError> {
        let before = self.stdout.spool.written();
        self.stdout.spool.cap_at(self.limits.output_bytes - self.stderr.spool.counted());
        self.stdout.spool.take(bytes).map_err(system("storing an output"))?;
        Ok((self.stdout.spool.written() - before) as usize)
    }

    /// Sets the count of the output to 0, because the other side of an interactive run has sent something, and the
    /// limit applies to each answer.
    pub(super) fn count_anew(&mut self) {
        self.stdout.spool.count_anew();
    }

    /// Returns the CPU time used so far if all processes of the run sleep: no thread runs, is ready to run, or is
    /// ending. `None` otherwise. Two calls that return the same time show that no process woke up between them.
    pub(super) fn cpu_if_asleep(&self) -> Option<Duration> {
        let members = self.group.map_or_else(|| Ok(Vec::new()), ControlGroup::members).ok()?;
        let zygote = self.zygote.pid().as_raw_nonzero().get();
        // This also checks the zygote: it sleeps while the program's main process lives.
        if !descendants::all_sleep(zygote, &members) {
            return None;
        }
        match self.group {
            Some(group) => group.cpu().ok(),
            None => Some(descendants::cpu_below(zygote)),
        }
    }

    /// Whether only the other side of an interactive run can wake up the program. Returns false if that is not certain.
    /// It is never certain without a control group: only the group counts CPU time exactly enough to show that no
    /// process woke up between two checks.
    pub(super) fn waits_for_good(&self) -> bool {
        let zygote = self.zygote.pid().as_raw_nonzero().get();
        let members = self.group.and_then(|group| group.members().ok()).unwrap_or_default();
        let own: Vec<_> = members.into_iter().filter(|&process| process != zygote).collect();
        blocked::waits_for_good(&own)
    }

    /// Records that the program and the other side of an interactive run wait for each other. The caller then kills the
    /// program.
    pub(super) fn cross_deadlock(&mut self) {
        self.crossed = Some(Crossed::Deadlock);
    }

    /// Makes the zygote kill every process of the run, and receives its answer.
    pub(super) fn kill(&self) -> Result<LastMessage, SandboxError> {
        match self.zygote.ask(&Request::Kill, &[]) {
            Err(error) if !self.is_lost(&error) => Err(system("ending a program")(error)),
            _ => self.receive_reply(),
        }
    }

    /// Reads the bytes that are in both pipes. The output limit applies to the two streams together, unless standard
    /// error is truncated. In that case the limit applies to each stream separately.
    pub(super) fn drain(&mut self) -> Result<(), SandboxError> {
        let began = Instant::now();
        let all = self.limits.output_bytes;
        self.stdout.drain(all - self.stderr.spool.counted())?;
        let of_stdout = if self.stderr.spool.is_truncating() { 0 } else { self.stdout.spool.written() };
        self.stderr.drain(all - of_stdout)?;
        // While the judge stores the output, a program that prints much waits for the judge. This takes long on a busy
        // disk, so it does not count as wall time.
        self.exclude(began.elapsed());
        Ok(())
    }

    /// Receives the zygote's answer, waiting for it if necessary.
    pub(super) fn receive_reply(&self) -> Result<LastMessage, SandboxError> {
        match self.zygote.answer() {
            Ok(reply) => Ok(LastMessage::Reply(reply)),
            Err(error) if self.is_lost(&error) => Ok(LastMessage::ZygoteEnded),
            Err(error) => Err(system("waiting for the end of a program")(error)),
        }
    }

    /// Whether the error means that the zygote has ended or, outside a namespace, does not answer any more. Outside a
    /// namespace, a program can kill or stop its zygote.
    fn is_lost(&self, error: &io::Error) -> bool {
        is_gone(error) || (!self.zygote.in_namespace() && error.kind() == io::ErrorKind::TimedOut)
    }

    /// Returns the time after which the limits must be checked next. It is the shortest of three: the wall time left,
    /// the CPU time left if every core works for the program, and the interval of memory checks or of samples.
    pub(super) fn time_to_next_check(&self) -> Duration {
        let wall = self.limits.wall.saturating_sub(self.own_wall());
        let cpu = self.limits.cpu.saturating_sub(self.cpu_seen) / cores();
        let usage = match &self.sampler {
            Some(sampler) => sampler.time_to_next(cpu),
            None => cpu.max(CPU_TICK).min(MEMORY_TICK),
        };
        let folder = self.folder.as_ref().map_or(MEMORY_TICK, FolderUsage::time_to_next);
        wall.max(WALL_TICK).min(usage).min(folder) + Duration::from_micros(100)
    }

    /// Returns the wall time that counts against the limit: without excluded time and without time spent waiting for a
    /// core.
    pub(super) fn own_wall(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.excluded + self.waiting.total().unwrap_or_default())
    }

    fn exceeds_wall_limit(&self, wall: Duration) -> bool {
        self.waiting.is_beyond(self.limits.wall, wall.saturating_sub(self.excluded))
    }

    /// Returns whether the wall limit is exceeded; false until the next measurement is due. The monitor measures the
    /// time spent waiting for a core only when the wall time is large, because a measurement is slow. Most programs end
    /// or exceed their CPU limit before that.
    fn exceeds_wall_limit_now(&mut self) -> bool {
        let wall = self.own_wall();
        if wall <= self.limits.cpu.min(self.limits.wall / 2) {
            return false;
        }
        let tick = if wall > self.limits.wall { WALL_TICK } else { WAITING_TICK };
        if !self.waiting.is_due(tick) {
            return false;
        }
        let members = processes(self.zygote, self.group);
        self.waiting.measure(&members);
        self.exceeds_wall_limit(self.started.elapsed())
    }

    fn writes_too_much_now(&mut self) -> bool {
        let (zygote, group) = (self.zygote, self.group);
        self.folder.as_mut().is_some_and(|folder| folder.is_exceeded_now(|| programs(zygote, group)))
    }

    fn sampled_memory(&self) -> Option<u64> {
        self.sampler.as_ref().and_then(Sampler::memory_bytes)
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The CPU time at the last check of the limits.
    pub(super) fn cpu_seen(&self) -> Duration {
        self.cpu_seen
    }

    /// Checks the limits. Returns the limit that the program exceeds; `None` if it exceeds none.
    pub(super) fn check_limits(&mut self) -> Result<Option<Crossed>, SandboxError> {
        if let Some(group) = self.group {
            self.cpu_seen = group.cpu().map_err(system("reading a program's CPU time"))?;
        }
        if let Some(sampler) = &mut self.sampler
            && sampler.sample_if_due()
        {
            self.cpu_seen = sampler.cpu(Duration::ZERO);
        }
        self.stack.sample(self.group);
        self.crossed = if self.stdout.spool.overflowed() || self.stderr.spool.overflowed() {
            Some(Crossed::Output)
        } else if self.sampled_memory() > Some(self.limits.memory_bytes) {
            Some(Crossed::Memory)
        } else if self.writes_too_much_now() {
            Some(Crossed::Files)
        } else if self.cpu_seen > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.exceeds_wall_limit_now() {
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

    /// Makes the outcome, after every process of the program has ended.
    pub(super) fn finish(mut self, last: &LastMessage) -> Result<Ran, SandboxError> {
        if let LastMessage::Reply(Reply::Failed { step, errno }) = *last {
            return Ok(Ran::NotStarted(step, io::Error::from_raw_os_error(errno)));
        }
        if let (Some(group), false) = (self.group, self.zygote.in_namespace()) {
            group.kill_all_but(Some(self.zygote.pid())).map_err(system("killing the processes of a program"))?;
        }
        // The pipes may still contain the program's last output.
        self.drain()?;
        let used =
            self.group.map(ControlGroup::used).transpose().map_err(system("reading a program's time and memory"))?;
        let out_of_memory = used.is_some_and(|used| used.out_of_memory);
        let zygote_lives = matches!(last, LastMessage::Reply(_));
        let (status, wall, cpu, peak) = match *last {
            LastMessage::Reply(Reply::Ended { status, wall_nanoseconds, cpu_nanoseconds, peak_memory_bytes }) => {
                let (wall, cpu) = (Duration::from_nanos(wall_nanoseconds), Duration::from_nanos(cpu_nanoseconds));
                (status, wall, cpu, peak_memory_bytes)
            }
            // When memory runs out, the kernel may kill the zygote. Outside a namespace, the program may have killed
            // it. In any other case the judge has failed.
            _ if out_of_memory || !self.zygote.in_namespace() => {
                (libc::SIGKILL, self.started.elapsed(), self.cpu_seen, None)
            }
            _ => {
                return Err(system("waiting for the sandbox's helper process, which has ended")(
                    io::ErrorKind::UnexpectedEof.into(),
                ));
            }
        };
        let (sampled_memory, sampled_cpu) =
            (self.sampled_memory(), self.sampler.as_mut().map(|sampler| sampler.cpu(cpu)));
        let usage = Usage {
            cpu: used.map_or(sampled_cpu.unwrap_or(cpu), |used| used.cpu),
            wall,
            waited: self.waiting.total(),
            memory_bytes: used.map_or(peak.max(sampled_memory), |used| used.peak_memory_bytes),
        };
        let crossed = self.first_crossed(ended(status), &usage, out_of_memory);
        let outcome = Outcome {
            ended: ended(status),
            crossed,
            usage,
            printed_bytes: self.stdout.spool.written() + self.stderr.spool.counted(),
            stdout: self.stdout.spool.finish().map_err(system("storing an output"))?,
            stderr: self.stderr.spool.finish().map_err(system("storing an output"))?,
        };
        Ok(Ran::Ended { outcome, zygote_lives })
    }

    /// Decides which limit the program exceeded first. A program can exceed a limit and end before the next check, so
    /// this also compares the final figures with the limits. After the kernel has killed one process for lack of
    /// memory, the others may continue and end in any way. So if memory ran out, `ended` says nothing about the limit.
    fn first_crossed(&mut self, ended: Ended, usage: &Usage, out_of_memory: bool) -> Option<Crossed> {
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
        } else if self.folder.as_mut().is_some_and(|folder| folder.is_exceeded(&[])) {
            Some(Crossed::Files)
        } else if usage.cpu > self.limits.cpu {
            Some(Crossed::Cpu)
        } else if self.exceeds_wall_limit(usage.wall) {
            Some(Crossed::Wall)
        } else {
            None
        }
    }
}

/// Returns the processes of the zygote's group, or the zygote's descendants if it has no group.
fn processes(zygote: &Zygote, group: Option<&ControlGroup>) -> Vec<i32> {
    match group {
        Some(group) => group.members().unwrap_or_default(),
        None => descendants::all_below(zygote.pid().as_raw_nonzero().get()),
    }
}

/// Returns the processes of the program.
fn programs(zygote: &Zygote, group: Option<&ControlGroup>) -> Vec<i32> {
    let own = zygote.pid().as_raw_nonzero().get();
    processes(zygote, group).into_iter().filter(|&process| process != own).collect()
}

/// Returns how much later than planned the judge woke up, because it was stopped (Ctrl-Z) or not scheduled. A delay of
/// at most [`NORMAL_DELAY`] counts as 0. The program's wall time excludes the delay, because during the delay the judge
/// neither read the program's output nor noticed the program's end.
pub(super) fn wakeup_delay(began: Instant, planned: Duration) -> Duration {
    let delay = began.elapsed().saturating_sub(planned);
    if delay > NORMAL_DELAY { delay } else { Duration::ZERO }
}

/// Maximum delay that is normal on a busy machine.
const NORMAL_DELAY: Duration = Duration::from_millis(250);

/// Whether the error means that the other end of the socket is closed, because the zygote has ended.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

/// The number of bytes that the monitor reads from a pipe at a time.
const BLOCK_BYTES: usize = 16 * 1024;

/// The number of blocks that the monitor reads before it checks the limits again. Together, these blocks hold more than
/// a full pipe (1 MiB for a program without privileges), so one round reads the rest of an ended program's output.
const MOST_READS: usize = 128;

impl Stream {
    /// Makes a stream. The monitor stores up to `most_bytes` of its bytes. More bytes exceed the output limit.
    pub(super) fn stored(pipe: OwnedFd, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::new(most_bytes) }
    }

    /// Makes a stream. The monitor stores up to `most_bytes` of its bytes and discards the rest.
    pub(super) fn truncated(pipe: OwnedFd, most_bytes: u64) -> Stream {
        Stream { pipe: Some(pipe), spool: Spool::truncating(most_bytes) }
    }

    /// Makes a stream that the caller reads. The monitor only counts its bytes.
    pub(super) fn counted(most_bytes: u64) -> Stream {
        Stream { pipe: None, spool: Spool::counting(most_bytes) }
    }

    /// Reads the bytes that are in the pipe, without waiting and without reading much more than the cap. Bytes beyond
    /// the cap of a truncated stream are discarded. One call reads at most [`MOST_READS`] blocks, because the program
    /// may write as fast as the judge reads, and the judge must check the limits in between.
    fn drain(&mut self, cap: u64) -> Result<(), SandboxError> {
        let mut buffer = [0; BLOCK_BYTES];
        self.spool.cap_at(cap);
        for _ in 0..MOST_READS {
            let Some(pipe) = &self.pipe else { break };
            match rustix::io::read(pipe, &mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(length) => self.spool.take(&buffer[..length]).map_err(system("storing an output"))?,
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
        // wait4 without WUNTRACED reports only ends, so this does not happen. The raw number is the least misleading
        // value.
        (None, None) => Ended::Signaled(status.into_raw()),
    }
}
