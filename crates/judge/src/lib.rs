//! Runs submissions on test cases and decides verdicts.
//!
//! # How a submission is judged
//!
//! Everything starts from a [`Session`]: one problem package, the [`Settings`] to judge by, and a temporary folder.
//!
//! 1. [`run::plan`] lists the test cases and static tests to judge, and decides whether test groups combine the
//!    results. If a package states no time limit, [`time_limit`] measures the package's own submissions first.
//! 2. [`build`] detects the language of a submission. [`build::compilation`] gathers its sources ([`workspace::copy`])
//!    and compiles them ([`build::compile`]), or takes the compiled program from the [`cache::build_cache`].
//!    The result is a [`build::executable::Executable`]. Test cases with cached results ([`cache::results`]) are not
//!    run again. A program is not compiled if all its results are cached.
//! 3. [`run::schedule`] distributes the test cases to worker threads. [`case`] runs the submission on one test case and
//!    calls the [`validator`]. A program that may write files gets a new copy of its folder for each run
//!    ([`build::workdir`]). [`case::passes`] judges multi-pass and interactive problems.
//! 4. [`outcome::classify`] turns the sandbox's outcome into a verdict if a limit or an exit code decides alone;
//!    [`outcome::interactive_verdict`] combines the verdicts of submission and validator. [`run::remeasure`] repeats a
//!    run whose time is close to the limit, and decides whether the submission exceeded the limit.
//! 5. [`run::reorder`] puts the results back in order and combines them by test groups, under the rules of
//!    [`referee_grading::score`]. If the package has a grader, [`validator::grader`] runs it on the results of a group.
//!    [`run::tally`] combines the verdicts of the test cases and compares them with the expected verdicts.
//!
//! # Other uses of a session
//!
//! [`examiner`] runs the package's validators on any input, answer or output. [`trial`] runs a program on inputs that
//! are not test cases. [`mutant_runner`] runs hundreds of mutants, which are slightly changed copies of a program.
//! [`package_program`] builds and runs other programs of the package, such as generators.
//!
//! # Layers
//!
//! A module uses only modules of its own layer and of lower layers; a test checks that. From the bottom:
//!
//! 1. `error`, `activity`, `enforcement`, `ordered_pool`, `retry_policy`, `toolchain`, `workspace`, `outcome`
//! 2. `settings`, `submission`, `summary`, `cache`
//! 3. `build`
//! 4. `validator`
//! 5. `case`
//! 6. `session`
//! 7. `run`
//! 8. `examiner`, `trial`, `mutant_runner`, `package_program`, `time_limit`

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod activity;
mod build;
mod cache;
mod case;
mod enforcement;
mod error;
mod examiner;
mod mutant_runner;
mod ordered_pool;
mod outcome;
pub mod package_program;
mod retry_policy;
mod run;
mod session;
mod settings;
mod submission;
mod summary;
mod time_limit;
pub mod toolchain;
mod trial;
mod validator;
mod workspace;

pub use activity::Activity;
pub use build::metamutant::{Contained, Intermediate, Metamutant, MetamutantBuild};
pub use build::product_digest::Digest;
pub use cache::build_cache::Cache;
pub use cache::fingerprint::time_limit_basis;
pub use cache::results::EarlierReport;
pub use enforcement::{enforced_part, enforcement};
pub use error::JudgeError;
pub use examiner::{AnswerExaminer, InputExaminer, OutputExaminer, Ruling};
pub use mutant_runner::{MutantRun, MutantRunner, Product, RunCounts, StopPolicy, settings_of_mutants};
pub use ordered_pool::in_order;
pub use outcome::case_result::{CaseResult, WrittenStreams};
pub use outcome::excerpt::beginning;
/// Unit tests need this macro, because Rust's test harness does not call [`referee_sandbox::init`].
pub use referee_sandbox::init_before_main;
pub use retry_policy::{RETRY_POLICY, RetryPolicy};
pub use run::retry::retry_if_held_up;
pub use session::{Session, refuse_unsupported};
pub use settings::{RunUntil, SANDBOX, Settings, Substitutes, jury_limits, wall_limit};
pub use submission::Submission;
pub use summary::Summary;
pub use time_limit::is_asleep;
pub use time_limit::measure::Measured;
pub use time_limit::upper_bounds::{Reached, TooFast, slowest_of_upper_bounds};
pub use trial::{Attempt, Contender, NotBuilt, TrialCase, Trials};
pub use validator::input_validator::{InputVerdict, Unusable};
pub use validator::testlib_checker;
pub use workspace::MAKING_A_FOLDER;
pub use workspace::compiled::CompiledTogether;
pub use workspace::copy::copy_sources;
pub use workspace::prepared::SharedHeaders;
pub use workspace::remove_folders_of_killed_judges;

#[cfg(test)]
referee_sandbox::init_before_main!(SANDBOX);
