//! Accepts runs of numbers that differ as text but are within the tolerance.
//!
//! Where one number differs, the following numbers usually do, too: a program prints all of them with the same number
//! of places. So there is no search for the next difference. Each pair of numbers is parsed and compared, until
//! something else comes, or until several pairs in a row may be equal as text. The search of [`super::fast_path`]
//! passes over equal text much faster.

use super::bytes::short_blanks;
use super::fast_path::Progress;
use super::fractions::{self, Pair};
use super::limit::Limits;
use super::scan::scan;

/// After this number of pairs that seem equal as text, the next pairs are probably equal as well.
const EQUAL_PAIRS: usize = 2;

/// Skips numbers within the tolerance, and the whitespace between them. `progress` must be at the beginning of a token
/// in both texts. If `exact_blanks` is true, runs of whitespace must be equal. Returns whether at least one pair of
/// numbers was skipped.
pub(super) fn skip(progress: &mut Progress, piece: &[u8], output: &[u8], limits: Limits, exact_blanks: bool) -> bool {
    let (mut ahead, mut rest) = (&piece[progress.answer..], &output[progress.output..]);
    let (begin, mut equal) = (ahead.len(), 0);
    while equal < EQUAL_PAIRS
        && let Some(pair) = near_pair(ahead, rest, limits)
    {
        (ahead, rest) = (&ahead[pair.length..], &rest[pair.other_length..]);
        equal = if pair.seems_equal { equal + 1 } else { 0 };
        let (Some(blanks), Some(other)) = (short_blanks(ahead), short_blanks(rest)) else { break };
        if exact_blanks && ahead[..blanks.length] != rest[..other.length] {
            break;
        }
        (ahead, rest) = (&ahead[blanks.length..], &rest[other.length..]);
        progress.more_lines += blanks.line_feeds as isize - other.line_feeds as isize;
    }
    (progress.answer, progress.output) = (piece.len() - ahead.len(), output.len() - rest.len());
    ahead.len() < begin
}

/// Parses and compares the numbers with which the two texts begin. Returns `None` if the output's number is not within
/// the tolerance, or if the tokens are no numbers that are easy to parse and compare.
#[inline(always)]
fn near_pair(ahead: &[u8], rest: &[u8], limits: Limits) -> Option<Pair> {
    fractions::near_pair(ahead, rest, limits).or_else(|| any_near_pair(ahead, rest, limits))
}

#[inline(never)]
fn any_near_pair(ahead: &[u8], rest: &[u8], limits: Limits) -> Option<Pair> {
    let ((wanted, length), (given, other_length)) = (scan(ahead)?, scan(rest)?);
    let is_near = given.is_near(wanted, limits)?;
    is_near.then_some(Pair { length, other_length, seems_equal: length == other_length && given == wanted })
}
