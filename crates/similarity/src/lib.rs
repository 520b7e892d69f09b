//! Finds pairs of programs that share much of their code, also after renaming, reformatting, reordering and added dead
//! code. It says how similar two programs are. It cannot say why.
//!
//! # Theory of operation
//!
//! [`tokens`] turns a program into a list of tokens without names, literals, comments and layout. Programs in C, C++,
//! Java, Python and Rust are parsed by the grammars of tree-sitter. Other languages have a plain lexer.
//!
//! [`grams`] computes a hash of every [`GRAM`] consecutive tokens and selects some of the hashes as *fingerprints* of
//! the program, by winnowing: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
//! Fingerprinting", SIGMOD 2003, the method of MOSS. Winnowing guarantees that two programs have a common fingerprint
//! if they share [`GUARANTEE`] consecutive tokens. Programs with less than [`GRAM`] tokens in a row in common have
//! none.
//!
//! Fingerprints are a set: their order does not matter, so that reordering functions or statements changes only the
//! few fingerprints at the seams. Fingerprints of the template that all programs started from do not count. A
//! fingerprint counts the less, the more programs have it, and not at all if a large part of them has it ([`weights`]).
//!
//! [`ranking`] finds the pairs through an inverted index, which lists the programs of each fingerprint. So the work
//! depends on how much the programs have in common, not on the number of pairs. Only programs of the same language
//! family are compared. [`regions`] finds the places that two programs have in common, only for the pairs that are
//! reported.
//!
//! # Bounds
//!
//! Sources are untrusted. Nothing here recurses, waits or reads the clock. Of each program, at most [`MOST_BYTES`] bytes
//! and [`MOST_TOKENS`] tokens are compared, and the result names the programs that were cut. Programs that would keep
//! their parser busy are not compared. Binary files are left out.
//!
//! # Deliberately absent
//!
//! No data flow and no semantics: a `for` loop that becomes a `while` loop is different code, and so is a translation
//! into another language. No search on the web. No verdict: two students with the same teacher write similar programs.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod comparison;
mod family;
mod grams;
mod ranking;
mod regions;
#[cfg(test)]
mod tests;
mod tokens;
mod weights;

pub use comparison::{Comparison, Program, SourceFile, Unfit};
pub use grams::{GRAM, GUARANTEE};
pub use ranking::{Pair, Similar};
pub use regions::{Place, Region};

/// The maximum number of bytes of a program that are compared.
pub const MOST_BYTES: usize = 128 << 10;

/// The maximum number of tokens of a program that are compared. Ordinary programs have about eight tokens per line.
pub const MOST_TOKENS: usize = 30_000;

/// The smallest similarity that is worth a look, from 0 to 1. In generated classes of 100 solutions of one problem, the
/// most similar independent pairs have up to 0.65, and planted copies at least 0.74.
pub const THRESHOLD: f64 = 0.7;
