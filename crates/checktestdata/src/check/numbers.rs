//! Matches integers and floats.

use std::cmp::Ordering;

use super::values::shown;
use super::{Check, Checked, Reason, Stop, broken};
use crate::decimal::{Decimal, Unfinished};
use crate::program::{Expression, FloatRule, Notation, Variable};
use crate::value::Value;

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
        let number = Decimal::parse(&self.input.data()[start..self.input.at]);
        self.within(start, &number, &least, &most)?;
        let Some(variable) = to else { return Ok(()) };
        let value = number.to_integer(&|| self.is_over()).map_err(|unfinished| stop_of(unfinished, "stored"))?;
        self.assign(variable, value)
    }

    /// Evaluates a bound of `INT`.
    fn bound(&mut self, expression: &'a Expression) -> Checked<Value> {
        let value = self.value(expression)?;
        if value.is_integer() {
            return Ok(value);
        }
        broken(format!("a bound of INT is {}, expected an integer", value.type_name()))
    }

    fn within(&self, start: usize, number: &Decimal, least: &Value, most: &Value) -> Checked {
        let compare = |bound: &Value| {
            let order = number.compare(bound, &|| self.is_over());
            order.map_err(|unfinished| stop_of(unfinished, "compared with this bound"))
        };
        let Some((with_least, with_most)) = compare(least)?.zip(compare(most)?) else {
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
        let number = Decimal::parse(&self.input.data()[start..self.input.at]);
        self.within(start, &number, &least, &most)?;
        if is_negative && number.is_zero() {
            return self.mismatch(start, "zero without a sign");
        }
        let Some(variable) = &rule.to else { return Ok(()) };
        let value = match number.to_float(&|| self.is_over()) {
            Err(Unfinished::TooLong(most)) => {
                return self.mismatch(start, &format!("at most {most} digits, written without an exponent"));
            }
            stored => stored.map_err(|unfinished| stop_of(unfinished, "stored"))?,
        };
        self.assign(variable, value)
    }

    fn count_of_decimals(&mut self, expression: &'a Expression) -> Checked<Value> {
        let value = self.value(expression)?;
        if value.is_integer() && value.compare(&Value::Small(0)) != Some(Ordering::Less) {
            return Ok(value);
        }
        broken("the numbers of decimals of FLOATP must be non-negative integers")
    }
}

/// Returns the reason why a check ends if a number cannot be compared or stored. `doing` is what was to be done.
fn stop_of(unfinished: Unfinished, doing: &str) -> Stop {
    match unfinished {
        Unfinished::OutOfTime => Stop(Box::new(Reason::OutOfTime)),
        Unfinished::TooLong(most) => Stop::broken(format!(
            "a number with more than {most} digits, when it is written without an exponent, cannot be {doing}"
        )),
    }
}
