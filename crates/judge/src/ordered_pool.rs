//! Runs numbered tasks on several threads and delivers their results in the order of the numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

/// Limits how far the workers run ahead, because results that are not delivered yet stay in memory: a task begins only
/// if its index exceeds the count of delivered results by at most this value.
const AHEAD: usize = 4096;

/// Pause of a worker that is too far ahead.
const PAUSE: Duration = Duration::from_millis(5);

/// The progress that the workers and the caller share.
#[derive(Default)]
struct Progress {
    /// The number of the first task that no worker has taken.
    next: AtomicUsize,
    /// The number of results that were delivered.
    delivered: AtomicUsize,
    /// Whether the workers must not begin another task.
    over: AtomicBool,
}

/// Runs `work` for each number below `count` with `jobs` workers, and passes the results to `take` in the order of the
/// numbers.
///
/// No new task begins after `take` fails or `stops` returns true. Returns true if all results were passed to `take`,
/// and false if `stops` ended the run early. Fails with the first error of `take`. If no worker can be started, the
/// calling thread does the work.
pub fn in_order<T: Send, E>(
    jobs: usize,
    count: usize,
    stops: &(dyn Fn() -> bool + Sync),
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<bool, E> {
    let progress = Progress::default();
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let sender = sender.clone();
            let (progress, work) = (&progress, &work);
            let body = move || {
                while let Some(index) = progress.next_task(count, stops) {
                    if sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            };
            // If a thread cannot be started, fewer workers do all the tasks.
            if thread::Builder::new().spawn_scoped(scope, body).is_err() {
                break;
            }
        }
        drop(sender);
        let delivered = progress.deliver(&receiver, &mut take);
        progress.over.store(true, Ordering::Relaxed);
        delivered
    })?;
    // Tasks remain here only if no worker could be started, or if `stops` returned true. In the first case, this
    // thread does them.
    for index in progress.delivered.into_inner()..count {
        if stops() {
            return Ok(false);
        }
        take(index, work(index))?;
    }
    Ok(true)
}

impl Progress {
    /// Returns the number of the next task; `None` if all tasks are taken, or if no task may begin any more.
    fn next_task(&self, count: usize, stops: &(dyn Fn() -> bool + Sync)) -> Option<usize> {
        loop {
            if self.over.load(Ordering::Relaxed) || stops() {
                return None;
            }
            if self.next.load(Ordering::Relaxed) <= self.delivered.load(Ordering::Relaxed) + AHEAD {
                return Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < count);
            }
            thread::sleep(PAUSE);
        }
    }

    /// Passes results to `take` in the order of their numbers, until `take` fails or the last worker has ended.
    fn deliver<T, E>(
        &self,
        receiver: &Receiver<(usize, T)>,
        take: &mut impl FnMut(usize, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut early = BTreeMap::new();
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&self.delivered.load(Ordering::Relaxed)) {
                take(self.delivered.fetch_add(1, Ordering::Relaxed), result)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_for_any_number_of_jobs() {
        for jobs in [0, 1, 2, 9] {
            let mut seen = Vec::new();
            let slow = |index: usize| {
                thread::sleep(Duration::from_micros(index as u64 * 7919 % 300));
                index * 2
            };
            let done: Result<bool, ()> = in_order(jobs, 300, &|| false, slow, |index, result| {
                seen.push((index, result));
                Ok(())
            });
            assert_eq!(done, Ok(true));
            assert_eq!(seen, (0..300).map(|index| (index, index * 2)).collect::<Vec<_>>());
        }
        let nothing: Result<bool, ()> = in_order(2, 0, &|| false, |_| (), |_, ()| Ok(()));
        assert_eq!(nothing, Ok(true));
    }

    #[test]
    fn after_an_error_nothing_new_begins() {
        let worked = AtomicUsize::new(0);
        let work = |index: usize| {
            worked.fetch_add(1, Ordering::Relaxed);
            thread::yield_now();
            index
        };
        let done = in_order(2, 1_000_000, &|| false, work, |index, _| if index == 3 { Err(index) } else { Ok(()) });
        assert_eq!(done, Err(3));
        assert!(worked.load(Ordering::Relaxed) < 1_000_000);
    }

    #[test]
    fn after_a_stop_nothing_new_begins_and_what_was_done_is_taken() {
        let (worked, mut taken) = (AtomicUsize::new(0), 0);
        let stops = || worked.load(Ordering::Relaxed) > 20;
        let work = |_| worked.fetch_add(1, Ordering::Relaxed);
        let done: Result<bool, ()> = in_order(2, 10_000, &stops, work, |_, _| {
            taken += 1;
            Ok(())
        });
        assert_eq!(done, Ok(false));
        assert!((20..100).contains(&taken), "{taken}");
    }

    #[test]
    fn no_worker_runs_far_ahead_of_a_result_that_is_awaited() {
        let (most, first) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |index: usize| {
            while index == 0 && !first.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
                first.store(most.load(Ordering::Relaxed) >= AHEAD, Ordering::Relaxed);
            }
            most.fetch_max(index, Ordering::Relaxed);
            if !first.load(Ordering::Relaxed) {
                assert!(index <= AHEAD + 4, "{index}");
            }
        };
        let done: Result<bool, ()> = in_order(3, 3 * AHEAD, &|| false, work, |_, ()| Ok(()));
        assert_eq!(done, Ok(true));
    }
}
