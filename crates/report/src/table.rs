//! Colours, widths and line breaking that the parts of the terminal report share.

use anstyle::{AnsiColor, Style};

use referee_grading::verdict::Verdict;
use referee_text::columns::{beginning, columns, end, padded};
use referee_text::printable::printable;

/// The colour of a success.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The colour of a failure.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The colour of other remarkable results: failures of the judge, and parts that were left out.
pub(super) const ODD: Style = AnsiColor::Yellow.on_default().bold();
/// The style of less important text.
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

/// Makes untrusted text safe to print, as one line.
pub(super) fn one_line(text: &str) -> String {
    printable(text.as_bytes()).replace(['\n', '\t'], " ")
}

/// Fits `text` into exactly `width` columns. A longer text loses its beginning, because names usually differ at the
/// end.
pub(super) fn fitted(text: &str, width: usize) -> String {
    let text = one_line(text);
    if columns(&text) <= width {
        return padded(&text, width);
    }
    padded(&format!("…{}", end(&text, width - 1)), width)
}

/// Returns `word` followed by `rest`, broken into lines of at most `width` columns. Only `word` is coloured, if it is on
/// the first line.
pub(super) fn headline(style: Style, word: &str, rest: &str, width: usize) -> Vec<String> {
    let mut lines = wrapped(&format!("{word}{rest}"), width);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(word, &painted(style, word), 1);
    }
    lines
}

/// Returns the count with its noun, such as "1 case" or "2 cases".
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Breaks a text at blanks into lines of at most `width` columns. A longer word gets a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in printable(text.as_bytes()).split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks one line into lines of at most `width` columns: at blanks if possible, otherwise inside words. Keeps the
/// indentation of the line, so that the carets of a compiler's message stay below the code.
pub(super) fn folded(line: &str, width: usize) -> Vec<String> {
    let line = one_line(line);
    if columns(&line) <= width {
        return vec![line];
    }
    let indent: String = line.chars().take_while(|&character| character == ' ').take(width / 2).collect();
    let room = width - indent.len();
    let words = wrapped(&line, room);
    words.iter().flat_map(|part| cut(part, room)).map(|part| format!("{indent}{part}")).collect()
}

/// Cuts a line into parts of at most `width` columns, for texts such as paths, which have no blanks to break at.
pub(super) fn cut(line: &str, width: usize) -> Vec<String> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while !rest.is_empty() {
        let part = beginning(rest, width);
        // A character that is wider than the line gets a line of its own.
        let length = rest.chars().next().map_or(0, char::len_utf8).max(part.len());
        parts.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    parts
}

/// Returns `text` as one line of at most `width` columns. A longer text is cut at its end.
pub(super) fn shortened(text: &str, width: usize) -> String {
    let text = one_line(text);
    if columns(&text) <= width {
        return text;
    }
    format!("{}…", beginning(&text, width - 1))
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
    fn wide_characters_keep_the_columns_of_a_table() {
        assert_eq!(fitted("王小明.py", 12), "王小明.py   ");
        assert_eq!(fitted("王小明.py", 7), "…明.py ");
        assert_eq!(
            (shortened("王小明", 5), cut("王小明", 4)),
            ("王小…".to_owned(), vec!["王小".to_owned(), "明".to_owned()])
        );
        assert_eq!(cut("王", 1), ["王"]);
        assert_eq!(wrapped("王小 明", 6), ["王小", "明"]);
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(fitted("wrong_answer/white_only.py", 14), "…white_only.py");
        assert_eq!(fitted("short", 7), "short  ");
    }
}
