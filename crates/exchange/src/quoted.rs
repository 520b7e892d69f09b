//! Writes text as a double-quoted YAML string.

use std::fmt::Write as _;

/// Returns the text in quotes. YAML reads every JSON string as the same text (YAML 1.2, section 1.3). But YAML requires
/// that all non-printable characters are escaped (section 5.1), and JSON leaves some of them as they are. So this
/// function escapes those as well.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for character in serde_json::Value::from(text).to_string().chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            other => quoted.push(other),
        }
    }
    quoted
}

/// Returns a list on one line.
pub(super) fn list<S: AsRef<str>>(texts: &[S]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_quotes() {
        assert_eq!(quoted("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\u0001\"");
        assert_eq!(quoted("a\u{7f}\u{feff}é"), "\"a\\u007f\\ufeffé\"");
        assert_eq!(list(&["--group", "1: 2"]), "[\"--group\", \"1: 2\"]");
    }
}
