//! Parses numbers as the C library does.
//!
//! The validators of problemtools and DOMjudge call `sscanf(token, "%lf%10s", ..)` or the same with `%Lf`. They treat
//! the token as a number if the first conversion succeeds and nothing is left for the second one. The GNU C library
//! accepts more numbers than the problem package format does: hexadecimal numbers, `nan`, `inf`, `infinity`, and
//! numbers with an incomplete exponent (`1e`, `1e+`, `0x1p-`). Its `sscanf` accepts less than its `strtod`: neither
//! `nan(1)` nor `infin`. This module was compared with version 2.36 of that library on all short texts.

use super::decimal::{Decimal, sign};
use super::exponent::exponent;

/// A number in the notation of C.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number<'a> {
    Nan,
    Infinite {
        negative: bool,
    },
    Decimal {
        number: Decimal<'a>,
        /// The text of the number, without an incomplete exponent.
        text: &'a [u8],
    },
    Hexadecimal(Hexadecimal<'a>),
}

/// A hexadecimal number. Its absolute value is the integer with the digits of `whole` and `fraction`, times two to the
/// power (`exponent` - 4 * `fraction.len()`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Hexadecimal<'a> {
    pub(super) negative: bool,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    pub(super) exponent: i64,
}

/// Returns the part of the token before its first NUL. C programs see only this part.
pub(super) fn c_string(token: &[u8]) -> &[u8] {
    memchr::memchr(0, token).map_or(token, |end| &token[..end])
}

/// Parses a text, which must contain no whitespace and no NUL. Returns `None` if the text is not a number.
pub(super) fn parse(text: &[u8]) -> Option<Number<'_>> {
    let (negative, rest) = sign(text);
    let is = |word: &str| rest.eq_ignore_ascii_case(word.as_bytes());
    if is("nan") {
        return Some(Number::Nan);
    }
    if is("inf") || is("infinity") {
        return Some(Number::Infinite { negative });
    }
    match rest {
        [b'0', b'x' | b'X', rest @ ..] => hexadecimal(negative, rest).map(Number::Hexadecimal),
        _ => decimal(text),
    }
}

fn decimal(text: &[u8]) -> Option<Number<'_>> {
    let number = Decimal::parse(text);
    if let Some(number) = number {
        return Some(Number::Decimal { number, text });
    }
    let text = without_broken_exponent(text, |byte| matches!(byte, b'e' | b'E'))?;
    Some(Number::Decimal { number: Decimal::parse(text)?, text })
}

fn hexadecimal(negative: bool, text: &[u8]) -> Option<Hexadecimal<'_>> {
    let hex_digits = |text: &'_ [u8]| text.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(text.len());
    let is_p = |byte: u8| matches!(byte, b'p' | b'P');
    // Without a digit, the library reads no exponent, not even an incomplete one. It reads `0x.` as zero.
    let any_digit = text.iter().take_while(|&&byte| !is_p(byte)).any(u8::is_ascii_hexdigit);
    let text = without_broken_exponent(text, is_p).filter(|_| any_digit).unwrap_or(text);
    let (whole, rest) = text.split_at(hex_digits(text));
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => rest.split_at(hex_digits(rest)),
        _ => (&[][..], rest),
    };
    let exponent = match rest {
        [] => 0,
        [first, rest @ ..] if is_p(*first) && any_digit => exponent(rest)?,
        _ => return None,
    };
    (!text.is_empty()).then_some(Hexadecimal { negative, whole, fraction, exponent })
}

/// Returns the text before an incomplete exponent; `None` if the text does not end with an exponent letter and an
/// optional sign, or if it contains another such letter.
fn without_broken_exponent(text: &[u8], is_letter: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let text = match text {
        [rest @ .., b'+' | b'-'] => rest,
        _ => text,
    };
    match text {
        [rest @ .., letter] if is_letter(*letter) && !rest.iter().any(|&byte| is_letter(byte)) => Some(rest),
        _ => None,
    }
}
