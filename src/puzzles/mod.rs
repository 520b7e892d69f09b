//! Connects the puzzles of [`mod@reference`] with the judge, which knows none of them.
//!
//! [`bundled`] holds their packages. [`answer_key`] finds the puzzle of a package and the right answers on its inputs.
//! [`crosscheck`] holds solvers against each other, [`proof`] proves the answers of a package, and [`pictures`] draws
//! boards for reports.

pub mod answer_key;
pub mod bundled;
pub mod crosscheck;
pub mod pictures;
pub mod proof;
