//! The answer file as a stream.
//!
//! The answer may be as large as a package allows, so it is read in the pieces of its reader and never as a whole. A
//! piece may end anywhere, also inside a token. Where the answer and the output are the same so far, nothing has to
//! be remembered of the pieces before: the output, which is held, has the same bytes. Only a token that differs from
//! the output's is put together, and only up to [`LONGEST_NUMBER`].

use std::io::{self, BufRead, ErrorKind};

use super::bytes::{blank_length, last_token_start, line_feeds, token_length};
use super::mismatch::{KEPT, keep};

/// A longer token of the answer, in bytes, is text and not a number. The format allows "reasonable limits on the number
/// of digits" and asks for thirty before and thirty after the point; this bounds the memory that a token may take. A
/// token of the output may be of any length, because the output is held already.
pub(super) const LONGEST_NUMBER: usize = 1 << 20;

/// How far the end of a piece is searched for a token that goes on, where only the token's beginning can matter.
const TAIL: usize = 64;

pub(super) struct Answer<R> {
    reader: R,
    /// How many bytes of the reader's piece are behind.
    taken: usize,
    /// How many bytes of the answer are behind.
    offset: usize,
    /// Whether this piece had letters in another case than the output.
    folded: bool,
    head: Head,
}

/// The beginning of a token that crosses pieces, for messages: the output may spell it in another case.
#[derive(Default)]
struct Head {
    /// Where the token begins in the answer.
    start: usize,
    /// Its first bytes, or the first of these.
    bytes: Vec<u8>,
    /// The end of the last piece that was all of this token, or ended in it.
    until: usize,
}

impl<R: BufRead> Answer<R> {
    pub(super) fn new(reader: R) -> Self {
        Answer { reader, taken: 0, offset: 0, folded: false, head: Head::default() }
    }

    /// How many bytes are behind.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// The bytes that come next: as many as the reader has at hand, none only at the end.
    pub(super) fn ahead(&mut self) -> io::Result<&[u8]> {
        if self.taken > 0 && self.taken >= self.piece()?.len() {
            self.keep_head()?;
            self.reader.consume(self.taken);
            (self.taken, self.folded) = (0, false);
        }
        let taken = self.taken;
        Ok(&self.piece()?[taken..])
    }

    /// Goes on by `length` bytes, which the reader has at hand. `folded` says that they are the same as the output's
    /// only if upper and lower case are.
    pub(super) fn advance(&mut self, length: usize, folded: bool) {
        self.taken += length;
        self.offset += length;
        self.folded |= folded;
    }

    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.ahead()?.first().copied())
    }

    /// Goes to the next token and says how many line feeds were on the way.
    pub(super) fn skip_blanks(&mut self) -> io::Result<usize> {
        let mut lines = 0;
        loop {
            let ahead = self.ahead()?;
            let (length, whole) = (blank_length(ahead), ahead.len());
            lines += line_feeds(&ahead[..length]);
            self.advance(length, false);
            if length < whole || whole == 0 {
                return Ok(lines);
            }
        }
    }

    /// Shows the token whose first bytes are behind, goes to its end, and returns what `judge` says. The bytes behind
    /// are as `shared` in the output, but for the case of letters. A token longer than [`LONGEST_NUMBER`] may be cut
    /// to a beginning that is longer still.
    pub(super) fn token<T>(&mut self, shared: &[u8], judge: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let (start, taken) = (self.taken.checked_sub(shared.len()), self.taken);
        let piece = self.piece()?;
        let end = taken + token_length(&piece[taken..]);
        if let Some(start) = start
            && end < piece.len()
        {
            let result = judge(&piece[start..end]);
            self.advance(end - taken, false);
            return Ok(result);
        }
        let mut token = shared[..shared.len().min(LONGEST_NUMBER + 1)].to_vec();
        self.respell(&mut token, shared.len())?;
        self.gather(&mut token, LONGEST_NUMBER + 1, token_length)?;
        Ok(judge(&token))
    }

    /// Goes to the end of the whitespace and returns it, cut, with `shared` before it.
    pub(super) fn blanks(&mut self, shared: &[u8]) -> io::Result<Vec<u8>> {
        let mut blanks = shared[..shared.len().min(KEPT)].to_vec();
        self.gather(&mut blanks, KEPT, blank_length)?;
        Ok(blanks)
    }

    /// Goes to the end of a run and keeps its bytes up to a length.
    fn gather(&mut self, kept: &mut Vec<u8>, most: usize, run_length: fn(&[u8]) -> usize) -> io::Result<()> {
        loop {
            let ahead = self.ahead()?;
            let (length, whole) = (run_length(ahead), ahead.len());
            kept.extend_from_slice(&ahead[..length.min(most.saturating_sub(kept.len()))]);
            self.advance(length, false);
            if length < whole || whole == 0 {
                return Ok(());
            }
        }
    }

    /// What the reader has at hand.
    fn piece(&mut self) -> io::Result<&[u8]> {
        while let Err(error) = self.reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.reader.fill_buf()
    }

    /// Remembers how the token begins in which this piece ends.
    fn keep_head(&mut self) -> io::Result<()> {
        let (offset, folded) = (self.offset, self.folded);
        let mut head = std::mem::take(&mut self.head);
        let piece = self.piece()?;
        let piece_start = offset - piece.len();
        // Where no letter differs in case the output has the beginning too, but for what began just before the end
        // and goes on in a piece where letters do differ.
        let searched = if folded { 0 } else { piece.len().saturating_sub(TAIL) };
        let start = searched + last_token_start(&piece[searched..]);
        if start > searched || (searched == 0 && head.until != piece_start) {
            head = Head { start: piece_start + start, bytes: keep(&piece[start..]), until: offset };
        } else if head.until == piece_start {
            head.until = offset;
            if head.start + head.bytes.len() == piece_start {
                head.bytes.extend_from_slice(&piece[..piece.len().min(KEPT.saturating_sub(head.bytes.len()))]);
            }
        }
        self.head = head;
        Ok(())
    }

    /// Gives the letters of a token's beginning, taken from the output, the case that they have in the answer.
    fn respell(&mut self, token: &mut [u8], shared: usize) -> io::Result<()> {
        let (taken, start) = (self.taken, self.offset - shared);
        if self.head.start == start {
            let known = self.head.bytes.len().min(token.len());
            token[..known].copy_from_slice(&self.head.bytes[..known]);
        }
        let here = shared.min(taken);
        let (from, piece) = (shared - here, &self.piece()?[taken - here..taken]);
        if let Some(token) = token.get_mut(from..) {
            let known = token.len().min(here);
            token[..known].copy_from_slice(&piece[..known]);
        }
        Ok(())
    }
}
