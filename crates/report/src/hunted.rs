//! Shows people the result of a hunt.

use super::table::{BAD, DIM, GOOD, ODD, counted, headline, one_line, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use super::{CaseDetails, transcript};
use referee_event::{Exchange, HuntFinished};

/// The maximum number of lines that are shown of an input or output, unless the user asks for all.
const TEXT_LINES: usize = 24;

/// The maximum width of a remark, in columns. Longer remarks are cut.
const REMARK: usize = 300;

/// The minimum preparation time that the report mentions, in seconds.
const MIN_SHOWN_PREPARING_SECONDS: f64 = 2.0;

/// Returns the lines about a hunt, laid out for a screen with `width` columns.
pub(super) fn lines(
    hunt: &HuntFinished,
    verbosity: Verbosity,
    case_details: Option<&dyn CaseDetails>,
    width: usize,
) -> Vec<String> {
    let mut lines = Vec::new();
    for remark in &hunt.remarks {
        let told = wrapped(&shortened(remark, REMARK), width - 8);
        lines.extend(told.iter().enumerate().map(|(index, line)| {
            if index == 0 { format!("{} {line}", painted(ODD, "remark")) } else { format!("       {line}") }
        }));
    }
    lines.extend(head(hunt, width));
    if hunt.found {
        let all = verbosity == Verbosity::Verbose;
        lines.extend(text("input", hunt.input.as_deref(), all, width));
        lines.extend(legality_lines(hunt.input_unchecked.as_deref(), width));
        lines.extend(board(hunt, case_details, width));
        lines.extend(text("expected", hunt.expected.as_deref(), all, width));
        match &hunt.exchanges {
            Some(exchanges) => lines.extend(talk(exchanges, hunt.kind.as_deref(), all, width)),
            None => lines.extend(text("got", hunt.got.as_deref(), all, width)),
        }
        if let Some(message) = &hunt.message {
            lines.push(painted(DIM, "why"));
            lines.extend(
                message.lines().flat_map(|line| wrapped(&one_line(line), width - 4)).map(|line| format!("  {line}")),
            );
        }
    }
    lines.extend(counts(hunt).iter().flat_map(|line| wrapped(line, width)).map(|line| painted(DIM, &line)));
    lines.extend(hunt.written.iter().map(|path| format!("written: {}", one_line(&path.display().to_string()))));
    lines
}

/// Draws the board of the input. For a wrong answer, also draws the board after the program's moves.
fn board(hunt: &HuntFinished, case_details: Option<&dyn CaseDetails>, width: usize) -> Vec<String> {
    let Some((case_details, input)) = case_details.zip(hunt.input.as_deref()) else { return Vec::new() };
    let got = hunt.got.as_deref().filter(|_| hunt.kind.as_deref() == Some("WA"));
    let drawn = super::boards::lines(&case_details.scenes(input.as_bytes(), got.map(str::as_bytes)), width - 2);
    let head = (!drawn.is_empty()).then(|| painted(DIM, "board"));
    head.into_iter().chain(drawn.into_iter().map(|line| format!("  {line}"))).collect()
}

fn head(hunt: &HuntFinished, width: usize) -> Vec<String> {
    let Some(kind) = &hunt.kind else {
        let end = match hunt {
            HuntFinished { interrupted: true, .. } => "interrupted",
            HuntFinished { exhausted: true, .. } => "all possible inputs were tried",
            _ => "the time ran out; use --seconds for more time, or --seed for different inputs",
        };
        return headline(GOOD, "nothing found", &format!(": {end}"), width);
    };
    let size = match (hunt.bytes, hunt.bytes_before_shrinking) {
        (Some(bytes), Some(before)) if before > bytes => format!("{}, shrunk from {before}", counted(bytes, "byte")),
        (Some(bytes), _) => counted(bytes, "byte"),
        (None, _) => String::new(),
    };
    let what = if kind == "jury" { "the package's own accepted submissions fail" } else { kind };
    let minimal = match hunt.minimal {
        Some(true) => "; no slightly smaller input fails in the same way",
        _ if hunt.interrupted => "; shrinking was interrupted, so a smaller input may exist",
        _ => {
            "; the time ran out before shrinking was finished, so a smaller input may exist; use --seconds for more \
             time"
        }
    };
    headline(BAD, what, &format!(" on an input of {size}{minimal}"), width)
}

/// Returns the last messages between the program and the output validator. A program that got TLE has waited at the end.
fn talk(exchanges: &[Exchange], kind: Option<&str>, all: bool, width: usize) -> Vec<String> {
    let most = if all { usize::MAX } else { TEXT_LINES };
    let silence = transcript::silence(exchanges).filter(|_| kind == Some("TLE"));
    let lines = transcript::lines(exchanges, most, width - 2).into_iter().chain(silence);
    std::iter::once(painted(DIM, "last messages")).chain(lines.map(|line| format!("  {line}"))).collect()
}

/// Returns the name of a text, and below it the first lines of the text, or all of its lines if `all` is true. Returns
/// no lines if there is no text.
pub(super) fn text(name: &str, text: Option<&str>, all: bool, width: usize) -> Vec<String> {
    let Some(text) = text else { return Vec::new() };
    let mut lines = vec![painted(DIM, name)];
    if text.is_empty() {
        lines.push(painted(DIM, "  (nothing)"));
    }
    let (count, most) = (text.lines().count(), if all { usize::MAX } else { TEXT_LINES });
    lines.extend(text.lines().take(most).map(|line| format!("  {}", shortened(line, width - 4))));
    if count > most {
        lines.push(painted(DIM, &format!("  ... {} more lines; -v shows all", count - most)));
    }
    lines
}

/// The first words of the sentence about an input that may be illegal. A colon and the reason why the input was not
/// checked follow.
const LEGALITY_UNKNOWN: &str = "it is unknown whether this input is legal";

/// Returns the sentence about an input that may be illegal. `unchecked` is the reason why the input was not checked.
pub(super) fn legality(unchecked: &str) -> String {
    format!("{LEGALITY_UNKNOWN}: {unchecked}")
}

/// Returns the lines of the sentence about an input that may be illegal. `unchecked` is the reason why the input was
/// not checked. If the input was checked, `unchecked` is `None`, and there are no lines.
pub(super) fn legality_lines(unchecked: Option<&str>, width: usize) -> Vec<String> {
    let sentence = unchecked.map(|reason| headline(ODD, LEGALITY_UNKNOWN, &format!(": {}", one_line(reason)), width));
    sentence.unwrap_or_default()
}

fn counts(hunt: &HuntFinished) -> Vec<String> {
    let rate = hunt.tried as f64 / hunt.seconds.max(0.001);
    let count = |number: u64, noun: &str| counted(usize::try_from(number).unwrap_or(usize::MAX), noun);
    let illegal = if hunt.illegal > 0 { format!(", {}", count(hunt.illegal, "illegal input")) } else { String::new() };
    let smaller =
        if hunt.found { format!("; {} tried", count(hunt.shrink_tried, "smaller input")) } else { String::new() };
    let prepared = match hunt.seconds_preparing {
        seconds if seconds >= MIN_SHOWN_PREPARING_SECONDS => format!("; {seconds:.1} s to prepare"),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "{} tried in {:.1} s ({rate:.0} per second){illegal}{smaller}{prepared}; seed {}",
        count(hunt.tried, "input"),
        hunt.seconds,
        hunt.seed
    )];
    if !hunt.truth.is_empty() {
        lines.push(format!("expected answers come from {}", one_line(&hunt.truth.join(", "))));
    }
    lines
}
