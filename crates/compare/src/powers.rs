//! Caches powers of five.

use std::borrow::Cow;
use std::sync::OnceLock;

use num_bigint::BigUint;

/// The number of cached powers, which need at most four megabytes. Without the cache, an output with a million tokens
/// such as 1e-4900 would compute the same power each time. Larger powers are needed only for numbers of at least forty
/// digits.
const CACHED: usize = 5_000;

static POWERS: [OnceLock<BigUint>; CACHED] = [const { OnceLock::new() }; CACHED];

/// Returns five to the power of `exponent`.
pub(super) fn power_of_five(exponent: u32) -> Cow<'static, BigUint> {
    let power = || BigUint::from(5_u8).pow(exponent);
    match POWERS.get(exponent as usize) {
        Some(slot) => Cow::Borrowed(slot.get_or_init(power)),
        None => Cow::Owned(power()),
    }
}
