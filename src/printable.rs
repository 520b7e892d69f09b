//! Text that somebody else wrote, made safe to print. Pure.
//!
//! Submissions, packages and compilers choose bytes that end up before people. None of them may move the cursor,
//! change the colours, reorder what is read or hide in it.

/// `bytes` as text in which line feeds and tabs are the only control characters: others are shown as pictures or
/// escapes, as are bytes that are not UTF-8 and characters that change how others are read without being seen.
pub fn printable(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => shown.push(character),
                '\r' => shown.push('␍'),
                '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('?')),
                control if control.is_control() || is_invisible(control) => shown.extend(control.escape_unicode()),
                other => shown.push(other),
            }
        }
        shown.extend(chunk.invalid().iter().flat_map(|byte| format!("\\x{byte:02x}").chars().collect::<Vec<_>>()));
    }
    shown
}

/// Direction marks, zero widths, odd line ends.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_changes_a_colour_or_hides() {
        assert_eq!(printable(b"\x1b[2J\x07ok \xe2\x80\xae \xff"), "␛[2J␇ok \\u{202e} \\xff");
        assert_eq!(printable("\u{9b}31m\u{7f}".as_bytes()), "\\u{9b}31m\\u{7f}");
    }

    #[test]
    fn lines_and_letters_of_all_scripts_stay() {
        assert_eq!(printable("é 漢\n\tß\r\n".as_bytes()), "é 漢\n\tß␍\n");
    }
}
