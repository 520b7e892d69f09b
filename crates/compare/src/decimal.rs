//! Decimal numbers in the notation of the package format. The comparison decides whether two numbers are within a
//! tolerance.
//!
//! Outputs may have more digits than an `f64` can represent, and a verdict must not depend on a library's rounding. So
//! every comparison is exact. Numbers of up to 38 digits are compared in 128-bit integers ([`super::small`]) if these are
//! enough for the calculation. All others are compared by [`super::sum`], which needs no memory beyond the texts.

use super::digits::{MOST_DIGITS, shifted, value};
use super::exponent::{exponent, relative_to_the_largest};
use super::limit::{Limit, Limits};
use super::small::Small;
use super::sum::{self, Limb, Term};

/// A decimal number as text. Its absolute value is the integer with the digits of `whole` and `fraction`, times ten to
/// the power (`exponent` - `fraction.len()`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    pub(super) negative: bool,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    /// Reduced to [`LARGEST_EXPONENT`](super::exponent::LARGEST_EXPONENT).
    pub(super) exponent: i64,
    /// The exponent with its sign, not reduced; empty for 0.
    pub(super) exponent_text: &'a [u8],
}

impl<'a> Decimal<'a> {
    /// Parses the grammar of the package format: `sign? (digit* "." digit+ | digit+ "." | digit+) ([eE] sign?
    /// digit+)?`. Returns `None` for other texts.
    pub(super) fn parse(token: &'a [u8]) -> Option<Self> {
        let (negative, rest) = sign(token);
        let (whole, rest) = digits(rest);
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => digits(rest),
            _ => (&[][..], rest),
        };
        let (exponent, exponent_text) = match rest {
            [] => (0, rest),
            [b'e' | b'E', rest @ ..] => (exponent(rest)?, rest),
            _ => return None,
        };
        (whole.len() + fraction.len() > 0).then_some(Decimal { negative, whole, fraction, exponent, exponent_text })
    }

    /// Returns the number of digits, including leading zeros.
    pub(super) fn length(&self) -> usize {
        self.whole.len() + self.fraction.len()
    }

    /// Returns all digits, the most significant first.
    pub(super) fn digits(&self) -> impl Iterator<Item = u8> {
        self.whole.iter().chain(self.fraction).map(|digit| digit - b'0')
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits().all(|digit| digit == 0)
    }

    fn with_sign(self, negative: bool) -> Self {
        Decimal { negative, ..self }
    }

    /// Returns the number in machine integers; `None` if it has too many digits or decimal places for [`Small`].
    pub(super) fn small(&self) -> Option<Small> {
        if self.length() > MOST_DIGITS {
            return None;
        }
        let size = shifted(value(self.whole), self.fraction.len()) + value(self.fraction);
        Small::new(self.negative, size, self.length(), self.fraction.len() as i64 - self.exponent)
    }
}

/// Splits off the sign. Returns whether the number is negative, and the rest.
pub(super) fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Splits off the leading digits. Returns them and the rest.
pub(super) fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

const ONE: Decimal = Decimal { negative: false, whole: b"1", fraction: b"", exponent: 0, exponent_text: b"" };

/// A number. `small` is its value in machine integers; see [`Decimal::small`] for when it is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a> {
    decimal: Decimal<'a>,
    small: Option<Small>,
}

impl<'a> Number<'a> {
    pub(super) fn parse(token: &'a [u8]) -> Option<Self> {
        let decimal = Decimal::parse(token)?;
        Some(Number { decimal, small: decimal.small() })
    }

    /// Returns whether the number differs from `wanted` by at most the absolute limit, or by at most the relative limit
    /// times the absolute value of `wanted`.
    pub(super) fn is_near(&self, wanted: &Number, limits: Limits) -> bool {
        if let (Some(given), Some(wanted)) = (self.small, wanted.small)
            && let Some(is_near) = given.is_near(wanted, limits)
        {
            return is_near;
        }
        limits.absolute.is_some_and(|limit| self.is_within(limit, ONE, wanted))
            || limits.relative.is_some_and(|limit| self.is_within(limit, wanted.decimal, wanted))
    }

    /// Returns whether the number differs from `wanted` by at most `limit` times the absolute value of `scale`.
    fn is_within(&self, limit: &Limit, scale: Decimal, wanted: &Number) -> bool {
        let one = [Limb::ONE];
        // If the limit is 0, the scale does not matter.
        let scale = if limit.limbs.is_empty() { wanted.decimal } else { scale };
        let [given, wanted, scale] = relative_to_the_largest([self.decimal, wanted.decimal, scale]);
        let allowed = Term { number: scale.with_sign(true), factor: &limit.limbs };
        // The difference is within the limit if neither number exceeds the other by more than the limit.
        let above = |more: Decimal, less: Decimal| {
            let less = less.with_sign(!less.negative);
            sum::is_positive(&[Term { number: more, factor: &one }, Term { number: less, factor: &one }, allowed])
        };
        !above(given, wanted) && !above(wanted, given)
    }
}
