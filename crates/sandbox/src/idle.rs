//! Keeps the zygotes that are between two runs. All sandboxes of the process share one bound, because each zygote holds
//! a process and about 17 descriptors of the judge.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::instance::Slot;

/// The zygotes of all sandboxes that are idle.
static IDLE: Mutex<Pool<Slot>> = Mutex::new(Pool { members: VecDeque::new(), most: 16 });

/// Sets how many helper processes may wait for their next run, in all sandboxes of this process together. If one more
/// would wait, the sandbox ends the one that has waited longest. The default is 16. A judge that runs `n` programs at
/// the same time needs about `2 * n`: one for the submission and one for the output validator of each job.
pub fn set_most_idle(zygotes: usize) {
    lock().most = zygotes;
}

/// Identifies the sandbox to which an idle zygote belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(u64);

impl Owner {
    pub(super) fn new() -> Owner {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Owner(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Takes the zygote that became idle last; `None` if no zygote of this sandbox is idle.
    pub(super) fn take(self) -> Option<Slot> {
        lock().take(self)
    }

    /// Keeps a zygote for the next run. Ends the one that has been idle longest if too many are idle.
    pub(super) fn keep(self, slot: Slot) {
        let excess = lock().add(self, slot);
        // The list is not locked here, because ending a zygote takes time.
        drop(excess);
    }

    /// Ends all idle zygotes of this sandbox.
    pub(super) fn end(self) {
        let ended = lock().remove(self);
        drop(ended);
    }
}

fn lock() -> MutexGuard<'static, Pool<Slot>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bounded list of values that owners have put aside.
struct Pool<T> {
    /// The value that was added first is in front.
    members: VecDeque<(Owner, T)>,
    most: usize,
}

impl<T> Pool<T> {
    /// Takes the owner's value that was added last.
    fn take(&mut self, owner: Owner) -> Option<T> {
        let latest = self.members.iter().rposition(|(other, _)| *other == owner)?;
        self.members.remove(latest).map(|(_, value)| value)
    }

    /// Adds a value. Returns the oldest values that exceed the bound.
    fn add(&mut self, owner: Owner, value: T) -> Vec<T> {
        self.members.push_back((owner, value));
        let excess = self.members.len().saturating_sub(self.most);
        self.members.drain(..excess).map(|(_, value)| value).collect()
    }

    /// Removes all values of the owner, and returns them.
    fn remove(&mut self, owner: Owner) -> Vec<T> {
        let all = std::mem::take(&mut self.members);
        let (removed, others): (Vec<_>, _) = all.into_iter().partition(|(other, _)| *other == owner);
        self.members = others.into();
        removed.into_iter().map(|(_, value)| value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_takes_its_own_values_and_the_oldest_values_exceed_the_bound() {
        let (first, second) = (Owner::new(), Owner::new());
        let mut pool = Pool { members: VecDeque::new(), most: 3 };
        assert!(pool.add(first, 'a').is_empty() && pool.add(second, 'b').is_empty() && pool.add(first, 'c').is_empty());
        assert_eq!(pool.take(first), Some('c'), "the latest");
        assert!(pool.add(second, 'd').is_empty());
        assert_eq!(pool.add(second, 'e'), ['a'], "the oldest, although another owner added a value");
        assert_eq!(pool.take(first), None);
        pool.most = 1;
        assert_eq!(pool.add(first, 'f'), ['b', 'd', 'e']);
        pool.most = 0;
        assert_eq!(pool.add(second, 'g'), ['f', 'g'], "with a bound of 0, the pool keeps no value");
    }

    #[test]
    fn an_owner_removes_all_its_values_and_no_other_ones() {
        let (first, second) = (Owner::new(), Owner::new());
        let mut pool = Pool { members: VecDeque::new(), most: 3 };
        for (owner, value) in [(first, 'a'), (second, 'b'), (first, 'c')] {
            pool.add(owner, value);
        }
        assert_eq!(pool.remove(first), ['a', 'c']);
        assert_eq!((pool.take(first), pool.take(second)), (None, Some('b')));
    }
}
