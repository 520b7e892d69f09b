//! How a run ended.

use referee_grading::verdict::Verdict;

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Submissions judged.
    pub submissions: usize,
    /// Submissions that were found and not judged: a tool is missing, say, or the package leaves them out.
    pub skipped: usize,
    /// Of those, the ones that the user named: skipping them is not what was expected.
    pub unjudged: usize,
    /// Cases run.
    pub cases_run: usize,
    /// Submissions that did not end as expected.
    pub not_as_wanted: usize,
    /// Submissions on which the judge or the package failed.
    pub judge_errors: usize,
}

impl Summary {
    /// Whether everything ended as expected.
    pub fn as_wanted(&self) -> bool {
        self.not_as_wanted == 0 && self.judge_errors == 0 && self.unjudged == 0
    }

    pub(crate) fn count(&mut self, verdict: Verdict, as_wanted: bool) {
        self.submissions += 1;
        self.not_as_wanted += usize::from(!as_wanted);
        self.judge_errors += usize::from(verdict == Verdict::JudgeError);
    }
}
