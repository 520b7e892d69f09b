//! Slurm's commands `sbatch`, `squeue` and `scancel`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::command::{self, CommandError, Limits};
use crate::indices::Indices;
use crate::job::Job;
use crate::queue::{self, Tasks, shortened};

/// The timeouts of the commands. A busy controller answers after some seconds; `sbatch` tries again by itself for a
/// minute.
const SUBMIT_LIMIT: Duration = Duration::from_secs(180);
/// The files of the tasks are enough without an answer of the queue, and are not read while it is awaited.
const QUEUE_LIMIT: Duration = Duration::from_secs(20);
const CANCEL_LIMIT: Duration = Duration::from_secs(20);

/// How long `sbatch` is awaited after an interruption. Without its answer, the number of a submitted job is lost.
const SUBMIT_LIMIT_AT_END: Duration = Duration::from_secs(10);

/// The reason why Slurm did not do what it was asked to do.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// A command of Slurm is not installed.
    #[error("{0}")]
    Missing(String),
    /// The command found no controller of a cluster. No job was submitted.
    #[error("{0}")]
    Unreachable(String),
    /// The array job has more tasks than the cluster allows.
    #[error("{0}")]
    TooManyTasks(String),
    /// The command failed for another reason, or its answer makes no sense. No job was submitted.
    #[error("{0}")]
    Refused(String),
    /// A job may have been submitted.
    #[error("{0}")]
    Unclear(String),
}

/// A Slurm cluster.
pub trait Slurm {
    /// Submits `script` as an array job with these tasks. `at_once` is the maximum number of tasks that run at the same
    /// time; `None` if there is no maximum.
    fn submit(&self, script: &Path, tasks: &Indices, at_once: Option<usize>) -> Result<Job, SlurmError>;

    /// Returns the tasks of the user that are in the queue, or ended a short time ago. Other jobs may be among them.
    fn queue(&self, jobs: &[Job]) -> Result<Tasks, SlurmError>;

    /// Cancels the jobs.
    fn cancel(&self, jobs: &[Job]) -> Result<(), SlurmError>;
}

/// The cluster whose commands are on the `PATH`.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    /// Whether a task that loses its node goes back into the queue by Slurm's decision. Otherwise the waiting process
    /// submits the part again, which is faster and needs no setting of the cluster.
    pub requeues: bool,
    /// Whether the user has interrupted the run. Then no command is awaited for long.
    pub is_interrupted: fn() -> bool,
}

impl Slurm for Client {
    fn submit(&self, script: &Path, tasks: &Indices, at_once: Option<usize>) -> Result<Job, SlurmError> {
        let at_once = at_once.map(|most| format!("%{most}")).unwrap_or_default();
        let mut words: Vec<OsString> = vec!["--parsable".into(), format!("--array={tasks}{at_once}").into()];
        if !self.requeues {
            words.push("--no-requeue".into());
        }
        words.push(script.into());
        let limits = Limits {
            whole: SUBMIT_LIMIT,
            after_interruption: SUBMIT_LIMIT_AT_END,
            is_interrupted: self.is_interrupted,
        };
        let output = command::output("sbatch", &words, limits).map_err(|error| of_submission(&error))?;
        Job::parse(&output).ok_or_else(|| {
            let shown = shortened(&output);
            SlurmError::Unclear(format!("sbatch printed \"{shown}\", expected the number of a job"))
        })
    }

    fn queue(&self, jobs: &[Job]) -> Result<Tasks, SlurmError> {
        let mut all = Tasks::new();
        // A query for one job fails if that job is no longer known, and a query for several lists all jobs of all
        // users first. A query for the jobs of a user is cheap and never fails for this reason.
        let user = format!("--user={}", rustix::process::geteuid().as_raw());
        for cluster in clusters(jobs) {
            let mut words: Vec<OsString> = ["--noheader", "--array", "--states=all"].map(Into::into).to_vec();
            words.extend([user.as_str().into(), format!("--format={}", queue::FORMAT).into()]);
            words.extend(cluster.map(|name| format!("--clusters={name}").into()));
            let limits =
                Limits { whole: QUEUE_LIMIT, after_interruption: Duration::ZERO, is_interrupted: self.is_interrupted };
            let output = command::output("squeue", &words, limits).map_err(|error| refused(&error))?;
            let of_cluster: BTreeSet<_> =
                jobs.iter().filter(|job| job.cluster.as_deref() == cluster).map(|job| job.id).collect();
            let tasks = queue::parse(&output).map_err(SlurmError::Refused)?;
            all.extend(tasks.into_iter().filter(|((job, _), _)| of_cluster.contains(job)));
        }
        Ok(all)
    }

    fn cancel(&self, jobs: &[Job]) -> Result<(), SlurmError> {
        for cluster in clusters(jobs) {
            let mut words: Vec<OsString> = vec!["--quiet".into()];
            words.extend(cluster.map(|name| format!("--clusters={name}").into()));
            let of_cluster = jobs.iter().filter(|job| job.cluster.as_deref() == cluster);
            words.extend(of_cluster.map(|job| job.id.to_string().into()));
            let whole = CANCEL_LIMIT;
            let limits = Limits { whole, after_interruption: whole, is_interrupted: self.is_interrupted };
            command::output("scancel", &words, limits).map_err(|error| refused(&error))?;
        }
        Ok(())
    }
}

/// Returns the clusters of the jobs, each once.
fn clusters(jobs: &[Job]) -> BTreeSet<Option<&str>> {
    jobs.iter().map(|job| job.cluster.as_deref()).collect()
}

/// What Slurm's commands print if they do not find the controller of the cluster.
const UNREACHABLE: [&str; 2] = ["contact slurm controller", "fetch config"];

/// What `sbatch` prints about an array job with too many tasks.
const TOO_MANY_TASKS: &str = "array";

fn refused(error: &CommandError) -> SlurmError {
    let message = error.to_string();
    match error {
        CommandError::Missing(_) => SlurmError::Missing(message),
        _ if UNREACHABLE.iter().any(|words| message.contains(words)) => SlurmError::Unreachable(message),
        _ if message.contains(TOO_MANY_TASKS) => SlurmError::TooManyTasks(message),
        _ => SlurmError::Refused(message),
    }
}

fn of_submission(error: &CommandError) -> SlurmError {
    match error {
        CommandError::Slow(..) | CommandError::Interrupted(_) | CommandError::Long(..) => {
            SlurmError::Unclear(error.to_string())
        }
        _ => refused(error),
    }
}
