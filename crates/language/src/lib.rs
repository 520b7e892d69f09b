//! Programming languages: how to detect the language of a submission, find its tools, compile it and run it.
//!
//! All data about languages is in TOML files; the code contains no language. `languages.toml` is the built-in table.
//! `kattis.toml` and `domjudge.toml` replace commands with those of other judges. User files of the same form override
//! all three ([`schema`], [`load`]). A [`Table`] is a value that callers pass to the judge. A missing tool is not an
//! error of the submission: [`Unready`] names the tool and says how to install it.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod answers;
mod choice;
mod class_file;
mod detect;
mod entry_point;
mod first_include;
mod load;
mod public_type;
mod schema;
pub mod software;
mod table;
mod template;
mod tool;

use std::path::PathBuf;

pub use answers::{remember_answers, remembered};
pub use detect::{Detected, Shebangs, can_be_executed};
pub use first_include::may_have_pragma;
pub use load::{CommandsOf, TableError, users_file};
pub use table::{Commands, Language, Table};
pub use template::{BINARY, COMPILER_CACHE, PreparedFile, TemplateValues};
pub use tool::{Found, Tool, search_path};

/// The reason why a submission cannot be compiled or run on this machine. It is not the submission's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unready {
    /// A tool is missing.
    #[error("{tool} is not installed{places}; install it with: {install}")]
    MissingTool {
        /// The name of the tool.
        tool: String,
        /// Where the tool was searched besides PATH, in words; empty if nowhere.
        places: String,
        /// The command that installs it.
        install: String,
    },
    /// A tool is installed, but it lacks a file that it needs.
    #[error("{tool} is installed, but its file {} is missing; install the file with: {install}", missing.display())]
    MissingPart {
        /// The name of the tool.
        tool: String,
        /// The missing file.
        missing: PathBuf,
        /// The command that installs it.
        install: String,
    },
}
