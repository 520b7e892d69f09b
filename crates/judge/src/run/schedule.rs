//! Distributes the submissions and test cases of a run over worker threads, and reports the results in order.
//!
//! Each worker takes the earliest possible task: a test case of the first submission that is built, otherwise the next
//! build. The calling thread receives the results through [`crate::run::reorder`], in the order of submissions and
//! cases. After a failed case, later cases of that submission are not started, unless the user requested all cases.
//! Later cases that already run are not reported. If results add up to a score, [`crate::run::reorder`] decides which
//! cases are still needed. That decision depends only on earlier results, so the report does not depend on how far the
//! workers have run ahead.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use crate::build::executable::Executable;
use crate::build::{self, Build, Built};
use crate::cache::results::{Ledger, Page};
use crate::case::{self, Bench};
use crate::outcome::case_result::CaseResult;
use crate::run::plan::{RunPlan, Work};
use crate::run::remeasure::{self, ExclusiveGate};
use crate::run::reorder::{Reorder, Settled};
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
    /// Lets one program be measured alone.
    pub(crate) gate: ExclusiveGate,
    /// The cached results of earlier runs; `None` without keys.
    pub(crate) ledger: Option<&'a Ledger<'a>>,
}

/// Maximum number of builds ahead of the submission whose results are awaited, as a multiple of the jobs. Each built
/// program needs a folder on disk.
const BUILDS_AHEAD: usize = 2;

/// A unit of work for a worker: a build, or a test case. The numbers are the indices of the submission and the test
/// case.
enum Task {
    Build(usize),
    Case(usize, usize, Arc<Contestant>),
}

/// A submission that is being judged.
struct Contestant {
    /// The compiled program; `None` if all results are cached.
    program: Option<Executable>,
    page: Option<Page>,
}

/// A finished unit of work that a worker reports.
pub(crate) enum Done {
    Build(usize, Result<Build<()>, JudgeError>),
    Case(usize, usize, Result<Box<CaseResult>, JudgeError>),
}

/// The progress of a submission.
enum Stage {
    Waiting,
    Building,
    Running {
        contestant: Arc<Contestant>,
        next: usize,
        end: usize,
        /// Ranges of test cases that are not needed, in order.
        unwanted: VecDeque<Range<usize>>,
    },
    Over,
}

struct State {
    stages: Vec<Stage>,
    /// The submission whose results are awaited.
    awaited: usize,
    stopped: bool,
}

struct Shared<'a> {
    run: &'a Run<'a>,
    state: Mutex<State>,
    changed: Condvar,
}

pub(crate) fn run(run: &Run<'_>, report: &mut dyn FnMut(Event)) -> Result<Summary, JudgeError> {
    let stages = run.submissions.iter().map(|_| Stage::Waiting).collect();
    let shared =
        Shared { run, state: Mutex::new(State { stages, awaited: 0, stopped: false }), changed: Condvar::new() };
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        for _ in 0..run.session.settings.jobs {
            let sender = sender.clone();
            let started = thread::Builder::new().spawn_scoped(scope, || shared.work(sender));
            // Fewer workers take longer. If there is no worker, `Reorder` returns an error.
            if started.is_err() {
                break;
            }
        }
        drop(sender);
        let tell = |told: Settled| match told {
            Settled::Over(index) => shared.is_over(index),
            Settled::Unwanted(index, cases) => shared.leave_out(index, cases),
        };
        // The workers must stop waiting in any case, even if this thread panics.
        let _stop = Stop(&shared);
        Reorder::new(run, receiver, report, &tell).commit_all()
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

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A worker that panics leaves the state intact, and its `Stop` ends the other workers.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks a submission as finished. Dropping its program removes its folder.
    fn is_over(&self, index: usize) {
        let mut state = self.lock();
        state.stages[index] = Stage::Over;
        state.awaited = index + 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Marks test cases of a submission as not needed.
    fn leave_out(&self, index: usize, cases: Range<usize>) {
        if let Stage::Running { unwanted, .. } = &mut self.lock().stages[index] {
            unwanted.push_back(cases);
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "the channel closes when the last worker drops its sender")]
    fn work(&self, done: Sender<Done>) {
        // A worker that panics loses a result, so the other workers must stop instead of waiting for it.
        let stop = Stop(self);
        while let Some(task) = self.next_task() {
            let result = match task {
                Task::Build(index) => Done::Build(index, self.build(index)),
                Task::Case(index, case, contestant) => {
                    Done::Case(index, case, self.judge(index, case, &contestant).map(Box::new))
                }
            };
            self.changed.notify_all();
            if done.send(result).is_err() {
                break;
            }
        }
        std::mem::forget(stop);
    }

    /// Waits for the next task and returns it; `None` if no task is left.
    fn next_task(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            if let Some(task) = state.take_task(BUILDS_AHEAD * self.run.session.settings.jobs) {
                return Some(task);
            }
            if state.stages.iter().all(Stage::has_nothing_to_start) && !state.is_building() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn build(&self, index: usize) -> Result<Build<()>, JudgeError> {
        let submission = &self.run.submissions[index];
        if let Some(reason) = submission.left_out.clone() {
            self.lock().stages[index] = Stage::Over;
            return Ok(Build::skipped(reason));
        }
        let _busy = self.run.session.settings.activity.begin(format!("building {}", submission.name));
        let session = self.run.session;
        let plan = build::plan(&session.source(submission), &session.settings, session.site())?;
        let page = self.run.ledger.zip(plan.key()).map(|(ledger, key)| ledger.page(&key, submission));
        // The static validator needs the compiled program, so cached results do not suffice.
        let page_says_all = page.as_ref().filter(|_| !self.run.plan.has_static());
        if let Some(end) = page_says_all.and_then(|page| page.known_end(!self.run.plan.stops)) {
            let contestant = Arc::new(Contestant { program: None, page });
            self.lock().stages[index] = Stage::Running { contestant, next: 0, end, unwanted: VecDeque::new() };
            return Ok(plan.leave());
        }
        let Build { language, seconds, cached, tools, result } = self.run.gate.with_others(|| plan.make())?;
        let (stage, result) = match result {
            Built::Ready(program) => {
                let (next, end, unwanted) = (0, self.run.plan.works.len(), VecDeque::new());
                let contestant = Arc::new(Contestant { program: Some(program), page });
                (Stage::Running { contestant, next, end, unwanted }, Built::Ready(()))
            }
            Built::Failed(message) => (Stage::Over, Built::Failed(message)),
            Built::Skipped(reason) => (Stage::Over, Built::Skipped(reason)),
            Built::Broken(reason) => (Stage::Over, Built::Broken(reason)),
        };
        self.lock().stages[index] = stage;
        Ok(Build { language, seconds, cached, tools, result })
    }

    fn judge(&self, index: usize, case: usize, contestant: &Contestant) -> Result<CaseResult, JudgeError> {
        let result = self.recall_or_run(index, case, contestant);
        let failed = result.as_ref().map_or(true, |finished| finished.verdict != Verdict::Accepted);
        if failed && self.run.plan.stops {
            self.lock().stages[index].end_after(case);
        }
        result
    }

    fn recall_or_run(&self, index: usize, work: usize, contestant: &Contestant) -> Result<CaseResult, JudgeError> {
        let submission = &self.run.submissions[index];
        let (number, case) = match self.run.plan.works[work] {
            Work::Case(number, case) => (number, case),
            Work::Static(test) => return self.look_at(&submission.name, test, contestant),
        };
        if let Some(known) = contestant.page.as_ref().and_then(|page| page.recall(number)) {
            return Ok(known);
        }
        let Some(program) = &contestant.program else { return Err(crate::run::reorder::lost()) };
        let _busy = self.run.session.settings.activity.begin(format!("{} on {}", submission.name, case.name));
        let bench = self.run.session.bench(self.run.validator);
        let once = |bench: &Bench<'_>| case::judge(bench, &submission.name, program, case);
        let is_wanted = || self.lock().wants(index, work);
        let names = (submission.name.as_str(), case.name.as_str());
        let mut result = remeasure::measured(&bench, &self.run.gate, names, &is_wanted, once)?;
        if let Some((ledger, page)) = self.run.ledger.zip(contestant.page.as_ref()) {
            ledger.keep(page, number, &mut result, submission);
        }
        Ok(result)
    }

    /// Runs the static validator on the submission's sources.
    fn look_at(&self, submission: &str, test: &StaticTest, contestant: &Contestant) -> Result<CaseResult, JudgeError> {
        // A static test implies that there is a static validator and that the program was built.
        let found = self.run.static_validator.zip(contestant.program.as_ref());
        let (validator, program) = found.ok_or_else(crate::run::reorder::lost)?;
        let judge = || {
            validator.judge(submission, program, test, self.run.session.workspace.path(), &self.run.session.settings)
        };
        self.run.gate.with_others(judge)
    }
}

impl State {
    fn take_task(&mut self, builds_ahead: usize) -> Option<Task> {
        let horizon = self.awaited + builds_ahead;
        for (index, stage) in self.stages.iter_mut().enumerate().skip(self.awaited) {
            stage.pass_unwanted();
            match stage {
                Stage::Running { contestant, next, end, .. } if *next < *end => {
                    *next += 1;
                    return Some(Task::Case(index, *next - 1, Arc::clone(contestant)));
                }
                Stage::Waiting if index <= horizon => {
                    *stage = Stage::Building;
                    return Some(Task::Build(index));
                }
                Stage::Waiting => return None,
                _ => {}
            }
        }
        None
    }

    /// Returns whether the submission's result on that case is still needed.
    fn wants(&self, index: usize, work: usize) -> bool {
        let Stage::Running { end, unwanted, .. } = &self.stages[index] else { return false };
        !self.stopped && work < *end && !unwanted.iter().any(|cases| cases.contains(&work))
    }

    fn is_building(&self) -> bool {
        self.stages.iter().any(|stage| matches!(stage, Stage::Building))
    }
}

impl Stage {
    fn has_nothing_to_start(&self) -> bool {
        match self {
            Stage::Waiting => false,
            Stage::Running { next, end, .. } => next >= end,
            Stage::Building | Stage::Over => true,
        }
    }

    /// Skips test cases that are not needed.
    fn pass_unwanted(&mut self) {
        let Stage::Running { next, unwanted, .. } = self else { return };
        while let Some(cases) = unwanted.front().filter(|cases| cases.start <= *next) {
            *next = cases.end.max(*next);
            unwanted.pop_front();
        }
    }

    fn end_after(&mut self, case: usize) {
        if let Stage::Running { end, .. } = self {
            *end = (*end).min(case + 1);
        }
    }
}
