//! Measures the time limit with the package's own submissions. See the section "Limits" of package format 2025-09, and
//! the section "limits" of the legacy format.
//!
//! The limit must be above the slowest run of every submission that must stay within it ([`measure`]). If the package
//! states no limit, the judge computes it from the slowest of these runs and caches it for later runs ([`remember`]).
//! The limit must be below the slowest run of each submission that must exceed it ([`upper_bounds`]).

pub(crate) mod measure;
pub(crate) mod remember;
pub(crate) mod upper_bounds;

use std::time::Duration;

use crate::{Submission, wall_limit};
use referee_grading::verdict::TimeBound;

/// Whether a program mostly slept: its CPU time is within the time limit, but its wall time exceeds the wall limit.
/// `cpu` and `wall` are in seconds.
pub fn is_asleep(cpu: f64, wall: Option<f64>, limit: Duration) -> bool {
    cpu <= limit.as_secs_f64() && wall.is_some_and(|wall| wall > wall_limit(limit).as_secs_f64())
}

impl Submission {
    /// Whether the submission's run time on at least one test case is a bound of this type for the time limit.
    pub fn bounds(&self, bound: TimeBound) -> bool {
        self.expectations.iter().flatten().any(|rule| rule.time_bound == Some(bound))
    }

    /// Whether the submission's run time on the test case `case` is a bound of this type for the time limit.
    pub fn bounds_on(&self, bound: TimeBound, case: &str) -> bool {
        let mut rules = self.expectations.iter().flatten().filter(|rule| rule.time_bound == Some(bound));
        rules.any(|rule| rule.cases.contains(case))
    }
}

#[cfg(test)]
mod tests;
