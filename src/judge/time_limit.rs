//! The time limit of a package that states none: it follows from how long the jury's own submissions take.

use std::time::Duration;

use super::{JudgeError, Settings, Submission, judge_all};
use crate::event::{CaseFinished, Event};
use crate::package::Package;
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

/// Runs the submissions that must not exceed the time limit on all cases, and gives the slowest of them its margin.
pub fn measure_time_limit(
    package: &Package,
    settings: &Settings,
    seen: &mut dyn FnMut(&CaseFinished),
) -> Result<Measured, JudgeError> {
    let submissions: Vec<_> = Submission::of_jury(package).into_iter().filter(bounds_from_below).collect();
    let settings = Settings { time: LONGEST, all_cases: true, ..settings.clone() };
    let mut slowest: Option<(Duration, String, String)> = None;
    let mut too_slow = None;
    let mut report = |event: Event| {
        let Event::CaseFinished(run) = event else { return };
        seen(&run);
        let submission = submissions.iter().find(|submission| submission.name == run.submission);
        if !submission.is_some_and(|submission| speaks_of(submission, &run.case)) {
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

fn bounds_from_below(submission: &Submission) -> bool {
    submission.expectations.iter().flatten().any(|rule| rule.time_bound == Some(TimeBound::Lower))
}

fn speaks_of(submission: &Submission, case: &str) -> bool {
    let mut lower = submission.expectations.iter().flatten().filter(|rule| rule.time_bound == Some(TimeBound::Lower));
    lower.any(|rule| rule.cases.holds(case))
}
