//! Additional JSON lines of a page, besides the lines of `--json`: texts, diffs and pictures.

mod shorten;

use referee_picture::{Film, Frame, Grid, Scene};
use serde::Serialize;

use crate::diff::{Row, Side, rows};
use crate::failure::SIGABRT;
use crate::last_words::last_words;
use crate::{CaseDetails, CaseTexts};
use referee_event::{CaseFinished, Excerpt, Exchange, ProgramSource};
use referee_grading::verdict::Verdict;
use referee_text::printable::printable;

/// The maximum number of rows that are shown of a diff.
const MOST_ROWS: usize = 120;

/// The maximum number of characters that are shown of one part of a row.
const PART_CHARACTERS: usize = 400;

/// A line that the page has in addition to the lines of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Extra<'a> {
    /// The heading of the page. This is the first line.
    Page { heading: &'a str, version: &'a str },
    /// The texts and pictures of a test case. This line precedes the first result on that case.
    CaseTold { case: &'a str, description: Option<&'a str>, input: Text, expected: Option<Text>, boards: Vec<Pictures> },
    /// The texts and pictures of a result. This line precedes that result.
    Exhibit {
        submission: &'a str,
        case: &'a str,
        output: Text,
        stderr: Option<Text>,
        /// The line of the standard error that says why the program failed; `None` if no line does, or if the verdict
        /// is not a run-time error.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        diff: Option<Vec<DiffRow>>,
        talk: Option<Vec<MessageRow>>,
        /// The number of earlier messages that `talk` had before it was shortened.
        talk_left_out: usize,
        boards: Vec<Pictures>,
    },
    /// The diff and the pictures for an input that a hunt found. `number` is the number of the mutant; `None` if the
    /// hunt was not for a mutant.
    FindTold { number: Option<usize>, diff: Option<Vec<DiffRow>>, boards: Vec<Pictures> },
    /// What a reader should know about the summary of the run, as the terminal says it: sentences that limit what the
    /// summary says, and other remarks. This line precedes the end of the run; it is left out if there is nothing to say.
    Remarks { doubts: &'a [String], remarks: &'a [String] },
    /// The line of a compiler's message with which its first error begins, counted from 0. This line follows the build;
    /// it is left out if the message begins with an error.
    FirstError { submission: &'a str, line: usize },
    /// The source of a program that is similar to another one.
    SimilarSource { submission: &'a str, files: Vec<SourceText<'a>> },
    /// A description of data that did not fit into the page.
    LeftOut { what: &'a str },
}

/// A source file, made printable.
#[derive(Serialize)]
pub(super) struct SourceText<'a> {
    /// The path relative to the program's folder; empty if the program is a single file.
    name: &'a str,
    text: String,
}

/// Returns the source of a program. A line of the text is a line of the file.
pub(super) fn similar_source(source: &ProgramSource) -> Extra<'_> {
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        let text = if text.contains('\n') { text } else { text.replace('\r', "\n") };
        printable(text.as_bytes())
    };
    let files = source.files.iter().map(|(name, bytes)| SourceText { name, text: text(bytes) }).collect();
    Extra::SimilarSource { submission: &source.submission, files }
}

/// A part of a text, made printable.
#[derive(Serialize)]
pub(super) struct Text {
    #[serde(rename = "text")]
    shown: String,
    first_line: usize,
    whole_bytes: usize,
    cut: bool,
    /// The byte of `shown` around which the text is cut if it must be shorter.
    #[serde(skip)]
    focus: usize,
}

impl Text {
    fn of(excerpt: &Excerpt) -> Text {
        // An excerpt is already short, and its important part may be at its end, so this does not cut the text.
        Text {
            shown: printable(&excerpt.bytes),
            first_line: excerpt.first_line,
            whole_bytes: excerpt.whole_bytes,
            cut: excerpt.bytes.len() < excerpt.whole_bytes,
            focus: 0,
        }
    }

    /// Returns the text of an error output. Its end says the most, but only if the excerpt contains the end.
    fn of_stderr(excerpt: &Excerpt) -> Text {
        let text = Text::of(excerpt);
        Text { focus: if text.cut { 0 } else { text.shown.len() }, ..text }
    }

    /// Returns the text of an output, with the first difference to the expected output as its focus.
    fn of_output(excerpt: &Excerpt, expected: &Excerpt, rows: &[Row]) -> Text {
        let text = Text::of(excerpt);
        Text { focus: first_difference(&text, expected.first_line, rows).unwrap_or(0), ..text }
    }
}

/// Returns the first byte of the output that differs according to the diff; `None` if no row differs. All lines before
/// the first difference are equal, so a line that only the answer has gives the place, too.
fn first_difference(output: &Text, first_expected: usize, rows: &[Row]) -> Option<usize> {
    let (before, parts) = rows.iter().find_map(|row| match row {
        Row::Line { side: Side::Output, number, parts, .. } => Some((number.saturating_sub(output.first_line), parts)),
        Row::Line { side: Side::Expected, number, parts, .. } => Some((number.saturating_sub(first_expected), parts)),
        _ => None,
    })?;
    let start: usize = output.shown.split_inclusive('\n').take(before).map(str::len).sum();
    let unmarked: usize = parts.iter().take_while(|(marked, _)| !marked).map(|(_, text)| text.len()).sum();
    let is_any_marked = parts.iter().any(|(marked, _)| *marked);
    Some((start + if is_any_marked { unmarked } else { 0 }).min(output.shown.len()))
}

/// A row of a diff. Its sign is `-` for the expected output, `+` for the actual output, a blank for both, and `…` for
/// rows that are not shown.
#[derive(Serialize)]
pub(super) struct DiffRow {
    sign: char,
    line: Option<usize>,
    parts: Vec<(bool, String)>,
}

impl DiffRow {
    fn of_left_out() -> DiffRow {
        DiffRow { sign: '…', line: None, parts: vec![(false, "further lines are left out".to_owned())] }
    }

    fn of(row: Row) -> DiffRow {
        match row {
            Row::Gap => DiffRow { sign: '…', line: None, parts: Vec::new() },
            Row::Line { side, number, parts, .. } => {
                let sign = match side {
                    Side::Expected => '-',
                    Side::Output => '+',
                    Side::Both => ' ',
                };
                let is_long = parts.len() > MOST_PARTS;
                let shown = parts.into_iter().take(MOST_PARTS).map(|(marked, text)| (marked, shortened(text)));
                let parts = shown.chain(is_long.then(|| (false, "…".to_owned()))).collect();
                DiffRow { sign, line: Some(number), parts }
            }
        }
    }
}

/// The maximum number of parts that are shown of a row.
const MOST_PARTS: usize = 200;

/// Cuts one part of a row to [`PART_CHARACTERS`] characters.
fn shortened(text: String) -> String {
    match text.char_indices().nth(PART_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn diff(expected: &Excerpt, output: &Excerpt) -> Vec<DiffRow> {
    shown_rows(rows(expected, output, MOST_ROWS))
}

fn shown_rows(mut rows: Vec<Row>) -> Vec<DiffRow> {
    let is_long = rows.len() > MOST_ROWS;
    rows.truncate(MOST_ROWS);
    rows.into_iter().map(DiffRow::of).chain(is_long.then(DiffRow::of_left_out)).collect()
}

/// A message of the submission or of the output validator.
#[derive(Serialize)]
pub(super) struct MessageRow {
    by_submission: bool,
    at_seconds: f64,
    text: String,
    whole_bytes: u64,
    cut: bool,
}

impl MessageRow {
    fn of(exchange: &Exchange) -> MessageRow {
        MessageRow {
            by_submission: exchange.by_submission,
            at_seconds: exchange.at.as_secs_f64(),
            text: printable(&exchange.bytes),
            whole_bytes: exchange.whole_bytes,
            cut: (exchange.bytes.len() as u64) < exchange.whole_bytes,
        }
    }
}

/// Pictures of a board, as in [`Scene`].
#[derive(Serialize)]
pub(super) struct Pictures {
    name: String,
    right: Option<String>,
    expected: Option<Strip>,
    actual: Option<Strip>,
    wrong: Option<String>,
}

#[derive(Serialize)]
struct Strip {
    goal: Option<Vec<String>>,
    frames: Vec<Still>,
    end: Option<String>,
}

#[derive(Serialize)]
struct Still {
    caption: String,
    grid: Vec<String>,
    marks: Vec<(usize, usize)>,
}

impl Pictures {
    fn of(scene: Scene) -> Pictures {
        Pictures {
            name: scene.name,
            right: scene.right,
            expected: scene.expected.map(Strip::of),
            actual: scene.actual.map(Strip::of),
            wrong: scene.wrong,
        }
    }
}

impl Strip {
    fn of(film: Film) -> Strip {
        let still = |frame: Frame| Still { caption: frame.caption, grid: letters(&frame.grid), marks: frame.marks };
        Strip {
            goal: film.goal.as_ref().map(letters),
            frames: film.frames.into_iter().map(still).collect(),
            end: film.end,
        }
    }
}

/// Returns a text for each row of a board, with a letter for each field.
fn letters(grid: &Grid) -> Vec<String> {
    grid.iter().map(|row| row.iter().map(|cell| cell.letter()).collect()).collect()
}

/// Returns pictures of the input's boards; empty unless the whole input is known. `output` must be complete, because
/// the moves of an incomplete output cannot be replayed.
fn pictures(case_details: Option<&dyn CaseDetails>, input: Option<&[u8]>, output: Option<&[u8]>) -> Vec<Pictures> {
    let scenes = case_details.zip(input).map(|(case_details, input)| case_details.scenes(input, output));
    scenes.unwrap_or_default().into_iter().map(Pictures::of).collect()
}

pub(super) fn case_texts<'a>(case: &'a str, texts: &'a CaseTexts, case_details: Option<&dyn CaseDetails>) -> Extra<'a> {
    Extra::CaseTold {
        case,
        description: texts.description.as_deref(),
        input: Text::of(&texts.input),
        expected: texts.expected.as_ref().map(Text::of),
        boards: pictures(case_details, texts.input.whole(), None),
    }
}

/// Returns the texts and pictures of a case that was not accepted; `None` if there are none.
pub(super) fn exhibit<'a>(case: &'a CaseFinished, case_details: Option<&dyn CaseDetails>) -> Option<Extra<'a>> {
    let exhibit = case.exhibit.as_deref()?;
    let is_wrong = case.verdict == Verdict::WrongAnswer && exhibit.exchanges.is_none();
    let output = exhibit.output.whole().filter(|_| is_wrong);
    let rows = is_wrong.then(|| rows(&exhibit.expected, &exhibit.output, MOST_ROWS));
    Some(Extra::Exhibit {
        submission: &case.submission,
        case: &case.case,
        output: Text::of_output(&exhibit.output, &exhibit.expected, rows.as_deref().unwrap_or_default()),
        why: why(case),
        stderr: (exhibit.stderr.whole_bytes > 0).then(|| Text::of_stderr(&exhibit.stderr)),
        diff: rows.map(shown_rows),
        talk: exhibit.exchanges.as_ref().map(|exchanges| exchanges.iter().map(MessageRow::of).collect()),
        talk_left_out: 0,
        boards: output.map(|output| pictures(case_details, exhibit.input.whole(), Some(output))).unwrap_or_default(),
    })
}

/// Returns the line of the standard error that says why the program crashed; `None` if no line does.
fn why(case: &CaseFinished) -> Option<String> {
    let exhibit = case.exhibit.as_deref().filter(|_| case.verdict == Verdict::RunTimeError)?;
    last_words(&exhibit.stderr, case.signal.is_some_and(|signal| signal != SIGABRT)).map(shortened)
}

/// An input that a hunt found, and the outputs on it.
pub(super) struct Find<'a> {
    pub(super) number: Option<usize>,
    pub(super) input: Option<&'a str>,
    pub(super) expected: Option<&'a str>,
    pub(super) got: Option<&'a str>,
    pub(super) is_wrong_answer: bool,
}

/// Returns the diff and the pictures for the input; `None` if the hunt found no input.
pub(super) fn find_texts<'a>(find: &Find<'_>, case_details: Option<&dyn CaseDetails>) -> Option<Extra<'a>> {
    let input = find.input?;
    let got = find.got.filter(|_| find.is_wrong_answer);
    let excerpt = |text: &str| Excerpt { first_line: 1, bytes: text.as_bytes().to_vec(), whole_bytes: text.len() };
    Some(Extra::FindTold {
        number: find.number,
        diff: got.zip(find.expected).map(|(got, expected)| diff(&excerpt(expected), &excerpt(got))),
        boards: pictures(case_details, Some(input.as_bytes()), got.map(str::as_bytes)),
    })
}
