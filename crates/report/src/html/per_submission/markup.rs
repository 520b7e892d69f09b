//! Writes HTML. Foreign text becomes a part of a page only through [`text`].

use referee_text::printable::printable;

/// Returns foreign text for use between tags and in quoted attributes. Invisible characters become visible.
pub(super) fn text(text: &str) -> String {
    bytes(text.as_bytes())
}

/// Like [`text`], for bytes that may not be UTF-8.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let shown = printable(bytes);
    let mut html = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        let hostile = "</pre><script>alert(1)</script>]]>\"'&\0\u{202e}";
        assert_eq!(text(hostile), "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&quot;&#39;&amp;␀\\u{202e}");
        assert_eq!(bytes(b"\xff<"), "\\xff&lt;");
    }
}
