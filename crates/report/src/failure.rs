//! Shows a test case that was not accepted.

use super::last_words::last_words;
use super::table::{BAD, DIM, GOOD, colour, counted, folded, one_line, painted, shortened, wrapped};
use super::{CaseDetails, diff, transcript};
use referee_event::{CaseFinished, Exhibit, SubmissionFinished};
use referee_grading::verdict::Verdict;
use referee_text::columns::columns;

/// The number of SIGABRT on Linux.
const SIGABRT: i32 = 6;

/// The maximum number of lines that are shown of a text.
const MAX_LINES: usize = 16;

/// The maximum width of a line, in columns, without its indentation.
const WIDTH: usize = 74;

/// Shows people the first case on which a submission was not accepted.
pub(super) fn lines(
    case: &CaseFinished,
    submission: &SubmissionFinished,
    case_details: Option<&dyn CaseDetails>,
) -> Vec<String> {
    let verdict = painted(colour(case.verdict), case.verdict.code());
    let share =
        format!("(not accepted on {} of {} run)", submission.cases_failed, counted(submission.cases_run, "case"));
    let head = "  WA on   ".len() + share.len();
    let mut lines = vec![String::new()];
    // A long name gets a line of its own.
    let name = one_line(&case.case);
    if head + columns(&name) <= WIDTH + 6 {
        lines.push(format!("  {verdict} on {name}  {}", painted(DIM, &share)));
    } else {
        lines.push(format!("  {verdict} on {}", shortened(&name, WIDTH - 6)));
        lines.push(format!("    {}", painted(DIM, &share)));
    }
    for line in case.message.iter().flat_map(|message| message.lines()).take(MAX_LINES) {
        lines.extend(wrapped(line, WIDTH).iter().take(3).map(|part| format!("    {}", shortened(part, WIDTH))));
    }
    if let Some(exhibit) = &case.exhibit {
        let crashed = case.verdict == Verdict::RunTimeError;
        // After SIGABRT, the C++ library says which exception was thrown.
        let by_signal = case.signal.is_some_and(|signal| signal != SIGABRT);
        if let Some(words) = last_words(&exhibit.stderr, by_signal).filter(|_| crashed) {
            lines.extend(wrapped(&words, WIDTH).iter().take(2).map(|line| format!("    {}", painted(BAD, line))));
        }
        add_exhibit(&mut lines, exhibit, case.verdict, case_details);
    }
    lines
}

/// Returns the lines of a build message to show. They begin with its first error if that comes later, for example after
/// many warnings.
pub(super) fn build_lines(message: &str) -> Vec<String> {
    let lines = || message.lines().map(|line| folded(line, WIDTH));
    let reports_error = |line: &str| ["error:", "error[", "error CS", "Error:"].iter().any(|word| line.contains(word));
    let first = message.lines().position(reports_error).unwrap_or(0);
    let is_shown = lines().take(first).map(|parts| parts.len()).sum::<usize>() < MAX_LINES;
    lines().skip(if is_shown { 0 } else { first }).flatten().take(MAX_LINES).collect()
}

fn add_exhibit(lines: &mut Vec<String>, exhibit: &Exhibit, verdict: Verdict, case_details: Option<&dyn CaseDetails>) {
    if let Some(description) = &exhibit.description {
        lines.extend(wrapped(description, WIDTH).iter().take(3).map(|line| format!("    {}", painted(DIM, line))));
    }
    let has_crashed = verdict == Verdict::RunTimeError;
    if has_crashed {
        add_stderr(lines, exhibit);
    }
    add_block(lines, "input", &diff::plain(&exhibit.input, MAX_LINES));
    let pictures = boards(exhibit, verdict, case_details);
    if !pictures.is_empty() {
        add_block(lines, "board", &pictures);
    }
    if let Some(exchanges) = &exhibit.exchanges {
        add_block(lines, "last messages", &transcript::lines(exchanges, MAX_LINES));
    } else if verdict == Verdict::WrongAnswer {
        let legend = format!("{} {}", painted(GOOD, "- expected"), painted(BAD, "+ output"));
        add_block(lines, &legend, &diff::diff(&exhibit.expected, &exhibit.output, MAX_LINES));
    }
    if !has_crashed {
        add_stderr(lines, exhibit);
    }
}

fn add_stderr(lines: &mut Vec<String>, exhibit: &Exhibit) {
    if exhibit.stderr.whole_bytes > 0 {
        add_block(lines, "standard error", &diff::plain(&exhibit.stderr, MAX_LINES));
    }
}

/// Draws the boards of the input. For a wrong answer, also draws the board after the output's moves. Returns no lines
/// if only a part of the input is known.
fn boards(exhibit: &Exhibit, verdict: Verdict, case_details: Option<&dyn CaseDetails>) -> Vec<String> {
    let Some((case_details, input)) = case_details.zip(exhibit.input.whole()) else { return Vec::new() };
    let output = exhibit.output.whole().filter(|_| verdict == Verdict::WrongAnswer);
    super::boards::lines(&case_details.scenes(input, output))
}

fn add_block(lines: &mut Vec<String>, title: &str, block: &[String]) {
    lines.push(format!("  {title}"));
    lines.extend(block.iter().map(|line| format!("    {line}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_message_begins_with_its_first_error_only_if_that_would_not_be_shown() {
        let warnings = |count: usize| "terror.cpp:1:1: warning: unused variable\n".repeat(count);
        let shown = |message: &str| build_lines(message);
        let error = "terror.cpp:9:1: error: expected ';'";
        let few = shown(&format!("{}{error}\n", warnings(MAX_LINES - 1)));
        assert_eq!((few.len(), few[0].as_str()), (MAX_LINES, "terror.cpp:1:1: warning: unused variable"));
        assert_eq!(few.last().map(String::as_str), Some(error));
        assert_eq!(shown(&format!("{}{error}\nnote: here\n", warnings(MAX_LINES))), [error, "note: here"]);
        // Each of these lines is folded into two.
        let long = format!("{}\n", "x".repeat(WIDTH + 1)).repeat(MAX_LINES / 2);
        assert_eq!(shown(&format!("{long}{error}")), [error]);
        assert_eq!(shown(&warnings(MAX_LINES + 1)).len(), MAX_LINES);
    }
}
