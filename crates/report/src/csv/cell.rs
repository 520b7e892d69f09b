//! Cells that no spreadsheet takes for a formula.
//!
//! A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, or with the full-width form of one. Blanks and
//! quotes before it do not help; tabs and line breaks become visible symbols here. OWASP ("CSV Injection") recommends an apostrophe before the cell. A
//! spreadsheet with another list separator splits the cells of this file again, so the same rule applies after every
//! separator inside a text.

use referee_text::printable::printable_line;

/// The first characters of a formula, and their full-width forms.
const OF_FORMULAS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// The characters at which some spreadsheet begins a new cell.
const SEPARATORS: [char; 3] = [',', ';', '|'];

/// Returns a text as a cell: one line, without control characters, and no formula.
pub(super) fn text(text: &str) -> String {
    quoted(&harmless(&printable_line(text)))
}

/// Returns an identifier as a cell. Digits stay as they are, because the platform must recognise the identifier. Other
/// characters do not occur in the platforms' identifiers, so they are treated as text.
pub(super) fn identifier(id: &str) -> String {
    if id.bytes().all(|byte| byte.is_ascii_digit()) { id.to_owned() } else { text(id) }
}

/// Puts an apostrophe before each character that would begin a formula.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    let mut is_start = true;
    for character in text.chars() {
        if is_start && OF_FORMULAS.contains(&character) {
            safe.push('\'');
        }
        let is_skipped = character.is_whitespace() || character == '"';
        is_start = SEPARATORS.contains(&character) || (is_start && is_skipped);
        safe.push(character);
    }
    safe
}

/// Quotes a cell if it contains a character with a meaning in CSV, or if it begins or ends with a blank.
fn quoted(text: &str) -> String {
    let is_special = |character: char| SEPARATORS.contains(&character) || "\"'\r\n".contains(character);
    if text.contains(is_special) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_becomes_a_text() {
        for (name, cell) in [
            ("=cmd()", "\"'=cmd()\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("＝1", "\"'＝1\""),
            ("  =1", "\"  '=1\""),
            ("\t=1", "␉=1"),
            ("\r=1", "␍=1"),
            ("a;=1", "\"a;'=1\""),
            ("a,\"=1", "\"a,\"\"'=1\""),
            ("=\"\"", "\"'=\"\"\"\"\""),
        ] {
            assert_eq!(text(name), cell, "{name:?}");
        }
    }

    #[test]
    fn other_names_stay_as_they_are() {
        for name in ["Ada Lovelace", "Jürgen", "王小明", "a-b+c=d@e", "O.K.", "x"] {
            assert_eq!(text(name), name);
        }
        assert_eq!((text("O'Hara"), text("Lovelace, Ada")), ("\"O'Hara\"".into(), "\"Lovelace, Ada\"".into()));
    }

    #[test]
    fn the_identifier_of_a_platform_is_not_altered() {
        assert_eq!(identifier("0012345"), "0012345");
        assert_eq!(identifier("-1"), "\"'-1\"");
    }
}
