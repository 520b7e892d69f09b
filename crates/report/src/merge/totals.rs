//! Compares the lines of a report with the totals that the report states. A report with a missing or changed line must
//! not lead to the exit code for success.

use std::collections::HashSet;

use crate::jsonl::{CaseFinished, RunFinished, SubmissionFinished};
use referee_grading::verdict::{self, Verdict};

/// The cases of one submission.
#[derive(Default)]
pub(super) struct Cases {
    names: HashSet<String>,
    verdicts: Vec<Verdict>,
    first_failing: Option<String>,
    /// Whether the verdict follows from groups.
    pub(super) are_grouped: bool,
}

impl Cases {
    /// Adds a case. Fails with a message if the case already has a result.
    pub(super) fn add(&mut self, line: &CaseFinished<'_>) -> Result<(), String> {
        let name = line.case.to_string();
        if line.verdict != Verdict::Accepted && self.first_failing.is_none() {
            self.first_failing = Some(name.clone());
        }
        self.verdicts.push(line.verdict);
        if !self.names.insert(name) {
            return Err(format!("the report has two results of {} on {}", line.submission, line.case));
        }
        Ok(())
    }

    /// Checks the line of the submission: its totals must be those of the cases. Its verdict must follow from the
    /// cases, unless groups decide the verdict.
    pub(super) fn check_totals(&self, line: &SubmissionFinished<'_>) -> Result<(), String> {
        let failed = self.verdicts.iter().filter(|&&verdict| verdict != Verdict::Accepted).count();
        agree("cases_run", &line.cases_run, &self.verdicts.len())?;
        agree("cases_failed", &line.cases_failed, &failed)?;
        let first = |name: Option<&str>| name.unwrap_or("null").to_owned();
        agree("first_failing_case", &first(line.first_failing_case.as_deref()), &first(self.first_failing.as_deref()))?;
        let decide = !self.verdicts.is_empty() && !self.are_grouped;
        let decided = if decide { verdict::of_submission(self.verdicts.iter().copied()) } else { line.verdict };
        agree("verdict", &line.verdict.code(), &decided.code())
    }
}

/// The submissions of a run.
#[derive(Default)]
pub(super) struct Run {
    submissions: usize,
    skipped: usize,
    case_lines: usize,
    not_as_wanted: bool,
}

impl Run {
    pub(super) fn add(&mut self, line: &SubmissionFinished<'_>) {
        self.submissions += 1;
        self.case_lines += line.cases_run;
        self.not_as_wanted |= !line.as_wanted || line.verdict == Verdict::JudgeError;
    }

    pub(super) fn add_skipped(&mut self) {
        self.skipped += 1;
    }

    /// Checks that the totals in the line of the run are those of its submissions.
    pub(super) fn check_totals(&self, line: &RunFinished) -> Result<(), String> {
        agree("submissions", &line.submissions, &self.submissions)?;
        agree("skipped", &line.skipped, &self.skipped)?;
        agree("cases_run", &line.cases_run, &self.case_lines)?;
        agree("as_wanted", &line.as_wanted, &(!self.not_as_wanted && line.unjudged == 0))
    }
}

fn agree<T: PartialEq + std::fmt::Display>(field: &str, stated: &T, found: &T) -> Result<(), String> {
    if stated == found {
        return Ok(());
    }
    Err(format!(
        "{field} is {stated}, but the lines above give {found}; the report was changed after the run, so grade again"
    ))
}
