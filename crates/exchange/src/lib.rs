//! Problem packages of others: what Codeforces' Polygon keeps becomes a package ([`polygon`]), and a package becomes an
//! archive that Kattis' problemtools and DOMjudge read ([`export`]).
//!
//! Both ways first make a tree of [`files`] in memory, in which large files are only named, then write all of it, and
//! then read it back as any package is read, and hold it against where it came from. What the other side has no words
//! for is collected in [`Notes`]: nothing is lost without being told.

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

/// What is to be told about a package that was carried over, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// What was decided where there was a choice.
    pub remarks: Vec<String>,
    /// What was not carried over.
    pub lost: Vec<String>,
}

/// So many things of each kind are told.
const MOST_NOTES: usize = 200;

impl Notes {
    /// Tells of a choice.
    pub fn remark(&mut self, text: impl AsRef<str>) {
        add(&mut self.remarks, text.as_ref());
    }

    /// Tells of something that was not carried over.
    pub fn lose(&mut self, text: impl AsRef<str>) {
        add(&mut self.lost, text.as_ref());
    }
}

fn add(list: &mut Vec<String>, text: &str) {
    // Names are their author's choice, and a hostile package has any number of them.
    match list.len() {
        MOST_NOTES => list.push("and more than is told".to_owned()),
        length if length < MOST_NOTES => list.push(printable(short(text).as_bytes()).replace('\n', "\u{240a}")),
        _ => {}
    }
}

/// No message is longer, in characters. Attributes of an XML file have any length.
const LONGEST_MESSAGE: usize = 600;

/// The beginning of a long text, or all of it.
fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Why nothing was carried over.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The package cannot be used, or cannot be said in the other format.
    #[error("{reason}")]
    Unusable {
        /// What is wrong, and where.
        reason: String,
        /// What to do about it, where that is known better than by what was asked for.
        remedy: Option<&'static str>,
    },
    /// What was written does not read back as what it was made of: a fault of ours.
    #[error("what was written does not read back as it should:\n{0}")]
    Differs(String),
    /// The judge failed.
    #[error("{0}")]
    Failed(String),
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}

impl ExchangeError {
    fn unusable(reason: impl Into<String>) -> Self {
        ExchangeError::Unusable { reason: reason.into(), remedy: None }
    }

    /// The same, with what to do about it.
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

/// Nothing that takes long, and nothing that gets its name, is done for somebody who does not want it any more.
fn stop_if_interrupted() -> Result<(), ExchangeError> {
    if interrupt::happened() { Err(ExchangeError::Interrupted) } else { Ok(()) }
}

/// Trouble with a file, which is named.
fn trouble(path: &Path, reason: impl std::fmt::Display) -> ExchangeError {
    ExchangeError::unusable(format!("{}: {reason}", printable(path.as_os_str().as_encoded_bytes())))
}
