//! Adds escapes to JSON lines, without changing the value of a string.

use std::fmt::Write;

use referee_text::printable::is_unsafe;

/// Escapes every character that a terminal acts on, and the start of CI commands such as `##[error]`, which services
/// read anywhere in a line. `line` is valid JSON, so these characters occur in strings only.
pub(crate) fn escaped(line: String) -> String {
    if !line.contains("##") && !line.chars().any(is_unsafe) {
        return line;
    }
    let mut safe = String::with_capacity(line.len() + 16);
    for character in line.replace("##", "\\u0023#").chars() {
        if is_unsafe(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_leave_every_string_the_same() {
        for text in ["##[error]x", "\\##vso[", "####", "a\u{9b}31m\u{202e}\u{2028}\u{e0041}\u{7f}\u{1b}", "# é 漢"] {
            let line = serde_json::to_string(text).unwrap();
            let safe = escaped(line);
            assert!(!safe.contains("##") && !safe.chars().any(is_unsafe), "{safe}");
            assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        }
    }

    #[test]
    fn a_line_without_them_stays() {
        assert_eq!(escaped("{\"a\":\"# é\"}".to_owned()), "{\"a\":\"# é\"}");
    }
}
