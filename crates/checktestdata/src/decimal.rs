//! Decimal numbers as an input has them. A number of a few characters such as `1e-1000000` can have millions of digits,
//! so comparing does not expand it: the magnitude decides, or the first digits do.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;

use crate::value::Value;

/// The maximum number of digits of a float that is computed with, when it is written without an exponent. Adding two
/// floats of this size takes about 0.1 s.
pub(crate) const MOST_FLOAT_DIGITS: usize = 19_000;

/// The maximum number of digits that are compared with a bound. More digits than the first few matter only if those are
/// equal to the bound's.
const MOST_COMPARED_DIGITS: usize = 1_000_000;

/// The number of digits that are compared with a bound first.
const FIRST_DIGITS: usize = 40;

/// The number of digits that [`integer`] converts in one step.
const BLOCK_DIGITS: usize = 512;

/// Exponents are cut to this size. Larger ones are beyond the magnitude of every value.
const LARGEST_EXPONENT: i64 = 1 << 60;

/// A decimal number: `digits` as an integer, times 10 to the power of `exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    is_negative: bool,
    /// Without zeros at the beginning and the end; empty for 0.
    digits: Vec<u8>,
    exponent: i64,
}

/// The reason why two numbers are not compared, or why a number is not converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// The time is over.
    OutOfTime,
    /// The number has more digits than this.
    TooLong(usize),
}

impl Decimal {
    /// Parses a number such as `-1.5e3`. The caller has checked its form.
    pub(crate) fn parse(text: &[u8]) -> Decimal {
        let (is_negative, text) = text.strip_prefix(b"-").map_or((false, text), |text| (true, text));
        let end = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
        let (mantissa, exponent) = (&text[..end], text.get(end + 1..).map_or(0, exponent));
        let point = mantissa.iter().position(|byte| *byte == b'.');
        let decimals = point.map_or(0, |at| mantissa.len() - at - 1);
        let mut digits: Vec<u8> = mantissa.iter().copied().filter(|byte| *byte != b'.').collect();
        let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        let cut = digits.len() - kept;
        digits.truncate(kept);
        let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(0);
        digits.drain(..first);
        Decimal { is_negative, digits, exponent: exponent - decimals as i64 + cut as i64 }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Compares the number with a value. Returns `None` if the value is a string. Asks `is_over` before each long step.
    /// Fails if the time is over, or if the number has too many digits that are equal to the value's.
    pub(crate) fn compare(&self, bound: &Value, is_over: &dyn Fn() -> bool) -> Result<Option<Ordering>, Unfinished> {
        let one = BigInt::from(1);
        let (numer, denom) = match bound {
            Value::Small(number) => (Cow::Owned(BigInt::from(*number)), &one),
            Value::Large(number) => (Cow::Borrowed(&**number), &one),
            Value::Float(number) => (Cow::Borrowed(number.numer()), number.denom()),
            Value::String(_) => return Ok(None),
        };
        let (own, other) = (self.sign(), numer.sign());
        if own != other || own == Sign::NoSign {
            return Ok(Some(own.cmp(&other)));
        }
        let order = self.compare_magnitudes(numer.magnitude(), denom.magnitude(), is_over)?;
        Ok(Some(if self.is_negative { order.reverse() } else { order }))
    }

    fn sign(&self) -> Sign {
        match self.is_negative {
            _ if self.is_zero() => Sign::NoSign,
            true => Sign::Minus,
            false => Sign::Plus,
        }
    }

    /// Compares the absolute value, which is not 0, with the fraction `numer` / `denom`, which is not 0.
    fn compare_magnitudes(
        &self,
        numer: &BigUint,
        denom: &BigUint,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Ordering, Unfinished> {
        let difference = i128::from(numer.bits()) - i128::from(denom.bits());
        // The number is at least 10^(power - 1) and less than 10^power. The fraction is more than 2^(difference - 1)
        // and less than 2^(difference + 1).
        let power = i128::from(self.exponent) + self.digits.len() as i128;
        if floor_bits(power - 1) > difference {
            return Ok(Ordering::Greater);
        }
        if ceiling_bits(power) < difference {
            return Ok(Ordering::Less);
        }
        let mut count = FIRST_DIGITS;
        loop {
            let (first, rest) = self.digits.split_at(count.min(self.digits.len()));
            if first.len() > MOST_COMPARED_DIGITS {
                return Err(Unfinished::TooLong(MOST_COMPARED_DIGITS));
            }
            let exponent = self.exponent + rest.len() as i64;
            let first = integer(first, is_over)?;
            let order = compare_exactly(&first, exponent, (numer, denom), is_over)?;
            if rest.is_empty() {
                return Ok(order);
            }
            // The rest is more than 0, because the last digit is not 0, and less than one unit of the first digits.
            if order != Ordering::Less {
                return Ok(Ordering::Greater);
            }
            if compare_exactly(&(first + 1_u32), exponent, (numer, denom), is_over)? != Ordering::Greater {
                return Ok(Ordering::Less);
            }
            count *= 32;
        }
    }

    /// Returns the value of a number without a decimal point and without an exponent.
    pub(crate) fn to_integer(&self, is_over: &dyn Fn() -> bool) -> Result<Value, Unfinished> {
        let zeros = u32::try_from(self.exponent).ok().filter(|zeros| *zeros as usize <= MOST_COMPARED_DIGITS * 2);
        let zeros = zeros.ok_or(Unfinished::TooLong(MOST_COMPARED_DIGITS * 2))?;
        let number = BigInt::from(integer(&self.digits, is_over)? * BigUint::from(10_u32).pow(zeros));
        Ok(Value::integer(if self.is_negative { -number } else { number }))
    }

    /// Returns the value as a float. Fails if it has more than [`MOST_FLOAT_DIGITS`] digits when it is written without
    /// an exponent.
    pub(crate) fn to_float(&self, is_over: &dyn Fn() -> bool) -> Result<Value, Unfinished> {
        let too_long = Unfinished::TooLong(MOST_FLOAT_DIGITS);
        if self.is_zero() {
            return Ok(Value::float(BigRational::from_integer(BigInt::ZERO)));
        }
        let zeros = u32::try_from(self.exponent.unsigned_abs()).map_err(|_| too_long)?;
        if self.digits.len().max(zeros as usize) > MOST_FLOAT_DIGITS
            || (self.exponent > 0 && self.digits.len() + zeros as usize > MOST_FLOAT_DIGITS)
        {
            return Err(too_long);
        }
        if zeros as usize > BLOCK_DIGITS && is_over() {
            return Err(Unfinished::OutOfTime);
        }
        let digits = BigInt::from(integer(&self.digits, is_over)?);
        let digits = if self.is_negative { -digits } else { digits };
        let scale = BigInt::from(10).pow(zeros);
        Ok(Value::float(if self.exponent < 0 {
            BigRational::new(digits, scale)
        } else {
            BigRational::from_integer(digits * scale)
        }))
    }
}

/// Parses an exponent such as `-3`, and cuts it to [`LARGEST_EXPONENT`].
fn exponent(text: &[u8]) -> i64 {
    let is_negative = text.first() == Some(&b'-');
    let digits = text.strip_prefix(b"+").or_else(|| text.strip_prefix(b"-")).unwrap_or(text);
    let add = |number: i64, digit: &u8| number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let number = digits.iter().fold(0, add).min(LARGEST_EXPONENT);
    if is_negative { -number } else { number }
}

/// Returns the largest known whole number that is at most the binary logarithm of 10^`power`.
fn floor_bits(power: i128) -> i128 {
    // The binary logarithm of 10 is between 3.3219 and 3.3220.
    (power * if power < 0 { 33_220 } else { 33_219 }).div_euclid(10_000)
}

/// Returns the smallest known whole number that is at least the binary logarithm of 10^`power`.
fn ceiling_bits(power: i128) -> i128 {
    -floor_bits(-power)
}

/// Compares `digits` * 10^`exponent` with `numer` / `denom`. Both have about the same magnitude.
fn compare_exactly(
    digits: &BigUint,
    exponent: i64,
    (numer, denom): (&BigUint, &BigUint),
    is_over: &dyn Fn() -> bool,
) -> Result<Ordering, Unfinished> {
    let size = exponent.unsigned_abs();
    let power = u32::try_from(size).map_err(|_| Unfinished::TooLong(MOST_COMPARED_DIGITS))?;
    if size > BLOCK_DIGITS as u64 && is_over() {
        return Err(Unfinished::OutOfTime);
    }
    let scale = BigUint::from(10_u32).pow(power);
    Ok(if exponent < 0 { (digits * denom).cmp(&(numer * scale)) } else { (digits * scale * denom).cmp(numer) })
}

/// Converts digits to an integer; no digits give 0. Asks `is_over` before each long step. The conversion halves the
/// digits, because converting them from left to right takes time that grows with the square of their number.
fn integer(digits: &[u8], is_over: &dyn Fn() -> bool) -> Result<BigUint, Unfinished> {
    // scales[i] is 10^(BLOCK_DIGITS * 2^i).
    let mut scales: Vec<BigUint> = Vec::new();
    while BLOCK_DIGITS << scales.len() < digits.len() {
        if is_over() {
            return Err(Unfinished::OutOfTime);
        }
        scales.push(match scales.last() {
            Some(scale) => scale * scale,
            None => BigUint::from(10_u32).pow(BLOCK_DIGITS as u32),
        });
    }
    halved(digits, &scales, is_over)
}

fn halved(digits: &[u8], scales: &[BigUint], is_over: &dyn Fn() -> bool) -> Result<BigUint, Unfinished> {
    let Some((scale, smaller)) = scales.split_last() else {
        return Ok(BigUint::parse_bytes(digits, 10).unwrap_or_default());
    };
    let low = BLOCK_DIGITS << smaller.len();
    if digits.len() <= low {
        return halved(digits, smaller, is_over);
    }
    if is_over() {
        return Err(Unfinished::OutOfTime);
    }
    let (high, low) = digits.split_at(digits.len() - low);
    Ok(halved(high, smaller, is_over)? * scale + halved(low, smaller, is_over)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: &dyn Fn() -> bool = &|| false;

    fn float(text: &str) -> Value {
        Decimal::parse(text.as_bytes()).to_float(NEVER).unwrap()
    }

    fn order(text: &str, bound: &Value) -> Ordering {
        Decimal::parse(text.as_bytes()).compare(bound, NEVER).unwrap().unwrap()
    }

    #[test]
    fn comparing_a_text_is_comparing_its_value() {
        let texts = [
            "0",
            "-0.0",
            "1",
            "-1",
            "0.1",
            "0.10",
            "1e-1",
            "10",
            "9.99",
            "9.990e0",
            "-9.99",
            "1e1",
            "123456789e-4",
            "12345.6789",
            "-12345.6789",
            "2e30",
            "2e-30",
            "0.0000000001",
            "9223372036854775808",
            "-9223372036854775809",
            "0.333333333333333333333333333333333333333333333333333333",
            "1E+2",
            "99.99999999999999999999999999999999999999",
        ];
        for one in texts {
            for other in texts {
                let wanted = float(one).compare(&float(other)).unwrap();
                assert_eq!(order(one, &float(other)), wanted, "{one} {other}");
            }
            assert_eq!(Decimal::parse(one.as_bytes()).compare(&Value::String(b"1"[..].into()), NEVER), Ok(None));
        }
    }

    #[test]
    fn a_third_is_compared_by_as_many_digits_as_needed() {
        let third = Value::float(BigRational::new(1.into(), 3.into()));
        let threes = "3".repeat(5000);
        assert_eq!(order(&format!("0.{threes}"), &third), Ordering::Less);
        assert_eq!(order(&format!("0.{threes}4"), &third), Ordering::Greater);
        assert_eq!(order(&format!("-0.{threes}4"), &third), Ordering::Less);
        let endless = format!("0.{}", "3".repeat(MOST_COMPARED_DIGITS + 1));
        let over = Decimal::parse(endless.as_bytes()).compare(&third, &|| true);
        assert_eq!(over, Err(Unfinished::OutOfTime));
    }

    #[test]
    fn numbers_of_any_exponent_are_compared_without_being_expanded() {
        let one = Value::Small(1);
        for (text, wanted) in [
            ("1e1000000", Ordering::Greater),
            ("1e-1000000", Ordering::Less),
            ("-1e1000000", Ordering::Less),
            ("1e99999999999999999999", Ordering::Greater),
            ("1e-99999999999999999999", Ordering::Less),
            ("0e99999999999999999999", Ordering::Less),
            ("1000000e-6", Ordering::Equal),
        ] {
            assert_eq!(order(text, &one), wanted, "{text}");
        }
        let long = format!("1.{}1", "0".repeat(3_000_000));
        assert_eq!(order(&long, &one), Ordering::Greater);
        assert_eq!(order(&"9".repeat(3_000_000), &Value::Small(i64::MAX)), Ordering::Greater);
    }

    #[test]
    fn digits_are_halved_without_a_change_of_their_value() {
        for count in [0, 1, 511, 512, 513, 1024, 1025, 5000] {
            let digits: Vec<u8> = (0..count).map(|at| b'0' + (at * 7 % 10) as u8).collect();
            let wanted = BigUint::parse_bytes(&digits, 10).unwrap_or_default();
            assert_eq!(integer(&digits, NEVER), Ok(wanted), "{count}");
        }
        assert_eq!(integer(&[b'7'; 5000], &|| true), Err(Unfinished::OutOfTime));
    }

    #[test]
    fn zero_may_have_any_exponent_and_other_floats_may_not() {
        for text in ["0e5000000", "-0.00E-5000000", "0e99999999999999999999"] {
            assert_eq!(float(text), Value::Small(0), "{text}");
        }
        for text in ["1e5000000", "-0.01E-5000000", "1e99999999999999999999", "1e-19001", "1e19000"] {
            let number = Decimal::parse(text.as_bytes()).to_float(NEVER);
            assert_eq!(number, Err(Unfinished::TooLong(MOST_FLOAT_DIGITS)), "{text}");
        }
    }
}
