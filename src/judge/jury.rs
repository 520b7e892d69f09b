//! Programs of a jury that are built and run by themselves, outside any grading: generators of inputs, the solution that
//! makes answers. They go the way of every other program: the same table of languages, the same compiler, the same walls.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::build::{self, Built, Role, Source};
use super::classify::{ending_words, limit_words};
use super::folder::Folder;
use super::ready::{Ready, Site};
use super::{JudgeError, Settings};
use crate::printable::printable;
use crate::sandbox::{Captured, Ended, Input, Limits, Run, SandboxError};

/// Where programs of one jury are built.
pub struct Workshop<'a> {
    workspace: Folder,
    /// The folder that all of them lie in.
    root: &'a Path,
    settings: &'a Settings,
}

/// A program that is built.
pub struct JuryProgram {
    ready: Ready,
    limits: Limits,
}

/// What is kept of a program's own words when it fails, in bytes.
const SAID_BYTES: usize = 500;

impl<'a> Workshop<'a> {
    /// A new one for the programs below `root`.
    pub fn new(root: &'a Path, settings: &'a Settings) -> Result<Self, JudgeError> {
        let made = super::workspace();
        let workspace = made.map_err(|source| JudgeError::System { doing: "making a temporary folder", source })?;
        Ok(Workshop { workspace, root, settings })
    }

    /// Builds the program at `path`, with the files `added` beside its own. The inner error is the package's or the
    /// machine's: the compiler's words, or what is missing.
    pub fn build(&self, path: &Path, added: &[PathBuf]) -> Result<Result<JuryProgram, String>, JudgeError> {
        let source = Source {
            path,
            language: None,
            entry_point: None,
            code_bytes: None,
            role: Role::Jury,
            package: Some(self.root),
            constants: None,
            added,
            includes: None,
        };
        let site = Site { workspace: self.workspace.path(), package: self.root, elsewhere: &[] };
        let limits = &self.settings.limits;
        let limits = Limits {
            cpu: limits.validation_time,
            wall: limits.validation_time * 2 + Duration::from_secs(1),
            memory_bytes: limits.validation_memory_bytes,
            output_bytes: limits.validation_output_bytes,
        };
        match build::build(&source, self.settings, site)?.result {
            Built::Ready(ready) => Ok(Ok(JuryProgram { ready, limits })),
            Built::Failed(message) | Built::Skipped(message) => Ok(Err(message)),
            Built::Broken(message) => Err(JudgeError::System {
                doing: "building a program of the jury",
                source: std::io::Error::other(message),
            }),
        }
    }
}

impl JuryProgram {
    /// Runs it and returns what it wrote to its standard output. The inner error is the program's own failure.
    pub fn run(&self, arguments: &[String], input: Option<&Path>) -> Result<Result<Captured, String>, JudgeError> {
        let run = Run {
            arguments: arguments.iter().map(OsString::from).collect(),
            input: input.map_or(Input::Empty, Input::File),
            limits: self.limits,
        };
        let outcome = match self.ready.run(&run) {
            Ok(outcome) => outcome,
            Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
            Err(error) => return Ok(Err(error.to_string())),
        };
        if let Some(limit) = outcome.crossed {
            return Ok(Err(format!("it used {}", limit_words(limit))));
        }
        if outcome.ended == Ended::Exited(0) {
            return Ok(Ok(outcome.stdout));
        }
        let said = printable(&outcome.stderr[..outcome.stderr.len().min(SAID_BYTES)]);
        let said = if said.trim().is_empty() { String::new() } else { format!(" and said: {}", said.trim()) };
        Ok(Err(format!("it ended with {}{said}", ending_words(outcome.ended))))
    }
}
