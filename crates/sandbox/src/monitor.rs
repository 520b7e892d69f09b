//! Monitors one run: collects the program's output, checks its limits, and makes the outcome.

mod decision;
mod stream;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::cgroup::ControlGroup;
use super::clone::Step;
use super::folder_usage::{FolderLimit, FolderUsage};
use super::sampling::Sampler;
use super::schedule::OwnWait;
use super::stack::{self, Growth};
use super::waiting::Waiting;
use super::zygote::{Reply, Request, Source, Zygote, blocked, core_of_next_run, descendants};
use super::{Crossed, Ended, Limits, Outcome, SandboxError, Usage, interrupt, system};
pub(super) use decision::CPU_TICK;
pub(super) use stream::{Stream, Streams};

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
    /// The bytes that the judge has read from the program since the last measurement of the waiting time.
    read_bytes: u64,
    /// Whether the judge has passed on a message of an interactive run since that measurement.
    has_relayed: bool,
    /// The CPU time beyond the limit at which the monitor kills the program. It is not 0 if the program may be forked
    /// from a warm process: then the group also counts the tracing of that process, which does not count for the
    /// program.
    cpu_allowance: Duration,
}

/// The last message of a zygote about a run.
pub(super) enum LastMessage {
    /// The answer of the zygote: [`Reply::Ended`] or [`Reply::Failed`].
    Reply(Reply),
    /// The zygote has ended, and with it every process in its namespace.
    ZygoteEnded,
}

impl<'a> Monitor<'a> {
    /// Makes the zygote start a program. Returns `None` if the zygote has ended.
    pub(super) fn start(
        slot: SlotRef<'a>,
        arguments: Vec<OsString>,
        limits: Limits,
        resources: Vec<(u32, u64)>,
        streams: Streams<'_>,
        may_be_warm: bool,
    ) -> Result<Option<Monitor<'a>>, SandboxError> {
        let SlotRef { zygote, group, folder } = slot;
        let may_be_warm = may_be_warm && zygote.keeps_warm();
        let folder = folder.map(FolderUsage::open).transpose();
        let folder = folder.map_err(|error| system("opening a program's folder")(error.into()))?;
        let sampler = group.is_none().then(|| Sampler::new(zygote));
        let (started, waiting) = (Instant::now(), Waiting::new());
        let stack_bytes = stack::limit_among(&resources);
        let Streams { input: (input, input_source), outputs: ([output, error], output_source), .. } = streams;
        let sources = [(input, input_source), (output, output_source), (error, output_source)];
        let sent: Vec<_> = sources.iter().filter(|(_, source)| *source != Source::Kept).map(|&(fd, _)| fd).collect();
        let (input, outputs) = (input_source, output_source);
        let core = core_of_next_run();
        match zygote.ask(&Request { arguments, limits: resources, may_be_warm, core, input, outputs }, &sent) {
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
            waiting,
            read_bytes: 0,
            has_relayed: false,
            cpu_allowance: if may_be_warm { MOST_TRACING } else { Duration::ZERO },
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

    /// Returns a measurement of the calling thread's waits for a core. It begins with the run.
    pub(super) fn own_wait(&self) -> OwnWait {
        self.waiting.judge_since_start()
    }

    /// Notes that the judge has passed on a message of an interactive run. The program may have waited for the judge.
    pub(super) fn note_message(&mut self) {
        self.has_relayed = true;
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

    /// Returns the CPU time used so far if all processes of the run sleep: no thread runs or is ready to run. `None`
    /// otherwise. Two calls that return the same time show that no process woke up between them.
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

    /// Whether no process of the run is ending. A control group does not list a process in the last moments of its end,
    /// and on a busy machine these moments may last milliseconds. So [`Self::cpu_if_asleep`] misses such a process. This
    /// method searches `/proc`, which takes too long for frequent checks.
    pub(super) fn is_none_ending(&self) -> bool {
        self.group.is_none() || descendants::all_sleep(self.zygote.pid().as_raw_nonzero().get(), &[])
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
        match self.zygote.request_stop() {
            Err(error) if !self.is_lost(&error) => Err(system("ending a program")(error)),
            _ => self.receive_reply(),
        }
    }

    /// Reads the bytes that are in both pipes. The output limit applies to the two streams together, unless standard
    /// error is truncated. In that case the limit applies to each stream separately.
    pub(super) fn drain(&mut self) -> Result<(), SandboxError> {
        let began = Instant::now();
        let all = self.limits.output_bytes;
        let from_stdout = self.stdout.drain(all - self.stderr.spool.counted())?;
        let of_stdout = if self.stderr.spool.is_truncating() { 0 } else { self.stdout.spool.written() };
        let read = from_stdout + self.stderr.drain(all - of_stdout)?;
        if read > 0 {
            self.read_bytes += read;
            // While the judge stores the output, a program that prints much waits for the judge. This takes long on a
            // busy disk, so it does not count as wall time.
            self.exclude(began.elapsed());
        }
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

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The CPU time at the last check of the limits.
    pub(super) fn cpu_seen(&self) -> Duration {
        self.cpu_seen
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
        let (status, wall, cpu, peak, warm) = match *last {
            LastMessage::Reply(Reply::Ended { status, wall_nanoseconds, cpu_nanoseconds, peak_memory_bytes, warm }) => {
                let cpu = cpu_nanoseconds.map_or(self.cpu_seen, Duration::from_nanos);
                (status, Duration::from_nanos(wall_nanoseconds), cpu, peak_memory_bytes, warm)
            }
            // When memory runs out, the kernel may kill the zygote. Outside a namespace, the program may have killed
            // it. In any other case the judge has failed.
            _ if out_of_memory || !self.zygote.in_namespace() => {
                (libc::SIGKILL, self.started.elapsed(), self.cpu_seen, None, None)
            }
            _ => {
                return Err(system("waiting for the sandbox's helper process, which has ended")(
                    io::ErrorKind::UnexpectedEof.into(),
                ));
            }
        };
        let (sampled_memory, sampled_cpu) =
            (self.sampled_memory(), self.sampler.as_mut().map(|sampler| sampler.cpu(cpu)));
        let used = used.map(|used| warm.map_or(used, |warm| used.as_if_started_anew(&warm)));
        let usage = Usage {
            cpu: used.map_or(sampled_cpu.unwrap_or(cpu), |used| used.cpu),
            wall,
            waited: self.waiting.total(),
            memory_bytes: used.map_or(peak.max(sampled_memory), |used| used.peak_memory_bytes),
        };
        let crossed = self.first_crossed(ended(status), &usage, out_of_memory);
        if crossed.is_none() && interrupt::explains(ended(status)) {
            return Err(SandboxError::Interrupted);
        }
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
}

/// Returns how much later than planned the judge woke up, because the judge was stopped (Ctrl-Z) or the whole machine
/// was. A delay of at most [`NORMAL_DELAY`] counts as 0. The program's wall time excludes the delay. `own_wait` belongs
/// to the calling thread: time in which the judge waited for a core is no such delay, because a program that sleeps is
/// not delayed by it. [`Waiting`] counts that time for other programs.
pub(super) fn wakeup_delay(began: Instant, planned: Duration, own_wait: &mut OwnWait) -> Duration {
    let delay = began.elapsed().saturating_sub(planned);
    if delay > NORMAL_DELAY {
        return delay.saturating_sub(own_wait.since_the_last_call());
    }
    // A reading at every wake-up would be one more system call in each short run.
    own_wait.forget_if_older(READING_INTERVAL);
    Duration::ZERO
}

/// Maximum age of the reading of the judge's waiting time before a delay. Waits of this time are subtracted from the
/// delay, although they came before it.
const READING_INTERVAL: Duration = Duration::from_millis(50);

/// The CPU time that tracing the start of a warm process may take.
const MOST_TRACING: Duration = Duration::from_millis(50);

/// Maximum delay that is normal on a busy machine.
const NORMAL_DELAY: Duration = Duration::from_millis(250);

/// Whether the error means that the other end of the socket is closed, because the zygote has ended.
fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionRefused, ConnectionReset, NotConnected, UnexpectedEof};
    // Older kernels refuse the packet if the other end closes at this moment.
    matches!(error.kind(), BrokenPipe | ConnectionRefused | ConnectionReset | NotConnected | UnexpectedEof)
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

#[cfg(test)]
mod tests {
    use super::super::schedule::Schedule;
    use super::*;

    #[test]
    fn earlier_waits_of_the_judge_do_not_shorten_a_delay() {
        // With more busy threads than cores, this thread waits.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let end = Instant::now() + Duration::from_millis(200);
            (0..2 * cores).for_each(|_| drop(scope.spawn(move || while Instant::now() < end {})));
            while Instant::now() < end {}
        });
        let waited = || Schedule::of_this_thread().unwrap().waited;
        let (before, mut own_wait) = (waited(), OwnWait::since_the_start());
        assert!(before > Duration::ZERO);
        std::thread::sleep(2 * READING_INTERVAL);
        assert_eq!(wakeup_delay(Instant::now(), Duration::ZERO, &mut own_wait), Duration::ZERO);
        let second = Duration::from_secs(1);
        let began = || Instant::now().checked_sub(second).expect("the machine has run for a second");
        let delay = wakeup_delay(began(), Duration::ZERO, &mut own_wait);
        assert!(delay + waited() >= second + before, "{delay:?}, and it waited for {before:?} before");
        // A wait within the delay is no delay.
        let mut own_wait = OwnWait::since_the_start();
        assert!(wakeup_delay(began(), Duration::ZERO, &mut own_wait) + before < second + NORMAL_DELAY);
    }
}
