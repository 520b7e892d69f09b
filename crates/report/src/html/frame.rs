//! The frame around the JSON lines: the content security policy, the style sheet and the skeleton of the page before
//! them, and the script after them.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

const SKELETON: &str = include_str!("page/skeleton.html");

/// The parts of the style sheet. Later parts override earlier ones.
const STYLES: &[&str] = &[
    include_str!("page/colours.css"),
    include_str!("page/text.css"),
    include_str!("page/head.css"),
    include_str!("page/words.css"),
    include_str!("page/filters.css"),
    include_str!("page/tables.css"),
    include_str!("page/theirs.css"),
    include_str!("page/matrix.css"),
    include_str!("page/details.css"),
    include_str!("page/boards.css"),
    include_str!("page/plots.css"),
    include_str!("page/cards.css"),
    include_str!("page/similar.css"),
    include_str!("page/paper.css"),
];

/// The parts of the script, in the order in which they run.
const SCRIPTS: &[&str] = &[
    include_str!("page/dom.js"),
    include_str!("page/words.js"),
    include_str!("page/names.js"),
    include_str!("page/model.js"),
    include_str!("page/choice.js"),
    include_str!("page/texts.js"),
    include_str!("page/diff.js"),
    include_str!("page/boards.js"),
    include_str!("page/grid.js"),
    include_str!("page/times.js"),
    include_str!("page/summary.js"),
    include_str!("page/submissions.js"),
    include_str!("page/details.js"),
    include_str!("page/matrix.js"),
    include_str!("page/margins.js"),
    include_str!("page/similar.js"),
    include_str!("page/finds.js"),
    include_str!("page/hunted.js"),
    include_str!("page/mutants.js"),
    include_str!("page/strength.js"),
    include_str!("page/kills.js"),
    include_str!("page/worth.js"),
    include_str!("page/survivors.js"),
    include_str!("page/verified.js"),
    include_str!("page/crosschecked.js"),
    include_str!("page/generated.js"),
    include_str!("page/main.js"),
];

/// Returns the part of the page before the first JSON line.
pub(super) fn head(heading: &str) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&style()),
        hash(&script())
    );
    let mut head = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = writeln!(head, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    head.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    head.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    let _ = writeln!(head, "<title>{}</title>", escaped(&title(heading)));
    let _ = writeln!(head, "<style>{}</style>\n</head>\n<body>\n{SKELETON}", style());
    head.push_str("<script type=\"application/json\" id=\"report\">\n");
    head
}

/// Returns the part of the page after the last JSON line.
pub(super) fn tail() -> String {
    format!("</script>\n<script>{}</script>\n</body>\n</html>\n", script())
}

fn style() -> String {
    STYLES.concat()
}

/// Returns the script of the page, in a scope of its own.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat())
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn title(heading: &str) -> String {
    if heading.is_empty() { "referee".to_owned() } else { format!("{heading} - referee") }
}

/// Makes text printable and escapes it for HTML.
fn escaped(text: &str) -> String {
    let text = referee_text::printable::printable(text.as_bytes());
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace("##", "&#35;#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_style_nor_script_ends_its_element() {
        assert!(!style().contains("</"));
        let script = script().to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }

    #[test]
    fn a_heading_stays_text() {
        assert_eq!(escaped("</title><script>\u{202e}&"), "&lt;/title&gt;&lt;script&gt;\\u{202e}&amp;");
    }

    #[test]
    fn the_page_asks_for_nothing_from_anywhere() {
        let page = head("x") + &tail();
        for word in ["http://", "https://", "src=", "url(", "@import"] {
            // SVG elements are created with a namespace that looks like an address.
            let without_names = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!without_names.contains(word), "{word}");
        }
    }
}
