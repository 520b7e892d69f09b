//! Loads the languages of a run: the built-in ones, those of the user's configuration, and those of the command line.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use referee_language::{CommandsOf, Table, users_file};

/// Languages in addition to the built-in ones.
#[derive(Debug, Args)]
pub(super) struct LanguageArguments {
    /// Add or change the languages that FILE defines; may be given several times
    ///
    /// FILE is TOML, in the form of crates/language/src/languages.toml in the source of referee. An entry with a known
    /// id changes only the keys that it gives. ~/.config/referee/languages.toml is always read first.
    #[arg(long = "languages", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl LanguageArguments {
    /// Returns whether any file is given.
    pub(super) fn are_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the known languages. Fails if a file of languages is invalid.
    pub(super) fn load(&self) -> Result<Table, Failure> {
        self.load_like(None)
    }

    /// Returns the known languages with the commands of `judge`, or with our own commands if `judge` is `None`. The
    /// user's files override these commands. Fails if a file of languages is invalid.
    pub(super) fn load_like(&self, judge: Option<CommandsOf>) -> Result<Table, Failure> {
        let files: Vec<_> = users_file().into_iter().chain(self.files.iter().cloned()).collect();
        Table::load_like(judge, &files).map_err(Failure::unusable)
    }
}
