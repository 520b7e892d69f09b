//! The reasons why a job cannot be finished, and what the judgehost does then.

use std::io;

use referee_judge::JudgeError;

use crate::answer::ClientError;
use crate::api::{ApiError, Blame};
use crate::executable::ScriptError;
use crate::files::FilesError;
use crate::journal::JournalError;

/// The reason why a job cannot be finished.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The judgehost ends, and its journal keeps the job.
    End(WorkError),
    /// The judgehost reports an internal error.
    Internal {
        /// The cause, as far as it is known.
        blame: Blame,
        /// What happened.
        description: String,
    },
    /// The server fails on the job while it answers other requests, or what it sent about the job cannot be used. The
    /// judgehost reports an internal error that blames the first test case of the job: this disables less than any other
    /// one, and a person hears of the submission.
    OfJob(String),
    /// The judgehost gives up the job. The server knows the reason, or does not know the job.
    Drop(String),
}

/// The reason why a judgehost ends.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The server does not accept the credentials.
    #[error("the server does not accept the user and the password")]
    Unauthorized,
    /// The server does not accept this judgehost.
    #[error("the server does not register this judgehost: {0}")]
    NotRegistered(String),
    /// The user ended the judgehost before its work was finished.
    #[error("interrupted; the journal keeps the unfinished work")]
    Interrupted,
    /// The journal has unfinished work of another server.
    #[error("{journal} has unfinished work of {other}, and this judgehost works for {server}")]
    OtherServer {
        /// The path of the journal.
        journal: String,
        /// The server whose work it is.
        other: String,
        /// The server that the user gave.
        server: String,
    },
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The cache failed.
    #[error(transparent)]
    Files(#[from] FilesError),
}

impl Trouble {
    /// Returns the trouble if the server refuses what the judgehost needs, and `blame` is at fault.
    pub(crate) fn of_refusal(error: ApiError, blame: Blame) -> Trouble {
        match error {
            ApiError::Refused(reason) => Trouble::Internal { blame, description: reason.to_string() },
            error => Trouble::from(error),
        }
    }

    /// Returns the trouble with a script.
    pub(crate) fn of_script(error: ScriptError, blame: Blame) -> Trouble {
        match error {
            ScriptError::Script(description) => Trouble::Internal { blame, description },
            ScriptError::Judge(error) => Trouble::from(error),
            ScriptError::Files(error) => Trouble::from(error),
        }
    }
}

/// Returns the trouble if a folder or a file for a judging cannot be made or read.
pub(crate) fn preparing(source: io::Error) -> Trouble {
    JudgeError::System { doing: "preparing a judging", source }.into()
}

impl From<ApiError> for Trouble {
    fn from(error: ApiError) -> Trouble {
        match error {
            ApiError::Unauthorized => Trouble::End(WorkError::Unauthorized),
            ApiError::Interrupted => Trouble::End(WorkError::Interrupted),
            ApiError::Refused(reason @ (ClientError::Failed { .. } | ClientError::Garbled(_))) => {
                Trouble::OfJob(reason.to_string())
            }
            ApiError::Refused(reason) => Trouble::Drop(reason.to_string()),
        }
    }
}

impl From<JudgeError> for Trouble {
    fn from(error: JudgeError) -> Trouble {
        match error {
            JudgeError::Interrupted => Trouble::End(WorkError::Interrupted),
            error => Trouble::Internal { blame: Blame::Host, description: error.to_string() },
        }
    }
}

impl From<FilesError> for Trouble {
    fn from(error: FilesError) -> Trouble {
        Trouble::Internal { blame: Blame::Host, description: error.to_string() }
    }
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Trouble {
        Trouble::End(WorkError::Journal(error))
    }
}
