//! Converts decimal digits to integers, eight digits at a time.

/// The maximum number of digits of an integer in a `u128`. Two integers of so many digits may also be added.
pub(super) const MOST_DIGITS: usize = 38;

/// The powers of ten with exponents from 0 to [`MOST_DIGITS`].
pub(super) const TENS: [u128; MOST_DIGITS + 1] = {
    let mut tens = [1; MOST_DIGITS + 1];
    let mut index = 1;
    while index < tens.len() {
        tens[index] = 10 * tens[index - 1];
        index += 1;
    }
    tens
};

/// Returns the value of at most [`MOST_DIGITS`] ASCII digits.
pub(super) fn value(digits: &[u8]) -> u128 {
    let (eights, rest) = digits.as_chunks::<8>();
    let value =
        eights.iter().fold(0, |value, eight| shifted(value, 8) + u128::from(eight_digits(u64::from_le_bytes(*eight))));
    rest.iter().fold(value, |value, digit| shifted(value, 1) + u128::from(digit - b'0'))
}

/// Returns `value` followed by `zeros` zeros. The result must have at most [`MOST_DIGITS`] digits; then no
/// multiplication overflows, and none needs the slow check for that.
pub(super) fn shifted(value: u128, zeros: usize) -> u128 {
    value.wrapping_mul(TENS[zeros])
}

/// Returns the value of the eight ASCII digits of a word, the first one in the lowest byte. It joins digits into pairs,
/// pairs into fours, and fours into the value. A NUL counts as a zero.
#[inline(always)]
fn eight_digits(word: u64) -> u64 {
    let ones = word & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = (ones.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 << 32 | 1) >> 32
}

/// Returns the value of the first `count` ASCII digits of a word. `count` must be at most 8; the other bytes may be
/// anything.
#[inline(always)]
pub(super) fn leading_digits(word: u64, count: usize) -> u64 {
    // The shift moves the digits to the end of the word, and zeros before them.
    eight_digits(word.checked_shl(64 - 8 * count as u32).unwrap_or(0))
}

/// Returns the number of ASCII digits at the beginning of a word, whose first byte is the lowest.
#[inline(always)]
pub(super) fn digit_count(word: u64) -> usize {
    const EACH: u64 = u64::MAX / 0xff;
    // Digits become the numbers from 0 to 9. The sum reaches the top bit if the lower seven bits are more than 9.
    let digits = word ^ (EACH * 0x30);
    let others = ((digits & (EACH * 0x7f)) + EACH * 0x76) | digits;
    (others & (EACH * 0x80)).trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn digits_become_the_integer_that_they_write(number: u128, places in 1_usize..=MOST_DIGITS) {
            let number = number % TENS[places];
            proptest::prop_assert_eq!(value(format!("{number:0places$}").as_bytes()), number);
        }

        #[test]
        fn only_the_first_digits_count(number in 0_u64..100_000_000, others: [u8; 8]) {
            let text = format!("{number:08}");
            for count in 0..=8 {
                let mut bytes = others;
                bytes[..count].copy_from_slice(&text.as_bytes()[..count]);
                let expected = text[..count].parse().unwrap_or(0);
                proptest::prop_assert_eq!(leading_digits(u64::from_le_bytes(bytes), count), expected);
            }
        }
    }

    #[test]
    fn exactly_the_ten_digits_are_counted() {
        for byte in 0..=255_u8 {
            let first = if byte.is_ascii_digit() { 8 } else { 0 };
            assert_eq!(digit_count(u64::from_le_bytes([byte; 8])), first, "{byte}");
            let third = u64::from_le_bytes([b'0', b'9', byte, b'5', b'x', byte, byte, byte]);
            assert_eq!(digit_count(third), if byte.is_ascii_digit() { 4 } else { 2 }, "{byte}");
        }
    }
}
