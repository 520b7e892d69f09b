//! The library behind the `referee` command.
//!
//! # The way of a submission
//!
//! [`cli`] reads the command line and opens the package ([`package`], or [`bundled`] for those that ship with the
//! binary). [`judge`] detects the submission's language and compiles it ([`language`]), runs it on each test case in
//! the [`sandbox`], compares its output ([`compare`], or the package's own output validator) and says its
//! [`verdict`]. Where the package says so, verdicts and [`score`]s of test cases add up by groups. Everything that
//! happens is an [`event`]; [`report`] turns events into what people and programs read.
//!
//! Packages of others come in and go out through [`exchange`], which makes files and has [`package`] read them back.
//!
//! [`generators`] makes a package's test cases by the rules of its `generators.yaml`, with the judge's means of
//! building and running programs.
//!
//! [`verify`] looks at the package itself: it asks the judge's validators about inputs and outputs that no submission
//! wrote, and holds the submissions' results to what is declared of them.
//!
//! [`hunt`] looks for an input on which a program fails, and makes it small; the judge says of each whether it fails.
//!
//! [`strength`] changes the package's own programs as people make mistakes, and tells which changes its data does not
//! notice; those it hunts.
//!
//! # The arrows
//!
//! cli → everything; report → event, score, verdict, and [`reference`]'s pictures, which are data; judge → sandbox,
//! compare, package, language, score, verdict, event; verify → judge, package, verdict, event; generators → judge,
//! package, sandbox, event; hunt → judge, generators, package, verdict, event; strength → hunt, judge, language,
//! package, score, verdict, event; exchange → package, judge, sandbox, score, verdict; event → score, verdict;
//! package → score, verdict; score → verdict; doctor → judge, sandbox, language, event; all of them may make text
//! [`printable`], split it into `words` and name `temporary` folders. The others know nothing of ours.
//! The crate [`reference`] depends on none of this and the judge does not know the puzzles: they meet only in [`cli`],
//! [`crosscheck`], [`proof`], [`pictures`] and [`answer_key`], through the trait and the registry. [`hunt`] knows the
//! trait alone and asks for puzzles, [`verify`] for proofs and [`report`] for pictures through traits of their own.
//!
//! # What is deliberately absent
//!
//! No puzzle's name outside [`bundled`]'s folder of packages. No verdict in [`sandbox`]. No terminal output outside
//! [`report`] and [`cli`]. No second place that decides a verdict. No unsafe code outside [`sandbox`]. No async
//! run-time: judging blocks, and wants exact core slots.
//!
//! # What always holds
//!
//! The same seed, version and package give the same bytes and verdicts, whatever the number of jobs. Memory does not
//! grow with a program's output. Every wait has a limit. A submission can never cause a judge error.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod answer_key;
pub mod bundled;
pub mod cli;
pub mod crosscheck;
pub mod doctor;
pub mod pictures;
pub mod proof;
pub use referee_compare as compare;
pub use referee_event as event;
pub use referee_exchange as exchange;
#[doc(hidden)]
pub use referee_files::temporary;
pub use referee_generators as generators;
pub use referee_grading::score;
pub use referee_grading::verdict;
pub use referee_hunt as hunt;
pub use referee_judge as judge;
pub use referee_language as language;
pub use referee_package as package;
pub use referee_report as report;
pub use referee_sandbox as sandbox;
pub use referee_strength as strength;
pub use referee_text::printable;
#[doc(hidden)]
pub use referee_text::words;
pub use referee_verify as verify;
