//! What is wrong with a package, each thing with its place.

use std::fmt;
use std::path::{Path, PathBuf};

use referee_text::printable::printable;

/// So many findings are told.
const MOST: usize = 1000;
const LAST: usize = MOST - 1;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The package cannot be judged.
    Error,
    /// It can, but it breaks a rule of its format, and other judges may refuse it.
    Breach,
    /// It keeps the rules, but somebody should look.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The file or folder.
    pub path: PathBuf,
    /// Line and column, each from 1, where there are any.
    pub place: Option<(u64, u64)>,
    /// What was found and what is allowed.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name is its author's choice, too: a line feed in it would begin another finding.
        write!(f, "{}", printable(self.path.as_os_str().as_encoded_bytes()).replace('\n', "\u{240a}"))?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is wrong with a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Findings(pub Vec<Finding>);

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{finding}")?;
        }
        Ok(())
    }
}

impl Findings {
    /// Adds an error about a file of the package.
    pub fn error(&mut self, path: &Path, message: impl Into<String>) {
        self.add(Severity::Error, path, None, message.into());
    }

    pub(crate) fn error_at(&mut self, path: &Path, place: Option<(u64, u64)>, message: impl Into<String>) {
        self.add(Severity::Error, path, place, message.into());
    }

    pub(super) fn breach(&mut self, path: &Path, message: impl Into<String>) {
        self.add(Severity::Breach, path, None, message.into());
    }

    pub(super) fn breach_at(&mut self, path: &Path, place: Option<(u64, u64)>, message: impl Into<String>) {
        self.add(Severity::Breach, path, place, message.into());
    }

    pub(crate) fn warning(&mut self, path: &Path, message: impl Into<String>) {
        self.add(Severity::Warning, path, None, message.into());
    }

    /// Whether an error was found in this file or folder.
    pub(super) fn has_error_at(&self, path: &Path) -> bool {
        self.0.iter().any(|finding| finding.severity == Severity::Error && finding.path == path)
    }

    /// Tells every place below the folder `absolute` as the user named that folder.
    #[must_use]
    pub fn named(mut self, absolute: &Path, given: &Path) -> Findings {
        for finding in &mut self.0 {
            if let Ok(below) = finding.path.strip_prefix(absolute) {
                finding.path = if below.as_os_str().is_empty() { given.to_path_buf() } else { given.join(below) };
            }
        }
        self
    }

    /// What does not hinder judging, if nothing worse was found.
    pub fn into_remarks(mut self) -> Result<Vec<Finding>, Findings> {
        if !self.0.iter().any(|finding| finding.severity == Severity::Error) {
            return Ok(self.0);
        }
        // What makes it unusable comes first.
        self.0.sort_by_key(|finding| finding.severity);
        Err(self)
    }

    /// Adds a finding; `place` is the line and the column, each from 1, and `None` if it is about the whole file.
    pub fn add(&mut self, severity: Severity, path: &Path, place: Option<(u64, u64)>, message: String) {
        match self.0.len() {
            // Nobody reads more, and a hostile package has any number.
            MOST.. => {}
            LAST => self.0.push(Finding {
                message: "and more is wrong than is told".to_owned(),
                place: None,
                severity,
                path: path.to_path_buf(),
            }),
            _ => self.0.push(Finding { severity, path: path.to_path_buf(), place, message }),
        }
    }
}
