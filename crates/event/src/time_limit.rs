//! The time limit of a run, and where it comes from.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// CPU time per test case, and where that limit comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeLimit {
    /// The package or the user states it.
    Stated(Duration),
    /// It follows from the run times of the package's own submissions.
    Measured {
        /// The limit.
        limit: Duration,
        /// What measuring it cost in this run: nothing if an earlier run has measured it.
        cost: Measuring,
    },
    /// Nobody has stated or measured it: a generous limit, so that programs can be judged at once.
    Provisional(Duration),
}

/// What measuring a time limit cost in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measuring {
    /// How many times a submission of the package was run on a test case.
    pub runs: usize,
    /// Wall time.
    pub seconds: f64,
}

/// Where a time limit comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeLimitSource {
    /// See [`TimeLimit::Stated`].
    Stated,
    /// See [`TimeLimit::Measured`].
    Measured,
    /// See [`TimeLimit::Provisional`].
    Provisional,
}

impl TimeLimit {
    /// Returns the limit itself.
    pub fn duration(self) -> Duration {
        match self {
            TimeLimit::Stated(limit) | TimeLimit::Measured { limit, .. } | TimeLimit::Provisional(limit) => limit,
        }
    }

    /// Returns the limit in seconds.
    pub fn seconds(self) -> f64 {
        self.duration().as_secs_f64()
    }

    /// Returns where it comes from.
    pub fn source(self) -> TimeLimitSource {
        match self {
            TimeLimit::Stated(_) => TimeLimitSource::Stated,
            TimeLimit::Measured { .. } => TimeLimitSource::Measured,
            TimeLimit::Provisional(_) => TimeLimitSource::Provisional,
        }
    }

    /// Returns what measuring it cost in this run; `None` if it is not measured.
    pub fn cost(self) -> Option<Measuring> {
        match self {
            TimeLimit::Measured { cost, .. } => Some(cost),
            TimeLimit::Stated(_) | TimeLimit::Provisional(_) => None,
        }
    }
}
