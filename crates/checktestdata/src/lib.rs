//! An interpreter of checktestdata, a language for input validators.
//!
//! A program describes the bytes of a test case's input: commands match numbers, strings and regular expressions, and
//! loops repeat them. [`Program::parse`] reads a program, and [`Program::check`] compares an input with it. A check is
//! strict: it allows no whitespace that the program does not name.
//!
//! The language is that of the published specification (`doc/format-spec.md` and `doc/regex-spec.md` of
//! <https://github.com/DOMjudge/checktestdata>). `FLOATP` and `STRLEN` come from the current grammar in the same
//! repository. Where the specification does not define a case, the interpreter behaves like the package `checktestdata`
//! of PyPI. A test compares the interpreter with that package.
//!
//! - Integers and floats are exact. A float is a fraction, so that `0.1 + 0.2 == 0.3`. An operation on integers
//!   gives an integer; division rounds towards zero.
//! - `^` is left-associative and binds more strongly than the sign. `&&` binds more strongly than `||`.
//! - A program that reads an undefined variable, divides by zero or compares a string with a number is broken. The
//!   check then says nothing about the input.
//! - Programs come from packages, which are not trusted. A check ends at the given time and memory limits.
//!
//! [`tokens`] splits a program, [`parse`] builds the [`program`], and [`check`] runs it. [`variables`] stores the
//! values, [`value`] computes with them, [`decimal`] compares numbers of the input with bounds. [`pattern`] matches regular expressions. The crate reads no files and starts
//! no processes.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]
#![forbid(unsafe_code)]

mod check;
mod decimal;
mod input;
mod parse;
mod pattern;
mod program;
mod tokens;
mod value;
mod variables;

use std::fmt;
use std::time::Instant;

pub use program::Program;

/// A line and a column, both counted from 1. Columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
}

impl Position {
    /// Returns the position of the byte at `offset`. An offset beyond the end gives the position after the last byte.
    pub(crate) fn at(text: &[u8], offset: usize) -> Position {
        let before = &text[..offset.min(text.len())];
        let line = before.split(|byte| *byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        Position { line, column: before.len() - start + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The first mistake in a text that is not a valid program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct SyntaxError {
    /// The position in the program.
    pub position: Position,
    /// What was found, and what is allowed.
    pub message: String,
}

/// The limits of a check.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time at which the check gives up; `None` if it may take as long as it needs.
    pub until: Option<Instant>,
    /// Says whether the user interrupts the check. It is asked as often as the time.
    pub is_interrupted: fn() -> bool,
    /// The maximum size of the variables' values, in bytes.
    pub memory_bytes: usize,
}

/// The reason why an input is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The input differs from what the program describes.
    #[error("{position}: {message} ({command} at {} of the validator)", command_position)]
    Mismatch {
        /// The position in the input.
        position: Position,
        /// What was found, and what is allowed.
        message: String,
        /// The name of the command that does not match.
        command: &'static str,
        /// The position of that command in the program.
        command_position: Position,
    },
    /// A command of the program cannot be executed, so nothing is known about the input.
    #[error("{position}: {message}")]
    Broken {
        /// The position in the program.
        position: Position,
        /// What is wrong.
        message: String,
    },
    /// The check took more time than [`Limits::until`] allows.
    #[error("the check took too long")]
    OutOfTime,
    /// The user interrupted the check (see [`Limits::is_interrupted`]).
    #[error("the check was interrupted")]
    Interrupted,
    /// The variables took more memory than [`Limits::memory_bytes`] allows. The number is this limit in MiB.
    #[error("the values of the variables take more than {0} MiB")]
    OutOfMemory(usize),
}
