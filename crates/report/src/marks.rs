//! Collects one result for each submission, for the files that a teacher hands on: the table ([`crate::csv`]) and the
//! filled worksheets ([`crate::gradebook`]).

use std::cmp::Ordering;
use std::sync::Arc;

use referee_event::{CaseFinished, Event, Student, SubmissionFinished, SubmissionSkipped};
use referee_grading::verdict::Verdict;

/// The result of a submission, and the student who handed it in.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) submission: String,
    /// The student's name as the platform writes it. Without a class, the name of the submission.
    pub(crate) name: String,
    /// The student; `None` if the run judges no class.
    pub(crate) student: Option<Arc<Student>>,
    /// The result; `None` if the submission was not judged.
    pub(crate) result: Option<SubmissionFinished>,
    /// Why the submission was not judged, or why the judge failed; empty if it was judged.
    pub(crate) remark: String,
}

impl Mark {
    /// Returns the number of the attempt; `None` if it is unknown.
    pub(crate) fn attempt(&self) -> Option<u32> {
        self.student.as_ref().and_then(|student| student.attempt)
    }
}

/// Collects marks from the events of a run.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// The number of test cases and static tests of the package; `None` if the run uses all of them.
    all_cases: Option<usize>,
    /// The case and the message of the submission's first judge error; `None` if there was none.
    judge_error: Option<String>,
    /// The marks in the order of the run.
    all: Vec<Mark>,
}

impl Marks {
    pub(crate) fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted(started) => self.all_cases = started.part_of_cases.map(|part| part.all),
            Event::CaseFinished(case) => self.note_judge_error(case),
            Event::SubmissionFinished(done) => self.add_judged(done),
            Event::SubmissionSkipped(skipped) => self.add_skipped(skipped),
            _ => {}
        }
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
        self.add(&done.submission, done.student.clone(), Some(done.clone()), remark);
    }

    fn add_skipped(&mut self, skipped: &SubmissionSkipped) {
        self.add(&skipped.submission, skipped.student.clone(), None, skipped.reason.clone());
    }

    fn add(
        &mut self,
        submission: &str,
        student: Option<Arc<Student>>,
        result: Option<SubmissionFinished>,
        remark: String,
    ) {
        let name = student.as_ref().map_or(submission, |student| &student.name).to_owned();
        self.all.push(Mark { submission: submission.to_owned(), name, student, result, remark });
    }

    /// Returns the number of test cases and static tests of the package.
    pub(crate) fn all_cases(&self, done: &SubmissionFinished) -> usize {
        self.all_cases.unwrap_or(done.cases_run.saturating_add(done.cases_skipped))
    }

    /// Returns all marks, sorted by name.
    pub(crate) fn sorted(&self) -> Vec<&Mark> {
        let mut marks: Vec<_> = self.all.iter().collect();
        marks.sort_by(|one, other| by_name(one, other));
        marks
    }
}

fn by_name(one: &Mark, other: &Mark) -> Ordering {
    let key = |mark: &Mark| (mark.name.to_lowercase(), mark.name.clone(), mark.attempt(), mark.submission.clone());
    key(one).cmp(&key(other))
}
