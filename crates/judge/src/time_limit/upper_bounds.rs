//! Measures the submissions that must exceed the time limit. A submission that exceeds it by the package's margin is
//! stopped.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::is_asleep;
use super::remember::TimeLimitCache;
use crate::{JudgeError, RunUntil, Session, Settings, Submission, wall_limit};
use referee_event::{CaseFinished, Event, Measuring, TimeLimit};
use referee_grading::verdict::{TimeBound, Verdict};
use referee_package::{Package, TestCase};

/// To find the slowest run, runs are compared by [`Reached::seconds`] or by the wall time divided by this factor,
/// whichever is larger. [`wall_limit`] contains the same factor.
const WALL_PER_CPU: f64 = 3.0;

/// The longest observed time of a submission that must exceed the time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The submission.
    pub submission: String,
    /// The slowest test case; `None` if the submission could not be judged on any.
    pub case: Option<String>,
    /// The time that counts on that test case, in seconds: the CPU time, or `wall_seconds` if `is_asleep`. If the
    /// submission was stopped, the time at which it was stopped.
    pub seconds: f64,
    /// The wall time on that test case, in seconds; `None` if the submission was stopped or not run.
    pub wall_seconds: Option<f64>,
    /// Whether the wall time counts, because it exceeds the wall limit while the CPU time is within the time limit.
    pub is_asleep: bool,
    /// Whether the submission was stopped on that test case. Its true time is then more than `seconds`.
    pub is_more: bool,
    /// Number of runs of this measurement, without cached ones.
    pub runs: usize,
}

/// A submission that must exceed the time limit, but does not exceed it by the package's margin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TooFast {
    /// The submission.
    pub submission: String,
    /// The time that counts on its slowest test case, in seconds: CPU time, or wall time if `is_asleep`.
    pub seconds: f64,
    /// The minimum time that it must take on that test case, in seconds.
    pub wanted_seconds: f64,
    /// Whether the submission mostly sleeps, so that its wall time counts.
    pub is_asleep: bool,
}

/// The name of the cached note that contains the submissions that are too fast.
const TOO_FAST: &str = "too fast";

impl Session<'_> {
    /// Returns the submissions that must exceed the time limit by the package's margin but do not, and the cost of this
    /// measurement. `limit` is the measured time limit of the same session.
    pub fn submissions_too_fast(&self, limit: Duration) -> Result<(Vec<TooFast>, Measuring), JudgeError> {
        let (cache, started) = (TimeLimitCache::open(self)?, Instant::now());
        if let Some(known) = cache.as_ref().and_then(|cache| cache.read(TOO_FAST)) {
            return Ok((known, Measuring::default()));
        }
        let session = self.with(Settings { time_limit: TimeLimit::Stated(limit), ..(*self.settings).clone() });
        let wanted = limit.mul_f64(self.package.timing.time_limit_to_tle);
        let reached = slowest_of_upper_bounds(&session, wanted, &|_, _| false)?;
        let runs = reached.iter().map(|reached| reached.runs).sum();
        let is_near = |reached: &Reached| !reached.is_more && reached.case.is_some();
        let too_fast = |reached: Reached| {
            let Reached { submission, seconds, is_asleep, .. } = reached;
            let at_least = if is_asleep { wall_limit(wanted) } else { wanted };
            TooFast { submission, seconds, wanted_seconds: at_least.as_secs_f64(), is_asleep }
        };
        let near: Vec<_> = reached.into_iter().filter(is_near).map(too_fast).collect();
        if let Some(cache) = cache {
            cache.store(self, TOO_FAST, &near);
        }
        Ok((near, Measuring { runs, seconds: started.elapsed().as_secs_f64() }))
    }
}

/// Measures each submission that must exceed the time limit of the session. Returns the time of each on its slowest
/// case. A submission that reaches the time `wanted` is stopped. `is_fast` returns whether a submission is known to be
/// fast on a test case. If so, the submission is not run on that test case.
pub fn slowest_of_upper_bounds(
    session: &Session<'_>,
    wanted: Duration,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Result<Vec<Reached>, JudgeError> {
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Upper);
    let submissions: Vec<_> = Submission::of_jury(session.package).into_iter().filter(bounding).collect();
    let limit = session.settings.time();
    let time_limit = TimeLimit::Provisional(wanted);
    let session = session.with(Settings { time_limit, run_until: RunUntil::Verdict, ..(*session.settings).clone() });
    submissions.iter().map(|submission| reached(&session, submission, limit, is_fast)).collect()
}

/// Measures one submission. `limit` is the time limit. The settings of the session contain the longer time at which the
/// submission is stopped.
fn reached(
    session: &Session<'_>,
    submission: &Submission,
    limit: Duration,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Result<Reached, JudgeError> {
    let left = upper_cases(session.package, submission, is_fast);
    let mut run = |cases: &[TestCase]| {
        let mut runs = Vec::new();
        session.judge_all(cases, std::slice::from_ref(submission), &mut |event| {
            if let Event::CaseFinished(run) = event {
                runs.push(run);
            }
        })?;
        Ok(runs)
    };
    slowest_of(&submission.name, &left, &Times { limit, wanted: session.settings.time() }, &mut run)
}

/// The time limit, and the longer time at which a submission that must exceed it is stopped.
pub(super) struct Times {
    pub(super) limit: Duration,
    pub(super) wanted: Duration,
}

/// Returns the test cases on which the submission must exceed the time limit and is not known to be fast.
pub(super) fn upper_cases(
    package: &Package,
    submission: &Submission,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Vec<TestCase> {
    let counts =
        |case: &&TestCase| submission.bounds_on(TimeBound::Upper, &case.name) && !is_fast(&submission.name, &case.name);
    package.cases.iter().filter(counts).cloned().collect()
}

/// A function that runs a submission on test cases, up to the first one that is not accepted.
type Runner<'a> = dyn FnMut(&[TestCase]) -> Result<Vec<CaseFinished>, JudgeError> + 'a;

/// Returns the slowest run of a submission. `run` stops at the first test case that is not accepted. If `run` stopped
/// for a reason other than the time, another call runs the remaining test cases.
pub(super) fn slowest_of(
    submission: &str,
    mut left: &[TestCase],
    times: &Times,
    run: &mut Runner<'_>,
) -> Result<Reached, JudgeError> {
    let (mut reached, mut count) = (Reached::nothing(submission), 0);
    while !left.is_empty() && !reached.is_more {
        let runs = run(left)?;
        if runs.is_empty() {
            break;
        }
        left = left.get(runs.len()..).unwrap_or_default();
        for run in runs {
            count += usize::from(!run.cached);
            reached.add_run(run, times);
        }
    }
    Ok(Reached { runs: count, ..reached })
}

impl Reached {
    /// Returns the value for a submission without any run.
    pub fn nothing(submission: &str) -> Reached {
        let submission = submission.to_owned();
        Reached { submission, case: None, seconds: 0.0, wall_seconds: None, is_asleep: false, is_more: false, runs: 0 }
    }

    pub(super) fn add_run(&mut self, run: CaseFinished, times: &Times) {
        // The CPU time of a stopped run does not count: the wall limit may have stopped a program that sleeps.
        if run.verdict == Verdict::TimeLimitExceeded {
            let stopped = Reached { seconds: times.wanted.as_secs_f64(), is_more: true, ..Reached::nothing("") };
            self.replace_if_slower(Reached { case: Some(run.case), ..stopped });
        } else {
            self.see_whole(&run, times.limit);
        }
    }

    /// Takes over the times of a run that was not stopped, if it took longer than the earlier runs. `limit` is the time
    /// limit.
    pub fn see_whole(&mut self, run: &CaseFinished, limit: Duration) {
        let cpu = run.cpu_seconds.unwrap_or(0.0);
        let wall_seconds = run.wall_seconds;
        let is_asleep = is_asleep(cpu, wall_seconds, limit);
        let seconds = if is_asleep { wall_seconds.unwrap_or(cpu) } else { cpu };
        self.replace_if_slower(Reached {
            case: Some(run.case.clone()),
            seconds,
            wall_seconds,
            is_asleep,
            ..Reached::nothing("")
        });
    }

    fn replace_if_slower(&mut self, other: Reached) {
        // The wall time is compared, too. Otherwise the slowest of several runs that only sleep would not be found.
        let length = |one: &Reached| one.seconds.max(one.wall_seconds.unwrap_or(0.0) / WALL_PER_CPU);
        if self.case.is_none() || length(&other) > length(self) || other.is_more {
            *self = Reached { submission: std::mem::take(&mut self.submission), ..other };
        }
    }
}
