//! Decides whether a number is within a tolerance, by the rules of each dialect.

use super::answer::LONGEST_NUMBER;
use super::binary;
use super::bytes::is_blank;
use super::decimal;
use super::extended::Extended;
use super::limit::{Limit, Limits};
use super::scanf::{self, Number, c_string};

/// A tolerance. A number is accepted if it is within the absolute or the relative limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Tolerance {
    /// Decimal numbers of any length. The difference is computed without rounding and then compared with the limits.
    Exact {
        /// The largest allowed difference; `None` if there is no absolute tolerance.
        absolute: Option<Limit>,
        /// The largest allowed difference, relative to the absolute value of the answer; `None` if there is no relative
        /// tolerance.
        relative: Option<Limit>,
    },
    /// C's `double`. A negative limit counts as not given.
    Double {
        /// The largest allowed difference.
        absolute: f64,
        /// The largest allowed difference, relative to the absolute value of the answer.
        relative: f64,
    },
    /// The x87's `long double`. A negative limit counts as not given.
    Extended {
        /// The largest allowed difference.
        absolute: Extended,
        /// The largest allowed difference, relative to the absolute value of the answer.
        relative: Extended,
    },
}

/// The result of comparing two tokens as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    /// The answer's token is not a number, or is too long for a number. So the two tokens are compared as text.
    Text,
    /// The answer's token is a number and the output's is not.
    NotANumber,
    Near,
    Far,
}

impl Tolerance {
    /// Compares two tokens as numbers: the token `expected` of the answer, and the token `got` of the output.
    pub(super) fn compare(&self, expected: &[u8], got: &[u8]) -> Nearness {
        match self {
            Tolerance::Exact { absolute, relative } => {
                let limits = Limits { absolute: absolute.as_ref(), relative: relative.as_ref() };
                let near = |given: &decimal::Number, wanted: &decimal::Number| given.is_near(wanted, limits);
                compare_numbers(expected, got, decimal::Number::parse, near)
            }
            Tolerance::Double { absolute, relative } => {
                let near = |given: &f64, wanted: &f64| {
                    let difference = (wanted - given).abs();
                    difference <= *absolute || difference <= relative * wanted.abs()
                };
                compare_numbers(c_string(expected), c_string(got), double, near)
            }
            Tolerance::Extended { absolute, relative } => {
                let near = |given: &Extended, wanted: &Extended| near_extended(*given, *wanted, *absolute, *relative);
                compare_numbers(c_string(expected), c_string(got), extended, near)
            }
        }
    }
}

/// Parses both tokens with `parse`, and compares them with `near` if both are numbers.
fn compare_numbers<'a, N>(
    expected: &'a [u8],
    got: &'a [u8],
    parse: impl Fn(&'a [u8]) -> Option<N>,
    near: impl Fn(&N, &N) -> bool,
) -> Nearness {
    let number = if expected.len() > LONGEST_NUMBER { None } else { parse(expected) };
    let Some(wanted) = number else { return Nearness::Text };
    match parse(got) {
        None => Nearness::NotANumber,
        Some(given) if near(&given, &wanted) => Nearness::Near,
        Some(_) => Nearness::Far,
    }
}

/// Compares like DOMjudge. The relative difference is a quotient, so it is infinite or NaN for an answer of zero.
fn near_extended(given: Extended, wanted: Extended, absolute: Extended, relative: Extended) -> bool {
    match (given, wanted) {
        (Extended::Finite { .. }, Extended::Finite { .. }) => {
            let difference = given.distance(wanted);
            !(difference.exceeds(absolute) && difference.ratio(wanted).exceeds(relative))
        }
        (Extended::NotANumber, Extended::NotANumber) => true,
        (Extended::Infinite { negative: given }, Extended::Infinite { negative: wanted }) => given == wanted,
        _ => false,
    }
}

/// Parses a `double` as problemtools does, which treats infinities and NaN as text.
fn double(text: &[u8]) -> Option<f64> {
    let number = match scanf::parse(text)? {
        Number::Nan | Number::Infinite { .. } => return None,
        Number::Hexadecimal(number) => {
            let exact = binary::from_hexadecimal(number.whole, number.fraction, number.exponent);
            binary::double(exact, number.negative)
        }
        // Rust's parser returns the nearest double for texts of any length, like the C library's.
        Number::Decimal { text, .. } => std::str::from_utf8(text).ok()?.parse().ok()?,
    };
    number.is_finite().then_some(number)
}

fn extended(text: &[u8]) -> Option<Extended> {
    scanf::parse(text).map(|number| Extended::from_number(&number))
}

/// Parses the number after a tolerance flag. Unlike a token, it may have whitespace around it.
pub(super) fn double_argument(text: &str) -> Option<f64> {
    double(trim(text))
}

/// Parses the number after a tolerance flag. Unlike a token, it may have whitespace around it.
pub(super) fn extended_argument(text: &str) -> Option<Extended> {
    extended(trim(text))
}

fn trim(text: &str) -> &[u8] {
    text.trim_matches(|letter: char| u8::try_from(letter).is_ok_and(is_blank)).as_bytes()
}
