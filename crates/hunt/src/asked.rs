//! Judges the program, and judges it again if the machine may have caused the failure.

use referee_judge::{CaseResult, Contender, JudgeError, TrialCase, Trials, again_if_held_up};

/// Judges the program on a case. Retries a result that the machine may have caused.
pub fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseResult, JudgeError> {
    again_if_held_up(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
