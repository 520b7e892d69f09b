//! Additional JSON lines of a page, besides the lines of `--json`: texts, diffs and pictures.

use referee_picture::{Film, Frame, Grid, Scene};
use serde::Serialize;

use crate::diff::{Row, Side, rows};
use crate::{CaseDetails, CaseTexts};
use referee_event::{CaseFinished, Excerpt, Exchange};
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
        diff: Option<Vec<DiffRow>>,
        talk: Option<Vec<MessageRow>>,
        boards: Vec<Pictures>,
    },
    /// The diff and the pictures for an input that a hunt found. `number` is the number of the mutant; `None` if the
    /// hunt was not for a mutant.
    FindTold { number: Option<usize>, diff: Option<Vec<DiffRow>>, boards: Vec<Pictures> },
    /// A description of data that did not fit into the page.
    LeftOut { what: &'a str },
}

impl Extra<'_> {
    /// Halves the texts and the diff, and drops the pictures if the texts are short already. Returns false if nothing is
    /// left to be halved.
    pub(super) fn halve(&mut self) -> bool {
        match self {
            Extra::CaseTold { input, expected, boards, .. } => {
                let is_halved = input.halve(Kept::Beginning)
                    | expected.as_mut().is_some_and(|expected| expected.halve(Kept::Beginning));
                is_halved || !std::mem::take(boards).is_empty()
            }
            Extra::Exhibit { output, stderr, diff, talk, boards, .. } => {
                let is_halved = output.halve(Kept::Beginning)
                    | stderr.as_mut().is_some_and(|stderr| stderr.halve(Kept::End))
                    | diff.as_mut().is_some_and(halve_diff)
                    | talk.as_mut().is_some_and(halve_talk);
                is_halved || !std::mem::take(boards).is_empty()
            }
            Extra::Page { .. } | Extra::FindTold { .. } | Extra::LeftOut { .. } => false,
        }
    }
}

/// The length in bytes from which on texts and parts of rows are halved.
const LEAST_HALVED_BYTES: usize = 64;

/// The number of rows or messages from which on they are halved.
const LEAST_HALVED_ROWS: usize = 4;

/// The half of a text that is kept.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Beginning,
    End,
}

/// Returns the last place up to `at`, in bytes, that is not inside a character.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// Halves a diff: drops the later rows and the ends of long rows. Returns whether anything was dropped.
fn halve_diff(rows: &mut Vec<DiffRow>) -> bool {
    let is_long = rows.len() > LEAST_HALVED_ROWS;
    if is_long {
        rows.truncate(rows.len() / 2);
        rows.push(DiffRow { sign: '…', line: None, parts: vec![(false, "more lines differ".to_owned())] });
    }
    let mut is_halved = is_long;
    for row in rows {
        let length: usize = row.parts.iter().map(|(_, text)| text.len()).sum();
        if length > LEAST_HALVED_BYTES {
            shorten_row(&mut row.parts, length / 2);
            is_halved = true;
        }
    }
    is_halved
}

/// Keeps the first `most` bytes of a row.
fn shorten_row(parts: &mut Vec<(bool, String)>, most: usize) {
    let mut left = most;
    let end = parts.iter().position(|(_, text)| {
        let is_last = text.len() > left;
        left = left.saturating_sub(text.len() * usize::from(!is_last));
        is_last
    });
    if let Some(end) = end {
        parts.truncate(end + 1);
        let text = &mut parts[end].1;
        text.truncate(boundary(text, left));
        text.push('…');
    }
}

/// Halves a conversation: drops the earlier messages, because the last ones led to the verdict. Returns whether anything
/// was dropped.
fn halve_talk(messages: &mut Vec<MessageRow>) -> bool {
    let is_long = messages.len() > LEAST_HALVED_ROWS;
    if is_long {
        messages.drain(..messages.len() / 2);
    }
    let mut is_halved = is_long;
    for message in messages.iter_mut().filter(|message| message.text.len() > LEAST_HALVED_BYTES) {
        message.text.truncate(boundary(&message.text, message.text.len() / 2));
        message.cut = true;
        is_halved = true;
    }
    is_halved
}

/// A part of a text, made printable.
#[derive(Serialize)]
pub(super) struct Text {
    #[serde(rename = "text")]
    shown: String,
    first_line: usize,
    whole_bytes: usize,
    cut: bool,
}

impl Text {
    fn of(excerpt: &Excerpt) -> Text {
        // An excerpt is already short, and its important part may be at its end, so this does not cut the text.
        Text {
            shown: printable(&excerpt.bytes),
            first_line: excerpt.first_line,
            whole_bytes: excerpt.whole_bytes,
            cut: excerpt.bytes.len() < excerpt.whole_bytes,
        }
    }

    /// Drops half of the text, if it is long. Returns whether it did.
    fn halve(&mut self, kept: Kept) -> bool {
        if self.shown.len() <= LEAST_HALVED_BYTES {
            return false;
        }
        let middle = boundary(&self.shown, self.shown.len() / 2);
        if kept == Kept::Beginning {
            self.shown.truncate(middle);
        } else {
            let dropped = self.shown.drain(..middle);
            self.first_line += dropped.filter(|&character| character == '\n').count();
        }
        self.cut = true;
        true
    }
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
    let mut rows = rows(expected, output, MOST_ROWS);
    let is_long = rows.len() > MOST_ROWS;
    rows.truncate(MOST_ROWS);
    let mut rows: Vec<_> = rows.into_iter().map(DiffRow::of).collect();
    if is_long {
        rows.push(DiffRow { sign: '…', line: None, parts: vec![(false, "more lines differ".to_owned())] });
    }
    rows
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
    Some(Extra::Exhibit {
        submission: &case.submission,
        case: &case.case,
        output: Text::of(&exhibit.output),
        stderr: (exhibit.stderr.whole_bytes > 0).then(|| Text::of(&exhibit.stderr)),
        diff: is_wrong.then(|| diff(&exhibit.expected, &exhibit.output)),
        talk: exhibit.exchanges.as_ref().map(|exchanges| exchanges.iter().map(MessageRow::of).collect()),
        boards: output.map(|output| pictures(case_details, exhibit.input.whole(), Some(output))).unwrap_or_default(),
    })
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
