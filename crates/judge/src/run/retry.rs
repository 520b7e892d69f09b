//! Repeats runs that other processes may have held up.

use std::time::Duration;

use crate::JudgeError;
use crate::outcome::case_result::CaseResult;
use referee_grading::verdict::Verdict;

/// If other processes may have held up the first run, calls `again` for a second run and returns its result. Otherwise
/// returns `first`, the result of the first run. A run may have been held up if the program exceeded the wall limit but
/// used less CPU time than `limit`. Among thousands of runs, some are held up, so such a timeout counts only if it
/// happens twice.
pub fn retry_if_held_up(
    first: CaseResult,
    limit: Duration,
    again: impl FnOnce() -> Result<CaseResult, JudgeError>,
) -> Result<CaseResult, JudgeError> {
    let computed = first.cpu_seconds.unwrap_or_default();
    let may_have_waited = first.verdict == Verdict::TimeLimitExceeded && computed < limit.as_secs_f64();
    if may_have_waited { again() } else { Ok(first) }
}
