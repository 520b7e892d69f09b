//! Measures the time limit of a package that states none.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::remember::TimeLimitCache;
use crate::settings::LONGEST_MEASURED;
use crate::{JudgeError, Session, Submission};
use referee_event::{BuildFinished, CaseFinished, Event, Measuring, SubmissionSkipped};
use referee_grading::verdict::{TimeBound, Verdict};
use referee_package::{Package, TestCase};

/// A measured time limit, and the run on which it is based.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The time limit.
    pub limit: Duration,
    /// The CPU time of the slowest run that the limit must allow.
    pub slowest: Duration,
    /// The submission of that run.
    pub submission: String,
    /// The test case of that run.
    pub case: String,
    /// The number of runs that the measurement needed, and its duration; both are zero if the limit came from the
    /// cache.
    #[serde(skip)]
    pub cost: Measuring,
}

/// The name of the cached note that contains the measured time limit.
const MEASURED: &str = "time limit";

impl Session<'_> {
    /// Returns the time limit of a package that states none. A limit that an earlier run measured comes from the cache.
    /// Otherwise the judge runs each submission on the test cases on which it must stay within the limit, and
    /// multiplies the slowest time by the package's margin. It calls `seen` with the result of every run. Fails with
    /// [`JudgeError::Package`] if the package has no submission that must stay within the limit, if none of them could
    /// be run, or if one of them takes too long.
    pub fn measured_time_limit(&self, seen: &mut dyn FnMut(&CaseFinished)) -> Result<Measured, JudgeError> {
        let cache = TimeLimitCache::open(self)?;
        if let Some(known) = cache.as_ref().and_then(|cache| cache.read(MEASURED)) {
            return Ok(known);
        }
        self.measure_and_cache(cache, seen)
    }

    /// Measures the time limit, even if the cache contains a limit, and caches the new one. Fails as
    /// [`Session::measured_time_limit`] does.
    pub fn renewed_time_limit(&self, seen: &mut dyn FnMut(&CaseFinished)) -> Result<Measured, JudgeError> {
        self.measure_and_cache(TimeLimitCache::open(self)?, seen)
    }

    fn measure_and_cache(
        &self,
        cache: Option<TimeLimitCache>,
        seen: &mut dyn FnMut(&CaseFinished),
    ) -> Result<Measured, JudgeError> {
        let measured = measure(self, seen)?;
        if let Some(cache) = cache {
            cache.store(self, MEASURED, &measured);
        }
        Ok(measured)
    }

    /// Returns the time limit that an earlier run measured; `None` if there is none, or if anything that the limit
    /// depends on has changed.
    pub fn remembered_time_limit(&self) -> Result<Option<Measured>, JudgeError> {
        Ok(TimeLimitCache::open(self)?.and_then(|cache| cache.read(MEASURED)))
    }
}

fn measure(session: &Session<'_>, seen: &mut dyn FnMut(&CaseFinished)) -> Result<Measured, JudgeError> {
    let (package, started) = (session.package, Instant::now());
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Lower);
    let submissions: Vec<_> = Submission::of_jury(package).into_iter().filter(bounding).collect();
    let (mut slowest, mut runs) = (Slowest::default(), 0);
    let mut report = |event: Event| match event {
        Event::BuildFinished(BuildFinished { submission, ok: false, message, .. }) => {
            slowest.add_unmeasured(&submission, "cannot be built", message.as_deref());
        }
        Event::SubmissionSkipped(SubmissionSkipped { submission, reason, .. }) => {
            slowest.add_unmeasured(&submission, "is not judged", Some(&reason));
        }
        Event::CaseFinished(run) => {
            runs += usize::from(!run.cached);
            seen(&run);
            slowest.add_run(&submissions, run);
        }
        _ => {}
    };
    let session = session.with(session.settings.for_measuring());
    for (cases, bounding) in by_cases(package, &submissions) {
        session.judge_all(&cases, &bounding, &mut report)?;
    }
    let cost = Measuring { runs, seconds: started.elapsed().as_secs_f64() };
    let (slowest, submission, case) = slowest.measured().map_err(|reason| {
        JudgeError::Package(format!(
            "the package {} states no time limit, and the judge cannot measure one: {reason}",
            package.name
        ))
    })?;
    Ok(Measured { limit: package.timing.time_limit(slowest), slowest, submission, case, cost })
}

/// Groups the submissions by the test cases on which they must stay within the limit. On its other test cases, a
/// submission may take as long as it likes, so it is not run on them.
pub(super) fn by_cases(package: &Package, submissions: &[Submission]) -> Vec<(Vec<TestCase>, Vec<Submission>)> {
    let mut groups: Vec<(Vec<TestCase>, Vec<Submission>)> = Vec::new();
    for submission in submissions {
        let counts = |case: &&TestCase| submission.bounds_on(TimeBound::Lower, &case.name);
        let cases: Vec<_> = package.cases.iter().filter(counts).cloned().collect();
        match groups.iter_mut().find(|(known, _)| *known == cases) {
            Some((_, group)) => group.push(submission.clone()),
            None => groups.push((cases, vec![submission.clone()])),
        }
    }
    groups
}

/// The facts about the runs that must stay within the limit.
#[derive(Default)]
pub(super) struct Slowest {
    /// The slowest run: its CPU time, submission and test case; `None` if no run has a CPU time.
    pub(super) run: Option<(Duration, String, String)>,
    /// The first run that the judge stopped: its submission and test case; `None` if the judge stopped none.
    pub(super) stopped: Option<(String, String)>,
    /// The first reason why a submission or a run has no time; `None` if there is a time for all of them.
    pub(super) unmeasured: Option<String>,
}

impl Slowest {
    pub(super) fn add_run(&mut self, submissions: &[Submission], run: CaseFinished) {
        let submission = submissions.iter().find(|submission| submission.name == run.submission);
        if !submission.is_some_and(|submission| submission.bounds_on(TimeBound::Lower, &run.case)) {
            return;
        }
        if run.verdict == Verdict::TimeLimitExceeded {
            self.stopped.get_or_insert((run.submission.clone(), run.case.clone()));
        }
        let Some(cpu) = run.cpu_seconds.map(Duration::from_secs_f64) else {
            let what = format!("was not run on {} ({})", run.case, run.verdict);
            self.add_unmeasured(&run.submission, &what, run.message.as_deref());
            return;
        };
        if self.run.as_ref().is_none_or(|(longest, ..)| cpu > *longest) {
            self.run = Some((cpu, run.submission, run.case));
        }
    }
    /// Adds a submission without a time. `what` says what happened to it, and `why` is the reason. If the reason has
    /// several lines, such as a compiler's message, only the first line with an error is stored.
    pub(super) fn add_unmeasured(&mut self, submission: &str, what: &str, why: Option<&str>) {
        let mut lines = why.unwrap_or_default().lines().filter(|line| !line.trim().is_empty());
        let with_error = lines.clone().find(|line| line.to_lowercase().contains("error"));
        let why = with_error.or_else(|| lines.next());
        let why = why.map(|why| format!(": {}", why.trim())).unwrap_or_default();
        self.unmeasured.get_or_insert_with(|| format!("{submission} {what}{why}"));
    }

    /// Returns the CPU time, the submission and the test case of the slowest run. Fails with the reason why no run
    /// determines the limit.
    pub(super) fn measured(self) -> Result<(Duration, String, String), String> {
        match self {
            Slowest { stopped: Some((submission, case)), .. } => Err(format!(
                "{submission} must stay within the time limit but took more than {} s on {case}",
                LONGEST_MEASURED.as_secs()
            )),
            Slowest { run: Some(run), .. } => Ok(run),
            Slowest { unmeasured: Some(reason), .. } => {
                Err(format!("no submission that must stay within the time limit was run; {reason}"))
            }
            Slowest { .. } => {
                Err("the package has no submission that must stay within the time limit, such as one in \
                                   submissions/accepted"
                    .to_owned())
            }
        }
    }
}
