//! Text as YAML has it between double quotes.

/// The text in quotes. YAML reads every string of JSON as the same text (YAML 1.2, section 1.3).
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A list in one line.
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
        assert_eq!(list(&["--group", "1: 2"]), "[\"--group\", \"1: 2\"]");
    }
}
