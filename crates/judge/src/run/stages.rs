//! Decides which test case or build a worker does next.
//!
//! A worker prefers work that is certainly needed: a build, or a case of a submission of which no other case runs
//! ([`State::take_task`]).

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use crate::build::executable::Executable;
use crate::cache::results::CachedResults;

/// A unit of work for a worker: a build, or a test case. The numbers are the indices of the submission and the test
/// case.
pub(super) enum Task {
    Build(usize),
    Case(usize, usize, Arc<PreparedSubmission>),
}

/// A submission that is being judged.
pub(super) struct PreparedSubmission {
    /// The compiled program; `None` if all results that the report needs are cached.
    pub(super) program: Option<Executable>,
    pub(super) cached_results: Option<CachedResults>,
}

/// The progress of a submission.
pub(super) enum Stage {
    Waiting,
    Building,
    Running {
        prepared: Arc<PreparedSubmission>,
        next: usize,
        end: usize,
        /// The number of test cases on which the submission runs now.
        running: usize,
        /// Ranges of test cases that are not needed, in order.
        unneeded: VecDeque<Range<usize>>,
    },
    Finished,
}

/// The progress of all submissions.
pub(super) struct State {
    pub(super) stages: Vec<Stage>,
    /// The submission whose results are awaited.
    pub(super) awaited: usize,
    pub(super) stopped: bool,
    /// The number of workers that wait for a change.
    pub(super) idle: usize,
}

impl State {
    pub(super) fn new(submissions: usize) -> State {
        State { stages: (0..submissions).map(|_| Stage::Waiting).collect(), awaited: 0, stopped: false, idle: 0 }
    }

    /// Takes the earliest task whose result is certainly needed; if there is none, the earliest other task. If a failed
    /// case ends its submission, then a case is certainly needed only while no earlier case of the submission runs. The
    /// difference matters for slow submissions: while one worker waits for their timeout, others would run later cases
    /// in vain, each until its own timeout.
    pub(super) fn take_task(&mut self, builds_ahead: usize, stops_at_failure: bool) -> Option<Task> {
        let horizon = self.awaited + builds_ahead;
        let mut uncertain = None;
        for (index, stage) in self.stages.iter_mut().enumerate().skip(self.awaited) {
            stage.skip_unneeded();
            match stage {
                Stage::Running { next, end, running, .. } if *next < *end => {
                    if *running == 0 || !stops_at_failure {
                        return stage.take_case(index);
                    }
                    uncertain = uncertain.or(Some(index));
                }
                Stage::Waiting if index <= horizon => {
                    *stage = Stage::Building;
                    return Some(Task::Build(index));
                }
                Stage::Waiting => break,
                _ => {}
            }
        }
        uncertain.and_then(|index| self.stages[index].take_case(index))
    }

    /// Returns whether the result of submission `index` on the case `work` is still needed.
    pub(super) fn needs(&self, index: usize, work: usize) -> bool {
        let Stage::Running { end, unneeded, .. } = &self.stages[index] else { return false };
        !self.stopped && work < *end && !unneeded.iter().any(|cases| cases.contains(&work))
    }

    pub(super) fn is_building(&self) -> bool {
        self.stages.iter().any(|stage| matches!(stage, Stage::Building))
    }
}

impl Stage {
    pub(super) fn has_nothing_to_start(&self) -> bool {
        match self {
            Stage::Waiting => false,
            Stage::Running { next, end, .. } => next >= end,
            Stage::Building | Stage::Finished => true,
        }
    }

    /// Skips test cases that are not needed.
    fn skip_unneeded(&mut self) {
        let Stage::Running { next, unneeded, .. } = self else { return };
        while let Some(cases) = unneeded.front().filter(|cases| cases.start <= *next) {
            *next = cases.end.max(*next);
            unneeded.pop_front();
        }
    }

    pub(super) fn running(prepared: Arc<PreparedSubmission>, end: usize) -> Stage {
        Stage::Running { prepared, next: 0, end, running: 0, unneeded: VecDeque::new() }
    }

    /// Takes the next test case of the submission with this index; `None` if there is none.
    fn take_case(&mut self, index: usize) -> Option<Task> {
        let Stage::Running { prepared, next, running, .. } = self else { return None };
        *running += 1;
        *next += 1;
        Some(Task::Case(index, *next - 1, Arc::clone(prepared)))
    }

    /// Notes that a test case has ended. `new_end` is the index from which on no case is started any more; `None` if the
    /// case does not change it.
    pub(super) fn case_ended(&mut self, new_end: Option<usize>) {
        if let Stage::Running { end, running, .. } = self {
            *running -= 1;
            *end = new_end.map_or(*end, |new_end| new_end.min(*end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state in which every submission in `ends` is built and has so many test cases; 0 means that it is not built.
    fn state(ends: &[usize]) -> State {
        let prepared = || Arc::new(PreparedSubmission { program: None, cached_results: None });
        let stage = |end| if end == 0 { Stage::Waiting } else { Stage::running(prepared(), end) };
        State { stages: ends.iter().map(|&end| stage(end)).collect(), ..State::new(0) }
    }

    /// Takes `count` tasks and describes them: `build 1`, or `0 on 3`.
    fn taken(state: &mut State, stops_at_failure: bool, count: usize) -> Vec<String> {
        let task = |state: &mut State| match state.take_task(1, stops_at_failure) {
            None => "nothing".to_owned(),
            Some(Task::Build(index)) => format!("build {index}"),
            Some(Task::Case(index, case, _)) => format!("{index} on {case}"),
        };
        (0..count).map(|_| task(state)).collect()
    }

    #[test]
    fn a_worker_prefers_work_that_no_failure_can_make_useless() {
        assert_eq!(taken(&mut state(&[3, 3]), true, 4), ["0 on 0", "1 on 0", "0 on 1", "0 on 2"]);
        assert_eq!(taken(&mut state(&[3, 0, 0]), true, 4), ["0 on 0", "build 1", "0 on 1", "0 on 2"]);
    }

    #[test]
    fn once_a_case_has_ended_the_next_one_is_certainly_needed() {
        let mut state = state(&[3, 3]);
        assert_eq!(taken(&mut state, true, 2), ["0 on 0", "1 on 0"]);
        state.stages[0].case_ended(None);
        state.stages[1].case_ended(Some(1));
        assert_eq!(taken(&mut state, true, 3), ["0 on 1", "0 on 2", "nothing"]);
    }

    #[test]
    fn cases_run_in_order_if_all_of_them_are_needed() {
        assert_eq!(taken(&mut state(&[2, 2, 0]), false, 5), ["0 on 0", "0 on 1", "1 on 0", "1 on 1", "nothing"]);
    }
}
