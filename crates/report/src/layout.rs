//! Which columns the table of submissions has on a screen of a certain width, and how wide they are.

use super::view::Longest;

/// The width of the mark and the verdict at the start of each row, with the blank behind them, in columns.
pub(super) const START: usize = 6;

/// The width of the expected verdicts.
pub(super) const EXPECTED: usize = 6;

/// The widths of points, of a time and of memory.
const POINTS: usize = 6;
const TIME: usize = 7;
const MEMORY: usize = 8;

/// A name of a submission or a test case is not cut to fewer columns as long as another column can be left out.
const NAME: usize = 28;
const CASE: usize = 12;

/// On a wide enough screen, a name of a test case is not cut to fewer columns in favour of the names of submissions.
const FULL_CASE: usize = 20;

/// The widths of the shortest headings of the columns with names.
const NAME_HEADING: usize = "submission".len();
const CASE_HEADING: usize = "fails on".len();

/// The longest heading of the column with test cases.
pub(super) const LONG_CASE_HEADING: &str = "first failing case";

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The expected verdicts.
    Expected,
    /// The name of the submission or the student.
    Name,
    /// The number of passed test cases, and of all.
    Passed,
    /// The first failing test case.
    Case,
    /// The score that the package gives.
    Score,
    /// The points, from 0 to 100.
    Points,
    /// The largest CPU time.
    Time,
    /// The largest peak memory.
    Memory,
}

/// The columns that are left out on a narrow screen, the first one first.
const DISPENSABLE: [Column; 5] = [Column::Memory, Column::Time, Column::Case, Column::Score, Column::Expected];

/// What the rows have to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Whether a submission has expected verdicts.
    pub(super) has_expected: bool,
    /// The width of the numbers of passed cases.
    pub(super) passed: usize,
    /// The width of the scores; 0 if there are none.
    pub(super) score: usize,
    /// Whether a submission has points.
    pub(super) has_points: bool,
    /// The longest names.
    pub(super) longest: Longest,
}

impl Contents {
    /// Returns whether these contents have a column for everything that `row` has.
    pub(super) fn has_columns_for(&self, row: &Contents) -> bool {
        self.has_points >= row.has_points && (self.score > 0) >= (row.score > 0)
    }

    /// Returns contents that include both.
    pub(super) fn with(self, other: Contents) -> Contents {
        Contents {
            has_expected: self.has_expected || other.has_expected,
            passed: self.passed.max(other.passed),
            score: self.score.max(other.score),
            has_points: self.has_points || other.has_points,
            longest: Longest {
                submission: self.longest.submission.max(other.longest.submission),
                case: self.longest.case.max(other.longest.case),
            },
        }
    }
}

/// Returns the columns of the table with their widths. A row with all of them, each after a blank, takes at most
/// `width` columns, but not if `width` is very small.
pub(super) fn layout(contents: &Contents, width: usize) -> Vec<(Column, usize)> {
    let mut columns = vec![
        (Column::Expected, if contents.has_expected { EXPECTED } else { 0 }),
        (Column::Name, contents.longest.submission.max(NAME_HEADING)),
        (Column::Passed, contents.passed.max("passed".len())),
        (Column::Case, contents.longest.case.max(LONG_CASE_HEADING.len())),
        (Column::Score, if contents.score == 0 { 0 } else { contents.score.max("score".len()) }),
        (Column::Points, if contents.has_points { POINTS } else { 0 }),
        (Column::Time, TIME),
        (Column::Memory, MEMORY),
    ];
    columns.retain(|&(_, width)| width > 0);
    let is_enough = |columns: &[(Column, usize)]| least(columns, contents) <= width;
    for left_out in DISPENSABLE {
        if is_enough(&columns) {
            break;
        }
        columns.retain(|&(column, _)| column != left_out);
    }
    divide(&mut columns, contents, width);
    columns
}

/// Returns the width of a row in which names are as short as they may be.
fn least(columns: &[(Column, usize)], contents: &Contents) -> usize {
    let of = |&(column, width): &(Column, usize)| match column {
        Column::Name => width.min(NAME),
        Column::Case => least_case(contents),
        _ => width,
    };
    START + columns.iter().map(of).sum::<usize>() + columns.len().saturating_sub(1)
}

fn least_case(contents: &Contents) -> usize {
    contents.longest.case.clamp(CASE_HEADING, CASE)
}

/// Divides the room between the two columns with names. A single long name of a submission does not cut the names of all
/// test cases. Apart from that, the submissions get what they need first.
fn divide(columns: &mut [(Column, usize)], contents: &Contents, width: usize) {
    let is_name = |column: Column| matches!(column, Column::Name | Column::Case);
    let others: usize = columns.iter().filter(|(column, _)| !is_name(*column)).map(|(_, width)| width).sum();
    let room = width.saturating_sub(START + others + columns.len().saturating_sub(1));
    let has_case = columns.iter().any(|&(column, _)| column == Column::Case);
    let for_names = if has_case {
        let full = room.saturating_sub(contents.longest.case.clamp(CASE_HEADING, FULL_CASE));
        full.max(NAME).min(room.saturating_sub(least_case(contents)))
    } else {
        room
    };
    let mut left = room;
    for (column, width) in columns.iter_mut() {
        match column {
            Column::Name => {
                *width = (*width).min(for_names).max(1);
                left = left.saturating_sub(*width);
            }
            Column::Case => *width = (*width).min(left).max(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(submission: usize, case: usize) -> Contents {
        Contents { passed: 6, longest: Longest { submission, case }, ..Contents::default() }
    }

    fn of(contents: Contents, width: usize) -> Vec<(Column, usize)> {
        let found = layout(&contents, width);
        let total = START + found.iter().map(|(_, width)| width).sum::<usize>() + found.len() - 1;
        assert!(total <= width, "{total} > {width}: {found:?}");
        found
    }

    fn width_of(column: Column, found: &[(Column, usize)]) -> Option<usize> {
        found.iter().find(|(known, _)| *known == column).map(|(_, width)| *width)
    }

    #[test]
    fn names_get_what_they_need_and_no_blank_columns_are_left_beside_a_cut_name() {
        let found = of(contents(60, 8), 120);
        assert_eq!((width_of(Column::Name, &found), width_of(Column::Case, &found)), (Some(60), Some(18)));
        assert_eq!(width_of(Column::Memory, &found), Some(MEMORY));
        let found = of(contents(60, 30), 80);
        assert_eq!((width_of(Column::Name, &found), width_of(Column::Case, &found)), (Some(29), Some(20)));
        let found = of(contents(8, 50), 80);
        assert_eq!((width_of(Column::Name, &found), width_of(Column::Case, &found)), (Some(10), Some(39)));
    }

    #[test]
    fn on_a_narrow_screen_memory_is_left_out_first_then_time_and_then_the_case() {
        use Column::{Case, Memory, Name, Passed, Time};
        let columns = |width| of(contents(24, 20), width).into_iter().map(|(column, _)| column).collect::<Vec<_>>();
        assert_eq!(columns(80), [Name, Passed, Case, Time, Memory]);
        assert_eq!(columns(60), [Name, Passed, Case, Time]);
        assert_eq!(columns(50), [Name, Passed, Case]);
        assert_eq!(columns(40), [Name, Passed]);
        let short = of(contents(9, 8), 40);
        assert_eq!((width_of(Column::Case, &short), width_of(Column::Time, &short)), (Some(8), Some(TIME)));
    }

    #[test]
    fn points_and_verdicts_stay_longest() {
        let all = Contents { has_expected: true, score: 9, has_points: true, ..contents(24, 20) };
        for width in 40..=200 {
            let found = of(all, width);
            assert!(
                width_of(Column::Points, &found).is_some() && width_of(Column::Name, &found) >= Some(14),
                "{width}"
            );
        }
        assert_eq!(of(all, 120).len(), 8);
    }
}
