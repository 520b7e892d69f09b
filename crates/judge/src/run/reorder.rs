//! Results back in order: the report is the same whatever the number of workers is.

use std::collections::HashMap;
use std::ops::Range;

use crossbeam_channel::Receiver;

use crate::build::{Build, Built};
use crate::run::plan::Work;
use crate::run::schedule::{Done, Run};
use crate::run::tally::Tally;
use crate::{JudgeError, Submission, Summary};
use referee_event::{BuildFinished, CaseFinished, Event, GroupFinished, SubmissionFinished, SubmissionSkipped};
use referee_grading::score::{CaseRule, Course, Ended, GroupResult, Kinds, Reached, SubResult, Tree};
use referee_grading::verdict::Verdict;

/// What the workers must hear.
pub(crate) enum Settled {
    /// Nothing more is wanted of the submission.
    Over(usize),
    /// These cases of the submission are not.
    Unwanted(usize, Range<usize>),
}

/// Puts results in order and reports them.
pub(crate) struct Reorder<'a> {
    run: &'a Run<'a>,
    receiver: Receiver<Done>,
    /// Results that came before their turn, by submission and case.
    early: HashMap<(usize, Option<usize>), Early>,
    report: &'a mut dyn FnMut(Event),
    tell: &'a dyn Fn(Settled),
    /// The kinds of score files written so far, by the static validator and by the other validators.
    kinds: [Kinds; 2],
}

enum Early {
    Build(Build<()>),
    Case(Box<CaseFinished>),
}

impl<'a> Reorder<'a> {
    /// `tell` is what workers hear by.
    pub(crate) fn new(
        run: &'a Run<'a>,
        receiver: Receiver<Done>,
        report: &'a mut dyn FnMut(Event),
        tell: &'a dyn Fn(Settled),
    ) -> Self {
        Reorder { run, receiver, early: HashMap::new(), report, tell, kinds: Default::default() }
    }

    /// Reports everything.
    pub(crate) fn commit_all(mut self) -> Result<Summary, JudgeError> {
        let mut summary = Summary::default();
        for index in 0..self.run.submissions.len() {
            self.commit(index, &mut summary)?;
            (self.tell)(Settled::Over(index));
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
        let tally = Tally::new(build.language, self.run.plan.works.len());
        let finished = match build.result {
            Built::Failed(_) => tally.not_run(submission, Verdict::CompileError, summary),
            Built::Broken(_) => tally.not_run(submission, Verdict::JudgeError, summary),
            Built::Ready(()) | Built::Skipped(_) => self.commit_cases(index, tally, summary)?,
        };
        (self.report)(Event::SubmissionFinished(finished));
        Ok(())
    }

    fn commit_cases(
        &mut self,
        index: usize,
        tally: Tally,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        match self.run.plan.tree {
            Some(tree) => self.commit_groups(index, tree, tally, summary),
            None => self.commit_all_cases(index, tally, summary),
        }
    }

    /// The first case that is not accepted decides.
    fn commit_all_cases(
        &mut self,
        index: usize,
        mut tally: Tally,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        let mut complete = self.run.plan.whole;
        for case in 0..self.run.plan.works.len() {
            let finished = self.wait_for_case(index, case)?;
            summary.cases_run += 1;
            tally.add(&finished);
            let failed = finished.verdict != Verdict::Accepted;
            (self.report)(Event::CaseFinished(finished));
            if failed && self.run.plan.stops {
                complete = false;
                break;
            }
        }
        Ok(tally.finish(&self.run.submissions[index], complete, None, summary))
    }

    /// Results add up by groups.
    fn commit_groups(
        &mut self,
        index: usize,
        tree: &Tree,
        mut tally: Tally,
        summary: &mut Summary,
    ) -> Result<SubmissionFinished, JudgeError> {
        let submission = &self.run.submissions[index];
        let mut course = Course::new(tree);
        let (mut case, count) = (0, self.run.plan.works.len());
        let mut complete = true;
        while case < count {
            let reached = self.with_grader(|grader| course.reach(case, grader))?;
            if let Reached::SkipTo(end) = reached
                && !self.run.session.settings.all_cases
            {
                complete = false;
                (self.tell)(Settled::Unwanted(index, case..end));
                case = end;
                continue;
            }
            let finished = self.wait_for_case(index, case)?;
            let finished = self.scored(finished, case, course.rule(case));
            summary.cases_run += 1;
            tally.add(&finished);
            if reached == Reached::Counts {
                course.add(case, finished.verdict, finished.score.clone());
            }
            (self.report)(Event::CaseFinished(finished));
            case += 1;
        }
        let outcome = self.with_grader(|grader| course.finish(grader))?;
        for result in &outcome.groups {
            (self.report)(Event::GroupFinished(group_finished(submission, tree, result)));
        }
        Ok(tally.finish(submission, complete, Some((&outcome, tree)), summary))
    }

    /// Gives the case its score; where its validator wrote what none may write, the package has failed.
    fn scored(&mut self, mut case: CaseFinished, index: usize, rule: &CaseRule) -> CaseFinished {
        let is_static = matches!(self.run.plan.works[index], Work::Static(_));
        let counts = rule.knows_both_files() && case.verdict != Verdict::JudgeError;
        let kinds = &mut self.kinds[usize::from(is_static)];
        let kept = if counts { kinds.add(&case.given) } else { Ok(()) };
        match rule.score(case.verdict, &case.given).and_then(|score| kept.map(|()| score)) {
            Ok(score) => case.score = score,
            Err(reason) => {
                let whose = if is_static { "static" } else { "output" };
                case.verdict = Verdict::JudgeError;
                case.message = Some(format!("the {whose} validator failed: {reason}"));
            }
        }
        case
    }

    /// Lets `work` run the package's grader.
    fn with_grader<T>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(&[String], &[SubResult]) -> Ended) -> T,
    ) -> Result<T, JudgeError> {
        let mut failure = None;
        let done = work(&mut |flags, results| {
            let Some(grader) = self.run.grader else { return Err("there is none".to_owned()) };
            let graded = self.run.gate.with_others(|| grader.grade(flags, results, self.run.session.workspace.path()));
            graded.unwrap_or_else(|error| {
                let reason = error.to_string();
                failure = Some(error);
                Err(reason)
            })
        });
        failure.map_or(Ok(done), Err)
    }

    fn wait_for_case(&mut self, submission: usize, case: usize) -> Result<CaseFinished, JudgeError> {
        match self.wait_for(submission, Some(case))? {
            Early::Case(finished) => Ok(*finished),
            Early::Build(_) => Err(lost()),
        }
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
            tools: build.tools.clone(),
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

pub(crate) fn lost() -> JudgeError {
    JudgeError::System {
        doing: "waiting for a worker",
        source: std::io::Error::other("a worker ended without a result"),
    }
}
