//! Decimal numbers of any length, compared exactly.
//!
//! Outputs may hold more digits than a `f64` keeps, and a verdict must not depend on how a library rounds. A number
//! is kept as its digits and a power of ten; whether two are within a tolerance is decided in whole numbers.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// A number of more digits, leading zeros aside, is not read as a number: no honest output has one, and the time to
/// compare grows faster than the length.
const MOST_DIGITS: usize = 10_000;

/// How far apart two powers of ten must be before the smaller number counts as "not zero, and smaller than anything".
/// Larger than the digits of any number, so that the replacement never changes a comparison.
const FAR: i64 = 4 * MOST_DIGITS as i64;

/// A decimal number: `digits` times ten to the power of `exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: BigInt,
    exponent: i64,
    /// Number of digits, for the power of ten of the first one.
    length: i64,
}

impl Decimal {
    /// Reads the format's grammar: `sign? (digit* "." digit+ | digit+ "." | digit+) ([eE] sign? digit+)?`.
    pub fn parse(token: &[u8]) -> Option<Self> {
        let (negative, rest) = sign(token);
        let (mantissa, exponent) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&rest[..at], exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = match memchr::memchr(b'.', mantissa) {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &[][..]),
        };
        let all_digits = whole.iter().chain(fraction).all(u8::is_ascii_digit);
        if !all_digits || whole.len() + fraction.len() == 0 {
            return None;
        }
        let digits: Vec<u8> = whole.iter().chain(fraction).copied().skip_while(|&digit| digit == b'0').collect();
        if digits.len() > MOST_DIGITS {
            return None;
        }
        Some(Decimal::new(negative, &digits, exponent.saturating_sub(fraction.len() as i64)))
    }

    fn new(negative: bool, digits: &[u8], exponent: i64) -> Self {
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        let size = BigInt::parse_bytes(digits, 10).unwrap_or_default();
        let digits_signed = if sign == Sign::Minus { -size } else { size };
        Decimal { digits: digits_signed, exponent, length: digits.len() as i64 }
    }

    /// Whether the number is below zero. Minus zero is not.
    pub fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Minus
    }

    /// This number times the size of `other`, without its sign.
    #[must_use]
    pub fn times_size_of(&self, other: &Decimal) -> Decimal {
        let digits = &self.digits * BigInt::from(other.digits.magnitude().clone());
        let length = digits.magnitude().to_string().len() as i64;
        Decimal { digits, exponent: self.exponent.saturating_add(other.exponent), length }
    }

    /// The power of ten just above the number; of zero there is none.
    fn top(&self) -> Option<i64> {
        (self.digits.sign() != Sign::NoSign).then(|| self.exponent.saturating_add(self.length))
    }

    /// The number as a whole multiple of ten to the power of `unit`; where the number lies far below, its sign.
    fn in_units_of(&self, unit: i64) -> BigInt {
        let places = self.exponent.saturating_sub(unit);
        match u32::try_from(places) {
            Ok(places) => &self.digits * BigInt::from(10).pow(places),
            Err(_) => BigInt::from(match self.digits.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            }),
        }
    }
}

/// Whether `given` is at most `limit` away from `wanted`.
pub fn within(given: &Decimal, wanted: &Decimal, limit: &Decimal) -> bool {
    let numbers = [given, wanted, limit];
    let Some(top) = numbers.iter().filter_map(|number| number.top()).max() else {
        return true; // All three are zero.
    };
    // Digits below `floor` belong only to numbers that are tiny beside the largest one; their sign is all that counts.
    let floor = top.saturating_sub(FAR);
    let lowest = numbers.iter().filter(|number| number.top().is_some()).map(|number| number.exponent).min();
    let unit = lowest.unwrap_or(floor).max(floor);
    let [given, wanted, limit] = numbers.map(|number| number.in_units_of(unit));
    let difference = BigInt::from((given - wanted).magnitude().clone());
    difference.cmp(&limit) != Ordering::Greater
}

fn sign(token: &[u8]) -> (bool, &[u8]) {
    match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    }
}

/// A power of ten. One too large for the type is as good as the largest: both are beyond every other number's reach.
fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = sign(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits
        .iter()
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(i64::MAX / 8));
    Some(if negative { -size } else { size })
}
