//! Shows what went wrong: the message of the compiler, or the test cases that failed.

use std::fmt::Write as _;

use super::case_view::{CaseView, Details};
use super::marks::{marked, place};
use super::markup::{bytes, text};
use super::page::{Parts, verdict_words};
use crate::counted;
use crate::diff::{Row, Side};
use crate::first_error::first_error;
use referee_event::{Excerpt, Exchange};
use referee_grading::verdict::Verdict;

/// The number of lines of a compiler's message that are not folded away. Most messages are long only by their notes.
const UNFOLDED_LINES: usize = 16;

/// The maximum size of a compiler's message, in bytes.
const MESSAGE_BYTES: usize = 16 << 10;

/// Returns the HTML of what went wrong; empty if nothing did.
pub(super) fn failures(parts: &Parts<'_>) -> String {
    let mut html = String::new();
    let build = parts.judged.build.as_ref().filter(|build| !build.ok);
    if let Some(message) = build.and_then(|build| build.message.as_deref()) {
        add_compiler_message(&mut html, &shown(message));
    }
    let cases = &parts.judged.cases;
    for case in cases.iter().filter(|case| case.details.is_some()) {
        add_failure(&mut html, case, parts);
    }
    // Of the failures without texts, the first one is told, because a program usually stops there.
    if let Some(case) = cases.iter().find(|case| case.verdict != Verdict::Accepted && case.details.is_none()) {
        add_failure(&mut html, case, parts);
        if case.name.is_none() {
            html.push_str("<p class=\"dim\">Inputs and answers of secret test cases are not shown.</p>\n");
        }
    }
    html
}

/// Adds a compiler's message, with its later lines folded.
fn add_compiler_message(html: &mut String, message: &str) {
    let lines: Vec<_> = message.lines().collect();
    let (first, rest) = lines.split_at(lines.len().min(UNFOLDED_LINES));
    let _ = write!(html, "<h3>Message of the compiler</h3>\n{}", pre("message of the compiler", &first.join("\n")));
    if !rest.is_empty() {
        let rest_label = "rest of the message of the compiler";
        let summary = format!("<summary>{}</summary>", counted(rest.len(), "more line"));
        let _ = writeln!(html, "<details>{summary}\n{}</details>", pre(rest_label, &rest.join("\n")));
    }
}

/// Returns the part of a compiler's message that a page shows: it begins with the first error.
fn shown(message: &str) -> String {
    let lines: Vec<_> = message.lines().skip(first_error(message).unwrap_or(0)).collect();
    let text = lines.join("\n");
    let end = (0..=MESSAGE_BYTES.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    if end < text.len() { format!("{}…", &text[..end]) } else { text }
}

fn add_failure(html: &mut String, case: &CaseView, parts: &Parts<'_>) {
    let _ = writeln!(html, "<article>\n<h3>{}: {}</h3>", case_name(case), verdict_words(case.verdict).0.to_lowercase());
    if let Some(reason) = case.reason.as_deref().filter(|_| case.verdict != Verdict::JudgeError || parts.shows_secret) {
        let _ = writeln!(html, "<p class=\"reason\">{}</p>", text(reason));
    }
    let why = case.details.as_ref().and_then(|details| details.why.as_deref());
    let exception = case.crash.as_ref().and_then(|crash| crash.exception);
    if let Some(words) = why.or(exception) {
        let _ = writeln!(html, "<p class=\"why\">{}</p>", text(words));
    }
    if let Some((file, line)) = case.crash.as_ref().and_then(|crash| place(crash, parts.sources)) {
        let name = text(&parts.sources[file].name);
        let is_marked = marked(parts) == Some((file, line));
        let link = if is_marked { format!("<a href=\"#failed-here\">line {line}</a>") } else { format!("line {line}") };
        let _ = writeln!(html, "<p>It ended in <bdi class=\"name\">{name}</bdi>, {link}.</p>");
    }
    if let Some(details) = &case.details {
        add_details(html, details, case.verdict);
    }
    html.push_str("</article>\n");
}

/// Returns the name of a test case: its number, and its own name if it is no secret.
fn case_name(case: &CaseView) -> String {
    match &case.name {
        Some(name) => format!("Test case {}, <bdi class=\"name\">{}</bdi>", case.number, text(name)),
        None => format!("Test case {}, secret", case.number),
    }
}

fn add_details(html: &mut String, details: &Details, verdict: Verdict) {
    if let Some(description) = &details.description {
        let _ = writeln!(html, "<p class=\"dim\">{}</p>", text(description));
    }
    if let Some(message) = &details.team_message {
        html.push_str(&block("Message of the validator", &bytes(message.as_bytes()), ""));
    }
    let stderr = excerpt("Standard error", &details.stderr);
    let has_stderr = details.stderr.whole_bytes > 0;
    if has_stderr && verdict == Verdict::RunTimeError {
        html.push_str(&stderr);
    }
    html.push_str(&excerpt("Input", &details.input));
    if let Some(rows) = &details.rows {
        let (expected, output) = (side(rows, Side::Expected), side(rows, Side::Output));
        let _ = writeln!(
            html,
            "<div class=\"pair\">\n{}{}</div>",
            block("Expected", &expected, ""),
            block("Your output", &output, &cut(&details.output))
        );
    } else if let Some(exchanges) = &details.exchanges {
        html.push_str(&block("Last messages", &messages(exchanges), ""));
    } else {
        html.push_str(&excerpt("Your output", &details.output));
    }
    if has_stderr && verdict != Verdict::RunTimeError {
        html.push_str(&stderr);
    }
}

/// Returns the lines of one side of a difference as HTML, with the differing parts marked.
fn side(rows: &[Row], wanted: Side) -> String {
    let mut html = String::new();
    for row in rows {
        match row {
            Row::Gap => html.push_str("<span class=\"dim\">⋮</span>\n"),
            Row::Line { side, parts, .. } if *side == wanted || *side == Side::Both => {
                for (is_marked, part) in parts {
                    let part = text(part);
                    let (begin, end) = if *is_marked { ("<mark>", "</mark>") } else { ("", "") };
                    let _ = write!(html, "{begin}{part}{end}");
                }
                html.push('\n');
            }
            Row::Line { .. } => {}
        }
    }
    html
}

fn messages(exchanges: &[Exchange]) -> String {
    let mut html = String::new();
    for message in exchanges {
        let by = if message.by_submission { "you" } else { "judge" };
        let cut = if (message.bytes.len() as u64) < message.whole_bytes { "…" } else { "" };
        let _ = writeln!(html, "<b>{by}:</b> {}{cut}", bytes(&message.bytes).trim_end());
    }
    html
}

fn excerpt(title: &str, excerpt: &Excerpt) -> String {
    block(title, &bytes(&excerpt.bytes), &cut(excerpt))
}

/// Says which part of a text is shown; empty if all of it is.
fn cut(excerpt: &Excerpt) -> String {
    if excerpt.bytes.len() < excerpt.whole_bytes {
        format!("from line {}, a part of {} bytes", excerpt.first_line, excerpt.whole_bytes)
    } else {
        String::new()
    }
}

/// Returns a titled box. `content` is HTML.
fn block(title: &str, content: &str, note: &str) -> String {
    let content = if content.is_empty() { "<span class=\"dim\">(nothing)</span>" } else { content };
    let note = if note.is_empty() { String::new() } else { format!(" <span class=\"dim\">({note})</span>") };
    format!(
        "<figure><figcaption>{title}{note}</figcaption><pre tabindex=\"0\" role=\"region\" \
         aria-label=\"{title}\">{content}</pre></figure>\n"
    )
}

fn pre(label: &str, content: &str) -> String {
    format!("<pre class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">{}</pre>\n", text(content))
}
