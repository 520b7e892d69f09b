//! Matches integers and floats.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::values::shown;
use super::{Check, Checked, broken};
use crate::program::{Expression, FloatRule, Notation, Variable};
use crate::value::{Value, fraction};

impl<'a> Check<'a> {
    pub(super) fn integer(&mut self, least: &'a Expression, most: &'a Expression, to: Option<&'a Variable>) -> Checked {
        if let Some((least, most)) = self.small(least).zip(self.small(most))
            && let Some((number, length)) = self.input.short_integer()
            && (least..=most).contains(&number)
        {
            self.input.at += length;
            return to.map_or(Ok(()), |variable| self.assign_small(variable, number));
        }
        self.any_integer(least, most, to)
    }

    /// Matches an integer of any size. Fails with the first mistake.
    #[cold]
    fn any_integer(&mut self, least: &'a Expression, most: &'a Expression, to: Option<&'a Variable>) -> Checked {
        let (least, most) = (self.bound(least)?, self.bound(most)?);
        let start = self.input.at;
        let is_negative = self.input.takes(b'-');
        let digits = self.input.digits();
        if digits.is_empty() || (digits[0] == b'0' && (is_negative || digits.len() > 1)) {
            return self.mismatch(start, "an integer without leading zeros");
        }
        let number = BigInt::parse_bytes(digits, 10).unwrap_or_default();
        let value = Value::integer(if is_negative { -number } else { number });
        self.within(start, &value, &least, &most)?;
        to.map_or(Ok(()), |variable| self.assign(variable, value))
    }

    /// Evaluates a bound of `INT`.
    fn bound(&mut self, expression: &'a Expression) -> Checked<Value> {
        let value = self.value(expression)?;
        if value.is_integer() {
            return Ok(value);
        }
        broken(format!("a bound of INT is {}, expected an integer", value.type_name()))
    }

    fn within(&self, start: usize, value: &Value, least: &Value, most: &Value) -> Checked {
        let orders = value.compare(least).zip(value.compare(most));
        let Some((with_least, with_most)) = orders else {
            return broken("a bound of FLOAT or FLOATP is a string, expected a number");
        };
        if with_least != Ordering::Less && with_most != Ordering::Greater {
            return Ok(());
        }
        self.mismatch(start, &format!("a number from {} to {}", shown(least), shown(most)))
    }

    pub(super) fn float(&mut self, rule: &'a FloatRule) -> Checked {
        let (least, most) = (self.value(&rule.least)?, self.value(&rule.most)?);
        let decimals = match &rule.decimals {
            Some((least, most)) => Some((self.count_of_decimals(least)?, self.count_of_decimals(most)?)),
            None => None,
        };
        let expected = match rule.notation {
            Notation::Any => "a float",
            Notation::Fixed => "a float without an exponent",
            Notation::Scientific => "a float with an exponent",
        };
        let start = self.input.at;
        let is_negative = self.input.takes(b'-');
        let whole = self.input.digits();
        let mut is_right = !whole.is_empty() && (whole[0] != b'0' || whole.len() == 1);
        let mut fraction_digits: &[u8] = b"";
        if is_right && self.input.takes(b'.') {
            fraction_digits = self.input.digits();
            is_right = !fraction_digits.is_empty();
        }
        let has_exponent = matches!(self.input.peek(), Some(b'e' | b'E'));
        is_right &= has_exponent || rule.notation != Notation::Scientific;
        if is_right && has_exponent && rule.notation != Notation::Fixed {
            self.input.at += 1;
            let _ = self.input.takes(b'+') || self.input.takes(b'-');
            let exponent = self.input.digits();
            is_right = !exponent.is_empty() && (exponent[0] != b'0' || exponent.len() == 1);
        }
        if !is_right {
            return self.mismatch(start, expected);
        }
        if let Some((fewest, most)) = &decimals {
            let count = Value::Small(fraction_digits.len() as i64);
            if count.compare(fewest) == Some(Ordering::Less) || count.compare(most) == Some(Ordering::Greater) {
                return self.mismatch(start, &format!("a float with {} to {} decimals", shown(fewest), shown(most)));
            }
            if has_exponent && (whole.len() != 1 || whole == b"0") {
                return self.mismatch(start, "one digit from 1 to 9 before the decimal point");
            }
        }
        let text = str::from_utf8(&self.input.data()[start..self.input.at]).unwrap_or_default();
        let Some(number) = fraction(text) else {
            return self.mismatch(start, "a float of at most 1000000 digits when written without an exponent");
        };
        let value = Value::float(number);
        self.within(start, &value, &least, &most)?;
        if is_negative && value == Value::Small(0) {
            return self.mismatch(start, "zero without a sign");
        }
        rule.to.as_ref().map_or(Ok(()), |variable| self.assign(variable, value))
    }

    fn count_of_decimals(&mut self, expression: &'a Expression) -> Checked<Value> {
        let value = self.value(expression)?;
        if value.is_integer() && value.compare(&Value::Small(0)) != Some(Ordering::Less) {
            return Ok(value);
        }
        broken("the numbers of decimals of FLOATP must be non-negative integers")
    }
}
