//! From the verdicts and scores of cases to those of groups, and of the submission. Pure.
//!
//! A [`Tree`] says how test data is grouped and how each group's results become one: by a grader, as packages before
//! 2025 have it ([`grader`]), or by the rules of format 2025-09 ([`dated`]). [`case`] gives a case its score, of what
//! its validator wrote. A [`Course`] takes the results in the order of the cases, says which cases can still matter,
//! and in the end what everything came to. [`Wanted`] holds that to what the package declares.
//!
//! Nothing here runs a program: where a group has a grader of the package's own, the caller of [`Course`] runs it.

mod case;
mod dated;
mod grader;
mod group_scorer;
mod number;
mod tree;
mod wanted;

pub use case::{CaseRule, Given, Kinds, Written};
pub use dated::{Aggregation, Dated};
pub use grader::{Flags, ScoreMode, UnknownFlag, VerdictMode, write_results};
pub use group_scorer::{Course, Ended, GroupResult, Outcome, Reached, SubResult};
pub use number::Score;
pub use tree::{Child, Grading, Group, Legacy, Objective, Range, Tree, Way};
pub use wanted::{Goal, Wanted};

#[cfg(test)]
mod tests;
