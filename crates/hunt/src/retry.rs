//! Runs a program on a test case, and repeats a run that other processes may have held up.

use referee_judge::{CaseResult, Contender, JudgeError, TrialCase, Trials, retry_if_held_up};

/// Runs the program on a test case. If the run exceeds the wall limit but not the CPU time limit, other processes may
/// have held it up. The program is then run once more, and the second result counts.
pub fn judge_with_retry(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseResult, JudgeError> {
    retry_if_held_up(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
