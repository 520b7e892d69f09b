//! Finds the row of each student in a worksheet.

use std::collections::BTreeMap;

use super::layout::{Layout, Platform, participant};
use super::names;
use super::worksheet::Worksheet;
use crate::marks::Mark;

/// The rows of a worksheet by identifier and by name.
#[derive(Debug)]
pub(super) struct Rows {
    /// The rows of students.
    pub(super) all: Vec<usize>,
    by_identifier: BTreeMap<String, Vec<usize>>,
    by_name: BTreeMap<String, Vec<usize>>,
    platform: Platform,
}

/// The rows that fit a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// This row.
    Row(usize),
    /// No row.
    None,
    /// Several rows, of which none is better than the others.
    Several(Vec<usize>),
}

impl Rows {
    pub(super) fn of(sheet: &Worksheet, layout: &Layout) -> Rows {
        let mut rows = Rows {
            all: Vec::new(),
            by_identifier: BTreeMap::new(),
            by_name: BTreeMap::new(),
            platform: layout.platform,
        };
        for row in sheet.rows() {
            let identifier = identifier(sheet, layout, row);
            let label = label(sheet, layout, row);
            let is_student = if layout.identifier.is_some() { identifier.is_some() } else { !label.is_empty() };
            if !is_student {
                continue;
            }
            rows.all.push(row);
            if let Some(identifier) = identifier {
                rows.by_identifier.entry(identifier.to_owned()).or_default().push(row);
            }
            for name in row_names(sheet, layout, row, &label) {
                rows.by_name.entry(name).or_default().push(row);
            }
        }
        rows
    }

    /// Finds the row of a mark: by the platform's identifier if the mark has one, otherwise by its name.
    pub(super) fn find(&self, mark: &Mark) -> Found {
        let student = mark.student.as_ref();
        let identifier = student.and_then(|student| match self.platform {
            Platform::MoodleWorksheet => student.moodle_id.as_ref(),
            Platform::MoodleGradebook => None,
            Platform::Canvas => student.canvas_id.as_ref(),
        });
        let mut rows: Vec<usize> = if let Some(identifier) = identifier {
            self.by_identifier.get(identifier).cloned().unwrap_or_default()
        } else {
            let names = names::of_program(&mark.name);
            names.iter().filter_map(|name| self.by_name.get(name)).flatten().copied().collect()
        };
        rows.sort_unstable();
        rows.dedup();
        match rows[..] {
            [] => Found::None,
            [row] => Found::Row(row),
            _ => Found::Several(rows),
        }
    }
}

/// Returns the platform's identifier in a row; `None` if the row is not that of a student.
pub(super) fn identifier<'a>(sheet: &'a Worksheet, layout: &Layout, row: usize) -> Option<&'a str> {
    let cell = sheet.cell(row, layout.identifier?)?;
    match layout.platform {
        Platform::MoodleWorksheet => participant(cell),
        Platform::MoodleGradebook | Platform::Canvas => Some(cell).filter(|cell| !cell.is_empty()),
    }
}

/// Returns the name of the student in a row, for messages and for comparison; the identifier if there is no name.
pub(super) fn label(sheet: &Worksheet, layout: &Layout, row: usize) -> String {
    let cell = |&column: &usize| sheet.cell(row, column).filter(|cell| !cell.is_empty());
    let names: Vec<_> = layout.names.iter().filter_map(cell).collect();
    if names.is_empty() {
        return layout.identifier.as_ref().and_then(cell).unwrap_or_default().to_owned();
    }
    names.join(" ")
}

/// Returns the names under which a program may belong to a row: the student's name in both orders, and logins, numbers
/// and email addresses.
fn row_names(sheet: &Worksheet, layout: &Layout, row: usize, label: &str) -> Vec<String> {
    let mut all = names::both_orders(label);
    if let &[first, last] = &layout.names[..] {
        let cells = [last, first].map(|column| sheet.cell(row, column).unwrap_or_default());
        all.push(names::folded(&cells.join(" ")));
        all.push(names::folded(&cells.join(", ")));
    }
    all.extend(layout.others.iter().filter_map(|&column| sheet.cell(row, column)).map(names::folded));
    names::distinct(all)
}
