//! Expected against actual output, so that the place is seen at a glance: lines with their numbers, the differing
//! part marked, blanks made visible where they are the difference, long lines cut around the place.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use super::table::{DIM, painted};
use crate::event::Excerpt;
use crate::printable::printable;

/// Unrelated texts of this size are not worth more.
const PATIENCE: Duration = Duration::from_millis(200);

/// Columns for the text of a line.
const WIDTH: usize = 64;

/// Lines of context around a change.
const CONTEXT: usize = 2;

/// The two texts as lines of a diff, at most `most` of them.
pub(super) fn diff(expected: &Excerpt, output: &Excerpt, most: usize) -> Vec<String> {
    let (old, new) = (printable(&expected.bytes), printable(&output.bytes));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(&old, &new);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(painted(DIM, "      ..."));
        }
        for change in group.iter().flat_map(|op| diff.iter_inline_changes(op)) {
            let number = match change.tag() {
                ChangeTag::Insert => change.new_index().map(|index| index + output.first_line),
                ChangeTag::Delete | ChangeTag::Equal => change.old_index().map(|index| index + expected.first_line),
            };
            let parts = change.iter_strings_lossy().map(|(marked, text)| (marked, text.into_owned())).collect();
            lines.push(line(change.tag(), number.unwrap_or(0), parts));
        }
    }
    let hidden = lines.len().saturating_sub(most);
    lines.truncate(most);
    if hidden > 0 {
        lines.push(painted(DIM, &format!("      ... {hidden} more lines")));
    }
    lines
}

/// A text as lines, each at most as wide as fits, for showing it as it is.
pub(super) fn plain(excerpt: &Excerpt, most: usize) -> Vec<String> {
    let text = printable(&excerpt.bytes);
    let mut lines: Vec<_> =
        text.lines().take(most).map(|line| cut(&[(false, line.to_owned())], Style::new())).collect();
    let shown: usize = text.split_inclusive('\n').take(most).map(str::len).sum();
    if shown < text.len() || excerpt.bytes.len() < excerpt.whole_bytes {
        lines.push(painted(DIM, &format!("... ({} bytes in all)", excerpt.whole_bytes)));
    }
    if excerpt.whole_bytes == 0 {
        lines.push(painted(DIM, "(nothing)"));
    }
    lines
}

fn line(tag: ChangeTag, number: usize, parts: Vec<(bool, String)>) -> String {
    let (sign, style) = match tag {
        ChangeTag::Delete => ('-', AnsiColor::Green.on_default()),
        ChangeTag::Insert => ('+', AnsiColor::Red.on_default()),
        ChangeTag::Equal => (' ', DIM),
    };
    let visible = |(marked, text): (bool, String)| {
        let text = text.trim_end_matches('\n');
        (marked, if marked { text.replace(' ', "·").replace('\t', "→") } else { text.replace('\t', " ") })
    };
    let parts: Vec<_> = parts.into_iter().map(visible).collect();
    format!("{} {} {}", painted(DIM, &format!("{number:>5}")), painted(style, &sign.to_string()), cut(&parts, style))
}

/// Joins the parts of a line, marked ones inverted, in at most [`WIDTH`] columns that show the first marked one.
fn cut(parts: &[(bool, String)], style: Style) -> String {
    let characters: Vec<(bool, char)> =
        parts.iter().flat_map(|(marked, text)| text.chars().map(|character| (*marked, character))).collect();
    let first = characters.iter().position(|&(marked, _)| marked).unwrap_or(0);
    let start = if characters.len() > WIDTH && first > WIDTH * 2 / 3 { first - WIDTH / 3 } else { 0 };
    let end = characters.len().min(start + WIDTH);
    let mut shown = if start > 0 { "…".to_owned() } else { String::new() };
    for run in characters[start..end].chunk_by(|a, b| a.0 == b.0) {
        let text: String = run.iter().map(|&(_, character)| character).collect();
        shown += &painted(if run[0].0 { style.invert() } else { style }, &text);
    }
    if end < characters.len() { shown + "…" } else { shown }
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
    fn differing_blanks_can_be_seen() {
        let lines = without_colours(&diff(&excerpt(b"1 2\n"), &excerpt(b"1  2\n"), 20));
        assert!(lines.iter().any(|line| line.contains('·')), "{lines:?}");
    }

    #[test]
    fn no_line_is_wider_than_a_terminal_and_the_place_is_in_it() {
        let mut long = vec![b'x'; 5000];
        let expected = excerpt(&long);
        long[4000] = b'Y';
        for line in without_colours(&diff(&expected, &excerpt(&long), 20)) {
            assert!(line.chars().count() <= 78, "{}", line.chars().count());
        }
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
