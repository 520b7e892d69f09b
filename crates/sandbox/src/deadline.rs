//! Limits how long the judge waits for its helpers and for the kernel. A wait always ends, but not by the clock alone.
//!
//! If the machine stands still for a while, or does not run the judge, all waits would time out at once, although no
//! process had time to do anything. So the number of times that the judge has looked counts, too.

use std::time::{Duration, Instant};

/// So much of a wait counts at most between two looks.
pub(super) const SLICE: Duration = Duration::from_secs(1);

/// The rest of a wait.
#[derive(Debug)]
pub(super) struct Deadline {
    left: Duration,
    looked: Instant,
}

impl Deadline {
    pub(super) fn new(most: Duration) -> Self {
        Deadline { left: most, looked: Instant::now() }
    }

    /// Looks at the clock: whether it has run out.
    pub(super) fn has_passed(&mut self) -> bool {
        self.looks_at(Instant::now());
        self.left.is_zero()
    }

    fn looks_at(&mut self, now: Instant) {
        self.left = self.left.saturating_sub((now - self.looked).min(SLICE));
        self.looked = now;
    }

    /// How long to wait until the next look.
    pub(super) fn slice(&self) -> Duration {
        self.left.min(SLICE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_runs_out_when_it_has_been_waited_for() {
        let mut deadline = Deadline::new(Duration::from_millis(20));
        let began = Instant::now();
        while !deadline.has_passed() {
            std::thread::sleep(deadline.slice());
        }
        assert!(began.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_judge_that_was_not_let_run_has_not_waited_for_so_long() {
        let mut deadline = Deadline::new(10 * SLICE);
        let began = deadline.looked;
        deadline.looks_at(began + Duration::from_secs(3600));
        assert_eq!(deadline.left, 9 * SLICE);
        deadline.looks_at(began + Duration::from_millis(3_600_250));
        assert_eq!(deadline.left, 8 * SLICE + Duration::from_millis(750));
    }
}
