//! Sources that belong to the judge. A language's compiler makes a file from them that speeds up the same compiler.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::JudgeError;
use crate::build::compile;
use crate::build::preparer::{Preparer, new_folder};
use crate::workspace::prepared::{Kind, Prepared};
use referee_language::{BINARY, Language, TemplateValues, Unready};

/// Returns a command of a language; `None` if the language has no such command.
type CommandOf = fn(&Language, &TemplateValues<'_>) -> Option<Result<Vec<OsString>, Unready>>;

/// A source of the judge itself, from which a compiler makes one file: `{binary}`.
pub(crate) struct OwnSource {
    /// The name and the text of the source.
    pub(crate) source: (&'static str, &'static str),
    pub(crate) kind: Kind,
    pub(crate) command: CommandOf,
    /// The CPU time in which the file must be made.
    pub(crate) most_time: Duration,
}

impl OwnSource {
    /// Returns the command that makes the file in `folder`; `None` if the language has no such command, or if a tool is
    /// missing.
    fn command_in(&self, language: &Language, folder: &Path) -> Option<Vec<OsString>> {
        let source = PathBuf::from(self.source.0);
        (self.command)(language, &TemplateValues::of_source(&source, folder))?.ok()
    }

    /// Returns all that the file depends on besides the compiler: the command and the source. `None` if the language
    /// has no such command, or if a tool is missing.
    pub(crate) fn identity(&self, language: &Language) -> Option<Vec<OsString>> {
        let mut words = self.command_in(language, Path::new("/"))?;
        words.push(self.source.1.into());
        Some(words)
    }

    /// Makes the file in a new folder of `workspace`; `None` if there is too little space, or if the compiler fails.
    pub(crate) fn make(&self, preparer: &Preparer<'_>, workspace: &Path) -> Result<Option<Prepared>, JudgeError> {
        let Some(folder) = new_folder(workspace) else { return Ok(None) };
        let Some(command) = self.command_in(preparer.language, folder.path()) else { return Ok(None) };
        let (name, text) = self.source;
        fs::write(folder.path().join(name), text)
            .map_err(|source| JudgeError::System { doing: "writing a source", source })?;
        let mut settings = preparer.settings();
        settings.limits.compilation_time = self.most_time;
        let compiled = compile::compile(preparer.compiler(command, None, &settings), folder.path())?;
        let is_made = compiled.is_ok() && folder.path().join(BINARY).is_file();
        Ok(is_made.then(|| Prepared::new(folder, self.kind)))
    }
}
