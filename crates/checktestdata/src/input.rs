//! The input that is checked, with the position up to which it has matched.

/// The maximum number of bytes that a message quotes.
const QUOTED_BYTES: usize = 24;

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
