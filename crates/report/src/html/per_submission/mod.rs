//! Pages to hand out: a page for each submission, with its source beside its failures.
//!
//! A page contains nothing of other submissions. It also contains nothing of the secret test cases but their number,
//! their verdict and the time, unless the user asks for more: no input, no answer, no output and no message of a
//! validator, because all of them can quote the input or the answer. [`case_view`] is the only module that decides
//! this; the other modules see only what it returns.
//!
//! The pages have no script at all. Text of students gets into them only through [`markup`], and the content security
//! policy forbids scripts and requests.

mod case_view;
mod crash;
mod failures;
mod file_name;
mod frame;
mod marks;
mod markup;
mod page;
mod source;

use std::io;
use std::rc::Rc;
use std::sync::Arc;

use crate::{CaseDetails, Report};
use case_view::CaseView;
pub use file_name::FileNames;
use file_name::label;
use referee_event::{BuildFinished, Event, GroupFinished, Student, SubmissionFinished};

pub use frame::BEGINNING;

/// The maximum number of cases of a submission whose texts a page shows. Later failures are listed without texts.
const MOST_DETAILS: usize = 5;

/// Provides the sources of submissions.
pub trait Sources {
    /// Returns the files of a submission; empty if they are unknown.
    fn of(&self, submission: &str) -> Vec<SourceFile>;
}

/// A file of a submission.
pub struct SourceFile {
    /// The path relative to the folder of the submission, or the name of the only file.
    pub name: String,
    /// The content, or the reason why a page does not show it.
    pub content: Result<SourceText, String>,
}

/// The beginning of a source.
pub struct SourceText {
    /// The first bytes.
    pub bytes: Vec<u8>,
    /// The size of the whole file, in bytes.
    pub whole_bytes: u64,
}

/// Stores finished pages.
pub trait Pages {
    /// Stores a page.
    fn add(&mut self, page: &Page) -> io::Result<()>;

    /// Ends the run. If `is_complete` is false, the run did not finish.
    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()>;
}

/// A finished page.
pub struct Page {
    /// A file name that is safe on all file systems. No other page of the run has it.
    pub file_name: String,
    /// The student who handed in the submission; `None` if the run judges no class.
    pub student: Option<Arc<Student>>,
    /// The HTML.
    pub html: String,
}

/// What the pages of a run share.
pub struct Run {
    /// A line about the run.
    pub heading: String,
    /// Provides the numbers of the test cases; `None` if the run has no package.
    pub case_details: Option<Rc<dyn CaseDetails>>,
    /// Provides the sources of the submissions.
    pub sources: Rc<dyn Sources>,
    /// The file names of the pages.
    pub file_names: FileNames,
    /// Whether the pages show the texts of secret test cases.
    pub shows_secret: bool,
}

/// Makes a page for each submission.
pub struct PerSubmission {
    run: Run,
    pages: Vec<Box<dyn Pages>>,
    time_limit_seconds: Option<f64>,
    current: Judged,
}

/// What is known of the submission that is judged now.
#[derive(Default)]
struct Judged {
    build: Option<BuildFinished>,
    cases: Vec<CaseView>,
    groups: Vec<GroupFinished>,
}

/// The result of a submission.
enum Outcome<'a> {
    Judged(&'a SubmissionFinished),
    /// The reason why it was not judged.
    NotJudged(&'a str),
}

impl PerSubmission {
    /// Stores the pages of the run in `pages`.
    pub fn new(run: Run, pages: Vec<Box<dyn Pages>>) -> Self {
        PerSubmission { run, pages, time_limit_seconds: None, current: Judged::default() }
    }

    fn finished(&mut self, submission: &str, student: Option<&Arc<Student>>, outcome: &Outcome<'_>) -> io::Result<()> {
        let judged = std::mem::take(&mut self.current);
        let file_name = self.run.file_names.take(submission);
        let file_name = file_name.ok_or_else(|| io::Error::other(format!("no page is planned for {submission}")))?;
        // Of a submission that was not judged, it is unknown which files belong to it.
        let is_judged = matches!(outcome, Outcome::Judged(_));
        let sources = if is_judged { self.run.sources.of(submission) } else { Vec::new() };
        let html = page::html(&page::Parts {
            heading: &self.run.heading,
            name: label(submission, student.map(AsRef::as_ref)),
            student: student.map(AsRef::as_ref),
            time_limit_seconds: self.time_limit_seconds,
            judged: &judged,
            outcome,
            sources: &sources,
            shows_secret: self.run.shows_secret,
        });
        let page = Page { file_name, student: student.cloned(), html };
        self.pages.iter_mut().try_for_each(|pages| pages.add(&page))
    }
}

impl Report for PerSubmission {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(run) => self.time_limit_seconds = run.time_limit.map(referee_event::TimeLimit::seconds),
            Event::BuildFinished(build) => self.current.build = Some(build.clone()),
            Event::CaseFinished(case) => {
                let place = self.current.cases.len() + 1;
                let number = self.run.case_details.as_ref().and_then(|details| details.number(&case.case));
                let detailed = self.current.cases.iter().filter(|case| case.details.is_some()).count();
                let view = CaseView::of(case, number.unwrap_or(place), self.run.shows_secret, detailed < MOST_DETAILS);
                self.current.cases.push(view);
            }
            Event::GroupFinished(group) => self.current.groups.push(group.clone()),
            Event::SubmissionFinished(submission) => {
                let outcome = Outcome::Judged(submission);
                self.finished(&submission.submission, submission.student.as_ref(), &outcome)?;
            }
            Event::SubmissionSkipped(skipped) => {
                let outcome = Outcome::NotJudged(&skipped.reason);
                self.finished(&skipped.submission, skipped.student.as_ref(), &outcome)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>, is_complete: bool) -> io::Result<()> {
        // Every destination ends, also if an earlier one fails.
        let ended: Vec<_> = self.pages.into_iter().map(|pages| pages.finish(is_complete)).collect();
        ended.into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
