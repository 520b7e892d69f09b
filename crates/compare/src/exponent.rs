//! Exponents of any size. A number can state an exponent that does not fit into a machine integer. Such exponents are
//! cut to [`LARGEST_EXPONENT`], and [`relative_to_the_largest`] gives their differences.

use super::decimal::{Decimal, digits, sign};

/// The maximum absolute value of an exponent; larger ones are reduced to it. No text has enough digits to compensate
/// for such an exponent.
pub(super) const LARGEST_EXPONENT: i64 = 1 << 56;

/// Parses an exponent with an optional sign. Returns `None` if the text is not an integer.
pub(super) fn exponent(text: &[u8]) -> Option<i64> {
    let (_, size) = sign(text);
    let is_integer = !size.is_empty() && digits(size).1.is_empty();
    is_integer.then(|| difference(text, b""))
}

/// Returns `one` minus `other`, reduced to at most [`LARGEST_EXPONENT`] in absolute value. Both are texts of integers
/// with an optional sign. An empty text means 0.
fn difference(one: &[u8], other: &[u8]) -> i64 {
    let (one, other) = (sign(one), sign(other));
    let digit = |(is_negative, digits): (bool, &[u8]), from_end: usize| {
        let digit = digits.len().checked_sub(from_end + 1).map_or(0, |index| i64::from(digits[index] - b'0'));
        if is_negative { -digit } else { digit }
    };
    let add = |sum: i64, from_end: usize| {
        // A sum at the border stays there, because the next digits change it by at most 18.
        (sum * 10 + digit(one, from_end) - digit(other, from_end)).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT)
    };
    (0..one.1.len().max(other.1.len())).rev().fold(0, add)
}

/// Divides the numbers by the same power of ten, so that the largest exponent of the numbers other than zero becomes 0.
/// The sign of a sum stays the same. Returns the numbers unchanged if no exponent was reduced.
///
/// A number whose exponent is smaller than the largest by [`LARGEST_EXPONENT`] or more keeps its sign, but is reduced
/// to that difference. It cannot outweigh the number with the largest exponent, nor can two such numbers.
pub(super) fn relative_to_the_largest<const COUNT: usize>(numbers: [Decimal; COUNT]) -> [Decimal; COUNT] {
    if numbers.iter().all(|number| number.exponent.abs() < LARGEST_EXPONENT) {
        return numbers;
    }
    let others = numbers.iter().filter(|number| !number.is_zero()).map(|number| number.exponent_text);
    let largest = others.reduce(|one, other| if difference(one, other) < 0 { other } else { one });
    numbers.map(|number| Decimal { exponent: difference(number.exponent_text, largest.unwrap_or_default()), ..number })
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn differences_are_exact_up_to_the_largest_exponent(
            (one, other) in ("[+-]?(0{0,2}[0-9]{1,40})", "[+-]?(0{0,2}[0-9]{1,40})"),
            near in -99_i64..99,
        ) {
            let number = |text: &str| text.parse::<BigInt>().unwrap();
            let close = (number(&one) + near).to_string();
            for other in [other, close] {
                let wanted = number(&one) - number(&other);
                let cut = wanted.clamp((-LARGEST_EXPONENT).into(), LARGEST_EXPONENT.into());
                prop_assert_eq!(BigInt::from(difference(one.as_bytes(), other.as_bytes())), cut);
            }
        }
    }

    #[test]
    fn only_integers_are_exponents() {
        for text in ["", "+", "-", "1.5", "--1", "1e1", "1 "] {
            assert_eq!(exponent(text.as_bytes()), None, "{text}");
        }
        assert_eq!((exponent(b"-07"), exponent(b"+12")), (Some(-7), Some(12)));
    }
}
