//! Compares the answer with the output, from the beginning to the first mismatch.
//!
//! Both texts are compared byte by byte in large blocks. Letter case is ignored unless `case_sensitive` is given.
//! Whitespace bytes are interchangeable unless `space_change_sensitive` is given. An output that equals the answer in
//! this sense is correct under every option and in every dialect. In particular, numbers that differ only in letter
//! case have the same value. At a difference, the comparison handles the two tokens, or the two runs of whitespace, and
//! continues after them. So both texts are read once.

use std::io::{self, BufRead};

use super::answer::Answer;
use super::bytes::{blank_length, is_blank, last_blank_start, last_token_start, line_feeds, token_length};
use super::mismatch::{Kind, Mismatch, shortened};
use super::scanf::c_string;
use super::tolerance::Nearness;
use super::{Dialect, Options, fast_path};

pub(super) struct Walk<'a, R> {
    answer: Answer<R>,
    output: &'a [u8],
    /// The number of accepted bytes of the output.
    accepted: usize,
    /// The number of accepted lines of the answer, minus those of the output.
    more_lines: isize,
    options: &'a Options,
}

/// The next byte of the answer and of the output; `None` at the end of the text.
type Pair = (Option<u8>, Option<u8>);

impl<'a, R: BufRead> Walk<'a, R> {
    pub(super) fn new(answer: R, output: &'a [u8], options: &'a Options) -> Self {
        Walk { answer: Answer::new(answer), output, accepted: 0, more_lines: 0, options }
    }

    /// Returns the first mismatch; `None` if the output is correct.
    pub(super) fn run(mut self) -> io::Result<Option<Mismatch>> {
        loop {
            self.skip_accepted()?;
            let pair = self.pair()?;
            let mismatch = match pair {
                (None, None) => return Ok(None),
                _ if self.is_inside_tokens(pair) => self.compare_tokens(pair)?,
                _ if self.options.space_change_sensitive && is_blank_pair(pair) => Some(self.different_blanks()?),
                _ => self.skip_blanks()?,
            };
            if mismatch.is_some() {
                return Ok(mismatch);
            }
        }
    }

    /// Skips everything that the fast path accepts.
    fn skip_accepted(&mut self) -> io::Result<()> {
        loop {
            let piece = self.answer.ahead()?;
            let progress = fast_path::accept(piece, self.output, self.accepted, self.options);
            let continues = progress.answer > 0 && progress.answer == piece.len();
            self.answer.advance(progress.answer, progress.folded);
            self.accepted = progress.output;
            self.more_lines += progress.more_lines;
            if !continues {
                return Ok(());
            }
        }
    }

    fn pair(&mut self) -> io::Result<Pair> {
        Ok((self.answer.peek()?, self.output.get(self.accepted).copied()))
    }

    /// Returns whether the difference is inside tokens, rather than in the whitespace before them.
    fn is_inside_tokens(&self, pair: Pair) -> bool {
        let in_token = |byte: Option<u8>| byte.is_some_and(|byte| !is_blank(byte));
        match (in_token(pair.0), in_token(pair.1)) {
            (true, true) => true,
            (false, false) => false,
            // If a token has begun, one of the two tokens ends here and the other continues.
            _ => self.output[..self.accepted].last().is_some_and(|&byte| !is_blank(byte)),
        }
    }

    /// Compares two tokens that differ as text, and consumes them.
    fn compare_tokens(&mut self, pair: Pair) -> io::Result<Option<Mismatch>> {
        let start = last_token_start(&self.output[..self.accepted]);
        let shared = &self.output[start..self.accepted];
        let got = &self.output[start..self.accepted + token_length(&self.output[self.accepted..])];
        let options = self.options;
        let answer_start = self.answer.offset() - shared.len();
        let same = options.dialect == Dialect::Kattis && same_c_strings(shared, pair);
        let kind =
            self.answer.token(shared, |expected| if same { None } else { kind_of_mismatch(expected, got, options) })?;
        self.accepted = start + got.len();
        Ok(kind.map(|kind| self.mismatch(kind, answer_start, start)))
    }

    /// Skips whitespace in both texts. Returns a mismatch if one text then ends and the other text has one more token.
    fn skip_blanks(&mut self) -> io::Result<Option<Mismatch>> {
        let length = blank_length(&self.output[self.accepted..]);
        let lines = line_feeds(&self.output[self.accepted..self.accepted + length]);
        self.accepted += length;
        self.more_lines += self.answer.skip_blanks()? as isize - lines as isize;
        let (answer_start, start) = (self.answer.offset(), self.accepted);
        let kind = match self.pair()? {
            (None, Some(_)) => {
                let rest = &self.output[start..];
                Kind::TooLong { got: shortened(&rest[..token_length(rest)]) }
            }
            (Some(_), None) => Kind::TooShort { expected: self.answer.token(&[], shortened)? },
            _ => return Ok(None),
        };
        Ok(Some(self.mismatch(kind, answer_start, start)))
    }

    /// Returns the mismatch of two different runs of whitespace.
    fn different_blanks(&mut self) -> io::Result<Mismatch> {
        let start = last_blank_start(&self.output[..self.accepted]);
        let shared = &self.output[start..self.accepted];
        let got = &self.output[start..self.accepted + blank_length(&self.output[self.accepted..])];
        let answer_start = self.answer.offset() - shared.len();
        let kind = Kind::Whitespace { expected: self.answer.blanks(shared)?, got: shortened(got) };
        Ok(self.mismatch(kind, answer_start, start))
    }

    fn mismatch(&self, kind: Kind, answer_offset: usize, output_offset: usize) -> Mismatch {
        let output_line = line_feeds(&self.output[..output_offset]) + 1;
        // Only accepted whitespace can make the line numbers of the answer and the output differ.
        let answer_line = output_line.saturating_add_signed(self.more_lines);
        Mismatch { kind, answer_offset, output_offset, answer_line, output_line }
    }
}

fn is_blank_pair(pair: Pair) -> bool {
    pair.0.is_some_and(is_blank) || pair.1.is_some_and(is_blank)
}

/// Returns whether a C program sees two equal tokens: a NUL comes before the difference, or both tokens end at the
/// difference, with a NUL, whitespace or the end of the text.
fn same_c_strings(shared: &[u8], pair: Pair) -> bool {
    let ends = |byte: Option<u8>| byte.is_none_or(|byte| byte == 0 || is_blank(byte));
    (ends(pair.0) && ends(pair.1)) || memchr::memchr(0, shared).is_some()
}

/// Returns the kind of mismatch for a token whose text differs from the answer's; `None` if the token is within the
/// tolerance.
fn kind_of_mismatch(expected: &[u8], got: &[u8], options: &Options) -> Option<Kind> {
    let both = || (shortened(expected), shortened(got));
    let nearness = options.tolerance.as_ref().map_or(Nearness::Text, |tolerance| tolerance.compare(expected, got));
    let kind = |kind: fn(Vec<u8>, Vec<u8>) -> Kind| {
        let (expected, got) = both();
        Some(kind(expected, got))
    };
    match nearness {
        Nearness::Near => None,
        Nearness::Far => kind(|expected, got| Kind::Number { expected, got }),
        Nearness::NotANumber => kind(|expected, got| Kind::NotANumber { expected, got }),
        Nearness::Text if differ_in_case_only(expected, got, options) => {
            kind(|expected, got| Kind::LetterCase { expected, got })
        }
        Nearness::Text => kind(|expected, got| Kind::Token { expected, got }),
    }
}

fn differ_in_case_only(expected: &[u8], got: &[u8], options: &Options) -> bool {
    let folded = |expected: &[u8], got: &[u8]| expected.eq_ignore_ascii_case(got);
    match options.dialect {
        _ if !options.case_sensitive => false,
        Dialect::Spec | Dialect::Domjudge => folded(expected, got),
        Dialect::Kattis => folded(c_string(expected), c_string(got)),
    }
}
