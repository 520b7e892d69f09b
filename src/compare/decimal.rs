//! Decimal numbers of any length, compared exactly.
//!
//! Outputs may hold more digits than a `f64` keeps, and a verdict must not depend on how a library rounds. A number
//! is kept as its digits and a power of ten; whether two are within a tolerance is decided in whole numbers.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// A number of more digits, leading zeros aside, is not read as a number: no honest output has one, and the time to
/// compare grows faster than the length.
const MOST_DIGITS: usize = 10_000;

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

    /// The number as a whole multiple of ten to the power of `unit`, which is no larger than its exponent.
    fn in_units_of(&self, unit: i64) -> BigInt {
        // Zero may carry any exponent, and its powers of ten must not be worked out.
        if self.digits.sign() == Sign::NoSign {
            return BigInt::ZERO;
        }
        let places = u32::try_from(self.exponent.saturating_sub(unit)).unwrap_or(0);
        &self.digits * BigInt::from(10).pow(places)
    }
}

/// Whether `given` is at most `limit` away from `wanted`.
///
/// The time is bounded by the lengths of the three texts, whatever their exponents are: an output of a million tokens
/// like 1e-30000 must not keep the judge busy.
pub fn within(given: &Decimal, wanted: &Decimal, limit: &Decimal) -> bool {
    if let Some(decided) = decided_by_size(given, wanted, limit) {
        return decided;
    }
    let numbers = [given, wanted, limit];
    let [given, wanted, limit] = match tiny(numbers) {
        // The others and their sums are multiples of a hundred units: of the tiny one only the sign counts.
        Some((index, others)) => std::array::from_fn(|at| match numbers[at] {
            number if at == index => BigInt::from(if number.is_negative() { -1 } else { 1 }),
            number => number.in_units_of(others.saturating_sub(2)),
        }),
        None => numbers.map(|number| number.in_units_of(lowest_exponent(&numbers).unwrap_or(0))),
    };
    let difference = BigInt::from((given - wanted).magnitude().clone());
    difference.cmp(&limit) != Ordering::Greater
}

/// The answer where the powers of ten alone decide it.
fn decided_by_size(given: &Decimal, wanted: &Decimal, limit: &Decimal) -> Option<bool> {
    // Zero lies below all others.
    let size = |number: &Decimal| number.top().unwrap_or(i64::MIN / 2);
    let (larger, smaller) = (size(given).max(size(wanted)), size(given).min(size(wanted)));
    // A number lies from 10^(size-1) up to 10^size, so a difference lies below 10^(larger+1); and above
    // 10^(larger-2), if one of the two is much smaller.
    if size(limit) > larger.saturating_add(1) {
        return Some(!limit.is_negative());
    }
    let far_apart = larger.saturating_sub(smaller) >= 2;
    (far_apart && size(limit) <= larger.saturating_sub(2)).then_some(false)
}

/// The number that lies wholly below the last digits of the others, if one does, and where those end.
fn tiny(numbers: [&Decimal; 3]) -> Option<(usize, i64)> {
    (0..numbers.len()).find_map(|index| {
        let others: Vec<_> = (0..numbers.len()).filter(|&at| at != index).map(|at| numbers[at]).collect();
        let end = lowest_exponent(&others)?;
        (numbers[index].top()? <= end.saturating_sub(2)).then_some((index, end))
    })
}

/// The exponent at which the last digit of those numbers stands that are not zero.
fn lowest_exponent(numbers: &[&Decimal]) -> Option<i64> {
    numbers.iter().filter(|number| number.top().is_some()).map(|number| number.exponent).min()
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
