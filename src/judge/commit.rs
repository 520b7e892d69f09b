//! Results back in order: the report is the same whatever the number of workers is.

use std::collections::HashMap;

use crossbeam_channel::Receiver;

use super::build::{Build, Built};
use super::schedule::{Done, Run};
use super::submission::Tally;
use super::{JudgeError, Submission, Summary};
use crate::event::{BuildFinished, CaseFinished, Event, SubmissionSkipped};
use crate::verdict::Verdict;

/// Puts results in order and reports them.
pub(super) struct Committer<'a> {
    run: &'a Run<'a>,
    receiver: Receiver<Done>,
    /// Results that came before their turn, by submission and case.
    early: HashMap<(usize, Option<usize>), Early>,
    report: &'a mut dyn FnMut(Event),
}

enum Early {
    Build(Build<()>),
    Case(CaseFinished),
}

impl<'a> Committer<'a> {
    pub(super) fn new(run: &'a Run<'a>, receiver: Receiver<Done>, report: &'a mut dyn FnMut(Event)) -> Self {
        Committer { run, receiver, early: HashMap::new(), report }
    }

    /// Reports everything. `over` is told of each submission of which nothing more is wanted.
    pub(super) fn commit_all(mut self, over: &dyn Fn(usize)) -> Result<Summary, JudgeError> {
        let mut summary = Summary::default();
        for index in 0..self.run.submissions.len() {
            self.commit(index, &mut summary)?;
            over(index);
            self.early.retain(|&(submission, _), _| submission > index);
        }
        Ok(summary)
    }

    fn commit(&mut self, index: usize, summary: &mut Summary) -> Result<(), JudgeError> {
        let submission = &self.run.submissions[index];
        let Early::Build(build) = self.wait_for(index, None)? else { return Err(lost()) };
        if let Built::Skipped(reason) = &build.result {
            summary.skipped += 1;
            summary.unjudged += usize::from(submission.expectations.is_none());
            let skipped = SubmissionSkipped { submission: submission.name.clone(), reason: reason.clone() };
            (self.report)(Event::SubmissionSkipped(skipped));
            return Ok(());
        }
        self.report_build(submission, &build);
        let tally = Tally::new(build.language);
        let finished = match build.result {
            Built::Failed(_) => tally.not_run(submission, Verdict::CompileError, summary),
            Built::Broken(_) => tally.not_run(submission, Verdict::JudgeError, summary),
            Built::Ready(()) | Built::Skipped(_) => {
                let (tally, complete) = self.commit_cases(index, tally, summary)?;
                tally.finish(submission, complete, summary)
            }
        };
        (self.report)(Event::SubmissionFinished(finished));
        Ok(())
    }

    fn commit_cases(
        &mut self,
        index: usize,
        mut tally: Tally,
        summary: &mut Summary,
    ) -> Result<(Tally, bool), JudgeError> {
        for case in 0..self.run.cases.len() {
            let Early::Case(finished) = self.wait_for(index, Some(case))? else { return Err(lost()) };
            summary.cases_run += 1;
            tally.add(&finished);
            let failed = finished.verdict != Verdict::Accepted;
            (self.report)(Event::CaseFinished(finished));
            if failed && !self.run.settings.all_cases {
                return Ok((tally, false));
            }
        }
        Ok((tally, self.run.whole))
    }

    fn report_build(&mut self, submission: &Submission, build: &Build<()>) {
        let message = match &build.result {
            Built::Failed(message) | Built::Broken(message) => Some(message.clone()),
            Built::Ready(()) | Built::Skipped(_) => None,
        };
        (self.report)(Event::BuildFinished(BuildFinished {
            submission: submission.name.clone(),
            language: build.language.clone(),
            ok: message.is_none(),
            seconds: build.seconds,
            cached: build.cached,
            message,
        }));
    }

    /// The build (`case` is `None`) or a case of a submission.
    fn wait_for(&mut self, submission: usize, case: Option<usize>) -> Result<Early, JudgeError> {
        loop {
            if let Some(result) = self.early.remove(&(submission, case)) {
                return Ok(result);
            }
            match self.receiver.recv().map_err(|_| lost())? {
                Done::Build(index, build) => {
                    self.early.insert((index, None), Early::Build(build?));
                }
                Done::Case(index, case, finished) => {
                    self.early.insert((index, Some(case)), Early::Case(finished?));
                }
            }
        }
    }
}

pub(super) fn lost() -> JudgeError {
    JudgeError::System {
        doing: "waiting for a worker",
        source: std::io::Error::other("a worker ended without a result"),
    }
}
