//! Parses a number of at most 38 digits at the beginning of a text, eight digits at a time.

use super::bytes::is_blank;
use super::decimal::sign;
use super::digits::{MOST_DIGITS, digit_count, leading_digits, shifted};
use super::small::Small;

/// Returns the number with which `text` begins, and the number's length in bytes. Whitespace must follow the number.
///
/// Returns `None` near the end of the text, for numbers that do not fit into [`Small`], and for other tokens.
pub(super) fn scan(text: &[u8]) -> Option<(Small, usize)> {
    let (negative, unsigned) = sign(text);
    let mut digits = Digits::default();
    let mut rest = digits.read(unsigned)?;
    let whole = digits.count;
    if let [b'.', fraction @ ..] = rest {
        rest = digits.read(fraction)?;
    }
    let mut places = (digits.count - whole) as i64;
    if !is_blank(*rest.first()?) {
        let exponent = exponent(rest)?;
        places -= exponent.value;
        rest = &rest[exponent.length..];
    }
    let number = Small::new(negative, digits.value, digits.count, places)?;
    (digits.count > 0).then_some((number, text.len() - rest.len()))
}

/// The digits of a number as an integer.
#[derive(Default)]
struct Digits {
    value: u128,
    count: usize,
}

impl Digits {
    /// Appends the digits at the beginning of `text`, and returns the rest of the text. Returns `None` if these are too
    /// many digits, or if the rest has fewer than eight bytes.
    #[inline(always)]
    fn read<'a>(&mut self, mut text: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            let word = u64::from_le_bytes(*text.first_chunk()?);
            let count = digit_count(word);
            self.count += count;
            if self.count > MOST_DIGITS {
                return None;
            }
            self.value = shifted(self.value, count) + u128::from(leading_digits(word, count));
            text = &text[count..];
            if count < 8 {
                return Some(text);
            }
        }
    }
}

struct Exponent {
    value: i64,
    /// The number of bytes, with the letter.
    length: usize,
}

/// Parses an exponent of at most three digits at the beginning of `text`. Whitespace must follow it. Returns `None` for
/// other texts.
fn exponent(text: &[u8]) -> Option<Exponent> {
    let [b'e' | b'E', rest @ ..] = text else { return None };
    let (negative, digits) = sign(rest);
    let word = u64::from_le_bytes(*digits.first_chunk()?);
    let count = digit_count(word);
    if !(1..=3).contains(&count) || !is_blank(digits[count]) {
        return None;
    }
    let size = leading_digits(word, count) as i64;
    Some(Exponent { value: if negative { -size } else { size }, length: text.len() - digits.len() + count })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::decimal::Decimal;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_number_is_scanned_as_it_is_parsed(
            token in "[+-]{0,2}[0-9]{0,20}[.]{0,2}[0-9]{0,20}([eE][+-]?[0-9]{0,4})?[x.]?", blank in "[ \t\n\r]",
        ) {
            let scanned = scan(format!("{token}{blank}12345678").as_bytes());
            if let Some((number, length)) = scanned {
                prop_assert_eq!(length, token.len());
                prop_assert_eq!(Decimal::parse(token.as_bytes()).unwrap().small(), Some(number));
            } else {
                // Only exponents of more than three digits are left to the parser.
                let parsed = Decimal::parse(token.as_bytes()).and_then(|number| number.small());
                let exponent = token.split(['e', 'E']).nth(1).unwrap_or_default();
                prop_assert!(parsed.is_none() || exponent.trim_start_matches(['+', '-']).len() > 3);
            }
        }
    }

    #[test]
    fn nothing_is_scanned_that_may_continue() {
        for text in ["1", "1.5", "1 ", "1.5 2 3", "12345678", "1.5x 12345678", "1e5"] {
            assert_eq!(scan(text.as_bytes()), None, "{text}");
        }
        assert!(scan(b"1.5 123456").is_some());
    }
}
