//! Defines which results may be caused by the machine, and how often a run with such a result is repeated. All
//! numbers of this policy are in this module. They do not depend on the user's settings.

use std::time::Duration;

/// Defines which results may be caused by the machine, and how often a run with such a result is repeated.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// A run is near the time limit if it uses at least this fraction of the limit. Another run may then exceed the
    /// limit, because caches, clocks and other processes differ.
    pub near_time: f64,
    /// The judge ends a program whose CPU time reaches this multiple of the time limit. The multiple is above 1, so
    /// that the judge learns by how much a program exceeds the limit.
    pub most_time: f64,
    /// A run is near the memory limit if it uses more than this fraction of the limit. Another run may then exceed the
    /// limit. The fraction is larger than `near_time`, because memory varies less than time.
    pub near_memory: f64,
    /// Maximum number of further measurements of a run that exceeded the time limit slightly. Unless the settings
    /// request more measurements, the judge stops after the first measurement within the limit.
    pub second_chances: u32,
    /// The number of the first further measurement before which the judge pauses; it also pauses before all later ones.
    /// Further measurements have the numbers 1, 2 and so on. Other processes often disturb the machine for a while;
    /// without pauses, they could slow down all measurements.
    pub pause_from_chance: u32,
    /// The first pause. Each further pause is twice as long as the one before.
    pub first_pause: Duration,
    /// Maximum number of times that the pause is doubled.
    pub most_doublings: u32,
    /// A repeated run counts only if it uses at least this fraction of the first run's CPU time. If it uses less, the
    /// program did something else than in the first run: other processes do not make so much of a difference.
    pub least_part: f64,
    /// Limits the total wall time of the further measurements of a run: once they have taken this long, no other
    /// measurement begins. The limit is the time limit, times this factor, times a number of measurements:
    /// `second_chances` or the number that the settings request, whichever is larger. Only programs that sleep reach
    /// the limit. They must not be measured for long, because no other program runs during a measurement.
    pub wall_per_chance: f64,
}

/// The policy of the judge.
pub const RETRY_POLICY: RetryPolicy = RetryPolicy {
    near_time: 0.8,
    most_time: 1.25,
    near_memory: 0.95,
    second_chances: 6,
    pause_from_chance: 3,
    first_pause: Duration::from_millis(200),
    most_doublings: 3,
    least_part: 0.5,
    wall_per_chance: 2.0,
};

impl RetryPolicy {
    /// Whether a time in seconds is near the time limit or above it.
    pub fn is_near_time(&self, seconds: f64, limit: Duration) -> bool {
        seconds >= limit.as_secs_f64() * self.near_time
    }

    /// Whether a CPU time is close to the time limit, below or above. Both are in seconds.
    pub(crate) fn is_close(&self, seconds: f64, limit: f64) -> bool {
        (limit * self.near_time..limit * self.most_time).contains(&seconds)
    }

    /// Whether the used memory is near the memory limit or above it.
    pub(crate) fn is_near_memory(&self, used_bytes: u64, limit_bytes: u64) -> bool {
        used_bytes as f64 > limit_bytes as f64 * self.near_memory
    }

    /// Returns the pause before the further measurement with the number `chance`. The first one has the number 1.
    pub(crate) fn pause_before(&self, chance: u32) -> Duration {
        match chance.checked_sub(self.pause_from_chance) {
            Some(doublings) => self.first_pause * 2_u32.saturating_pow(doublings.min(self.most_doublings)),
            None => Duration::ZERO,
        }
    }

    /// Whether a run needs another measurement after those in `times`. `times` and `limit` are in seconds. If the
    /// smallest time is near the limit or above it, the run needs `most` measurements in total. If the smallest time is
    /// above the limit, the run also needs at least [`RetryPolicy::second_chances`] measurements after the first.
    pub(crate) fn needs_another(&self, times: &[f64], limit: f64, most: u32) -> bool {
        let (count, least) = (times.len() as u32, times.iter().copied().fold(f64::INFINITY, f64::min));
        let has_a_chance = least > limit && count <= self.second_chances;
        least >= limit * self.near_time && (count < most || has_a_chance)
    }

    /// Returns the total wall time, in seconds, after which no further measurement of a run begins. A measurement that
    /// has begun before then may end later. `limit` is in seconds, and `most` is the number of measurements that the
    /// settings request.
    pub(crate) fn max_wall_seconds(&self, limit: f64, most: u32) -> f64 {
        limit * self.wall_per_chance * f64::from(most.max(self.second_chances))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_is_what_lies_near_the_limit_on_either_side() {
        for (seconds, close) in [(0.1, false), (1.59, false), (1.6, true), (2.0, true), (2.49, true), (2.5, false)] {
            assert_eq!(RETRY_POLICY.is_close(seconds, 2.0), close, "{seconds}");
        }
    }

    #[test]
    fn the_first_chances_come_at_once_and_pauses_double_up_to_a_bound() {
        let pauses = [1, 2, 3, 4, 5, 6, 7, 99].map(|chance| RETRY_POLICY.pause_before(chance).as_millis());
        assert_eq!(pauses, [0, 0, 200, 400, 800, 1600, 1600, 1600]);
    }
}
