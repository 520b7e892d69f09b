//! Reads text with positions: strict lines for inputs, and tokens for outputs, where whitespace does not matter.
//!
//! Both readers work on any [`BufRead`] with bounded memory. So even a gigabyte of garbage needs only one buffer, and
//! the error message names the line and column.

use std::fmt;
use std::io::{self, BufRead};

/// The maximum length of a line, in bytes; longer lines are errors. A longer token is no error, but only its first
/// bytes, up to this number, are stored. Legal lines and tokens are far shorter.
pub const LONGEST: usize = 4096;

/// A position in a text: line and column, both counted from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The error for a text that is not legal at some position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: found {found}, allowed: {allowed}")]
pub struct Illegal {
    /// The position.
    pub place: TextPosition,
    /// The text found there.
    pub found: String,
    /// The text allowed there.
    pub allowed: String,
}

/// The reason why an input could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not legal.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The text could not be read at all.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

/// One line of a text, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line's number, from 1.
    pub number: u64,
    /// The line's bytes, without the line feed.
    pub bytes: Vec<u8>,
}

impl Line {
    /// Returns the position of the byte at `index` (from 0).
    pub fn place(&self, index: usize) -> TextPosition {
        TextPosition { line: self.number, column: index as u64 + 1 }
    }

    /// Returns the error for a byte that is not allowed at `index` (from 0). An `index` one past the last byte means
    /// that the line ends too early.
    pub fn illegal(&self, index: usize, allowed: impl Into<String>) -> Illegal {
        let found = self.bytes.get(index).map_or_else(|| "the end of the line".to_owned(), |&byte| describe(byte));
        Illegal { place: self.place(index), found, allowed: allowed.into() }
    }
}

/// Returns the words that error messages use for a byte.
pub fn describe(byte: u8) -> String {
    match byte {
        b' ' => "a blank".to_owned(),
        b'\t' => "a tab".to_owned(),
        b'\r' => "a carriage return (0x0D, a Windows line end)".to_owned(),
        0 => "a NUL byte (0x00)".to_owned(),
        0x21..=0x7e => format!("'{}'", byte as char),
        _ => format!("byte 0x{byte:02X}"),
    }
}

/// Reads a text line by line.
pub struct Lines<'a> {
    source: Box<dyn BufRead + 'a>,
    read: u64,
}

impl<'a> Lines<'a> {
    /// Creates a reader of `source`.
    pub fn new(source: impl BufRead + 'a) -> Self {
        Lines { source: Box::new(source), read: 0 }
    }

    /// Returns the next line, or `None` at the end. A last line without a line feed counts as a line; the empty rest
    /// after a final line feed does not. Fails if the line is longer than [`LONGEST`].
    pub fn next_line(&mut self) -> Result<Option<Line>, ReadError> {
        let mut bytes = Vec::new();
        let mut ended = false;
        while !ended {
            let chunk = self.source.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            let feed = chunk.iter().position(|&byte| byte == b'\n');
            let take = feed.unwrap_or(chunk.len());
            bytes.extend_from_slice(&chunk[..take.min(LONGEST + 1 - bytes.len())]);
            ended = feed.is_some() || bytes.len() > LONGEST;
            let used = take + usize::from(feed.is_some());
            self.source.consume(used);
        }
        if bytes.is_empty() && !ended {
            return Ok(None);
        }
        self.read += 1;
        let line = Line { number: self.read, bytes };
        if line.bytes.len() > LONGEST {
            return Err(too_long(&line).into());
        }
        Ok(Some(line))
    }

    /// Returns the next line that is not empty, or `None` at the end.
    pub fn next_nonempty_line(&mut self) -> Result<Option<Line>, ReadError> {
        while let Some(line) = self.next_line()? {
            if !line.bytes.is_empty() {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Returns the next line. Fails at the end of the input; the error names `allowed` as the text that was expected.
    pub fn expect_line(&mut self, allowed: &str) -> Result<Line, ReadError> {
        match self.next_line()? {
            Some(line) => Ok(line),
            None => Err(self.at_end(allowed).into()),
        }
    }

    /// Returns the error for an input that ends too early.
    pub fn at_end(&self, allowed: impl Into<String>) -> Illegal {
        Illegal {
            place: TextPosition { line: self.read + 1, column: 1 },
            found: "the end of the input".to_owned(),
            allowed: allowed.into(),
        }
    }
}

/// Returns the error for a line of more than [`LONGEST`] bytes. If the line holds a byte that no puzzle's input
/// contains, the error points at that byte, because that helps the user more than the length.
fn too_long(line: &Line) -> Illegal {
    match line.bytes.iter().position(|byte| !matches!(byte, b' ' | 0x21..=0x7e)) {
        Some(index) => line.illegal(index, "printable ASCII characters and blanks"),
        None => Illegal {
            place: line.place(LONGEST),
            found: format!("a line of more than {LONGEST} bytes"),
            allowed: "the line's end".to_owned(),
        },
    }
}

/// A run of bytes without whitespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The position of the token's first byte.
    pub place: TextPosition,
    /// The token's bytes; only the first [`LONGEST`] are stored.
    pub bytes: Vec<u8>,
}

impl Token {
    /// Returns the token for a message: cut to 40 bytes, with bytes that are not printable ASCII escaped.
    pub fn quoted(&self) -> String {
        let shown: String = self.bytes.iter().take(40).flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
        let cut = if self.bytes.len() > 40 { "..." } else { "" };
        format!("'{shown}{cut}'")
    }
}

/// Reads a text token by token; tokens are separated by runs of ASCII blanks (space, HT, LF, VT, FF, CR).
pub struct Tokens<'a> {
    source: Box<dyn BufRead + 'a>,
    place: TextPosition,
}

impl<'a> Tokens<'a> {
    /// Creates a reader of `source`.
    pub fn new(source: impl BufRead + 'a) -> Self {
        Tokens { source: Box::new(source), place: TextPosition { line: 1, column: 1 } }
    }

    /// Returns the position of the next unread byte.
    pub fn place(&self) -> TextPosition {
        self.place
    }

    /// Returns the next token, or `None` at the end.
    pub fn next_token(&mut self) -> io::Result<Option<Token>> {
        let mut token: Option<Token> = None;
        loop {
            let chunk = self.source.fill_buf()?;
            if chunk.is_empty() {
                return Ok(token);
            }
            let mut used = 0;
            let mut ended = false;
            for &byte in chunk {
                if is_blank(byte) {
                    if token.is_some() {
                        ended = true;
                        break;
                    }
                } else {
                    let token = token.get_or_insert_with(|| Token { place: self.place, bytes: Vec::new() });
                    if token.bytes.len() < LONGEST {
                        token.bytes.push(byte);
                    }
                }
                self.place = after(self.place, byte);
                used += 1;
            }
            self.source.consume(used);
            if ended {
                return Ok(token);
            }
        }
    }
}

fn after(place: TextPosition, byte: u8) -> TextPosition {
    if byte == b'\n' {
        TextPosition { line: place.line + 1, column: 1 }
    } else {
        TextPosition { line: place.line, column: place.column + 1 }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_and_the_last_needs_no_line_feed() {
        let mut lines = Lines::new(&b"a\n\nbc"[..]);
        assert_eq!(lines.next_line().unwrap().unwrap(), Line { number: 1, bytes: b"a".to_vec() });
        assert_eq!(lines.next_nonempty_line().unwrap().unwrap(), Line { number: 3, bytes: b"bc".to_vec() });
        assert!(lines.next_line().unwrap().is_none());
        assert_eq!(lines.at_end("a row").to_string(), "line 4, column 1: found the end of the input, allowed: a row");
    }

    #[test]
    fn a_line_without_end_is_refused_with_bounded_memory() {
        let endless = std::io::BufReader::new(std::io::repeat(b'w'));
        let error = Lines::new(endless).next_line().unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 4097: found a line of more than 4096 bytes, allowed: the line's end"
        );
    }

    #[test]
    fn rubbish_without_line_ends_is_shown_where_it_starts() {
        let zeros = std::io::BufReader::new(std::io::repeat(0));
        let error = Lines::new(zeros).next_line().unwrap_err();
        assert!(error.to_string().starts_with("line 1, column 1: found a NUL byte (0x00)"), "{error}");
    }

    #[test]
    fn tokens_know_their_places_across_chunks() {
        let source = std::io::BufReader::with_capacity(3, &b"  ab\n\tcdefg \r\n"[..]);
        let mut tokens = Tokens::new(source);
        let first = tokens.next_token().unwrap().unwrap();
        assert_eq!((first.place.to_string(), first.bytes), ("line 1, column 3".to_owned(), b"ab".to_vec()));
        let second = tokens.next_token().unwrap().unwrap();
        assert_eq!((second.place.to_string(), second.bytes), ("line 2, column 2".to_owned(), b"cdefg".to_vec()));
        assert!(tokens.next_token().unwrap().is_none());
    }

    #[test]
    fn a_token_in_a_message_is_whole_up_to_40_bytes_and_printable() {
        let quoted =
            |bytes: &[u8]| Token { place: TextPosition { line: 1, column: 1 }, bytes: bytes.to_vec() }.quoted();
        let forty = "x".repeat(40);
        assert_eq!(quoted(forty.as_bytes()), format!("'{forty}'"));
        assert_eq!(quoted(format!("{forty}y").as_bytes()), format!("'{forty}...'"));
        assert_eq!(quoted(b"\x1b[2J\xff"), "'\\x1b[2J\\xff'");
    }
}
