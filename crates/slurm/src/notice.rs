//! What the waiting process tells its user: messages during the run, and why a run did not become complete.

use std::io;

use crate::client::SlurmError;
use crate::job::Job;
use crate::parts::Counts;

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The parts.
    pub parts: Counts,
    /// The number of results in all reports.
    pub runs: u64,
    /// The number of submissions that were judged or skipped.
    pub submissions: u64,
    /// The number of results of submissions that are being judged.
    pub runs_of_current: u64,
}

/// What happens to a part that has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is submitted again. This was failure number `failures` in a row; 0 if the failure does not count.
    Again {
        /// The number of failures in a row.
        failures: u32,
    },
    /// It is not submitted again.
    GivenUp,
}

/// A message about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A job was submitted.
    Submitted {
        /// The number of the job.
        job: u32,
        /// The number of its tasks.
        tasks: usize,
    },
    /// The tasks of an earlier process are still in the queue.
    Adopted {
        /// The number of tasks.
        tasks: usize,
    },
    /// The state of the run, after each look at the files.
    Progress(Progress),
    /// A part has failed.
    Failed {
        /// The part.
        part: usize,
        /// The reason.
        why: String,
        /// What happens next.
        next: Next,
    },
    /// `squeue` fails, for this reason.
    QueueSilent(String),
    /// `squeue` answers again.
    QueueAnswers,
    /// All reports are complete, and the scripts of some tasks have not ended yet.
    Ending,
    /// Slurm did not accept a job that submits parts again. The submission is repeated.
    Postponed(String),
}

/// A part that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// The part.
    pub part: usize,
    /// The reason.
    pub why: String,
    /// The last error in its log; `None` if there is no log, because no task has reached the folder.
    pub last_words: Option<String>,
}

/// The reason why a run did not become complete. The folder has everything that was judged.
#[derive(Debug, thiserror::Error)]
pub enum WaitError {
    /// The user has interrupted the run. The jobs were cancelled, unless the error says why not.
    #[error("interrupted")]
    Interrupted {
        /// The jobs.
        jobs: Vec<Job>,
        /// Why the jobs could not be cancelled; `None` if they were.
        uncancelled: Option<SlurmError>,
    },
    /// Some parts were given up.
    #[error("parts were given up")]
    GivenUp(Vec<GivenUp>),
    /// Slurm does not do what it is asked to do.
    #[error("{0}")]
    Slurm(#[from] SlurmError),
    /// Neither the queue nor a file said anything for a long time.
    #[error("Slurm has not answered for an hour, and no report has grown: {0}")]
    Silent(String),
    /// A file of the folder cannot be written.
    #[error("{0}")]
    Files(#[from] io::Error),
}
