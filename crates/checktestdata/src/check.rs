//! Runs a program on an input.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use num_bigint::BigInt;

use crate::input::{Input, quoted};
use crate::pattern::Pattern;
use crate::program::{Action, Command, Comparison, Expression, FloatRule, Loop, LoopEnd, Notation, Program, Slot};
use crate::program::{Test, Variable};
use crate::value::{Operator, Value, fraction, negated};
use crate::variables::Variables;
use crate::{Failure, Limits, Position};

/// The number of steps after which the time limit is checked again.
const STEPS_PER_TIME_CHECK: u32 = 1 << 12;

/// The largest number of decimal digits that always fit into 64 bits.
const SHORT_DIGITS: usize = 18;

impl Program {
    /// Compares an input with the program. Fails if the input differs, if the program is broken, or if a limit is
    /// exceeded.
    pub fn check(&self, input: &[u8], limits: Limits) -> Result<(), Failure> {
        let mut check = Check {
            program: self,
            input: Input::new(input),
            variables: Variables::new(self.variables.len()),
            limits,
            steps: 0,
            patterns: HashMap::new(),
            command: self.commands.last(),
        };
        check.block(&self.commands).map_err(|stop| check.failure(stop))
    }
}

struct Check<'a> {
    program: &'a Program,
    input: Input<'a>,
    variables: Variables,
    limits: Limits,
    steps: u32,
    /// A cache of the patterns that were parsed during this check, by their text. Constant patterns are not in it,
    /// because they are parsed with the program.
    patterns: HashMap<Arc<[u8]>, Arc<Pattern>>,
    /// The command that is running. Messages give its position in the program.
    command: Option<&'a Command>,
}

/// The reason why a check ended without success. [`Check::failure`] converts it to a [`Failure`] and adds lines and
/// columns.
enum Stop {
    /// The input differs at this offset.
    Mismatch(usize, String),
    Broken(String),
    OutOfTime,
    OutOfMemory,
}

type Checked<T = ()> = Result<T, Stop>;

fn broken<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::Broken(message.into()))
}

impl<'a> Check<'a> {
    fn failure(&self, stop: Stop) -> Failure {
        let at = self.command.map_or(0, |command| command.at);
        let command_position = Position::at(&self.program.source, at);
        match stop {
            Stop::Mismatch(offset, message) => Failure::Mismatch {
                position: Position::at(self.input.data(), offset),
                message,
                command: self.command.map_or("", |command| command.action.name()),
                command_position,
            },
            Stop::Broken(message) => Failure::Broken { position: command_position, message },
            Stop::OutOfTime => Failure::OutOfTime,
            Stop::OutOfMemory => Failure::OutOfMemory(self.limits.memory_bytes >> 20),
        }
    }

    fn check_time_limit(&self) -> Checked {
        match self.limits.until {
            Some(until) if Instant::now() >= until => Err(Stop::OutOfTime),
            _ => Ok(()),
        }
    }

    fn block(&mut self, commands: &'a [Command]) -> Checked {
        commands.iter().try_for_each(|command| self.run(command))
    }

    /// Counts a step and checks the memory limit. Checks the time limit every [`STEPS_PER_TIME_CHECK`] steps.
    fn step(&mut self) -> Checked {
        self.steps = self.steps.wrapping_add(1);
        if self.variables.bytes > self.limits.memory_bytes {
            return Err(Stop::OutOfMemory);
        }
        if self.steps.is_multiple_of(STEPS_PER_TIME_CHECK) { self.check_time_limit() } else { Ok(()) }
    }

    fn run(&mut self, command: &'a Command) -> Checked {
        self.command = Some(command);
        self.step()?;
        match &command.action {
            Action::Space => self.literal(b" ", "a space"),
            Action::Newline => self.literal(b"\n", "the end of the line"),
            Action::Eof if self.input.peek().is_none() => Ok(()),
            Action::Eof => self.mismatch(self.input.at, "the end of the input"),
            Action::Integer { least, most, to } => self.integer(least, most, to.as_ref()),
            Action::Float(rule) => self.float(rule),
            Action::String(text) => {
                let text = self.string(text)?;
                self.literal(&text, &quoted(&text))
            }
            Action::Regex { pattern, to } => self.regex(pattern, to.as_ref()),
            Action::Assert(test) => {
                if self.test(test)? {
                    return Ok(());
                }
                Err(Stop::Mismatch(self.input.at, "the assertion is false".to_owned()))
            }
            Action::Set(assignments) => assignments.iter().try_for_each(|(variable, expression)| {
                let value = self.value(expression)?;
                self.assign(variable, value)
            }),
            Action::Unset(slots) => {
                for slot in slots {
                    self.variables.unset(*slot);
                }
                Ok(())
            }
            Action::Repeat(repeated) => self.repeat(repeated, command),
            Action::If { condition, then, otherwise } => {
                let block = if self.test(condition)? { then } else { otherwise };
                self.block(block)
            }
        }
    }

    fn mismatch<T>(&self, start: usize, expected: &str) -> Checked<T> {
        Err(Stop::Mismatch(start, format!("found {}, expected {expected}", self.input.found(start))))
    }

    fn literal(&mut self, text: &[u8], name: &str) -> Checked {
        if !self.input.rest().starts_with(text) {
            return self.mismatch(self.input.at, name);
        }
        self.input.at += text.len();
        Ok(())
    }

    fn integer(&mut self, least: &'a Expression, most: &'a Expression, to: Option<&'a Variable>) -> Checked {
        let (least, most) = (self.bound(least)?, self.bound(most)?);
        let start = self.input.at;
        let is_negative = self.input.takes(b'-');
        let digits = self.input.digits();
        if digits.is_empty() || (digits[0] == b'0' && (is_negative || digits.len() > 1)) {
            return self.mismatch(start, "an integer without leading zeros");
        }
        let value = if digits.len() <= SHORT_DIGITS {
            let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
            Value::Small(if is_negative { -number } else { number })
        } else {
            let number = BigInt::parse_bytes(digits, 10).unwrap_or_default();
            Value::integer(if is_negative { -number } else { number })
        };
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

    fn float(&mut self, rule: &'a FloatRule) -> Checked {
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
            return self.mismatch(start, "a float with an exponent from -1000000 to 1000000");
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

    fn string(&mut self, expression: &'a Expression) -> Checked<Arc<[u8]>> {
        match self.value(expression)? {
            Value::String(text) => Ok(text),
            other => broken(format!("found {}, expected a string", other.type_name())),
        }
    }

    fn regex(&mut self, expression: &'a Expression, to: Option<&'a Variable>) -> Checked {
        let length = if let Expression::Pattern(_, pattern) = expression {
            pattern.as_ref().as_ref().map_err(|message| Stop::Broken(message.clone()))?.length(self.input.rest())
        } else {
            let text = self.string(expression)?;
            self.pattern(text)?.length(self.input.rest())
        };
        let start = self.input.at;
        let Some(length) = length else {
            let text = self.string(expression)?;
            return self.mismatch(start, &format!("a match of {}", quoted(&text)));
        };
        let matched = &self.input.rest()[..length];
        self.input.at += length;
        to.map_or(Ok(()), |variable| self.assign(variable, Value::String(Arc::from(matched))))
    }

    fn pattern(&mut self, text: Arc<[u8]>) -> Checked<Arc<Pattern>> {
        if let Some(pattern) = self.patterns.get(&text) {
            return Ok(Arc::clone(pattern));
        }
        let pattern = Arc::new(Pattern::parse(&text).map_err(Stop::Broken)?);
        // A program can use any number of parts of the input as patterns, so the cache stores at most 16.
        if self.patterns.len() == 16 {
            self.patterns.clear();
        }
        self.patterns.insert(text, Arc::clone(&pattern));
        Ok(pattern)
    }

    fn repeat(&mut self, repeated: &'a Loop, command: &'a Command) -> Checked {
        let count = match &repeated.until {
            LoopEnd::While(_) => None,
            LoopEnd::Count(expression) => Some(match self.value(expression)? {
                Value::Small(count) if count >= 0 => count,
                Value::Small(count) => {
                    return broken(format!("the number of repetitions is {count}, expected a non-negative integer"));
                }
                other => {
                    return broken(format!(
                        "the number of repetitions is {}, expected an integer from 0 to 2^63 - 1",
                        other.type_name()
                    ));
                }
            }),
        };
        let mut iteration = 0;
        loop {
            self.command = Some(command);
            self.step()?;
            if let Some(counter) = &repeated.counter {
                self.assign(counter, Value::Small(iteration))?;
            }
            let continues = match &repeated.until {
                LoopEnd::Count(_) => count.is_some_and(|count| iteration < count),
                LoopEnd::While(test) => self.test(test)?,
            };
            if !continues {
                return Ok(());
            }
            if let Some(separator) = repeated.separator.as_ref().filter(|_| iteration > 0) {
                self.run(separator)?;
            }
            self.block(&repeated.body)?;
            iteration += 1;
        }
    }

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

    fn assign(&mut self, variable: &'a Variable, value: Value) -> Checked {
        if let [index] = &variable.indices[..] {
            let index = self.value(index)?;
            if index.is_integer() {
                self.variables.set(variable.slot, &[index], value);
                return Ok(());
            }
        }
        let indices = self.indices(variable)?;
        self.variables.set(variable.slot, &indices, value);
        Ok(())
    }

    fn value(&mut self, expression: &'a Expression) -> Checked<Value> {
        match expression {
            Expression::Constant(value) | Expression::Pattern(value, _) => Ok(value.clone()),
            Expression::Variable(variable) => {
                let indices = self.indices(variable)?;
                let value = self.variables.get(variable.slot, &indices).cloned();
                value.ok_or_else(|| {
                    Stop::Broken(format!("the variable {} is not set", self.name(variable.slot, &indices)))
                })
            }
            Expression::Length(text) => self.string(text).map(|text| Value::Small(text.len() as i64)),
            Expression::Negated(expression) => {
                let value = self.value(expression)?;
                negated(&value).map_err(Stop::Broken)
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
        operator.apply(left, right).map_err(Stop::Broken)
    }

    /// Names a variable with its indices, for messages.
    fn name(&self, slot: Slot, indices: &[Value]) -> String {
        let name = self.program.variables[slot].clone();
        let indices: Vec<_> = indices.iter().map(shown).collect();
        if indices.is_empty() { name } else { format!("{name}[{}]", indices.join(",")) }
    }

    fn test(&mut self, test: &'a Test) -> Checked<bool> {
        match test {
            Test::Not(test) => Ok(!self.test(test)?),
            Test::And(left, right) => Ok(self.test(left)? && self.test(right)?),
            Test::Or(left, right) => Ok(self.test(left)? || self.test(right)?),
            Test::Compare(comparison, left, right) => {
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
                if let Some(plain) = self.variables.get(*slot, &[]) {
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
            Stop::Mismatch(self.input.at, format!("UNIQUE requires that {first} and {other} have the same indices"))
        })
    }
}

/// Compares two numbers or two strings. A number and a string cannot be compared.
fn compared(left: &Value, right: &Value) -> Checked<Ordering> {
    let order = left.compare(right);
    order.ok_or_else(|| Stop::Broken(format!("cannot compare {} with {}", left.type_name(), right.type_name())))
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

/// Formats a value for a message, shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Small(number) => number.to_string(),
        Value::Large(number) if number.bits() > 200 => format!("a number of {} bits", number.bits()),
        Value::Large(number) => number.to_string(),
        Value::Float(number) if number.is_integer() => shown(&Value::integer(number.numer().clone())),
        Value::Float(number) => num_traits::ToPrimitive::to_f64(&**number).unwrap_or(f64::NAN).to_string(),
        Value::String(text) => quoted(text),
    }
}
