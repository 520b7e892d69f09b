//! Four board puzzles whose correct answers are known because independent solvers agree on them.
//!
//! [`puzzle`] defines what a puzzle is: reading, printing, checking, generating, shrinking and solving, in two
//! object-safe traits. Every puzzle has a module of its own. Its solvers share the board type and the parser and
//! nothing else, because agreement between copies of one move generator would prove nothing.
//!
//! This crate uses no process, no file name, no clock and no global random state. It reads from any
//! [`std::io::BufRead`], takes random numbers from a [`Random`](referee_random::Random) that the caller passes, and
//! returns values.
#![forbid(unsafe_code)]

pub mod coins;
pub mod disagreement;
pub mod flipgame;
pub mod puzzle;
pub mod registry;
pub mod solitaire;
pub mod swapgame;
pub mod text;
