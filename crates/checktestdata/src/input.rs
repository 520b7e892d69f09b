//! The input that is checked, with the position up to which it has matched.

/// The maximum number of bytes that a message quotes.
const QUOTED_BYTES: usize = 24;

/// The largest number of decimal digits that always fit into 64 bits.
const SHORT_DIGITS: usize = 18;

/// An input and a position in it.
pub(crate) struct Input<'a> {
    data: &'a [u8],
    /// The offset of the next byte.
    pub(crate) at: usize,
}

impl<'a> Input<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Input<'a> {
        Input { data, at: 0 }
    }

    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.data[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Takes the byte if it comes next, and returns whether it does.
    pub(crate) fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes all digits that come next, and returns them.
    pub(crate) fn digits(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let count = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        self.at += count;
        &rest[..count]
    }

    /// Returns the value and the length in bytes of the integer that comes next, and does not take it. Returns `None`
    /// if no integer comes next, or if the integer has leading zeros or more than [`SHORT_DIGITS`] digits.
    pub(crate) fn short_integer(&self) -> Option<(i64, usize)> {
        let rest = self.rest();
        let is_negative = rest.first() == Some(&b'-');
        let digits = &rest[usize::from(is_negative)..];
        let (mut number, mut count) = (0_i64, 0);
        while let Some(digit @ b'0'..=b'9') = digits.get(count) {
            // A number with too many digits can overflow. It is refused below.
            number = number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            count += 1;
        }
        let has_leading_zero = digits.first() == Some(&b'0') && (is_negative || count > 1);
        if count == 0 || count > SHORT_DIGITS || has_leading_zero {
            return None;
        }
        Some((if is_negative { -number } else { number }, usize::from(is_negative) + count))
    }

    /// Describes the bytes from `start` to the next whitespace, for messages.
    pub(crate) fn found(&self, start: usize) -> String {
        let rest = &self.data[start.min(self.data.len())..];
        match rest.first() {
            None => "the end of the input".to_owned(),
            Some(b'\n') => "the end of the line".to_owned(),
            Some(b' ') => "a space".to_owned(),
            Some(first) if first.is_ascii_whitespace() => quoted(&rest[..1]),
            Some(_) => quoted(&rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())]),
        }
    }
}

/// Quotes at most [`QUOTED_BYTES`] bytes for a message, and escapes all but printable ASCII characters.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(QUOTED_BYTES)];
    let more = if shown.len() < bytes.len() { "..." } else { "" };
    format!("\"{}{more}\"", shown.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> Option<(i64, usize)> {
        Input::new(text.as_bytes()).short_integer()
    }

    #[test]
    fn an_integer_ends_at_the_first_byte_that_is_not_a_digit() {
        for end in ["", " ", "\n7", ".5", "-1", "/", ":"] {
            assert_eq!(short(&format!("0{end}")), Some((0, 1)), "{end:?}");
            assert_eq!(short(&format!("-10{end}")), Some((-10, 3)), "{end:?}");
            assert_eq!(short(&format!("999999999999999999{end}")), Some((10_i64.pow(18) - 1, 18)), "{end:?}");
        }
    }

    #[test]
    fn other_texts_are_no_short_integers() {
        let long = "1".repeat(SHORT_DIGITS + 1);
        let longer = format!("-{}", "9".repeat(100));
        for text in ["", "-", "+1", "--1", " 1", "a", "00", "01", "-0", "-01", &long, &longer] {
            assert_eq!(short(text), None, "{text:?}");
        }
    }
}
