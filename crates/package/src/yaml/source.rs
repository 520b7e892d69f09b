//! The file that is being read and its findings. Every message about a value in the file goes through this module.

use std::fmt::Display;
use std::path::Path;

use super::{Node, Position};
use crate::findings::{Findings, Severity};

/// A YAML file that is being read, and the list that collects its findings.
pub struct Source<'a> {
    pub(crate) path: &'a Path,
    pub(crate) findings: &'a mut Findings,
    /// The severity of a violation of the format.
    pub(super) severity: Severity,
}

impl<'a> Source<'a> {
    /// Creates a source for the file `path`. Its errors are added to `findings`.
    pub fn new(path: &'a Path, findings: &'a mut Findings) -> Self {
        Source { path, findings, severity: Severity::Error }
    }

    /// Creates a source for keys that describe the problem and do not change how it is judged. A mistake in them breaks
    /// a rule of the format, but does not make the package unusable.
    pub(crate) fn about(path: &'a Path, findings: &'a mut Findings) -> Self {
        Source { path, findings, severity: Severity::Breach }
    }

    /// Returns a source of the same file for the value of a key that grading ignores. A mistake in it breaks a rule of
    /// the format, but does not make the package unusable.
    pub(crate) fn unused(&mut self) -> Source<'_> {
        let severity = self.severity.max(Severity::Breach);
        Source { path: self.path, findings: &mut *self.findings, severity }
    }

    /// Reports a violation at `place`, with the severity of this source.
    pub fn error(&mut self, place: Position, message: impl Into<String>) {
        self.findings.add(self.severity, self.path, Some(place), message.into());
    }

    /// Reports a value at `place` that is allowed but may be a mistake.
    pub fn warning(&mut self, place: Position, message: impl Into<String>) {
        self.findings.add(Severity::Warning, self.path, Some(place), message.into());
    }

    /// Reports that the file lacks a key or value. This breaks a rule of the format.
    pub(crate) fn missing(&mut self, message: impl Into<String>) {
        self.findings.breach(self.path, message);
    }

    /// Reports a broken rule at `place` that does not prevent judging.
    pub(crate) fn breach(&mut self, place: Position, message: impl Into<String>) {
        self.findings.breach_at(self.path, Some(place), message);
    }

    /// Reports that the value of `node` is not allowed, and names the `allowed` values.
    pub fn not_allowed(&mut self, node: &Node, allowed: impl Display) {
        self.error(node.place, format!("found {}, allowed: {allowed}", node.quoted()));
    }

    /// Splits the flags of the legacy formats into arguments. The format does not define how to split them. This
    /// function interprets quotes and backslashes as a shell does, because packages of DOMjudge use them. problemtools
    /// splits at blanks only. If splitting at blanks only would give different arguments, this function warns.
    pub(crate) fn flags(&mut self, place: Position, text: &str) -> Vec<String> {
        let words = referee_text::words::split(text).unwrap_or_else(|reason| {
            self.error(
                place,
                format!(
                    "cannot split the flags: {reason}; separate flags by blanks, and quote a flag that contains blanks"
                ),
            );
            Vec::new()
        });
        if !words.iter().map(String::as_str).eq(text.split_ascii_whitespace()) {
            self.warning(
                place,
                "problemtools does not interpret the quotes and backslashes in these flags; avoid them if you can",
            );
        }
        words
    }
}
