//! A program to be judged.

use std::path::PathBuf;

use referee_grading::score::ExpectedScore;
use referee_grading::verdict::Expectation;
use referee_package::{JurySubmission, LeftOut, Package};

/// Something to be judged.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its name in reports.
    pub name: String,
    /// The source file, source folder or executable.
    pub path: PathBuf,
    /// The language, if it is declared and not to be told from the files.
    pub language: Option<String>,
    /// The entry point, if it is declared.
    pub entry_point: Option<String>,
    /// What its verdicts must be; `None` if nothing is declared, and then it should be accepted.
    pub expectations: Option<Vec<Expectation>>,
    /// What its scores must be.
    pub scores: Vec<ExpectedScore>,
    /// Why it is not judged, if it is not.
    pub left_out: Option<String>,
}

impl Submission {
    /// The package's own submissions.
    pub fn of_jury(package: &Package) -> Vec<Submission> {
        let one = |submission: &JurySubmission| Submission {
            name: submission.name.clone(),
            path: submission.path.clone(),
            language: submission.language.clone(),
            entry_point: submission.entry_point.clone(),
            expectations: Some(submission.expectations.clone()),
            scores: submission.scores.clone(),
            left_out: None,
        };
        package.submissions.iter().map(one).collect()
    }

    /// A submission of the package that is not judged. A run tells of it and of the reason.
    pub fn left_out(left_out: &LeftOut) -> Submission {
        Submission {
            name: left_out.name.clone(),
            path: left_out.path.clone(),
            language: None,
            entry_point: None,
            expectations: Some(Vec::new()),
            scores: Vec::new(),
            left_out: Some(left_out.reason.clone()),
        }
    }
}
