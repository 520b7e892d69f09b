//! Turns a source into tokens that stay the same if names, literals, comments or layout change.

mod plain;
mod syntax;
mod unused;

use crate::family::Family;

/// A token of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// A digest of the normalised text.
    pub(crate) code: u32,
    /// The line on which the token begins, counted from 1.
    pub(crate) line: u32,
}

/// The normalised text of any name that the program may have chosen itself: variables, types, functions.
const NAME: &str = "name";
/// The normalised text of a call of a function that the program may have defined itself.
const CALL: &str = "call";
/// The normalised text of any number.
const NUMBER: &str = "0";
/// The normalised text of any string or character.
const TEXT: &str = "\"\"";

/// Punctuation that can be added or removed without changing the program, such as braces around one statement, and
/// punctuation that only closes or separates.
const IGNORED: [&str; 12] = ["(", ")", "{", "}", "]", ";", ",", ":", "", "\n", "then", "do"];

/// How much of a program a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The whole program. A name that the file does not use is not used.
    Whole,
    /// A part of a program, such as one of its files. Another part may use its names.
    Part,
}

/// Returns the tokens of a source; `None` if parsing it would take too much work.
pub(crate) fn tokens(family: &Family, text: &str, extent: Extent) -> Option<Vec<Token>> {
    match family.grammar() {
        Some(grammar) => syntax::tokens(grammar, text, extent),
        None => Some(plain::tokens(family, text)),
    }
}

/// Collects tokens and counts lines.
struct Collector<'t> {
    list: Vec<Token>,
    text: &'t [u8],
    /// The end of the text whose lines are counted, in bytes, and the line there.
    counted: (usize, u32),
}

impl<'t> Collector<'t> {
    fn new(text: &'t str) -> Self {
        Self { list: Vec::new(), text: text.as_bytes(), counted: (0, 1) }
    }

    /// Adds a token that begins at byte `start`. Ignores punctuation that does not count. Tokens must be added in the
    /// order of the text.
    fn push(&mut self, normalised: &str, start: usize) {
        if IGNORED.contains(&normalised) {
            return;
        }
        let (from, line) = self.counted;
        let start = start.clamp(from, self.text.len());
        let more = memchr::memchr_iter(b'\n', &self.text[from..start]).count();
        self.counted = (start, line + more as u32);
        self.list.push(Token { code: digest(normalised), line: self.counted.1 });
    }
}

/// Returns a digest of a text: FNV-1a, folded to 32 bits. Two texts with the same digest would make two programs a
/// little more similar than they are, so chance suffices here.
fn digest(text: &str) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as u32
}
