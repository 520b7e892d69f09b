//! Prevents a run from sending a message to a later run through the numbers that the kernel gives to pipes and memory.
//!
//! The kernel numbers the pipes of the whole machine. With the same numbers it counts sockets and the files of `/proc`.
//! Another counter numbers the files in memory, and shared anonymous memory. Every program can read the number of its
//! own pipe or memory. On each core, a new object gets the next number of a range; when the range is used up, the core
//! takes the next free range. So one run could send a number to a later run: it makes that many objects, and the later
//! run reads how far the numbers have moved.

use std::os::fd::AsFd;
use std::sync::Mutex;

use rustix::fs::MemfdFlags;
use rustix::pipe::PipeFlags;
use rustix::thread::CpuSet;

/// The size of the range of a core. See `LAST_INO_BATCH` in the kernel's fs/inode.c, and `SHMEM_INO_BATCH` in
/// mm/shmem.c.
const RANGE: u32 = 1024;

/// Even if a run has taken no range, the distance to the next run is a random number of ranges below twice this number.
const MIN_RANGES: u32 = 4;

/// Maximum number of ranges of a run that count. A run that takes more has used about 10 s of CPU time for them.
const MAX_RANGES: u32 = 1 << 12;

/// The kernel's counters.
#[derive(Clone, Copy)]
enum Counter {
    Pipes,
    Memory,
}

/// The numbers that the kernel's counters had at one time.
#[derive(Clone, Copy, Debug)]
pub struct InodeNumbers {
    pipes: Option<u32>,
    memory: Option<u32>,
}

impl InodeNumbers {
    /// Reads the counters before a run. Took 7 ms (median of 40) on two cores beside a compilation.
    #[must_use]
    pub fn now() -> InodeNumbers {
        // A number is compared with later numbers on the same core.
        on_cores(&first_core(), || InodeNumbers {
            pipes: Counter::Pipes.next_range(),
            memory: Counter::Memory.next_range(),
        })
    }

    /// Moves the counters by random distances after a run, so that a later run cannot read how far this run has moved
    /// them. `self` was read before this run.
    ///
    /// The distances are spread over twice the distance that the run has moved a counter. So this call takes about as
    /// long as the run itself if the run made as many objects as it could. After a run that made none, it took 70 ms
    /// (median of 40) on two cores beside a compilation.
    pub fn blur(self) {
        on_cores(&first_core(), || {
            Counter::Pipes.blur_ranges(self.pipes);
            Counter::Memory.blur_ranges(self.memory);
        });
        on_cores(&all_cores(), || {
            Counter::Pipes.make(random_below(RANGE));
            Counter::Memory.make(random_below(RANGE));
        });
    }
}

impl Counter {
    /// Makes an object, and returns the lower 32 bits of its number. `None` if the kernel makes none.
    fn next(self) -> Option<u32> {
        let number = match self {
            Counter::Pipes => number_of(&rustix::pipe::pipe_with(PipeFlags::CLOEXEC).ok()?.0)?,
            Counter::Memory => number_of(&rustix::fs::memfd_create("", MemfdFlags::CLOEXEC).ok()?)?,
        };
        // The first number of a range is 1 for pipes, and 0 for memory.
        Some(match self {
            Counter::Pipes => number.wrapping_sub(1),
            Counter::Memory => number,
        })
    }

    fn make(self, count: u32) {
        for _ in 0..count {
            self.next();
        }
    }

    /// Uses up the range of this core. Returns the first number of the next free range; `None` if the kernel makes no
    /// objects, or has no ranges.
    fn next_range(self) -> Option<u32> {
        let old = self.next()? / RANGE;
        (0..RANGE)
            .find_map(|_| self.next().map(|number| number / RANGE).filter(|&range| range != old))
            .map(|new| new * RANGE)
    }

    /// Moves this counter by a random number of ranges, after a run that began at `before`.
    fn blur_ranges(self, before: Option<u32>) {
        let moved = before.zip(self.next_range()).map_or(0, |(before, now)| now.wrapping_sub(before) / RANGE);
        self.make(random_below(2 * moved.clamp(MIN_RANGES, MAX_RANGES)) * RANGE);
    }
}

/// Returns the cores that the caller may use; none if the kernel does not say.
fn all_cores() -> Vec<usize> {
    let cores = rustix::thread::sched_getaffinity(None);
    (0..CpuSet::MAX_CPU).filter(|&core| cores.is_ok_and(|cores| cores.is_set(core))).collect()
}

fn first_core() -> Vec<usize> {
    all_cores().into_iter().take(1).collect()
}

/// Runs `action` on each of these cores. Returns the last result. If the caller cannot choose the core, runs it once.
fn on_cores<T>(chosen: &[usize], action: impl Fn() -> T) -> T {
    // Two callers at the same time would only slow each other down.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let before = rustix::thread::sched_getaffinity(None);
    let on = |&core: &usize| {
        let mut only = CpuSet::new();
        only.set(core);
        rustix::thread::sched_setaffinity(None, &only).ok().map(|()| action())
    };
    let result = chosen.iter().filter_map(on).last();
    if let Ok(cores) = before {
        let _ = rustix::thread::sched_setaffinity(None, &cores);
    }
    result.unwrap_or_else(action)
}

fn number_of(file: impl AsFd) -> Option<u32> {
    rustix::fs::fstat(file).ok().map(|found| found.st_ino as u32)
}

/// Returns a random number below `end`; 0 if the kernel has no random numbers yet.
fn random_below(end: u32) -> u32 {
    let mut bytes = [0; 8];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::NONBLOCK);
    filled.map_or(0, |_| (u64::from_ne_bytes(bytes) % u64::from(end)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_move_by_distances_that_nobody_knows() {
        let (mut pipes, mut memory) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        for _ in 0..15 {
            let before = (Counter::Pipes.next().unwrap(), Counter::Memory.next().unwrap());
            InodeNumbers::now().blur();
            pipes.insert(Counter::Pipes.next().unwrap().wrapping_sub(before.0) % RANGE);
            memory.insert(Counter::Memory.next().unwrap().wrapping_sub(before.1) % RANGE);
        }
        assert!(pipes.len() >= 12 && memory.len() >= 12, "{pipes:?} {memory:?}");
    }

    #[test]
    fn a_run_that_moves_a_counter_far_is_followed_by_a_larger_distance() {
        for counter in [Counter::Pipes, Counter::Memory] {
            let ranges: u32 = 24;
            let largest = (0..6)
                .map(|_| {
                    let before = counter.next_range();
                    counter.make(ranges * RANGE);
                    let after = counter.next_range().unwrap();
                    counter.blur_ranges(before);
                    counter.next_range().unwrap().wrapping_sub(after) / RANGE
                })
                .max();
            // Six random numbers below 48 are all below 10 only once in 10,000 times.
            assert!(largest > Some(2 * MIN_RANGES + 1), "{largest:?}");
        }
    }
}
