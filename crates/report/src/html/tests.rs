use std::sync::{Arc, Mutex};

use super::*;
use crate::CaseTexts;
use referee_event::{CaseFinished, Excerpt, Exhibit, RunFinished};
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
    lines_with_room(OUTPUT_BYTES, events)
}

/// Returns the lines of the page for these events. `output_bytes` is the page's budget for outputs, in bytes.
fn lines_with_room(output_bytes: usize, events: &[Event]) -> Vec<serde_json::Value> {
    let kept = Kept::default();
    let mut html = Box::new(Html::new(Box::new(kept.clone()), "A <b>".to_owned(), Some(Rc::new(OneCase))));
    html.outputs = SizeBudget::of(output_bytes);
    for event in events {
        html.event(event).unwrap();
    }
    html.finish(true).unwrap();
    let page = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
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
    assert_eq!(types(&lines), ["page", "case_told", "case_finished", "exhibit", "case_finished"]);
    assert_eq!(lines[1]["input"]["text"], "1 2\n");
    assert_eq!(lines[3]["diff"][0]["sign"], "-");
    assert_eq!(lines[3]["diff"][1]["parts"][0], serde_json::json!([true, "4"]));
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
fn what_there_is_no_room_for_is_left_out_from_there_on_and_told() {
    let wrong = || result(Verdict::WrongAnswer, &[b'x'; 300]);
    let finished =
        RunFinished { as_wanted: false, submissions: 1, skipped: 0, unjudged: 0, cases_run: 3, wall_seconds: 0.1 };
    let lines = lines_with_room(1000, &[wrong(), wrong(), wrong(), Event::RunFinished(finished)]);
    let count = |name| types(&lines).into_iter().filter(|found| *found == name).count();
    assert_eq!((count("exhibit"), count("case_finished"), count("left_out")), (1, 3, 1));
    assert_eq!(lines[lines.len() - 2]["what"], "the outputs of 2 runs");
}

#[test]
fn a_room_that_is_full_stays_full() {
    let mut room = SizeBudget::of(10);
    assert!(room.take(b"12345") && !room.take(b"123456") && !room.take(b"1"));
    assert_eq!((room.refused, room.has_space(), room.refused), (2, false, 3));
}
