//! Accepts text in which the same run of whitespace differs from the answer's again and again, such as CR LF instead of
//! LF at the end of each line.
//!
//! The search for a difference begins where the search before ended, so no two searches overlap. Therefore each search
//! must take few steps from loading its first bytes to the address at which the next one begins. So the two runs are
//! compared as words with the known runs, and the first word that differs is selected without a branch. The processor
//! could not predict such a branch if the lengths of lines vary.

use super::blank_run::{FAR, STEP};
use super::bytes::line_feeds;
use super::fast_path::Progress;

/// The number of bytes in a word.
const WORD: usize = 8;

/// The number of bytes that must follow in a text: a step, and a run that begins at its last byte.
const AHEAD: usize = STEP + WORD;

/// A run of whitespace of the answer, and the run in its place in the output.
pub(super) struct RunPair {
    answer: Run,
    output: Run,
}

struct Run {
    length: usize,
    line_feeds: isize,
    /// The bytes of the run, and a mask that selects this number of bytes.
    word: u64,
    mask: u64,
}

impl Run {
    /// Returns `None` if the run is empty or longer than a word.
    fn new(bytes: &[u8]) -> Option<Run> {
        let mut word = [0; WORD];
        word.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Run {
            length: bytes.len(),
            line_feeds: line_feeds(bytes) as isize,
            word: u64::from_le_bytes(word),
            mask: u64::MAX.checked_shr(8 * (WORD - bytes.len()) as u32)?,
        })
    }

    /// Whether a text that begins with `word` begins with this run. More whitespace may follow.
    #[inline(always)]
    fn is_in(&self, word: u64) -> bool {
        word & self.mask == self.word
    }
}

impl RunPair {
    /// Returns `None` if a run is empty or long, or if both have the same length.
    pub(super) fn new(answer: &[u8], output: &[u8]) -> Option<RunPair> {
        let (answer, output) = (Run::new(answer)?, Run::new(output)?);
        (answer.length != output.length).then_some(RunPair { answer, output })
    }

    /// Skips equal text and every difference that is this pair of runs. Stops at other differences, at the end of a
    /// text, and after [`FAR`] equal bytes.
    pub(super) fn skip(&self, progress: &mut Progress, piece: &[u8], output: &[u8]) {
        let (mut ahead, mut rest) = (&piece[progress.answer..], &output[progress.output..]);
        let (mut equal, mut pairs) = (0, 0);
        while equal < FAR
            && let (Some(one), Some(other)) = (ahead.first_chunk::<AHEAD>(), rest.first_chunk::<AHEAD>())
        {
            if one[..STEP] == other[..STEP] {
                (ahead, rest) = (&ahead[STEP..], &rest[STEP..]);
                equal += STEP;
                continue;
            }
            let length = first_difference(one, other);
            if !self.answer.is_in(word(one, length)) | !self.output.is_in(word(other, length)) {
                break;
            }
            (ahead, rest) = (&ahead[length + self.answer.length..], &rest[length + self.output.length..]);
            equal = 0;
            pairs += 1;
        }
        progress.more_lines += pairs * (self.answer.line_feeds - self.output.line_feeds);
        (progress.answer, progress.output) = (piece.len() - ahead.len(), output.len() - rest.len());
    }
}

/// Returns the index of the first byte of the step that differs. At least one byte must differ.
#[inline(always)]
fn first_difference(one: &[u8; AHEAD], other: &[u8; AHEAD]) -> usize {
    (0..STEP / WORD).rev().fold(0, |later, index| {
        let at = WORD * index;
        let differing = word(one, at) ^ word(other, at);
        if differing == 0 { later } else { at + differing.trailing_zeros() as usize / 8 }
    })
}

#[inline(always)]
fn word(text: &[u8; AHEAD], at: usize) -> u64 {
    u64::from_le_bytes(*text[at..].first_chunk().unwrap_or(&[0; WORD]))
}
