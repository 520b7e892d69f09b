//! Makes untrusted text safe to print.
//!
//! Submissions, packages and compilers produce text that the judge prints. None of its bytes may move the cursor,
//! change colours, reorder the text or hide in it.

use std::borrow::Cow;

/// Returns `bytes` as text whose only control characters are line feeds and tabs. Symbols, such as `␛`, or escapes,
/// such as `\xff`, replace all other control characters, bytes that are not UTF-8, and invisible characters such as
/// direction marks.
pub fn printable(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => shown.push(character),
                '\r' => shown.push('␍'),
                '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(character)).unwrap_or('?')),
                control if is_unsafe(control) => shown.extend(control.escape_unicode()),
                other => shown.push(other),
            }
        }
        shown.extend(chunk.invalid().iter().flat_map(|byte| format!("\\x{byte:02x}").chars().collect::<Vec<_>>()));
    }
    shown
}

/// Returns whether `character` is a control character, which a terminal may interpret as a command, or an invisible
/// character such as a direction mark.
pub fn is_unsafe(character: char) -> bool {
    character.is_control() || is_invisible(character)
}

/// Returns whether `character` is a direction mark, a zero-width character, an unusual line end or a tag.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// Returns `text` as one line, for names and other texts that must not have several lines. It is like [`printable`],
/// but line feeds and tabs become symbols, too.
pub fn printable_line(text: &str) -> String {
    printable(text.as_bytes()).replace('\n', "\u{240a}").replace('\t', "\u{2409}")
}

/// Makes `line` safe for a terminal or a log. Colours remain. Other control characters, including line feeds but not
/// tabs, become visible. No CI service interprets the result as a command.
pub fn output_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('\u{1b}') {
        let (text, escape) = rest.split_at(start);
        // An escape character that does not begin a colour becomes a symbol.
        let length = colour_length(escape);
        let (kept, shown_length) = if length > 0 { (&escape[..length], length) } else { ("\u{241b}", 1) };
        shown.push_str(&printable(text.as_bytes()));
        shown.push_str(kept);
        rest = &escape[shown_length..];
    }
    shown.push_str(&printable(rest.as_bytes()));
    without_commands(&shown.replace('\n', "\u{240a}")).into_owned()
}

/// Returns the length in bytes of the colour sequence, such as `ESC[1;31m`, at the start of `text`; 0 if there is none.
fn colour_length(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else { return 0 };
    let length = parameters.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    if parameters[length..].starts_with('m') { "\u{1b}[".len() + length + 1 } else { 0 }
}

/// Inserts a blank into each CI command in `line`, so that it becomes text.
///
/// GitHub's runner reads a command where a line starts with `::`, even after blanks, and where `##[` occurs anywhere
/// (actions/runner, `ActionCommand.cs`). Azure reads `##[` and `##vso[`, `TeamCity` reads `##teamcity[`. This function
/// also finds a command whose characters are separated by colours, because a later reader may remove the colours.
pub fn without_commands(line: &str) -> Cow<'_, str> {
    break_commands(line, true)
}

/// Inserts a blank into each CI command inside `line`, which is itself a command. Unlike [`without_commands`], it
/// leaves the `::` at the start of the line as it is.
pub fn without_inner_commands(line: &str) -> Cow<'_, str> {
    break_commands(line, false)
}

fn break_commands(line: &str, at_start: bool) -> Cow<'_, str> {
    if !line.contains('#') && !line.contains("::") && line.is_ascii() && !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let seen = compared_characters(line);
    let start = seen.iter().position(|(_, character)| !character.is_whitespace()).unwrap_or(0);
    let mut blanks = Vec::new();
    for (index, two) in seen.windows(2).enumerate() {
        let is_command = match (two[0].1, two[1].1) {
            (':', ':') => at_start && index == start,
            ('#', '#') => begins_command(&seen[index + 2..]),
            _ => false,
        };
        if is_command {
            blanks.push(two[1].0);
        }
    }
    if blanks.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut shown = line.to_owned();
    blanks.iter().rev().for_each(|&position| shown.insert(position, ' '));
    Cow::Owned(shown)
}

/// Returns the characters that a CI service compares with the names of its commands, with their positions in bytes.
/// Leaves out colours. Leaves out variation selectors and other invisible characters, because language-aware
/// comparisons ignore them.
fn compared_characters(line: &str) -> Vec<(usize, char)> {
    let mut seen = Vec::new();
    let mut position = 0;
    while let Some(character) = line[position..].chars().next() {
        let length = colour_length(&line[position..]);
        if length > 0 {
            position += length;
            continue;
        }
        if !matches!(character, '\u{fe00}'..='\u{fe0f}') && !is_invisible(character) {
            seen.push((position, character));
        }
        position += character.len_utf8();
    }
    seen
}

/// Returns whether the characters after `##` make it a command.
fn begins_command(rest: &[(usize, char)]) -> bool {
    ["[", "vso[", "teamcity["].iter().any(|name| {
        rest.len() >= name.len()
            && name.chars().zip(rest).all(|(wanted, (_, found))| found.eq_ignore_ascii_case(&wanted))
    })
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
    fn no_line_is_a_command_of_a_ci_service() {
        for (line, shown) in [
            ("::stop-commands::x", ": :stop-commands::x"),
            ("    ::error file=a::b", "    : :error file=a::b"),
            ("\u{a0}\u{2003}::error::b", "\u{a0}\u{2003}: :error::b"),
            ("\u{1b}[2m  ::add-mask::WA\u{1b}[0m", "\u{1b}[2m  : :add-mask::WA\u{1b}[0m"),
            (":\u{1b}[31m:error::x", ":\u{1b}[31m :error::x"),
            (":\u{fe0f}:error::x", ":\u{fe0f} :error::x"),
            ("1 + ##[error]forged", "1 + # #[error]forged"),
            ("####[a] ##[b]", "### #[a] # #[b]"),
            ("#\u{1b}[0m#[a]", "#\u{1b}[0m #[a]"),
            ("x ##VSO[task.complete]", "x # #VSO[task.complete]"),
            ("##teamcity[testFailed]", "# #teamcity[testFailed]"),
        ] {
            assert_eq!(without_commands(line), shown);
        }
        assert_eq!(without_inner_commands("::error title=t::##[b] ::c"), "::error title=t::# #[b] ::c");
    }

    #[test]
    fn a_line_that_is_no_command_stays() {
        for line in
            ["error: std::vector has no x", "## heading", "a ## [b]", "#[test]", ":", "a.cpp:3:5: ::f()", "##vs", ""]
        {
            assert_eq!(without_commands(line), line);
        }
    }

    #[test]
    fn an_output_line_keeps_colours_and_has_no_other_control_character() {
        assert_eq!(output_line("\u{1b}[1;31mx\u{1b}[0m\ty"), "\u{1b}[1;31mx\u{1b}[0m\ty");
        assert_eq!(output_line("a\u{1b}[2Jb\u{1b}\u{1b}]0;t\u{7}"), "a␛[2Jb␛␛]0;t␇");
        assert_eq!(output_line("x\n::error::y\rz\u{9b}\u{2067}\u{2028}"), "x␊::error::y␍z\\u{9b}\\u{2067}\\u{2028}");
        assert_eq!(output_line("\n##[error]y"), "␊# #[error]y");
    }

    #[test]
    fn a_name_has_one_line() {
        assert_eq!(printable_line("a\nb\tc\u{1b}"), "a␊b␉c␛");
    }

    #[test]
    fn lines_and_letters_of_all_scripts_stay() {
        assert_eq!(printable("é 漢\n\tß\r\n".as_bytes()), "é 漢\n\tß␍\n");
    }
}
