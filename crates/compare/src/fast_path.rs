//! The fast path of the comparison: it accepts matching text inside one piece of the answer.
//!
//! If the options allow it, the fast path also accepts whitespace that differs, and numbers within the tolerance. So
//! files that differ only in this way, even on every line, are compared nearly as fast as they are read. The fast path
//! stops at anything it cannot decide: tokens and whitespace that reach the end of the piece or of the output, and
//! possible mismatches. [`super::walk`] decides those.

use super::bytes::{Equivalence, blank_length, common, is_blank, last_token_start, line_feeds, token_length};
use super::limit::Limits;
use super::number_run;
use super::tolerance::{Nearness, Tolerance};
use super::{Options, blank_run};

/// After a common prefix of fewer bytes than this, the next search also treats all whitespace bytes as equal. So one
/// search can pass over many short tokens, even if line feeds replace the spaces between them. After a longer prefix,
/// tokens are probably long. Treating whitespace bytes as equal would then slow down the search and save little.
pub(super) const SHORT: usize = 8;

/// The progress of the fast path.
#[derive(Default)]
pub(super) struct Progress {
    /// The number of accepted bytes of the answer's piece.
    pub(super) answer: usize,
    /// The number of accepted bytes of the output, counted from its beginning.
    pub(super) output: usize,
    /// The number of accepted lines of the answer, minus those of the output.
    pub(super) more_lines: isize,
    /// Whether accepted letters may differ in case.
    pub(super) folded: bool,
}

/// Compares the answer's `piece` with the output from the offset `start` on. Returns how far both match.
pub(super) fn accept(piece: &[u8], output: &[u8], start: usize, options: &Options) -> Progress {
    let mut progress = Progress { output: start, ..Progress::default() };
    let mut alike = Equivalence { letters: !options.case_sensitive, blanks: false };
    loop {
        let length = progress.skip_alike(piece, output, alike);
        alike.blanks = length < SHORT && !options.space_change_sensitive;
        let (Some(&wanted), Some(&found)) = (piece.get(progress.answer), output.get(progress.output)) else {
            return progress;
        };
        let inside = match (is_blank(wanted), is_blank(found)) {
            (true, true) => false,
            (false, false) => true,
            _ => output[..progress.output].last().is_some_and(|&byte| !is_blank(byte)),
        };
        let has_skipped = match &options.tolerance {
            _ if !inside => !options.space_change_sensitive && progress.skip_blanks(piece, output),
            Some(tolerance) => progress.skip_numbers(piece, output, tolerance, options.space_change_sensitive),
            None => false,
        };
        if !has_skipped {
            return progress;
        }
    }
}

impl Progress {
    /// Skips the common prefix and returns its length.
    fn skip_alike(&mut self, piece: &[u8], output: &[u8], alike: Equivalence) -> usize {
        let common = common(&piece[self.answer..], &output[self.output..], alike);
        self.answer += common.length;
        self.output += common.length;
        self.folded |= common.folded;
        self.more_lines += common.more_lines;
        common.length
    }

    /// Skips whitespace in both texts, and usually text and whitespace that follow. Returns false, and skips nothing, if
    /// the whitespace reaches the end of the piece or of the output.
    fn skip_blanks(&mut self, piece: &[u8], output: &[u8]) -> bool {
        let (ahead, rest) = (&piece[self.answer..], &output[self.output..]);
        let (length, other_length) = (blank_length(ahead), blank_length(rest));
        if length == ahead.len() || other_length == rest.len() {
            return false;
        }
        self.more_lines += line_feeds(&ahead[..length]) as isize - line_feeds(&rest[..other_length]) as isize;
        self.answer += length;
        self.output += other_length;
        blank_run::skip(self, piece, output);
        true
    }

    /// Skips the numbers in both texts if the output's number is within the tolerance, and usually the numbers that
    /// follow. Returns false if it is not, or if the answer's token begins before the piece or may continue after it.
    fn skip_numbers(
        &mut self,
        piece: &[u8],
        output: &[u8],
        tolerance: &Tolerance,
        space_change_sensitive: bool,
    ) -> bool {
        let start = last_token_start(&output[..self.output]);
        let Some(answer_start) = self.answer.checked_sub(self.output - start) else { return false };
        if let Tolerance::Exact { absolute, relative } = tolerance {
            let limits = Limits { absolute: absolute.as_ref(), relative: relative.as_ref() };
            let mut ahead = Progress { answer: answer_start, output: start, ..*self };
            if number_run::skip(&mut ahead, piece, output, limits, space_change_sensitive) {
                *self = ahead;
                return true;
            }
        }
        self.skip_number(piece, output, tolerance, answer_start, start)
    }

    fn skip_number(
        &mut self,
        piece: &[u8],
        output: &[u8],
        tolerance: &Tolerance,
        answer_start: usize,
        start: usize,
    ) -> bool {
        let length = token_length(&piece[self.answer..]);
        let (end, output_end) = (self.answer + length, self.output + token_length(&output[self.output..]));
        if end == piece.len()
            || tolerance.compare(&piece[answer_start..end], &output[start..output_end]) != Nearness::Near
        {
            return false;
        }
        (self.answer, self.output) = (end, output_end);
        true
    }
}
