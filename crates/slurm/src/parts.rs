//! The states of all parts, and what follows from the files and from the queue. Everything here is decided without
//! files, processes and clocks: `now` is the time since the start of the waiting.

use std::time::Duration;

use crate::folder::TaskEnd;
use crate::indices::Indices;
use crate::queue::{Task, Tasks};

/// How long a task may be missing from the queue before its part counts as lost. The files of a task that has just ended
/// can take some seconds to appear on another machine.
const GRACE: Duration = Duration::from_secs(10);

/// How long a report may be missing after the script of its task said that it is complete.
const VISIBLE: Duration = Duration::from_secs(90);

/// How long the word of a script alone is not believed. Slurm may put the task back into the queue.
const SCRIPT_ALONE: Duration = Duration::from_secs(60);

/// How long a node may clean up after a task whose script said that the task failed.
const COMPLETING: Duration = Duration::from_secs(30);

/// The delay before the first retry. Each further one waits four times as long, up to the maximum.
const FIRST_DELAY: Duration = Duration::from_secs(2);
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// The numbers of parts in each state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All parts.
    pub all: usize,
    /// Parts with a complete report.
    pub done: usize,
    /// Parts whose tasks run.
    pub running: usize,
    /// Parts that will not be submitted again.
    pub given_up: usize,
    /// Slurm's reason why most of the waiting tasks wait; empty if it is a usual one.
    pub reason: String,
}

impl Counts {
    /// Returns the number of parts that wait in the queue or for their submission.
    pub fn waiting(&self) -> usize {
        self.all - self.done - self.running - self.given_up
    }
}

/// What the files of a part say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The report is complete.
    Complete,
    /// There is a report with its final name, and it cannot be used, for this reason.
    Unusable(String),
    /// The script of a task has written how it ended.
    Ended(TaskEnd),
    /// Neither.
    Nothing,
}

/// A task that did not complete its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) part: usize,
    pub(crate) why: String,
    /// The number of failures in a row, this one included. 0 if the failure does not count.
    pub(crate) failures: u32,
    /// Whether the part will not be submitted again.
    pub(crate) is_given_up: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// The part waits for its submission, which is due at this time.
    Due {
        at: Duration,
    },
    Submitted(Submitted),
    Done,
    GivenUp {
        why: String,
    },
}

/// A part whose task is in the queue, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Submitted {
    job: u32,
    /// The last answer of the queue; `None` before the first.
    task: Option<Task>,
    /// When the queue began to say that the task has ended or is missing; `None` if it does not say so.
    gone: Option<Duration>,
    /// When the script said that the task ended with a complete report; `None` if it did not.
    claimed: Option<Duration>,
    /// When and how the script said that the task failed; `None` if it did not.
    failed: Option<(Duration, String)>,
}

#[derive(Clone, Debug)]
struct Part {
    state: State,
    /// The number of failures in a row without a new result.
    failures: u32,
    /// The largest number of results that the part had after a failure.
    most_runs: u64,
}

/// All parts of a run.
#[derive(Debug)]
pub(crate) struct Parts {
    all: Vec<Part>,
    /// The number of failures in a row after which a part is given up.
    most_failures: u32,
}

impl Parts {
    /// Returns the parts of a run. `jobs` has the job of each part that is in the queue; the other parts are due at once.
    pub(crate) fn new(jobs: &[Option<u32>], most_failures: u32) -> Parts {
        let part = |job: &Option<u32>| Part {
            state: job.map_or(State::Due { at: Duration::ZERO }, |job| State::Submitted(Submitted::new(job))),
            failures: 0,
            most_runs: 0,
        };
        Parts { all: jobs.iter().map(part).collect(), most_failures }
    }

    fn part(&mut self, number: usize) -> Option<&mut Part> {
        self.all.get_mut(number.checked_sub(1)?)
    }

    /// Returns the parts whose files are of interest: those that may become done.
    pub(crate) fn open(&self) -> Vec<usize> {
        let is_open = |part: &Part| matches!(part.state, State::Submitted(_) | State::Due { .. });
        self.numbers(is_open)
    }

    fn numbers(&self, wanted: impl Fn(&Part) -> bool) -> Vec<usize> {
        (1..).zip(&self.all).filter(|(_, part)| wanted(part)).map(|(number, _)| number).collect()
    }

    /// Returns the parts whose submission is due.
    pub(crate) fn due(&self, now: Duration) -> Indices {
        Indices::new(self.numbers(|part| matches!(part.state, State::Due { at } if at <= now)))
    }

    /// Notes that the parts were submitted.
    pub(crate) fn submitted(&mut self, parts: &Indices, job: u32) {
        for number in parts.numbers() {
            if let Some(part) = self.part(*number) {
                part.state = State::Submitted(Submitted::new(job));
            }
        }
    }

    /// Postpones the submission of parts that Slurm did not accept.
    pub(crate) fn postpone(&mut self, parts: &Indices, at: Duration) {
        for number in parts.numbers() {
            if let Some(part) = self.part(*number) {
                part.state = State::Due { at };
            }
        }
    }

    /// Considers what the files of a part say. `runs` is the number of results that the part has.
    pub(crate) fn files(&mut self, number: usize, found: Found, runs: u64, now: Duration) -> Option<Failure> {
        let most = self.most_failures;
        let part = self.part(number)?;
        match (found, &mut part.state) {
            (Found::Complete, state) => *state = State::Done,
            (Found::Unusable(why), State::Submitted(_) | State::Due { .. }) => {
                return Some(part.fail(number, why, runs, most, now));
            }
            (Found::Ended(end), State::Submitted(task)) if end.job == task.job => {
                if end.is_complete {
                    let since = *task.claimed.get_or_insert(now);
                    if now.saturating_sub(since) > VISIBLE {
                        let why = format!("its report on {} does not appear here", end.node);
                        return Some(part.fail(number, why, runs, most, now));
                    }
                } else {
                    let why = format!("exit code {} on {}", end.code, end.node);
                    let since = task.failed.get_or_insert((now, why.clone())).0;
                    // The queue normally confirms this sooner. It may not answer.
                    if now.saturating_sub(since) > SCRIPT_ALONE && task.task.is_none() {
                        return Some(part.fail(number, why, runs, most, now));
                    }
                }
            }
            // A task that Slurm has started again removes the word of the earlier one.
            (Found::Nothing, State::Submitted(task)) => task.failed = None,
            _ => {}
        }
        None
    }

    /// Considers the queue. Returns the parts that have failed. `runs` returns the number of results of a part.
    pub(crate) fn queue(&mut self, tasks: &Tasks, runs: &dyn Fn(usize) -> u64, now: Duration) -> Vec<Failure> {
        let most = self.most_failures;
        let mut failures = Vec::new();
        for (number, part) in (1..).zip(&mut self.all) {
            let State::Submitted(task) = &mut part.state else { continue };
            let found = tasks.get(&(task.job, number));
            let verdict = task.verdict(found, now);
            task.task = found.cloned();
            match verdict {
                None => {}
                Some(why) if why == "CANCELLED" => {
                    let why = "it was cancelled".to_owned();
                    failures.push(Failure { part: number, why: why.clone(), failures: 0, is_given_up: true });
                    part.state = State::GivenUp { why };
                }
                Some(why) if why == "PREEMPTED" => {
                    let why = "it was preempted".to_owned();
                    failures.push(Failure { part: number, why, failures: 0, is_given_up: false });
                    part.state = State::Due { at: now + FIRST_DELAY };
                }
                Some(why) => failures.push(part.fail(number, why, runs(number), most, now)),
            }
        }
        failures
    }

    /// Notes that the queue gives no answer.
    pub(crate) fn queue_is_silent(&mut self) {
        for part in &mut self.all {
            if let State::Submitted(task) = &mut part.state {
                task.task = None;
            }
        }
    }

    /// Returns whether a task has probably ended, so that the queue should be asked soon.
    pub(crate) fn is_one_in_doubt(&self) -> bool {
        let in_doubt = |task: &Submitted| task.gone.is_some() || task.failed.is_some() || task.claimed.is_some();
        self.all.iter().any(|part| matches!(&part.state, State::Submitted(task) if in_doubt(task)))
    }

    /// Returns whether every part is done or given up.
    pub(crate) fn are_over(&self) -> bool {
        self.open().is_empty()
    }

    /// Returns the parts that were given up, each with the reason.
    pub(crate) fn given_up(&self) -> Vec<(usize, String)> {
        let why = |part: &Part| match &part.state {
            State::GivenUp { why } => Some(why.clone()),
            _ => None,
        };
        (1..).zip(&self.all).filter_map(|(number, part)| Some((number, why(part)?))).collect()
    }

    /// Returns the numbers of parts in each state.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts { all: self.all.len(), ..Counts::default() };
        let mut reasons = std::collections::BTreeMap::<&str, usize>::new();
        for part in &self.all {
            match &part.state {
                State::Done => counts.done += 1,
                State::GivenUp { .. } => counts.given_up += 1,
                State::Submitted(Submitted { task: Some(Task::Running | Task::Completing), .. }) => counts.running += 1,
                State::Submitted(Submitted { task: Some(Task::Waiting { reason }), .. }) if !reason.is_empty() => {
                    *reasons.entry(reason).or_default() += 1;
                }
                _ => {}
            }
        }
        let most = reasons.into_iter().max_by_key(|(_, count)| *count);
        counts.reason = most.map(|(reason, _)| reason.to_owned()).unwrap_or_default();
        counts
    }
}

impl Part {
    /// Notes a failure. The part is due again after a delay, unless it has failed too often.
    fn fail(&mut self, number: usize, why: String, runs: u64, most: u32, now: Duration) -> Failure {
        // A task that got further, and then ran into the time limit of the cluster, is no reason to give up.
        if runs > self.most_runs {
            self.failures = 0;
            self.most_runs = runs;
        }
        self.failures += 1;
        let is_given_up = self.failures >= most;
        let delay = FIRST_DELAY.saturating_mul(4_u32.saturating_pow(self.failures - 1)).min(LONGEST_DELAY);
        self.state = if is_given_up { State::GivenUp { why: why.clone() } } else { State::Due { at: now + delay } };
        Failure { part: number, why, failures: self.failures, is_given_up }
    }
}

impl Submitted {
    fn new(job: u32) -> Submitted {
        Submitted { job, task: None, gone: None, claimed: None, failed: None }
    }

    /// Returns why the part has failed, if the queue says so: `found` is the task in the queue. `None` if it has not, or
    /// not yet.
    fn verdict(&mut self, found: Option<&Task>, now: Duration) -> Option<String> {
        let word = match found {
            Some(Task::Waiting { .. } | Task::Running) => {
                self.gone = None;
                return None;
            }
            // The queue will soon say how the task ended, for example that the user cancelled it. A node that cannot be
            // cleaned up stays in this state.
            Some(Task::Completing) => {
                let (_, why) = self.failed.as_ref().filter(|(since, _)| now.saturating_sub(*since) > COMPLETING)?;
                return Some(why.clone());
            }
            Some(Task::Ended(word)) => Some(word.as_str()),
            None => None,
        };
        if let Some((_, why)) = &self.failed {
            return Some(match word {
                Some(end @ ("TIMEOUT" | "OUT_OF_MEMORY" | "DEADLINE")) => format!("{end}, {why}"),
                Some(end @ ("CANCELLED" | "PREEMPTED")) => end.to_owned(),
                _ => why.clone(),
            });
        }
        // The script said that the report is complete. The report may take some time to appear.
        if self.claimed.is_some() {
            return None;
        }
        let since = *self.gone.get_or_insert(now);
        match word {
            // Slurm says why no word of the script will come.
            Some(word) if !matches!(word, "COMPLETED" | "FAILED") => Some(word.to_owned()),
            _ if now.saturating_sub(since) < GRACE => None,
            Some(word) => Some(format!("{word} without a word of its script")),
            None => Some("Slurm lost it".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
