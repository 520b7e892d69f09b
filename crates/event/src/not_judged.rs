//! Why a submission is not judged.

use std::fmt;

/// Why a submission is not judged, known before anything is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJudged {
    /// The reason. The author of the submission may read it.
    pub reason: String,
    /// What the user of the judge can do, such as an option of the command; `None` if there is nothing special.
    pub hint: Option<String>,
}

impl From<String> for NotJudged {
    fn from(reason: String) -> NotJudged {
        NotJudged { reason, hint: None }
    }
}

impl fmt::Display for NotJudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}
