//! Shows why a submission was not accepted: the compiler's message, or the first test case on which it failed.

use super::first_error::error_line;
use super::last_words::last_words;
use super::table::{BAD, DIM, folded, painted, shortened, wrapped};
use super::{CaseDetails, diff, transcript};
use referee_event::{CaseFinished, Exhibit};
use referee_grading::verdict::Verdict;

/// The number of SIGABRT on Linux.
pub(super) const SIGABRT: i32 = 6;

/// The number of columns that are shown at least of one line of a message.
const LONGEST_LINE: usize = 240;

/// How much is shown of a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The width of a line, in columns.
    pub(super) width: usize,
    /// Whether only the reason is shown, and no input, output or standard error.
    pub(super) is_short: bool,
}

impl Extent {
    /// The maximum number of lines that are shown of a text.
    fn lines(self) -> usize {
        if self.is_short { 4 } else { 16 }
    }

    /// The indentation of lines, and of lines below a title.
    const INDENT: usize = 2;
    const BLOCK_INDENT: usize = 4;

    /// Returns the width of a line without its indentation.
    fn text_width(self) -> usize {
        self.width - Self::INDENT
    }

    /// Returns the width of a line below a title, without its indentation.
    fn block_width(self) -> usize {
        self.width - Self::BLOCK_INDENT
    }
}

/// Shows people the first case on which a submission was not accepted.
pub(super) fn lines(case: &CaseFinished, case_details: Option<&dyn CaseDetails>, extent: Extent) -> Vec<String> {
    let mut lines = Vec::new();
    let (width, most) = (extent.text_width(), extent.lines());
    for line in case.message.iter().flat_map(|message| message.lines()).take(most) {
        let parts = most_parts(width);
        lines.extend(wrapped(line, width).iter().take(parts).map(|part| shortened(part, width)));
    }
    lines.truncate(2 * most);
    if let Some(exhibit) = &case.exhibit {
        let crashed = case.verdict == Verdict::RunTimeError;
        // After SIGABRT, the C++ library says which exception was thrown.
        let by_signal = case.signal.is_some_and(|signal| signal != SIGABRT);
        if let Some(words) = last_words(&exhibit.stderr, by_signal).filter(|_| crashed) {
            lines.extend(wrapped(&words, width).iter().take(2).map(|line| painted(BAD, line)));
        }
    }
    let mut lines: Vec<_> = lines.into_iter().map(|line| format!("  {line}")).collect();
    if let Some(exhibit) = case.exhibit.as_ref().filter(|_| !extent.is_short) {
        add_exhibit(&mut lines, exhibit, case.verdict, case_details, extent);
    }
    lines
}

/// Returns the number of lines into which one line of a message may be broken. A narrow screen needs more of them.
fn most_parts(width: usize) -> usize {
    (LONGEST_LINE / width.max(1)).max(3)
}

/// Returns the lines of a build message to show. They begin with its first error if that comes later, for example after
/// many warnings, or if only few lines are shown.
pub(super) fn build_lines(message: &str, extent: Extent) -> Vec<String> {
    let most = extent.lines();
    let lines = || message.lines().map(|line| folded(line, extent.text_width()));
    let first = error_line(message).unwrap_or(0);
    let is_shown = !extent.is_short && lines().take(first).map(|parts| parts.len()).sum::<usize>() < most;
    // An interpreter names the place before the error, at the end of its message.
    let last = lines().count().saturating_sub(most);
    let start = match (is_shown, extent.is_short) {
        (true, _) => 0,
        (false, true) => first.min(last),
        (false, false) => first,
    };
    lines().skip(start).flatten().take(most).map(|line| format!("  {line}")).collect()
}

fn add_exhibit(
    lines: &mut Vec<String>,
    exhibit: &Exhibit,
    verdict: Verdict,
    case_details: Option<&dyn CaseDetails>,
    extent: Extent,
) {
    let (width, most) = (extent.block_width(), extent.lines());
    if let Some(description) = &exhibit.description {
        lines.extend(wrapped(description, width).iter().take(3).map(|line| format!("  {}", painted(DIM, line))));
    }
    let has_crashed = verdict == Verdict::RunTimeError;
    if has_crashed {
        add_stderr(lines, exhibit, extent);
    }
    add_block(lines, "input", &diff::plain(&exhibit.input, most, width));
    let pictures = boards(exhibit, verdict, case_details, width);
    if !pictures.is_empty() {
        add_block(lines, "board", &pictures);
    }
    if let Some(exchanges) = &exhibit.exchanges {
        add_block(lines, "last messages", &transcript::lines(exchanges, most, width));
        let has_waited = verdict == Verdict::TimeLimitExceeded;
        lines.extend(transcript::silence(exchanges).filter(|_| has_waited).map(|line| format!("    {line}")));
    } else if verdict == Verdict::WrongAnswer {
        add_block(lines, "difference", &diff::diff(&exhibit.expected, &exhibit.output, most, width));
    }
    if !has_crashed {
        add_stderr(lines, exhibit, extent);
    }
}

fn add_stderr(lines: &mut Vec<String>, exhibit: &Exhibit, extent: Extent) {
    if exhibit.stderr.whole_bytes > 0 {
        add_block(lines, "standard error", &diff::plain(&exhibit.stderr, extent.lines(), extent.block_width()));
    }
}

/// Draws the boards of the input. For a wrong answer, also draws the board after the output's moves. Returns no lines
/// if only a part of the input is known.
fn boards(exhibit: &Exhibit, verdict: Verdict, case_details: Option<&dyn CaseDetails>, width: usize) -> Vec<String> {
    let Some((case_details, input)) = case_details.zip(exhibit.input.whole()) else { return Vec::new() };
    let output = exhibit.output.whole().filter(|_| verdict == Verdict::WrongAnswer);
    super::boards::lines(&case_details.scenes(input, output), width)
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
        let extent = Extent { width: 80, is_short: false };
        let most = extent.lines();
        let warnings = |count: usize| "terror.cpp:1:1: warning: unused variable\n".repeat(count);
        let shown = |message: &str| -> Vec<String> {
            build_lines(message, extent).iter().map(|line| line.trim_start().to_owned()).collect()
        };
        let error = "terror.cpp:9:1: error: expected ';'";
        let few = shown(&format!("{}{error}\n", warnings(most - 1)));
        assert_eq!((few.len(), few[0].as_str()), (most, "terror.cpp:1:1: warning: unused variable"));
        assert_eq!(few.last().map(String::as_str), Some(error));
        assert_eq!(shown(&format!("{}{error}\nnote: here\n", warnings(most))), [error, "note: here"]);
        // Each of these lines is folded into two.
        let long = format!("{}\n", "x".repeat(79)).repeat(most / 2);
        assert_eq!(shown(&format!("{long}{error}")), [error]);
        assert_eq!(shown(&warnings(most + 1)).len(), most);
        let short = |message: &str| build_lines(message, Extent { width: 80, is_short: true });
        assert_eq!(
            short(&format!("{}{error}\n1\n2\n3\n4\n", warnings(2)))[..2],
            [format!("  {error}"), "  1".to_owned()]
        );
        let python = "  File \"a.py\", line 1\n    print(\n         ^\nSyntaxError: '(' was never closed\n";
        assert_eq!(short(python).len(), 4);
    }

    #[test]
    fn shortened_details_say_why_and_show_no_input() {
        let excerpt = |text: &str| referee_event::Excerpt {
            first_line: 1,
            bytes: text.as_bytes().to_vec(),
            whole_bytes: text.len(),
        };
        let exhibit = Exhibit { input: excerpt("secret"), output: excerpt("4\n"), ..Exhibit::default() };
        let case = CaseFinished {
            verdict: Verdict::WrongAnswer,
            message: Some("line 1: expected \"3\", got \"4\"".to_owned()),
            exhibit: Some(Box::new(exhibit)),
            ..CaseFinished::accepted(0.1)
        };
        assert_eq!(lines(&case, None, Extent { width: 80, is_short: true }), ["  line 1: expected \"3\", got \"4\""]);
        assert!(lines(&case, None, Extent { width: 80, is_short: false }).contains(&"    secret".to_owned()));
    }
}
