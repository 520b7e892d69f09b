//! Generates a package's test cases from `generators/generators.yaml`, a file of rules that BAPCtools defines.
//!
//! The file is a tree of groups and cases with the same structure as `data/` ([`rules`]). [`mod@read`] reads it,
//! including names and numbers ([`number`], [`count`]), commands ([`command`]) and their seeds ([`seed`]).
//! [`duplicate_rules`] finds equivalent rules. [`mod@run`] runs the rules in parallel, with [`programs`] that are built
//! once; [`modules`] finds the Python modules that they import. [`make`] makes one test case: it runs the generator in
//! an empty folder, copies files, writes literal texts, and runs the solution for the answer. [`results`] collects the
//! files. [`plan`] compares them with the files in `data/`. [`apply`] moves them to `data/`, and moves the old files
//! into the [`trash`]. [`draw`] runs the same generators with other seeds.
//!
//! The same file and programs give the same names and bytes as `bt generate` of BAPCtools 2026.10. This crate does not
//! validate the test cases or run visualizers, and it writes neither `.interaction` files nor a `.gitignore`.
//!
//! The package is not trusted. Its programs run in the sandbox. Only regular files of known names are taken from the
//! folders in which the programs run. Every size and number has a limit, and no link leads out of the package.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod apply;
mod command;
mod content;
mod copy;
mod count;
mod draw;
mod duplicate_rules;
mod ending;
mod make;
mod modules;
mod number;
mod pattern;
mod plan;
mod programs;
mod read;
mod results;
mod rules;
mod run;
mod seed;
mod solution;
mod trash;

use referee_judge::JudgeError;
use referee_package::Findings;

pub use apply::ApplyError;
pub use draw::{Drawn, Draws};
pub use plan::{ChangePlan, data, refuse_links};
pub use read::read;
pub use rules::Rules;
pub use run::{Made, run};
pub use trash::NAME as TRASH;

/// The path of the rules, relative to the package's folder.
pub const FILE: &str = "generators/generators.yaml";

/// The reason why no test case could be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The rules are invalid. Each finding has its source position.
    #[error("{0}")]
    Rules(Findings),
    /// The judge failed, the user interrupted it, or the package is unusable.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

#[cfg(test)]
referee_sandbox::init_before_main!(referee_judge::SANDBOX);
