//! Accepts text that is equal except for short runs of whitespace.
//!
//! Where one line ends with other whitespace than in the answer, such as CR LF, the following lines usually do, too. So
//! the search for the next difference takes small steps, and a run of whitespace costs no more than a few of them.

use super::bytes::{is_blank, short_blanks};
use super::fast_path::{Progress, SHORT};
use super::repeated_runs::RunPair;

/// After this number of equal bytes, the next difference is probably far away. Larger steps are faster then.
pub(super) const FAR: usize = 256;

/// After this number of differences with runs of the same lengths as the one before, the next one probably has the same
/// runs, too.
const REPEATS: usize = 3;

/// The number of bytes that are compared at once.
pub(super) const STEP: usize = 32;

/// Skips equal text and different runs of whitespace. Stops at other differences, at runs of whitespace that are long
/// or may continue after the piece or the output, and where another search is faster.
pub(super) fn skip(progress: &mut Progress, piece: &[u8], output: &[u8]) {
    let (mut lengths_before, mut repeats) = ((0, 0), 0);
    let (mut ahead, mut rest) = (&piece[progress.answer..], &output[progress.output..]);
    while let Some(length) = equal_length(ahead, rest) {
        (ahead, rest) = (&ahead[length..], &rest[length..]);
        let (Some(blanks), Some(other)) = (short_blanks(ahead), short_blanks(rest)) else { break };
        // Where only one text has whitespace, a token may have begun, which ends there and continues in the other text.
        let is_at_blanks = blanks.length.min(other.length) > 0
            || output[..output.len() - rest.len()].last().is_some_and(|&byte| is_blank(byte));
        if blanks.length.max(other.length) == 0 || !is_at_blanks {
            break;
        }
        let runs = (&ahead[..blanks.length], &rest[..other.length]);
        (ahead, rest) = (&ahead[blanks.length..], &rest[other.length..]);
        progress.more_lines += blanks.line_feeds as isize - other.line_feeds as isize;
        if length < SHORT && blanks.length == other.length {
            break;
        }
        let lengths = (blanks.length, other.length);
        repeats = if lengths == lengths_before { repeats + 1 } else { 0 };
        lengths_before = lengths;
        if repeats == REPEATS
            && let Some(pair) = RunPair::new(runs.0, runs.1)
        {
            (progress.answer, progress.output) = (piece.len() - ahead.len(), output.len() - rest.len());
            pair.skip(progress, piece, output);
            (ahead, rest) = (&piece[progress.answer..], &output[progress.output..]);
            repeats = 0;
        }
    }
    (progress.answer, progress.output) = (piece.len() - ahead.len(), output.len() - rest.len());
}

/// Returns the number of equal bytes at the beginning of two texts. Returns `None` if there are [`FAR`], or if the
/// search comes near the end of a text.
#[inline(always)]
fn equal_length(one: &[u8], other: &[u8]) -> Option<usize> {
    let steps = one.as_chunks::<STEP>().0.iter().zip(other.as_chunks::<STEP>().0).take(FAR / STEP);
    let (index, (one, other)) = steps.enumerate().find(|(_, (one, other))| one != other)?;
    let half = |step: &[u8; STEP]| u128::from_le_bytes(*step.first_chunk().unwrap_or(&[0; STEP / 2]));
    let second_half = |step: &[u8; STEP]| u128::from_le_bytes(*step.last_chunk().unwrap_or(&[0; STEP / 2]));
    let mut at = STEP * index;
    let mut difference = half(one) ^ half(other);
    if difference == 0 {
        at += STEP / 2;
        difference = second_half(one) ^ second_half(other);
    }
    Some(at + difference.trailing_zeros() as usize / 8)
}
