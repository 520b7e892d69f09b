//! Connects the puzzles of [`mod@reference`] with the judge, whose code is independent of puzzles.
//!
//! [`bundled`] contains the puzzles' packages, and [`unpacked`] writes them into folders. [`agreed_answers`] finds the puzzle of a package and the correct answers
//! to its inputs. [`crosscheck`] compares solvers with each other, [`proof`] proves the answers of a package, and
//! [`pictures`] draws boards for reports.

pub mod agreed_answers;
pub mod bundled;
pub mod crosscheck;
pub mod pictures;
pub mod proof;
pub mod unpacked;
