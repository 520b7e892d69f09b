//! Describes for people what is wrong with an output, and where.

use std::fmt;

/// The first place where an output is not what the answer asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The kind of mismatch.
    pub kind: Kind,
    /// The place in the answer file, as a byte offset from 0: where the token, or the run of whitespace, begins.
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
    /// The run of whitespace differs, which counts here.
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

/// How many bytes of a token are kept for a message: one more than is shown, so that the cut can be seen.
pub(super) const KEPT: usize = SHOWN + 1;

/// Enough of a token to quote it. A hundred-megabyte token is not copied into a message.
pub(super) fn keep(token: &[u8]) -> Vec<u8> {
    token[..token.len().min(KEPT)].to_vec()
}

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
            Kind::Token { expected, got } => {
                write!(f, "line {line}: expected {}, got {}", quote(expected), quote(got))?;
            }
            Kind::LetterCase { expected, got } => {
                write!(
                    f,
                    "line {line}: expected {}, got {}: upper and lower case differ",
                    quote(expected),
                    quote(got)
                )?;
            }
            Kind::Number { expected, got } => {
                write!(f, "line {line}: expected {}, got {}: outside the tolerance", quote(expected), quote(got))?;
            }
            Kind::NotANumber { expected, got } => {
                write!(f, "line {line}: expected the number {}, got {}", quote(expected), quote(got))?;
            }
            Kind::Whitespace { expected, got } => {
                write!(f, "line {line}: expected the whitespace {}, got {}", quote(expected), quote(got))?;
            }
            Kind::TooShort { expected } => {
                let expected = quote(expected);
                return write!(f, "the output ends where {expected} is expected (answer line {answer_line})");
            }
            Kind::TooLong { got } => write!(f, "line {line}: expected the end of the output, got {}", quote(got))?,
        }
        // Mostly the lines are the same, and then the number is said once.
        if answer_line == line { Ok(()) } else { write!(f, " (answer line {answer_line})") }
    }
}
