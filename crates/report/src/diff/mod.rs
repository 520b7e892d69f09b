//! Compares the expected output with the actual one, line by line. The result has line numbers and marks the parts that
//! differ.

mod narrow;
mod terminal;

use std::time::{Duration, Instant};

use similar::{ChangeTag, TextDiff};

use referee_event::Excerpt;
use referee_text::printable::printable;

pub(super) use terminal::{diff, plain};

/// The maximum time for one diff. Only long texts without common lines take longer, and their diff is not useful.
const DIFF_TIMEOUT: Duration = Duration::from_millis(200);

/// The number of equal lines shown around a change.
const CONTEXT: usize = 2;

/// The text that contains a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The answer only.
    Expected,
    /// The output only.
    Output,
    /// Both.
    Both,
}

/// A row of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A line.
    Line {
        side: Side,
        /// The line number in its text, counted from 1. For a line of both texts, the number in the answer.
        number: usize,
        /// The parts of the line's text. The `bool` says whether the part differs.
        parts: Vec<(bool, String)>,
        /// Whether the line ends with a line feed.
        is_ended: bool,
    },
    /// Equal lines that are not shown.
    Gap,
}

/// Compares two texts and returns the first rows of their diff. Adds whole groups of changes until there are more than
/// `most` rows. The only control characters in these rows are tabs.
pub(super) fn rows(expected: &Excerpt, output: &Excerpt, most: usize) -> Vec<Row> {
    let deadline = Instant::now() + DIFF_TIMEOUT;
    let (old, new) = (printable(&expected.bytes), printable(&output.bytes));
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).diff_lines(&old, &new);
    let mut rows = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if rows.len() > most {
            break;
        }
        if index > 0 {
            rows.push(Row::Gap);
        }
        // The deadline bounds the time. The memory is bounded because excerpts are short.
        for change in group.iter().flat_map(|op| diff.iter_inline_changes_deadline(op, Some(deadline))) {
            let (side, number) = match change.tag() {
                ChangeTag::Insert => (Side::Output, change.new_index().map(|index| index + output.first_line)),
                ChangeTag::Delete => (Side::Expected, change.old_index().map(|index| index + expected.first_line)),
                ChangeTag::Equal => (Side::Both, change.old_index().map(|index| index + expected.first_line)),
            };
            let without_end = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
            let is_ended = !change.missing_newline();
            let parts = change.iter_strings_lossy().map(|(marked, text)| (marked, without_end(&text))).collect();
            rows.push(Row::Line { side, number: number.unwrap_or(0), parts, is_ended });
        }
    }
    narrow::narrow(&mut rows);
    rows
}
