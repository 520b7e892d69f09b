//! What was taken for what: the summary and the table of `grade --dry-run`.

use std::io::IsTerminal;
use std::path::Path;

use referee_class::{Attempt, Class};
use referee_event::{ClassLayout, NotJudged, Student};
use referee_judge::Submission;
use referee_language::{Detected, Shebangs, Table};
use referee_report::{counted, wrapped};
use referee_text::columns::{columns, end, padded};
use referee_text::list::first_names;
use referee_text::printable::printable_line;
use referee_text::screen::{self, Stream};

/// The largest width of a name or of a list of files, in columns.
const WIDEST: usize = 36;

/// The number of blanks between two columns.
const BETWEEN: usize = 2;

/// The least room for a remark beside the other cells of its row, in columns.
const LEAST_REMARK: usize = 30;

/// Stands before a remark below its row.
const INDENT: &str = "    ";

/// The number of files and folders of a program whose sizes are added.
const MOST_COUNTED: usize = 10_000;

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

/// Returns the summary, and a table with a row for each attempt of a student. `most_bytes` is the package's limit on the
/// sources of a program.
pub(super) fn of_class(class: &Class, path: &Path, most_bytes: u64) -> String {
    let rows = class.attempts.iter().map(|attempt| match &attempt.program {
        Ok(program) => [
            attempt.submission.clone(),
            first_names(&attempt.own_files, MOST_FILES),
            program.language_name.clone(),
            remarks(&attempt.student, [program.remark.clone(), too_large(program.bytes, most_bytes)]),
        ],
        Err(not_judged) => [
            attempt.submission.clone(),
            "-".to_owned(),
            "-".to_owned(),
            format!("not judged: {}", remarks(&attempt.student, [Some(not_judged.to_string()), None])),
        ],
    });
    let summary = summary(class, path);
    let summary = screen_width().map_or_else(|| summary.clone(), |width| wrapped(&summary, width).join("\n"));
    format!("{summary}\n\n{}", table(["student", "files", "language", "remarks"], rows.collect()))
}

fn remarks(student: &Student, first: [Option<String>; 2]) -> String {
    let attempt = student.attempt.map(|attempt| format!("attempt {attempt} of {}", student.attempts));
    let late = (student.is_late == Some(true)).then(|| "late".to_owned());
    first.into_iter().flatten().chain(late).chain(attempt).collect::<Vec<_>>().join(", ")
}

/// Returns a remark if a program has more bytes than the package allows; `None` otherwise.
fn too_large(bytes: u64, most: u64) -> Option<String> {
    (bytes > most).then(|| format!("will get CE: its sources have {bytes} bytes, the package allows {most}"))
}

/// Returns the total size of the files of a program, in bytes. Counts only the first files of a very large folder.
fn bytes_of(program: &Path) -> u64 {
    let files =
        walkdir::WalkDir::new(program).follow_root_links(true).into_iter().filter_map(Result::ok).take(MOST_COUNTED);
    files.filter(|file| file.file_type().is_file()).filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}

/// Returns a table with a row for each program that is no student's.
pub(super) fn of_programs(submissions: &[Submission], languages: &Table, most_bytes: u64) -> String {
    let rows = submissions.iter().map(|submission| {
        let detected = languages.detect(&submission.path, submission.language.as_deref(), Shebangs::Ignored);
        let language = match detected {
            Detected::Source(language) => language.name.clone(),
            Detected::Executable => "executable".to_owned(),
            Detected::Unknown => "-".to_owned(),
        };
        let is_unknown = matches!(detected, Detected::Unknown).then(|| "neither a source nor an executable".to_owned());
        let reason = submission.left_out.as_ref().map(NotJudged::to_string).or(is_unknown);
        let is_source = matches!(detected, Detected::Source(_));
        let is_large = || too_large(if is_source { bytes_of(&submission.path) } else { 0 }, most_bytes);
        let remark = reason.map(|reason| format!("not judged: {reason}")).or_else(is_large).unwrap_or_default();
        [submission.name.clone(), language, remark]
    });
    table(["program", "language", "remarks"], rows.collect())
}

/// Returns the rows under the headings. Cells longer than [`WIDEST`] are cut, except in the last column. On a screen of
/// known width, the columns become narrower until they fit, and the last one is wrapped. Otherwise each row is one line.
fn table<const COLUMNS: usize>(headings: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> String {
    let all: Vec<_> = std::iter::once(headings.map(str::to_owned)).chain(rows).collect();
    let longest = |column: usize| all.iter().map(|row| columns(&row[column]).min(WIDEST)).max().unwrap_or(0);
    let mut widths: Vec<_> = (0..COLUMNS - 1).map(longest).collect();
    let screen = screen_width();
    if let Some(screen) = screen {
        narrow(&mut widths, screen);
    }
    all.iter().flat_map(|row| lines(row, &widths, screen)).collect::<Vec<_>>().join("\n")
}

/// Returns the width of the screen on which a person reads standard output, in columns; `None` if standard output leads
/// to no terminal and the environment does not name a width.
fn screen_width() -> Option<usize> {
    let is_known = std::io::stdout().is_terminal() || std::env::var_os("COLUMNS").is_some();
    is_known.then(|| screen::width(Stream::Output))
}

/// Makes the widest column narrower until the columns fit into the screen.
fn narrow(widths: &mut [usize], screen: usize) {
    while widths.iter().map(|width| width + BETWEEN).sum::<usize>() > screen {
        match widths.iter_mut().max() {
            Some(widest) if *widest > 1 => *widest -= 1,
            _ => return,
        }
    }
}

/// Returns the lines of a row. If the last cell has little room beside the others, it follows below them.
fn lines(row: &[String], widths: &[usize], screen: Option<usize>) -> Vec<String> {
    let Some((last, cells)) = row.split_last() else { return Vec::new() };
    let start: String =
        cells.iter().zip(widths).map(|(text, &width)| padded(&cut(text, width), width + BETWEEN)).collect();
    let Some(screen) = screen else { return vec![format!("{start}{last}").trim_end().to_owned()] };
    let beside = screen.saturating_sub(columns(&start));
    if beside >= LEAST_REMARK || columns(last) <= beside {
        let mut all = wrapped(last, beside).into_iter();
        let first = format!("{start}{}", all.next().unwrap_or_default()).trim_end().to_owned();
        let indent = " ".repeat(columns(&start));
        return std::iter::once(first).chain(all.map(|line| format!("{indent}{line}"))).collect();
    }
    let below = wrapped(last, screen - INDENT.len()).into_iter().map(|line| format!("{INDENT}{line}"));
    std::iter::once(start.trim_end().to_owned()).chain(below).collect()
}

/// Returns a text of at most `width` columns. A longer one loses its beginning, because names usually differ at the end.
fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width { text.to_owned() } else { format!("…{}", end(text, width.saturating_sub(1))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_into_every_screen_and_no_word_of_a_remark_is_cut() {
        let remark = "not judged: found main.docx, a text document; allowed: sources, such as .py, .c, .cpp, .java";
        let row = ["Zoe Ziegler-Zimmermann (1203)", "zoe.py, util.py, other.py", "Python 3", remark].map(str::to_owned);
        for screen in [40, 60, 80, 132] {
            let mut widths = vec![29, 25, 8];
            narrow(&mut widths, screen);
            let found = lines(&row, &widths, Some(screen));
            assert!(found.iter().all(|line| columns(line) <= screen), "{found:#?}");
            let text = found.join(" ");
            assert!(remark.split(' ').all(|word| text.split_whitespace().any(|own| own == word)), "{found:#?}");
            assert!(text.contains("(1203)"), "{found:#?}");
        }
        assert_eq!(lines(&row, &[29, 25, 8], None).len(), 1);
    }

    #[test]
    fn a_cut_cell_has_an_ellipsis() {
        assert_eq!([cut("abcdef", 4), cut("abcd", 4)], ["…def", "abcd"]);
    }
}
