//! The time limit of a run, and its origin.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The limit of CPU time per test case, and its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeLimit {
    /// The package or the user states the limit.
    Stated(Duration),
    /// The judge derived the limit from the run times of the jury submissions.
    Measured {
        /// The limit.
        limit: Duration,
        /// The cost of measuring the limit in this run; zero if an earlier run measured it.
        cost: Measuring,
    },
    /// A generous limit that was neither stated nor measured, so that programs can be judged without measuring first.
    Provisional(Duration),
}

/// The cost of measuring a time limit in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measuring {
    /// The number of runs of a jury submission on a test case. Cached results do not count.
    pub runs: usize,
    /// The wall time of the measurement, in seconds.
    pub seconds: f64,
}

/// The origin of a time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeLimitSource {
    /// The package or the user states the limit.
    Stated,
    /// The judge derived the limit from the run times of the jury submissions.
    Measured,
    /// The limit was neither stated nor measured. The limit is generous, so that programs can be judged without
    /// measuring first.
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

    /// Returns the origin of the limit.
    pub fn source(self) -> TimeLimitSource {
        match self {
            TimeLimit::Stated(_) => TimeLimitSource::Stated,
            TimeLimit::Measured { .. } => TimeLimitSource::Measured,
            TimeLimit::Provisional(_) => TimeLimitSource::Provisional,
        }
    }

    /// Returns the cost of measuring the limit in this run, which is zero if an earlier run measured it. Returns `None`
    /// if the limit was not measured at all.
    pub fn cost(self) -> Option<Measuring> {
        match self {
            TimeLimit::Measured { cost, .. } => Some(cost),
            TimeLimit::Stated(_) | TimeLimit::Provisional(_) => None,
        }
    }
}
