use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::*;
use referee_event::{PartOfCases, RunStarted, Student, SubmissionSkipped};
use referee_grading::verdict::Verdict;

/// A destination that the test can read.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Destination for Shared {
    fn complete(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

fn written(events: &[Event]) -> String {
    let out = Shared::default();
    let mut report = Box::new(Csv::new(Box::new(out.clone()), Vec::new()));
    for event in events {
        report.event(event).unwrap();
    }
    report.finish(true).unwrap();
    let bytes = out.0.borrow().clone();
    assert!(bytes.starts_with(BEGINNING));
    String::from_utf8(bytes).unwrap()
}

fn student(name: &str, id: &str) -> Student {
    Student {
        moodle_id: Some(id.to_owned()),
        attempt: Some(2),
        attempts: 2,
        folder: format!("{name}_{id}_assignsubmission_file_"),
        files: vec!["a.py".to_owned()],
        ..Student::example(name)
    }
}

fn finished(submission: &str, student: Option<Student>, verdict: Verdict, points: Option<f64>) -> Event {
    Event::SubmissionFinished(SubmissionFinished {
        points,
        cases_run: 4,
        cases_failed: 1,
        cases_skipped: 1,
        memory_bytes_max: Some(9_000_000),
        student: student.map(Arc::new),
        ..SubmissionFinished::example(submission, verdict)
    })
}

fn skipped(submission: &str, student: Option<Student>, reason: &str) -> Event {
    let (submission, reason) = (submission.to_owned(), reason.to_owned());
    Event::SubmissionSkipped(SubmissionSkipped { submission, reason, hint: None, student: student.map(Arc::new) })
}

#[test]
fn every_submission_has_a_row_sorted_by_name_and_unknown_figures_are_empty() {
    let events = [
        Event::RunStarted(RunStarted::default()),
        finished("s1", Some(student("Zoë", "007")), Verdict::WrongAnswer, Some(33.33)),
        skipped("s2", Some(student("=cmd()", "8")), "a PDF, \"thesis\""),
        finished("s3", Some(student("Lovelace, Ada", "9")), Verdict::Accepted, Some(100.0)),
        finished("other.py", None, Verdict::JudgeError, None),
    ];
    let text = written(&events);
    let mut lines = text.split("\r\n");
    assert_eq!(lines.next().unwrap().trim_start_matches('\u{feff}'), COLUMNS.join(","));
    let rest: Vec<_> = lines.collect();
    assert_eq!(
        rest,
        [
            "\"'=cmd()\",8,,s2,,,,,,,,,,2,,\"a PDF, \"\"thesis\"\"\"",
            "\"Lovelace, Ada\",9,,s3,AC,100,3,4,5,,1.250,8.6,,2,Python 3,",
            "other.py,,,other.py,JE,,3,4,5,secret/2,1.250,8.6,,,Python 3,judge error: the judge or the package failed",
            "Zoë,007,,s1,WA,33.33,3,4,5,secret/2,1.250,8.6,,2,Python 3,",
            "",
        ]
    );
}

#[test]
fn a_run_on_a_part_of_the_cases_says_how_many_there_are() {
    let part = RunStarted { part_of_cases: Some(PartOfCases { used: 4, all: 90 }), ..RunStarted::default() };
    let text = written(&[Event::RunStarted(part), finished("a.py", None, Verdict::WrongAnswer, Some(75.0))]);
    assert!(text.contains("a.py,,,a.py,WA,75,3,4,90,"), "{text}");
}

#[test]
fn the_columns_begin_as_a_later_run_expects() {
    let beginning = String::from_utf8(BEGINNING.to_vec()).unwrap();
    assert!(format!("\u{feff}{}", COLUMNS.join(",")).starts_with(&beginning));
}
