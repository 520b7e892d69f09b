//! Decides when the relay checks whether both sides wait for each other. In this module, a side waits for good if only
//! the other side can wake it up.

use std::time::{Duration, Instant};

/// The time without an event after which the relay checks whether both sides wait for each other.
const SILENCE: Duration = Duration::from_millis(100);

/// The longest interval between two checks whether both sides wait for each other. The interval doubles after each
/// check that finds that at least one side does not wait for good.
const LONGEST_SILENCE: Duration = Duration::from_secs(1);

/// The period since the last event, and the result of the last check in this period.
pub(super) struct Silence {
    since: Instant,
    /// The time from `since` to the next check.
    next: Duration,
    /// The CPU times of both sides at the last check; `None` if one of them did not wait for good.
    used: Option<(Duration, Duration)>,
}

impl Silence {
    pub(super) fn new() -> Silence {
        Silence { since: Instant::now(), next: SILENCE, used: None }
    }

    pub(super) fn is_due(&self) -> bool {
        self.since.elapsed() >= self.next
    }

    /// Adds the result of a check. Returns whether both sides have waited since the previous check.
    pub(super) fn add_check(&mut self, used: Option<(Duration, Duration)>) -> bool {
        let is_certain = used.is_some() && used == self.used;
        // If both sides wait for good, the next check follows soon. Otherwise the interval doubles, up to the longest.
        let pause = if used.is_some() { SILENCE / 2 } else { self.next.min(LONGEST_SILENCE) };
        self.next = self.since.elapsed() + pause;
        self.used = used;
        is_certain
    }
}
