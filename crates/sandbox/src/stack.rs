//! Limits the stack of a program, and detects stack overflows.
//!
//! A program may use nearly all of its memory as stack, as on DOMjudge and Kattis. A small reserve is left for the
//! program's code, its libraries and the kernel's page tables. Without the reserve, endless recursion would reach the
//! memory limit first, and the kernel would kill the program before the stack overflows.
//!
//! Filling a large stack takes time: about a second for 1 to 2 GiB. So endless recursion can reach the time limit
//! before it overflows the stack. It can also reach the memory limit first if the program uses much other memory.
//! [`Growth`] recognises endless recursion by a stack that is deep and still growing when the program reaches one of
//! these limits.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::Resource;

use super::cgroup::ControlGroup;
use super::machine_memory_bytes;
use super::zygote::descendants;

/// The reserve is 1/16 of the memory limit, or of the machine's memory if that is smaller, within the two bounds below.
const RESERVE_PART: u64 = 16;
const SMALLEST_RESERVE_BYTES: u64 = 4 << 20;
const LARGEST_RESERVE_BYTES: u64 = 128 << 20;

/// Minimum size of a deep stack, in bytes. If a deep stack still grows when the program reaches another limit, the
/// judge reports a stack overflow.
const DEEP_BYTES: u64 = 256 << 20;

/// The size of the largest stack frame that the judge expects, in bytes. A stack with less free space than this counts
/// as full, because the next frame may not fit.
const LARGEST_FRAME_BYTES: u64 = 1 << 20;

/// What Rust's runtime writes to standard error before it aborts a program that has overflowed its stack.
pub(super) const MESSAGE_OF_RUST: &[u8] = b" has overflowed its stack\n";

/// The interval between two reads of the size of the stack.
const TICK: Duration = Duration::from_millis(20);

/// Returns the stack limit in bytes for a memory limit of `memory_bytes`. The stack limit is also smaller than the
/// machine's memory: the GNU C library by default gives each thread a stack as large as the limit, and the kernel
/// refuses a stack that is larger than the machine's memory.
pub(super) fn limit_bytes(memory_bytes: u64) -> u64 {
    static OF_THE_MACHINE: OnceLock<u64> = OnceLock::new();
    let usable = memory_bytes.min(*OF_THE_MACHINE.get_or_init(machine_memory_bytes));
    let reserve = (usable / RESERVE_PART).clamp(SMALLEST_RESERVE_BYTES, LARGEST_RESERVE_BYTES);
    usable - reserve.min(usable / 2)
}

/// Returns the stack limit among the `resources` of a run, in bytes; `None` if there is none.
pub(super) fn limit_among(resources: &[(u32, u64)]) -> Option<u64> {
    resources.iter().find(|(resource, _)| *resource == Resource::Stack as u32).map(|&(_, bytes)| bytes)
}

/// Whether this memory peak of a program is so high that it may have filled its stack. The monitor asks this for a program
/// that ended with SIGSEGV, or with SIGABRT and [`MESSAGE_OF_RUST`].
pub(super) fn is_filled(limit_bytes: Option<u64>, peak_memory_bytes: Option<u64>) -> bool {
    // The peak can be slightly too low, because the kernel charges memory in batches.
    let filled = |limit: u64, peak: u64| peak >= limit - limit / RESERVE_PART;
    limit_bytes.zip(peak_memory_bytes).is_some_and(|(limit, peak)| filled(limit, peak))
}

/// The size of the main process's stack over time. The kernel never shrinks a stack, so the size shows the greatest
/// depth so far.
#[derive(Debug)]
pub(super) struct Growth {
    zygote: i32,
    /// The process number of the program's main process; `None` until it has been found.
    main: Option<i32>,
    sampled_at: Instant,
    /// The sizes at the last three reads in bytes, the latest first.
    sizes: [u64; 3],
}

impl Growth {
    /// Makes a record without sizes, for the program that the process `zygote` is about to start.
    pub(super) fn new(zygote: i32) -> Growth {
        Growth { zygote, main: None, sampled_at: Instant::now(), sizes: [0; 3] }
    }

    /// Reads the size of the stack if the last read is long enough ago.
    pub(super) fn sample(&mut self, group: Option<&ControlGroup>) {
        if self.sampled_at.elapsed() >= TICK {
            self.sampled_at = Instant::now();
            self.sample_now(group);
        }
    }

    fn sample_now(&mut self, group: Option<&ControlGroup>) {
        if self.main.is_none() {
            let members = group.and_then(|group| group.members().ok());
            self.main = descendants::first_child(self.zygote, members.as_deref());
        }
        let found = self.main.and_then(|main| fs::read_to_string(format!("/proc/{main}/status")).ok());
        // A process that is ending has no stack any more. In that case the earlier sizes remain.
        if let Some(size) = found.as_deref().and_then(stack_bytes) {
            self.sizes = [size, self.sizes[0], self.sizes[1]];
        }
    }

    /// Whether the stack of a running program is deep and either still grows or is full. A full stack counts, too,
    /// because the program may be busy with its own report of the overflow.
    pub(super) fn is_endless_now(&mut self, limit_bytes: Option<u64>, group: Option<&ControlGroup>) -> bool {
        self.sample_now(group);
        self.is_endless(limit_bytes)
    }

    fn is_endless(&self, limit_bytes: Option<u64>) -> bool {
        let [latest, _, first] = self.sizes;
        let is_full = limit_bytes.is_some_and(|limit| latest.saturating_add(LARGEST_FRAME_BYTES) >= limit);
        // The second size may have been read only a moment before the latest, so this compares with the third.
        latest >= DEEP_BYTES && (latest > first || is_full)
    }

    /// Whether the last read found that the stack had grown, and that it filled at least half of its limit. The monitor
    /// calls this for a program that has aborted, because Rust's runtime aborts a program that overflows its stack.
    pub(super) fn was_large(&self, limit_bytes: Option<u64>) -> bool {
        let [latest, before, _] = self.sizes;
        latest > before && limit_bytes.is_some_and(|limit| latest >= limit / 2)
    }

    /// Whether at the last read the stack was deep, had grown, and was at least half of the memory limit. The monitor
    /// calls this for a program that has ended at its memory limit.
    pub(super) fn was_endless(&self, memory_limit_bytes: u64) -> bool {
        let [latest, before, _] = self.sizes;
        latest >= DEEP_BYTES.max(memory_limit_bytes / 2) && latest > before
    }
}

/// Parses the size of the stack in bytes from `/proc/PID/status`; `None` if the process has no stack.
fn stack_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmStk:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn growth(sizes: [u64; 3]) -> Growth {
        Growth { sizes: sizes.map(|size| size * MIB), ..Growth::new(1) }
    }

    #[test]
    fn the_stack_is_the_memory_limit_less_a_reserve_in_bounds() {
        assert_eq!(limit_bytes(256 * MIB), 240 * MIB);
        assert_eq!(limit_bytes(32 * MIB), 28 * MIB, "the smallest reserve");
        assert_eq!(limit_bytes(4 * MIB), 2 * MIB, "never more than half");
        assert!(limit_bytes(u64::MAX) < machine_memory_bytes(), "a thread's stack must fit into the machine");
    }

    #[test]
    fn a_bad_address_is_an_overflow_only_with_a_full_stack() {
        assert!(is_filled(Some(240 * MIB), Some(239 * MIB)));
        assert!(!is_filled(Some(240 * MIB), Some(200 * MIB)));
        assert!(!is_filled(Some(240 * MIB), None));
    }

    #[test]
    fn only_a_deep_stack_that_grows_is_endless_at_the_memory_limit() {
        assert!(growth([300, 280, 260]).was_endless(512 * MIB));
        assert!(!growth([300, 300, 260]).was_endless(512 * MIB), "it has stopped growing");
        assert!(!growth([200, 180, 160]).was_endless(320 * MIB), "it is not deep");
        assert!(!growth([300, 280, 260]).was_endless(1024 * MIB), "most of the memory is elsewhere");
    }

    #[test]
    fn at_the_time_limit_a_deep_stack_is_endless_that_grows_or_is_full() {
        let limit = Some(512 * MIB);
        assert!(growth([300, 280, 260]).is_endless(limit));
        assert!(!growth([300, 300, 300]).is_endless(limit), "it does not grow, and is not full");
        assert!(growth([511, 511, 511]).is_endless(limit), "it is full");
        assert!(!growth([500, 500, 500]).is_endless(limit), "a large array may be most of it");
        assert!(!growth([60, 60, 60]).is_endless(Some(60 * MIB)), "it is not deep");
    }

    #[test]
    fn a_program_that_aborts_with_half_of_its_stack_in_use_has_overflowed_it() {
        assert!(growth([300, 200, 100]).was_large(Some(512 * MIB)));
        assert!(!growth([200, 100, 50]).was_large(Some(512 * MIB)));
        assert!(!growth([300, 300, 100]).was_large(Some(512 * MIB)), "it had stopped growing");
        assert!(!growth([200, 100, 50]).was_large(None));
    }

    #[test]
    fn the_size_is_read_in_kibibytes() {
        assert_eq!(stack_bytes("Name:\tVmStk:\nVmStk:\t     132 kB\nVmExe:\t 4 kB\n"), Some(132 << 10));
        assert_eq!(stack_bytes("Name:\tzombie\n"), None);
        assert_eq!(stack_bytes("VmStk:\t99999999999999999999 kB\n"), None);
    }

    #[test]
    fn the_stack_of_a_live_child_is_found() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let mut growth = Growth::new(i32::try_from(std::process::id()).unwrap());
        // The test sets the main process itself, because a search could find the child of another test.
        growth.main = i32::try_from(child.id()).ok();
        assert!(!growth.is_endless_now(Some(MIB), None));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(growth.sizes[0] > 0);
    }
}
