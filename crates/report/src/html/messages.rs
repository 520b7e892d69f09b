//! Cuts messages to the space that they have in a page.

use std::borrow::Cow;
use std::io;

use super::line;
use referee_event::CaseFinished;

/// The bytes that the name of a message's field and its punctuation need in a row of results.
const FIELD_BYTES: usize = 20;

/// The messages of a result, cut to their space.
#[derive(Default)]
pub(super) struct Messages<'a> {
    pub(super) message: Option<Cow<'a, str>>,
    pub(super) team_message: Option<Cow<'a, str>>,
    /// The size of the messages in the page, with the names of their fields, in bytes.
    pub(super) bytes: usize,
}

impl<'a> Messages<'a> {
    /// Returns the messages of a result, each cut to `most` bytes of JSON.
    pub(super) fn of(result: &'a CaseFinished, most: usize) -> io::Result<Messages<'a>> {
        let mut bytes = 0;
        let mut shown = |text: &'a Option<String>| -> io::Result<Option<Cow<'a, str>>> {
            let Some(text) = text else { return Ok(None) };
            let (shown, size) = cut(text, most)?;
            bytes += size + FIELD_BYTES;
            Ok(Some(shown))
        };
        let (message, team_message) = (shown(&result.message)?, shown(&result.team_message)?);
        Ok(Messages { message, team_message, bytes })
    }
}

/// Cuts a text until its JSON has at most `most` bytes, and marks the end of a cut text with `…`. Returns the text and
/// the size of its JSON in bytes.
pub(super) fn cut(text: &str, most: usize) -> io::Result<(Cow<'_, str>, usize)> {
    let (mut shown, mut kept) = (Cow::Borrowed(text), text.len());
    loop {
        let bytes = line(&shown)?.len();
        if bytes <= most || kept == 0 {
            return Ok((shown, bytes));
        }
        // The JSON of each character has up to six times its bytes, so cutting repeats until the JSON is short enough.
        kept = floor_boundary(text, kept / 2);
        shown = Cow::Owned(format!("{}…", &text[..kept]));
    }
}

/// Returns the largest character boundary up to byte `at`.
pub(super) fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_by_the_size_of_its_json() {
        let (shown, bytes) = cut("short", 100).unwrap();
        assert_eq!((&*shown, bytes), ("short", r#""short""#.len() + 1));
        let text = "<".repeat(1000);
        let (shown, bytes) = cut(&text, 1000).unwrap();
        assert!(bytes <= 1000 && shown.ends_with("<…"), "{shown}");
        let escaped = shown.chars().filter(|&character| character == '<').count() * r"\u003c".len();
        assert_eq!(bytes, escaped + "…".len() + "\"\"\n".len());
    }
}
