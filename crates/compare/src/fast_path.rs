//! The quick part of the walk: what can be accepted without a look beyond the answer's piece.
//!
//! Files that differ on every line or in every number still are compared at a speed near that of reading, because no
//! byte of them leaves this loop. What it cannot decide it leaves where it stands, for the careful part in
//! [`super::walk`]: tokens and blanks that reach the end of the piece or of the output, and all that may be wrong.

use super::Options;
use super::bytes::{Alike, blank_length, common, is_blank, last_token_start, line_feeds, token_length};
use super::tolerance::{Nearness, Tolerance};

/// After a piece this short that is the same, in bytes, blanks are taken for each other where both have one, so that a
/// text of short tokens with line feeds for spaces is one piece. In longer ones it would make each difference dearer
/// without saving many.
const SHORT: usize = 8;

/// How far it went.
#[derive(Default)]
pub(super) struct Stretch {
    /// Bytes of the answer's piece.
    pub(super) answer: usize,
    /// Bytes of the output, from its beginning.
    pub(super) output: usize,
    /// How many more lines of the answer than of the output.
    pub(super) more_lines: isize,
    /// Whether letters in another case were met.
    pub(super) folded: bool,
}

/// Goes on in the answer's `piece` and, from `place`, in the output, as far as they agree.
pub(super) fn accept(piece: &[u8], output: &[u8], place: usize, options: &Options) -> Stretch {
    let mut stretch = Stretch { output: place, ..Stretch::default() };
    let mut alike = Alike { letters: !options.case_sensitive, blanks: false };
    loop {
        let length = stretch.skip_alike(piece, output, alike);
        alike.blanks = length < SHORT && !options.space_change_sensitive;
        let (Some(&wanted), Some(&found)) = (piece.get(stretch.answer), output.get(stretch.output)) else {
            return stretch;
        };
        let inside = match (is_blank(wanted), is_blank(found)) {
            (true, true) => false,
            (false, false) => true,
            _ => output[..stretch.output].last().is_some_and(|&byte| !is_blank(byte)),
        };
        let went_on = match &options.tolerance {
            _ if !inside => !options.space_change_sensitive && stretch.skip_blanks(piece, output),
            Some(tolerance) => stretch.skip_numbers(piece, output, tolerance),
            None => false,
        };
        if !went_on {
            return stretch;
        }
    }
}

impl Stretch {
    /// Goes to the next difference.
    fn skip_alike(&mut self, piece: &[u8], output: &[u8], alike: Alike) -> usize {
        let common = common(&piece[self.answer..], &output[self.output..], alike);
        self.answer += common.length;
        self.output += common.length;
        self.folded |= common.folded;
        self.more_lines += common.more_lines;
        common.length
    }

    /// Goes to the next tokens, if both begin here.
    fn skip_blanks(&mut self, piece: &[u8], output: &[u8]) -> bool {
        let (ahead, rest) = (&piece[self.answer..], &output[self.output..]);
        let (length, other_length) = (blank_length(ahead), blank_length(rest));
        if length == ahead.len() || other_length == rest.len() {
            return false;
        }
        self.more_lines += line_feeds(&ahead[..length]) as isize - line_feeds(&rest[..other_length]) as isize;
        self.answer += length;
        self.output += other_length;
        true
    }

    /// Goes to the ends of two tokens, if both end here and are numbers that are near.
    fn skip_numbers(&mut self, piece: &[u8], output: &[u8], tolerance: &Tolerance) -> bool {
        let start = last_token_start(&output[..self.output]);
        let Some(answer_start) = self.answer.checked_sub(self.output - start) else { return false };
        let length = token_length(&piece[self.answer..]);
        let (end, output_end) = (self.answer + length, self.output + token_length(&output[self.output..]));
        if end == piece.len()
            || tolerance.judge(&piece[answer_start..end], &output[start..output_end]) != Nearness::Near
        {
            return false;
        }
        (self.answer, self.output) = (end, output_end);
        true
    }
}
