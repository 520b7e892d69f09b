//! A part of a YAML file as a file of its own, in the style that it is written in: what is in quotes stays in quotes,
//! what is on one line stays there. The layout is that of BAPCtools: two columns for a map, four for a list.

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, StructureStyle};

use super::Place;
use super::fields::is_null;

/// Prints the map at `place`. `None` if there is none, or it has what only makes sense in its file, such as aliases.
pub(crate) fn printed(text: &str, place: Place) -> Option<String> {
    let mut printer = Printer { parser: Parser::new_from_str(text), out: String::new() };
    loop {
        let (event, span) = printer.event()?;
        if matches!(event, Event::StreamEnd) {
            return None;
        }
        if !matches!(event, Event::MappingStart(..)) || super::start(&span) != place {
            continue;
        }
        if matches!(event, Event::MappingStart(StructureStyle::Flow, ..)) {
            printer.flow(event)?;
            printer.out.push('\n');
        } else {
            printer.map(0)?;
        }
        return Some(printer.out);
    }
}

struct Printer<'a> {
    parser: Parser<'a, StrInput<'a>>,
    out: String,
}

impl<'a> Printer<'a> {
    fn event(&mut self) -> Option<(Event<'a>, Span)> {
        loop {
            match self.parser.next_event()?.ok()? {
                (Event::Comment(..), _) => {}
                found => return Some(found),
            }
        }
    }

    fn indent(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// The rest of a map in lines of its own, the first of which has been begun.
    fn map(&mut self, columns: usize) -> Option<()> {
        let mut is_first = true;
        loop {
            let (key, _) = self.event()?;
            if key == Event::MappingEnd {
                return Some(());
            }
            if !std::mem::take(&mut is_first) {
                self.indent(columns);
            }
            self.flow(key)?;
            self.out.push(':');
            let (value, _) = self.event()?;
            self.value(value, columns)?;
        }
    }

    fn value(&mut self, value: Event<'a>, columns: usize) -> Option<()> {
        match value {
            Event::MappingStart(StructureStyle::Block, 0, _) => {
                self.out.push('\n');
                self.indent(columns + 2);
                self.map(columns + 2)
            }
            Event::SequenceStart(StructureStyle::Block, 0, _) => {
                self.out.push('\n');
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

    fn list(&mut self, columns: usize) -> Option<()> {
        loop {
            let (item, _) = self.event()?;
            if item == Event::SequenceEnd {
                return Some(());
            }
            self.indent(columns);
            self.out.push('-');
            if let Event::MappingStart(StructureStyle::Block, 0, _) = item {
                self.out.push(' ');
                self.map(columns + 2)?;
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

    /// A value on one line.
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
            let (event, _) = self.event()?;
            if event == *end {
                self.out += close;
                return Some(());
            }
            if !std::mem::take(&mut is_first) {
                self.out += ", ";
            }
            self.flow(event)?;
            if *end == Event::MappingEnd {
                self.out += ": ";
                let (value, _) = self.event()?;
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

fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            '\0' => out += "\\0",
            other if other.is_control() && (other as u32) < 256 => out += &format!("\\x{:02X}", other as u32),
            other => out.push(other),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What ruamel.yaml 0.19.1 prints, as BAPCtools sets it up: mapping=2, sequence=4, offset=2, quotes preserved.
    #[test]
    fn a_map_is_printed_in_the_layout_of_bapctools() {
        let text = "a:\n    x: 1\n    y: [p,  'q', \"r\"]\n    z:\n    - 1\n    - b: 2\n      c: {d: e}\n    w: True\n    \
                    v: ~\n    t: |\n        two\n        lines\n";
        let wanted = "x: 1\ny: [p, 'q', \"r\"]\nz:\n  - 1\n  - b: 2\n    c: {d: e}\nw: true\nv:\nt: |\n  two\n  lines\n";
        assert_eq!(printed(text, (2, 5)).unwrap(), wanted);
        assert_eq!(printed("a: {x: 1,y: 2}\n", (1, 4)).unwrap(), "{x: 1, y: 2}\n");
    }

    #[test]
    fn aliases_have_no_meaning_elsewhere() {
        assert_eq!(printed("b: &b 1\na:\n  x: *b\n", (3, 3)), None);
    }
}
