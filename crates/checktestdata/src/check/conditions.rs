//! Evaluates conditions.

use std::cmp::Ordering;

use super::{Check, Checked, Stop};
use crate::program::{Comparison, Slot, Test};
use crate::value::Value;

impl<'a> Check<'a> {
    pub(super) fn test(&mut self, test: &'a Test) -> Checked<bool> {
        match test {
            Test::Not(test) => Ok(!self.test(test)?),
            Test::And(left, right) => Ok(self.test(left)? && self.test(right)?),
            Test::Or(left, right) => Ok(self.test(left)? || self.test(right)?),
            Test::Compare(comparison, left, right) => {
                if let Some((left, right)) = self.small(left).zip(self.small(right)) {
                    return Ok(comparison.holds(left.cmp(&right)));
                }
                let (left, right) = (self.value(left)?, self.value(right)?);
                compared(&left, &right).map(|order| comparison.holds(order))
            }
            Test::Match(set) => {
                let set = self.string(set)?;
                Ok(self.input.peek().is_some_and(|byte| set.contains(&byte)))
            }
            Test::IsEof => Ok(self.input.peek().is_none()),
            Test::Unique(slots) => self.unique(slots),
            Test::InArray(value, slot) => {
                let value = self.value(value)?;
                if let Some(plain) = self.variables.plain(*slot) {
                    compared(plain, &value)?;
                }
                Ok(self.variables.contains(*slot, &value))
            }
        }
    }

    fn unique(&mut self, slots: &[Slot]) -> Checked<bool> {
        if let [slot] = slots {
            return Ok(self.variables.is_unique(*slot));
        }
        self.check_time_limit()?;
        self.variables.are_unique(slots).map_err(|other| {
            let [first, other] = [slots[0], other].map(|slot| &self.program.variables[slot]);
            Stop::mismatch(self.input.at, format!("UNIQUE requires that {first} and {other} have the same indices"))
        })
    }
}

/// Compares two numbers or two strings. A number and a string cannot be compared.
fn compared(left: &Value, right: &Value) -> Checked<Ordering> {
    let order = left.compare(right);
    order.ok_or_else(|| Stop::broken(format!("cannot compare {} with {}", left.type_name(), right.type_name())))
}

impl Comparison {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Less => order.is_lt(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtMost => order.is_le(),
            Comparison::AtLeast => order.is_ge(),
            Comparison::Equal => order.is_eq(),
            Comparison::Unequal => order.is_ne(),
        }
    }
}
