//! Converts a JSON line back into its event. The event lacks outputs and other texts that JSON lines do not contain.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::{Figure, Line};
use referee_event::{
    BuildFinished, CaseFinished, Event, GroupFinished, Measuring, RunFinished, RunStarted, Student, SubmissionFinished,
    SubmissionSkipped, TimeLimit, TimeLimitSource,
};
use referee_grading::score::{Given, Score, Written};
use referee_grading::verdict::Breach;
use referee_text::printable::{printable, printable_line};

/// Returns the event of a line that `referee grade` wrote; `None` for lines of other commands, and for
/// the comparison of submissions, which `merge` leaves out. The `language` of a
/// submission comes from its build.
pub fn event(line: Line<'static>, language: &str) -> Option<Event> {
    Some(match line {
        Line::RunStarted(line) => Event::RunStarted(RunStarted {
            package: name(&line.package),
            jobs: line.jobs,
            seed: line.seed,
            time_limit: time_limit(&line),
            sandbox: line.sandbox.map(Cow::into_owned),
            planned: 0,
            cases: 0,
            memory_limit_bytes: line.memory_limit_bytes,
            submissions: line.submissions,
            partition: line.partition,
            submissions_digest: line.submissions_digest.map(Cow::into_owned),
            cases_digest: line.cases_digest.map(Cow::into_owned),
            part_of_cases: line.part_of_cases,
            time_limit_basis: line.time_limit_basis.map(Cow::into_owned),
            has_declared: false,
        }),
        Line::BuildFinished(line) => Event::BuildFinished(BuildFinished {
            submission: name(&line.submission),
            language: name(&line.language),
            ok: line.ok,
            seconds: line.seconds,
            cached: line.cached,
            tools: line.tools.into_owned(),
            remark: line.remark.as_deref().map(text),
            message: line.message.as_deref().map(text),
        }),
        Line::SubmissionSkipped(line) => Event::SubmissionSkipped(SubmissionSkipped {
            submission: name(&line.submission),
            reason: text(&line.reason),
            hint: line.hint.as_deref().map(text),
            student: line.student.map(|student| Arc::new(cleaned(student.into_owned()))),
        }),
        Line::CaseFinished(line) => Event::CaseFinished(case(line)),
        Line::GroupFinished(line) => Event::GroupFinished(GroupFinished {
            submission: name(&line.submission),
            group: name(&line.group),
            verdict: line.verdict,
            score: line.score.and_then(score),
            max_score: line.max_score.and_then(score),
            cases_run: line.cases_run,
            cases_skipped: line.cases_skipped,
        }),
        Line::SubmissionFinished(line) => Event::SubmissionFinished(submission(line, language)),
        Line::RunFinished(line) => Event::RunFinished(RunFinished {
            as_wanted: line.as_wanted,
            submissions: line.submissions,
            skipped: line.skipped,
            unjudged: line.unjudged,
            cases_run: line.cases_run,
            wall_seconds: line.wall_seconds,
        }),
        _ => return None,
    })
}

/// Returns the time limit of the run; `None` if the line has no time limit, or an invalid one, as in a forged report.
/// Reports of earlier versions lack the origin of the limit and the cost of measuring it.
fn time_limit(line: &super::RunStarted<'static>) -> Option<TimeLimit> {
    let limit = Duration::try_from_secs_f64(line.time_limit_seconds?).ok()?;
    let (runs, seconds) = (line.measuring_runs.unwrap_or(0), line.measuring_seconds.unwrap_or(0.0));
    Some(match line.time_limit_source {
        Some(TimeLimitSource::Provisional) => TimeLimit::Provisional(limit),
        _ if line.time_limit_measured => TimeLimit::Measured { limit, cost: Measuring { runs, seconds } },
        _ => TimeLimit::Stated(limit),
    })
}

fn case(line: super::CaseFinished<'static>) -> CaseFinished {
    CaseFinished {
        submission: name(&line.submission),
        case: name(&line.case),
        verdict: line.verdict,
        score: line.score.and_then(score),
        given: Given {
            score: line.given_score.as_deref().and_then(written),
            multiplier: line.given_multiplier.as_deref().and_then(written),
        },
        cpu_seconds: line.cpu_seconds,
        wall_seconds: line.wall_seconds,
        memory_bytes: line.memory_bytes,
        exit_code: line.exit_code,
        signal: line.signal,
        message: line.message.as_deref().map(text),
        team_message: line.team_message.as_deref().map(text),
        passes: line.passes,
        output_hash: None,
        cpu_seconds_all: line.cpu_seconds_all.map(Cow::into_owned),
        close: line.close,
        key: line.key.map(Cow::into_owned),
        cached: line.cached,
        exhibit: None,
    }
}

fn submission(line: super::SubmissionFinished<'static>, language: &str) -> SubmissionFinished {
    SubmissionFinished {
        submission: name(&line.submission),
        language: name(language),
        verdict: line.verdict,
        score: line.score.and_then(score),
        max_score: line.max_score.and_then(score),
        message: line.message.as_deref().map(text),
        expected: line.expected.map(Cow::into_owned),
        as_expected: line.as_expected,
        as_wanted: line.as_wanted,
        breaches: line.breaches.iter().map(|sentence| breach(sentence)).collect(),
        cases_run: line.cases_run,
        cases_failed: line.cases_failed,
        cases_skipped: line.cases_skipped,
        first_failing_case: line.first_failing_case.as_deref().map(name),
        cpu_seconds_max: line.cpu_seconds_max,
        memory_bytes_max: line.memory_bytes_max,
        // A forged report may contain any number.
        points: line.points.filter(|points| (0.0..=100.0).contains(points)),
        student: line.student.map(|student| Arc::new(cleaned(student.into_owned()))),
    }
}

/// Cleans a name of the report. A run writes no control characters into names, but the file may be forged.
fn name(name: &str) -> String {
    printable_line(name)
}

/// Cleans the names of a student, as [`name`] does.
fn cleaned(student: Student) -> Student {
    let cleaned = |text: Option<String>| text.as_deref().map(name);
    Student {
        name: name(&student.name),
        moodle_id: cleaned(student.moodle_id),
        canvas_id: cleaned(student.canvas_id),
        canvas_submission_id: cleaned(student.canvas_submission_id),
        folder: name(&student.folder),
        files: student.files.iter().map(|file| name(file)).collect(),
        ..student
    }
}

/// Cleans a text of the report, but keeps its line feeds.
fn text(text: &str) -> String {
    printable(text.as_bytes())
}

/// Returns the score that a figure stands for. A double becomes the exact number that its shortest decimal form
/// denotes.
fn score(figure: Figure) -> Option<Score> {
    match figure {
        Figure::Whole(number) => Score::of_exact(&number.to_string()),
        Figure::Near(number) => Score::parse(&number.to_string()),
    }
}

fn written(exact: &str) -> Option<Written> {
    Score::of_exact(exact).map(Written::Number)
}

/// Splits the sentence about a broken rule into the reason and the origin of the rule. The origin is in brackets at the
/// end of the sentence. Without brackets, the origin is `the report`.
fn breach(sentence: &str) -> Breach {
    let parts = sentence.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    let (reason, origin) = parts.unwrap_or((sentence, "the report"));
    Breach { origin: name(origin), case: None, reason: name(reason) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jsonl::line as line_of;

    /// The lines of a grading in the example of the documentation.
    fn lines() -> Vec<&'static str> {
        let source = include_str!("../jsonl.rs");
        let of_gradings = ["run_", "build_", "case_finished", "group_", "submission_"];
        let is_of_grading = |line: &&str| of_gradings.iter().any(|kind| line.contains(&format!("{{\"type\":\"{kind}")));
        source.lines().filter_map(|line| line.strip_prefix("//! ")).filter(is_of_grading).collect()
    }

    #[test]
    fn a_line_that_became_an_event_becomes_the_same_line_again() {
        let lines = lines();
        assert_eq!(lines.len(), 9);
        for text in lines {
            let line: Line<'static> = serde_json::from_str(text).unwrap();
            let event = event(line, "C++").unwrap();
            let again = serde_json::to_value(line_of(&event).unwrap()).unwrap();
            assert_eq!(again, serde_json::from_str::<serde_json::Value>(text).unwrap());
        }
    }

    #[test]
    fn a_breach_is_the_same_sentence_again() {
        for sentence in ["too slow on a (b) (submissions/x)", "a (b)"] {
            assert_eq!(breach(sentence).to_string(), sentence);
        }
        // Every sentence that `referee` writes names its origin at the end. These sentences name none.
        for sentence in ["without an origin", "ends with )"] {
            assert_eq!(breach(sentence).to_string(), format!("{sentence} (the report)"));
        }
    }

    #[test]
    fn scores_are_those_that_were_written() {
        let again = |figure| Figure::from(&score(figure).unwrap());
        for figure in [Figure::Whole(-3), Figure::Whole(100), Figure::Near(30.5), Figure::Near(1.0 / 3.0)] {
            assert_eq!(again(figure), figure);
        }
    }
}
