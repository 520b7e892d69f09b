//! The constants of a package. In the package's programs and configuration, the value of a constant replaces `{{name}}`
//! (see the section "Constants" of format 2025-09).

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The constants of a package. A key is the name of a constant, or a name and a variant joined by a dot (`n.tex`). The
/// value is the text that replaces `{{key}}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, String>);

/// The largest number of bytes that replacements may add to a text.
const MOST_GROWTH: usize = 16 << 20;

/// The longest name that is replaced, in bytes. This limit bounds the search for the end of a name.
const LONGEST_NAME: usize = 256;

impl Constants {
    pub(super) fn insert(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    /// Returns whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces each `{{name}}` that names a constant with the constant's value. Every other `{{name}}` stays as it is.
    /// Returns the whole text unchanged if the replacements would make it too long.
    pub fn replaced<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let bytes = self.replaced_in(text.as_bytes());
        match bytes {
            // UTF-8 values inserted into UTF-8 text give valid UTF-8.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            Cow::Borrowed(_) => Cow::Borrowed(text),
        }
    }

    /// Does the same as [`Constants::replaced`] in a text of any encoding.
    pub fn replaced_in<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut done = Vec::new();
        let mut rest = text;
        let mut changed = false;
        while let Some(start) = memchr::memmem::find(rest, b"{{") {
            let after = &rest[start + 2..];
            let near = &after[..after.len().min(LONGEST_NAME + 2)];
            let value = memchr::memmem::find(near, b"}}").and_then(|length| {
                let name = std::str::from_utf8(&after[..length]).ok()?;
                Some((self.0.get(name)?, length))
            });
            let Some((value, length)) = value else {
                // In `{{{name}}}`, the constant begins at the second brace, so only one brace is skipped.
                done.extend_from_slice(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            };
            changed = true;
            // A short file can name a constant with a long value many times. A text that would grow too long stays
            // unchanged.
            if done.len() > text.len() + MOST_GROWTH {
                return Cow::Borrowed(text);
            }
            done.extend_from_slice(&rest[..start]);
            done.extend_from_slice(value.as_bytes());
            rest = &after[length + 2..];
        }
        if !changed {
            return Cow::Borrowed(text);
        }
        done.extend_from_slice(rest);
        Cow::Owned(done)
    }
}

/// Returns whether the text matches `[a-zA-Z_][a-zA-Z0-9_]*`.
pub(super) fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    starts_well && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants() -> Constants {
        let mut constants = Constants::default();
        constants.insert("n".to_owned(), "100".to_owned());
        constants.insert("n.tex".to_owned(), "10^2".to_owned());
        constants
    }

    #[test]
    fn known_names_are_replaced_and_unknown_ones_stay() {
        assert_eq!(constants().replaced("for i in range({{n}}): # {{m}}"), "for i in range(100): # {{m}}");
        assert_eq!(constants().replaced("{{n.tex}}{{n}}"), "10^2100");
    }

    #[test]
    fn braces_that_are_no_constant_sequence_stay_as_they_are() {
        for text in ["{{", "{{n", "{{ n }}", "{n}", "a = {{1, 2}, {3, 4}};", "{{}}"] {
            assert_eq!(constants().replaced(text), text);
        }
        assert_eq!(constants().replaced("{{{n}}}"), "{100}");
        assert_eq!(constants().replaced("{{x {{n}}"), "{{x 100", "as regular expressions search");
    }

    #[test]
    fn bytes_that_are_no_text_are_kept() {
        assert_eq!(&*constants().replaced_in(b"\xff{{n}}\0"), b"\xff100\0");
    }
}
