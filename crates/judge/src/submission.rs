//! A submission to be judged, from the user or from the package.

use std::path::PathBuf;
use std::sync::Arc;

use referee_event::{NotJudged, Student};
use referee_grading::score::ExpectedScore;
use referee_grading::verdict::Expectation;
use referee_package::{JurySubmission, LeftOut, Package};

/// A submission to be judged.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its name in reports.
    pub name: String,
    /// The source file, source folder or executable.
    pub path: PathBuf,
    /// The declared language; `None` if the judge detects it from the files.
    pub language: Option<String>,
    /// The declared entry point; `None` if it is not declared.
    pub entry_point: Option<String>,
    /// The expected verdicts; `None` for a submission of the user, which should be accepted.
    pub expectations: Option<Vec<Expectation>>,
    /// The expected scores; empty if none are declared.
    pub scores: Vec<ExpectedScore>,
    /// The reason why it is not judged; `None` if it is judged.
    pub left_out: Option<NotJudged>,
    /// The student who handed it in; `None` if it is not a part of a class.
    pub student: Option<Arc<Student>>,
}

impl Submission {
    /// Returns the jury submissions of a package.
    pub fn of_jury(package: &Package) -> Vec<Submission> {
        let one = |submission: &JurySubmission| Submission {
            name: submission.name.clone(),
            path: submission.path.clone(),
            language: submission.language.clone(),
            entry_point: submission.entry_point.clone(),
            expectations: Some(submission.expectations.clone()),
            scores: submission.scores.clone(),
            left_out: None,
            student: None,
        };
        package.submissions.iter().map(one).collect()
    }

    /// Returns a jury submission that is not judged. The run reports it as skipped, with the reason.
    pub fn left_out(left_out: &LeftOut) -> Submission {
        Submission {
            name: left_out.name.clone(),
            path: left_out.path.clone(),
            language: None,
            entry_point: None,
            expectations: Some(Vec::new()),
            scores: Vec::new(),
            left_out: Some(NotJudged::from(left_out.reason.clone())),
            student: None,
        }
    }
}
