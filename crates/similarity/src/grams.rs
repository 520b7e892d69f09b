//! Hashes of consecutive tokens, and the choice of fingerprints among them.

use crate::tokens::Token;

/// The number of tokens in a hash: shorter common parts are noise. The paper calls it k. It is small, because tokens
/// leave out most punctuation, and because a statement that is inserted or moved then changes few hashes.
pub const GRAM: usize = 5;

/// Common parts of this number of tokens are always found. The paper calls it t.
pub const GUARANTEE: usize = 7;

/// The number of consecutive hashes of which at least one is selected. The paper calls it w.
const WINDOW: usize = GUARANTEE - GRAM + 1;

/// The value of a hash that is never selected.
pub(crate) const EXCLUDED: u64 = u64::MAX;

/// Returns the hash of every [`GRAM`] consecutive tokens, in order. Hash number `i` is that of the tokens from `i` on.
pub(crate) fn hashes(tokens: &[Token]) -> impl Iterator<Item = u64> {
    tokens.windows(GRAM).map(|gram| {
        let sum = gram.iter().fold(0_u64, |sum, token| mixed(sum ^ u64::from(token.code)));
        sum.min(EXCLUDED - 1)
    })
}

/// Returns a bijective mixture of the bits (the finaliser of SplitMix64). Winnowing needs hashes that are independent
/// of the order of the tokens' codes.
fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Selects fingerprints: the smallest hash of every [`WINDOW`] consecutive ones, the last of equal ones. Adds them to
/// `selected`. If there are fewer hashes, selects the smallest of all. Does not select [`EXCLUDED`].
pub(crate) fn winnow(hashes: &[u64], selected: &mut Vec<u64>) {
    let mut last = None;
    for start in 0..(hashes.len() + 1).saturating_sub(WINDOW).max(usize::from(!hashes.is_empty())) {
        let window = &hashes[start..hashes.len().min(start + WINDOW)];
        let least = (0..window.len()).rev().min_by_key(|&at| window[at]).map(|at| start + at);
        if least != last {
            last = least;
            selected.extend(least.map(|at| hashes[at]).filter(|&hash| hash != EXCLUDED));
        }
    }
}
