//! Bytes: which are whitespace, how far two texts agree, where a run of one kind ends.
//!
//! The loops are written so that the compiler turns them into vector instructions: whole blocks are looked at without
//! leaving early, and only the block that holds the end is walked byte by byte. Nearby ends are found first, because
//! most tokens and most runs of blanks are short and a block would cost more than they do.

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// The largest piece whose equality is asked at once. A larger one gains nothing, and the place where it breaks must
/// be searched again.
const LARGEST_BLOCK: usize = 4096;

/// The format's whitespace: no NUL, no no-break space, no byte order mark.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

/// Number of bytes before the first that is whitespace.
pub(super) fn token_length(text: &[u8]) -> usize {
    run_length(text, |byte| !is_blank(byte))
}

/// Number of bytes before the first that is not whitespace.
pub(super) fn blank_length(text: &[u8]) -> usize {
    run_length(text, is_blank)
}

/// Where the token at the end of `text` begins; the length of `text` if it ends with whitespace.
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

/// Where the whitespace at the end of `text` begins.
pub(super) fn last_blank_start(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |at| at + 1)
}

/// Number of line feeds. `memchr` counts them at the speed of memory, but is slow to start.
pub(super) fn line_feeds(text: &[u8]) -> usize {
    if text.len() < BLOCK {
        return text.iter().map(|&byte| usize::from(byte == b'\n')).sum();
    }
    memchr::memchr_iter(b'\n', text).count()
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

fn all(block: &[u8], belongs: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(true, |all, &byte| all & belongs(byte))
}

/// Number of bytes at the beginning that are the same in both.
pub(super) fn common(one: &[u8], other: &[u8]) -> usize {
    common_by(one, other, |one, other| one == other, |one, other| one ^ other)
}

/// Number of bytes at the beginning that are the same in both, upper and lower case ASCII letters being the same; and
/// whether such letters were met.
pub(super) fn common_folded(one: &[u8], other: &[u8]) -> (usize, bool) {
    let folded = std::cell::Cell::new(false);
    let equal = |one: &[u8], other: &[u8]| {
        let same = one == other;
        let same_folded = same || equal_folded(one, other);
        folded.set(folded.get() || (same_folded && !same));
        same_folded
    };
    let difference = |one, other| {
        if one == other {
            return 0;
        }
        folded.set(true);
        lower(one) ^ lower(other)
    };
    let length = common_by(one, other, equal, difference);
    (length, folded.get())
}

/// The first bytes by words, then blocks that grow while they are equal, then words again where a block breaks.
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

/// `difference` of two words is zero just in the bytes that are the same.
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

/// Without an early end, so that it runs on vectors.
fn equal_folded(one: &[u8], other: &[u8]) -> bool {
    let differ = |(one, other): (&u8, &u8)| one.to_ascii_lowercase() ^ other.to_ascii_lowercase();
    one.iter().zip(other).map(differ).fold(0, |all, difference| all | difference) == 0
}

/// Eight letters to lower case at once. The sums carry into the top bit of a byte just if its lower seven bits are
/// large enough, and never beyond it.
fn lower(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let sevens = word & (0x7f * EACH);
    let at_least_a = sevens + (0x80 - u64::from(b'A')) * EACH;
    let beyond_z = sevens + (0x7f - u64::from(b'Z')) * EACH;
    let upper = (at_least_a ^ beyond_z) & !word & (0x80 * EACH);
    word | (upper >> 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(text: &[u8]) -> Vec<u8> {
        text.to_ascii_lowercase()
    }

    /// Long texts over few bytes, so that agreement runs over many blocks.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![40 => Just(b'a'), 1 => Just(b'A'), 1 => Just(b' '), 1 => any::<u8>()];
        prop::collection::vec(byte, 0..700)
    }

    proptest! {
        #[test]
        fn the_common_beginning_is_what_a_walk_byte_by_byte_finds(one in text(), other in text()) {
            let walk = |one: &[u8], other: &[u8]| one.iter().zip(other).take_while(|(one, other)| one == other).count();
            prop_assert_eq!(common(&one, &other), walk(&one, &other));
            let (length, met) = common_folded(&one, &other);
            prop_assert_eq!(length, walk(&folded(&one), &folded(&other)));
            prop_assert!(met || one[..length] == other[..length]);
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
