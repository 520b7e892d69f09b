//! Describes the first mismatch between an output and the answer.

use std::fmt;

/// The first mismatch between an output and the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The kind of mismatch.
    pub kind: Kind,
    /// The byte offset of the token or run of whitespace in the answer file, counted from 0.
    pub answer_offset: usize,
    /// The byte offset of the token or run of whitespace in the output, counted from 0.
    pub output_offset: usize,
    /// The line of `answer_offset` in the answer file, counted from 1.
    pub answer_line: usize,
    /// The line of `output_offset` in the output, counted from 1.
    pub output_line: usize,
}

/// The kinds of mismatch. Tokens and whitespace are cut to 41 bytes, one more than a message shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tokens differ.
    Token {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The tokens differ only in upper and lower case, and `case_sensitive` is given.
    LetterCase {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The number is outside the tolerance.
    Number {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The answer has a number, and the output has a token that is not a number.
    NotANumber {
        /// The answer's token.
        expected: Vec<u8>,
        /// The output's token.
        got: Vec<u8>,
    },
    /// The runs of whitespace differ, and `space_change_sensitive` is given.
    Whitespace {
        /// The answer's whitespace.
        expected: Vec<u8>,
        /// The output's whitespace.
        got: Vec<u8>,
    },
    /// The output ends too early.
    TooShort {
        /// The answer's next token.
        expected: Vec<u8>,
    },
    /// The output has more tokens than the answer.
    TooLong {
        /// The output's next token.
        got: Vec<u8>,
    },
}

/// The maximum number of bytes of a token that a message shows.
const MAX_SHOWN: usize = 40;

/// The number of bytes of a token that are stored for a message. It is one more than a message shows, so that [`quote`]
/// knows whether it cuts the token.
pub(super) const MAX_STORED: usize = MAX_SHOWN + 1;

/// Copies the first [`MAX_STORED`] bytes of a token, because a token can be a hundred megabytes long.
pub(super) fn shortened(token: &[u8]) -> Vec<u8> {
    token[..token.len().min(MAX_STORED)].to_vec()
}

/// Quotes a token for a message. Cuts the token, and escapes everything but printable ASCII, so that an output cannot
/// imitate the judge's text.
pub fn quote(token: &[u8]) -> String {
    let shown: String = token.iter().take(MAX_SHOWN).flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
    let cut = if token.len() > MAX_SHOWN { "..." } else { "" };
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
        // The two line numbers are usually equal. Then the message omits the line of the answer.
        if answer_line == line { Ok(()) } else { write!(f, " (answer line {answer_line})") }
    }
}
