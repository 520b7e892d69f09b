//! Collects one result for each submission, for the files that a teacher hands on: the table ([`crate::csv`]) and the
//! filled worksheets ([`crate::gradebook`]).

use std::cmp::Ordering;
use std::collections::HashMap;

use referee_event::{CaseFinished, Event, RunStarted, Student, SubmissionFinished, SubmissionSkipped};
use referee_grading::verdict::Verdict;

/// The result of a submission, and the student who handed it in.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) submission: String,
    /// The student's name as the platform writes it. Without a class, the name of the submission.
    pub(crate) name: String,
    /// The student; `None` if the run grades no class.
    pub(crate) student: Option<Student>,
    /// The result; `None` if the submission was not judged.
    pub(crate) result: Option<SubmissionFinished>,
    /// Why the submission was not judged, or why the judge failed; empty if it was judged.
    pub(crate) remark: String,
}

/// Collects marks from the events of a run.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    students: HashMap<String, Student>,
    /// Whether the run judges only a part of the submissions.
    is_part: bool,
    /// The number of test cases and static tests of the package; `None` if the submissions say it themselves.
    all_cases: Option<usize>,
    /// The message of the first judge error of the submission that is being judged; `None` if there was none.
    judge_error: Option<String>,
    marks: Vec<Mark>,
}

impl Marks {
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.start(started),
            Event::ClassRead(class) => {
                let entry = |student: &Student| (student.submission.clone(), student.clone());
                self.students.extend(class.students.iter().map(entry));
            }
            Event::CaseFinished(case) => self.note_judge_error(case),
            Event::SubmissionFinished(done) => self.add_judged(done),
            Event::SubmissionSkipped(skipped) => self.add_skipped(skipped),
            _ => {}
        }
    }

    fn start(&mut self, started: &RunStarted) {
        self.is_part = started.partition.is_some();
        self.all_cases = started.part_of_cases.map(|part| part.all);
    }

    fn note_judge_error(&mut self, case: &CaseFinished) {
        if case.verdict == Verdict::JudgeError {
            let message = case.message.clone().unwrap_or_default();
            self.judge_error.get_or_insert_with(|| format!("{}: {message}", case.case));
        }
    }

    fn add_judged(&mut self, done: &SubmissionFinished) {
        let error = self.judge_error.take();
        let remark = if done.verdict == Verdict::JudgeError {
            let reason = done.message.clone().or(error).unwrap_or_else(|| "the judge or the package failed".to_owned());
            format!("judge error: {reason}")
        } else {
            String::new()
        };
        self.add(&done.submission, Some(done.clone()), remark);
    }

    fn add_skipped(&mut self, skipped: &SubmissionSkipped) {
        self.add(&skipped.submission, None, skipped.reason.clone());
    }

    fn add(&mut self, submission: &str, result: Option<SubmissionFinished>, remark: String) {
        let student = self.students.remove(submission);
        let name = student.as_ref().map_or(submission, |student| &student.name).to_owned();
        self.marks.push(Mark { submission: submission.to_owned(), name, student, result, remark });
    }

    /// Returns the number of test cases and static tests of the package on which `done` could have been judged.
    pub(crate) fn all_cases(&self, done: &SubmissionFinished) -> usize {
        self.all_cases.unwrap_or(done.cases_run.saturating_add(done.cases_skipped))
    }

    /// Returns all marks, sorted by name. Students whose submission has no result, because the run ended too early, get
    /// a mark that says so.
    pub(crate) fn sorted(mut self) -> Sorted {
        if !self.is_part {
            let missing: Vec<_> = self.students.keys().cloned().collect();
            for submission in missing {
                self.add(&submission, None, "the run ended before this submission was judged".to_owned());
            }
        }
        let mut marks = std::mem::take(&mut self.marks);
        marks.sort_by(by_name);
        Sorted { marks, collected: self }
    }
}

/// The marks of a run, sorted by name.
pub(crate) struct Sorted {
    pub(crate) marks: Vec<Mark>,
    collected: Marks,
}

impl Sorted {
    /// See [`Marks::all_cases`].
    pub(crate) fn all_cases(&self, done: &SubmissionFinished) -> usize {
        self.collected.all_cases(done)
    }
}

fn by_name(one: &Mark, other: &Mark) -> Ordering {
    let attempt = |mark: &Mark| mark.student.as_ref().and_then(|student| student.attempt);
    let key = |mark: &Mark| (mark.name.to_lowercase(), attempt(mark), mark.submission.clone());
    key(one).cmp(&key(other))
}
