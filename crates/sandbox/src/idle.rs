//! Keeps the zygotes that are between two runs. All sandboxes of the process share one bound, because each zygote holds
//! a process and about twenty descriptors of the judge.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::instance::Slot;

/// The idle zygotes. The one that ended its run first is in front.
static IDLE: Mutex<VecDeque<(Owner, Slot)>> = Mutex::new(VecDeque::new());

/// How many zygotes may be idle.
static MOST_IDLE: AtomicUsize = AtomicUsize::new(16);

/// Sets how many helper processes may wait for their next run, in all sandboxes of this process together. If more
/// would wait, the one that has waited longest ends. The default is 16; a judge that runs `n` programs at the same
/// time needs about `2 * n`, one for the submission and one for the output validator of each job.
pub fn set_most_idle(zygotes: usize) {
    MOST_IDLE.store(zygotes, Ordering::Relaxed);
}

/// Owns idle zygotes: the identity of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(u64);

impl Owner {
    pub(super) fn new() -> Owner {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Owner(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Takes the zygote that became idle last.
    pub(super) fn take(self) -> Option<Slot> {
        let mut idle = all();
        let latest = idle.iter().rposition(|(owner, _)| *owner == self)?;
        idle.remove(latest).map(|(_, slot)| slot)
    }

    /// Keeps a zygote. Ends the one that has been idle longest, if too many are idle.
    pub(super) fn keep(self, slot: Slot) {
        let mut idle = all();
        idle.push_back((self, slot));
        let excess = idle.len().saturating_sub(MOST_IDLE.load(Ordering::Relaxed));
        let ended: Vec<_> = idle.drain(..excess).collect();
        drop(idle);
        // To end a zygote takes time, in which the other threads can use the list.
        drop(ended);
    }

    /// Ends all idle zygotes of this owner.
    pub(super) fn end(self) {
        let mut idle = all();
        let (ended, others): (VecDeque<_>, _) = idle.drain(..).partition(|(owner, _)| *owner == self);
        *idle = others;
        drop(idle);
        drop(ended);
    }
}

fn all() -> MutexGuard<'static, VecDeque<(Owner, Slot)>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
