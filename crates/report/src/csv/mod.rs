//! The table of a class as CSV: one row for each submission, for spreadsheets and gradebooks.
//!
//! The file follows RFC 4180: comma, CRLF, quotes where necessary. It is UTF-8 with a byte order mark, because Excel
//! reads umlauts wrongly without it. Unknown figures are empty, never 0. Rows are sorted by name.
//!
//! Names and other texts come from strangers. [`cell::text`] makes sure that no spreadsheet takes them for a formula.

mod cell;

use std::io::{self, Write};

use super::Report;
use super::atomic_output::{CheckedOutput, Destination};
use super::gradebook::Roster;
use super::gradebook::roster::Absent;
use super::marks::{Mark, Marks};
use referee_event::{Event, SubmissionFinished};

/// The first bytes of the file, by which a later run recognises a report of this kind.
pub const BEGINNING: &[u8] = b"\xef\xbb\xbfname,moodle_id,canvas_id,submission,verdict,points,";

const COLUMNS: [&str; 16] = [
    "name",
    "moodle_id",
    "canvas_id",
    "submission",
    "verdict",
    "points",
    "cases_passed",
    "cases_judged",
    "cases_all",
    "first_failing_case",
    "cpu_seconds",
    "memory_mib",
    "late",
    "attempt",
    "language",
    "remark",
];

/// Writes the table at the end of the run.
pub struct Csv {
    out: CheckedOutput,
    marks: Marks,
    rosters: Vec<Roster>,
}

impl Csv {
    /// Writes the table to `out`. Students of `rosters` without a program get a row, too.
    pub fn new(out: Box<dyn Destination>, rosters: Vec<Roster>) -> Csv {
        Csv { out: CheckedOutput::new(out), marks: Marks::default(), rosters }
    }
}

impl Report for Csv {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.marks.event(event);
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        let Csv { mut out, marks, rosters } = *self;
        let sorted = marks.sorted();
        // In an unfinished run, students are absent only because their programs were not judged yet.
        let absent = rosters.iter().filter(|_| is_complete).flat_map(|roster| roster.absent(&sorted));
        let rows = sorted.iter().map(|mark| (mark.name.as_str(), row(mark, &marks).join(",")));
        let rows = rows.chain(absent.map(|student| (student.name.as_str(), absent_row(student).join(","))));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|(name, _)| name.to_lowercase());
        let header = format!("\u{feff}{}", COLUMNS.join(","));
        let lines: String =
            std::iter::once(header).chain(rows.into_iter().map(|(_, row)| row)).map(|line| line + "\r\n").collect();
        out.write_all(lines.as_bytes())?;
        out.flush()?;
        out.finish(is_complete)
    }
}

/// Returns the cells of a mark, ready to be joined with commas.
fn row(mark: &Mark, marks: &Marks) -> [String; COLUMNS.len()] {
    let student = mark.student.as_deref();
    let done = mark.result.as_ref();
    let identifier = |id: Option<&String>| id.map(|id| cell::identifier(id)).unwrap_or_default();
    let figure = |figure: &dyn Fn(&SubmissionFinished) -> Option<String>| done.and_then(figure).unwrap_or_default();
    let late = student.and_then(|student| student.is_late).map_or("", |is_late| if is_late { "yes" } else { "no" });
    [
        cell::text(&mark.name),
        identifier(student.and_then(|student| student.moodle_id.as_ref())),
        identifier(student.and_then(|student| student.canvas_id.as_ref())),
        cell::text(&mark.submission),
        figure(&|done| Some(done.verdict.code().to_owned())),
        figure(&|done| done.points.map(|points| points.to_string())),
        figure(&|done| Some(done.cases_run.saturating_sub(done.cases_failed).to_string())),
        figure(&|done| Some(done.cases_run.to_string())),
        figure(&|done| Some(marks.all_cases(done).to_string())),
        figure(&|done| done.first_failing_case.as_deref().map(cell::text)),
        figure(&|done| done.cpu_seconds_max.map(|seconds| format!("{seconds:.3}"))),
        figure(&|done| done.memory_bytes_max.map(mebibytes)),
        late.to_owned(),
        mark.attempt().map(|attempt| attempt.to_string()).unwrap_or_default(),
        figure(&|done| Some(cell::text(&done.language))),
        cell::text(&mark.remark),
    ]
}

/// Returns the cells of a student without a program.
fn absent_row(student: &Absent) -> [String; COLUMNS.len()] {
    let mut cells: [String; COLUMNS.len()] = Default::default();
    let identifier = |id: &Option<String>| id.as_deref().map(cell::identifier).unwrap_or_default();
    cells[0] = cell::text(&student.name);
    (cells[1], cells[2]) = (identifier(&student.moodle_id), identifier(&student.canvas_id));
    "no program".clone_into(&mut cells[COLUMNS.len() - 1]);
    cells
}

fn mebibytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10).saturating_add(1 << 19) >> 20;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests;
