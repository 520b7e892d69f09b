//! Problems found in a package, each with its file, line and column.

use std::fmt;
use std::path::{Path, PathBuf};

use referee_text::printable::printable;

/// The largest number of findings of each severity that are reported.
pub(crate) const MOST: usize = 1000;

/// The severity of a problem in a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The package cannot be judged.
    Error,
    /// The package can be judged, but it breaks a rule of its format and other judges may refuse it.
    Breach,
    /// The package follows the rules, but it may contain a mistake.
    Warning,
}

impl Severity {
    fn plural(self) -> &'static str {
        match self {
            Severity::Error => "errors",
            Severity::Breach => "broken rules",
            Severity::Warning => "warnings",
        }
    }
}

/// A problem found in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The severity of the problem.
    pub severity: Severity,
    /// The file or folder.
    pub path: PathBuf,
    /// Line and column, both counted from 1; `None` if the finding is about the whole file or folder.
    pub place: Option<(u64, u64)>,
    /// The problem, and what is allowed.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The author of a package chooses the file names. After a line feed, the rest of a name could look like another
        // finding, so line feeds are replaced.
        write!(f, "{}", printable(self.path.as_os_str().as_encoded_bytes()).replace('\n', "\u{240a}"))?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The problems found in a package, or some of them. [`Findings::add`] limits their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Findings {
    /// The findings in the order in which they were found.
    pub list: Vec<Finding>,
    /// How many findings of each severity were added, in the order of [`Severity`].
    added: [usize; 3],
}

impl From<Vec<Finding>> for Findings {
    fn from(list: Vec<Finding>) -> Findings {
        let mut added = [0; 3];
        for finding in &list {
            added[finding.severity as usize] += 1;
        }
        Findings { list, added }
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.list.iter().enumerate() {
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

    /// Returns whether there is an error about exactly this file or folder.
    pub(super) fn has_error_at(&self, path: &Path) -> bool {
        self.list.iter().any(|finding| finding.severity == Severity::Error && finding.path == path)
    }

    /// Replaces the folder `absolute` in all paths with `given`, the path as the user wrote it.
    #[must_use]
    pub fn relocated(mut self, absolute: &Path, given: &Path) -> Findings {
        for finding in &mut self.list {
            if let Ok(below) = finding.path.strip_prefix(absolute) {
                finding.path = if below.as_os_str().is_empty() { given.to_path_buf() } else { given.join(below) };
            }
        }
        self
    }

    /// Returns the findings if none of them is an error. Fails with all findings otherwise.
    pub fn into_remarks(mut self) -> Result<Vec<Finding>, Findings> {
        if !self.list.iter().any(|finding| finding.severity == Severity::Error) {
            return Ok(self.list);
        }
        // Errors come first, because they make the package unusable.
        self.list.sort_by_key(|finding| finding.severity);
        Err(self)
    }

    /// Adds a finding. In place of finding 1000 of a severity, adds a note that only the first 999 are listed; ignores
    /// all later findings of this severity. `place` is the line and the column, each from 1; `None` if the finding is
    /// about the whole file.
    pub fn add(&mut self, severity: Severity, path: &Path, place: Option<(u64, u64)>, message: String) {
        // A malicious package can cause any number of findings, so their number is limited. Each severity has a limit of
        // its own: otherwise many warnings could hide an error, and a package that cannot be used would be judged.
        let added = &mut self.added[severity as usize];
        *added += 1;
        match *added {
            ..MOST => self.list.push(Finding { severity, path: path.to_path_buf(), place, message }),
            MOST => self.list.push(Finding {
                message: format!("only the first {} {} are listed", MOST - 1, severity.plural()),
                place: None,
                severity,
                path: path.to_path_buf(),
            }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_without_end_are_cut_off_and_hide_no_error() {
        let mut findings = Findings::default();
        for _ in 0..2 * MOST {
            findings.warning(Path::new("file"), "a warning");
            findings.breach(Path::new("file"), "a breach");
        }
        assert_eq!(findings.list.len(), 2 * MOST);
        let shown = findings.to_string();
        assert!(shown.contains("file: only the first 999 warnings are listed"));
        assert!(shown.contains("file: only the first 999 broken rules are listed"));
        findings.error(Path::new("late"), "an error");
        let refused = findings.into_remarks().unwrap_err();
        assert_eq!(refused.list[0].to_string(), "late: an error");
    }
}
