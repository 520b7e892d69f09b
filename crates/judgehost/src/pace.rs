//! The waits between the attempts of a request, and between questions for work.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A wait that doubles with each attempt, up to a maximum, with a random part.
#[derive(Debug)]
pub(crate) struct Pace {
    next: Duration,
    most: Duration,
    /// The state of the generator of random parts.
    random: u64,
}

/// The time between two looks at whether the user asks for an end.
const SLICE: Duration = Duration::from_millis(50);

impl Pace {
    /// The waits between the attempts of a request.
    pub(crate) fn of_retries() -> Pace {
        Pace::new(Duration::from_millis(250), Duration::from_secs(30))
    }

    /// The waits between questions for work, as DOMjudge's judgehosts make them.
    pub(crate) fn of_idling() -> Pace {
        Pace::new(Duration::from_millis(100), Duration::from_secs(5))
    }

    fn new(first: Duration, most: Duration) -> Pace {
        // Judgehosts that lost their server at the same moment must not return at the same moment.
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = u64::from(std::process::id()).rotate_left(32) ^ u64::from(clock.subsec_nanos());
        Pace { next: first, most, random: seed | 1 }
    }

    /// Returns the next wait: between a half and the whole of the current one.
    pub(crate) fn next(&mut self) -> Duration {
        // xorshift64; the quality of these numbers does not matter.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let part = (self.random % 1000) as u32;
        let wait = self.next / 2 + self.next * part / 2000;
        self.next = (self.next * 2).min(self.most);
        wait
    }
}

/// Sleeps, but at most until `is_over` returns true.
pub(crate) fn sleep(wait: Duration, is_over: &dyn Fn() -> bool) {
    let end = Instant::now() + wait;
    while !is_over() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(SLICE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_maximum() {
        let mut pace = Pace::new(Duration::from_secs(1), Duration::from_secs(5));
        for whole in [1, 2, 4, 5, 5] {
            let (wait, whole) = (pace.next(), Duration::from_secs(whole));
            assert!(whole / 2 <= wait && wait <= whole, "{wait:?} {whole:?}");
        }
    }

    #[test]
    fn a_sleep_ends_when_the_user_asks_for_an_end() {
        let begun = Instant::now();
        sleep(Duration::from_secs(60), &|| true);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
}
