//! Words on programs that the machine may have had a part in.

use std::time::Duration;

use super::JudgeError;
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict;

/// The word on a program, asked once more where the machine may have said it. What ran out of time on the clock without
/// computing much may have been held up by others, and who runs thousands of programs sees that happen: it is a failure
/// if it happens twice.
pub fn asked_again(
    first: CaseFinished,
    limit: Duration,
    again: impl FnOnce() -> Result<CaseFinished, JudgeError>,
) -> Result<CaseFinished, JudgeError> {
    let computed = first.cpu_seconds.unwrap_or_default();
    let may_have_waited = first.verdict == Verdict::TimeLimitExceeded && computed < limit.as_secs_f64();
    if may_have_waited { again() } else { Ok(first) }
}
