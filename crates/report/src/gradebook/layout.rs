//! Recognises the worksheets of Moodle and Canvas by their columns.
//!
//! | file | sign | identifier | maximum |
//! |---|---|---|---|
//! | Moodle's grading worksheet of an assignment | `Identifier` with `Participant 12345`, and `Grade` | the number | `Maximum Grade` |
//! | Moodle's export of the gradebook | `First name` and `Last name` | none | unknown |
//! | Canvas' gradebook | `Student` and `ID` | `ID` | the row `Points Possible` |
//!
//! Moodle translates its columns. This module knows the English and the German ones. In other languages, the grading
//! worksheet is recognised by the identifiers in its first column, and the user names the column of the grades.
//!
//! Sources: Moodle's `mod/assign/gradingtable.php` and `grade/export/txt`, with their language files; Canvas'
//! `lib/gradebook_exporter.rb` and `lib/gradebook_importer.rb`.

use super::GradebookError;
use super::number::Hundredths;
use super::worksheet::Worksheet;

/// The platform and the kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    /// Moodle's grading worksheet of one assignment.
    MoodleWorksheet,
    /// Moodle's export of a whole gradebook.
    MoodleGradebook,
    /// Canvas' gradebook.
    Canvas,
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) platform: Platform,
    /// The columns with the student's name, in the order first name, last name; one column if it has the whole name.
    pub(super) names: Vec<usize>,
    /// The column with the platform's identifier; `None` if there is none.
    pub(super) identifier: Option<usize>,
    /// Further columns by which a program may be named: logins, numbers and email addresses.
    pub(super) others: Vec<usize>,
    pub(super) grade: usize,
    pub(super) maximum: Maximum,
    /// The column of the comments; `None` if there is none.
    pub(super) feedback: Option<usize>,
    /// The column that says whether a grade can be changed; `None` if there is none.
    pub(super) changeable: Option<usize>,
}

/// Where the maximum grade stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maximum {
    /// In this column of each student's row.
    Column(usize),
    /// This is the maximum for all students.
    Same(Hundredths),
}

const IDENTIFIER: [&str; 2] = ["identifier", "id"];
const FULL_NAME: [&str; 2] = ["full name", "vollständiger name"];
const FIRST_NAME: [&str; 2] = ["first name", "vorname"];
const LAST_NAME: [&str; 3] = ["last name", "surname", "nachname"];
const GRADE: [&str; 2] = ["grade", "bewertung"];
const MAXIMUM: [&str; 2] = ["maximum grade", "bestwertung"];
const FEEDBACK: [&str; 2] = ["feedback comments", "feedback als kommentar"];
const CHANGEABLE: [&str; 2] = ["grade can be changed", "bewertung kann geändert werden"];
/// Columns of Moodle that name a student. A column of another name is kept and not used.
const MOODLE_OTHERS: [&str; 9] = [
    "id number",
    "id-nummer",
    "matrikelnummer",
    "email address",
    "email",
    "e-mail",
    "e-mail-adresse",
    "username",
    "anmeldename",
];
/// Columns of Moodle's worksheet that are not grades.
const MOODLE_NOT_GRADES: [&[&str]; 6] = [&FULL_NAME, &MAXIMUM, &FEEDBACK, &CHANGEABLE, &MOODLE_OTHERS, &MOODLE_STATES];
/// Columns of Moodle's worksheet about what was handed in and when.
const MOODLE_STATES: [&str; 7] = [
    "status",
    "last modified (submission)",
    "last modified (grade)",
    "online text",
    "zuletzt geändert (abgabe)",
    "zuletzt geändert (bewertung)",
    "texteingabe online",
];
/// Columns of Moodle's gradebook that are not grades.
const NO_GRADE: [&str; 7] = [
    "feedback",
    "institution",
    "department",
    "abteilung",
    "last downloaded from this course",
    "zuletzt aus diesem kurs geladen",
    "suspended",
];
const CANVAS_OTHERS: [&str; 4] = ["sis user id", "sis login id", "integration id", "email"];

/// Returns the platform of a file; `None` if it is not recognised.
pub(super) fn platform(sheet: &Worksheet) -> Option<Platform> {
    let has = |names: &[&str]| find(sheet, names).is_some();
    if has(&["student"]) && has(&["id"]) {
        Some(Platform::Canvas)
    } else if has(&FIRST_NAME) && has(&LAST_NAME) {
        Some(Platform::MoodleGradebook)
    } else if is_of_participants(sheet) || (has(&IDENTIFIER) && has(&GRADE)) {
        Some(Platform::MoodleWorksheet)
    } else {
        None
    }
}

/// Finds the columns of a file. `column` is the user's name of the column for the grades; `None` if the user names none.
pub(super) fn layout(sheet: &Worksheet, column: Option<&str>) -> Result<Layout, GradebookError> {
    match platform(sheet).ok_or_else(|| GradebookError::Unknown(shown(&all_columns(sheet))))? {
        Platform::MoodleWorksheet => moodle_worksheet(sheet, column),
        Platform::MoodleGradebook => moodle_gradebook(sheet, column),
        Platform::Canvas => canvas(sheet, column),
    }
}

fn moodle_worksheet(sheet: &Worksheet, column: Option<&str>) -> Result<Layout, GradebookError> {
    let by_name = find(sheet, &GRADE);
    let first = find(sheet, &IDENTIFIER).unwrap_or(0);
    let is_other = |(index, header): &(usize, &str)| {
        *index == first || MOODLE_NOT_GRADES.iter().any(|names| names.contains(&&*header.to_lowercase()))
    };
    let columns: Vec<_> = all_columns(sheet).into_iter().filter(|column| !is_other(column)).collect();
    let grade = match column {
        Some(column) => named(column, &columns)?,
        None => by_name.ok_or_else(|| GradebookError::ColumnNeeded(shown(&columns)))?,
    };
    // Moodle writes the maximum directly after the grade.
    let maximum = find(sheet, &MAXIMUM).or(Some(grade + 1)).filter(|&column| is_numeric(sheet, column));
    Ok(Layout {
        platform: Platform::MoodleWorksheet,
        names: find(sheet, &FULL_NAME).into_iter().collect(),
        identifier: Some(first),
        others: find_all(sheet, &MOODLE_OTHERS),
        grade,
        maximum: Maximum::Column(maximum.ok_or(GradebookError::NoMaximum)?),
        feedback: find(sheet, &FEEDBACK),
        changeable: find(sheet, &CHANGEABLE),
    })
}

fn moodle_gradebook(sheet: &Worksheet, column: Option<&str>) -> Result<Layout, GradebookError> {
    let names = [find(sheet, &FIRST_NAME), find(sheet, &LAST_NAME)];
    let is_grade = |(index, header): &(usize, &str)| {
        let header = header.to_lowercase();
        let is_other = [&MOODLE_OTHERS[..], &NO_GRADE].iter().any(|all| all.contains(&header.as_str()));
        let ends = ["(feedback)", "(percentage)", "(letter)", "(prozentsatz)", "(buchstabe)"];
        let is_total = header.starts_with("course total") || header.starts_with("kurs gesamt");
        !names.contains(&Some(*index)) && !is_other && !is_total && !ends.iter().any(|end| header.ends_with(end))
    };
    let grade = chosen(column, &all_columns(sheet).into_iter().filter(is_grade).collect::<Vec<_>>())?;
    Ok(Layout {
        platform: Platform::MoodleGradebook,
        names: names.into_iter().flatten().collect(),
        identifier: None,
        others: find_all(sheet, &MOODLE_OTHERS),
        grade,
        maximum: Maximum::Same(Hundredths::FULL),
        feedback: None,
        changeable: None,
    })
}

fn canvas(sheet: &Worksheet, column: Option<&str>) -> Result<Layout, GradebookError> {
    let is_assignment = |(_, header): &(usize, &str)| assignment_id(header).is_some();
    let assignments: Vec<_> = all_columns(sheet).into_iter().filter(is_assignment).collect();
    let grade = chosen(column, &assignments)?;
    let identifier = find(sheet, &["id"]);
    // The rows `Points Possible` and `Manual Posting` stand above the students and have no identifier.
    let above = sheet.rows().take_while(|&row| identifier.and_then(|column| sheet.cell(row, column)) == Some(""));
    let maximum = above.filter_map(|row| sheet.cell(row, grade).and_then(Hundredths::parse)).last();
    Ok(Layout {
        platform: Platform::Canvas,
        names: find(sheet, &["student"]).into_iter().collect(),
        identifier,
        others: find_all(sheet, &CANVAS_OTHERS),
        grade,
        maximum: Maximum::Same(maximum.ok_or(GradebookError::NoMaximum)?),
        feedback: None,
        changeable: None,
    })
}

/// Returns the number in brackets at the end of the header of an assignment on Canvas; `None` if there is none.
fn assignment_id(header: &str) -> Option<&str> {
    let (_, id) = header.strip_suffix(')')?.rsplit_once(" (")?;
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

/// Returns the column that the user names, or else the only one of `columns`.
fn chosen(column: Option<&str>, columns: &[(usize, &str)]) -> Result<usize, GradebookError> {
    match (column, columns) {
        (Some(column), _) => named(column, columns),
        (None, &[(only, _)]) => Ok(only),
        (None, []) => Err(GradebookError::NoColumn),
        (None, _) => Err(GradebookError::ColumnNeeded(shown(columns))),
    }
}

/// Finds the one of `columns` that the user names: by its whole header, or without what stands in brackets at its end, or
/// by the number in these brackets.
fn named(column: &str, columns: &[(usize, &str)]) -> Result<usize, GradebookError> {
    let wanted = column.trim();
    let is_named = |header: &str| {
        let short = header.rsplit_once(" (").filter(|_| header.ends_with(')')).map(|(short, _)| short);
        short == Some(wanted) || assignment_id(header) == Some(wanted)
    };
    let whole = columns.iter().find(|(_, header)| *header == wanted);
    let mut found = columns.iter().filter(|(_, header)| is_named(header));
    match (whole, found.next(), found.next()) {
        (Some((whole, _)), ..) => Ok(*whole),
        (None, Some((only, _)), None) => Ok(*only),
        (None, Some(_), Some(_)) => Err(GradebookError::ColumnTwice(column.to_owned())),
        (None, None, _) => Err(GradebookError::ColumnMissing { wanted: column.to_owned(), columns: shown(columns) }),
    }
}

fn all_columns(sheet: &Worksheet) -> Vec<(usize, &str)> {
    sheet.header().into_iter().enumerate().collect()
}

fn shown(columns: &[(usize, &str)]) -> Vec<String> {
    columns.iter().map(|(_, header)| (*header).to_owned()).collect()
}

/// Returns the first column with one of these names, in lower case.
fn find(sheet: &Worksheet, names: &[&str]) -> Option<usize> {
    find_all(sheet, names).first().copied()
}

fn find_all(sheet: &Worksheet, names: &[&str]) -> Vec<usize> {
    let is_wanted = |(_, header): &(usize, &str)| names.contains(&header.to_lowercase().as_str());
    all_columns(sheet).into_iter().filter(is_wanted).map(|(index, _)| index).collect()
}

/// Returns the number of a participant in a cell such as `Participant 12345`; `None` for other cells.
pub(super) fn participant(cell: &str) -> Option<&str> {
    let start = cell
        .rfind(|character: char| !character.is_ascii_digit())
        .map_or(0, |at| at + cell[at..].chars().next().map_or(1, char::len_utf8));
    let (word, number) = cell.split_at(start);
    (word.contains(char::is_alphabetic) && !number.is_empty()).then_some(number)
}

/// Returns whether all cells in the first column are participants, with the same word before their numbers.
fn is_of_participants(sheet: &Worksheet) -> bool {
    let cells = || sheet.rows().filter_map(|row| sheet.cell(row, 0));
    let word = |cell: &str| participant(cell).map(|number| cell[..cell.len() - number.len()].to_owned());
    let first = cells().next().and_then(word);
    first.is_some() && cells().all(|cell| word(cell) == first)
}

/// Returns whether the column has a number in every row that is long enough, and in at least one.
fn is_numeric(sheet: &Worksheet, column: usize) -> bool {
    let cells = || sheet.rows().filter_map(|row| sheet.cell(row, column));
    cells().next().is_some() && cells().all(|cell| Hundredths::parse(cell).is_some())
}
