//! Runs a program on a test case, and retries a failure that the machine may have caused.

use referee_judge::{CaseResult, Contender, JudgeError, TrialCase, Trials, again_if_held_up};

/// Runs the program on a test case. Retries a result that the machine may have caused.
pub fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseResult, JudgeError> {
    again_if_held_up(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
