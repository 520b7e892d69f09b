//! The judge's word on the program, asked once more where the machine may have said it.

use crate::event::CaseFinished;
use crate::judge::{Contender, JudgeError, TrialCase, Trials};
use crate::verdict::Verdict;

/// Judges the program. What ran out of time on the clock without computing much may have been held up by others, and a
/// hunt runs so often that this happens: it is a failure if it happens twice.
pub(super) fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseFinished, JudgeError> {
    let finished = trials.judge(program, case)?;
    let computed = finished.cpu_seconds.unwrap_or_default();
    let may_have_waited = finished.verdict == Verdict::TimeLimitExceeded && computed < trials.time().as_secs_f64();
    if may_have_waited { trials.judge(program, case) } else { Ok(finished) }
}
