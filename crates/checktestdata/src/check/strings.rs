//! Matches strings and regular expressions.

use std::sync::Arc;

use super::{Check, Checked, Stop, broken};
use crate::input::quoted;
use crate::pattern::Pattern;
use crate::program::{Expression, Variable};
use crate::value::Value;

impl<'a> Check<'a> {
    pub(super) fn string(&mut self, expression: &'a Expression) -> Checked<Arc<[u8]>> {
        match self.value(expression)? {
            Value::String(text) => Ok(text),
            other => broken(format!("found {}, expected a string", other.type_name())),
        }
    }

    pub(super) fn regex(&mut self, expression: &'a Expression, to: Option<&'a Variable>) -> Checked {
        let length = if let Expression::Pattern(_, pattern) = expression {
            pattern.as_ref().as_ref().map_err(|message| Stop::broken(message.clone()))?.length(self.input.rest())
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
        let pattern = Arc::new(Pattern::parse(&text).map_err(Stop::broken)?);
        // A program can use any number of parts of the input as patterns, so the cache stores at most 16.
        if self.patterns.len() == 16 {
            self.patterns.clear();
        }
        self.patterns.insert(text, Arc::clone(&pattern));
        Ok(pattern)
    }
}
