//! How long the submissions take that must exceed the time limit. They are run only as long as it matters.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::is_asleep;
use super::remember::Memory;
use crate::{JudgeError, Session, Settings, Submission, wall_limit};
use referee_event::{CaseFinished, Event, Measuring, TimeLimit};
use referee_grading::verdict::{TimeBound, Verdict};
use referee_package::{Package, TestCase};

/// How much more wall time than CPU time a run may take: see [`wall_limit`].
const WALL_PER_CPU: f64 = 3.0;

/// How long a submission takes that must exceed the time limit, as far as was looked.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The submission.
    pub submission: String,
    /// The slowest case seen; `None` if it could not be judged on any.
    pub case: Option<String>,
    /// The time that counts on that case, or that it was stopped at, in seconds: the CPU time, or `wall_seconds` if
    /// `is_asleep`.
    pub seconds: f64,
    /// The wall time on that case, in seconds; `None` if it was stopped, or did not run.
    pub wall_seconds: Option<f64>,
    /// Whether the wall time decides: it exceeds the wall limit, and the CPU time keeps the time limit.
    pub is_asleep: bool,
    /// Whether it was stopped there: it takes longer.
    pub is_more: bool,
    /// How many runs it took to find out, without those that are remembered.
    pub runs: usize,
}

/// A submission that must exceed the time limit, and does not exceed it by enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TooFast {
    /// The submission.
    pub submission: String,
    /// The time that counts on its slowest case, in seconds: CPU time, or wall time if `is_asleep`.
    pub seconds: f64,
    /// How long it must take at least on that case.
    pub wanted_seconds: f64,
    /// Whether it sleeps, so that its wall time counts.
    pub is_asleep: bool,
}

/// The name under which these submissions are remembered.
const TOO_FAST: &str = "too fast";

impl Session<'_> {
    /// Returns the submissions that must exceed the time limit by the package's margin and do not, and what it cost to
    /// find out. The measured limit `limit` is that of the same session.
    pub fn submissions_too_fast(&self, limit: Duration) -> Result<(Vec<TooFast>, Measuring), JudgeError> {
        let (memory, started) = (Memory::open(self)?, Instant::now());
        if let Some(known) = memory.as_ref().and_then(|memory| memory.read(TOO_FAST)) {
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
        if let Some(memory) = memory {
            memory.keep(self, TOO_FAST, &near);
        }
        Ok((near, Measuring { runs, seconds: started.elapsed().as_secs_f64() }))
    }
}

/// How long each submission that must exceed the time limit of the settings takes on its slowest case, up to `wanted`:
/// one that has reached it is run no further. `is_fast` says of a submission and a case whether it is known to be fast
/// there, so that nothing is gained by running it again.
pub fn slowest_of_upper_bounds(
    session: &Session<'_>,
    wanted: Duration,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Result<Vec<Reached>, JudgeError> {
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Upper);
    let submissions: Vec<_> = Submission::of_jury(session.package).into_iter().filter(bounding).collect();
    let limit = session.settings.time();
    let time_limit = TimeLimit::Provisional(wanted);
    let session = session.with(Settings { time_limit, all_cases: false, ..(*session.settings).clone() });
    submissions.iter().map(|submission| reached(&session, submission, limit, is_fast)).collect()
}

/// The settings of the session have the time that is wanted in place of the time limit, `limit`.
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

/// The time limit, and the longer time up to which a submission is run that must exceed it.
pub(super) struct Times {
    pub(super) limit: Duration,
    pub(super) wanted: Duration,
}

/// The cases on which the submission must exceed the limit, and is not known to be fast.
pub(super) fn upper_cases(
    package: &Package,
    submission: &Submission,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Vec<TestCase> {
    let counts =
        |case: &&TestCase| submission.bounds_on(TimeBound::Upper, &case.name) && !is_fast(&submission.name, &case.name);
    package.cases.iter().filter(counts).cloned().collect()
}

/// Runs a submission on cases, until it is not accepted.
type Runner<'a> = dyn FnMut(&[TestCase]) -> Result<Vec<CaseFinished>, JudgeError> + 'a;

/// The judge stops at the first case that is not accepted. If the time is not the reason, the other cases are run as
/// well.
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
            reached.see(run, times);
        }
    }
    Ok(Reached { runs: count, ..reached })
}

impl Reached {
    /// A submission of which no run was seen.
    pub fn nothing(submission: &str) -> Reached {
        let submission = submission.to_owned();
        Reached { submission, case: None, seconds: 0.0, wall_seconds: None, is_asleep: false, is_more: false, runs: 0 }
    }

    pub(super) fn see(&mut self, run: CaseFinished, times: &Times) {
        // The wall limit stops a program that sleeps, whose CPU time says nothing.
        if run.verdict == Verdict::TimeLimitExceeded {
            let stopped = Reached { seconds: times.wanted.as_secs_f64(), is_more: true, ..Reached::nothing("") };
            self.take(Reached { case: Some(run.case), ..stopped });
        } else {
            self.see_whole(&run, times.limit);
        }
    }

    /// Takes over a run that came to its end, if it took longer than those seen before.
    pub fn see_whole(&mut self, run: &CaseFinished, limit: Duration) {
        let cpu = run.cpu_seconds.unwrap_or(0.0);
        let wall_seconds = run.wall_seconds;
        let is_asleep = is_asleep(cpu, wall_seconds, limit);
        let seconds = if is_asleep { wall_seconds.unwrap_or(cpu) } else { cpu };
        self.take(Reached { case: Some(run.case.clone()), seconds, wall_seconds, is_asleep, ..Reached::nothing("") });
    }

    fn take(&mut self, other: Reached) {
        // Of runs that took no CPU time to speak of, the one with the longest wall time is the slowest.
        let length = |one: &Reached| one.seconds.max(one.wall_seconds.unwrap_or(0.0) / WALL_PER_CPU);
        if self.case.is_none() || length(&other) > length(self) || other.is_more {
            *self = Reached { submission: std::mem::take(&mut self.submission), ..other };
        }
    }
}
