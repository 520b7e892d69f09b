//! What the user must know about a filled worksheet.

use super::MOST_LISTED;
use crate::counted;
use referee_text::printable::printable_line;

/// The students who were filled in, and those who were not.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The number of rows of students.
    pub(super) students: usize,
    pub(super) filled: usize,
    /// The column of the grades.
    pub(super) column: String,
    /// Whether the run gave no points, so that the grade is the maximum or 0.
    pub(super) is_pass_fail: bool,
    /// Whether the file does not state the maximum, so that grades are points of 100.
    pub(super) has_no_maximum: bool,
    /// The programs for which the file has no row.
    pub(super) without_row: Vec<String>,
    /// The programs whose name fits several rows.
    pub(super) ambiguous: Vec<String>,
    /// The replaced grades: each with its student and the new grade.
    pub(super) replaced: Vec<String>,
    absent: Vec<String>,
    not_judged: Vec<String>,
    several: Vec<String>,
    locked: Vec<String>,
    no_maximum: Vec<String>,
}

/// Why a row stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RowNote {
    /// No program belongs to it.
    Absent,
    /// Its program has no result, for this reason.
    NotJudged(String),
    /// Several programs belong to it, and none is known to be the latest.
    Several,
    /// The platform does not accept a changed grade.
    Locked,
    /// The row has no maximum grade above 0, or no cell for the grade.
    NoMaximum,
}

/// The student whom Canvas adds to every course for tests.
pub(super) const TEST_STUDENT: &str = "Student, Test";

impl Notes {
    /// Returns the notes about a worksheet with so many students.
    pub(super) fn of(students: usize) -> Notes {
        Notes { students, ..Notes::default() }
    }

    pub(super) fn add(&mut self, note: RowNote, label: &str) {
        let label = label.to_owned();
        match note {
            RowNote::Absent if label == TEST_STUDENT => self.students -= 1,
            RowNote::Absent => self.absent.push(label),
            RowNote::NotJudged(reason) if reason.is_empty() => self.not_judged.push(label),
            RowNote::NotJudged(reason) => self.not_judged.push(format!("{label} ({reason})")),
            RowNote::Several => self.several.push(label),
            RowNote::Locked => self.locked.push(label),
            RowNote::NoMaximum => self.no_maximum.push(label),
        }
    }

    /// Returns the lines about the copy at `path`.
    pub(super) fn lines(&self, path: &str) -> Vec<String> {
        let column = printable_line(&self.column);
        let students = counted(self.students, "student");
        let mut lines = vec![format!("{path}: {} of {students} have a grade in the column {column}", self.filled)];
        if self.is_pass_fail {
            lines.push("  without --points: the maximum for accepted programs, 0 for all others".to_owned());
        }
        if self.has_no_maximum {
            lines.push("  the file states no maximum, so grades are points of 100".to_owned());
        }
        lines.extend(line("grades replaced", &self.replaced));
        let lists = [
            ("no program", &self.absent),
            ("not judged", &self.not_judged),
            ("several programs, of which none is known to be the latest", &self.several),
            ("the grade cannot be changed", &self.locked),
            ("no maximum grade", &self.no_maximum),
        ];
        lines.extend(lists.iter().filter_map(|(what, names)| line(&format!("unchanged, {what}"), names)));
        lines.extend(line("no row for", &self.without_row));
        lines.extend(line("several rows for", &self.ambiguous));
        lines
    }
}

/// Returns a line that lists names; `None` if there is none.
fn line(what: &str, names: &[String]) -> Option<String> {
    let shown: Vec<_> = names.iter().take(MOST_LISTED).map(|name| printable_line(name)).collect();
    let more = names.len().saturating_sub(MOST_LISTED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("  {what}: {}{more}", shown.join("; ")))
}
