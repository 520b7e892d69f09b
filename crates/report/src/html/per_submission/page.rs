//! Puts a page together.

use std::fmt::Write as _;

use super::failures::failures;
use super::frame;
use super::marks::marked;
use super::markup::text;
use super::source;
use super::{Judged, Outcome, SourceFile};
use crate::scores::figure;
use referee_event::{GroupFinished, Student, SubmissionFinished};
use referee_grading::verdict::Verdict;

/// The maximum number of test cases that are listed one by one.
const MOST_CASES: usize = 500;

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
pub(super) fn verdict_words(verdict: Verdict) -> (&'static str, &'static str) {
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
