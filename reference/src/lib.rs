//! Four board puzzles whose right answers are known because independent solvers agree on them.
//!
//! What a puzzle *is* stands in [`puzzle`]: reading, printing, checking, generating, shrinking and solving, behind
//! two object-safe traits. Every puzzle has a module of its own; its solvers share the board type and the parser and
//! nothing else, because agreement between copies of one move generator would prove nothing.
//!
//! This crate knows no process, no file name, no clock and no global random state: it reads from any
//! [`std::io::BufRead`], draws from a [`random::Random`] it is handed, and returns values.
#![forbid(unsafe_code)]

pub mod agreement;
pub mod coins;
pub mod flipgame;
pub mod picture;
pub mod puzzle;
pub mod random;
pub mod solitaire;
pub mod swapgame;
pub mod text;
