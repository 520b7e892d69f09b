//! Judges the program, and judges it again if the machine may have caused the failure.

use referee_event::CaseFinished;
use referee_judge::{Contender, JudgeError, TrialCase, Trials, asked_again};

/// Judges the program on a case. Retries a result that the machine may have caused.
pub fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseFinished, JudgeError> {
    asked_again(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
