//! Measures how long a run has waited for a core, so that the wall limit counts only the time in which the run slept.
//!
//! The kernel counts for each thread how long it was runnable and not on a core. Between two looks, the longest wait of
//! a single thread counts, because threads that wait at the same time wait once. The wait of a thread between the last
//! look and its end is not seen, and counts as sleep. A program gains little from this: while its own threads wait for
//! each other, some of them use all cores, and its CPU time runs out.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// The largest number of threads of a run that are looked at. A program that starts hundreds leaves the judge a small
/// share of a core, and a look at all of them would take so long that the program ran on for minutes.
const MOST_THREADS: usize = 16;

/// With more processes than this the judge does not look at all: such a program uses up its CPU time.
const MOST_PROCESSES: usize = 64;

/// A run ends after this many times its wall limit, even if it got no core in all that time.
const MOST_TIMES: u32 = 10;

/// The waiting of one run.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// What each thread that was alive at the last look had waited until then.
    until_now: HashMap<i32, Duration>,
    total: Option<Duration>,
    looked: Option<Instant>,
}

impl Waiting {
    /// Returns the known waiting time of the run; `None` if no look has been made, or the kernel does not count it.
    pub(super) fn total(&self) -> Option<Duration> {
        self.total
    }

    /// Returns whether a run of this wall time exceeds the limit: without the time that it waited, or by far.
    pub(super) fn is_beyond(&self, limit: Duration, wall: Duration) -> bool {
        wall.saturating_sub(self.total.unwrap_or_default()) > limit || wall > limit * MOST_TIMES
    }

    /// Whether the last look was as long ago as that.
    pub(super) fn is_due(&self, tick: Duration) -> bool {
        self.looked.is_none_or(|looked| looked.elapsed() >= tick)
    }

    /// Looks at the threads of these processes, or at the first of them.
    pub(super) fn look(&mut self, processes: &[i32]) {
        if processes.len() <= MOST_PROCESSES {
            self.add(processes.iter().flat_map(|&process| waits(process)).take(MOST_THREADS).collect());
        }
        self.looked = Some(Instant::now());
    }

    fn add(&mut self, threads: HashMap<i32, Duration>) {
        // A number that is used again belongs to a thread that has waited for less.
        let since = |(thread, &now): (&i32, &Duration)| {
            let before = self.until_now.get(thread).copied().unwrap_or_default();
            now.checked_sub(before).unwrap_or(now)
        };
        if let Some(longest) = threads.iter().map(since).max() {
            self.total = Some(self.total.unwrap_or_default() + longest);
        }
        self.until_now = threads;
    }
}

/// The threads of a process, and how long each has waited since its beginning. Empty if the process is gone, or if the
/// kernel does not count.
fn waits(process: i32) -> impl Iterator<Item = (i32, Duration)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().filter_map(Result::ok);
    let wait = |task: fs::DirEntry| {
        let thread = task.file_name().to_str()?.parse().ok()?;
        Some((thread, parse(&fs::read_to_string(task.path().join("schedstat")).ok()?)?))
    };
    tasks.filter_map(wait)
}

/// Three numbers: nanoseconds on a core, nanoseconds waiting for one, and how often it got one.
fn parse(schedstat: &str) -> Option<Duration> {
    schedstat.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total_after(looks: &[&[(i32, u64)]]) -> Option<u64> {
        let mut waiting = Waiting::default();
        for look in looks {
            waiting.add(look.iter().map(|&(thread, millis)| (thread, Duration::from_millis(millis))).collect());
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
    fn the_wait_of_a_thread_that_has_ended_stays_and_its_number_may_come_again() {
        assert_eq!(total_after(&[&[(1, 40)], &[(2, 10)], &[]]), Some(50));
        assert_eq!(total_after(&[&[(1, 40)], &[(1, 15)]]), Some(55));
    }

    #[test]
    fn what_was_waited_does_not_count_but_nothing_runs_for_ever() {
        let is_beyond = |waited: Option<u64>, wall: u64| {
            let waiting = Waiting { total: waited.map(Duration::from_secs), ..Waiting::default() };
            waiting.is_beyond(Duration::from_secs(8), Duration::from_secs(wall))
        };
        assert!(!is_beyond(None, 8) && is_beyond(None, 9));
        assert!(!is_beyond(Some(30), 38) && is_beyond(Some(30), 39));
        assert!(!is_beyond(Some(80), 80) && is_beyond(Some(81), 81));
    }

    #[test]
    fn the_kernel_tells_of_every_thread() {
        assert_eq!(parse("3884491 250 7\n"), Some(Duration::from_nanos(250)));
        assert_eq!(parse("cut"), None);
        let own = std::process::id() as i32;
        assert!(waits(own).any(|(thread, _)| thread == own));
        assert_eq!(waits(-1).count(), 0);
    }

    #[test]
    fn of_a_run_with_many_processes_none_is_looked_at() {
        let own = std::process::id() as i32;
        let mut waiting = Waiting::default();
        waiting.look(&[own; MOST_PROCESSES + 1]);
        assert_eq!((waiting.total(), waiting.is_due(Duration::from_secs(60))), (None, false));
        waiting.look(&[own; MOST_PROCESSES]);
        assert!(waiting.total().is_some() && waiting.until_now.len() <= MOST_THREADS);
    }
}
