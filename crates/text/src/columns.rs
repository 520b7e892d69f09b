//! Computes how many columns of a terminal a text takes. A Chinese character takes two, a combining accent none
//! (Unicode Standard Annex 11). Texts must be printable ([`crate::printable`]).

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the number of columns that `text` takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Returns the longest beginning of `text` that takes at most `width` columns.
pub fn beginning(text: &str, width: usize) -> &str {
    let mut used = 0;
    let end = text.char_indices().find(|(_, character)| {
        used += character.width().unwrap_or(0);
        used > width
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// Returns the longest end of `text` that takes at most `width` columns. A combining accent stays with its letter.
pub fn end(text: &str, width: usize) -> &str {
    let (mut used, mut start) = (0, text.len());
    for (index, character) in text.char_indices().rev() {
        let own = character.width().unwrap_or(0);
        used += own;
        if used > width {
            break;
        }
        if own > 0 {
            start = index;
        }
    }
    &text[start..]
}

/// Returns `text` with blanks after it, so that it takes at least `width` columns.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns_and_accents_none() {
        assert_eq!(["abc", "王小明", "e\u{301}t", "…"].map(columns), [3, 6, 2, 1]);
    }

    #[test]
    fn a_text_is_cut_between_characters_at_a_column() {
        assert_eq!(["王小明", "abc"].map(|text| beginning(text, 3)), ["王", "abc"]);
        assert_eq!(["王小明", "abcd", "e\u{301}t"].map(|text| end(text, 3)), ["明", "bcd", "e\u{301}t"]);
        assert_eq!(end("ae\u{301}", 1), "e\u{301}");
        assert_eq!((beginning("", 3), end("", 3), beginning("王", 1), end("王", 1)), ("", "", "", ""));
        assert_eq!(padded("王", 4), "王  ");
    }
}
