//! Powers of five, kept once they have been worked out.

use std::borrow::Cow;
use std::sync::OnceLock;

use num_bigint::BigUint;

/// Up to this exponent they are kept, four megabytes if all are used: an output of a million tokens such as 1e-4900
/// would work each out anew. Larger ones belong to texts of as many digits, which cost more to read than the power.
const KEPT: usize = 5_000;

static POWERS: [OnceLock<BigUint>; KEPT] = [const { OnceLock::new() }; KEPT];

/// Five to the power of `exponent`.
pub(super) fn power_of_five(exponent: u32) -> Cow<'static, BigUint> {
    let power = || BigUint::from(5_u8).pow(exponent);
    match POWERS.get(exponent as usize) {
        Some(place) => Cow::Borrowed(place.get_or_init(power)),
        None => Cow::Owned(power()),
    }
}
