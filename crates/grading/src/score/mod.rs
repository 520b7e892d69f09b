//! Computes the verdicts and scores of groups and submissions from those of test cases.
//!
//! A [`Tree`] describes the groups of the test data, and how the results of each group are combined: by a grader in the
//! legacy format ([`grader`]), by the rules of format 2025-09 ([`dated`]), or as on DOMjudge ([`domjudge`]). [`case`]
//! computes the score of a test case from its validator's files. A [`GroupScorer`] takes the results in the order of
//! the cases. It says which cases can still affect the result, and returns the outcome at the end. [`ExpectedScore`]
//! compares that outcome with the scores that the package declares.
//!
//! This module runs no program. If a group uses the package's own grader, the caller of [`GroupScorer`] runs it.

mod case;
mod dated;
mod domjudge;
mod expected_score;
mod grader;
mod group_scorer;
mod number;
mod range;
mod tree;

pub use case::{CaseRule, Given, ScoreFileKinds, Written};
pub use dated::{Aggregation, Dated};
pub use domjudge::Domjudge;
pub use expected_score::{ExpectedScore, Goal};
pub use grader::{Flags, ScoreMode, UnknownFlag, VerdictMode, write_results};
pub use group_scorer::{GraderResult, GroupResult, GroupScorer, Outcome, Relevance, SubResult};
pub use number::Score;
pub use range::Range;
pub use tree::{Child, Grading, Legacy, Objective, TestGroup, Tree, Way};

#[cfg(test)]
mod tests;
