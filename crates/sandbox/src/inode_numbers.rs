//! Prevents a run from sending a message to a later run through the numbers that the kernel gives to pipes.
//!
//! The kernel numbers the pipes of the whole machine, and every program can read the number of its own pipe. On each
//! core, a new pipe gets the next number of a range; when the range is used up, the core takes the next free range. So
//! one run could send a number to a later run: it makes that many pipes, and the later run reads how far the numbers
//! have moved.

use std::sync::Mutex;

use rustix::pipe::PipeFlags;

/// The number of pipes in the range of a core. See `LAST_INO_BATCH` in the kernel's fs/inode.c.
const RANGE: u64 = 1024;

/// The last step of [`blur_inode_numbers`] uses up a random number of ranges, which is smaller than this constant.
const MOST_RANGES: u64 = 16;

/// Advances the numbers of new pipes by a random distance, on every core that the caller may use. After that, a run
/// could send a number to a later run only by making about ten thousand pipes for each unit of the number. One call
/// takes about 10 ms, and 1 ms more for each core.
pub fn blur_inode_numbers() {
    // Two callers at the same time would only slow each other down.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Ok(cores) = rustix::thread::sched_getaffinity(None) else { return };
    let _guard = ONE_AT_A_TIME.lock();
    for core in (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| cores.is_set(core)) {
        let mut only = rustix::thread::CpuSet::new();
        only.set(core);
        if rustix::thread::sched_setaffinity(None, &only).is_ok() {
            make_pipes(random_below(RANGE));
        }
    }
    make_pipes(random_below(MOST_RANGES) * RANGE);
    let _ = rustix::thread::sched_setaffinity(None, &cores);
}

fn make_pipes(count: u64) {
    (0..count).for_each(|_| drop(rustix::pipe::pipe_with(PipeFlags::CLOEXEC)));
}

/// Returns a random number below `end`; 0 if the kernel has no random numbers yet.
fn random_below(end: u64) -> u64 {
    let mut bytes = [0; 8];
    let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::NONBLOCK);
    filled.map_or(0, |_| u64::from_ne_bytes(bytes) % end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number_of_a_new_pipe() -> u64 {
        let (end, _) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC).unwrap();
        rustix::fs::fstat(&end).unwrap().st_ino
    }

    #[test]
    fn the_numbers_of_pipes_move_by_distances_that_nobody_knows() {
        let distances: std::collections::BTreeSet<_> = (0..20)
            .map(|_| {
                let before = number_of_a_new_pipe();
                blur_inode_numbers();
                number_of_a_new_pipe().wrapping_sub(before) % RANGE
            })
            .collect();
        assert!(distances.len() >= 15, "{distances:?}");
    }
}
