//! The limit of a tolerance.

use super::decimal::Decimal;
use super::digits::MOST_DIGITS;
use super::small::Small;
use super::sum::{self, Limb};

/// A limit of a tolerance. It is never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    pub(super) limbs: Vec<Limb>,
    small: Option<Small>,
    /// For each number of decimal places from 0 to [`MOST_DIGITS`], the largest integer that is at most the limit in
    /// units of that place, or [`u128::MAX`] if that integer is larger.
    units: Vec<u128>,
}

/// The limits of a tolerance; `None` if there is no absolute or no relative tolerance.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    pub(super) absolute: Option<&'a Limit>,
    pub(super) relative: Option<&'a Limit>,
}

impl Limit {
    /// Parses a limit. Returns `None` if the text is not a number, is negative, or has more than `MOST_FACTOR_DIGITS`
    /// digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = Decimal::parse(text.as_bytes())?;
        if (number.negative && !number.is_zero()) || number.length() > sum::MOST_FACTOR_DIGITS {
            return None;
        }
        let units = (0..=MOST_DIGITS).map(|places| units(&number, places)).collect();
        Some(Limit { limbs: sum::limbs(&number), small: number.small(), units })
    }

    /// Returns the number of digits if [`Limit::parse`] refuses the number only because it has too many; otherwise
    /// `None`.
    pub(super) fn too_many_digits(text: &str) -> Option<usize> {
        let number = Decimal::parse(text.as_bytes())?;
        let is_legal = !number.negative || number.is_zero();
        Some(number.length()).filter(|&digits| is_legal && digits > sum::MOST_FACTOR_DIGITS)
    }

    /// Returns the largest integer that is at most the limit in units of the decimal place `places`, or [`u128::MAX`]
    /// if that integer is larger. `places` must be at most [`MOST_DIGITS`].
    pub(super) fn in_units_of(&self, places: usize) -> u128 {
        self.units[places]
    }

    /// Returns whether `difference` is at most the limit times `size`. Returns `None` if 128 bits are not enough to
    /// decide that.
    pub(super) fn allows(&self, difference: u128, size: u128) -> Option<bool> {
        self.small?.allows(difference, size)
    }
}

/// Returns the absolute value of `number` in units of the decimal place `places`, rounded down, or [`u128::MAX`] if it
/// does not fit.
fn units(number: &Decimal, places: usize) -> u128 {
    // All digits before the point, if the point is moved by `places`. Beyond its own digits, a number has only zeros.
    let count = number.whole.len() as i64 + number.exponent + places as i64;
    let zeros = number.digits().take_while(|&digit| digit == 0).count();
    if zeros == number.length() || count <= zeros as i64 {
        return 0;
    }
    // A number of forty digits does not fit.
    let significant = (count - zeros as i64).min(40) as usize;
    let digits = number.digits().skip(zeros).chain(std::iter::repeat(0)).take(significant);
    digits.fold(0, |units: u128, digit| units.saturating_mul(10).saturating_add(u128::from(digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_rounded_down_to_units() {
        let units = |text: &str, places| Limit::parse(text).unwrap().in_units_of(places);
        assert_eq!((units("1e-6", 5), units("1e-6", 6), units("1e-6", 8)), (0, 1, 100));
        assert_eq!((units("00.0199", 1), units("00.0199", 2), units("00.0199", 3)), (0, 1, 19));
        assert_eq!((units("12.5", 0), units("12.5e1", 0), units("12.5e2", 1)), (12, 125, 12_500));
        assert_eq!((units("0e4000000000", 38), units("1e-4000000000", 38)), (0, 0));
        assert_eq!(
            (units("1e38", 0), units("1e38", 1), units("1e4000000000", 0)),
            (10_u128.pow(38), u128::MAX, u128::MAX)
        );
        assert_eq!(units("340282366920938463463374607431768211454", 0), u128::MAX - 1);
    }
}
