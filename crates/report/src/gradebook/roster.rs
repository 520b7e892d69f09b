//! The students of a worksheet, so that other reports can name those who handed in nothing.

use super::layout::Platform;
use super::matching::{self, Found, Rows};
use super::notes::TEST_STUDENT;
use super::{Layout, Worksheet};
use crate::marks::Mark;

/// The students of a worksheet.
#[derive(Debug)]
pub struct Roster {
    rows: Rows,
    students: Vec<(usize, Absent)>,
}

/// A student without a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Absent {
    pub(crate) name: String,
    /// The participant number of Moodle; `None` if the worksheet has none.
    pub(crate) moodle_id: Option<String>,
    /// The user number of Canvas; `None` if the worksheet has none.
    pub(crate) canvas_id: Option<String>,
}

impl Roster {
    pub(super) fn of(sheet: &Worksheet, layout: &Layout) -> Roster {
        let rows = Rows::of(sheet, layout);
        let id = |row: usize, platform: Platform| {
            let id = matching::identifier(sheet, layout, row).filter(|_| layout.platform == platform);
            id.map(str::to_owned)
        };
        let student = |&row: &usize| Absent {
            name: matching::label(sheet, layout, row),
            moodle_id: id(row, Platform::MoodleWorksheet),
            canvas_id: id(row, Platform::Canvas),
        };
        let students = rows.all.iter().map(|row| (*row, student(row)));
        let students = students.filter(|(_, student)| student.name != TEST_STUDENT).collect();
        Roster { rows, students }
    }

    /// Returns the students to whom none of `marks` belongs, in the order of the worksheet.
    pub(crate) fn absent<'a>(&'a self, marks: &[&Mark]) -> impl Iterator<Item = &'a Absent> {
        let found = marks.iter().filter_map(|mark| match self.rows.find(mark) {
            Found::Row(row) => Some(row),
            Found::None | Found::Several(_) => None,
        });
        let present: std::collections::HashSet<_> = found.collect();
        self.students.iter().filter(move |(row, _)| !present.contains(row)).map(|(_, student)| student)
    }
}
