//! A YAML file that is read, and the list that receives its findings.

use std::fmt::Display;
use std::path::Path;

use super::{Node, Position};
use crate::findings::{Findings, Severity};

/// The file that is read, and the list that collects its findings.
pub struct Source<'a> {
    pub(crate) path: &'a Path,
    pub(crate) findings: &'a mut Findings,
    /// The severity of a violation of the format.
    pub(super) gravity: Severity,
}

impl<'a> Source<'a> {
    /// Creates a source for the file `path`. Its errors are added to `findings`.
    pub fn new(path: &'a Path, findings: &'a mut Findings) -> Self {
        Source { path, findings, gravity: Severity::Error }
    }

    /// Creates a source for keys that describe the problem and do not change how it is judged. A mistake in them breaks
    /// a rule of the format, but does not make the package unusable.
    pub(crate) fn about(path: &'a Path, findings: &'a mut Findings) -> Self {
        Source { path, findings, gravity: Severity::Breach }
    }

    /// Returns a source of the same file for the value of a key that grading ignores. A mistake in it breaks a rule of
    /// the format, but does not make the package unusable.
    pub(crate) fn unused(&mut self) -> Source<'_> {
        let gravity = self.gravity.max(Severity::Breach);
        Source { path: self.path, findings: &mut *self.findings, gravity }
    }

    /// Reports a violation at `place`, with the severity of this source.
    pub fn error(&mut self, place: Position, message: impl Into<String>) {
        self.findings.add(self.gravity, self.path, Some(place), message.into());
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

    /// Reports `found ..., allowed: ...`.
    pub fn not_allowed(&mut self, node: &Node, allowed: impl Display) {
        self.error(node.place, format!("found {}, allowed: {allowed}", node.quoted()));
    }

    /// Splits the flags of the legacy formats into arguments. The format does not define how. problemtools splits at
    /// blanks only, while packages of DOMjudge quote as in a shell. Both treat flags without quotes and backslashes
    /// alike.
    pub(crate) fn flags(&mut self, place: Position, text: &str) -> Vec<String> {
        let words = referee_text::words::split(text).unwrap_or_else(|reason| {
            self.error(
                place,
                format!("flags are separated by blanks; quote a flag with blanks as in a shell; {reason}"),
            );
            Vec::new()
        });
        if !words.iter().map(String::as_str).eq(text.split_ascii_whitespace()) {
            self.warning(place, "flags with quotes or backslashes: problemtools does not interpret them");
        }
        words
    }
}
