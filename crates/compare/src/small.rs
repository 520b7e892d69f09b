//! Numbers that fit into 128-bit integers, and their exact comparison.

use super::digits::{MOST_DIGITS, TENS, shifted};
use super::limit::Limits;

/// The number `size` divided by ten to the power of `places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Small {
    negative: bool,
    pub(super) size: u128,
    /// At most [`MOST_DIGITS`].
    pub(super) places: usize,
    /// The number of digits of `size`, or more; at most [`MOST_DIGITS`].
    digits: usize,
}

impl Small {
    /// Makes the number `size` divided by ten to the power of `places`. `digits` is the number of digits of `size`,
    /// including leading zeros. Returns `None` if `digits` or `places` is larger than [`MOST_DIGITS`], or if a negative
    /// number of places needs more digits.
    pub(super) fn new(negative: bool, size: u128, digits: usize, places: i64) -> Option<Self> {
        let zeros = usize::try_from(places.min(0).unsigned_abs()).ok()?;
        let (places, digits) = (usize::try_from(places.max(0)).ok()?, digits.checked_add(zeros)?);
        let fits = digits <= MOST_DIGITS && places <= MOST_DIGITS;
        fits.then(|| Small { negative, size: shifted(size, zeros), places, digits })
    }

    /// Returns whether the number differs from `wanted` by at most the absolute limit, or by at most the relative limit
    /// times `wanted`. Returns `None` if 128 bits are not enough to decide that.
    pub(super) fn is_near(self, wanted: Self, limits: Limits) -> Option<bool> {
        let places = self.places.max(wanted.places);
        let (given_units, wanted_units) = (self.in_units_of(places)?, wanted.in_units_of(places)?);
        let difference = if self.negative == wanted.negative {
            given_units.abs_diff(wanted_units)
        } else {
            given_units + wanted_units
        };
        if limits.absolute.is_some_and(|limit| difference <= limit.in_units_of(places)) {
            return Some(true);
        }
        limits.relative.map_or(Some(false), |limit| limit.allows(difference, wanted_units))
    }

    /// Returns the absolute value in units of the decimal place `places`, which must be at least the number's own.
    /// Returns `None` if the result may have more than [`MOST_DIGITS`] digits.
    fn in_units_of(self, places: usize) -> Option<u128> {
        let zeros = places - self.places;
        (self.digits + zeros <= MOST_DIGITS).then(|| shifted(self.size, zeros))
    }

    /// Returns whether `difference` is at most this number times `size`. The number must not be negative. Returns
    /// `None` if 128 bits are not enough to decide that.
    pub(super) fn allows(self, difference: u128, size: u128) -> Option<bool> {
        match (difference.checked_mul(TENS[self.places]), size.checked_mul(self.size)) {
            (Some(difference), Some(allowed)) => Some(difference <= allowed),
            (None, Some(_)) => Some(false),
            (Some(_), None) => Some(true),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limit::Limit;
    use super::*;

    #[test]
    fn numbers_that_do_not_fit_in_the_same_unit_are_not_decided() {
        let limit = Limit::parse("1").unwrap();
        let limits = Limits { absolute: Some(&limit), relative: None };
        let near = |digits: usize, places: i64| {
            let given = Small::new(false, 10_u128.pow(digits as u32 - 1), digits, 0).unwrap();
            given.is_near(Small::new(false, 1, 1, places).unwrap(), limits)
        };
        assert_eq!((near(1, 37), near(20, 18), near(38, 0)), (Some(true), Some(false), Some(false)));
        assert_eq!((near(1, 38), near(20, 19), near(38, 1)), (None, None, None));
        assert_eq!((Small::new(false, 1, 39, 0), Small::new(false, 1, 1, 39)), (None, None));
        assert_eq!((Small::new(false, 1, 38, -1), Small::new(false, 1, 1, i64::MIN)), (None, None));
    }
}
