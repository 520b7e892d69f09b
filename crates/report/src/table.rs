//! Colours, widths and line breaking that the parts of the terminal report share.

use anstyle::{AnsiColor, Style};

use referee_grading::verdict::Verdict;
use referee_text::printable::printable;

/// The colour of something right.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The colour of something wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The colour of something that is neither: a failure of the judge, or something left out.
pub(super) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// The style of something less important.
pub(super) const DIM: Style = Style::new().dimmed();

/// Returns the colour of a verdict, the same in every report.
pub(super) fn colour(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Accepted => GOOD,
        Verdict::WrongAnswer | Verdict::RunTimeError | Verdict::CompileError => BAD,
        Verdict::TimeLimitExceeded | Verdict::MemoryLimitExceeded | Verdict::OutputLimitExceeded => {
            AnsiColor::Magenta.on_default().bold()
        }
        Verdict::JudgeError => ODD,
    }
}

/// Returns `text` in `style`.
pub(super) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Makes foreign text safe to print, in one line.
pub(super) fn one_line(text: &str) -> String {
    printable(text.as_bytes()).replace(['\n', '\t'], " ")
}

/// Fits `text` into exactly `width` columns. Of a longer text the end stays, because that is where names differ.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let text = one_line(text);
    let length = text.chars().count();
    if length <= width {
        return format!("{text:<width$}");
    }
    let end: String = text.chars().skip(length + 1 - width).collect();
    format!("…{end}")
}

/// Returns "1 case", "2 cases".
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Breaks a text at blanks into lines of at most `width` columns. A longer word gets a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in printable(text.as_bytes()).split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks one line into lines of at most `width` columns: at blanks where it can, inside words that are longer. The
/// indentation of the line stays, so that code and carets of a compiler's message stand where they stood.
pub(super) fn folded(line: &str, width: usize) -> Vec<String> {
    let line = one_line(line);
    if line.chars().count() <= width {
        return vec![line];
    }
    let indent: String = line.chars().take_while(|&character| character == ' ').take(width / 2).collect();
    let room = width - indent.len();
    let words = wrapped(&line, room);
    words.iter().flat_map(|part| cut(part, room)).map(|part| format!("{indent}{part}")).collect()
}

/// Cuts a line into parts of at most `width` columns, for texts such as paths, which have no blanks to break at.
pub(super) fn cut(line: &str, width: usize) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    characters.chunks(width).map(|part| part.iter().collect()).collect()
}

/// Returns the beginning of a text in at most `width` columns.
pub(super) fn shortened(text: &str, width: usize) -> String {
    let text = one_line(text);
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken_at_blanks() {
        assert_eq!(wrapped("one two  three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("", 9), Vec::<String>::new());
    }

    #[test]
    fn a_long_line_is_folded_and_keeps_its_indentation() {
        assert_eq!(folded("  one two three", 9), ["  one two", "  three"]);
        assert_eq!(folded("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(folded("   ^~~  x", 9), ["   ^~~  x"]);
        assert_eq!(folded("a\u{1b}[2J\tb", 9), ["a␛[2J b"]);
    }

    #[test]
    fn no_text_of_a_package_reaches_the_terminal_as_it_is() {
        let title = "a\u{1b}[2Jb\nc";
        assert_eq!(fitted(title, 9), "a␛[2Jb c ");
        assert_eq!(shortened(title, 9), "a␛[2Jb c");
        assert_eq!(wrapped(title, 9), ["a␛[2Jb c"]);
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(fitted("wrong_answer/white_only.py", 14), "…white_only.py");
        assert_eq!(fitted("short", 7), "short  ");
    }
}
