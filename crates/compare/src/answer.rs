//! Reads the answer file as a stream.
//!
//! [`Answer`] reads the answer file in pieces, because a package's answer may be larger than the memory. A piece may
//! end anywhere, even inside a token. Bytes that equal those of the output need no copy, because the output is in
//! memory. [`Answer`] copies a token only if the token differs from the output's token and is not known to lie within
//! one piece, and then at most [`LONGEST_NUMBER`] + 1 bytes of the token.

use std::io::{self, BufRead, ErrorKind};

use super::bytes::{blank_length, last_token_start, line_feeds, token_length};
use super::mismatch::{MAX_STORED, shortened};

/// The maximum length of a number in the answer, in bytes; a longer token is compared as text. The bound limits the
/// memory for one token. The package format allows "reasonable limits on the number of digits", and requires support
/// for thirty digits on each side of the point. Tokens of the output have no such bound, because the output is already
/// in memory.
pub(super) const LONGEST_NUMBER: usize = 1 << 20;

/// The number of bytes at the end of a piece in which [`Answer::store_head`] searches for the start of the last token,
/// if no letter of the piece differs in case from the output. It must be at least [`MAX_STORED`]. A token that starts
/// earlier then has at least [`MAX_STORED`] bytes in this piece, so a message about it quotes only this piece.
const TAIL: usize = 64;

pub(super) struct Answer<R> {
    reader: R,
    /// The number of bytes of the reader's current piece that have been consumed.
    taken: usize,
    /// The number of bytes of the answer that have been consumed.
    offset: usize,
    /// Whether letters in the current piece may differ in case from those of the output.
    folded: bool,
    head: Head,
}

/// The beginning of a token that spans several pieces. Messages quote the answer's token from here, because the
/// output's token may differ in letter case.
#[derive(Default)]
struct Head {
    /// The byte offset of the token in the answer.
    start: usize,
    /// The first bytes of the token, at most [`MAX_STORED`].
    bytes: Vec<u8>,
    /// The end of a piece, as an offset in the answer. The token is known to continue at least up to this offset.
    until: usize,
}

impl<R: BufRead> Answer<R> {
    pub(super) fn new(reader: R) -> Self {
        Answer { reader, taken: 0, offset: 0, folded: false, head: Head::default() }
    }

    /// Returns the number of consumed bytes.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the rest of the current piece, or the next piece. The result is empty only at the end of the answer.
    pub(super) fn ahead(&mut self) -> io::Result<&[u8]> {
        if self.taken > 0 && self.taken >= self.piece()?.len() {
            self.store_head()?;
            self.reader.consume(self.taken);
            (self.taken, self.folded) = (0, false);
        }
        let taken = self.taken;
        Ok(&self.piece()?[taken..])
    }

    /// Consumes `length` bytes of the current piece. If `folded` is true, they may differ from the output in letter
    /// case.
    pub(super) fn advance(&mut self, length: usize, folded: bool) {
        self.taken += length;
        self.offset += length;
        self.folded |= folded;
    }

    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.ahead()?.first().copied())
    }

    /// Consumes whitespace up to the next token or the end. Returns the number of line feeds in it.
    pub(super) fn skip_blanks(&mut self) -> io::Result<usize> {
        let mut lines = 0;
        loop {
            let ahead = self.ahead()?;
            let (length, available) = (blank_length(ahead), ahead.len());
            lines += line_feeds(&ahead[..length]);
            self.advance(length, false);
            if length < available || available == 0 {
                return Ok(lines);
            }
        }
    }

    /// Passes the current token to `examine`, consumes the rest of the token, and returns the result of `examine`. The
    /// first bytes of the token are already consumed; they equal `shared`, except for letter case. If the token is
    /// longer than [`LONGEST_NUMBER`], `examine` may receive only its beginning, but always more than
    /// [`LONGEST_NUMBER`] bytes.
    pub(super) fn token<T>(&mut self, shared: &[u8], examine: impl FnOnce(&[u8]) -> T) -> io::Result<T> {
        let (start, taken) = (self.taken.checked_sub(shared.len()), self.taken);
        let piece = self.piece()?;
        let end = taken + token_length(&piece[taken..]);
        if let Some(start) = start
            && end < piece.len()
        {
            let result = examine(&piece[start..end]);
            self.advance(end - taken, false);
            return Ok(result);
        }
        let mut token = shared[..shared.len().min(LONGEST_NUMBER + 1)].to_vec();
        self.respell(&mut token, shared.len())?;
        self.gather(&mut token, LONGEST_NUMBER + 1, token_length)?;
        Ok(examine(&token))
    }

    /// Consumes the rest of a run of whitespace, whose first bytes, `shared`, are already consumed. Returns the whole
    /// run, cut to [`MAX_STORED`] bytes.
    pub(super) fn blanks(&mut self, shared: &[u8]) -> io::Result<Vec<u8>> {
        let mut blanks = shared[..shared.len().min(MAX_STORED)].to_vec();
        self.gather(&mut blanks, MAX_STORED, blank_length)?;
        Ok(blanks)
    }

    /// Consumes a run of bytes, and appends them to `gathered` until it has `most` bytes. `run_length` returns how many
    /// bytes at the start of a piece belong to the run.
    fn gather(&mut self, gathered: &mut Vec<u8>, most: usize, run_length: fn(&[u8]) -> usize) -> io::Result<()> {
        loop {
            let ahead = self.ahead()?;
            let (length, available) = (run_length(ahead), ahead.len());
            gathered.extend_from_slice(&ahead[..length.min(most.saturating_sub(gathered.len()))]);
            self.advance(length, false);
            if length < available || available == 0 {
                return Ok(());
            }
        }
    }

    /// Returns the reader's current piece.
    fn piece(&mut self) -> io::Result<&[u8]> {
        while let Err(error) = self.reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.reader.fill_buf()
    }

    /// Stores in `head` the beginning of the token that continues after the current piece.
    fn store_head(&mut self) -> io::Result<()> {
        let (offset, folded) = (self.offset, self.folded);
        let mut head = std::mem::take(&mut self.head);
        let piece = self.piece()?;
        let piece_start = offset - piece.len();
        // If the letters of this piece have the same case as in the output, [`Answer::token`] can copy this part of the
        // token from the output. A head is then needed only for a token that begins near the end of the piece. A
        // message about such a token also quotes bytes of the next piece, where letters may differ in case.
        let searched = if folded { 0 } else { piece.len().saturating_sub(TAIL) };
        let start = searched + last_token_start(&piece[searched..]);
        if start > searched || (searched == 0 && head.until != piece_start) {
            head = Head { start: piece_start + start, bytes: shortened(&piece[start..]), until: offset };
        } else if head.until == piece_start {
            head.until = offset;
            if head.start + head.bytes.len() == piece_start {
                head.bytes.extend_from_slice(&piece[..piece.len().min(MAX_STORED.saturating_sub(head.bytes.len()))]);
            }
        }
        self.head = head;
        Ok(())
    }

    /// Restores the answer's letter case at the beginning of a token whose bytes were copied from the output.
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
