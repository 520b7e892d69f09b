//! Words on programs that the machine may have had a part in.

use std::time::Duration;

use crate::JudgeError;
use crate::outcome::case_result::CaseResult;
use referee_grading::verdict::Verdict;

/// Returns the result of `judge`, which is run a second time if the first result may be the machine's fault. A program
/// that exceeded the wall limit with little CPU time may have been held up by other processes. With thousands of
/// programs that happens, so it counts as a failure only if it happens twice.
pub fn again_if_held_up(
    first: CaseResult,
    limit: Duration,
    again: impl FnOnce() -> Result<CaseResult, JudgeError>,
) -> Result<CaseResult, JudgeError> {
    let computed = first.cpu_seconds.unwrap_or_default();
    let may_have_waited = first.verdict == Verdict::TimeLimitExceeded && computed < limit.as_secs_f64();
    if may_have_waited { again() } else { Ok(first) }
}
