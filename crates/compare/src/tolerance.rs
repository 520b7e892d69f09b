//! Whether an output's number is near enough to the answer's, by the three dialects.

use super::answer::LONGEST_NUMBER;
use super::binary;
use super::bytes::is_blank;
use super::decimal::{self, Limit};
use super::extended::Extended;
use super::scanf::{self, Number, c_string};

/// How far a number may be off; near enough by one of the two is near enough.
#[derive(Clone, Debug, PartialEq)]
pub enum Tolerance {
    /// Decimal numbers of any length, compared exactly.
    Exact {
        /// The largest allowed difference.
        absolute: Option<Limit>,
        /// The largest allowed difference as a part of the answer's size.
        relative: Option<Limit>,
    },
    /// In C's `double`. A negative limit is none.
    Double {
        /// The largest allowed difference.
        absolute: f64,
        /// The largest allowed difference as a part of the answer's size.
        relative: f64,
    },
    /// In the `long double` of the x87. A negative limit is none.
    Extended {
        /// The largest allowed difference.
        absolute: Extended,
        /// The largest allowed difference as a part of the answer's size.
        relative: Extended,
    },
}

/// What becomes of two tokens where numbers may be off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    /// The answer's token is not a number: both are text.
    Text,
    /// The answer's token is a number and the output's is not.
    NotANumber,
    Near,
    Far,
}

impl Tolerance {
    pub(super) fn judge(&self, expected: &[u8], got: &[u8]) -> Nearness {
        match self {
            Tolerance::Exact { absolute, relative } => {
                let near = |given: &decimal::Number, wanted: &decimal::Number| {
                    let within = |limit: &Option<Limit>, scale| {
                        limit.as_ref().is_some_and(|limit| given.is_within(limit, scale, wanted))
                    };
                    within(absolute, &decimal::Number::ONE) || within(relative, wanted)
                };
                judge_by(expected, got, decimal::Number::parse, near)
            }
            Tolerance::Double { absolute, relative } => {
                let near = |given: &f64, wanted: &f64| {
                    let difference = (wanted - given).abs();
                    difference <= *absolute || difference <= relative * wanted.abs()
                };
                judge_by(c_string(expected), c_string(got), double, near)
            }
            Tolerance::Extended { absolute, relative } => {
                let near = |given: &Extended, wanted: &Extended| near_extended(*given, *wanted, *absolute, *relative);
                judge_by(c_string(expected), c_string(got), extended, near)
            }
        }
    }
}

fn judge_by<'a, N>(
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

/// DOMjudge's comparison. The part is worked out by a division, so that of an answer of zero it is infinite or not a
/// number; a limit that is not a number forbids nothing.
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

/// Reads a `double` as problemtools does; infinities and NaN are text there.
fn double(text: &[u8]) -> Option<f64> {
    let number = match scanf::parse(text)? {
        Number::Nan | Number::Infinite { .. } => return None,
        Number::Hexadecimal(number) => {
            let exact = binary::from_hexadecimal(number.whole, number.fraction, number.exponent);
            binary::double(exact, number.negative)
        }
        // Like the C library's, the standard library's reading is the nearest double, for texts of any length.
        Number::Decimal { text, .. } => std::str::from_utf8(text).ok()?.parse().ok()?,
    };
    number.is_finite().then_some(number)
}

fn extended(text: &[u8]) -> Option<Extended> {
    scanf::parse(text).map(|number| Extended::from_number(&number))
}

/// An argument, which unlike a token may have whitespace around it.
pub(super) fn double_argument(text: &str) -> Option<f64> {
    double(trim(text))
}

/// An argument, which unlike a token may have whitespace around it.
pub(super) fn extended_argument(text: &str) -> Option<Extended> {
    extended(trim(text))
}

fn trim(text: &str) -> &[u8] {
    text.trim_matches(|letter: char| u8::try_from(letter).is_ok_and(is_blank)).as_bytes()
}
