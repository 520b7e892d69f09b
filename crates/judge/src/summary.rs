//! The summary of a run.

use referee_grading::verdict::Verdict;

/// The summary of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of submissions that were judged.
    pub submissions: usize,
    /// Number of submissions that were not judged, for example because a compiler is missing or the package leaves them
    /// out.
    pub skipped: usize,
    /// Number of skipped submissions that the user named. Any of them makes the run fail.
    pub unjudged: usize,
    /// Number of results on test cases, over all submissions. Cached results count, too.
    pub cases_run: usize,
    /// Number of judged submissions whose verdict or score is not among the expected ones.
    pub not_as_wanted: usize,
    /// Number of submissions on which the judge or the package failed.
    pub judge_errors: usize,
}

impl Summary {
    /// Whether all judged submissions got expected results, the judge never failed, and no submission that the user
    /// named was skipped.
    pub fn as_wanted(&self) -> bool {
        self.not_as_wanted == 0 && self.judge_errors == 0 && self.unjudged == 0
    }

    pub(crate) fn count(&mut self, verdict: Verdict, as_wanted: bool) {
        self.submissions += 1;
        self.not_as_wanted += usize::from(!as_wanted);
        self.judge_errors += usize::from(verdict == Verdict::JudgeError);
    }
}
