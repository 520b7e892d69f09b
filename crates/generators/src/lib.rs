//! `generators/generators.yaml` of BAPCtools: the rules that a package's test cases are made by, read and run.
//!
//! The file is a tree of groups and cases, as `data/` is to be ([`rules`]). [`mod@read`] makes the rules of it, with
//! names and numbers ([`number`], [`count`]), commands ([`command`]) and their seeds ([`seed`]); [`twins`] finds rules
//! that say the same. [`mod@run`] carries them out over the cores, with [`programs`] that are built once, each by
//! [`make`]: a generator in an empty folder, copied and literal files, the solution for the answer. [`results`]
//! collects what was made, [`plan`] holds it against what is there, and [`apply`] puts it there and moves what was
//! there into the [`trash`]. [`draw`] asks the same generators for inputs under other seeds.
//!
//! The same file and programs give the same names and bytes as `bt generate` of BAPCtools 2026.10 does. What it does
//! besides is left out and said: validating, pictures of visualizers, `.interaction` files, a `.gitignore`.
//!
//! Nothing here trusts the package: its programs run in the sandbox, only plain files of known names are taken from
//! what they leave, every size and number has a bound, and no link leads out of the package.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod apply;
mod command;
mod content;
mod copy;
mod count;
mod draw;
mod ending;
mod make;
mod number;
mod ordered;
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
mod twins;

use referee_judge::JudgeError;
use referee_package::Findings;

pub use apply::ApplyError;
pub use draw::{Drawn, Draws};
pub use plan::{Plan, data, refuse_links};
pub use read::read;
pub use rules::Rules;
pub use run::{Made, run};
pub use trash::NAME as TRASH;

/// The file of rules, below the package's folder.
pub const FILE: &str = "generators/generators.yaml";

/// Test cases could not be made at all.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The rules are wrong; each finding has its place.
    #[error("{0}")]
    Rules(Findings),
    /// The judge failed, or was interrupted, or the package cannot be used.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}
