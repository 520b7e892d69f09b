//! Draws a diff on a terminal so that the difference is easy to see, also without colours. Differing blanks become
//! visible characters. Long lines are cut around the difference, and carets below the line point at the difference.

use anstyle::{AnsiColor, Style};

use super::{Row, Side, rows};
use crate::table::{DIM, painted};
use referee_event::Excerpt;
use referee_text::printable::printable;

/// The maximum length of the text of a line, in characters.
const WIDTH: usize = 64;

/// Draws the diff of two texts: at most `most` of its rows, and the carets below them.
pub(crate) fn diff(expected: &Excerpt, output: &Excerpt, most: usize) -> Vec<String> {
    let rows = rows(expected, output, most);
    let mut lines: Vec<_> = rows.iter().take(most).flat_map(lines_of).collect();
    if rows.len() > most {
        lines.push(painted(DIM, "      ... more lines differ"));
    }
    lines
}

/// Returns the first `most` lines of a text, each cut to [`WIDTH`] characters. Nothing is marked as different. If the
/// end of the text is left out, or if the text is empty, one more line says so.
pub(crate) fn plain(excerpt: &Excerpt, most: usize) -> Vec<String> {
    let text = printable(&excerpt.bytes);
    let line = |line: &str| Window::around_first_mark(&[(false, line.to_owned())]).painted(Style::new());
    let mut lines: Vec<_> = text.lines().take(most).map(line).collect();
    let shown: usize = text.split_inclusive('\n').take(most).map(str::len).sum();
    if shown < text.len() || excerpt.bytes.len() < excerpt.whole_bytes {
        lines.push(painted(DIM, &format!("... ({} bytes in all)", excerpt.whole_bytes)));
    }
    if excerpt.whole_bytes == 0 {
        lines.push(painted(DIM, "(nothing)"));
    }
    lines
}

fn lines_of(row: &Row) -> Vec<String> {
    let Row::Line { side, number, parts, .. } = row else { return vec![painted(DIM, "      ...")] };
    let (sign, style) = match side {
        Side::Expected => ('-', AnsiColor::Green.on_default()),
        Side::Output => ('+', AnsiColor::Red.on_default()),
        Side::Both => (' ', DIM),
    };
    let visible = |(marked, text): &(bool, String)| {
        (*marked, if *marked { text.replace(' ', "·").replace('\t', "→") } else { text.replace('\t', " ") })
    };
    let window = Window::around_first_mark(&parts.iter().map(visible).collect::<Vec<_>>());
    let head = format!("{} {} ", painted(DIM, &format!("{number:>5}")), painted(style, &sign.to_string()));
    let mut lines = vec![format!("{head}{}", window.painted(style))];
    lines.extend(window.pointer().map(|pointer| format!("        {}", painted(style, &pointer))));
    lines
}

/// The visible part of a line: at most [`WIDTH`] characters, including the first marked character.
struct Window {
    characters: Vec<(bool, char)>,
    is_cut_before: bool,
    is_cut_after: bool,
}

impl Window {
    fn around_first_mark(parts: &[(bool, String)]) -> Window {
        let all = || parts.iter().flat_map(|(marked, text)| text.chars().map(move |character| (*marked, character)));
        let count = all().count();
        let first = all().position(|(marked, _)| marked).unwrap_or(0);
        let start = if count > WIDTH && first > WIDTH * 2 / 3 { first - WIDTH / 3 } else { 0 };
        let characters: Vec<_> = all().skip(start).take(WIDTH).collect();
        Window { is_cut_before: start > 0, is_cut_after: start + characters.len() < count, characters }
    }

    /// Returns the text with its marked parts inverted.
    fn painted(&self, style: Style) -> String {
        let mut shown = if self.is_cut_before { "…".to_owned() } else { String::new() };
        for run in self.characters.chunk_by(|a, b| a.0 == b.0) {
            let text: String = run.iter().map(|&(_, character)| character).collect();
            shown += &painted(if run[0].0 { style.invert() } else { style }, &text);
        }
        if self.is_cut_after { shown + "…" } else { shown }
    }

    /// Returns a line with carets below the marked part; `None` if nothing or the whole line is marked.
    fn pointer(&self) -> Option<String> {
        let is_part = self.characters.iter().any(|(marked, _)| *marked)
            && (self.is_cut_before || self.characters.iter().any(|(marked, _)| !*marked));
        let before = if self.is_cut_before { " " } else { "" };
        let below = self.characters.iter().map(|&(marked, _)| if marked { '^' } else { ' ' });
        is_part.then(|| before.chars().chain(below).collect::<String>().trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &[u8]) -> Excerpt {
        Excerpt { first_line: 1, bytes: text.to_vec(), whole_bytes: text.len() }
    }

    fn without_colours(lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn the_differing_line_stands_between_its_neighbours() {
        let lines = diff(&excerpt(b"1\n2\n3\n4\n5\n6\n"), &excerpt(b"1\n2\n3\n4\n7\n6\n"), 20);
        assert_eq!(without_colours(&lines), ["    3   3", "    4   4", "    5 - 5", "    5 + 7", "    6   6"]);
    }

    #[test]
    fn a_differing_token_is_pointed_at_without_colours_too() {
        let lines = without_colours(&diff(&excerpt(b"1 2.50 3\n"), &excerpt(b"1 2.75 3\n"), 20));
        assert_eq!(lines, ["    1 - 1 2.50 3", "          ^^^^", "    1 + 1 2.75 3", "          ^^^^"]);
    }

    #[test]
    fn differing_blanks_can_be_seen() {
        let lines = without_colours(&diff(&excerpt(b"1 2\n"), &excerpt(b"1  2\n"), 20));
        assert!(lines.iter().any(|line| line.contains('·')), "{lines:?}");
        assert!(lines.iter().any(|line| line.trim_start().starts_with('^')), "{lines:?}");
    }

    #[test]
    fn no_line_is_wider_than_a_terminal_and_the_place_is_in_it() {
        let mut long = vec![b'x'; 5000];
        let expected = excerpt(&long);
        long[4000] = b'Y';
        let blanks: Vec<u8> = b"12 ".repeat(2000);
        let mut other = blanks.clone();
        other[4000] = b'Y';
        let lines = [diff(&expected, &excerpt(&long), 20), diff(&excerpt(&blanks), &excerpt(&other), 20)].concat();
        for line in without_colours(&lines) {
            assert!(line.chars().count() <= 78, "{}", line.chars().count());
        }
        let places = without_colours(&lines).iter().filter(|line| line.contains('Y')).count();
        assert_eq!(places, 2, "{lines:?}");
    }

    #[test]
    fn an_output_cannot_colour_or_move_what_the_judge_prints() {
        let lines = without_colours(&plain(&excerpt(b"\x1b[2J\x07ok \xe2\x80\xae \xff\n"), 5));
        assert_eq!(lines, ["␛[2J␇ok \\u{202e} \\xff"]);
    }

    #[test]
    fn unrelated_texts_are_cut_to_what_fits() {
        let numbers = |from: u32| (from..from + 3000).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let lines = diff(&excerpt(numbers(0).as_bytes()), &excerpt(numbers(5000).as_bytes()), 20);
        assert_eq!(lines.len(), 21);
    }
}
