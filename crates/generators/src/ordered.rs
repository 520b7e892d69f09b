//! Many things done at a time, with results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, unbounded};

/// Does `work` for each number below `count`, `jobs` at a time, and hands the results to `take` in their order. After
/// an error nothing new is begun.
pub(super) fn in_order<T: Send, E>(
    jobs: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            let sender = sender.clone();
            let (next, stopped, work) = (&next, &stopped, &work);
            let body = move || {
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            };
            // With fewer workers it takes longer; without any the caller does it.
            if thread::Builder::new().spawn_scoped(scope, body).is_err() {
                break;
            }
        }
        drop(sender);
        let (awaited, taken) = hand_over(&receiver, &mut take);
        stopped.store(true, Ordering::Relaxed);
        taken?;
        // Where no thread could be made, all is still to do.
        (awaited..count).try_for_each(|index| take(index, work(index)))
    })
}

/// Hands results to `take` in the order of their numbers, until one is refused or there are no more. Returns how many
/// were handed over.
fn hand_over<T, E>(
    receiver: &Receiver<(usize, T)>,
    take: &mut impl FnMut(usize, T) -> Result<(), E>,
) -> (usize, Result<(), E>) {
    let (mut early, mut awaited) = (BTreeMap::new(), 0);
    for (index, result) in receiver {
        early.insert(index, result);
        while let Some(result) = early.remove(&awaited) {
            let taken = take(awaited, result);
            awaited += 1;
            if taken.is_err() {
                return (awaited, taken);
            }
        }
    }
    (awaited, Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_jobs() {
        for jobs in [1, 2, 7] {
            let mut seen = Vec::new();
            let work = |index: usize| {
                std::thread::yield_now();
                index * index
            };
            let done: Result<(), ()> = in_order(jobs, 50, work, |index, result| {
                seen.push((index, result));
                Ok(())
            });
            assert!(done.is_ok());
            assert_eq!(seen, (0..50).map(|index| (index, index * index)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_it() {
        let worked = AtomicUsize::new(0);
        let work = |index: usize| {
            worked.fetch_add(1, Ordering::Relaxed);
            thread::yield_now();
            index
        };
        let done = in_order(2, 1_000_000, work, |index, _| if index == 3 { Err(index) } else { Ok(()) });
        assert_eq!(done, Err(3));
        assert!(worked.load(Ordering::Relaxed) < 1_000_000, "nothing new is begun");
    }
}
