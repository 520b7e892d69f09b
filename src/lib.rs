//! The library behind the `referee` command.
pub mod compare;
pub mod sandbox;
pub mod verdict;
