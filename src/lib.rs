//! The library behind the `referee` command.
//!
//! # How a submission is judged
//!
//! [`cli`] reads the command line and opens the problem package: [`referee_package`] reads it from disk,
//! [`puzzles::bundled`] holds the packages that ship with the binary. [`referee_judge`] detects the submission's
//! language and compiles it ([`referee_language`]). It runs the program on each test case in the sandbox
//! ([`referee_sandbox`]), and compares its output ([`referee_compare`], or the package's own output validator). The
//! result is a verdict; verdicts and scores of test cases add up by groups where the package asks for it
//! ([`referee_grading`]). Everything that happens is an event ([`referee_event`]), and reports turn events into what
//! people and programs read ([`referee_report`]).
//!
//! The other commands use the judge in their own way:
//!
//! - [`referee_generators`] makes a package's test cases by its `generators.yaml`.
//! - [`referee_verify`] checks a package: its format, its validators, its submissions and its time limit.
//! - [`referee_hunt`] searches an input on which a program fails, and makes it small.
//! - [`referee_strength`] changes the package's own programs and reports which changes its test cases do not notice.
//! - [`referee_exchange`] imports and exports packages of other judges.
//! - [`doctor`] reports what the sandbox enforces on this machine, and which languages are installed.
//! - [`puzzles`] connects the four puzzles of [`mod@reference`] with the judge, which knows no puzzle.
//!
//! # Dependencies
//!
//! The crates form layers, and the compiler keeps them: a crate uses only crates below it. docs/architecture.md lists
//! the dependencies of each crate, and a test compares that list with Cargo's. Nothing below the judge depends on it.
//! Crates that need a puzzle ask through a trait that this crate implements: hunts and measurements of test data ask
//! for the answer key, the checks of `verify` for proofs, reports for pictures of boards.
//!
//! # What is deliberately absent
//!
//! No crate but `reference` and this one names a puzzle. The sandbox knows no verdict. Only reports and [`cli`] write
//! to the terminal. Only the judge decides a verdict. Only the sandbox has unsafe code. There is no async runtime,
//! because judging blocks and needs exact core slots.
//!
//! # Invariants
//!
//! The same seed, version and package give the same bytes and verdicts, for any number of jobs. Memory does not grow
//! with a program's output. Every wait has a limit. A submission can never cause a judge error.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod cli;
pub mod doctor;
pub mod puzzles;
