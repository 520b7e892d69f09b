//! Computes the values of expressions, and assigns values to variables.

use num_traits::ToPrimitive;

use super::{Check, Checked, Stop, broken};
use crate::input::quoted;
use crate::program::{Expression, Slot, Variable};
use crate::value::{Operator, Value, negated};

impl<'a> Check<'a> {
    fn indices(&mut self, variable: &'a Variable) -> Checked<Vec<Value>> {
        let mut indices = Vec::with_capacity(variable.indices.len());
        for expression in &variable.indices {
            let index = self.value(expression)?;
            if !index.is_integer() {
                let name = &self.program.variables[variable.slot];
                return broken(format!("an index of {name} is {}, expected an integer", index.type_name()));
            }
            indices.push(index);
        }
        Ok(indices)
    }

    /// Assigns a small integer, like [`Check::assign`] but faster.
    pub(super) fn assign_small(&mut self, variable: &'a Variable, number: i64) -> Checked {
        let is_done = match &variable.indices[..] {
            [] => {
                self.variables.set_plain(variable.slot, number);
                true
            }
            [index] => self.small(index).is_some_and(|index| self.variables.set_small(variable.slot, index, number)),
            _ => false,
        };
        if is_done { Ok(()) } else { self.assign(variable, Value::Small(number)) }
    }

    /// Assigns a value. Fails if an index cannot be computed or is not an integer.
    pub(super) fn assign(&mut self, variable: &'a Variable, value: Value) -> Checked {
        if let [index] = &variable.indices[..]
            && let Some(index) = self.small(index)
        {
            self.variables.set(variable.slot, &[Value::Small(index)], value);
            return Ok(());
        }
        let indices = self.indices(variable)?;
        self.variables.set(variable.slot, &indices, value);
        Ok(())
    }

    /// Computes an expression whose value and whose parts are all small integers. Returns `None` for any other
    /// expression, and if the computation fails. The caller then uses [`Check::value`], which finds the value or the
    /// mistake.
    #[inline]
    pub(super) fn small(&self, expression: &Expression) -> Option<i64> {
        match expression {
            Expression::Constant(Value::Small(number)) => Some(*number),
            Expression::Variable(Variable { slot, indices }) if indices.is_empty() => self.variables.small(*slot),
            _ => self.small_computed(expression),
        }
    }

    fn small_computed(&self, expression: &Expression) -> Option<i64> {
        match expression {
            Expression::Variable(Variable { slot, indices }) => match &indices[..] {
                [index] => self.variables.small_element(*slot, self.small(index)?),
                _ => None,
            },
            Expression::Negated(negated) => self.small(negated)?.checked_neg(),
            Expression::Binary(operator, left, right) => operator.apply_small(self.small(left)?, self.small(right)?),
            _ => None,
        }
    }

    pub(super) fn value(&mut self, expression: &'a Expression) -> Checked<Value> {
        match expression {
            Expression::Constant(value) | Expression::Pattern(value, _) => Ok(value.clone()),
            Expression::Variable(variable) => {
                let indices = self.indices(variable)?;
                let value = self.variables.get(variable.slot, &indices);
                value.ok_or_else(|| {
                    Stop::broken(format!("the variable {} is not set", self.name(variable.slot, &indices)))
                })
            }
            Expression::Length(text) => self.string(text).map(|text| Value::Small(text.len() as i64)),
            Expression::Negated(expression) => {
                let value = self.value(expression)?;
                negated(&value).map_err(Stop::broken)
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.compute(*operator, &left, &right)
            }
        }
    }

    fn compute(&self, operator: Operator, left: &Value, right: &Value) -> Checked<Value> {
        if !matches!((left, right), (Value::Small(_), Value::Small(_))) {
            // Computing with large numbers takes long, so the time limit is checked before each operation.
            self.check_time_limit()?;
        }
        operator.apply(left, right).map_err(Stop::broken)
    }

    /// Names a variable with its indices, for messages.
    fn name(&self, slot: Slot, indices: &[Value]) -> String {
        let name = self.program.variables[slot].clone();
        let indices: Vec<_> = indices.iter().map(shown).collect();
        if indices.is_empty() { name } else { format!("{name}[{}]", indices.join(",")) }
    }
}

/// Formats a value for a message. Long values are shortened, and fractions are rounded.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Small(number) => number.to_string(),
        Value::Large(number) if number.bits() > 200 => format!("a number of {} bits", number.bits()),
        Value::Large(number) => number.to_string(),
        Value::Float(number) if number.is_integer() => shown(&Value::integer(number.numer().clone())),
        Value::Float(number) => number.to_f64().unwrap_or(f64::NAN).to_string(),
        Value::String(text) => quoted(text),
    }
}
