//! Measures how long a run has waited for a CPU core, so that the wall limit excludes this time.
//!
//! A time is excluded if no thread of the program was on a core, and at least one was ready to run. The kernel counts
//! for each thread how long it was on a core, and how long it was ready and waited. So between two measurements, the
//! longest wait of a single thread counts, and at most the time in which no thread ran. Threads that wait at the same
//! time delay the run only once. A program that only sleeps has no such time, whatever the load of the machine is.
//!
//! The kernel counts a wait when it ends. So a long wait also fills the time of earlier measurements that no other wait
//! has filled. The wall limit does not end a run in the middle of a wait, because its length is still unknown.
//!
//! Three waits do not count:
//! - the wait of a thread before its first measurement, unless the thread started since the last measurement: the judge
//!   measures only some threads, and the other ones may have waited at any time,
//! - the wait of a thread that ended, since its last measurement,
//! - the wait of a thread that lowered its own priority, because it waits by its own choice.
//!
//! While the judge itself waits for a core, it does not empty the pipe, so a program that prints much is delayed, too.
//! The judge's wait counts if the program printed so much since the last measurement that the pipe may have been full.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::schedule::{self, OwnWait, Reading, Schedule};

/// Maximum number of threads that are measured. A program with hundreds of busy threads leaves the judge a small share
/// of a core. Measuring all of them would take so long that the program could run for minutes beyond its wall limit.
const MAX_THREADS: usize = 16;

/// Maximum number of processes for which a measurement is made. A program with more processes soon uses up its CPU
/// time.
const MAX_PROCESSES: usize = 64;

/// Maximum number of intervals that a wait can fill. With the shortest interval, these are 5 s.
const MAX_INTERVALS: usize = 1024;

/// A run ends after this many times its wall limit, even if it waited for a core all the time.
const WALL_FACTOR: u32 = 10;

/// The waiting time of one run.
#[derive(Debug)]
pub(super) struct Waiting {
    /// The threads of the last measurement, by thread number.
    threads: HashMap<i32, Known>,
    judge: OwnWait,
    /// The times between the measurements, the newest last.
    intervals: VecDeque<Interval>,
    total: Option<Duration>,
    /// Whether a thread may have been in the middle of a wait at the last measurement.
    is_in_a_wait: bool,
    /// The beginning of the last measurement; at first, that of the run.
    began_at: Instant,
    /// The beginning of the last measurement as time since the machine's start.
    began_since_boot: Duration,
    /// The end of the last measurement; `None` before the first one.
    measured_at: Option<Instant>,
}

/// What the last measurement found about a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    schedule: Schedule,
    is_ready: bool,
}

/// The time between two measurements.
#[derive(Clone, Copy, Debug)]
struct Interval {
    length: Duration,
    /// The part in which no thread ran, and which no wait has filled.
    free: Duration,
}

impl Waiting {
    /// Begins with a run that starts now.
    pub(super) fn new() -> Waiting {
        Waiting {
            threads: HashMap::new(),
            judge: OwnWait::new(),
            intervals: VecDeque::new(),
            total: None,
            is_in_a_wait: false,
            began_at: Instant::now(),
            began_since_boot: schedule::time_since_boot(),
            measured_at: None,
        }
    }

    /// Returns a measurement of the judge's waits that begins at the last one of this value; at first, with the run.
    pub(super) fn judge_since_start(&self) -> OwnWait {
        self.judge.clone()
    }

    /// Returns the waiting time of the run; `None` if no measurement was made.
    pub(super) fn total(&self) -> Option<Duration> {
        self.total
    }

    /// Returns whether a run that has ended with this wall time exceeds the limit. It does if the wall time without the
    /// waiting time exceeds `limit`, or if the whole wall time exceeds ten times `limit`.
    pub(super) fn is_beyond(&self, limit: Duration, wall: Duration) -> bool {
        wall.saturating_sub(self.total.unwrap_or_default()) > limit || wall > limit.saturating_mul(WALL_FACTOR)
    }

    /// Returns whether a run that goes on exceeds the limit, after this wall time. A run that may be in the middle of a
    /// wait exceeds only ten times `limit`.
    pub(super) fn is_already_beyond(&self, limit: Duration, wall: Duration) -> bool {
        self.is_beyond(limit, wall) && !(self.is_in_a_wait && wall <= limit.saturating_mul(WALL_FACTOR))
    }

    /// Whether the last measurement is at least `tick` ago.
    pub(super) fn is_due(&self, tick: Duration) -> bool {
        self.measured_at.is_none_or(|measured_at| measured_at.elapsed() >= tick)
    }

    /// Measures the first [`MAX_THREADS`] threads of these processes, or none if there are more than [`MAX_PROCESSES`]
    /// processes. `is_held_up` says whether the program may have waited for the judge since the last measurement.
    pub(super) fn measure(&mut self, processes: &[i32], is_held_up: bool) {
        if processes.len() <= MAX_PROCESSES {
            let (began_at, began_since_boot) = (Instant::now(), schedule::time_since_boot());
            let threads = processes.iter().flat_map(|&process| schedule::threads(process)).take(MAX_THREADS);
            let of_judge = self.judge.since_the_last_call();
            self.add(&threads.collect::<Vec<_>>(), began_at - self.began_at);
            if is_held_up {
                self.fill(of_judge);
            }
            (self.began_at, self.began_since_boot) = (began_at, began_since_boot);
        } else {
            self.is_in_a_wait = false;
        }
        self.measured_at = Some(Instant::now());
    }

    /// Adds a measurement, `length` after the last one.
    fn add(&mut self, threads: &[Reading], length: Duration) {
        let since: Vec<_> = threads.iter().map(|reading| (self.since(reading), reading.is_lowered)).collect();
        let ran: Duration = since.iter().map(|(since, _)| since.ran).sum();
        if self.intervals.len() == MAX_INTERVALS {
            self.intervals.pop_front();
        }
        self.intervals.push_back(Interval { length, free: length.saturating_sub(ran) });
        let waits = since.iter().filter(|(_, is_lowered)| !is_lowered).map(|(since, _)| since.waited);
        self.fill(waits.max().unwrap_or_default());
        self.is_in_a_wait = threads.iter().any(|reading| self.may_still_wait(reading));
        self.threads = threads.iter().map(|reading| (reading.thread, Known::of(reading))).collect();
    }

    /// Returns whether a thread may be in the middle of a wait that began before the last measurement: it was ready
    /// then, is ready now, and has not run between. In the first measurement, each new thread that is ready may be.
    fn may_still_wait(&self, reading: &Reading) -> bool {
        let still_waits = match self.threads.get(&reading.thread) {
            Some(&before) => before == Known::of(reading),
            None => self.measured_at.is_none() && schedule::started_after(reading.start, self.began_since_boot),
        };
        reading.is_ready && !reading.is_lowered && still_waits
    }

    /// Returns what a thread did since the last measurement, as far as that is known.
    fn since(&self, reading: &Reading) -> Schedule {
        match self.threads.get(&reading.thread) {
            Some(before) => reading.schedule.since(before.schedule),
            None if schedule::started_after(reading.start, self.began_since_boot) => reading.schedule,
            None => Schedule::default(),
        }
    }

    /// Adds a wait that ended since the last measurement. It fills the newest interval. Only a wait that is longer than
    /// this interval began before it, and fills the free time of earlier ones, too.
    fn fill(&mut self, wait: Duration) {
        let (mut total, mut left) = (self.total.unwrap_or_default(), wait);
        for interval in self.intervals.iter_mut().rev() {
            let part = interval.free.min(left);
            interval.free = interval.free.saturating_sub(part);
            total += part;
            left = left.saturating_sub(interval.length);
            if left.is_zero() {
                break;
            }
        }
        self.total = Some(total);
    }
}

impl Known {
    fn of(reading: &Reading) -> Known {
        Known { schedule: reading.schedule, is_ready: reading.is_ready }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Duration = Duration::from_millis(50);

    /// A reading of a thread that started with the machine, so it counts only from its second measurement on.
    fn reading(thread: i32, ran: u64, waited: u64) -> Reading {
        let schedule = Schedule { ran: Duration::from_millis(ran), waited: Duration::from_millis(waited) };
        Reading { thread, schedule, start: Duration::ZERO, is_lowered: false, is_ready: false }
    }

    /// Returns the total after measurements, [`TICK`] apart, of threads with these numbers, times on a core, and waits.
    fn total_after(measurements: &[&[(i32, u64, u64)]]) -> u64 {
        let mut waiting = Waiting::new();
        waiting.began_since_boot = Duration::from_secs(1000);
        for measurement in measurements {
            let readings = measurement.iter().map(|&(thread, ran, waited)| reading(thread, ran, waited));
            waiting.add(&readings.collect::<Vec<_>>(), TICK);
        }
        waiting.total().unwrap_or_default().as_millis() as u64
    }

    #[test]
    fn threads_that_wait_at_the_same_time_wait_once() {
        assert_eq!(total_after(&[]), 0);
        assert_eq!(total_after(&[&[], &[]]), 0);
        assert_eq!(total_after(&[&[(1, 0, 40)], &[(1, 0, 70)]]), 30);
        assert_eq!(total_after(&[&[(1, 0, 40), (2, 0, 30)], &[(1, 0, 50), (2, 0, 70)]]), 40);
    }

    #[test]
    fn the_time_in_which_a_thread_runs_is_no_waiting_time_of_the_others() {
        assert_eq!(total_after(&[&[(1, 0, 0), (2, 0, 0)], &[(1, 50, 0), (2, 0, 50)]]), 0);
        assert_eq!(total_after(&[&[(1, 0, 0), (2, 0, 0)], &[(1, 20, 0), (2, 0, 50)]]), 30);
    }

    #[test]
    fn a_long_wait_counts_when_it_ends_and_fills_only_free_time() {
        assert_eq!(total_after(&[&[(1, 5, 5)], &[(1, 5, 5)], &[(1, 5, 5)], &[(1, 10, 130)]]), 120);
        let both = [(1, 0, 0), (2, 0, 0)];
        assert_eq!(total_after(&[&both, &both, &[(1, 0, 95), (2, 0, 0)], &[(1, 0, 95), (2, 0, 140)]]), 150);
        // The two waits of 100 ms end within the same 100 ms.
        assert_eq!(total_after(&[&both, &both, &both, &[(1, 0, 100), (2, 0, 0)], &[(1, 0, 100), (2, 0, 100)]]), 150);
    }

    #[test]
    fn the_wait_of_a_thread_before_its_first_measurement_counts_only_if_it_is_new() {
        assert_eq!(total_after(&[&[(1, 0, 0)], &[(1, 0, 0), (2, 0, 5000)], &[(2, 0, 5010)]]), 10);
        let mut waiting = Waiting::new();
        let start = waiting.began_since_boot;
        waiting.add(&[Reading { start, ..reading(1, 0, 30) }], TICK);
        assert_eq!(waiting.total(), Some(Duration::from_millis(30)));
    }

    #[test]
    fn the_wait_of_a_thread_that_has_lowered_its_priority_does_not_count() {
        let mut waiting = Waiting::new();
        let start = waiting.began_since_boot;
        waiting.add(&[Reading { start, is_lowered: true, ..reading(1, 0, 30) }], TICK);
        assert_eq!(waiting.total(), Some(Duration::ZERO));
    }

    #[test]
    fn the_wait_of_an_ended_thread_stays_and_its_number_may_be_reused() {
        assert_eq!(total_after(&[&[(1, 0, 0)], &[(1, 0, 40)], &[(2, 0, 10)], &[]]), 40);
        assert_eq!(total_after(&[&[(1, 0, 0)], &[(1, 0, 40)], &[(1, 0, 15)]]), 55);
    }

    #[test]
    fn the_wall_limit_does_not_end_a_run_in_the_middle_of_a_wait() {
        let limit = Duration::from_millis(100);
        let mut waiting = Waiting::new();
        let start = waiting.began_since_boot;
        let ready = |ran, waited| Reading { start, is_ready: true, ..reading(1, ran, waited) };
        let mut is_beyond_after = |reading, wall| {
            waiting.add(&[reading], TICK);
            waiting.measured_at = Some(Instant::now());
            waiting.is_already_beyond(limit, Duration::from_millis(wall))
        };
        assert!(!is_beyond_after(ready(5, 0), 110), "the first measurement");
        assert!(!is_beyond_after(ready(5, 0), 999) && is_beyond_after(ready(5, 0), 1001));
        assert!(is_beyond_after(ready(6, 0), 300), "the thread has run");
        assert!(is_beyond_after(reading(1, 6, 0), 300), "the thread sleeps");
        assert!(is_beyond_after(ready(6, 0), 300), "the thread slept at the last measurement");
        assert!(
            is_beyond_after(Reading { is_lowered: true, ..ready(6, 0) }, 300),
            "the thread waits by its own choice"
        );
        assert!(is_beyond_after(Reading { thread: 2, ..ready(0, 0) }, 300), "a new thread");
    }

    #[test]
    fn the_wall_limit_ends_a_run_whose_threads_are_not_measured_any_more() {
        let mut waiting = Waiting { is_in_a_wait: true, ..Waiting::new() };
        let is_beyond = |waiting: &Waiting| waiting.is_already_beyond(TICK, 2 * TICK);
        assert!(!is_beyond(&waiting));
        waiting.measure(&[std::process::id() as i32; MAX_PROCESSES + 1], false);
        assert!(is_beyond(&waiting));
    }

    #[test]
    fn waiting_does_not_count_but_no_run_is_endless() {
        let is_beyond = |waited: Option<u64>, wall: u64| {
            let waiting = Waiting { total: waited.map(Duration::from_secs), ..Waiting::new() };
            waiting.is_beyond(Duration::from_secs(8), Duration::from_secs(wall))
        };
        assert!(!is_beyond(None, 8) && is_beyond(None, 9));
        assert!(!is_beyond(Some(30), 38) && is_beyond(Some(30), 39));
        assert!(!is_beyond(Some(80), 80) && is_beyond(Some(81), 81));
    }

    #[test]
    fn the_waits_of_the_judge_count_only_for_a_program_that_may_have_waited_for_the_judge() {
        let mut waiting = Waiting { judge: OwnWait::since_the_start(), ..Waiting::new() };
        // With more busy threads than cores, this thread waits.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let end = Instant::now() + Duration::from_millis(100);
            (0..2 * cores).for_each(|_| drop(scope.spawn(move || while Instant::now() < end {})));
            while Instant::now() < end {}
        });
        waiting.measure(&[], false);
        assert_eq!(waiting.total(), Some(Duration::ZERO));
        waiting.judge = OwnWait::since_the_start();
        waiting.measure(&[], true);
        assert!(waiting.total() > Some(Duration::ZERO), "{waiting:?}");
    }

    #[test]
    fn a_run_with_many_processes_is_not_measured() {
        let own = std::process::id() as i32;
        let mut waiting = Waiting::new();
        waiting.measure(&[own; MAX_PROCESSES + 1], false);
        assert_eq!((waiting.total(), waiting.is_due(Duration::from_secs(60))), (None, false));
        waiting.measure(&[own; MAX_PROCESSES], false);
        assert!(waiting.total().is_some() && waiting.threads.len() <= MAX_THREADS);
    }
}
