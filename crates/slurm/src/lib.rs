//! Runs the parts of a grading as the tasks of a Slurm array job, and waits until each part has a complete report.
//!
//! A part is a share of the submissions (`--partition`). The [`Script`] is the batch script: its task number K judges
//! part K and writes the report of that part into the [`Folder`], which all nodes share. [`wait()`] submits the script,
//! follows the parts, and submits a part again if its task failed or lost its node.
//!
//! # What decides
//!
//! - A part is done when its report has its final name and the caller accepts it as complete. Neither the exit code of
//!   a task nor Slurm's word can make a part done.
//! - A task has failed if its script says so in a file and the queue no longer has the task, or if the queue lost the
//!   task. `squeue` shows the queue. Slurm's accounting is never asked, because many clusters have none.
//! - If `squeue` fails, the files alone decide, and the waiting goes on. It ends only after a long silence of both.
//! - A part that is judged twice does no harm: a task ends at once if the report of its part exists, and the report
//!   gets its name in one step.
//!
//! A part is given up after some failures in a row that brought no new result. A part that runs into the time limit of
//! the cluster goes on as long as each of its tasks gets further than the one before.
//!
//! Everything that Slurm prints is checked before use: numbers are parsed, unknown words change nothing, outputs have a
//! maximum size, and each command has a timeout ([`Client`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod client;
mod command;
mod folder;
mod growth;
mod indices;
mod inputs;
mod job;
mod notice;
mod parts;
mod patience;
mod queue;
mod record;
mod schedule;
mod script;
mod wait;

pub use client::{Client, Slurm, SlurmError};
pub use folder::{Folder, FolderError};
pub use indices::Indices;
pub use inputs::digest;
pub use job::Job;
pub use notice::{GivenUp, Next, Notice, Progress, WaitError};
pub use parts::Counts;
pub use queue::{Task, Tasks};
pub use record::Record;
pub use script::{NodeLocal, Script, name_of, refused_option};
pub use wait::{Waiting, wait};
