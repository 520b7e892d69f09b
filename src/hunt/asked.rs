//! Judges the program, and judges it again if the machine may have caused the failure.

use crate::event::CaseFinished;
use crate::judge::{Contender, JudgeError, TrialCase, Trials, asked_again};

/// Judges the program on a case. Retries a result that the machine may have caused.
pub(crate) fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseFinished, JudgeError> {
    asked_again(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
