//! Puts the results of the workers back in order. The report is the same for any number of workers.

use std::collections::HashMap;
use std::ops::Range;

use crate::build::{Build, Built};
use crate::outcome::case_result::{CaseResult, Overruled};
use crate::run::mailbox::Mailbox;
use crate::run::plan::Work;
use crate::run::schedule::{Run, TaskResult};
use crate::run::settling::Settling;
use crate::run::tally::{Extent, NotRun, Tally};
use crate::{JudgeError, Submission, Summary};
use referee_event::{BuildFinished, Event, GroupFinished, SubmissionFinished, SubmissionSkipped};
use referee_grading::score::{
    CaseRule, GraderResult, GroupResult, GroupScorer, Relevance, Score, ScoreFileKinds, SubResult, Tree,
};
use referee_grading::verdict::Verdict;

/// A message to the workers about work that is not needed any more.
pub(crate) enum NoLongerNeeded {
    /// The submission with this index is finished.
    Submission(usize),
    /// The submission's test cases in this range are not needed.
    Cases(usize, Range<usize>),
}

/// Puts results in order and reports them.
pub(crate) struct Reorder<'a> {
    run: &'a Run<'a>,
    mailbox: &'a Mailbox<TaskResult>,
    /// Results that arrived before their turn, by the indices of submission and test case. The index of the test case
    /// is `None` for the result of the build.
    early: HashMap<(usize, Option<usize>), Early>,
    report: &'a mut dyn FnMut(Event),
    notify_workers: &'a dyn Fn(NoLongerNeeded),
    /// The kinds of score files written so far, by output validators (index 0) and by the static validator (index 1).
    kinds: [ScoreFileKinds; 2],
}

enum Early {
    Build(Build<()>),
    Case(Box<CaseResult>),
}

impl<'a> Reorder<'a> {
    /// `notify_workers` is called whenever work is not needed any more.
    pub(crate) fn new(
        run: &'a Run<'a>,
        mailbox: &'a Mailbox<TaskResult>,
        report: &'a mut dyn FnMut(Event),
        notify_workers: &'a dyn Fn(NoLongerNeeded),
    ) -> Self {
        Reorder { run, mailbox, early: HashMap::new(), report, notify_workers, kinds: Default::default() }
    }

    /// Reports all submissions in order.
    pub(crate) fn report_all(mut self) -> Result<Summary, JudgeError> {
        let mut summary = Summary::default();
        for index in 0..self.run.submissions.len() {
            self.report_submission(index, &mut summary)?;
            (self.notify_workers)(NoLongerNeeded::Submission(index));
            self.early.retain(|&(submission, _), _| submission > index);
        }
        Ok(summary)
    }

    fn report_submission(&mut self, index: usize, summary: &mut Summary) -> Result<(), JudgeError> {
        let submission = &self.run.submissions[index];
        let Early::Build(build) = self.wait_for(index, None)? else { return Err(worker_lost()) };
        if let Built::Skipped(reason) = &build.result {
            summary.skipped += 1;
            summary.unjudged += usize::from(submission.expectations.is_none());
            let skipped = SubmissionSkipped {
                submission: submission.name.clone(),
                reason: reason.reason.clone(),
                hint: reason.hint.clone(),
                student: submission.student.clone(),
            };
            (self.report)(Event::SubmissionSkipped(skipped));
            return Ok(());
        }
        self.report_build(submission, &build);
        let tally = Tally::new(build.language, self.run.plan.works.len(), self.run.session.settings.points.clone());
        let finished = match build.result {
            Built::Failed(_) => tally.not_run(submission, NotRun::DoesNotCompile, summary),
            Built::Refused(_) => tally.not_run(submission, NotRun::Refused, summary),
            Built::Broken(_) => tally.not_run(submission, NotRun::JudgeFailed, summary),
            Built::Ready(()) | Built::Skipped(_) => self.report_cases(index, tally, summary)?,
        };
        (self.report)(Event::SubmissionFinished(finished));
        Ok(())
    }

    fn report_cases(
        &mut self,
        index: usize,
        tally: Tally<'a>,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        match self.run.plan.tree {
            Some(tree) => self.report_grouped_cases(index, tree, tally, summary),
            None => self.report_ungrouped_cases(index, tally, summary),
        }
    }

    /// Reports the test cases of a submission if no test groups combine the results.
    fn report_ungrouped_cases(
        &mut self,
        index: usize,
        mut tally: Tally<'a>,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        let mut complete = self.run.plan.is_complete;
        let mut settling = Settling::new(&self.run.plan, &self.run.submissions[index]);
        for case in 0..self.run.plan.works.len() {
            let result = self.wait_for_case(index, case)?;
            let failed = result.verdict != Verdict::Accepted;
            summary.cases_run += 1;
            self.report_case(index, case, result, None, &mut tally);
            if (failed && self.run.plan.stops_at_failure())
                || self.is_settled(index, case + 1, &tally, settling.as_mut())
            {
                complete = false;
                break;
            }
        }
        let extent = if complete {
            Extent::Whole
        } else if self.run.plan.is_complete && self.run.plan.first_failure_decides {
            Extent::UntilVerdict
        } else {
            Extent::Part
        };
        Ok(tally.finish(&self.run.submissions[index], extent, None, summary))
    }

    /// Reports the test cases and test groups of a submission if test groups combine the results.
    fn report_grouped_cases(
        &mut self,
        index: usize,
        tree: &Tree,
        mut tally: Tally<'a>,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        let submission = &self.run.submissions[index];
        let mut scorer = GroupScorer::new(tree);
        let mut settling = Settling::new(&self.run.plan, submission);
        let (mut case, count) = (0, self.run.plan.works.len());
        let mut extent = Extent::Whole;
        while case < count {
            let reached = self.with_grader(|grader| scorer.reach(case, grader))?;
            if let Relevance::SkipTo(end) = reached
                && self.run.plan.skips_irrelevant(submission)
            {
                extent = Extent::UntilVerdict;
                (self.notify_workers)(NoLongerNeeded::Cases(index, case..end));
                case = end;
                continue;
            }
            let mut result = self.wait_for_case(index, case)?;
            let score = self.score(&mut result, case, scorer.rule(case));
            summary.cases_run += 1;
            if reached == Relevance::Counts {
                scorer.add(case, result.verdict, score.clone());
            }
            self.report_case(index, case, result, score, &mut tally);
            case += 1;
            if self.is_settled(index, case, &tally, settling.as_mut()) {
                // No groups are reported, because some test cases were not run.
                return Ok(tally.finish(submission, Extent::Part, None, summary));
            }
        }
        let outcome = self.with_grader(|grader| scorer.finish(grader))?;
        for result in &outcome.groups {
            (self.report)(Event::GroupFinished(group_finished(submission, tree, result)));
        }
        Ok(tally.finish(submission, extent, Some((&outcome, tree)), summary))
    }

    /// Whether the results so far, of which `tally` has the last one, decide whether the submission gets its declared
    /// verdicts. If so, also tells the workers that the test cases from the index `next` on need not run.
    fn is_settled(&self, index: usize, next: usize, tally: &Tally<'_>, settling: Option<&mut Settling<'_>>) -> bool {
        let is_settled = settling.zip(tally.last()).is_some_and(|(settling, result)| settling.add(&result, next));
        if is_settled {
            (self.notify_workers)(NoLongerNeeded::Cases(index, next..self.run.plan.works.len()));
        }
        is_settled
    }

    /// Reports the result of a test case, and adds it to the submission's tally.
    fn report_case(
        &mut self,
        index: usize,
        work: usize,
        result: CaseResult,
        score: Option<Score>,
        tally: &mut Tally<'a>,
    ) {
        let run = self.run;
        let (submission, case) = (&run.submissions[index].name, run.plan.works[work].name());
        let finished = result.into_event(submission, case, score);
        tally.add(case, &finished);
        (self.report)(Event::CaseFinished(finished));
    }

    /// Returns the score of a test case; `None` if it has none. Changes the verdict to a judge error if the validator's
    /// score files break the rule of the test case, or are of another kind than on earlier test cases.
    fn score(&mut self, result: &mut CaseResult, index: usize, rule: &CaseRule) -> Option<Score> {
        let is_static = matches!(self.run.plan.works[index], Work::Static(_));
        let counts = rule.has_both_score_files() && result.verdict != Verdict::JudgeError;
        let kinds = &mut self.kinds[usize::from(is_static)];
        let kept = if counts { kinds.add(&result.given) } else { Ok(()) };
        match rule.score(result.verdict, &result.given).and_then(|score| kept.map(|()| score)) {
            Ok(score) => score,
            Err(reason) => {
                let validator = if is_static { "static" } else { "output" };
                result.overrule(Overruled::Score { validator, reason });
                None
            }
        }
    }

    /// Calls `work` with a function that runs the package's grader. Fails if the judge fails while it runs the grader.
    fn with_grader<T>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(&[String], &[SubResult]) -> GraderResult) -> T,
    ) -> Result<T, JudgeError> {
        let mut failure = None;
        let done = work(&mut |flags, results| {
            let Some(grader) = self.run.grader else { return Err("the package has no grader".to_owned()) };
            let graded = self.run.gate.with_others(|| grader.grade(flags, results, self.run.session.workspace.path()));
            graded.unwrap_or_else(|error| {
                let reason = error.to_string();
                failure = Some(error);
                Err(reason)
            })
        });
        failure.map_or(Ok(done), Err)
    }

    fn wait_for_case(&mut self, submission: usize, case: usize) -> Result<CaseResult, JudgeError> {
        match self.wait_for(submission, Some(case))? {
            Early::Case(finished) => Ok(*finished),
            Early::Build(_) => Err(worker_lost()),
        }
    }

    fn report_build(&mut self, submission: &Submission, build: &Build<()>) {
        let message = match &build.result {
            Built::Failed(message) | Built::Refused(message) | Built::Broken(message) => Some(message.clone()),
            Built::Ready(()) | Built::Skipped(_) => None,
        };
        (self.report)(Event::BuildFinished(BuildFinished {
            submission: submission.name.clone(),
            language: build.language.clone(),
            ok: message.is_none(),
            seconds: build.seconds,
            cached: build.cached,
            tools: build.tools.clone(),
            remark: build.remark.clone().filter(|_| message.is_none()),
            message,
        }));
    }

    /// Waits for the build of a submission (`case` is `None`) or for the result of a test case.
    fn wait_for(&mut self, submission: usize, case: Option<usize>) -> Result<Early, JudgeError> {
        loop {
            if let Some(result) = self.early.remove(&(submission, case)) {
                return Ok(result);
            }
            match self.mailbox.receive().ok_or_else(worker_lost)? {
                TaskResult::Build(index, build) => {
                    self.early.insert((index, None), Early::Build(build?));
                }
                TaskResult::Case(index, case, finished) => {
                    self.early.insert((index, Some(case)), Early::Case(finished?));
                }
            }
        }
    }
}

fn group_finished(submission: &Submission, tree: &Tree, result: &GroupResult) -> GroupFinished {
    GroupFinished {
        submission: submission.name.clone(),
        group: tree.groups[result.group].name.clone(),
        verdict: result.verdict,
        score: result.score.clone(),
        max_score: tree.best(result.group).cloned(),
        cases_run: result.cases_run,
        cases_skipped: result.cases_skipped,
    }
}

pub(crate) fn worker_lost() -> JudgeError {
    JudgeError::System {
        doing: "waiting for a worker",
        source: std::io::Error::other("a worker ended without a result"),
    }
}
