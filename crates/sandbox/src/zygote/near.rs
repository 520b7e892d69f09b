//! Keeps a zygote on the core of the judge's thread that waits for its runs.
//!
//! The two wake each other, and hardly ever work at the same time. If they are on one core, no sleeping core has to wake
//! up. That takes a tenth off a small run where all cores are busy with programs. But if a core is idle, the kernel moves
//! each thread that wakes up to it. The zygote would then have to move in each run. So zygotes stop following a thread
//! that moves too often, for a while ([`Follower`]). Programs can use all cores in any case.

use std::cell::RefCell;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// A thread has a balance: a run before which it has moved adds this number, and each other run subtracts 1. So the
/// balance grows if the thread moves before more than a fifth of its runs.
const MOVE: u32 = 4;

/// Zygotes do not follow for a while when the balance is larger than this.
const MOST: u32 = 4 * MOVE;

/// The number of runs of the first pause. Each further one is four times as long, up to the maximum.
const FIRST_PAUSE: u32 = 16;
const LONGEST_PAUSE: u32 = 4096;

/// After this many runs without a pause, the next pause is as long as the first.
const LONG: u32 = 64;

thread_local! {
    static FOLLOWER: RefCell<Follower> = const { RefCell::new(Follower::new()) };
}

/// Returns the core to which a zygote moves for a run that the calling thread begins now; `None` if the kernel chooses.
pub(in super::super) fn core_of_next_run() -> Option<usize> {
    FOLLOWER.with_borrow_mut(|follower| follower.next(rustix::thread::sched_getcpu()))
}

/// The judge's side: decides whether zygotes follow a thread. The runs of all zygotes count, because the thread may
/// move between the run of a submission and that of a validator.
#[derive(Debug)]
struct Follower {
    /// The core on which the thread began the last run.
    core: usize,
    /// See [`MOVE`].
    balance: u32,
    /// The number of runs since the last pause.
    followed: u32,
    /// The number of runs for which zygotes do not follow.
    paused: u32,
    /// The length of the next pause.
    next_pause: u32,
}

impl Follower {
    const fn new() -> Follower {
        Follower { core: usize::MAX, balance: 0, followed: 0, paused: 0, next_pause: FIRST_PAUSE }
    }

    /// Returns the core to which a zygote moves for a run that begins on `core`; `None` if the kernel chooses.
    fn next(&mut self, core: usize) -> Option<usize> {
        let moves = std::mem::replace(&mut self.core, core) != core;
        if self.paused > 0 {
            self.paused -= 1;
            return None;
        }
        self.followed = self.followed.saturating_add(1);
        self.balance = if moves { self.balance + MOVE } else { self.balance.saturating_sub(1) };
        if self.balance <= MOST {
            return Some(core);
        }
        let pause = if self.followed < LONG { self.next_pause } else { FIRST_PAUSE };
        *self = Follower { core, balance: 0, followed: 0, paused: pause, next_pause: (pause * 4).min(LONGEST_PAUSE) };
        None
    }
}

/// The zygote's side: moves the zygote, and remembers the cores that its programs may use.
#[derive(Debug)]
pub(super) struct Cores {
    /// The cores that the zygote had at first; `None` if that is one core, or if the zygote cannot choose.
    all: Option<CpuSet>,
    /// The core on which it stays; `None` if it may use all.
    at: Option<usize>,
}

impl Cores {
    /// Returns the cores of the calling zygote. If `keeps_cores`, the filter refuses every choice.
    pub(super) fn new(keeps_cores: bool) -> Cores {
        let all = sched_getaffinity(None).ok().filter(|all| !keeps_cores && all.count() > 1);
        Cores { all, at: None }
    }

    /// Moves the zygote to a core, or gives it all of them if `core` is `None` or a core that it never had.
    pub(super) fn move_to(&mut self, core: Option<usize>) {
        let Some(all) = self.all else { return };
        let core = core.filter(|&core| core < CpuSet::MAX_CPU && all.is_set(core));
        if core == self.at {
            return;
        }
        let chosen = core.map_or(all, |core| {
            let mut one = CpuSet::new();
            one.set(core);
            one
        });
        match sched_setaffinity(None, &chosen) {
            Ok(()) => self.at = core,
            // The core was switched off, for example.
            Err(_) if self.at.is_none() => self.all = None,
            Err(_) => {}
        }
    }

    /// Returns the cores that a program gets before its exec; `None` if it inherits them.
    pub(super) fn of_programs(&self) -> Option<CpuSet> {
        self.all.filter(|_| self.at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zygotes_follow_a_thread_that_rarely_changes_its_core() {
        let mut follower = Follower::new();
        assert!((0..500).all(|run| follower.next(run / 5) == Some(run / 5)));
    }

    #[test]
    fn zygotes_follow_ever_less_if_the_thread_changes_its_core_in_each_run() {
        let mut follower = Follower::new();
        let follows: Vec<_> = (0..9000).map(|run| follower.next(run % 2).is_some()).collect();
        let pauses: Vec<_> = follows.split(|follows| *follows).map(<[_]>::len).filter(|&runs| runs > 0).collect();
        assert_eq!(pauses[..5], [17, 65, 257, 1025, 4097], "the run that begins a pause, and the pause");
        assert!(follows.iter().filter(|follows| **follows).count() < 30);
    }

    #[test]
    fn after_a_long_time_on_one_core_the_next_pause_is_short() {
        let mut follower = Follower::new();
        let mut pauses =
            |runs: usize, core: fn(usize) -> usize| (0..runs).filter(|run| follower.next(core(*run)).is_none()).count();
        assert_eq!(pauses(300, |run| run % 2), 17 + 65 + 206);
        assert_eq!(pauses(51 + 64, |_| 7), 51, "the third pause ends");
        assert_eq!(pauses(4 + 17, |run| run % 2), 17);
    }

    #[test]
    fn a_zygote_moves_only_to_cores_that_it_had() {
        // The cores of other threads do not change.
        std::thread::spawn(|| {
            let all = sched_getaffinity(None).unwrap();
            let mut cores = Cores::new(false);
            if all.count() < 2 {
                assert!(cores.all.is_none());
                return;
            }
            let last = (0..CpuSet::MAX_CPU).rfind(|&core| all.is_set(core)).unwrap();
            for unknown in [last + 1, CpuSet::MAX_CPU, usize::MAX] {
                cores.move_to(Some(unknown));
                assert!(sched_getaffinity(None).unwrap() == all && cores.of_programs().is_none());
            }
            cores.move_to(Some(last));
            let own = sched_getaffinity(None).unwrap();
            assert!(own.count() == 1 && own.is_set(last));
            assert!(cores.of_programs() == Some(all), "programs get all cores");
            cores.move_to(None);
            assert!(sched_getaffinity(None).unwrap() == all && cores.of_programs().is_none());
        })
        .join()
        .unwrap();
    }
}
