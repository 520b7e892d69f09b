//! Writes text as a double-quoted YAML string.

use std::fmt::Write as _;

/// Returns the text in quotes, as a JSON string, which is also a YAML string (YAML 1.2, section 1.3). But YAML requires
/// an escape for every non-printable character (section 5.1), and the JSON library leaves some of them unescaped. This
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

/// Returns a YAML list of quoted texts on one line.
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
