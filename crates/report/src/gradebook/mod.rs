//! Fills in the worksheet that a teacher exported from Moodle or Canvas.
//!
//! [`Sheet::read`] reads the file before any program runs, so that a wrong file ends the command at once. The report
//! [`Gradebook`] collects the results and writes a copy at the end. In the copy, only the grades and the comments of the
//! students with a result differ; every other byte is that of the file.
//!
//! A student is found by the platform's identifier, which the name of the handed-in file or folder contains. Without an
//! identifier, the names must be equal. A row stays as it is if no program, several programs or no result belongs to it,
//! and the report says so. It is never filled with 0 for this reason.

mod encoding;
mod layout;
mod matching;
mod names;
mod notes;
mod number;
pub(crate) mod roster;
mod worksheet;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::Report;
use super::atomic_output::{CheckedOutput, Destination};
use super::marks::{Mark, Marks};
use layout::{Layout, Maximum, Platform};
use matching::{Found, Rows};
use notes::{Notes, RowNote};
use number::Hundredths;
use referee_event::{Event, SubmissionFinished};
use referee_grading::verdict::Verdict;
pub use roster::Roster;
use worksheet::Worksheet;

/// Why a worksheet cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GradebookError {
    /// The file is not a text.
    #[error("the file is not CSV")]
    NotText,
    /// The columns are not those of a known platform.
    #[error("the columns are neither those of Moodle nor those of Canvas: {}", listed(.0))]
    Unknown(Vec<String>),
    /// The file has no column for grades.
    #[error("the file has no column of an assignment")]
    NoColumn,
    /// The user must say which column receives the grades.
    #[error("it is not clear which column receives the grades: {}", listed(.0))]
    ColumnNeeded(Vec<String>),
    /// The file lacks the column that the user named.
    #[error("the file has no column {wanted:?} for grades; it has {}", listed(.columns))]
    ColumnMissing {
        /// The name that the user gave.
        wanted: String,
        /// The columns that may receive grades.
        columns: Vec<String>,
    },
    /// The file has several columns of the name that the user gave.
    #[error("the file has several columns {0:?}")]
    ColumnTwice(String),
    /// The file does not say the maximum of the grades.
    #[error("the file does not state the maximum grade as a number; a grade on a scale of words cannot be filled in")]
    NoMaximum,
}

impl GradebookError {
    /// What the user can do.
    pub fn hint(&self) -> &'static str {
        match self {
            GradebookError::NotText | GradebookError::Unknown(_) => {
                "export the grading worksheet of the assignment from Moodle, or the gradebook from Moodle or Canvas, as \
                 CSV"
            }
            GradebookError::NoColumn => "export the gradebook with the column of the assignment",
            GradebookError::ColumnNeeded(_) => "name the column with --gradebook-column",
            GradebookError::ColumnMissing { .. } => "give --gradebook-column one of these names, in quotes",
            GradebookError::ColumnTwice(_) => {
                "give --gradebook-column the whole name, with the number in brackets at its end"
            }
            GradebookError::NoMaximum => "set the assignment to points in Moodle or Canvas, and export again",
        }
    }
}

/// The maximum number of columns or students that a message names.
const MOST_LISTED: usize = 20;

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MOST_LISTED).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST_LISTED { format!("{shown} and {} more", names.len() - MOST_LISTED) } else { shown }
}

/// A worksheet whose columns are known.
#[derive(Debug)]
pub struct Sheet {
    sheet: Worksheet,
    layout: Layout,
}

impl Sheet {
    /// Reads a file. `column` names the column of the grades; `None` if it follows from the file. Fails if the file is
    /// not a worksheet of a known platform, or if the column is unclear.
    pub fn read(bytes: Vec<u8>, column: Option<&str>) -> Result<Sheet, GradebookError> {
        let is_known = |sheet: &Worksheet| layout::platform(sheet).is_some();
        let sheet = Worksheet::read(bytes, is_known).ok_or(GradebookError::NotText)?;
        let layout = layout::layout(&sheet, column)?;
        Ok(Sheet { sheet, layout })
    }

    /// Returns the students of the worksheet.
    pub fn roster(&self) -> Roster {
        Roster::of(&self.sheet, &self.layout)
    }
}

/// A function that prints a line for the user.
type Print = Box<dyn FnMut(&str)>;

/// Writes the filled copy at the end of the run.
pub struct Gradebook {
    sheet: Worksheet,
    layout: Layout,
    marks: Marks,
    out: CheckedOutput,
    /// The path of the copy, for messages.
    path: String,
    print: Print,
}

impl Gradebook {
    /// Fills in `sheet` and writes the copy to `out`, whose path is `path`. `print` receives lines about the students
    /// who were filled in and those who were not.
    pub fn new(sheet: Sheet, out: Box<dyn Destination>, path: String, print: Print) -> Gradebook {
        let Sheet { sheet, layout } = sheet;
        Gradebook { sheet, layout, marks: Marks::default(), out: CheckedOutput::new(out), path, print }
    }
}

impl Report for Gradebook {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.marks.event(event);
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        let Gradebook { mut sheet, layout, marks, mut out, path, mut print } = *self;
        if !is_complete {
            // Marks of a part of the class could be taken for those of the whole class.
            print(&format!("{path}: not written, because the run did not finish"));
            return Ok(());
        }
        let notes = fill(&mut sheet, &layout, &marks);
        out.write_all(&sheet.written())?;
        out.flush()?;
        out.finish(true)?;
        notes.lines(&path).iter().for_each(|line| print(line));
        Ok(())
    }
}

/// Fills in the grades. Returns what the user must know.
fn fill(sheet: &mut Worksheet, layout: &Layout, marks: &Marks) -> Notes {
    let sorted = marks.sorted();
    let rows = Rows::of(sheet, layout);
    let mut notes = Notes::of(rows.all.len());
    let column = sheet.header().get(layout.grade).copied().unwrap_or_default().to_owned();
    notes.has_no_maximum = layout.platform == Platform::MoodleGradebook;
    notes.column = column;
    let mut of_row: BTreeMap<usize, Vec<&Mark>> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for mark in sorted.iter().copied() {
        match rows.find(mark) {
            Found::Row(row) => of_row.entry(row).or_default().push(mark),
            Found::None => notes.without_row.push(mark.submission.clone()),
            Found::Several(rows) => {
                notes.ambiguous.push(mark.submission.clone());
                unclear.extend(rows);
            }
        }
    }
    notes.is_pass_fail = !sorted.iter().filter_map(|mark| mark.result.as_ref()).any(|done| done.points.is_some());
    let comma = decimal_mark(sheet, layout);
    for &row in &rows.all {
        let label = matching::label(sheet, layout, row);
        let Some(candidates) = of_row.get(&row) else {
            // A row for which a program may be is not that of an absent student.
            if !unclear.contains(&row) {
                notes.add(RowNote::Absent, &label);
            }
            continue;
        };
        match filling(sheet, layout, row, candidates, notes.is_pass_fail) {
            Ok((grade, done)) => {
                let before = sheet.cell(row, layout.grade).unwrap_or_default().trim().to_owned();
                if Hundredths::parse(&before).is_some_and(|before| before != grade) {
                    notes.replaced.push(format!("{label} ({before}, now {})", grade.text(comma)));
                }
                notes.filled += usize::from(sheet.replace(row, layout.grade, grade.text(comma)));
                if let Some(column) = layout.feedback.filter(|&column| is_ours(sheet.cell(row, column))) {
                    sheet.replace(row, column, comment(done, marks));
                }
            }
            Err(note) => notes.add(note, &label),
        }
    }
    notes
}

/// Returns the grade for a row and the result that it follows from, or why the row stays as it is.
fn filling<'m>(
    sheet: &Worksheet,
    layout: &Layout,
    row: usize,
    candidates: &[&'m Mark],
    is_pass_fail: bool,
) -> Result<(Hundredths, &'m SubmissionFinished), RowNote> {
    let mark = latest(candidates).ok_or(RowNote::Several)?;
    let done = mark.result.as_ref().ok_or_else(|| RowNote::NotJudged(mark.remark.clone()))?;
    let points = if is_pass_fail { all_or_nothing(done.verdict) } else { done.points.map(Hundredths::of_points) };
    let points = points.ok_or_else(|| RowNote::NotJudged(mark.remark.clone()))?;
    let cell = |column: usize| sheet.cell(row, column);
    let is_locked =
        layout.changeable.and_then(cell).is_some_and(|cell| ["no", "nein"].contains(&&*cell.to_lowercase()));
    if is_locked {
        return Err(RowNote::Locked);
    }
    let most = match layout.maximum {
        Maximum::Same(most) => Some(most),
        Maximum::Column(column) => cell(column).and_then(Hundredths::parse),
    };
    let most = most.filter(|most| !most.is_zero() && cell(layout.grade).is_some()).ok_or(RowNote::NoMaximum)?;
    Ok((points.scaled_to(most), done))
}

/// Returns the mark of the latest attempt; `None` if it is not known which mark is the latest.
fn latest<'a>(marks: &[&'a Mark]) -> Option<&'a Mark> {
    if let &[only] = marks {
        return Some(only);
    }
    let last = marks.iter().filter_map(|mark| mark.attempt()).max()?;
    let mut candidates = marks.iter().filter(|mark| mark.attempt().is_none_or(|attempt| attempt == last));
    candidates.next().filter(|_| candidates.next().is_none()).copied()
}

/// Returns the points in a run without points; `None` after a judge error.
fn all_or_nothing(verdict: Verdict) -> Option<Hundredths> {
    match verdict {
        Verdict::JudgeError => None,
        Verdict::Accepted => Some(Hundredths::FULL),
        _ => Some(Hundredths::ZERO),
    }
}

/// The beginning of every comment, by which a later run recognises it.
const COMMENT: &str = "referee: ";

/// Returns the comment for the student: one line that tells nothing about secret test cases.
fn comment(done: &SubmissionFinished, marks: &Marks) -> String {
    let result = if done.verdict == Verdict::CompileError {
        "does not compile".to_owned()
    } else {
        let (run, passed) = (done.cases_run, done.cases_run.saturating_sub(done.cases_failed));
        let is_part = run < marks.all_cases(done);
        format!("{passed} of {run} test case{}{}", if run == 1 { "" } else { "s" }, if is_part { " run" } else { "" })
    };
    let points = done.points.map(|points| format!(", {points} points")).unwrap_or_default();
    format!("{COMMENT}{}, {result}{points}", done.verdict.code())
}

/// Whether a comment may be replaced: it is empty, or an earlier run wrote it.
fn is_ours(cell: Option<&str>) -> bool {
    cell.is_some_and(|cell| cell.is_empty() || cell.starts_with(COMMENT))
}

/// Returns the decimal mark of the file: a comma if a number in its columns has one.
fn decimal_mark(sheet: &Worksheet, layout: &Layout) -> char {
    let maximum = match layout.maximum {
        Maximum::Column(column) => column,
        Maximum::Same(_) => layout.grade,
    };
    let cells = sheet.rows().flat_map(|row| [layout.grade, maximum].map(|column| sheet.cell(row, column)));
    let has_comma = |cell: &str| cell.contains(',') && Hundredths::parse(cell).is_some();
    if cells.flatten().any(has_comma) { ',' } else { '.' }
}

#[cfg(test)]
mod tests;
