//! The arithmetic of C's `long double` on x86, which DOMjudge's validator uses: 64 bits of mantissa and 15 bits of
//! exponent. It is computed in software, so a verdict is the same on every machine.

use num_bigint::BigUint;

use super::binary::{self, EXTENDED, Exact};
use super::decimal::Decimal;
use super::powers::power_of_five;
use super::scanf::Number;

/// A `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extended {
    /// Not a number.
    NotANumber,
    /// An infinity.
    Infinite {
        /// Whether the infinity is negative.
        negative: bool,
    },
    /// The number `mantissa` times two to the power of `exponent`, with the sign.
    Finite {
        /// Whether the number is negative; zero has a sign, too.
        negative: bool,
        /// The mantissa. It need not be normalised.
        mantissa: u64,
        /// The exponent, from -16445 to 16383.
        exponent: i32,
    },
}

use Extended::{Finite, Infinite, NotANumber};

impl Extended {
    /// Converts a parsed number as `strtold` does.
    pub(super) fn from_number(number: &Number) -> Self {
        match number {
            Number::Nan => NotANumber,
            Number::Infinite { negative } => Infinite { negative: *negative },
            Number::Hexadecimal(number) => {
                let exact = binary::from_hexadecimal(number.whole, number.fraction, number.exponent);
                Extended::round(exact, number.negative)
            }
            Number::Decimal { number, .. } => from_decimal(number),
        }
    }

    fn round(exact: Exact, negative: bool) -> Self {
        match exact.round(EXTENDED) {
            Some((mantissa, exponent)) => Finite { negative, mantissa, exponent: exponent as i32 },
            None => Infinite { negative },
        }
    }

    /// Returns `fabsl(self - other)`.
    pub(super) fn distance(self, other: Extended) -> Extended {
        match (self, other) {
            (NotANumber, _) | (_, NotANumber) => NotANumber,
            (Infinite { negative: one }, Infinite { negative: two }) if one == two => NotANumber,
            (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative: false },
            (
                Finite { negative, mantissa, exponent },
                Finite { negative: other_negative, mantissa: other_mantissa, exponent: other_exponent },
            ) => {
                let (one, other) = (aligned(mantissa, exponent), aligned(other_mantissa, other_exponent));
                Extended::round(sum_of_sizes(one, other, negative == other_negative), false)
            }
        }
    }

    /// Returns `fabsl(self / other)`.
    pub(super) fn ratio(self, other: Extended) -> Extended {
        match (self, other) {
            (NotANumber, _)
            | (_, NotANumber)
            | (Infinite { .. }, Infinite { .. })
            | (Finite { mantissa: 0, .. }, Finite { mantissa: 0, .. }) => NotANumber,
            (Infinite { .. }, _) | (_, Finite { mantissa: 0, .. }) => Infinite { negative: false },
            (_, Infinite { .. }) => Finite { negative: false, mantissa: 0, exponent: 0 },
            (Finite { mantissa, exponent, .. }, Finite { mantissa: divisor, exponent: divisor_exponent, .. }) => {
                let ((mantissa, exponent), (divisor, divisor_exponent)) =
                    (normal(mantissa, exponent), normal(divisor, divisor_exponent));
                let divisor = u128::from(divisor);
                // The quotient has 64 or 65 bits; the next two bits decide the rounding.
                let (first, rest) = ((u128::from(mantissa) << 64) / divisor, (u128::from(mantissa) << 64) % divisor);
                let quotient = (first << 2) | ((rest << 2) / divisor);
                let more = (rest << 2) % divisor != 0;
                Extended::round(Exact { mantissa: quotient, more, exponent: exponent - divisor_exponent - 66 }, false)
            }
        }
    }

    /// Returns `self > other`, which is false if `self` or `other` is `NotANumber`.
    pub(super) fn exceeds(self, other: Extended) -> bool {
        match (self, other) {
            (NotANumber | Infinite { negative: true }, _) | (_, NotANumber) => false,
            (Infinite { negative: false }, other) => other != Infinite { negative: false },
            (Finite { .. }, Infinite { negative }) => negative,
            (one @ Finite { negative, .. }, other @ Finite { negative: other_negative, .. }) => {
                match (negative, other_negative) {
                    (false, false) => one.size() > other.size(),
                    (true, true) => one.size() < other.size(),
                    (false, true) => one.size() != Some((0, 0)) || other.size() != Some((0, 0)),
                    (true, false) => false,
                }
            }
        }
    }

    /// Returns whether the number is at least zero; false for `NotANumber`.
    pub(super) fn is_at_least_zero(self) -> bool {
        match self {
            NotANumber => false,
            Infinite { negative } => !negative,
            Finite { negative, mantissa, .. } => !negative || mantissa == 0,
        }
    }

    /// Returns a pair that sorts like the absolute value; `None` for infinities and `NotANumber`.
    fn size(self) -> Option<(i64, u64)> {
        match self {
            Finite { mantissa: 0, .. } => Some((0, 0)),
            // The offset makes every exponent positive, so that zero sorts first.
            Finite { mantissa, exponent, .. } => Some(normal(mantissa, exponent)).map(|(m, e)| (e + 32_768, m)),
            _ => None,
        }
    }
}

/// Normalises the number: moves the leading one into the highest bit.
fn normal(mantissa: u64, exponent: i32) -> (u64, i64) {
    let shift = mantissa.leading_zeros();
    (mantissa.checked_shl(shift).unwrap_or(0), i64::from(exponent) - i64::from(shift))
}

/// Normalises the mantissa and moves it up by 62 bits in a word of 128 bits. So the top two bits of the word are zero.
fn aligned(mantissa: u64, exponent: i32) -> (u128, i64) {
    let (mantissa, exponent) = normal(mantissa, exponent);
    (u128::from(mantissa) << 62, if mantissa == 0 { i64::MIN / 2 } else { exponent - 62 })
}

/// Returns the sum of two absolute values, or the absolute difference if `subtract` is true.
fn sum_of_sizes(one: (u128, i64), other: (u128, i64), subtract: bool) -> Exact {
    let (large, small) = if (one.1, one.0) >= (other.1, other.0) { (one, other) } else { (other, one) };
    let by = u32::try_from(large.1 - small.1).unwrap_or(u32::MAX);
    let shifted = small.0.checked_shr(by).unwrap_or(0);
    let more = shifted.checked_shl(by).unwrap_or(0) != small.0;
    // A subtraction must also subtract the bits that the shift dropped, so the result is one unit smaller and `more` is
    // set.
    let mantissa = if subtract { large.0 - shifted - u128::from(more) } else { large.0 + shifted };
    Exact { mantissa, more, exponent: large.1 }
}

/// The number of digits, from the first non-zero one on, that can affect the rounding. After these digits, it only
/// matters whether any digit is not zero. The reason: rounding compares the number with a tie, the midpoint between two
/// neighbouring `long double`s, and no tie has more digits than this. The smallest positive number is 2^-16445, so a
/// tie has at most 16446 decimal places. A tie with that many places is below 2^-16381, so its first non-zero digit is
/// at place 4932 or later. That leaves at most 11515 digits.
const MOST_DIGITS: usize = 11_600;

fn from_decimal(number: &Decimal) -> Extended {
    let negative = number.negative;
    let zeros = number.digits().take_while(|&digit| digit == 0).count();
    let length = number.length() - zeros;
    let last = number.exponent - number.fraction.len() as i64;
    let top = last + length as i64;
    if length == 0 || top < -4960 {
        return Finite { negative, mantissa: 0, exponent: 0 };
    }
    if top > 4940 {
        return Infinite { negative };
    }
    let digits = || number.digits().skip(zeros);
    if length <= 19 && (-25..=25).contains(&last) {
        let size = digits().fold(0, |size: u64, digit| size * 10 + u64::from(digit));
        return Extended::round(small(size, last), negative);
    }
    let mut kept: Vec<u8> = digits().take(MOST_DIGITS).collect();
    let mut last = last + (length - kept.len()) as i64;
    if digits().skip(MOST_DIGITS).any(|digit| digit != 0) {
        // A single 1 replaces the dropped digits, because it only matters that one of them is not zero.
        kept.push(1);
        last -= 1;
    }
    Extended::round(large(&kept, last), negative)
}

/// Returns `size` times ten to the power of `power`, which must be from -25 to 25.
fn small(size: u64, power: i64) -> Exact {
    let five = 5_u128.pow(power.unsigned_abs() as u32);
    let (size, shift) = normal(size, 0);
    if power >= 0 {
        return Exact { mantissa: u128::from(size) * five, more: false, exponent: shift + power };
    }
    // The quotient of a 127-bit number and a number of at most 59 bits has at least 68 bits, enough for the rounding.
    let size = u128::from(size) << 63;
    Exact { mantissa: size / five, more: size % five != 0, exponent: shift - 63 + power }
}

/// Returns the number with these digits, times ten to the power of `power`, for any length and power.
fn large(digits: &[u8], power: i64) -> Exact {
    let size = BigUint::from_radix_be(digits, 10).unwrap_or_default();
    let five = power_of_five(power.unsigned_abs() as u32);
    if power >= 0 {
        return leading(&(size * &*five), false, power);
    }
    // The shift leaves more than 66 bits in the quotient.
    let shift = (five.bits() + 70).saturating_sub(size.bits());
    let size = size << shift;
    let quotient = &size / &*five;
    let more = &quotient * &*five != size;
    leading(&quotient, more, power - shift as i64)
}

/// Returns the highest 128 bits of the number. Sets `more` in the result if `more` is true or if a lower bit is one.
fn leading(number: &BigUint, more: bool, exponent: i64) -> Exact {
    let cut = number.bits().saturating_sub(128);
    let kept = number >> cut;
    let more = more || number.trailing_zeros().is_some_and(|zeros| zeros < cut);
    let mantissa = kept.iter_u64_digits().rev().fold(0, |all: u128, digit| all << 64 | u128::from(digit));
    Exact { mantissa, more, exponent: exponent + cut as i64 }
}
