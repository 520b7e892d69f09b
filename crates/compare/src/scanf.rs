//! Which texts the C library reads as numbers.
//!
//! The validators of problemtools and DOMjudge ask `sscanf(token, "%lf%10s", ..)`, and take the token for a number if
//! only the first is found. With the GNU C library (2.36 was asked, over all short texts) that takes more than the
//! format's grammar: hexadecimal numbers, `nan`, `inf` and `infinity`, and numbers whose exponent breaks off (`1e`,
//! `1e+`, `0x1p-`); and less than `strtod` does: not `nan(1)`, not `infin`.

use super::decimal::{Decimal, exponent, sign};

/// A number as C programs read it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number<'a> {
    Nan,
    Infinite {
        negative: bool,
    },
    Decimal {
        number: Decimal<'a>,
        /// The same as text, without an exponent that breaks off.
        text: &'a [u8],
    },
    Hexadecimal(Hexadecimal<'a>),
}

/// The digits of `whole` and `fraction` together, times two to the power of `exponent` less four for each digit of
/// `fraction`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hexadecimal<'a> {
    pub(super) negative: bool,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    pub(super) exponent: i64,
}

/// A token as C programs see it: what stands before its first NUL.
pub(super) fn c_string(token: &[u8]) -> &[u8] {
    memchr::memchr(0, token).map_or(token, |end| &token[..end])
}

/// Reads a text that holds no whitespace and no NUL.
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
    // Without a digit there can be no exponent, not even a broken one; but the point alone is enough: `0x.` is zero.
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

/// The text before an exponent's letter, if that is the only one and ends the text but for a sign.
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
