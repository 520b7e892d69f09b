//! Pages to hand out: the options `--html-per-submission`, `--moodle-feedback` and `--show-secret`.

mod feedback_zip;
mod folder;
mod sources;

use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;

use super::Failure;
use feedback_zip::FeedbackZip;
use folder::Folder;
use referee_event::ClassLayout;
use referee_judge::Submission;
use referee_report::html::per_submission::{FileNames, Pages, PerSubmission, Run};
use referee_report::{Report, Subject};
use sources::OfSubmissions;

/// The options about pages to hand out.
#[derive(Debug, Args)]
pub(super) struct PageArguments {
    /// Write an HTML page for each submission to DIR, to hand out
    ///
    /// A page shows the source beside what went wrong. It shows nothing of other submissions, and nothing of secret
    /// test cases but their numbers and verdicts. DIR is new or empty, or holds only such pages.
    #[arg(long, value_name = "DIR", help_heading = "Reports", conflicts_with = "partition")]
    html_per_submission: Option<PathBuf>,

    /// Write the pages of --html-per-submission to ZIP, which Moodle imports as feedback files
    ///
    /// The programs must come from Moodle's "Download all submissions".
    #[arg(long, value_name = "ZIP", help_heading = "Reports", conflicts_with = "partition")]
    moodle_feedback: Option<PathBuf>,

    /// Show inputs, answers and messages of secret test cases on pages to hand out
    #[arg(long, help_heading = "Reports")]
    show_secret: bool,
}

/// The opened destinations of the pages.
pub(super) struct PageDestinations {
    all: Vec<Box<dyn Pages>>,
    shows_secret: bool,
}

impl PageArguments {
    /// Returns whether any of the options is given.
    pub(super) fn are_given(&self) -> bool {
        self.html_per_submission.is_some() || self.moodle_feedback.is_some() || self.show_secret
    }

    /// Opens the destinations of the pages, before any program runs. Fails if one cannot be written, or if it contains
    /// anything but such pages.
    pub(super) fn prepare(&self, submissions: &[Submission]) -> Result<PageDestinations, Failure> {
        if self.show_secret && self.html_per_submission.is_none() && self.moodle_feedback.is_none() {
            return Err(Failure::unusable("--show-secret has no effect without pages to hand out")
                .with_hint("add --html-per-submission DIR or --moodle-feedback ZIP"));
        }
        let mut all: Vec<Box<dyn Pages>> = Vec::new();
        if let Some(folder) = &self.html_per_submission {
            all.push(Box::new(Folder::open(folder)?));
        }
        if let Some(archive) = &self.moodle_feedback {
            refuse_others_than_moodle(submissions)?;
            all.push(Box::new(FeedbackZip::open(archive)?));
        }
        Ok(PageDestinations { all, shows_secret: self.show_secret })
    }
}

/// Fails unless all submissions come from Moodle, because other submissions have no folder there.
fn refuse_others_than_moodle(submissions: &[Submission]) -> Result<(), Failure> {
    let is_of_moodle = |submission: &&Submission| {
        submission.student.as_ref().is_some_and(|student| student.layout == ClassLayout::Moodle)
    };
    match submissions.iter().find(|submission| !is_of_moodle(submission)) {
        None => Ok(()),
        Some(other) => {
            let message = format!("--moodle-feedback: {} does not come from a download of Moodle", other.name);
            Err(Failure::unusable(message).with_hint(
                "grade the folder or archive that Moodle calls \"Download all submissions\", or use \
                 --html-per-submission DIR",
            ))
        }
    }
}

impl PageDestinations {
    /// Returns the report that makes the pages; `None` if no option asks for pages.
    pub(super) fn report(self, subject: &Subject, submissions: &[Submission]) -> Option<Box<dyn Report>> {
        if self.all.is_empty() {
            return None;
        }
        let run = Run {
            heading: subject.heading.clone(),
            case_details: subject.case_details.clone(),
            sources: Rc::new(OfSubmissions::new(submissions)),
            file_names: FileNames::of(
                submissions.iter().map(|submission| (submission.name.as_str(), submission.student.as_deref())),
            ),
            shows_secret: self.shows_secret,
        };
        Some(Box::new(PerSubmission::new(run, self.all)))
    }
}
