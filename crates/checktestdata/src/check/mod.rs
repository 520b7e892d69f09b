//! Runs a program on an input. This module runs blocks and loops; its submodules match and compute.

mod conditions;
mod numbers;
mod strings;
mod values;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::input::{Input, quoted};
use crate::pattern::Pattern;
use crate::program::{Action, Command, Loop, LoopEnd, Program};
use crate::value::Value;
use crate::variables::Variables;
use crate::{Failure, Limits, Position};

/// The number of steps after which the time limit is checked again.
const STEPS_PER_TIME_CHECK: u32 = 1 << 12;

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
enum Reason {
    /// The input differs at this offset.
    Mismatch(usize, String),
    Broken(String),
    OutOfTime,
    OutOfMemory,
}

/// A [`Reason`] in a box, so that the `Result` of a step fits into a register.
struct Stop(Box<Reason>);

impl Stop {
    fn mismatch(offset: usize, message: String) -> Stop {
        Stop(Box::new(Reason::Mismatch(offset, message)))
    }

    fn broken(message: String) -> Stop {
        Stop(Box::new(Reason::Broken(message)))
    }
}

type Checked<T = ()> = Result<T, Stop>;

fn broken<T>(message: impl Into<String>) -> Checked<T> {
    Err(Stop::broken(message.into()))
}

impl<'a> Check<'a> {
    fn failure(&self, stop: Stop) -> Failure {
        let at = self.command.map_or(0, |command| command.at);
        let command_position = Position::at(&self.program.source, at);
        match *stop.0 {
            Reason::Mismatch(offset, message) => Failure::Mismatch {
                position: Position::at(self.input.data(), offset),
                message,
                command: self.command.map_or("", |command| command.action.name()),
                command_position,
            },
            Reason::Broken(message) => Failure::Broken { position: command_position, message },
            Reason::OutOfTime if (self.limits.is_interrupted)() => Failure::Interrupted,
            Reason::OutOfTime => Failure::OutOfTime,
            Reason::OutOfMemory => Failure::OutOfMemory(self.limits.memory_bytes >> 20),
        }
    }

    /// Whether the time limit is reached, or the user interrupts the check.
    fn is_over(&self) -> bool {
        self.limits.until.is_some_and(|until| Instant::now() >= until) || (self.limits.is_interrupted)()
    }

    fn check_time_limit(&self) -> Checked {
        if self.is_over() { Err(Stop(Box::new(Reason::OutOfTime))) } else { Ok(()) }
    }

    fn block(&mut self, commands: &'a [Command]) -> Checked {
        commands.iter().try_for_each(|command| self.run(command))
    }

    /// Counts a step and checks the memory limit. Checks the time limit every [`STEPS_PER_TIME_CHECK`] steps.
    #[inline]
    fn step(&mut self) -> Checked {
        self.steps = self.steps.wrapping_add(1);
        if self.variables.bytes > self.limits.memory_bytes {
            return Err(Stop(Box::new(Reason::OutOfMemory)));
        }
        if self.steps.is_multiple_of(STEPS_PER_TIME_CHECK) { self.check_time_limit() } else { Ok(()) }
    }

    fn run(&mut self, command: &'a Command) -> Checked {
        self.command = Some(command);
        self.step()?;
        match &command.action {
            Action::Space => self.literal(b" ", || "a space".to_owned()),
            Action::Newline => self.literal(b"\n", || "the end of the line".to_owned()),
            Action::Eof if self.input.peek().is_none() => Ok(()),
            Action::Eof => self.mismatch(self.input.at, "the end of the input"),
            Action::Integer { least, most, to } => self.integer(least, most, to.as_ref()),
            Action::Float(rule) => self.float(rule),
            Action::String(text) => {
                let text = self.string(text)?;
                self.literal(&text, || quoted(&text))
            }
            Action::Regex { pattern, to } => self.regex(pattern, to.as_ref()),
            Action::Assert(test) => {
                if self.test(test)? {
                    return Ok(());
                }
                Err(Stop::mismatch(self.input.at, "the assertion is false".to_owned()))
            }
            Action::Set(assignments) => assignments.iter().try_for_each(|(variable, expression)| {
                if let Some(number) = self.small(expression) {
                    return self.assign_small(variable, number);
                }
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

    #[cold]
    fn mismatch<T>(&self, start: usize, expected: &str) -> Checked<T> {
        Err(Stop::mismatch(start, format!("found {}, expected {expected}", self.input.found(start))))
    }

    /// Matches `text`, which messages call `name`.
    fn literal(&mut self, text: &[u8], name: impl FnOnce() -> String) -> Checked {
        if !self.input.rest().starts_with(text) {
            return self.mismatch(self.input.at, &name());
        }
        self.input.at += text.len();
        Ok(())
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
                self.assign_small(counter, iteration)?;
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
}
