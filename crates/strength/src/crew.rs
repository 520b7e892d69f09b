//! Runs tasks on all cores and delivers their results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::unbounded;

use referee_judge::JudgeError;

/// How many tasks a worker may be ahead of the last delivered result. Early results are kept in memory until their
/// turn.
const AHEAD: usize = 4096;

/// Runs `work` on each of `tasks` with `jobs` workers, and passes the results to `done` in the order of the tasks.
///
/// It ends early at an error, or when `stops` returns true. Returns whether all tasks were done. Fails with the first
/// error that a worker reported.
pub(super) fn in_order<T: Sync, R: Send>(
    tasks: &[T],
    jobs: usize,
    stops: &(dyn Fn() -> bool + Sync),
    work: impl Fn(&T) -> Result<R, JudgeError> + Sync,
    mut done: impl FnMut(usize, R),
) -> Result<bool, JudgeError> {
    let (next, told, over) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = unbounded();
    let mut error = None;
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (next, told, over, work) = (&next, &told, &over, &work);
            let one = move || loop {
                if over.load(Ordering::Relaxed) || stops() {
                    return;
                }
                if next.load(Ordering::Relaxed) > told.load(Ordering::Relaxed) + AHEAD {
                    thread::sleep(std::time::Duration::from_millis(5));
                    continue;
                }
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { return };
                if sender.send((index, work(task))).is_err() {
                    return;
                }
            };
            // If some workers cannot be started, the work takes longer. If none can, the result below shows that tasks
            // are missing.
            if thread::Builder::new().spawn_scoped(scope, one).is_err() {
                break;
            }
        }
        drop(sender);
        let mut early = BTreeMap::new();
        for (index, result) in &receiver {
            match result {
                Ok(result) => _ = early.insert(index, result),
                Err(failed) => {
                    over.store(true, Ordering::Relaxed);
                    error.get_or_insert(failed);
                }
            }
            while let Some(result) = early.remove(&told.load(Ordering::Relaxed)) {
                done(told.fetch_add(1, Ordering::Relaxed), result);
            }
        }
    });
    match error {
        Some(error) => Err(error),
        None => Ok(told.into_inner() == tasks.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_ready_first_everything_is_told_in_order() {
        let tasks: Vec<u64> = (0..300).collect();
        for jobs in [1, 2, 9] {
            let mut told = Vec::new();
            let slow = |task: &u64| {
                thread::sleep(std::time::Duration::from_micros(task * 7919 % 300));
                Ok(task * 2)
            };
            let all = in_order(&tasks, jobs, &|| false, slow, |index, result| told.push((index as u64, result)));
            assert!(all.unwrap());
            assert_eq!(told, tasks.iter().map(|task| (*task, task * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn it_ends_when_it_is_stopped_and_at_an_error() {
        let tasks: Vec<u64> = (0..10_000).collect();
        let count = AtomicUsize::new(0);
        let mut told = 0;
        let all = in_order(
            &tasks,
            2,
            &|| count.load(Ordering::Relaxed) > 20,
            |_| Ok(count.fetch_add(1, Ordering::Relaxed)),
            |_, _| told += 1,
        );
        assert!(!all.unwrap() && told < 100);
        let fails = |task: &u64| if *task == 5 { Err(JudgeError::Interrupted) } else { Ok(()) };
        assert!(in_order(&tasks, 3, &|| false, fails, |_, ()| ()).is_err());
    }
}
