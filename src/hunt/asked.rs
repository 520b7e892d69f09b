//! The judge's word on the program, asked once more where the machine may have said it.

use crate::event::CaseFinished;
use crate::judge::{Contender, JudgeError, TrialCase, Trials, asked_again};

/// Judges the program.
pub(crate) fn judged(trials: &Trials<'_>, program: &Contender, case: &TrialCase) -> Result<CaseFinished, JudgeError> {
    asked_again(trials.judge(program, case)?, trials.time(), || trials.judge(program, case))
}
