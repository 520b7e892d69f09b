//! Builds metamutants of submissions.

use std::path::Path;
use std::time::Duration;

use super::super::Cell;
use super::original::Original;
use crate::metamutant::Builder;
use referee_grading::verdict::Verdict;
use referee_judge::{CaseResult, JudgeError, Metamutant, MetamutantBuild, MutantRunner, Submission};

pub(super) struct SubmissionBuilder<'a> {
    pub(super) runner: &'a MutantRunner<'a>,
    /// A submission like the unchanged program, with its sources in `folder`.
    pub(super) submission: Submission,
    pub(super) folder: &'a Path,
    pub(super) original: &'a Original,
}

impl SubmissionBuilder<'_> {
    /// Whether the unchanged program may get this result on the test case with this index.
    fn is_expected(&self, index: usize, result: &CaseResult) -> bool {
        // It may exceed the time limit by chance where it needs nearly all of it.
        match self.original.cell(index, Some(result)) {
            Cell::Spares => true,
            Cell::Unknown => result.verdict == Verdict::TimeLimitExceeded,
            Cell::Kills => false,
        }
    }
}

impl Builder for SubmissionBuilder<'_> {
    fn folder(&self) -> &Path {
        self.folder
    }

    fn build(&self, copies: usize) -> Result<MetamutantBuild, JudgeError> {
        self.runner.build_metamutant(&self.submission, copies)
    }

    fn times_of_the_program(&self, metamutant: &Metamutant) -> Result<Option<Vec<Duration>>, JudgeError> {
        let is_expected = |index: usize, result: &CaseResult| self.is_expected(index, result);
        let results = self.runner.run_copy(&self.submission.name, (metamutant, 0), &is_expected)?;
        let is_right = results.iter().enumerate().all(|(index, result)| self.is_expected(index, result));
        let time = |result: &CaseResult| Duration::from_secs_f64(result.cpu_seconds.unwrap_or_default());
        Ok(is_right.then(|| results.iter().map(time).collect()))
    }
}
