//! Constants of a package: `{{name}}` in its programs and configuration stands for a value (format 2025-09,
//! "Constants").

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Names, or a name and a variant joined by a dot, with the text they stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, String>);

/// How much longer a text may become, in bytes.
const MOST_GROWTH: usize = 16 << 20;

/// No name is longer, in bytes: looking for its end must not take for ever.
const LONGEST_NAME: usize = 256;

impl Constants {
    pub(super) fn insert(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    /// Whether there is anything to replace.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with every `{{name}}` of a known name replaced. Others stay as they are.
    pub fn replaced<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let bytes = self.replaced_in(text.as_bytes());
        match bytes {
            // Texts of UTF-8 were put into one.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            Cow::Borrowed(_) => Cow::Borrowed(text),
        }
    }

    /// The same for a file in any encoding.
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
                // `{{{name}}`: the next brace may begin one.
                done.extend_from_slice(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            };
            changed = true;
            // A short file can name a long value often. What would be too long is left as it is.
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

/// `[a-zA-Z_][a-zA-Z0-9_]*`
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
