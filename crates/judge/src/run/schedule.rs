//! Distributes the submissions and test cases of a run over worker threads, and reports the results in order.
//!
//! Each worker goes through the submissions in order, and takes the next test case of a submission that is built, or
//! builds the next submission. The calling thread receives the results through [`crate::run::reorder`], in the order of
//! submissions and cases. After a failed case, later cases of that submission are not started, unless the user requested
//! all cases. Later cases that already run are not reported. If test groups combine the results,
//! [`crate::run::reorder`] decides which cases are still needed. That decision depends only on results of earlier cases,
//! so the report does not depend on how far the workers have run ahead.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::build::{self, Build, Built};
use crate::cache::results::ResultCache;
use crate::case::{self, RunContext};
use crate::outcome::case_result::CaseResult;
use crate::run::mailbox::{LONGEST_WAIT, MailSender, Mailbox, Urgency};
use crate::run::plan::{RunPlan, Work};
use crate::run::remeasure::{self, ExclusiveGate};
use crate::run::reorder::{NoLongerNeeded, Reorder};
use crate::run::stages::{PreparedSubmission, Stage, State, Task};
use crate::session::Session;
use crate::validator::grader::Grader;
use crate::validator::{StaticValidator, Validator};
use crate::{JudgeError, Submission, Summary};
use referee_event::Event;
use referee_grading::verdict::Verdict;
use referee_package::StaticTest;

/// Everything that a run needs.
pub(crate) struct Run<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) plan: RunPlan<'a>,
    pub(crate) submissions: &'a [Submission],
    pub(crate) validator: &'a Validator,
    pub(crate) static_validator: Option<&'a StaticValidator>,
    pub(crate) grader: Option<&'a Grader>,
    /// Ensures that no other program runs while a run is measured again.
    pub(crate) gate: ExclusiveGate,
    /// The cached results of earlier runs; `None` if this run uses no keys, or if they cannot be computed.
    pub(crate) result_cache: Option<&'a ResultCache<'a>>,
}

impl Run<'_> {
    /// Returns the largest number of tasks that workers can do at the same time: a submission is built before it is
    /// judged.
    fn most_tasks(&self) -> usize {
        self.submissions.len().saturating_mul(self.plan.works.len().max(1))
    }
}

/// A finished unit of work that a worker reports.
pub(crate) enum TaskResult {
    Build(usize, Result<Build<()>, JudgeError>),
    Case(usize, usize, Result<Box<CaseResult>, JudgeError>),
}

struct Shared<'a> {
    run: &'a Run<'a>,
    state: Mutex<State>,
    changed: Condvar,
}

pub(crate) fn run(run: &Run<'_>, report: &mut dyn FnMut(Event)) -> Result<Summary, JudgeError> {
    let state = Mutex::new(State::new(run.submissions.len()));
    let shared = Shared { run, state, changed: Condvar::new() };
    let mailbox = Mailbox::new();
    thread::scope(|scope| {
        for _ in 0..run.session.settings.jobs.min(run.most_tasks()) {
            let sender = mailbox.sender();
            let started = thread::Builder::new().spawn_scoped(scope, || shared.work(sender));
            // If a thread cannot be started, fewer workers do all the work. If none can be started, `Reorder` fails.
            if started.is_err() {
                break;
            }
        }
        let notify_workers = |unneeded_work: NoLongerNeeded| match unneeded_work {
            NoLongerNeeded::Submission(index) => shared.mark_finished(index),
            NoLongerNeeded::Cases(index, cases) => shared.mark_unneeded(index, cases),
        };
        // This value stops the workers at the end of the block, even if this thread panics.
        let _stop = Stop(&shared);
        let _close = CloseOnDrop(&mailbox);
        Reorder::new(run, &mailbox, report, &notify_workers).report_all()
    })
}

/// Stops all workers when it is dropped.
struct Stop<'a, 'b>(&'a Shared<'b>);

impl Drop for Stop<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.changed.notify_all();
    }
}

/// Closes the mailbox when it is dropped, so that no worker goes on for a receiver that has ended.
struct CloseOnDrop<'a>(&'a Mailbox<TaskResult>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The lock may be used after a panic: a worker that panics leaves the state intact, and its `Stop` ends the
        // other workers.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a submission as finished. Dropping its program removes its folder.
    fn mark_finished(&self, index: usize) {
        let mut state = self.lock();
        state.stages[index] = Stage::Finished;
        state.awaited = index + 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Marks test cases of a submission as not needed.
    fn mark_unneeded(&self, index: usize, cases: Range<usize>) {
        if let Stage::Running { unneeded, .. } = &mut self.lock().stages[index] {
            unneeded.push_back(cases);
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the mailbox ends when the last worker drops its sender")]
    fn work(&self, done: MailSender<'_, TaskResult>) {
        // If this worker panics, its result is lost, and dropping `stop` ends all workers.
        let stop = Stop(self);
        while let Some(task) = self.next_task() {
            let (result, urgency) = match task {
                Task::Build(index) => (TaskResult::Build(index, self.build(index)), Urgency::AtOnce),
                Task::Case(index, case, prepared) => {
                    let result = self.judge(index, case, &prepared);
                    let urgency = self.urgency(index, &result);
                    (TaskResult::Case(index, case, result.map(Box::new)), urgency)
                }
            };
            self.wake_idle_workers();
            if !done.send(result, urgency) {
                break;
            }
        }
        std::mem::forget(stop);
    }

    /// An accepted case decides nothing while later cases of its submission have not started, so its result can wait for
    /// others. After a long run, no other result will come soon.
    fn urgency(&self, index: usize, result: &Result<CaseResult, JudgeError>) -> Urgency {
        let was_short =
            |finished: &CaseResult| finished.wall_seconds.is_none_or(|wall| wall < LONGEST_WAIT.as_secs_f64());
        let can_wait = |finished: &CaseResult| finished.verdict == Verdict::Accepted && was_short(finished);
        if result.as_ref().is_ok_and(can_wait) && !self.lock().stages[index].has_nothing_to_start() {
            Urgency::CanWait
        } else {
            Urgency::AtOnce
        }
    }

    fn wake_idle_workers(&self) {
        // Without idle workers, the call would only cost time.
        if self.lock().idle > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for the next task and returns it; `None` if no task is left.
    fn next_task(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            let builds_ahead = self.run.session.settings.builds_ahead();
            if let Some(task) = state.take_task(builds_ahead, self.run.plan.stops_at_failure()) {
                return Some(task);
            }
            if state.stages.iter().all(Stage::has_nothing_to_start) && !state.is_building() {
                return None;
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    fn build(&self, index: usize) -> Result<Build<()>, JudgeError> {
        let submission = &self.run.submissions[index];
        if let Some(reason) = submission.left_out.clone() {
            self.lock().stages[index] = Stage::Finished;
            return Ok(Build::skipped(reason));
        }
        let _busy = self.run.session.settings.activity.begin(format!("building {}", submission.name));
        let session = self.run.session;
        let plan = build::plan(&session.source(submission), &session.settings, session.site())?;
        let cached_results =
            self.run.result_cache.zip(plan.key()).map(|(result_cache, key)| result_cache.results_of(&key, submission));
        // A static test needs the compiled program. So if the run has static tests, cached results do not suffice.
        let sufficient = cached_results.as_ref().filter(|_| !self.run.plan.has_static());
        if let Some(end) =
            sufficient.and_then(|cached_results| cached_results.reported_cases(!self.run.plan.stops_at_failure()))
        {
            let prepared = Arc::new(PreparedSubmission { program: None, cached_results });
            self.lock().stages[index] = Stage::running(prepared, end);
            return Ok(plan.without_building());
        }
        let Build { language, seconds, cached, tools, remark, result } = self.run.gate.with_others(|| plan.make())?;
        let (stage, result) = match result {
            Built::Ready(program) => {
                let prepared = Arc::new(PreparedSubmission { program: Some(program), cached_results });
                (Stage::running(prepared, self.run.plan.works.len()), Built::Ready(()))
            }
            Built::Failed(message) => (Stage::Finished, Built::Failed(message)),
            Built::Refused(reason) => (Stage::Finished, Built::Refused(reason)),
            Built::Skipped(reason) => (Stage::Finished, Built::Skipped(reason)),
            Built::Broken(reason) => (Stage::Finished, Built::Broken(reason)),
        };
        self.lock().stages[index] = stage;
        Ok(Build { language, seconds, cached, tools, remark, result })
    }

    fn judge(&self, index: usize, case: usize, prepared: &PreparedSubmission) -> Result<CaseResult, JudgeError> {
        let result = self.cached_or_run(index, case, prepared);
        let failed = result.as_ref().map_or(true, |finished| finished.verdict != Verdict::Accepted);
        let end = (failed && self.run.plan.stops_at_failure()).then_some(case + 1);
        self.lock().stages[index].case_ended(end);
        result
    }

    fn cached_or_run(
        &self,
        index: usize,
        work: usize,
        prepared: &PreparedSubmission,
    ) -> Result<CaseResult, JudgeError> {
        let submission = &self.run.submissions[index];
        let (number, case) = match self.run.plan.works[work] {
            Work::Case(number, case) => (number, case),
            Work::Static(test) => return self.run_static_validator(&submission.name, test, prepared),
        };
        let cache = self.run.result_cache.zip(prepared.cached_results.as_ref());
        if let Some(known) = cache.and_then(|(result_cache, cached_results)| result_cache.known(cached_results, number))
        {
            return Ok(known);
        }
        let Some(program) = &prepared.program else { return Err(crate::run::reorder::worker_lost()) };
        let _busy = self.run.session.settings.activity.begin(format!("{} on {}", submission.name, case.name));
        let context = self.run.session.context(self.run.validator);
        let once = |context: &RunContext<'_>| case::judge(context, &submission.name, program, case);
        let is_needed = || self.lock().needs(index, work);
        let names = (submission.name.as_str(), &*case.name);
        let mut result = remeasure::measure(&context, &self.run.gate, names, &is_needed, once)?;
        if let Some((result_cache, cached_results)) = cache {
            result_cache.store(cached_results, number, &mut result, submission);
        }
        Ok(result)
    }

    /// Runs the static validator on the submission's sources.
    fn run_static_validator(
        &self,
        submission: &str,
        test: &StaticTest,
        prepared: &PreparedSubmission,
    ) -> Result<CaseResult, JudgeError> {
        // A static test implies that there is a static validator and that the program was built.
        let found = self.run.static_validator.zip(prepared.program.as_ref());
        let (validator, program) = found.ok_or_else(crate::run::reorder::worker_lost)?;
        let judge = || {
            validator.judge(submission, program, test, self.run.session.workspace.path(), &self.run.session.settings)
        };
        self.run.gate.with_others(judge)
    }
}
