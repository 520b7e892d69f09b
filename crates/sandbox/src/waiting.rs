//! Measures how long a run has waited for a CPU core, so that the wall limit excludes this time.
//!
//! The kernel counts for each thread how long it was ready to run and not on a core. Between two measurements, only the
//! longest wait of a single thread counts, because threads that wait at the same time delay the run only once. When a
//! thread ends, its wait since the last measurement is unknown, and counts as sleep. A program cannot extend its wall
//! limit much by starting many threads: while some wait for a core, the others use all cores, and the CPU time runs
//! out.
//!
//! The judge's own thread is measured like a thread of the program: while the judge waits for a core, it does not empty
//! the pipe, so a program that prints much is delayed, too. The judge's waits count from the first measurement on.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// Maximum number of threads that are measured. A program with hundreds of busy threads leaves the judge a small share
/// of a core. Measuring all of them would take so long that the program could run for minutes beyond its wall limit.
const MAX_THREADS: usize = 16;

/// Maximum number of processes for which a measurement is made. A program with more processes soon uses up its CPU
/// time.
const MAX_PROCESSES: usize = 64;

/// A run ends after this many times its wall limit, even if it waited for a core all the time.
const WALL_FACTOR: u32 = 10;

/// The waiting time of one run.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The waiting time of each thread at the last measurement, by thread number.
    until_now: HashMap<i32, Duration>,
    total: Option<Duration>,
    /// The beginning of the last measurement.
    began_at: Option<Instant>,
    /// The end of the last measurement.
    measured_at: Option<Instant>,
}

impl Waiting {
    /// Returns the waiting time of the run; `None` if no measurement was made, or the kernel does not count it.
    pub(super) fn total(&self) -> Option<Duration> {
        self.total
    }

    /// Returns whether a run with this wall time exceeds the limit. It does if the wall time without the waiting time
    /// exceeds `limit`, or if the whole wall time exceeds ten times `limit`.
    pub(super) fn is_beyond(&self, limit: Duration, wall: Duration) -> bool {
        wall.saturating_sub(self.total.unwrap_or_default()) > limit || wall > limit.saturating_mul(WALL_FACTOR)
    }

    /// Whether the last measurement is at least `tick` ago.
    pub(super) fn is_due(&self, tick: Duration) -> bool {
        self.measured_at.is_none_or(|measured_at| measured_at.elapsed() >= tick)
    }

    /// Measures the first [`MAX_THREADS`] threads of these processes, or none if there are more than [`MAX_PROCESSES`]
    /// processes.
    pub(super) fn measure(&mut self, processes: &[i32]) {
        if processes.len() <= MAX_PROCESSES {
            let began_at = Instant::now();
            let of_program = processes.iter().flat_map(|&process| waits(process)).take(MAX_THREADS);
            let of_judge = wait_of_this_thread();
            if let Some((thread, wait)) = of_judge {
                self.until_now.entry(thread).or_insert(wait);
            }
            let threads = of_program.chain(of_judge).collect();
            self.add(threads, self.began_at.map_or(Duration::MAX, |began_at| began_at.elapsed()));
            self.began_at = Some(began_at);
        }
        self.measured_at = Some(Instant::now());
    }

    /// Adds a measurement. `most` is the time since the previous measurement began. No wait counts for more than
    /// `most`: a thread that is measured for the first time may have waited for longer, but the earlier part of its
    /// wait may already count as the wait of another thread.
    fn add(&mut self, threads: HashMap<i32, Duration>, most: Duration) {
        // If a figure is smaller than before, the thread number now belongs to a new thread, which has waited `now` in
        // total.
        let since = |(thread, &now): (&i32, &Duration)| {
            let before = self.until_now.get(thread).copied().unwrap_or_default();
            now.checked_sub(before).unwrap_or(now)
        };
        if let Some(longest) = threads.iter().map(since).max() {
            self.total = Some(self.total.unwrap_or_default() + longest.min(most));
        }
        self.until_now = threads;
    }
}

/// Returns the threads of a process, and how long each has waited since its start. Empty if the process has ended, or
/// if the kernel does not count waiting times.
fn waits(process: i32) -> impl Iterator<Item = (i32, Duration)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().filter_map(Result::ok);
    let wait = |task: fs::DirEntry| {
        let thread = task.file_name().to_str()?.parse().ok()?;
        Some((thread, parse(&fs::read_to_string(task.path().join("schedstat")).ok()?)?))
    };
    tasks.filter_map(wait)
}

/// Returns the calling thread, and how long it has waited since its start; `None` if the kernel does not count this.
fn wait_of_this_thread() -> Option<(i32, Duration)> {
    let wait = parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)?;
    Some((rustix::thread::gettid().as_raw_nonzero().get(), wait))
}

/// Parses the waiting time from three numbers: nanoseconds on a core, nanoseconds waiting for a core, and the number of
/// time slices.
fn parse(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(measurement: &[(i32, u64)]) -> HashMap<i32, Duration> {
        measurement.iter().map(|&(thread, millis)| (thread, Duration::from_millis(millis))).collect()
    }

    fn total_after(measurements: &[&[(i32, u64)]]) -> Option<u64> {
        let mut waiting = Waiting::default();
        for measurement in measurements {
            waiting.add(of(measurement), Duration::MAX);
        }
        waiting.total().map(|total| total.as_millis() as u64)
    }

    #[test]
    fn threads_that_wait_at_the_same_time_wait_once() {
        assert_eq!(total_after(&[]), None);
        assert_eq!(total_after(&[&[]]), None);
        assert_eq!(total_after(&[&[(1, 40)], &[(1, 70)]]), Some(70));
        assert_eq!(total_after(&[&[(1, 40), (2, 30)], &[(1, 50), (2, 90)]]), Some(40 + 60));
    }

    #[test]
    fn a_thread_that_was_not_measured_before_adds_no_more_than_the_time_since_then() {
        let mut waiting = Waiting::default();
        waiting.add(of(&[(1, 40)]), Duration::MAX);
        waiting.add(of(&[(1, 40), (2, 5000)]), Duration::from_millis(20));
        assert_eq!(waiting.total(), Some(Duration::from_millis(60)));
    }

    #[test]
    fn the_wait_of_an_ended_thread_stays_and_its_number_may_be_reused() {
        assert_eq!(total_after(&[&[(1, 40)], &[(2, 10)], &[]]), Some(50));
        assert_eq!(total_after(&[&[(1, 40)], &[(1, 15)]]), Some(55));
    }

    #[test]
    fn waiting_does_not_count_but_no_run_is_endless() {
        let is_beyond = |waited: Option<u64>, wall: u64| {
            let waiting = Waiting { total: waited.map(Duration::from_secs), ..Waiting::default() };
            waiting.is_beyond(Duration::from_secs(8), Duration::from_secs(wall))
        };
        assert!(!is_beyond(None, 8) && is_beyond(None, 9));
        assert!(!is_beyond(Some(30), 38) && is_beyond(Some(30), 39));
        assert!(!is_beyond(Some(80), 80) && is_beyond(Some(81), 81));
    }

    #[test]
    fn every_thread_is_measured() {
        assert_eq!(parse("3884491 250 7\n"), Some(Duration::from_nanos(250)));
        assert_eq!(parse("cut"), None);
        let own = std::process::id() as i32;
        assert!(waits(own).any(|(thread, _)| thread == own));
        assert_eq!(waits(-1).count(), 0);
    }

    #[test]
    fn the_waits_of_the_judge_count_from_the_first_measurement_on() {
        let (thread, before) = wait_of_this_thread().expect("this kernel counts waits");
        let mut waiting = Waiting::default();
        waiting.measure(&[]);
        let first = waiting.total().expect("a measurement was made");
        let after = wait_of_this_thread().expect("this kernel counts waits").1;
        assert!(before + first <= after, "{first:?}");
        waiting.until_now.insert(thread, Duration::ZERO);
        waiting.began_at = None;
        waiting.measure(&[]);
        assert!(waiting.total() >= Some(after), "{waiting:?}");
    }

    #[test]
    fn a_run_with_many_processes_is_not_measured() {
        let own = std::process::id() as i32;
        let mut waiting = Waiting::default();
        waiting.measure(&[own; MAX_PROCESSES + 1]);
        assert_eq!((waiting.total(), waiting.is_due(Duration::from_secs(60))), (None, false));
        waiting.measure(&[own; MAX_PROCESSES]);
        assert!(waiting.total().is_some() && waiting.until_now.len() <= MAX_THREADS + 1);
    }
}
