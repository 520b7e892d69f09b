//! Languages: what a submission is written in, the tools it needs, how to compile it and how to run it.
//!
//! Everything about them is in `languages.toml` and in files of the same form that users lay over it ([`schema`],
//! [`load`]); the code works for any row. A [`Table`] is a value: whoever judges is given one. A tool that is not
//! installed is not an error of the submission: [`Unready`] names it and says how to get it.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod class_file;
mod detect;
mod entry_point;
mod load;
mod public_type;
mod schema;
mod table;
mod template;
mod tool;

use std::path::PathBuf;

pub use detect::{Detected, Shebangs, can_be_executed};
pub use load::{TableError, users_file};
pub use table::{Commands, Language, Table};
pub use template::{COMPILER_CACHE, Parts};
pub use tool::{Found, Tool, search_path};

/// A submission cannot be prepared here, and that is not its fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// A tool is missing.
    #[error("{tool} is not installed; install it with: {install}")]
    MissingTool {
        /// The tool that was looked for.
        tool: String,
        /// The command that installs it.
        install: String,
    },
    /// A tool is there, but something that it needs is not.
    #[error("{tool} has no {}; install it with: {install}", missing.display())]
    MissingPart {
        /// The tool.
        tool: String,
        /// What it needs.
        missing: PathBuf,
        /// The command that installs it.
        install: String,
    },
}
