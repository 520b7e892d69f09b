//! Decimal numbers in the notation of the package format. The comparison decides whether two numbers are within a
//! tolerance.
//!
//! Outputs may have more digits than an `f64` can represent, and a verdict must not depend on a library's rounding. So
//! every comparison is exact. Numbers of up to eighteen digits are compared in 128-bit integers. All others are
//! compared by [`super::sum`], which needs no memory beyond the texts.

use super::sum::{self, Limb, Term};

/// A decimal number as text. Its absolute value is the integer with the digits of `whole` and `fraction`, times ten to
/// the power (`exponent` - `fraction.len()`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal<'a> {
    pub(super) negative: bool,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    pub(super) exponent: i64,
}

/// The maximum absolute value of an exponent; larger ones are reduced to it. No text has enough digits to compensate
/// for such an exponent.
const LARGEST_EXPONENT: i64 = 1 << 56;

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
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', rest @ ..] => exponent(rest)?,
            _ => return None,
        };
        (whole.len() + fraction.len() > 0).then_some(Decimal { negative, whole, fraction, exponent })
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

    /// Returns the number as an integer and a number of decimal places. Returns `None` if the number has more than
    /// [`SMALL_DIGITS`] digits, or if the number of places is not from 0 to [`SMALL_DIGITS`].
    fn small(&self) -> Option<Small> {
        let places = (self.fraction.len() as i64).checked_sub(self.exponent)?;
        if self.length() > SMALL_DIGITS || !(0..=SMALL_DIGITS as i64).contains(&places) {
            return None;
        }
        let whole = value(self.whole) as i64;
        let size = whole * POWERS[self.fraction.len()] as i64 + value(self.fraction) as i64;
        Some(Small { size: if self.negative { -size } else { size }, places: places as u32 })
    }
}

/// Returns the value of at most eighteen digits. It converts eight digits at a time: it joins digits into pairs, pairs
/// into fours, and fours into the value.
fn value(digits: &[u8]) -> u64 {
    let (eights, rest) = digits.as_chunks::<8>();
    let add = |value: u64, eight: &[u8; 8]| {
        let ones = u64::from_le_bytes(*eight) & 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (ones.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
        value * 100_000_000 + (fours.wrapping_mul(10_000 << 32 | 1) >> 32)
    };
    let value = eights.iter().fold(0, add);
    rest.iter().fold(value, |value, digit| value * 10 + u64::from(digit - b'0'))
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

/// Parses an exponent with an optional sign. Returns `None` if the text is not an integer.
pub(super) fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, rest) = sign(text);
    if rest.is_empty() || !rest.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |size: i64, digit: &u8| (size * 10 + i64::from(digit - b'0')).min(LARGEST_EXPONENT);
    let size = rest.iter().fold(0, add);
    Some(if negative { -size } else { size })
}

/// The maximum number of digits, and of decimal places, of a [`Small`] number. It is so small that the product of two
/// such numbers fits into 128 bits, and so does their difference in units of the smaller decimal place.
const SMALL_DIGITS: usize = 18;

/// The powers of ten with exponents from 0 to twice [`SMALL_DIGITS`].
const POWERS: [u128; 2 * SMALL_DIGITS + 1] = {
    let mut powers = [1; 2 * SMALL_DIGITS + 1];
    let mut index = 1;
    while index < powers.len() {
        powers[index] = 10 * powers[index - 1];
        index += 1;
    }
    powers
};

/// The number `size` divided by ten to the power of `places`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Small {
    size: i64,
    places: u32,
}

/// A limit of a tolerance. It is never negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    limbs: Vec<Limb>,
    small: Option<Small>,
}

impl Limit {
    /// Parses a limit. Returns `None` if the text is not a number, is negative, or has more than `MOST_FACTOR_DIGITS`
    /// digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = Decimal::parse(text.as_bytes())?;
        if (number.negative && !number.is_zero()) || number.length() > sum::MOST_FACTOR_DIGITS {
            return None;
        }
        Some(Limit { limbs: sum::limbs(&number), small: number.small() })
    }

    /// Returns the number of digits if [`Limit::parse`] refuses the number only because it has too many; otherwise
    /// `None`.
    pub(super) fn too_many_digits(text: &str) -> Option<usize> {
        let number = Decimal::parse(text.as_bytes())?;
        let is_legal = !number.negative || number.is_zero();
        Some(number.length()).filter(|&digits| is_legal && digits > sum::MOST_FACTOR_DIGITS)
    }
}

/// A number. `small` is its value in machine integers; see [`Decimal::small`] for when it is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a> {
    decimal: Decimal<'a>,
    small: Option<Small>,
}

impl Number<'static> {
    pub(super) const ONE: Number<'static> = Number {
        decimal: Decimal { negative: false, whole: b"1", fraction: b"", exponent: 0 },
        small: Some(Small { size: 1, places: 0 }),
    };
}

impl<'a> Number<'a> {
    pub(super) fn parse(token: &'a [u8]) -> Option<Self> {
        let decimal = Decimal::parse(token)?;
        Some(Number { decimal, small: decimal.small() })
    }

    /// Returns whether the number differs from `wanted` by at most `limit` times the absolute value of `scale`.
    pub(super) fn is_within(&self, limit: &Limit, scale: &Number, wanted: &Number) -> bool {
        if let (Some(given), Some(wanted), Some(limit), Some(scale)) =
            (self.small, wanted.small, limit.small, scale.small)
        {
            return small_within(given, wanted, limit, scale);
        }
        let (given, wanted, one) = (self.decimal, wanted.decimal, [Limb::ONE]);
        let allowed = Term { number: scale.decimal.with_sign(true), factor: &limit.limbs };
        // The difference is within the limit if neither number exceeds the other by more than the limit.
        let above = |more: Decimal, less: Decimal| {
            let less = less.with_sign(!less.negative);
            sum::is_positive(&[Term { number: more, factor: &one }, Term { number: less, factor: &one }, allowed])
        };
        !above(given, wanted) && !above(wanted, given)
    }
}

fn small_within(given: Small, wanted: Small, limit: Small, scale: Small) -> bool {
    let places = given.places.max(wanted.places);
    let raised = |number: Small| i128::from(number.size) * POWERS[(places - number.places) as usize] as i128;
    let difference = (raised(given) - raised(wanted)).unsigned_abs();
    let allowed = u128::from(limit.size.unsigned_abs()) * u128::from(scale.size.unsigned_abs());
    let allowed_places = limit.places + scale.places;
    // The number that is not shifted is below 10^37. So a shifted number that overflows 128 bits is larger.
    let shift = |number: u128, by: u32| number.checked_mul(POWERS[by as usize]);
    if allowed_places >= places {
        difference == 0 || shift(difference, allowed_places - places).is_some_and(|difference| difference <= allowed)
    } else {
        shift(allowed, places - allowed_places).is_none_or(|allowed| difference <= allowed)
    }
}
