//! Measures a run without a control group, from samples of its processes.

mod ledger;
mod memory;
mod shared;

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use super::task_clock;
use super::zygote::{Zygote, descendants};
use ledger::{CPU, FAULTS, Figures, Ledger, Sampled};
use memory::Memory;

/// The shortest interval between two samples. A sample reads a file for every process of the machine.
const SHORTEST: Duration = Duration::from_millis(5);

/// The interval between two samples while the program has only one process and no shared memory. The kernel counts the
/// CPU time and the memory peak of that process exactly until its end, so the samples serve only to end a run soon
/// after it exceeds a limit.
const OF_ONE_PROCESS: Duration = Duration::from_millis(20);

/// The pause after a sample is at least this multiple of the time that the sample took, up to [`LONGEST_PAUSE`].
const PAUSE: u32 = 5;

/// The longest pause, however long a sample took. On a busy machine, the judge may have waited for a core meanwhile.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// The kernel's counter ([`Clock`]) also counts the zygote's own work, which takes less than this in each run. The
/// samples are rounded down to clock ticks of 10 ms. The judge uses the counter only if it exceeds the samples by more
/// than this.
const OF_ZYGOTE: Duration = Duration::from_millis(10);

/// The samples of one run.
pub(super) struct Sampler<'a> {
    zygote: i32,
    clock: Option<Clock<'a>>,
    ledger: Ledger,
    memory: Memory,
    sampled_at: Instant,
    /// The shortest time between the last sample and the next one.
    pause: Duration,
    cpu: Duration,
}

/// The kernel's counter of CPU time, and what it showed before the run.
struct Clock<'a> {
    counter: BorrowedFd<'a>,
    before: Duration,
}

impl<'a> Sampler<'a> {
    /// Makes a sampler for the run that `zygote` is about to start.
    pub(super) fn new(zygote: &'a Zygote) -> Sampler<'a> {
        let counter = zygote.task_clock();
        Sampler {
            zygote: zygote.pid().as_raw_nonzero().get(),
            clock: counter.and_then(|counter| Some(Clock { counter, before: task_clock::read(counter).ok()? })),
            ledger: Ledger::default(),
            memory: Memory::default(),
            sampled_at: Instant::now(),
            pause: SHORTEST,
            cpu: Duration::ZERO,
        }
    }

    /// Returns the time until the next sample is due. `cpu_left` is the shortest time in which the program can exceed
    /// its limit on CPU time.
    pub(super) fn time_to_next(&self, cpu_left: Duration) -> Duration {
        self.pause.max(cpu_left.min(self.longest_pause()))
    }

    fn longest_pause(&self) -> Duration {
        if self.memory.needs_many_samples() { SHORTEST } else { OF_ONE_PROCESS }
    }

    /// Samples all processes of the run, unless the last sample was taken a moment ago. Returns whether it took a
    /// sample.
    pub(super) fn sample_if_due(&mut self) -> bool {
        let began = Instant::now();
        if began.duration_since(self.sampled_at) < self.pause {
            return false;
        }
        self.sampled_at = began;
        // The zygote is read before its processes. Otherwise a process that it reaps in between would count twice.
        let of_zygote = descendants::stat(self.zygote).map(|stat| sampled(&stat).waited).unwrap_or_default();
        let processes = descendants::descendants_of(self.zygote);
        let sample: BTreeMap<i32, Sampled> = processes.iter().map(|(&one, stat)| (one, sampled(stat))).collect();
        let total = self.ledger.add(of_zygote, &sample);
        self.cpu = self.cpu.max(Duration::from_nanos(total[CPU]));
        self.pause = (began.elapsed() * PAUSE).clamp(SHORTEST, LONGEST_PAUSE);
        self.memory.sample(&processes, total[FAULTS]);
        true
    }

    /// Returns the CPU time of all processes of the run so far. `reaped` is the part that the zygote knows, because it
    /// has reaped the processes; 0 if it has reaped none yet.
    pub(super) fn cpu(&mut self, reaped: Duration) -> Duration {
        let sampled = self.cpu.max(reaped);
        let counted = self
            .clock
            .as_ref()
            .and_then(|clock| Some(task_clock::read(clock.counter).ok()?.saturating_sub(clock.before)));
        self.cpu = larger_by_more_than_the_zygote(counted, sampled);
        self.cpu
    }

    /// Returns the largest memory of the run so far, in bytes; `None` if no sample has found a process.
    pub(super) fn memory_bytes(&self) -> Option<u64> {
        self.memory.peak_bytes()
    }
}

fn larger_by_more_than_the_zygote(counted: Option<Duration>, sampled: Duration) -> Duration {
    counted.filter(|&counted| counted > sampled + OF_ZYGOTE).unwrap_or(sampled)
}

fn sampled(stat: &descendants::Stat) -> Sampled {
    let figures = |cpu: Duration, faults: u64| -> Figures { [cpu.as_nanos() as u64, faults] };
    Sampled {
        start: stat.start,
        parent: stat.parent,
        own: figures(stat.own_cpu, stat.own_faults),
        waited: figures(stat.waited_cpu, stat.waited_faults),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_the_zygote_is_not_billed() {
        let milliseconds = Duration::from_millis;
        assert_eq!(larger_by_more_than_the_zygote(None, milliseconds(7)), milliseconds(7));
        assert_eq!(larger_by_more_than_the_zygote(Some(milliseconds(16)), milliseconds(7)), milliseconds(7));
        assert_eq!(larger_by_more_than_the_zygote(Some(milliseconds(500)), milliseconds(7)), milliseconds(500));
    }
}
