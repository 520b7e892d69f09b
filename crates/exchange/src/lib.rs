//! Converts problem packages: from Codeforces' Polygon into the package format ([`polygon`]), and from the package
//! format into an archive for Kattis' problemtools or DOMjudge ([`export`]).
//!
//! Both directions work in three steps. They build a tree of [`files`] in memory, in which a copied file is only a
//! path. They write the tree to disk. Then they read the result like any package and compare it with its source.
//! [`Notes`] collects the parts of a package that the target format cannot express, so that the user learns about them.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod export;
mod files;
pub mod polygon;
mod quoted;
mod wrapper;

use std::borrow::Cow;
use std::path::Path;

use referee_judge::JudgeError;
use referee_sandbox::interrupt;
use referee_text::printable::printable;

pub use files::{Existing, Files};

/// Messages about a converted package, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// What the converter decided where several results were possible, and what the user should check or add.
    pub remarks: Vec<String>,
    /// Parts of the package that were not converted.
    pub lost: Vec<String>,
}

/// The largest number of messages of each kind.
const MOST_NOTES: usize = 200;

impl Notes {
    /// Adds a message about a decision.
    pub fn remark(&mut self, text: impl AsRef<str>) {
        add(&mut self.remarks, text.as_ref());
    }

    /// Adds a message about a part of the package that was not converted.
    pub fn lose(&mut self, text: impl AsRef<str>) {
        add(&mut self.lost, text.as_ref());
    }
}

fn add(list: &mut Vec<String>, text: &str) {
    // The author of a package chooses the names in it, and a malicious package can have any number of names of any
    // length. So the number and the length of messages are limited.
    match list.len() {
        MOST_NOTES => list.push(format!("only the first {MOST_NOTES} messages are listed")),
        length if length < MOST_NOTES => list.push(printable(short(text).as_bytes()).replace('\n', "\u{240a}")),
        _ => {}
    }
}

/// The number of examples that a message about many files or groups names.
const EXAMPLES: usize = 3;

/// Returns the number of `names` with the first three of them: "5 files (a, b, c and 2 more)", "1 file (a)".
fn counted_with_examples(names: &[String], noun: &str) -> String {
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("{} {noun}{plural} ({})", names.len(), referee_text::list::first_names(names, EXAMPLES))
}

/// The largest length of a message, in characters; the rest is cut off. A message can quote attributes of an XML file,
/// and these can have any length.
const LONGEST_MESSAGE: usize = 600;

/// Returns the text, cut if it is too long for a message.
fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The reason why nothing was converted.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The package cannot be used, or the target format cannot express it.
    #[error("{reason}")]
    Unusable {
        /// The problem and its location.
        reason: String,
        /// A hint for the user; `None` if the caller's general hint applies.
        remedy: Option<&'static str>,
    },
    /// The written package differs from its source when it is read back. This is a bug of the judge.
    #[error("the written package differs from its source when it is read back:\n{0}")]
    Differs(String),
    /// The judge itself failed.
    #[error("{0}")]
    Failed(String),
    /// The user interrupted the judge.
    #[error("interrupted")]
    Interrupted,
}

impl ExchangeError {
    fn unusable(reason: impl Into<String>) -> Self {
        ExchangeError::Unusable { reason: reason.into(), remedy: None }
    }

    /// Adds a hint for the user to the error.
    fn with_remedy(self, remedy: &'static str) -> Self {
        match self {
            ExchangeError::Unusable { reason, .. } => ExchangeError::Unusable { reason, remedy: Some(remedy) },
            other => other,
        }
    }
}

impl From<JudgeError> for ExchangeError {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Interrupted => ExchangeError::Interrupted,
            JudgeError::Package(reason) => ExchangeError::unusable(reason),
            JudgeError::System { .. } => ExchangeError::Failed(error.to_string()),
        }
    }
}

/// Fails if the user has interrupted the judge. Functions call it before long steps, and before a result gets its final
/// name.
fn stop_if_interrupted() -> Result<(), ExchangeError> {
    if interrupt::happened() { Err(ExchangeError::Interrupted) } else { Ok(()) }
}

/// Returns an error about a file.
fn file_error(path: &Path, reason: impl std::fmt::Display) -> ExchangeError {
    ExchangeError::unusable(format!("{}: {reason}", printable(path.as_os_str().as_encoded_bytes())))
}

#[cfg(test)]
referee_sandbox::init_before_main!(referee_judge::SANDBOX);
