//! How much a fingerprint counts: the less, the more programs have it.

use std::collections::HashMap;

/// Fingerprints count fully if at most this number of programs has them. Copies are often handed around among a few.
const FULL: usize = 3;

/// A fingerprint is common code, and does not count, if a larger share of the programs has it.
const COMMON_SHARE: f64 = 0.6;

/// The least number of programs of which a share can be common. A few programs with the same code say little about what
/// is common.
const LEAST_PROGRAMS: usize = 10;

/// The weights of the fingerprints of a family's programs.
pub(crate) struct Weights {
    holders: HashMap<u64, u32>,
    programs: usize,
}

impl Weights {
    /// Counts the holders of each fingerprint. `programs` has the distinct fingerprints of each program.
    pub(crate) fn of<'p>(programs: impl Iterator<Item = &'p [u64]>) -> Weights {
        let mut weights = Weights { holders: HashMap::new(), programs: 0 };
        for prints in programs {
            weights.programs += 1;
            for print in prints {
                *weights.holders.entry(*print).or_default() += 1;
            }
        }
        weights
    }

    /// Returns the weight of a fingerprint, from 0 to 1. It is 0 for common code. Between [`FULL`] holders and those of
    /// common code, it falls with the logarithm of their number.
    pub(crate) fn of_print(&self, print: u64) -> f64 {
        let holders = self.holders.get(&print).copied().unwrap_or(1) as usize;
        let common = self.programs as f64 * COMMON_SHARE;
        if self.programs < LEAST_PROGRAMS || holders <= FULL {
            return 1.0;
        }
        let times_full = |holders: f64| (holders / FULL as f64).ln();
        (1.0 - times_full(holders as f64) / times_full(common)).max(0.0)
    }
}
