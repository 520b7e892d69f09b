//! Limits how long the judge waits for its helpers and for the kernel.
//!
//! If the machine is suspended, or does not schedule the judge, a plain timeout would expire although no helper had
//! time to work. So at most [`SLICE`] counts between two checks, however much time has passed.

use std::time::{Duration, Instant};

/// Maximum time that one check subtracts from a [`Deadline`], even if more time has passed since the previous check.
pub(super) const SLICE: Duration = Duration::from_secs(1);

/// The time that is left before a wait ends.
#[derive(Debug)]
pub(super) struct Deadline {
    left: Duration,
    checked_at: Instant,
}

impl Deadline {
    pub(super) fn new(timeout: Duration) -> Self {
        Deadline { left: timeout, checked_at: Instant::now() }
    }

    /// Checks the clock. Returns whether no time is left.
    pub(super) fn has_passed(&mut self) -> bool {
        self.check_at(Instant::now());
        self.left.is_zero()
    }

    fn check_at(&mut self, now: Instant) {
        self.left = self.left.saturating_sub((now - self.checked_at).min(SLICE));
        self.checked_at = now;
    }

    /// The time to wait until the next check.
    pub(super) fn slice(&self) -> Duration {
        self.left.min(SLICE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes_after_its_time() {
        let mut deadline = Deadline::new(Duration::from_millis(20));
        let began = Instant::now();
        while !deadline.has_passed() {
            std::thread::sleep(deadline.slice());
        }
        assert!(began.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn time_in_which_the_judge_was_not_scheduled_hardly_counts() {
        let mut deadline = Deadline::new(10 * SLICE);
        let began = deadline.checked_at;
        deadline.check_at(began + Duration::from_secs(3600));
        assert_eq!(deadline.left, 9 * SLICE);
        deadline.check_at(began + Duration::from_millis(3_600_250));
        assert_eq!(deadline.left, 8 * SLICE + Duration::from_millis(750));
    }
}
