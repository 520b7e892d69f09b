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
use super::marks::{Mark, Marks, Sorted};
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
}

impl Csv {
    /// Writes the table to `out`.
    pub fn new(out: Box<dyn Destination>) -> Csv {
        Csv { out: CheckedOutput::new(out), marks: Marks::default() }
    }
}

impl Report for Csv {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.marks.event(event);
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        let Csv { mut out, marks } = *self;
        let sorted = marks.sorted();
        let rows = sorted.marks.iter().map(|mark| row(mark, &sorted).join(","));
        let header = format!("\u{feff}{}", COLUMNS.join(","));
        let lines: String = std::iter::once(header).chain(rows).map(|line| line + "\r\n").collect();
        out.write_all(lines.as_bytes())?;
        out.flush()?;
        out.finish(is_complete)
    }
}

/// Returns the cells of a mark, ready to be joined with commas.
fn row(mark: &Mark, sorted: &Sorted) -> [String; COLUMNS.len()] {
    let student = mark.student.as_ref();
    let done = mark.result.as_ref();
    let identifier = |id: Option<&String>| id.map(|id| cell::identifier(id)).unwrap_or_default();
    let figure = |figure: &dyn Fn(&SubmissionFinished) -> Option<String>| done.and_then(figure).unwrap_or_default();
    let late = student.and_then(|student| student.is_late).map_or("", |is_late| if is_late { "yes" } else { "no" });
    let attempt = student.and_then(|student| student.attempt).map(|attempt| attempt.to_string());
    [
        cell::text(&mark.name),
        identifier(student.and_then(|student| student.moodle_id.as_ref())),
        identifier(student.and_then(|student| student.canvas_id.as_ref())),
        cell::text(&mark.submission),
        figure(&|done| Some(done.verdict.code().to_owned())),
        figure(&|done| done.points.map(|points| points.to_string())),
        figure(&|done| Some(done.cases_run.saturating_sub(done.cases_failed).to_string())),
        figure(&|done| Some(done.cases_run.to_string())),
        figure(&|done| Some(sorted.all_cases(done).to_string())),
        figure(&|done| done.first_failing_case.as_deref().map(cell::text)),
        figure(&|done| done.cpu_seconds_max.map(|seconds| format!("{seconds:.3}"))),
        figure(&|done| done.memory_bytes_max.map(mebibytes)),
        late.to_owned(),
        attempt.unwrap_or_default(),
        figure(&|done| Some(cell::text(&done.language))),
        cell::text(&mark.remark),
    ]
}

fn mebibytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10).saturating_add(1 << 19) >> 20;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests;
