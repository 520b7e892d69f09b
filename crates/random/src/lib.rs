//! Random numbers that are the same on every machine and with every version of `rand`.
//!
//! Only the raw ChaCha8 stream comes from `rand`, because only that stream is guaranteed never to change. The few lines
//! here turn it into ranges, choices and shuffles. If these lines change, the version of every generator must be
//! raised.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A stream of random numbers, fixed by a seed and an index.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Creates stream number `index` under `seed`. Streams of different indices are independent, so instances can be
    /// generated in any order and in parallel.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut stream = ChaCha8Rng::from_seed(key);
        stream.set_stream(index);
        Random(stream)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number from 0 to `bound` - 1, all equally likely. A `bound` of 0 gives 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound <= 1 {
            return 0;
        }
        // Numbers from `fair` on would favour the small remainders, so they are drawn again.
        let fair = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < fair {
                return bits % bound;
            }
        }
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Returns true with probability `numerator` / `denominator`.
    pub fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }

    /// Returns one of `things`; `None` if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// Puts `things` into a random order, all orders equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_same_for_ever() {
        let mut random = Random::new(1, 0);
        let drawn = [random.below(100), random.below(100), random.below(100), random.below(100)];
        // These values are fixed: changing them changes every seed ever published.
        assert_eq!(drawn, [7, 30, 58, 94]);
    }

    #[test]
    fn neighbouring_indices_give_unrelated_streams() {
        assert_ne!(Random::new(7, 0).bits(), Random::new(7, 1).bits());
        assert_ne!(Random::new(7, 0).bits(), Random::new(8, 0).bits());
    }

    #[test]
    fn every_number_below_the_bound_comes_about_equally_often() {
        let mut random = Random::new(3, 3);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        // Ten standard deviations (91 each) around 10,000.
        assert!(seen.iter().all(|&count| (9_090..=10_910).contains(&count)), "{seen:?}");
    }

    #[test]
    fn a_shuffle_keeps_all_things() {
        let mut things: Vec<u32> = (0..50).collect();
        Random::new(5, 5).shuffle(&mut things);
        assert_ne!(things, (0..50).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..50).collect::<Vec<_>>());
    }
}
