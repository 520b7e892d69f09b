//! Which results may be the machine's doing, and how often such a run is repeated. The numbers stand here alone; they
//! do not depend on the user's settings.

use std::time::Duration;

/// Which results may be the machine's doing, and how often such a run is repeated.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// From this share of the time limit on, another run may end on its other side: caches, clocks and neighbours
    /// differ.
    pub near_time: f64,
    /// Up to this multiple of the time limit a program may run before it is ended, so that the excess is known.
    pub most_time: f64,
    /// From this share of the memory limit on, another run may end on its other side. Memory differs less than time.
    pub near_memory: f64,
    /// How often a run that exceeded the time limit by little is measured again, until it keeps the limit.
    pub second_chances: u32,
    /// The first chance before which the judge pauses. What disturbs a measurement from outside lasts, so measurements
    /// that follow each other at once are slow together.
    pub pause_from_chance: u32,
    /// The first pause. Each further pause is twice as long as the one before.
    pub first_pause: Duration,
    /// How often the pause is doubled at most.
    pub most_doublings: u32,
    /// A program that computes and sleeps alone blocks all others: all its measurements together may take this many
    /// times the time limit of wall time for each second chance. A program that only computes needs less.
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
    wall_per_chance: 2.0,
};

impl RetryPolicy {
    /// Whether a time, in seconds, is near the time limit or beyond it.
    pub fn is_near_time(&self, seconds: f64, limit: Duration) -> bool {
        seconds >= limit.as_secs_f64() * self.near_time
    }

    /// Whether a CPU time is close to the time limit, on either side, both in seconds.
    pub(crate) fn is_close(&self, seconds: f64, limit: f64) -> bool {
        (limit * self.near_time..limit * self.most_time).contains(&seconds)
    }

    /// Whether so much memory is near the memory limit or beyond it.
    pub(crate) fn is_near_memory(&self, used_bytes: u64, limit_bytes: u64) -> bool {
        used_bytes as f64 > limit_bytes as f64 * self.near_memory
    }

    /// The pause before the measurement with this number, from 1.
    pub(crate) fn pause_before(&self, chance: u32) -> Duration {
        match chance.checked_sub(self.pause_from_chance) {
            Some(doublings) => self.first_pause * 2_u32.saturating_pow(doublings.min(self.most_doublings)),
            None => Duration::ZERO,
        }
    }

    /// Whether a measurement is needed after `times`, all in seconds. Measurements near the limit are repeated until
    /// there are `most`, and those beyond it until one keeps it.
    pub(crate) fn needs_another(&self, times: &[f64], limit: f64, most: u32) -> bool {
        let (count, least) = (times.len() as u32, times.iter().copied().fold(f64::INFINITY, f64::min));
        let has_a_chance = least > limit && count <= self.second_chances;
        least >= limit * self.near_time && (count < most || has_a_chance)
    }

    /// How much wall time the repeated measurements of one program may take, in seconds.
    pub(crate) fn most_wall(&self, limit: f64, most: u32) -> f64 {
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
