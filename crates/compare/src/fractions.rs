//! Compares two numbers with the same digits before the point, which is the usual case. Their difference is that of the
//! digits behind the point, so only these are converted to integers.

use super::bytes::is_blank;
use super::digits::{digit_count, leading_digits};
use super::limit::Limits;

/// The maximum number of digits before the point, with a sign.
const MOST_WHOLE: usize = 15;

/// The number of bytes that a text must have: those before the point, the point, and two words.
const ROOM: usize = MOST_WHOLE + 1 + 16;

/// The maximum number of digits behind the point. The second word must have a byte that is no digit.
const MOST_PLACES: usize = 15;

/// The powers of ten with exponents from 0 to [`MOST_PLACES`].
const TENS: [u64; MOST_PLACES + 1] = {
    let mut tens = [1; MOST_PLACES + 1];
    let mut index = 1;
    while index < tens.len() {
        tens[index] = 10 * tens[index - 1];
        index += 1;
    }
    tens
};

/// Two numbers of which one is within the limit of the other.
pub(super) struct Pair {
    /// The length of the first number, in bytes.
    pub(super) length: usize,
    /// The length of the second number, in bytes.
    pub(super) other_length: usize,
    /// Whether the numbers may be equal as text.
    pub(super) seems_equal: bool,
}

/// Compares the number `given`, with which the text `rest` begins, with the number `wanted`, with which the text `ahead`
/// begins. Whitespace must follow both. Returns `None` if `given` is not within a limit, or if this module cannot
/// compare the numbers. It needs at least one digit before the point, and the sign and the digits before the point must
/// be equal in both texts, and at most fifteen bytes.
#[inline(always)]
pub(super) fn near_pair(ahead: &[u8], rest: &[u8], limits: Limits) -> Option<Pair> {
    let (ahead, rest) = (ahead.first_chunk::<ROOM>()?, rest.first_chunk::<ROOM>()?);
    let point = shared_whole(ahead, rest)?;
    let (wanted, given) = (Fraction::after(ahead, point)?, Fraction::after(rest, point)?);
    let places = wanted.places.max(given.places);
    let wanted_units = wanted.in_units_of(places);
    let difference = given.in_units_of(places).abs_diff(wanted_units);
    let is_near = limits.absolute.is_some_and(|limit| u128::from(difference) <= limit.in_units_of(places))
        || difference == 0
        || (point < 8 && relatively_near(difference, wanted_units, whole(ahead, point), places, limits));
    is_near.then_some(Pair {
        length: wanted.end,
        other_length: given.end,
        seems_equal: difference == 0 && wanted.end == given.end,
    })
}

/// Returns the length of the sign and the digits before the point, in bytes. Returns `None` if they differ, or if there
/// are no digits or too many.
#[inline(always)]
fn shared_whole(ahead: &[u8; ROOM], rest: &[u8; ROOM]) -> Option<usize> {
    let (word, other_word) = (first_word(ahead), first_word(rest));
    let mut point = digit_count(without_sign(word));
    if point == 8 && word == other_word {
        let (next, other_next) = (word_at(ahead, 8), word_at(rest, 8));
        let count = digit_count(next);
        point += if count <= shared(next, other_next) { count } else { return None };
    } else if point > shared(word, other_word) {
        return None;
    }
    (point > usize::from(is_sign(ahead[0])) && point <= MOST_WHOLE).then_some(point)
}

#[inline(always)]
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'+')
}

/// Replaces a sign in the first byte of a word by the digit 0.
#[inline(always)]
fn without_sign(word: u64) -> u64 {
    if is_sign(word as u8) { word & !0xff | u64::from(b'0') } else { word }
}

/// Returns the absolute value of the digits before the index `point`, which must be at most 8.
#[inline(always)]
fn whole(text: &[u8; ROOM], point: usize) -> u64 {
    leading_digits(without_sign(first_word(text)), point)
}

/// Returns whether `difference` is within the relative limit of a number with `whole` before the point. `difference`
/// and the part behind the point, `fraction`, are in units of the decimal place `places`.
#[inline(never)]
fn relatively_near(difference: u64, fraction: u64, whole: u64, places: usize, limits: Limits) -> bool {
    let wanted = u128::from(whole) * u128::from(TENS[places]) + u128::from(fraction);
    limits.relative.is_some_and(|limit| limit.allows(difference.into(), wanted) == Some(true))
}

/// Returns the number of equal bytes at the beginning of two words.
#[inline(always)]
fn shared(word: u64, other: u64) -> usize {
    (word ^ other).trailing_zeros() as usize / 8
}

/// The digits behind the point of a number.
struct Fraction {
    /// The digits as an integer.
    value: u64,
    /// The number of digits.
    places: usize,
    /// The index of the byte after the number.
    end: usize,
}

impl Fraction {
    /// Parses the digits behind the point, if there is a point at the index `point`. `point` must be at most [`MOST_WHOLE`]. Returns
    /// `None` if there are more than [`MOST_PLACES`], or if no whitespace follows.
    #[inline(always)]
    fn after(text: &[u8; ROOM], point: usize) -> Option<Self> {
        let mut fraction = Fraction { value: 0, places: 0, end: point };
        if text[point] == b'.' {
            (fraction.value, fraction.places) = leading(text[point + 1..].first_chunk()?)?;
            fraction.end = point + 1 + fraction.places;
        }
        is_blank(text[fraction.end]).then_some(fraction)
    }

    /// Returns the digits in units of the decimal place `places`, which must be at least the fraction's own, and at
    /// most [`MOST_PLACES`]. The result is smaller than the power of ten, so no multiplication overflows.
    #[inline(always)]
    fn in_units_of(&self, places: usize) -> u64 {
        self.value.wrapping_mul(TENS[places - self.places])
    }
}

/// Returns the value and the number of the digits with which two words begin. Returns `None` if all bytes are digits.
#[inline(always)]
fn leading(text: &[u8; 16]) -> Option<(u64, usize)> {
    let word = first_word(text);
    let count = digit_count(word);
    if count < 8 {
        return Some((leading_digits(word, count), count));
    }
    let last = u64::from_le_bytes(*text.last_chunk()?);
    let count = digit_count(last);
    let value = leading_digits(word, 8).wrapping_mul(*TENS.get(count)?).wrapping_add(leading_digits(last, count));
    (count < 8).then_some((value, 8 + count))
}

#[inline(always)]
fn first_word<const LENGTH: usize>(text: &[u8; LENGTH]) -> u64 {
    word_at(text, 0)
}

/// Loads the eight bytes that begin at the index `at`. Returns 0 if there are fewer.
#[inline(always)]
fn word_at(text: &[u8], at: usize) -> u64 {
    text.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
