//! What the jury's own submissions say of the time limit (format 2025-09, "Limits"; legacy, "limits").
//!
//! The slowest run that must keep the limit bounds it from below, and where a package states none the limit follows
//! from it. A submission that must exceed the limit bounds it from above by its slowest case; how long that takes is
//! only looked at as far as it matters.

use std::time::Duration;

use super::{JudgeError, Settings, Submission, judge_all};
use crate::event::{CaseFinished, Event};
use crate::package::{Package, TestCase};
use crate::verdict::{TimeBound, Verdict};

/// What no submission that bounds the time limit may take while it is measured.
const LONGEST: Duration = Duration::from_secs(60);

/// A time limit and what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The time limit.
    pub limit: Duration,
    /// The CPU time of the slowest run that it must allow.
    pub slowest: Duration,
    /// Whose run that was.
    pub submission: String,
    /// On which test case.
    pub case: String,
}

/// How long a submission takes that must exceed the time limit, as far as was looked.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The submission.
    pub submission: String,
    /// The slowest case seen; `None` if it could not be judged on any.
    pub case: Option<String>,
    /// The CPU time of that case, or what it was stopped at.
    pub seconds: f64,
    /// Whether it was stopped there: it takes longer.
    pub is_more: bool,
}

/// Runs the submissions that must not exceed the time limit on all cases, and gives the slowest of them its margin.
pub fn measure_time_limit(
    package: &Package,
    settings: &Settings,
    seen: &mut dyn FnMut(&CaseFinished),
) -> Result<Measured, JudgeError> {
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Lower);
    let submissions: Vec<_> = Submission::of_jury(package).into_iter().filter(bounding).collect();
    let settings = Settings { time: LONGEST, all_cases: true, ..settings.clone() };
    let mut slowest: Option<(Duration, String, String)> = None;
    let mut too_slow = None;
    let mut report = |event: Event| {
        let Event::CaseFinished(run) = event else { return };
        seen(&run);
        let submission = submissions.iter().find(|submission| submission.name == run.submission);
        if !submission.is_some_and(|submission| submission.bounds_on(TimeBound::Lower, &run.case)) {
            return;
        }
        if run.verdict == Verdict::TimeLimitExceeded {
            too_slow.get_or_insert((run.submission.clone(), run.case.clone()));
        }
        let Some(cpu) = run.cpu_seconds.map(Duration::from_secs_f64) else { return };
        if slowest.as_ref().is_none_or(|(longest, ..)| cpu > *longest) {
            slowest = Some((cpu, run.submission, run.case));
        }
    };
    judge_all(package, &package.cases, &submissions, &settings, &mut report)?;
    if let Some((submission, case)) = too_slow {
        return Err(JudgeError::Package(format!(
            "the package {} states no time limit, and {submission}, which must keep it, took more than {} s on {case}",
            package.name,
            LONGEST.as_secs()
        )));
    }
    let (slowest, submission, case) = slowest.ok_or_else(|| {
        JudgeError::Package(format!(
            "the package {} states no time limit, and there is no submission to measure it by",
            package.name
        ))
    })?;
    Ok(Measured { limit: package.timing.time_limit(slowest), slowest, submission, case })
}

/// How long each submission that must exceed the time limit takes on its slowest case, up to `wanted`: one that has
/// reached it is run no further. `slow` says of a submission and a case whether it is known to be fast there, so that
/// nothing is gained by running it again.
pub fn slowest_of_upper_bounds(
    package: &Package,
    settings: &Settings,
    wanted: Duration,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Result<Vec<Reached>, JudgeError> {
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Upper);
    let submissions: Vec<_> = Submission::of_jury(package).into_iter().filter(bounding).collect();
    let settings = Settings { time: wanted, all_cases: false, ..settings.clone() };
    submissions.iter().map(|submission| reached(package, submission, &settings, is_fast)).collect()
}

fn reached(
    package: &Package,
    submission: &Submission,
    settings: &Settings,
    is_fast: &dyn Fn(&str, &str) -> bool,
) -> Result<Reached, JudgeError> {
    let mut reached = Reached { submission: submission.name.clone(), case: None, seconds: 0.0, is_more: false };
    let counts =
        |case: &&TestCase| submission.bounds_on(TimeBound::Upper, &case.name) && !is_fast(&submission.name, &case.name);
    let mut left: Vec<_> = package.cases.iter().filter(counts).cloned().collect();
    // The judge stops at the first case that is not accepted. Where that is not for its time, the others follow.
    while !left.is_empty() && !reached.is_more {
        let mut done = 0;
        judge_all(package, &left, std::slice::from_ref(submission), settings, &mut |event| {
            let Event::CaseFinished(run) = event else { return };
            done += 1;
            let is_more = run.verdict == Verdict::TimeLimitExceeded;
            // One that sleeps is stopped by the clock on the wall, and its CPU time says nothing.
            let seconds = if is_more { settings.time.as_secs_f64() } else { run.cpu_seconds.unwrap_or(0.0) };
            if reached.case.is_none() || seconds > reached.seconds || is_more {
                reached = Reached { case: Some(run.case), seconds, is_more, ..reached.clone() };
            }
        })?;
        if done == 0 {
            break;
        }
        left.drain(..done);
    }
    Ok(reached)
}

impl Submission {
    /// Whether its run times bound the time limit from that side, on whatever case.
    pub fn bounds(&self, bound: TimeBound) -> bool {
        self.expectations.iter().flatten().any(|rule| rule.time_bound == Some(bound))
    }

    /// Whether its run time on the case does.
    pub fn bounds_on(&self, bound: TimeBound, case: &str) -> bool {
        let mut rules = self.expectations.iter().flatten().filter(|rule| rule.time_bound == Some(bound));
        rules.any(|rule| rule.cases.holds(case))
    }
}
