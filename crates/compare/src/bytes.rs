//! Finds runs of whitespace and of other bytes, and the common prefix of two texts.
//!
//! The loops are written so that the compiler vectorises them: they test whole blocks without an early exit, and search
//! byte by byte only in the block in which the run ends. Before the first block, they search the first bytes one by
//! one, because most tokens and runs of whitespace are short.

use std::cell::Cell;

/// The number of bytes that are scanned together.
const BLOCK: usize = 64;

/// The maximum length of a run of whitespace that is measured byte by byte.
const LONGEST_SHORT_RUN: usize = 16;

/// The largest block that is compared at once, in bytes. Larger blocks are not faster, and a block with a difference
/// must be searched again.
const LARGEST_BLOCK: usize = 4096;

/// Returns whether the package format treats the byte as whitespace. NUL, the no-break space and the byte order mark
/// are not whitespace.
#[inline(always)]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

/// Returns the number of bytes before the first whitespace.
pub(super) fn token_length(text: &[u8]) -> usize {
    run_length(text, |byte| !is_blank(byte))
}

/// Returns the number of whitespace bytes at the beginning of `text`.
pub(super) fn blank_length(text: &[u8]) -> usize {
    run_length(text, is_blank)
}

/// Returns the offset of the token at the end of `text`; the length of `text` if it ends with whitespace.
pub(super) fn last_token_start(text: &[u8]) -> usize {
    let belongs = |byte| !is_blank(byte);
    let near = text.len().saturating_sub(BLOCK);
    if let Some(at) = text[near..].iter().rposition(|&byte| !belongs(byte)) {
        return near + at + 1;
    }
    let blocks = text[..near].rchunks_exact(BLOCK).take_while(|block| all(block, belongs)).count();
    let end = near - blocks * BLOCK;
    text[..end].iter().rposition(|&byte| !belongs(byte)).map_or(0, |at| at + 1)
}

/// Returns the offset of the run of whitespace at the end of `text`.
pub(super) fn last_blank_start(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |at| at + 1)
}

/// Counts line feeds. The count of a block fits into one byte, which lets the compiler vectorise the loop.
pub(super) fn line_feeds(text: &[u8]) -> usize {
    let in_block = |block: &[u8]| block.iter().fold(0_u8, |count, &byte| count.wrapping_add(u8::from(byte == b'\n')));
    text.chunks(BLOCK).map(|block| usize::from(in_block(block))).sum()
}

/// A run of whitespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blanks {
    pub(super) length: usize,
    pub(super) line_feeds: usize,
}

/// Measures the run of whitespace at the beginning of `text`, which may be empty. Returns `None` if the run is long, or
/// `text` is short.
///
/// It takes byte after byte, because the processor predicts where a short run ends: mostly where the run before ended.
#[inline(always)]
pub(super) fn short_blanks(text: &[u8]) -> Option<Blanks> {
    let text = text.first_chunk::<{ LONGEST_SHORT_RUN + 1 }>()?;
    let mut blanks = Blanks { length: 0, line_feeds: 0 };
    for &byte in text {
        // Most bytes that end a run are larger than every whitespace, which takes one test.
        if byte > b' ' || !is_blank(byte) {
            return Some(blanks);
        }
        blanks.length += 1;
        blanks.line_feeds += usize::from(byte == b'\n');
    }
    None
}

fn run_length(text: &[u8], belongs: impl Fn(u8) -> bool + Copy) -> usize {
    let near = text.len().min(BLOCK);
    if let Some(at) = text[..near].iter().position(|&byte| !belongs(byte)) {
        return at;
    }
    let blocks = text[near..].chunks_exact(BLOCK).take_while(|block| all(block, belongs)).count();
    let start = near + blocks * BLOCK;
    start + text[start..].iter().position(|&byte| !belongs(byte)).unwrap_or(text.len() - start)
}

/// Returns whether all bytes of the block belong to the run. It has no early exit, so that the compiler vectorises it.
fn all(block: &[u8], belongs: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(true, |all, &byte| all & belongs(byte))
}

/// Defines which different bytes count as equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equivalence {
    /// Whether an upper case ASCII letter equals its lower case form.
    pub(super) letters: bool,
    /// Whether any two whitespace bytes are equal.
    pub(super) blanks: bool,
}

/// The common prefix of two texts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Common {
    pub(super) length: usize,
    /// Whether letters in the prefix may differ in case.
    pub(super) folded: bool,
    /// The number of line feeds in the first text's prefix, minus the number in the second text's prefix.
    pub(super) more_lines: isize,
}

/// Finds the longest common prefix. `alike` defines which bytes are equal.
pub(super) fn common(one: &[u8], other: &[u8], alike: Equivalence) -> Common {
    match alike {
        Equivalence { letters: false, blanks: false } => {
            let length = common_by(one, other, |one, other| one == other, |one, other| one ^ other);
            Common { length, ..Common::default() }
        }
        Equivalence { letters: false, blanks: true } => common_alike::<false, true>(one, other),
        Equivalence { letters: true, blanks: false } => common_alike::<true, false>(one, other),
        Equivalence { letters: true, blanks: true } => common_alike::<true, true>(one, other),
    }
}

/// Finds the common prefix like [`common`]. The options are const parameters, so the compiler makes a separate function
/// for each combination of options. The loops of these functions need not test the options.
fn common_alike<const LETTERS: bool, const BLANKS: bool>(one: &[u8], other: &[u8]) -> Common {
    let (folded, lines) = (Cell::new(false), Cell::new(0_isize));
    let equal = |one: &[u8], other: &[u8]| {
        if one == other {
            return true;
        }
        // Blocks that differ only in letter case have their line feeds at the same places, so there is nothing to
        // count.
        if LETTERS && all_alike::<LETTERS, false>(one, other) {
            folded.set(true);
            return true;
        }
        let alike = BLANKS && all_alike::<LETTERS, BLANKS>(one, other);
        if alike {
            folded.set(LETTERS);
            lines.set(lines.get() + line_feeds(one) as isize - line_feeds(other) as isize);
        }
        alike
    };
    let difference = |one: u64, other: u64| {
        if one == other {
            return 0;
        }
        folded.set(LETTERS);
        let differs = if LETTERS { lower(one) ^ lower(other) } else { one ^ other };
        if !BLANKS || differs == 0 {
            return differs;
        }
        let differs = differs & !((blanks(one) & blanks(other)) >> 7).wrapping_mul(0xff);
        // Count only the line feeds before the first difference.
        let before = if differs == 0 { u64::MAX } else { (1 << (differs.trailing_zeros() & !7)) - 1 };
        let feeds = |word| (bytes_equal(word, b'\n') & before).count_ones() as isize;
        lines.set(lines.get() + feeds(one) - feeds(other));
        differs
    };
    let length = common_by(one, other, equal, difference);
    Common { length, folded: folded.get(), more_lines: lines.get() }
}

/// Returns the length of the common prefix. First, it compares the beginnings of both texts, eight bytes at a time.
/// Then it compares blocks of growing size. In the first block that differs, it again compares eight bytes at a time to
/// find the difference.
fn common_by(
    one: &[u8],
    other: &[u8],
    equal: impl Fn(&[u8], &[u8]) -> bool,
    difference: impl Fn(u64, u64) -> u64,
) -> usize {
    let length = one.len().min(other.len());
    let (one, other) = (&one[..length], &other[..length]);
    let near = length.min(BLOCK);
    let mut at = common_words(&one[..near], &other[..near], &difference);
    if at < near {
        return at;
    }
    let mut size = BLOCK;
    while at + size <= length && equal(&one[at..at + size], &other[at..at + size]) {
        at += size;
        size = (2 * size).min(LARGEST_BLOCK);
    }
    at + common_words(&one[at..], &other[at..], &difference)
}

/// Returns the length of the common prefix, comparing word by word. `difference` must return a word in which exactly
/// the bytes that count as equal are zero.
fn common_words(one: &[u8], other: &[u8], difference: impl Fn(u64, u64) -> u64) -> usize {
    let ((words, rest), (other_words, other_rest)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    for (index, (word, other_word)) in words.iter().zip(other_words).enumerate() {
        let difference = difference(u64::from_le_bytes(*word), u64::from_le_bytes(*other_word));
        if difference != 0 {
            return 8 * index + difference.trailing_zeros() as usize / 8;
        }
    }
    let same = |(byte, other): (&u8, &u8)| difference(u64::from(*byte), u64::from(*other)) == 0;
    8 * words.len() + rest.iter().zip(other_rest).take_while(|&pair| same(pair)).count()
}

/// Returns whether each byte of `one` counts as equal to the byte of `other` at the same index. It has no early exit,
/// so that the compiler vectorises the loop.
fn all_alike<const LETTERS: bool, const BLANKS: bool>(one: &[u8], other: &[u8]) -> bool {
    let alike = |(&one, &other): (&u8, &u8)| {
        let same = if LETTERS { one.eq_ignore_ascii_case(&other) } else { one == other };
        same | (BLANKS & is_blank(one) & is_blank(other))
    };
    one.iter().zip(other).map(alike).fold(true, |all, alike| all & alike)
}

/// A 64-bit word with the value 1 in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Returns a word in which the top bit of a byte is set if the same byte of `word` is from `first` to `last`. All other
/// bits are 0. `first` and `last` must be ASCII. Each addition works on the lower seven bits of every byte, and can
/// carry only into the top bit of the same byte. So bytes do not affect each other.
fn bytes_between(word: u64, first: u8, last: u8) -> u64 {
    let sevens = word & (0x7f * EACH);
    let at_least_first = sevens.wrapping_add((0x80 - u64::from(first)).wrapping_mul(EACH));
    let beyond_last = sevens.wrapping_add((0x7f - u64::from(last)).wrapping_mul(EACH));
    (at_least_first ^ beyond_last) & !word & (0x80 * EACH)
}

fn bytes_equal(word: u64, byte: u8) -> u64 {
    bytes_between(word, byte, byte)
}

fn blanks(word: u64) -> u64 {
    bytes_between(word, 0x09, 0x0d) | bytes_equal(word, b' ')
}

/// Converts the upper case ASCII letters among the eight bytes of a word to lower case.
fn lower(word: u64) -> u64 {
    word | (bytes_between(word, b'A', b'Z') >> 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Generates long texts of few different bytes, so that common prefixes span many blocks.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![40 => Just(b'a'), 1 => Just(b'A'), 1 => Just(b' '), 1 => Just(b'\n'), 1 => any::<u8>()];
        prop::collection::vec(byte, 0..700)
    }

    proptest! {
        #[test]
        fn the_common_beginning_is_what_a_walk_byte_by_byte_finds(one in text(), other in text()) {
            for (letters, blanks) in [(false, false), (false, true), (true, false), (true, true)] {
                let kind = |&byte: &u8| match byte {
                    _ if blanks && is_blank(byte) => b' ',
                    _ if letters => byte.to_ascii_lowercase(),
                    _ => byte,
                };
                let walked = one.iter().zip(&other).take_while(|(one, other)| kind(one) == kind(other)).count();
                let common = common(&one, &other, Equivalence { letters, blanks });
                prop_assert_eq!(common.length, walked);
                let (one, other) = (&one[..walked], &other[..walked]);
                prop_assert!(common.folded || !letters || one == other);
                prop_assert_eq!(common.more_lines, line_feeds(one) as isize - line_feeds(other) as isize);
            }
        }

        #[test]
        fn runs_end_where_a_walk_byte_by_byte_ends(text in text()) {
            let token = text.iter().take_while(|&&byte| !is_blank(byte)).count();
            prop_assert_eq!(token_length(&text), token);
            prop_assert_eq!(blank_length(&text), text.iter().take_while(|&&byte| is_blank(byte)).count());
            let last = text.iter().rev().take_while(|&&byte| !is_blank(byte)).count();
            prop_assert_eq!(last_token_start(&text), text.len() - last);
        }

        #[test]
        fn a_word_is_lowered_as_its_bytes_are(bytes: [u8; 8]) {
            prop_assert_eq!(lower(u64::from_le_bytes(bytes)), u64::from_le_bytes(bytes.map(|byte| byte.to_ascii_lowercase())));
        }
    }

    #[test]
    fn every_byte_is_blank_or_not_as_the_format_says() {
        let blanks: Vec<u8> = (0..=255).filter(|&byte| is_blank(byte)).collect();
        assert_eq!(blanks, [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
    }
}
