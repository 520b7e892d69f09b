mod size;

use std::sync::{Arc, Mutex};

use super::*;
use crate::CaseTexts;
use referee_event::{CaseFinished, Excerpt, Exhibit, RunFinished, RunStarted};
use referee_grading::verdict::Verdict;

/// A destination that keeps all written bytes in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Destination for Kept {
    fn complete(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

struct OneCase;

impl CaseDetails for OneCase {
    fn case(&self, name: &str) -> Option<CaseTexts> {
        let input = Excerpt { first_line: 1, bytes: b"1 2\n".to_vec(), whole_bytes: 4 };
        (name == "secret/1").then_some(CaseTexts { description: None, input, expected: None })
    }

    fn scenes(&self, _: &[u8], _: Option<&[u8]>) -> Vec<referee_picture::Scene> {
        Vec::new()
    }
}

fn result(verdict: Verdict, output: &[u8]) -> Event {
    let excerpt = |bytes: &[u8]| Excerpt { first_line: 1, bytes: bytes.to_vec(), whole_bytes: bytes.len() };
    let exhibit = Exhibit { expected: excerpt(b"3\n"), output: excerpt(output), ..Exhibit::default() };
    Event::CaseFinished(CaseFinished {
        submission: "a.py".to_owned(),
        case: "secret/1".to_owned(),
        verdict,
        exhibit: (verdict != Verdict::Accepted).then(|| Box::new(exhibit)),
        ..CaseFinished::accepted(0.1)
    })
}

/// Returns the lines of the page for these events.
fn lines(events: &[Event]) -> Vec<serde_json::Value> {
    lines_of_budget(OUTPUT_BYTES, events)
}

/// Returns the lines of the page for these events. `output_bytes` is the page's budget for outputs, in bytes.
fn lines_of_budget(output_bytes: usize, events: &[Event]) -> Vec<serde_json::Value> {
    let kept = Kept::default();
    let mut html = Box::new(Html::new(Box::new(kept.clone()), "A <b>".to_owned(), Some(Rc::new(OneCase))));
    html.outputs = SizeBudget::of(output_bytes);
    for event in events {
        html.event(event).unwrap();
    }
    html.finish(true).unwrap();
    let page = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    lines_of_page(&page)
}

fn lines_of_page(page: &str) -> Vec<serde_json::Value> {
    let (_, after) = page.split_once("id=\"report\">\n").unwrap();
    let (lines, _) = after.split_once("</script>").unwrap();
    assert!(!lines.contains('<'), "{lines}");
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn types(lines: &[serde_json::Value]) -> Vec<&str> {
    lines.iter().map(|line| line["type"].as_str().unwrap()).collect()
}

#[test]
fn a_case_is_told_once_and_an_output_before_its_result() {
    let events = [result(Verdict::Accepted, b""), result(Verdict::WrongAnswer, b"4\n")];
    let lines = lines(&events);
    assert_eq!(types(&lines), ["page", "case_told", "results", "exhibit", "results"]);
    assert_eq!(lines[1]["input"]["text"], "1 2\n");
    assert_eq!(lines[3]["diff"][0]["sign"], "-");
    assert_eq!(lines[3]["diff"][1]["parts"][0], serde_json::json!([true, "4"]));
}

#[test]
fn consecutive_results_of_a_submission_share_a_line_and_name_each_case_once() {
    let of = |submission: &str, case: &str, more: CaseFinished| {
        Event::CaseFinished(CaseFinished { submission: submission.to_owned(), case: case.to_owned(), ..more })
    };
    let run = || CaseFinished {
        wall_seconds: Some(0.001_234_4),
        memory_bytes: Some(4096),
        exit_code: Some(0),
        ..CaseFinished::accepted(0.1)
    };
    let killed = CaseFinished { verdict: Verdict::RunTimeError, exit_code: None, signal: Some(11), ..run() };
    let cached = CaseFinished { close: Some(true), cached: true, passes: Some(2), ..run() };
    let lines = lines(&[of("a", "1", run()), of("a", "2", killed), of("b", "2", run()), of("b", "1", cached)]);
    assert_eq!(types(&lines), ["page", "results", "results"]);
    let row = |case: serde_json::Value| serde_json::json!([case, "AC", 100_000, 1234, 4096]);
    assert_eq!(lines[1]["rows"], serde_json::json!([row("1".into()), ["2", "RTE", 100_000, 1234, 4096, -11]]));
    let cached = serde_json::json!([0, "AC", 100_000, 1234, 4096, 0, 3, {"passes": 2}]);
    assert_eq!((&lines[2]["submission"], &lines[2]["rows"]), (&"b".into(), &[row(1.into()), cached][..].into()));
}

#[test]
fn of_a_long_error_output_the_end_stays() {
    let lines_of_text: Vec<_> = (1..=4000).map(|number| format!("line {number}\n")).collect();
    let text = lines_of_text.concat();
    let Event::CaseFinished(mut failed) = result(Verdict::RunTimeError, b"1\n") else { unreachable!() };
    let stderr = Excerpt { first_line: 1, bytes: text.as_bytes().to_vec(), whole_bytes: text.len() };
    failed.exhibit.as_mut().unwrap().stderr = stderr;
    let started = RunStarted { planned: 100_000, submissions: Some(1000), ..RunStarted::default() };
    let lines = lines(&[Event::RunStarted(started), Event::CaseFinished(failed)]);
    let stderr = &lines.iter().find(|line| line["type"] == "exhibit").unwrap()["stderr"];
    let (first, shown) = (stderr["first_line"].as_u64().unwrap(), stderr["text"].as_str().unwrap());
    assert!(first > 1 && shown.ends_with("line 3999\nline 4000\n"), "{first}");
    assert_eq!(first as usize + shown.lines().count() - 1, 4000, "the first line has its number");
}

#[test]
fn what_a_submission_writes_cannot_leave_the_lines() {
    let lines = lines(&[result(Verdict::WrongAnswer, b"</script><script>alert(1)</script>\x1b[2J")]);
    let text = lines[2]["output"]["text"].as_str().unwrap();
    assert_eq!(text, "</script><script>alert(1)</script>␛[2J");
}

#[test]
fn a_page_on_which_nothing_happened_is_a_page() {
    assert_eq!(types(&lines(&[])), ["page"]);
}

#[test]
fn data_beyond_the_budget_is_left_out_and_counted() {
    let wrong = || result(Verdict::WrongAnswer, &[b'x'; 300]);
    let finished =
        RunFinished { as_wanted: false, submissions: 1, skipped: 0, unjudged: 0, cases_run: 3, wall_seconds: 0.1 };
    let lines = lines_of_budget(1000, &[wrong(), wrong(), wrong(), Event::RunFinished(finished)]);
    let count = |name| types(&lines).into_iter().filter(|found| *found == name).count();
    let rows: usize = lines.iter().filter_map(|line| line["rows"].as_array()).map(Vec::len).sum();
    assert_eq!((count("exhibit"), rows, count("left_out")), (1, 3, 1));
    assert_eq!(lines[lines.len() - 2]["what"], "the outputs and messages of 2 runs");
}

#[test]
fn the_end_of_the_run_follows_what_limits_its_summary() {
    let skipped = referee_event::SubmissionSkipped {
        submission: "b.pdf".to_owned(),
        reason: "it is a PDF".to_owned(),
        hint: None,
        student: None,
    };
    let finished =
        RunFinished { as_wanted: true, submissions: 1, skipped: 1, unjudged: 1, cases_run: 3, wall_seconds: 0.1 };
    let lines = lines(&[Event::SubmissionSkipped(skipped), Event::RunFinished(finished)]);
    assert_eq!(types(&lines), ["page", "submission_skipped", "remarks", "run_finished"]);
    assert_eq!(lines[2]["doubts"], serde_json::json!(["not judged: b.pdf: it is a PDF"]));
}

#[test]
fn a_failed_build_is_followed_by_the_place_of_its_first_error_and_keeps_it_when_it_is_cut() {
    let build = |warnings: usize| {
        let message = format!("{}a.c:2:1: error: no\n", "a.c:1:1: warning: odd\n".repeat(warnings));
        Event::BuildFinished(BuildFinished {
            submission: "a.c".to_owned(),
            language: "C".to_owned(),
            ok: false,
            seconds: 0.1,
            cached: false,
            tools: Vec::new(),
            remark: None,
            message: Some(message),
        })
    };
    let short = lines(&[build(2)]);
    assert_eq!(types(&short), ["page", "build_finished", "first_error"]);
    assert_eq!(short[2]["line"], 2);
    let long = lines_of_budget(3000, &[build(500)]);
    assert!(long[1]["message"].as_str().unwrap().starts_with("a.c:2:1: error: no"), "{}", long[1]);
}

#[test]
fn a_crash_has_the_line_that_says_why() {
    let Event::CaseFinished(mut crashed) = result(Verdict::RunTimeError, b"") else { unreachable!() };
    let text = b"Traceback\nIndexError: list index out of range\n";
    let stderr = Excerpt { first_line: 1, bytes: text.to_vec(), whole_bytes: text.len() };
    crashed.exhibit.as_mut().unwrap().stderr = stderr;
    let lines = lines(&[Event::CaseFinished(crashed), result(Verdict::WrongAnswer, b"4\n")]);
    let exhibits: Vec<_> = lines.iter().filter(|line| line["type"] == "exhibit").collect();
    assert_eq!(exhibits[0]["why"], "IndexError: list index out of range");
    assert!(exhibits[1].get("why").is_none());
}
