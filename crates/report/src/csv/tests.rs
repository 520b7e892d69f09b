use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use referee_event::{ClassLayout, ClassRead, RunStarted, Student, SubmissionSkipped};
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
    let mut report = Box::new(Csv::new(Box::new(out.clone())));
    for event in events {
        report.event(event).unwrap();
    }
    report.finish(true).unwrap();
    let bytes = out.0.borrow().clone();
    assert!(bytes.starts_with(BEGINNING));
    String::from_utf8(bytes).unwrap()
}

fn student(submission: &str, name: &str, id: &str) -> Student {
    Student {
        submission: submission.to_owned(),
        name: name.to_owned(),
        moodle_id: Some(id.to_owned()),
        canvas_id: None,
        canvas_submission_id: None,
        is_late: None,
        attempt: Some(2),
        attempts: 2,
        folder: format!("{name}_{id}_assignsubmission_file_"),
        files: vec!["a.py".to_owned()],
    }
}

fn finished(submission: &str, verdict: Verdict, points: Option<f64>) -> Event {
    Event::SubmissionFinished(SubmissionFinished {
        points,
        cases_run: 4,
        cases_failed: 1,
        cases_skipped: 1,
        memory_bytes_max: Some(9_000_000),
        ..SubmissionFinished::example(submission, verdict)
    })
}

fn skipped(submission: &str, reason: &str) -> Event {
    Event::SubmissionSkipped(SubmissionSkipped { submission: submission.to_owned(), reason: reason.to_owned() })
}

#[test]
fn every_submission_has_a_row_sorted_by_name_and_unknown_figures_are_empty() {
    let class = ClassRead {
        layout: ClassLayout::Moodle,
        students: vec![student("s1", "Zoë", "007"), student("s2", "=cmd()", "8"), student("s3", "Lovelace, Ada", "9")],
    };
    let events = [
        Event::RunStarted(RunStarted::default()),
        Event::ClassRead(class),
        finished("s1", Verdict::WrongAnswer, Some(33.33)),
        skipped("s2", "a PDF, \"thesis\""),
        finished("other.py", Verdict::JudgeError, None),
    ];
    let text = written(&events);
    let mut lines = text.split("\r\n");
    assert_eq!(lines.next().unwrap().trim_start_matches('\u{feff}'), COLUMNS.join(","));
    let rest: Vec<_> = lines.collect();
    assert_eq!(
        rest,
        [
            "\"'=cmd()\",8,,s2,,,,,,,,,,2,,\"a PDF, \"\"thesis\"\"\"",
            "\"Lovelace, Ada\",9,,s3,,,,,,,,,,2,,the run ended before this submission was judged",
            "other.py,,,other.py,JE,,3,4,5,secret/2,1.250,8.6,,,Python 3,judge error: the judge or the package failed",
            "Zoë,007,,s1,WA,33.33,3,4,5,secret/2,1.250,8.6,,2,Python 3,",
            "",
        ]
    );
}

#[test]
fn the_columns_begin_as_a_later_run_expects() {
    let beginning = String::from_utf8(BEGINNING.to_vec()).unwrap();
    assert!(format!("\u{feff}{}", COLUMNS.join(",")).starts_with(&beginning));
}
