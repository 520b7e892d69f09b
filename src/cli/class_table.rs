//! What was taken for what: the summary and the table of `grade --dry-run`.

use std::path::Path;

use referee_class::{Attempt, Class};
use referee_event::{ClassLayout, Student};
use referee_judge::Submission;
use referee_language::{Detected, Shebangs, Table};
use referee_report::counted;
use referee_text::columns::{beginning, columns, padded};
use referee_text::list::first_names;
use referee_text::printable::printable_line;

/// The largest width of a name or of a list of files, in columns.
const WIDEST: usize = 36;

/// The number of files that a row names.
const MOST_FILES: usize = 3;

/// The number of ignored files that the summary names.
const MOST_IGNORED: usize = 3;

/// Describes the class in one line.
pub(super) fn summary(class: &Class, path: &Path) -> String {
    let count = |is_counted: fn(&Attempt) -> bool| class.attempts.iter().filter(|one| is_counted(one)).count();
    let unfit = count(|attempt| attempt.program.is_err());
    let late = count(|attempt| attempt.student.is_late == Some(true));
    let students = || class.attempts.iter().map(|one| &one.student);
    let left_out: u32 = students().filter(|one| one.attempt == Some(one.attempts)).map(|one| one.attempts - 1).sum();
    let is_each_attempt = students().any(|one| one.attempt.is_some_and(|attempt| attempt < one.attempts));
    let mut parts = vec![counted(class.attempts.len(), if is_each_attempt { "attempt" } else { "student" })];
    if unfit > 0 {
        parts.push(format!("{unfit} not judged"));
    }
    if late > 0 {
        parts.push(format!("{late} late"));
    }
    if left_out > 0 && !is_each_attempt {
        parts.push(format!("{} not judged (--all-attempts)", counted(left_out as usize, "earlier attempt")));
    }
    if !class.ignored.is_empty() {
        parts.push(format!("ignored: {}", printable_line(&first_names(&class.ignored, MOST_IGNORED))));
    }
    format!("{}: {}: {}", printable_line(&path.display().to_string()), words(class.layout), parts.join(", "))
}

/// Describes how the programs of the class are stored.
fn words(layout: ClassLayout) -> &'static str {
    match layout {
        ClassLayout::Moodle => "Moodle's download",
        ClassLayout::Canvas => "Canvas' download",
        ClassLayout::GithubClassroom => "clones of GitHub Classroom",
        ClassLayout::Folders => "one folder per student",
        ClassLayout::Files => "one file per student",
    }
}

/// Returns a table with a row for each attempt of a student.
pub(super) fn of_class(class: &Class) -> String {
    let rows = class.attempts.iter().map(|attempt| match &attempt.program {
        Ok(program) => [
            attempt.submission.clone(),
            first_names(&attempt.own_files, MOST_FILES),
            program.language_name.clone(),
            remarks(&attempt.student, program.remark.as_deref()),
        ],
        Err(reason) => [
            attempt.submission.clone(),
            "-".to_owned(),
            "-".to_owned(),
            format!("not judged: {}", remarks(&attempt.student, Some(reason))),
        ],
    });
    table(["student", "files", "language", "remarks"], rows.collect())
}

fn remarks(student: &Student, first: Option<&str>) -> String {
    let attempt = student.attempt.map(|attempt| format!("attempt {attempt} of {}", student.attempts));
    let late = (student.is_late == Some(true)).then(|| "late".to_owned());
    first.map(str::to_owned).into_iter().chain(late).chain(attempt).collect::<Vec<_>>().join(", ")
}

/// Returns a table with a row for each program that is no student's.
pub(super) fn of_programs(submissions: &[Submission], languages: &Table) -> String {
    let rows = submissions.iter().map(|submission| {
        let detected = languages.detect(&submission.path, submission.language.as_deref(), Shebangs::Ignored);
        let language = match detected {
            Detected::Source(language) => language.name.clone(),
            Detected::Executable => "executable".to_owned(),
            Detected::Unknown => "-".to_owned(),
        };
        let is_unknown = matches!(detected, Detected::Unknown).then(|| "neither a source nor an executable".to_owned());
        let reason = submission.left_out.clone().or(is_unknown);
        let remark = reason.map(|reason| format!("not judged: {reason}")).unwrap_or_default();
        [submission.name.clone(), language, remark]
    });
    table(["program", "language", "remarks"], rows.collect())
}

/// Returns the rows under the headings, in columns of equal width. The last column is not cut.
fn table<const COLUMNS: usize>(headings: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> String {
    let all: Vec<_> = std::iter::once(headings.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| all.iter().map(|row| columns(&row[column]).min(WIDEST)).max().unwrap_or(0);
    let widths: Vec<_> = (0..COLUMNS).map(width).collect();
    let cell = |(column, text): (usize, &String)| {
        if column + 1 == COLUMNS { text.clone() } else { padded(&cut(text), widths[column]) }
    };
    let line =
        |row: &[String; COLUMNS]| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned();
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a text of at most [`WIDEST`] columns.
fn cut(text: &str) -> String {
    if columns(text) <= WIDEST { text.to_owned() } else { format!("{}...", beginning(text, WIDEST - 3)) }
}
