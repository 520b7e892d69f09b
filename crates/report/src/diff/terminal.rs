//! Draws a diff on a terminal so that the difference is easy to see, also without colours. Words say which line was
//! expected and which one the submission printed. Signs would not: in git's diffs, `-` and red mean what was, and `+`
//! and green what is, so a reader could take either for the expected line. For the same reason the colours are neither
//! red nor green. Differing blanks become visible characters. Long lines are cut around the difference, and carets below
//! the line point at the difference.

use anstyle::{AnsiColor, Style};

use super::{Row, Side, rows};
use crate::table::{DIM, painted};
use referee_event::Excerpt;
use referee_text::columns::columns;
use referee_text::printable::printable;

/// The width of the word at the start of a line, in columns.
const WORD: usize = "expected".len();

/// The smallest width of the text of a line, in columns.
const MIN_TEXT: usize = 8;

/// The blanks that replace a tab at the start of a line, for example in a stack trace.
const TAB: &str = "    ";

/// Draws the diff of two texts: at most `most` of its rows, and the carets below them. No line is wider than `width`
/// columns, unless `width` is very small.
pub(crate) fn diff(expected: &Excerpt, output: &Excerpt, most: usize, width: usize) -> Vec<String> {
    let rows = rows(expected, output, most);
    let number = |row: &Row| if let Row::Line { number, .. } = row { number.to_string().len() } else { 0 };
    let numbers = rows.iter().take(most).map(number).max().unwrap_or(0);
    // The blanks are behind the number, behind the word, and for the marks of a line that is cut at both ends.
    let text = width.saturating_sub(numbers + 1 + WORD + 2 + 2).max(MIN_TEXT);
    let mut lines: Vec<_> = rows.iter().take(most).flat_map(|row| lines_of(row, numbers, text)).collect();
    if rows.len() > most {
        lines.push(painted(DIM, "... more lines differ"));
    }
    lines
}

/// Returns the first `most` lines of a text, each cut to `width` columns. Nothing is marked as different. If the end of
/// the text is left out, or if the text is empty, one more line says so.
pub(crate) fn plain(excerpt: &Excerpt, most: usize, width: usize) -> Vec<String> {
    let text = printable(&excerpt.bytes);
    let room = width.saturating_sub(2).max(MIN_TEXT);
    // The width of a tab depends on its place, so blanks replace it.
    let line = |line: &str| Window::around_first_mark(&[(false, line.replace('\t', TAB))], room).painted(Style::new());
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

fn lines_of(row: &Row, numbers: usize, width: usize) -> Vec<String> {
    let Row::Line { side, number, parts, .. } = row else { return vec![painted(DIM, "...")] };
    let (word, style) = match side {
        Side::Expected => ("expected", AnsiColor::Cyan.on_default()),
        Side::Output => ("got", AnsiColor::Yellow.on_default()),
        Side::Both => ("", DIM),
    };
    let visible = |(marked, text): &(bool, String)| {
        (*marked, if *marked { text.replace(' ', "␣").replace('\t', "→") } else { text.replace('\t', " ") })
    };
    let window = Window::around_first_mark(&parts.iter().map(visible).collect::<Vec<_>>(), width);
    let head =
        format!("{} {}", painted(DIM, &format!("{number:>numbers$}")), painted(style, &format!("{word:<WORD$}")));
    let mut lines = vec![format!("{head}  {}", window.painted(style))];
    let blank = " ".repeat(numbers + 1 + WORD + 2);
    lines.extend(window.pointer().map(|pointer| format!("{blank}{}", painted(style, &pointer))));
    lines
}

/// The visible part of a line: it has a maximum width and includes the first marked character.
struct Window {
    characters: Vec<(bool, char)>,
    is_cut_before: bool,
    is_cut_after: bool,
}

impl Window {
    /// Returns the part that is at most `width` columns wide.
    fn around_first_mark(parts: &[(bool, String)], width: usize) -> Window {
        let all: Vec<(bool, char)> =
            parts.iter().flat_map(|(marked, text)| text.chars().map(move |character| (*marked, character))).collect();
        let total: usize = all.iter().map(|&(_, character)| width_of(character)).sum();
        let first = all.iter().position(|(marked, _)| *marked).unwrap_or(0);
        let mut start = 0;
        if total > width {
            // If the mark is far from the start, a third of the width is before the mark.
            let before: usize = all[..first].iter().map(|&(_, character)| width_of(character)).sum();
            let mut skipped = if before > width * 2 / 3 { before - width / 3 } else { 0 };
            while skipped > 0 && start < first {
                skipped = skipped.saturating_sub(width_of(all[start].1));
                start += 1;
            }
        }
        let mut used = 0;
        let shown = all[start..].iter().take_while(|&&(_, character)| {
            used += width_of(character);
            used <= width
        });
        let characters: Vec<_> = shown.copied().collect();
        Window { is_cut_before: start > 0, is_cut_after: start + characters.len() < all.len(), characters }
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
        let below = self.characters.iter().map(|&(marked, character)| {
            let mark = if marked { "^" } else { " " };
            mark.repeat(width_of(character))
        });
        is_part.then(|| format!("{before}{}", below.collect::<String>()).trim_end().to_owned())
    }
}

/// Returns the number of columns that a character takes.
fn width_of(character: char) -> usize {
    columns(character.encode_utf8(&mut [0; 4]))
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

    fn drawn(expected: &[u8], output: &[u8]) -> Vec<String> {
        without_colours(&diff(&excerpt(expected), &excerpt(output), 20, 76))
    }

    #[test]
    fn the_differing_line_stands_between_its_neighbours() {
        assert_eq!(
            drawn(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n3\n4\n7\n6\n"),
            ["3           3", "4           4", "5 expected  5", "5 got       7", "6           6"]
        );
    }

    #[test]
    fn a_differing_token_is_pointed_at_without_colours_too() {
        let carets = "              ^^^^";
        assert_eq!(
            drawn(b"1 2.50 3\n", b"1 2.75 3\n"),
            ["1 expected  1 2.50 3", carets, "1 got       1 2.75 3", carets]
        );
    }

    #[test]
    fn carets_stand_below_wide_characters() {
        let lines = drawn("王 小 x\n".as_bytes(), "王 明 x\n".as_bytes());
        assert_eq!(lines[..2], ["1 expected  王 小 x", "               ^^"]);
    }

    #[test]
    fn differing_blanks_can_be_seen() {
        let lines = drawn(b"1 2\n", b"1  2\n");
        assert!(lines.iter().any(|line| line.contains('␣')), "{lines:?}");
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
        let wide = "王小 ".repeat(300);
        let (mut last, most) = (wide.clone(), 76);
        last.replace_range(wide.len() - 4..wide.len() - 1, "Y");
        for width in [36, 56, 76, 116] {
            let lines = [
                diff(&expected, &excerpt(&long), 20, width),
                diff(&excerpt(&blanks), &excerpt(&other), 20, width),
                diff(&excerpt(wide.as_bytes()), &excerpt(last.as_bytes()), 20, width),
            ]
            .concat();
            for line in without_colours(&lines) {
                assert!(columns(&line) <= width, "{line}");
            }
            let places = without_colours(&lines).iter().filter(|line| line.contains('Y')).count();
            assert_eq!(places, 3, "{lines:?}");
        }
        for line in without_colours(&plain(&excerpt(wide.as_bytes()), 5, most)) {
            assert!(columns(&line) <= most, "{line}");
        }
    }

    #[test]
    fn an_output_cannot_colour_or_move_what_the_judge_prints() {
        let lines = without_colours(&plain(&excerpt(b"\x1b[2J\x07ok \xe2\x80\xae \xff\n"), 5, 76));
        assert_eq!(lines, ["␛[2J␇ok \\u{202e} \\xff"]);
        assert_eq!(plain(&excerpt(b"\tat Main.main\n"), 5, 76), ["    at Main.main"]);
    }

    #[test]
    fn unrelated_texts_are_cut_to_what_fits() {
        let numbers = |from: u32| (from..from + 3000).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let lines = diff(&excerpt(numbers(0).as_bytes()), &excerpt(numbers(5000).as_bytes()), 20, 76);
        assert_eq!(lines.len(), 21);
    }
}
