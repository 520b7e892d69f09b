//! The default output validator: bytes against bytes. Pure.
//!
//! The rules are those of the problem package format 2025-09, section "Default Output Validator":
//! both files are byte strings; whitespace is 0x20 and 0x09 to 0x0D and nothing else; tokens are compared one by one;
//! where a tolerance is given and the *answer's* token is a number, the output's token must be one too and near
//! enough (exactly computed, see [`decimal`]); all other tokens must be equal, upper and lower case ASCII letters
//! being the same unless `case_sensitive`; with `space_change_sensitive` every run of whitespace must be the same
//! bytes.

pub mod decimal;
pub mod options;

use std::fmt;

use crate::compare::decimal::Decimal;
pub use crate::compare::options::{Options, OptionsError};

/// The first place where an output is not what the answer asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What is wrong.
    pub kind: Kind,
    /// The place in the answer file, as a byte offset from 0.
    pub answer_offset: usize,
    /// The place in the output, as a byte offset from 0.
    pub output_offset: usize,
    /// The line in the answer file, from 1.
    pub answer_line: usize,
    /// The line in the output, from 1.
    pub output_line: usize,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tokens differ.
    Token {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The tokens differ in upper and lower case only, which counts here.
    LetterCase {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The number is too far away.
    Number {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// A number was expected and something else came.
    NotANumber {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The whitespace before this token differs, which counts here.
    Whitespace {
        /// The answer's whitespace.
        expected: Vec<u8>,
        /// The output's whitespace.
        got: Vec<u8>,
    },
    /// The output ends where the answer goes on.
    TooShort {
        /// The answer's next token.
        expected: Vec<u8>,
    },
    /// The output goes on where the answer ends.
    TooLong {
        /// The output's next token.
        got: Vec<u8>,
    },
}

/// Tokens in messages are cut to this many bytes.
const SHOWN: usize = 40;

/// A token for people: quoted, cut, everything that is not printable ASCII escaped. It cannot imitate the judge.
pub fn quote(token: &[u8]) -> String {
    let shown: String = token.iter().take(SHOWN).flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
    let cut = if token.len() > SHOWN { "..." } else { "" };
    format!("\"{shown}{cut}\"")
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (answer_line, line) = (self.answer_line, self.output_line);
        match &self.kind {
            Kind::Token { expected, got } => write!(f, "line {line}: expected {}, got {}", quote(expected), quote(got)),
            Kind::LetterCase { expected, got } => {
                write!(f, "line {line}: expected {}, got {}: upper and lower case differ", quote(expected), quote(got))
            }
            Kind::Number { expected, got } => {
                write!(f, "line {line}: expected {}, got {}: outside the tolerance", quote(expected), quote(got))
            }
            Kind::NotANumber { expected, got } => {
                write!(f, "line {line}: expected the number {}, got {}", quote(expected), quote(got))
            }
            Kind::Whitespace { expected, got } => {
                write!(f, "line {line}: expected the whitespace {}, got {}", quote(expected), quote(got))
            }
            Kind::TooShort { expected } => {
                write!(f, "the output ends where {} is expected (answer line {answer_line})", quote(expected))
            }
            Kind::TooLong { got } => write!(f, "line {line}: expected the end of the output, got {}", quote(got)),
        }
    }
}

/// Compares an output with the answer. `Err` holds the first place that is wrong.
pub fn compare(answer: &[u8], output: &[u8], options: &Options) -> Result<(), Mismatch> {
    // Equal bytes are right under every option, and most right outputs are equal bytes.
    if answer == output {
        return Ok(());
    }
    let mut expected = Scanner { text: answer, position: 0 };
    let mut got = Scanner { text: output, position: 0 };
    loop {
        let blanks = (expected.whitespace(), got.whitespace());
        if options.space_change_sensitive && blanks.0 != blanks.1 {
            let kind = Kind::Whitespace { expected: keep(blanks.0), got: keep(blanks.1) };
            return Err(mismatch(kind, answer, expected.position, output, got.position));
        }
        let starts = (expected.position, got.position);
        let kind = match (expected.token(), got.token()) {
            ([], []) => return Ok(()),
            ([], extra) => Some(Kind::TooLong { got: keep(extra) }),
            (missing, []) => Some(Kind::TooShort { expected: keep(missing) }),
            (wanted, found) => token_mismatch(wanted, found, options),
        };
        if let Some(kind) = kind {
            return Err(mismatch(kind, answer, starts.0, output, starts.1));
        }
    }
}

/// Enough of a token to quote it. A hundred-megabyte token is not copied into a message.
fn keep(token: &[u8]) -> Vec<u8> {
    token[..token.len().min(SHOWN + 1)].to_vec()
}

fn mismatch(kind: Kind, answer: &[u8], answer_offset: usize, output: &[u8], output_offset: usize) -> Mismatch {
    let line_at = |text: &[u8], offset: usize| memchr::memchr_iter(b'\n', &text[..offset]).count() + 1;
    Mismatch {
        kind,
        answer_offset,
        output_offset,
        answer_line: line_at(answer, answer_offset),
        output_line: line_at(output, output_offset),
    }
}

fn token_mismatch(expected: &[u8], got: &[u8], options: &Options) -> Option<Kind> {
    if expected == got {
        return None;
    }
    if let Some(tolerance) = &options.tolerance
        && let Some(number) = Decimal::parse(expected)
    {
        return number_mismatch(&number, tolerance, expected, got);
    }
    if !expected.eq_ignore_ascii_case(got) {
        return Some(Kind::Token { expected: keep(expected), got: keep(got) });
    }
    options.case_sensitive.then(|| Kind::LetterCase { expected: keep(expected), got: keep(got) })
}

fn number_mismatch(number: &Decimal, tolerance: &options::Tolerance, expected: &[u8], got: &[u8]) -> Option<Kind> {
    let Some(given) = Decimal::parse(got) else {
        return Some(Kind::NotANumber { expected: keep(expected), got: keep(got) });
    };
    let near = tolerance.absolute.as_ref().is_some_and(|limit| decimal::within(&given, number, limit))
        || tolerance
            .relative
            .as_ref()
            .is_some_and(|limit| decimal::within(&given, number, &limit.times_size_of(number)));
    (!near).then(|| Kind::Number { expected: keep(expected), got: keep(got) })
}

/// Walks a text by whitespace and tokens in turn.
struct Scanner<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Scanner<'a> {
    fn whitespace(&mut self) -> &'a [u8] {
        self.run(is_whitespace)
    }

    /// The next token; empty at the end.
    fn token(&mut self) -> &'a [u8] {
        self.run(|byte| !is_whitespace(byte))
    }

    fn run(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.position..];
        let length = rest.iter().position(|&byte| !belongs(byte)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }
}

/// The format's whitespace: no NUL, no no-break space, no byte order mark.
fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

#[cfg(test)]
mod tests;
