//! Prints a part of a YAML file as a separate file and keeps its style: quotes, values on one line, comments and blank
//! lines. The layout is that of BAPCtools: an indent of two columns for a map, four for a list.

use std::fmt::Write as _;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, StructureStyle};

use super::Position;
use super::fields::is_null;

/// Prints the map at `place`. Returns `None` if the file is invalid, if there is no map at `place`, or if a value in
/// the map has an anchor or is an alias.
pub fn printed(text: &str, place: Position) -> Option<String> {
    let mut parser = Parser::new_from_str(text);
    // The comments between the map's key and the map.
    let mut before = String::new();
    loop {
        let (event, span) = parser.next_event()?.ok()?;
        if let Event::Comment(text, ..) = &event {
            before.push_str(&comment(span.start.col(), text));
            continue;
        }
        let before = std::mem::take(&mut before);
        if matches!(event, Event::StreamEnd) {
            return None;
        }
        if !matches!(event, Event::MappingStart(..)) || super::start(&span) != place {
            continue;
        }
        let line = span.start.line();
        let mut printer = Printer { parser, out: before, line, pending: String::new(), is_in_brackets: false };
        if matches!(event, Event::MappingStart(StructureStyle::Flow, ..)) {
            printer.flow(event)?;
            printer.out.push('\n');
        } else {
            printer.map(0, false)?;
        }
        // If the last printed value is a list or map in brackets without a comment on its line, the comment lines after
        // it are dropped, as in ruamel.yaml.
        if !printer.is_in_brackets {
            printer.out += &printer.pending;
        }
        return Some(printer.out);
    }
}

struct Printer<'a> {
    parser: Parser<'a, StrInput<'a>>,
    out: String,
    /// The number of the last input line whose content has been printed, counted as in the parser's spans.
    line: usize,
    /// Comment lines and blank lines after `line` that have not been printed yet.
    pending: String,
    /// Whether the last output was a list or map on one line without a comment after it.
    is_in_brackets: bool,
}

impl<'a> Printer<'a> {
    /// Returns the next event that is not a comment; `None` if the file is invalid. Comments stay pending until the
    /// event after them is known.
    fn event(&mut self) -> Option<Event<'a>> {
        loop {
            let (event, span) = self.parser.next_event()?.ok()?;
            let (line, column) = (span.start.line(), span.start.col());
            match event {
                Event::Comment(text, ..) if line == self.line && self.pending.is_empty() => {
                    let has_ended = self.out.ends_with('\n');
                    self.out.truncate(self.out.trim_end_matches('\n').len());
                    let used = self.out.len() - self.out.rfind('\n').map_or(0, |end| end + 1);
                    self.indent(column.saturating_sub(used).max(1));
                    self.out.push_str(comment(0, &text).trim_end_matches('\n'));
                    self.out.push_str(if has_ended { "\n" } else { "" });
                    self.is_in_brackets = false;
                }
                Event::Comment(text, ..) => {
                    self.skip_to(line);
                    self.pending.push_str(&comment(column, &text));
                }
                Event::MappingEnd | Event::SequenceEnd => {
                    self.skip_to(line);
                    self.line = line.saturating_sub(1).max(self.line);
                    return Some(event);
                }
                event => {
                    // A block text (`|`) begins on the line below its key, and blank lines before the first word of the
                    // text may belong to the text. So these blank lines do not become pending.
                    if !matches!(event, Event::Scalar(_, ScalarStyle::Literal, ..)) {
                        self.skip_to(line);
                    }
                    self.note_line(&event, line);
                    if !self.pending.is_empty() && !self.out.ends_with('\n') && !self.out.is_empty() {
                        self.out.push('\n');
                    }
                    self.out += &std::mem::take(&mut self.pending);
                    return Some(event);
                }
            }
        }
    }

    /// Adds the blank lines before `line` to the pending lines.
    fn skip_to(&mut self, line: usize) {
        let blank = line.saturating_sub(self.line + 1);
        self.pending.extend(std::iter::repeat_n('\n', blank));
        self.line = self.line.max(line);
    }

    /// Records the last line of a scalar. Other events change nothing.
    fn note_line(&mut self, event: &Event<'_>, line: usize) {
        let Event::Scalar(text, style, ..) = event else { return };
        self.is_in_brackets = false;
        if *style == ScalarStyle::Literal {
            let text = if text.ends_with("\n\n") { text } else { text.trim_end_matches('\n') };
            self.line = (line + text.lines().count()).saturating_sub(1);
        }
    }

    fn indent(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// Prints a map, one key per line. If `is_begun`, the first line already has its indent.
    fn map(&mut self, columns: usize, is_begun: bool) -> Option<()> {
        let mut is_begun = is_begun;
        loop {
            let key = self.event()?;
            if key == Event::MappingEnd {
                return Some(());
            }
            if !std::mem::take(&mut is_begun) {
                self.indent(columns);
            }
            self.flow(key)?;
            self.out.push(':');
            let value = self.event()?;
            self.value(value, columns)?;
        }
    }

    fn value(&mut self, value: Event<'a>, columns: usize) -> Option<()> {
        match value {
            Event::MappingStart(StructureStyle::Block, 0, _) => {
                self.end_line();
                self.map(columns + 2, false)
            }
            Event::SequenceStart(StructureStyle::Block, 0, _) => {
                self.end_line();
                self.list(columns + 2)
            }
            Event::Scalar(text, ScalarStyle::Plain, 0, _) if is_null(&text) => {
                self.out.push('\n');
                Some(())
            }
            Event::Scalar(text, ScalarStyle::Literal, 0, _) => {
                self.literal(&text, columns + 2);
                Some(())
            }
            other => {
                self.out.push(' ');
                self.flow(other)?;
                self.out.push('\n');
                Some(())
            }
        }
    }

    fn end_line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn list(&mut self, columns: usize) -> Option<()> {
        loop {
            let item = self.event()?;
            if item == Event::SequenceEnd {
                return Some(());
            }
            self.indent(columns);
            self.out.push('-');
            if let Event::MappingStart(StructureStyle::Block, 0, _) = item {
                self.out.push(' ');
                self.map(columns + 2, true)?;
            } else {
                self.value(item, columns)?;
            }
        }
    }

    fn literal(&mut self, text: &str, columns: usize) {
        let content = text.trim_end_matches('\n');
        self.out += match text.len() - content.len() {
            0 => " |-\n",
            1 => " |\n",
            _ => " |+\n",
        };
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if !line.is_empty() {
                self.indent(columns);
            }
            self.out += line;
            self.out.push('\n');
        }
    }

    /// Prints a value on one line.
    fn flow(&mut self, event: Event<'a>) -> Option<()> {
        match event {
            Event::Scalar(text, style, 0, _) => self.out += &scalar(&text, style),
            Event::SequenceStart(_, 0, _) => self.items("[", "]", &Event::SequenceEnd)?,
            Event::MappingStart(_, 0, _) => self.items("{", "}", &Event::MappingEnd)?,
            _ => return None,
        }
        Some(())
    }

    fn items(&mut self, open: &str, close: &str, end: &Event<'_>) -> Option<()> {
        self.out += open;
        let mut is_first = true;
        loop {
            let event = self.event()?;
            if event == *end {
                self.out += close;
                self.is_in_brackets = true;
                return Some(());
            }
            if !std::mem::take(&mut is_first) {
                self.out += ", ";
            }
            self.flow(event)?;
            if *end == Event::MappingEnd {
                self.out += ": ";
                let value = self.event()?;
                self.flow(value)?;
            }
        }
    }
}

fn scalar(text: &str, style: ScalarStyle) -> String {
    match style {
        ScalarStyle::SingleQuoted if !text.contains('\n') => format!("'{}'", text.replace('\'', "''")),
        ScalarStyle::Plain if !text.contains('\n') => match text {
            "True" | "TRUE" => "true".to_owned(),
            "False" | "FALSE" => "false".to_owned(),
            _ => text.to_owned(),
        },
        _ => double_quoted(text),
    }
}

/// Returns a comment that starts in this column, counted from 0.
fn comment(column: usize, text: &str) -> String {
    format!("{}#{text}\n", " ".repeat(column))
}

fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match escape(letter) {
            Some(short) => {
                out.push('\\');
                out.push(short);
            }
            None if is_printed(letter) => out.push(letter),
            None if (letter as u32) < 256 => _ = write!(out, "\\x{:02X}", letter as u32),
            None => _ = write!(out, "\\u{:04X}", letter as u32),
        }
    }
    out + "\""
}

/// Returns the letter after the backslash in the short escape of a character; `None` if it has no short escape.
fn escape(letter: char) -> Option<char> {
    Some(match letter {
        '"' | '\\' => letter,
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => return None,
    })
}

/// Returns whether a character without a short escape is printed as it is.
fn is_printed(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected output is from ruamel.yaml 0.19.1 with the settings of BAPCtools: mapping=2, sequence=4, offset=2,
    /// quotes preserved.
    #[test]
    fn a_map_is_printed_in_the_layout_of_bapctools() {
        let text = "a:\n    x: 1\n    y: [p,  'q', \"r\"]\n    z:\n    - 1\n    - b: 2\n      c: {d: e}\n    w: True\n    \
                    v: ~\n    t: |\n        two\n        lines\n";
        let wanted =
            "x: 1\ny: [p, 'q', \"r\"]\nz:\n  - 1\n  - b: 2\n    c: {d: e}\nw: true\nv:\nt: |\n  two\n  lines\n";
        assert_eq!(printed(text, (2, 5)).unwrap(), wanted);
        assert_eq!(printed("a: {x: 1,y: 2}\n", (1, 4)).unwrap(), "{x: 1, y: 2}\n");
    }

    #[test]
    fn comments_stay_in_their_columns() {
        let of = |text: &str| printed(text, (2, 5)).unwrap();
        let of_second = |text: &str| printed(text, (3, 3)).unwrap();
        let text = "a:\n    x: 1 # one\n    # full\n    y: 2\n# after\nb: 1\n";
        assert_eq!(of(text), "x: 1     # one\n    # full\ny: 2\n# after\n");
        let text = "a:\n    y: [1]\n\n    # c\n    z: 1\n\n    # last\n\nb: 1\n";
        assert_eq!(of(text), "y: [1]\n\n    # c\nz: 1\n\n    # last\n\n");
        let text = "a:\n    x:\n      z: 1\n    # c\n    w:\n    - 1\n    # d\n    - 2\nb: 1\n";
        assert_eq!(of(text), "x:\n  z: 1\n    # c\nw:\n  - 1\n    # d\n  - 2\n");
        assert_eq!(of_second("a: # eol\n  # first\n  x: 1\n"), "   # eol\n  # first\nx: 1\n");
        assert_eq!(of("a:\n    y: [1]\n    # lost\n\nb: 1\n"), "y: [1]\n", "so does ruamel.yaml");
        assert_eq!(
            of("a:\n    x: |\n      lit\n\n    y: 'q' # e\n  # less\nb: 1\n"),
            "x: |\n  lit\n\ny: 'q'     # e\n  # less\n"
        );
        assert_eq!(of("a:\n    x: |\n      lit\n\nb: 1\n"), "x: |\n  lit\n\n");
    }

    /// For each character, the expected output is that of ruamel.yaml 0.19.1.
    #[test]
    fn letters_in_quotes_are_escaped_as_ruamel_does() {
        for (letter, shown) in [
            (0x00, r"\0"),
            (0x01, r"\x01"),
            (0x07, r"\a"),
            (0x08, r"\b"),
            (0x09, r"\t"),
            (0x0a, r"\n"),
            (0x0b, r"\v"),
            (0x0c, r"\f"),
            (0x0d, r"\r"),
            (0x0e, r"\x0E"),
            (0x1b, r"\e"),
            (0x1f, r"\x1F"),
            (0x20, " "),
            (0x22, "\\\""),
            (0x5c, r"\\"),
            (0x7e, "~"),
            (0x7f, r"\x7F"),
            (0x85, r"\N"),
            (0x9f, r"\x9F"),
            (0xa0, "\u{a0}"),
            (0xe9, "é"),
            (0x2028, r"\L"),
            (0x2029, r"\P"),
            (0xfeff, r"\uFEFF"),
            (0xfffd, "\u{fffd}"),
            (0xfffe, r"\uFFFE"),
            (0x1_f600, "\u{1f600}"),
        ] {
            let text = format!("a:\n    x: \"q\\U{letter:08X}r\"\n");
            assert_eq!(printed(&text, (2, 5)).unwrap(), format!("x: \"q{shown}r\"\n"), "{letter:x}");
        }
    }

    #[test]
    fn aliases_have_no_meaning_elsewhere() {
        assert_eq!(printed("b: &b 1\na:\n  x: *b\n", (3, 3)), None);
    }
}
