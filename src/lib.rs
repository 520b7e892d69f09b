//! The library behind the `referee` command.
//!
//! # How a submission is judged
//!
//! [`cli`] reads the command line and opens the problem package: [`referee_package`] reads the package from disk, and
//! [`puzzles::bundled`] contains the packages that ship with the binary. [`referee_judge`] detects the submission's
//! language and compiles the submission ([`referee_language`]). Then it runs the program on each test case in the
//! sandbox ([`referee_sandbox`]), and compares the output ([`referee_compare`], or the package's own output validator).
//! The result is a verdict. [`referee_grading`] combines verdicts and scores of test cases by groups, if the package
//! defines any. Every step is an event ([`referee_event`]), and reports present events to people and programs
//! ([`referee_report`]).
//!
//! The other commands use the judge in their own way:
//!
//! - [`referee_generators`] generates a package's test cases from its `generators.yaml`.
//! - [`referee_verify`] checks a package: its format, its validators, its submissions and its time limit.
//! - [`referee_hunt`] searches for an input on which a program fails, and shrinks it.
//! - [`referee_strength`] mutates the package's own programs and reports the mutants that its test cases do not detect.
//! - [`referee_exchange`] imports and exports packages of other judges.
//! - [`referee_judgehost`] judges the submissions of a DOMjudge server.
//! - [`doctor`] reports what the sandbox enforces on this machine, and which languages are installed.
//! - [`puzzles`] connects the four puzzles of [`mod@reference`] with the judge, whose code is independent of puzzles.
//!
//! # Dependencies
//!
//! The crates form layers, and the compiler checks that a crate uses only crates below it. docs/architecture.md lists
//! the dependencies of each crate, and a test compares that list with Cargo's. Crates that need a puzzle define a
//! trait, and this crate implements the trait: `hunt` and `strength` get the answer key this way, `verify` gets proofs,
//! and reports get pictures of boards.
//!
//! # What the code does not contain
//!
//! Only `reference` and this crate name puzzles. The sandbox does not know verdicts. Only reports and [`cli`] write to
//! the terminal. Only the judge decides a verdict. Only the sandbox has unsafe code. Only `judgehost` and
//! `shared-cache` open network connections. There is no async runtime, because judging blocks, and no two running
//! programs may share a core.
//!
//! # Invariants
//!
//! The same seed, version and package give the same bytes and verdicts, for any number of jobs. Memory does not grow
//! with a program's output. Every wait for a program has a time limit. A submission can never cause a judge error.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod cli;
pub mod doctor;
pub mod puzzles;

#[cfg(test)]
referee_sandbox::init_before_main!(referee_judge::SANDBOX);
