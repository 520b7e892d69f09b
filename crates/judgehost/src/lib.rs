//! Judges the submissions of a DOMjudge server, in place of DOMjudge's own judgehosts.
//!
//! # How a judgehost works
//!
//! [`work()`] is the loop. It registers the judgehost, asks the server for a batch of tasks, writes the batch into the
//! journal, and judges it. A task is one test case of one submission.
//!
//! 1. **Protocol.** [`Client`] sends a request and says what is known about its fate. [`Api`] has a function for each
//!    call of the server, and repeats a call as long as that may help. `tasks` has the types of the answers, and
//!    `version` the differences between the server's versions.
//! 2. **Journal.** `journal` keeps the tasks that are not finished on disk. No result is sent before it is in the
//!    journal, and no task is run before its batch is. After a restart, the work in the journal comes first.
//! 3. **Judging.** `job` judges the tasks of one submission. `problem` makes a problem package from the server's
//!    settings, `packages` keeps the last ones, and [`referee_judge`] judges as it does for every package. `compile`
//!    compiles the submission, and `executable` builds the server's scripts. `report` turns a result into the form that
//!    the server wants.
//!
//! These three parts know nothing of one another. `job` and `work` connect them.
//!
//! # Errors
//!
//! The server disables what an internal error blames. So `trouble` says what is at fault as narrowly as possible: a
//! script, a test case or this judgehost. A submission can never cause an internal error.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod answer;
mod api;
mod background;
mod checks;
mod choices;
mod client;
mod compile;
mod credentials;
mod debug;
mod defaults;
mod executable;
mod files;
mod job;
mod journal;
mod overshoot;
mod pace;
mod packages;
mod past_jobs;
mod prefetch;
mod problem;
mod progress;
mod report;
mod results;
mod retries;
mod sending;
mod slots;
mod tasks;
mod trouble;
mod version;
mod versions;
mod work;
mod workplace;

pub use answer::ClientError;
pub use api::{Api, ApiError, Stops};
pub use checks::{Check, examine};
pub use client::{Client, Timeouts};
pub use compile::Toolchain;
pub use credentials::{Credentials, CredentialsError};
pub use defaults::{DefaultScripts, script_hash};
pub use files::{FilesError, free_bytes};
pub use journal::JournalError;
pub use problem::JudgingOptions;
pub use progress::Progress;
pub use referee_https::CaError;
pub use slots::{CoreSlot, SlotError};
pub use tasks::{OfferedLanguage, ServerConfig};
pub use trouble::WorkError;
pub use work::{Options, work};
