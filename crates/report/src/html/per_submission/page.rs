//! Puts a page together.

use std::fmt::Write as _;

use super::case_view::{CaseView, Details};
use super::frame;
use super::markup::{bytes, text};
use super::source;
use super::{Judged, Outcome, SourceFile};
use crate::counted;
use crate::diff::{Row, Side};
use crate::first_error::first_error;
use crate::scores::figure;
use referee_event::{Excerpt, Exchange, GroupFinished, Student, SubmissionFinished};
use referee_grading::verdict::Verdict;

/// The maximum number of test cases that are listed one by one.
const MOST_CASES: usize = 500;

/// The number of lines of a compiler's message that are not folded away. Most messages are long only by their notes.
const UNFOLDED_LINES: usize = 16;

/// The maximum size of a compiler's message, in bytes.
const MESSAGE_BYTES: usize = 16 << 10;

/// What a page is made of.
pub(super) struct Parts<'a> {
    pub(super) heading: &'a str,
    /// The name of the student, or of the submission.
    pub(super) name: &'a str,
    pub(super) student: Option<&'a Student>,
    pub(super) time_limit_seconds: Option<f64>,
    pub(super) judged: &'a Judged,
    pub(super) outcome: &'a Outcome<'a>,
    pub(super) sources: &'a [SourceFile],
    pub(super) shows_secret: bool,
}

/// Returns the page.
pub(super) fn html(parts: &Parts<'_>) -> String {
    let mut body = format!(
        "<header>\n<p class=\"dim\">{}</p>\n<h1><bdi>{}</bdi></h1>\n</header>\n<main>\n<section class=\"summary\" \
         aria-label=\"Result\">\n",
        text(parts.heading),
        text(parts.name)
    );
    match parts.outcome {
        Outcome::Judged(submission) => add_result(&mut body, parts, submission),
        Outcome::NotJudged(reason) => {
            let _ = writeln!(body, "<p class=\"outcome odd\"><strong>Not judged</strong></p>\n<p>{}</p>", text(reason));
        }
    }
    body.push_str("</section>\n<div class=\"columns\">\n");
    let failures = failures(parts);
    if !failures.is_empty() {
        let _ = writeln!(body, "<section>\n<h2>What went wrong</h2>\n{failures}</section>");
    }
    if matches!(parts.outcome, Outcome::Judged(_)) {
        let files = source::html(parts.sources, marked(parts));
        let _ = writeln!(body, "<section>\n<h2>Source</h2>\n{files}</section>");
    }
    body.push_str("</div>\n");
    add_cases(&mut body, parts);
    body.push_str(
        "</main>\n<footer class=\"dim\"><p>Made by referee. Characters that cannot be seen are shown as escapes.",
    );
    body.push_str("</p></footer>\n");
    frame::page(&format!("{}: {}", parts.name, parts.heading), &body)
}

/// The words for a verdict, and the class that gives it its colour.
fn verdict_words(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Accepted => ("Accepted", "good"),
        Verdict::WrongAnswer => ("Wrong answer", "bad"),
        Verdict::RunTimeError => ("Run-time error", "bad"),
        Verdict::CompileError => ("Compile error", "bad"),
        Verdict::TimeLimitExceeded => ("Time limit exceeded", "bad"),
        Verdict::MemoryLimitExceeded => ("Memory limit exceeded", "bad"),
        Verdict::OutputLimitExceeded => ("Output limit exceeded", "bad"),
        Verdict::JudgeError => ("The judge failed; ask your teacher", "odd"),
    }
}

fn add_result(body: &mut String, parts: &Parts<'_>, submission: &SubmissionFinished) {
    let (words, look) = verdict_words(submission.verdict);
    let points = submission.points.map(|points| format!(", {} of 100 points", rounded(points))).unwrap_or_default();
    let _ = writeln!(body, "<p class=\"outcome {look}\"><strong>{words}{points}</strong></p>\n<dl>");
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = writeln!(body, "<div><dt>{name}</dt><dd>{}</dd></div>", text(&value));
        }
    };
    let (run, left) = (submission.cases_run, submission.cases_skipped);
    let not_run = if left > 0 { format!(", {left} not run") } else { String::new() };
    let passed = format!("{} of {}{not_run}", run - submission.cases_failed.min(run), run + left);
    fact("Test cases passed", (run > 0).then_some(passed));
    let best = submission.max_score.as_ref().map(|best| format!(" of {}", figure(best))).unwrap_or_default();
    fact("Score", submission.score.as_ref().map(|score| format!("{}{best}", figure(score))));
    let limit = parts.time_limit_seconds.map(|limit| format!(" of {limit} s")).unwrap_or_default();
    fact("Longest CPU time", submission.cpu_seconds_max.map(|time| format!("{time:.3} s{limit}")));
    let mebibytes = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
    fact("Most memory", submission.memory_bytes_max.map(mebibytes));
    fact("Language", Some(submission.language.clone()).filter(|language| !language.is_empty()));
    fact("Handed in", parts.student.and_then(handed_in));
    body.push_str("</dl>\n");
}

/// Says whether the submission was late, and which attempt it is; `None` if it was in time, or if nothing is known.
fn handed_in(student: &Student) -> Option<String> {
    let late = (student.is_late == Some(true)).then(|| "late".to_owned());
    let attempt = student.attempt.filter(|_| student.attempts > 1);
    let attempt = attempt.map(|attempt| format!("attempt {attempt} of {}", student.attempts));
    let words: Vec<_> = late.into_iter().chain(attempt).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Formats points with at most two decimal places.
fn rounded(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the HTML of what went wrong; empty if nothing did.
fn failures(parts: &Parts<'_>) -> String {
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

fn place(crash: &super::crash::Crash, sources: &[SourceFile]) -> Option<(usize, usize)> {
    let lines = |file: &SourceFile| file.content.as_ref().map_or(0, source::line_count);
    let files: Vec<_> = sources.iter().map(|file| (file.name.as_str(), lines(file))).collect();
    crash.place(&files)
}

/// Returns the file and the line that the page marks: the place of the first crash, or of the first error of the
/// compiler; `None` if neither is known.
fn marked(parts: &Parts<'_>) -> Option<(usize, usize)> {
    let crash = parts.judged.cases.iter().find_map(|case| case.crash.as_ref());
    let build = parts.judged.build.as_ref().filter(|build| !build.ok).and_then(|build| build.message.as_deref());
    crash.and_then(|crash| place(crash, parts.sources)).or_else(|| error_place(build?, parts.sources))
}

/// Returns the place of a compiler's first error, as in `main.cpp:7:11: error: …`.
fn error_place(message: &str, sources: &[SourceFile]) -> Option<(usize, usize)> {
    message.lines().skip(first_error(message)?).find_map(|line| {
        sources.iter().enumerate().find_map(|(index, file)| {
            let (_, after) = line.split_once(file.name.as_str())?;
            let digits = after.strip_prefix(':')?;
            let end = digits.find(|other: char| !other.is_ascii_digit()).unwrap_or(digits.len());
            let number = digits[..end].parse().ok()?;
            let lines = file.content.as_ref().map_or(0, source::line_count);
            (1..=lines).contains(&number).then_some((index, number))
        })
    })
}

/// Adds the list of all test cases that ran, and of the groups that have a score.
fn add_cases(body: &mut String, parts: &Parts<'_>) {
    add_groups(body, &parts.judged.groups, parts.shows_secret);
    let cases = &parts.judged.cases;
    if cases.is_empty() {
        return;
    }
    body.push_str("<section>\n<h2>Test cases</h2>\n<ol class=\"cases\">\n");
    for case in cases.iter().take(MOST_CASES) {
        let (words, look) = verdict_words(case.verdict);
        let name = case.name.as_deref().map(|name| format!(" <bdi class=\"name\">{}</bdi>", text(name)));
        let time = case.cpu_seconds.map(|time| format!(" <span class=\"dim\">{time:.3} s</span>")).unwrap_or_default();
        let _ = writeln!(
            body,
            "<li>{}{} <abbr class=\"verdict {look}\" title=\"{words}\">{}</abbr>{time}</li>",
            case.number,
            name.unwrap_or_default(),
            case.verdict.code()
        );
    }
    body.push_str("</ol>\n");
    if cases.len() > MOST_CASES {
        let _ = writeln!(body, "<p class=\"dim\">and {} more</p>", cases.len() - MOST_CASES);
    }
    body.push_str("</section>\n");
}

fn add_groups(body: &mut String, groups: &[GroupFinished], shows_secret: bool) {
    let scored: Vec<_> = groups.iter().filter(|group| group.score.is_some()).collect();
    if scored.len() < 2 {
        return;
    }
    body.push_str("<section>\n<h2>Groups of test cases</h2>\n<table>\n<thead><tr><th scope=\"col\">Group</th>");
    body.push_str("<th scope=\"col\">Verdict</th><th scope=\"col\">Score</th></tr></thead>\n<tbody>\n");
    for (index, group) in scored.iter().enumerate() {
        let is_known = shows_secret || group.group == "sample" || group.group.starts_with("sample/");
        let name = if is_known { text(&group.group) } else { (index + 1).to_string() };
        let verdict = group.verdict.map_or("not run", |verdict| verdict_words(verdict).0);
        let best = group.max_score.as_ref().map(|best| format!(" of {}", figure(best))).unwrap_or_default();
        let score = group.score.as_ref().map(figure).unwrap_or_default();
        let _ = writeln!(body, "<tr><th scope=\"row\">{name}</th><td>{verdict}</td><td>{score}{best}</td></tr>");
    }
    body.push_str("</tbody>\n</table>\n</section>\n");
}
