//! Expected against actual output: lines with their numbers, and in each the parts that differ.

mod narrow;
mod painted;

use std::time::{Duration, Instant};

use similar::{ChangeTag, TextDiff};

use crate::event::Excerpt;
use crate::printable::printable;

pub(super) use painted::{diff, plain};

/// Unrelated texts of this size are not worth more.
const PATIENCE: Duration = Duration::from_millis(200);

/// Lines of context around a change.
const CONTEXT: usize = 2;

/// Whose a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Of the answer only.
    Expected,
    /// Of the output only.
    Output,
    /// Of both.
    Both,
}

/// A line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A line.
    Line {
        side: Side,
        /// Its number in its text, from 1; of a line of both in the answer.
        number: usize,
        /// Its text, with whether it is what differs.
        parts: Vec<(bool, String)>,
        /// Whether a line feed ends it.
        is_ended: bool,
    },
    /// Lines that do not differ are left out here.
    Gap,
}

/// The first rows, `most` or a few more, of the two texts as a diff. No control character but tabs is in it.
pub(super) fn rows(expected: &Excerpt, output: &Excerpt, most: usize) -> Vec<Row> {
    let deadline = Instant::now() + PATIENCE;
    let (old, new) = (printable(&expected.bytes), printable(&output.bytes));
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(&old, &new);
    let mut rows = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if rows.len() > most {
            break;
        }
        if index > 0 {
            rows.push(Row::Gap);
        }
        // Bounded by the excerpts, and in time by the deadline.
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
