//! What the package's own submissions say about the time limit (format 2025-09, "Limits"; legacy, "limits").
//!
//! The slowest run of a submission that must keep the limit bounds the limit from below ([`measure`]). If the package
//! states no limit, the limit follows from that run, and later runs of the judge remember it ([`remember`]). A
//! submission that must exceed the limit bounds it from above by its slowest test case ([`upper_bounds`]).

pub(crate) mod measure;
pub(crate) mod remember;
pub(crate) mod upper_bounds;

use std::time::Duration;

use crate::{Submission, wall_limit};
use referee_grading::verdict::TimeBound;

/// Whether a run that came to its end exceeds the time limit by its wall time and not by its CPU time, both in seconds:
/// the program sleeps.
pub fn is_asleep(cpu: f64, wall: Option<f64>, limit: Duration) -> bool {
    cpu <= limit.as_secs_f64() && wall.is_some_and(|wall| wall > wall_limit(limit).as_secs_f64())
}

impl Submission {
    /// Whether its run times bound the time limit from that side, on whatever case.
    pub fn bounds(&self, bound: TimeBound) -> bool {
        self.expectations.iter().flatten().any(|rule| rule.time_bound == Some(bound))
    }

    /// Whether its run time on the case does.
    pub fn bounds_on(&self, bound: TimeBound, case: &str) -> bool {
        let mut rules = self.expectations.iter().flatten().filter(|rule| rule.time_bound == Some(bound));
        rules.any(|rule| rule.cases.holds(case))
    }
}

#[cfg(test)]
mod tests;
