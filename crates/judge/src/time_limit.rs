//! What the jury's own submissions say of the time limit (format 2025-09, "Limits"; legacy, "limits").
//!
//! The slowest run that must keep the limit bounds it from below, and where a package states none the limit follows
//! from it. A submission that must exceed the limit bounds it from above by its slowest case; how long that takes is
//! only looked at as far as it matters.

use std::time::Duration;

use crate::{JudgeError, Session, Settings, Submission, wall_limit};
use referee_event::{CaseFinished, Event};
use referee_grading::verdict::{TimeBound, Verdict};
use referee_package::{Package, TestCase};

/// How much more wall time than CPU time a run may take: see [`wall_limit`].
const WALL_PER_CPU: f64 = 3.0;

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
    /// The time that counts on that case, or that it was stopped at, in seconds: the CPU time, or `wall_seconds` if
    /// `is_asleep`.
    pub seconds: f64,
    /// The wall time on that case, in seconds; `None` if it was stopped, or did not run.
    pub wall_seconds: Option<f64>,
    /// Whether the wall time decides: it exceeds the wall limit, and the CPU time keeps the time limit.
    pub is_asleep: bool,
    /// Whether it was stopped there: it takes longer.
    pub is_more: bool,
}

/// Whether a run that came to its end exceeds the time limit by its wall time and not by its CPU time, both in seconds:
/// the program sleeps.
pub fn is_asleep(cpu: f64, wall: Option<f64>, limit: Duration) -> bool {
    cpu <= limit.as_secs_f64() && wall.is_some_and(|wall| wall > wall_limit(limit).as_secs_f64())
}

/// Runs the submissions that must not exceed the time limit on all cases, and gives the slowest of them its margin.
pub fn measure_time_limit(session: &Session<'_>, seen: &mut dyn FnMut(&CaseFinished)) -> Result<Measured, JudgeError> {
    let package = session.package;
    let bounding = |submission: &Submission| submission.bounds(TimeBound::Lower);
    let submissions: Vec<_> = Submission::of_jury(package).into_iter().filter(bounding).collect();
    let settings = Settings { time: LONGEST, all_cases: true, ..(*session.settings).clone() };
    let mut slowest = Slowest::default();
    let mut report = |event: Event| {
        let Event::CaseFinished(run) = event else { return };
        seen(&run);
        slowest.see(&submissions, run);
    };
    session.with(settings).judge_all(&package.cases, &submissions, &mut report)?;
    if let Some((submission, case)) = slowest.stopped {
        return Err(JudgeError::Package(format!(
            "the package {} states no time limit, and {submission}, which must keep it, took more than {} s on {case}",
            package.name,
            LONGEST.as_secs()
        )));
    }
    let (slowest, submission, case) = slowest.run.ok_or_else(|| {
        JudgeError::Package(format!(
            "the package {} states no time limit, and there is no submission to measure it by",
            package.name
        ))
    })?;
    Ok(Measured { limit: package.timing.time_limit(slowest), slowest, submission, case })
}

/// The slowest of the runs that must keep the limit, and the first that was stopped.
#[derive(Default)]
struct Slowest {
    run: Option<(Duration, String, String)>,
    stopped: Option<(String, String)>,
}

impl Slowest {
    fn see(&mut self, submissions: &[Submission], run: CaseFinished) {
        let submission = submissions.iter().find(|submission| submission.name == run.submission);
        if !submission.is_some_and(|submission| submission.bounds_on(TimeBound::Lower, &run.case)) {
            return;
        }
        if run.verdict == Verdict::TimeLimitExceeded {
            self.stopped.get_or_insert((run.submission.clone(), run.case.clone()));
        }
        let Some(cpu) = run.cpu_seconds.map(Duration::from_secs_f64) else { return };
        if self.run.as_ref().is_none_or(|(longest, ..)| cpu > *longest) {
            self.run = Some((cpu, run.submission, run.case));
        }
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
    let limit = session.settings.time;
    let session = session.with(Settings { time: wanted, all_cases: false, ..(*session.settings).clone() });
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
    slowest_of(&submission.name, &left, &Times { limit, wanted: session.settings.time }, &mut run)
}

/// The time limit, and the longer time up to which a submission is run that must exceed it.
struct Times {
    limit: Duration,
    wanted: Duration,
}

/// The cases on which the submission must exceed the limit, and is not known to be fast.
fn upper_cases(package: &Package, submission: &Submission, is_fast: &dyn Fn(&str, &str) -> bool) -> Vec<TestCase> {
    let counts =
        |case: &&TestCase| submission.bounds_on(TimeBound::Upper, &case.name) && !is_fast(&submission.name, &case.name);
    package.cases.iter().filter(counts).cloned().collect()
}

/// Runs a submission on cases, until it is not accepted.
type Runner<'a> = dyn FnMut(&[TestCase]) -> Result<Vec<CaseFinished>, JudgeError> + 'a;

/// The judge stops at the first case that is not accepted. If the time is not the reason, the other cases are run as
/// well.
fn slowest_of(
    submission: &str,
    mut left: &[TestCase],
    times: &Times,
    run: &mut Runner<'_>,
) -> Result<Reached, JudgeError> {
    let mut reached = Reached::nothing(submission);
    while !left.is_empty() && !reached.is_more {
        let runs = run(left)?;
        if runs.is_empty() {
            break;
        }
        left = left.get(runs.len()..).unwrap_or_default();
        for run in runs {
            reached.see(run, times);
        }
    }
    Ok(reached)
}

impl Reached {
    /// A submission of which no run was seen.
    pub fn nothing(submission: &str) -> Reached {
        let submission = submission.to_owned();
        Reached { submission, case: None, seconds: 0.0, wall_seconds: None, is_asleep: false, is_more: false }
    }

    fn see(&mut self, run: CaseFinished, times: &Times) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::not_run;
    use Verdict::{Accepted, TimeLimitExceeded, WrongAnswer};

    const TIMES: Times = Times { limit: Duration::from_secs(2), wanted: Duration::from_secs(3) };

    fn ran(submission: &str, case: &str, verdict: Verdict, seconds: f64) -> CaseFinished {
        CaseFinished { cpu_seconds: Some(seconds), ..not_run(submission, case, verdict, String::new()) }
    }

    /// A package with secret cases 1 to 4, of which two bound the limit: 2 from below, 3 from above.
    fn package() -> (tempfile::TempDir, Package, Vec<Submission>) {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let uuid = "00000000-0000-4000-8000-00000000a00c";
        write("problem.yaml", &format!("problem_format_version: 2025-09\nname: A\nuuid: {uuid}\n"));
        let rules = "mixed/any.py:\n  secret/2: {use_for_time_limit: lower}\n  secret/3: {use_for_time_limit: upper}\n";
        write("submissions/submissions.yaml", rules);
        write("submissions/mixed/any.py", "");
        write("input_validators/any.py", "");
        for case in 1..=4 {
            write(&format!("data/secret/{case}.in"), "1\n");
            write(&format!("data/secret/{case}.ans"), "1\n");
        }
        let package = referee_package::load(folder.path()).unwrap();
        let submissions = Submission::of_jury(&package);
        (folder, package, submissions)
    }

    #[test]
    fn runs_bound_the_limit_where_a_rule_says_so() {
        let (_folder, package, submissions) = package();
        let mut slowest = Slowest::default();
        slowest.see(&submissions, ran("mixed/any.py", "secret/1", Accepted, 9.0));
        slowest.see(&submissions, ran("mixed/other.py", "secret/2", TimeLimitExceeded, 9.0));
        assert_eq!((&slowest.run, &slowest.stopped), (&None, &None));
        for seconds in [0.2, 0.3, 0.1] {
            slowest.see(&submissions, ran("mixed/any.py", "secret/2", WrongAnswer, seconds));
        }
        let found = (Duration::from_millis(300), "mixed/any.py".to_owned(), "secret/2".to_owned());
        assert_eq!((&slowest.run, &slowest.stopped), (&Some(found), &None));
        slowest.see(&submissions, ran("mixed/any.py", "secret/2", TimeLimitExceeded, 0.1));
        assert_eq!(slowest.stopped.unwrap().1, "secret/2");
        let upper = |fast: bool| upper_cases(&package, &submissions[0], &|_, _| fast);
        assert_eq!(upper(false).iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["secret/3"]);
        assert!(upper(true).is_empty());
    }

    /// Returns what is found out if the judge stops after these runs, one time after the other, and the number of times
    /// it ran.
    fn reached(times: &[&[(&str, Verdict, f64)]]) -> (Option<String>, f64, bool, usize) {
        let (_folder, package, _) = package();
        let mut asked = 0;
        let reached = slowest_of("any.py", &package.cases, &TIMES, &mut |left| {
            let runs = times.get(asked).copied().unwrap_or_default();
            let first = runs.first().map(|(case, ..)| *case);
            assert!(first.is_none_or(|first| first == left[0].name), "it goes on where the judge stopped");
            asked += 1;
            Ok(runs.iter().map(|&(case, verdict, seconds)| ran("any.py", case, verdict, seconds)).collect())
        });
        let Reached { case, seconds, is_more, .. } = reached.unwrap();
        (case, seconds, is_more, asked)
    }

    #[test]
    fn the_slowest_case_counts_and_after_one_on_which_it_was_stopped_none_is_run() {
        let case = |name: &str| Some(name.to_owned());
        let first = [("secret/1", Accepted, 0.2), ("secret/2", WrongAnswer, 0.5)];
        let rest = [("secret/3", Accepted, 0.1), ("secret/4", Accepted, 0.4)];
        assert_eq!(reached(&[&first, &rest]), (case("secret/2"), 0.5, false, 2));
        let stopped = [("secret/3", TimeLimitExceeded, 0.1)];
        assert_eq!(reached(&[&first, &stopped]), (case("secret/3"), 3.0, true, 2));
        assert_eq!(reached(&[&first]), (case("secret/2"), 0.5, false, 2));
        assert_eq!(reached(&[]), (None, 0.0, false, 1));
    }

    #[test]
    fn wall_time_counts_where_the_wall_limit_ends_a_run_first() {
        let limit = Duration::from_secs(1);
        let counts = |cpu, wall| {
            let run = CaseFinished { wall_seconds: Some(wall), ..ran("any.py", "secret/1", Accepted, cpu) };
            let mut reached = Reached::nothing("any.py");
            reached.see_whole(&run, limit);
            (reached.seconds, reached.is_asleep)
        };
        assert_eq!(wall_limit(limit), Duration::from_secs(5));
        assert_eq!(counts(0.01, 6.0), (6.0, true), "it sleeps");
        assert_eq!(counts(0.01, 4.9), (0.01, false), "it sleeps, and keeps the limit");
        assert_eq!(counts(1.2, 6.0), (1.2, false), "it computes, on a busy machine");
    }

    #[test]
    fn a_submission_that_sleeps_longer_than_the_wall_limit_takes_its_wall_time() {
        let mut reached = Reached::nothing("");
        let sleeps = CaseFinished { wall_seconds: Some(9.0), ..ran("any.py", "secret/1", WrongAnswer, 0.01) };
        reached.see(sleeps, &TIMES);
        assert_eq!((reached.seconds, reached.is_more), (9.0, false));
    }
}
