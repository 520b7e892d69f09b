//! Exact scores: three thirds of 100 are 100, and no intermediate result is rounded.
//!
//! With binary floating point, seven sevenths of a maximum could exceed it slightly, which the format treats as a judge
//! error. Scores are decimals; they are divided by numbers of cases and multiplied by decimals, so rational numbers
//! represent every result exactly. Reports round to the nearest double and print its shortest decimal form.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Sub};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, ToPrimitive, Zero};

/// A score, or a factor for scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(BigRational);

/// The maximum number of characters of a score in a file. The format requires that judges accept 30 digits on each side
/// of the point.
const LONGEST: usize = 400;

/// The maximum number of characters of a fraction that [`Score::of_exact`] parses.
const LONGEST_EXACT: usize = 1 << 16;

/// The maximum absolute value of an exponent. A larger one is outside the range of doubles, and its power of ten would
/// need too much memory.
const LARGEST_EXPONENT: i32 = 330;

impl Score {
    /// Returns the score 0.
    pub fn zero() -> Score {
        Score::default()
    }

    /// Returns an integer score.
    pub fn whole(number: u64) -> Score {
        Score(BigRational::from_integer(BigInt::from(number)))
    }

    /// Parses a decimal number, optionally with an exponent. Returns `None` for any other text, for numbers that are
    /// too long, and for numbers outside the range of doubles. See the section "General requirements" of format
    /// 2025-09.
    pub fn parse(text: &str) -> Option<Score> {
        if text.len() > LONGEST {
            return None;
        }
        let (negative, unsigned) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (significand, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((significand, exponent)) => (significand, read_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (before, after) = significand.split_once('.').unwrap_or((significand, ""));
        let digits = [before, after].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: BigInt = digits.parse().ok()?;
        let scaled = BigRational::from_integer(if negative { -number } else { number });
        let power = exponent - i32::try_from(after.len()).ok()?;
        let ten = BigInt::from(10).pow(power.unsigned_abs());
        let score = Score(if power < 0 { scaled / ten } else { scaled * ten });
        score.to_f64().is_finite().then_some(score)
    }

    /// Returns the score as an exact fraction, which [`Score::of_exact`] parses.
    pub fn exact(&self) -> String {
        self.0.to_string()
    }

    /// Parses the result of [`Score::exact`]. Returns `None` for any other text.
    pub fn of_exact(text: &str) -> Option<Score> {
        (text.len() <= LONGEST_EXACT).then(|| text.parse().ok().map(Score))?
    }

    /// Returns whether the score is less than 0.
    pub fn is_negative(&self) -> bool {
        self.0 < BigRational::zero()
    }

    /// Returns whether the score is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Returns the score as an integer; `None` if it is not an integer or outside the range of `i64`.
    pub fn to_i64(&self) -> Option<i64> {
        self.0.is_integer().then(|| self.0.to_integer().to_i64()).flatten()
    }

    /// Returns this score divided by `other`; `None` if `other` is 0.
    pub fn ratio(&self, other: &Score) -> Option<Score> {
        (!other.is_zero()).then(|| Score(&self.0 / &other.0))
    }

    /// Returns the score in whole hundredths; half a hundredth is rounded up. A number outside the range of `i64`
    /// becomes the nearest end of that range.
    pub fn to_hundredths(&self) -> i64 {
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        let rounded = (&self.0 * BigInt::from(100) + half).floor().to_integer();
        rounded.to_i64().unwrap_or(if self.is_negative() { i64::MIN } else { i64::MAX })
    }

    /// Returns the nearest double.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }

    /// Returns whether the score differs from `other` by at most 1e-6, or by at most 1e-6 times the absolute value of
    /// `other` if that value exceeds 1.
    pub fn is_about(&self, other: &Score) -> bool {
        let (difference, size) = ((self - other).0.to_f64(), other.to_f64().abs().max(1.0));
        difference.is_some_and(|difference| difference.abs() <= size * 1e-6)
    }
}

fn read_exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent: i32 = text.parse().ok()?;
    (exponent.abs() <= LARGEST_EXPONENT).then_some(exponent)
}

/// Prints the shortest decimal that identifies the nearest double.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_f64().to_string())
    }
}

impl Add<&Score> for Score {
    type Output = Score;

    fn add(self, other: &Score) -> Score {
        Score(self.0 + &other.0)
    }
}

impl Sub for &Score {
    type Output = Score;

    fn sub(self, other: &Score) -> Score {
        Score(&self.0 - &other.0)
    }
}

impl Mul for &Score {
    type Output = Score;

    fn mul(self, other: &Score) -> Score {
        Score(&self.0 * &other.0)
    }
}

/// Divides the score into equal parts. Dividing by 0 returns the score itself.
impl Div<usize> for Score {
    type Output = Score;

    fn div(self, parts: usize) -> Score {
        Score(self.0 / BigInt::from(parts.max(1)))
    }
}

impl<'a> Sum<&'a Score> for Score {
    fn sum<I: Iterator<Item = &'a Score>>(scores: I) -> Score {
        scores.fold(Score::zero(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn score(text: &str) -> Score {
        Score::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn decimals_are_read_as_the_format_writes_them() {
        let numbers =
            [("1", 1.0), ("+0.5", 0.5), (".5", 0.5), ("5.", 5.0), ("-2.5e1", -25.0), ("5e1", 50.0), ("1E-2", 0.01)];
        for (text, value) in numbers {
            assert_eq!(score(text).to_f64().to_bits(), f64::to_bits(value), "{text}");
        }
        for text in
            ["", ".", "-", "e5", "1e", "1e+", "inf", "nan", "0x1", "1_0", " 1", "1 ", "--1", "+-1", "1e999", "١"]
        {
            assert_eq!(Score::parse(text), None, "{text:?}");
        }
        assert_eq!(Score::parse(&"1".repeat(LONGEST + 1)), None);
    }

    #[test]
    fn parts_of_a_whole_add_up_to_it() {
        for parts in 1..50 {
            let part = Score::whole(100) / parts;
            assert_eq!(vec![part; parts].iter().sum::<Score>(), Score::whole(100));
        }
        let tenth = score("0.1");
        assert_eq!([&tenth, &tenth, &tenth].into_iter().sum::<Score>().to_string(), "0.3");
    }

    #[test]
    fn a_score_is_told_as_short_as_it_can_be() {
        assert_eq!((score("30.0").to_string(), score("30.0").to_i64()), ("30".to_owned(), Some(30)));
        assert_eq!((score("0.1").to_string(), score("0.1").to_i64()), ("0.1".to_owned(), None));
        assert_eq!((Score::whole(100) / 3).to_string(), (100.0_f64 / 3.0).to_string());
    }

    #[test]
    fn a_decimal_of_six_places_stands_for_a_third() {
        let third = Score::whole(100) / 3;
        assert!(third.is_about(&score("33.333333")) && !third.is_about(&score("33.333")));
    }

    proptest! {
        #[test]
        fn every_double_is_read_as_itself(number in prop::num::f64::NORMAL | prop::num::f64::ZERO) {
            prop_assume!(number.abs() < 1e300);
            // A score of 0 has no sign, so the test expects 0.0 for -0.0. Adding 0.0 turns -0.0 into 0.0.
            let bits = (number + 0.0).to_bits();
            prop_assert_eq!(score(&number.to_string()).to_f64().to_bits(), bits);
            prop_assert_eq!(score(&format!("{number:e}")).to_f64().to_bits(), bits);
        }
    }
}
