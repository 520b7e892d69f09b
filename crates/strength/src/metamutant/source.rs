//! What metamutants of all languages have in common.

use std::ops::Range;

use super::{cpp, rust};
use crate::mutate::Mutation;
use referee_grammar::Grammar;
use referee_judge::{Digest, Intermediate};

/// The beginning of the names of copies. The number of the copy follows.
pub(super) const COPY: &str = "referee_copy_";

/// The number of digits in the name of a copy.
pub(super) const DIGITS: usize = 5;

/// Returns the name of a copy.
pub(super) fn copy_name(copy: usize) -> String {
    format!("{COPY}{copy:0DIGITS$}")
}

/// A program that metamutants can contain.
pub(super) trait Source: Send + Sync {
    /// Returns the length of the copy with this mutation, in bytes; `None` if a mutant with this mutation cannot be a
    /// copy.
    fn bytes_of_copy(&self, mutation: &Mutation) -> Option<usize>;

    /// The maximum length of all copies in a metamutant, in bytes.
    fn most_bytes(&self) -> usize;

    /// Writes the metamutant with one copy for each of these mutations, for which [`Source::bytes_of_copy`] is known.
    /// They are copies 1, 2 and so on.
    fn write(&self, mutations: &[&Mutation]) -> Written;

    /// Returns the code of the copy with each of these mutations; `None` where it is not known. `written` is the
    /// metamutant, and `made` is what the compiler made from it. Returns `None` if the metamutant cannot be used.
    fn codes(&self, written: &Written, made: &Intermediate, mutations: &[&Mutation]) -> Option<Vec<Option<Code>>>;

    /// Whether a mutant may need more time or memory in a metamutant than alone.
    fn is_slower(&self) -> bool;
}

/// The sources of a metamutant.
pub(super) struct Written {
    /// The files, with their names. The first file contains the copies.
    pub(super) files: Vec<(&'static str, String)>,
    /// The lines of each copy in the first file, counted from 1. Copies of the unchanged program are copy 0, and may be
    /// at the end.
    pub(super) lines: Vec<Range<usize>>,
}

/// The code of a mutant in a metamutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// It is the code of the unchanged program.
    OfTheProgram,
    /// It is other code, with this digest.
    Other(Digest),
}

impl Code {
    /// Returns the code with this digest, where that of the unchanged program has the digest `original`.
    pub(super) fn of(digest: Digest, original: Digest) -> Code {
        if digest == original { Code::OfTheProgram } else { Code::Other(digest) }
    }
}

/// Reads the program. Returns `None` if metamutants cannot be written for its language or source.
pub(super) fn read(grammar: Grammar, text: &str) -> Option<Box<dyn Source>> {
    if text.contains(COPY) {
        return None;
    }
    match grammar {
        Grammar::Cpp => Some(Box::new(cpp::CppSource::of(text)?)),
        Grammar::Rust => Some(Box::new(rust::RustSource::of(text)?)),
        Grammar::C | Grammar::Java | Grammar::Python => None,
    }
}

/// Returns the words of the text that can be names, with their positions.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = text.split(|letter| !is_of_name(letter));
    parts.filter(|word| !word.is_empty()).map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
