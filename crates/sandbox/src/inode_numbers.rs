//! Prevents a run from sending a message to a later run through the numbers that the kernel gives to pipes and memory.
//!
//! The kernel numbers the pipes of the whole machine. With the same numbers it counts sockets and the files of `/proc`.
//! Another counter numbers the files in memory, and shared anonymous memory. Every program can read the number of its
//! own pipe or memory. On each core, a new object gets the next number of a range; when the range is used up, the core
//! takes the next free range. So one run could send a number to a later run: it makes that many objects, and the later
//! run reads how far the numbers have moved.

use std::os::fd::AsFd;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

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

/// The least CPU time in which a program can use up a range. Pipes, sockets and files in memory took
/// 4.7 ms on an idle core.
const FASTEST_RANGE: Duration = Duration::from_micros(500);

/// The kernel's counters.
#[derive(Clone, Copy)]
enum Counter {
    Pipes,
    Memory,
}

/// The numbers that the kernel's counters had at one time.
#[derive(Clone, Copy, Debug)]
pub struct InodeNumbers {
    pipes: Option<Seen>,
    memory: Option<Seen>,
}

/// The number of a counter at one time.
#[derive(Clone, Copy, Debug)]
struct Seen {
    number: u32,
    /// How many objects this judge had made, in all threads.
    made: u32,
}

impl InodeNumbers {
    /// Reads the counters before a run. Took 7 ms (median of 40) on two cores beside a compilation.
    #[must_use]
    pub fn now() -> InodeNumbers {
        // A number is compared with later numbers on the same core.
        on_cores(&first_core(), || InodeNumbers { pipes: Counter::Pipes.seen(), memory: Counter::Memory.seen() })
    }

    /// Moves the counters by random distances after a run, so that a later run cannot read how far this run has moved
    /// them. `self` was read before this run, which used the CPU time `cpu`.
    ///
    /// The distances are spread over twice the distance that the run can have moved a counter. So this call takes about
    /// as long as the run itself if the run made as many objects as it could. After a run that made none, it took 70 ms
    /// (median of 40) on two cores beside a compilation.
    pub fn blur(self, cpu: Duration) {
        on_cores(&first_core(), || {
            Counter::Pipes.blur_ranges(self.pipes, cpu);
            Counter::Memory.blur_ranges(self.memory, cpu);
        });
        on_cores(&all_cores(), || {
            Counter::Pipes.make(random_below(RANGE));
            Counter::Memory.make(random_below(RANGE));
        });
    }
}

impl Seen {
    /// Returns how many ranges the programs of the machine have used since `self`, as seen `now`, and at most as many as
    /// one of them can use in the CPU time `cpu`. The objects that this judge made do not count: otherwise each blur of
    /// one job would make those of the others larger. The CPU time limits what the blurs of other judges do.
    fn ranges_until(self, now: Seen, cpu: Duration) -> u32 {
        let moved = now.number.wrapping_sub(self.number) / RANGE;
        let of_judge = now.made.wrapping_sub(self.made) / RANGE;
        let possible = u32::try_from(cpu.as_nanos() / FASTEST_RANGE.as_nanos()).unwrap_or(u32::MAX);
        moved.saturating_sub(of_judge).min(possible)
    }
}

impl Counter {
    /// How many objects this judge has made.
    fn made(self) -> &'static AtomicU32 {
        static PIPES: AtomicU32 = AtomicU32::new(0);
        static MEMORY: AtomicU32 = AtomicU32::new(0);
        match self {
            Counter::Pipes => &PIPES,
            Counter::Memory => &MEMORY,
        }
    }

    /// Makes an object, and returns the lower 32 bits of its number. `None` if the kernel makes none.
    fn next(self) -> Option<u32> {
        self.made().fetch_add(1, Ordering::Relaxed);
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

    /// Makes this many objects. Stops if the user interrupts the judge.
    fn make(self, count: u32) {
        for made in 0..count {
            if made % RANGE == 0 && super::interrupt::happened() {
                return;
            }
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

    /// Returns the first number of the next free range, as [`Counter::next_range`] does, and how many objects this judge
    /// has made.
    fn seen(self) -> Option<Seen> {
        let number = self.next_range()?;
        Some(Seen { number, made: self.made().load(Ordering::Relaxed) })
    }

    /// Moves this counter by a random number of ranges, after a run that began at `before` and used the CPU time `cpu`.
    fn blur_ranges(self, before: Option<Seen>, cpu: Duration) {
        let moved = before.zip(self.seen()).map_or(0, |(before, now)| before.ranges_until(now, cpu));
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
            InodeNumbers::now().blur(Duration::ZERO);
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
                    let before = counter.seen();
                    counter.make(ranges * RANGE);
                    // As if a program had made these objects.
                    counter.made().fetch_sub(ranges * RANGE, Ordering::Relaxed);
                    let after = counter.next_range().unwrap();
                    counter.blur_ranges(before, Duration::from_secs(1));
                    counter.next_range().unwrap().wrapping_sub(after) / RANGE
                })
                .max();
            // Six random numbers below 48 are all below 10 only once in 10,000 times.
            assert!(largest > Some(2 * MIN_RANGES + 1), "{largest:?}");
        }
    }

    #[test]
    fn what_the_judge_made_does_not_count_and_a_run_cannot_have_used_more_than_its_time_allows() {
        let seen = |ranges: u32, of_judge: u32| Seen { number: ranges * RANGE, made: of_judge * RANGE };
        let (second, begin) = (Duration::from_secs(1), seen(10, 5));
        assert_eq!(begin.ranges_until(seen(50, 5), second), 40);
        assert_eq!(begin.ranges_until(seen(50, 35), second), 10);
        assert_eq!(begin.ranges_until(seen(50, 60), second), 0, "other threads have made objects since");
        assert_eq!(begin.ranges_until(seen(50, 5), Duration::from_micros(3700)), 7);
        // Both numbers wrap around.
        let end = Seen { number: u32::MAX - RANGE + 1, made: u32::MAX - RANGE + 1 };
        assert_eq!(end.ranges_until(seen(9, 2), second), 7);
    }
}
