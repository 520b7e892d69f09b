//! Judges all submissions on all test cases: plans the run, distributes it over worker threads, and repeats
//! measurements.

pub(crate) mod mailbox;
pub(crate) mod plan;
pub(crate) mod remeasure;
pub(crate) mod reorder;
pub(crate) mod retry;
pub(crate) mod schedule;
mod settling;
mod stages;
pub(crate) mod tally;

use std::time::Instant;

use referee_event::{Event, PartOfCases, RunFinished, RunStarted, TimeLimitSource};
use referee_package::TestCase;

use crate::cache::fingerprint;
use crate::cache::results::ResultCache;
use crate::enforcement::enforcement;
use crate::session::{Session, refuse_unsupported};
use crate::validator::{self, grader};
use crate::{JudgeError, Submission, Summary};
use plan::RunPlan;

impl Session<'_> {
    /// Judges `submissions` on `cases`, and passes each event of the run to `report`. If [`crate::Settings::partition`]
    /// is set, judges only the submissions of that part. The order of events follows the order of submissions and test
    /// cases for any number of jobs. Fails if the judge itself fails, or if it does not support this type of package.
    pub fn grade(
        &self,
        cases: &[TestCase],
        submissions: &[Submission],
        report: &mut dyn FnMut(Event),
    ) -> Result<Summary, JudgeError> {
        let (started, settings) = (Instant::now(), &*self.settings);
        refuse_unsupported(self.package)?;
        let own = submissions.iter().enumerate().filter(|(index, _)| settings.judges(*index));
        let own: Vec<_> = own.map(|(_, submission)| submission.clone()).collect();
        report(Event::RunStarted(RunStarted {
            submissions: Some(submissions.len()),
            submissions_digest: Some(fingerprint::of_submissions(submissions)),
            ..self.run_started(cases, &own)
        }));
        let summary = self.judge_all(cases, &own, report)?;
        report(Event::RunFinished(RunFinished {
            as_wanted: summary.as_wanted(),
            submissions: summary.submissions,
            skipped: summary.skipped,
            unjudged: summary.unjudged,
            cases_run: summary.cases_run,
            wall_seconds: started.elapsed().as_secs_f64(),
        }));
        Ok(summary)
    }

    /// Returns the event of the run's start. `submissions` are those that this run judges: all submissions, or one part
    /// of them.
    fn run_started(&self, cases: &[TestCase], submissions: &[Submission]) -> RunStarted {
        let (package, settings) = (self.package, &*self.settings);
        let judged = submissions.iter().filter(|submission| submission.left_out.is_none());
        let works = RunPlan::new(package, cases, settings).works.len();
        let all = package.cases.len() + package.static_tests.len();
        let is_measured = settings.time_limit.source() == TimeLimitSource::Measured;
        RunStarted {
            package: package.name.clone(),
            jobs: settings.jobs,
            seed: None,
            sandbox: Some(enforcement(settings.sandbox)),
            planned: works * judged.count(),
            cases: works,
            part_of_cases: (works < all).then_some(PartOfCases { used: works, all }),
            time_limit: Some(settings.time_limit),
            memory_limit_bytes: Some(settings.limits.memory_bytes),
            submissions: Some(submissions.len()),
            partition: settings.partition,
            submissions_digest: None,
            cases_digest: Some(fingerprint::of_cases(cases, settings)),
            time_limit_basis: is_measured.then(|| fingerprint::time_limit_basis(package, settings)),
            has_declared: submissions.iter().any(tally::declares),
        }
    }

    /// Judges `submissions` on `cases`. Reports builds, test cases, test groups and submissions, but neither the start
    /// nor the end of a run.
    pub fn judge_all(
        &self,
        cases: &[TestCase],
        submissions: &[Submission],
        report: &mut dyn FnMut(Event),
    ) -> Result<Summary, JudgeError> {
        let (package, settings, site) = (self.package, &*self.settings, self.site());
        let may_use = |one: &&Submission| one.left_out.is_none() && settings.languages.prepares_for(&one.path);
        site.prepared.expect(submissions.iter().filter(may_use).count());
        let validator = self.validator(cases)?;
        let static_validator = validator::prepare_static(package, settings, site)?;
        let plan = RunPlan::new(package, cases, settings);
        let grader = if plan.needs_grader() { grader::prepare(package, settings, site)? } else { None };
        let result_cache = ResultCache::open(package, cases, settings, validator.ingredients(settings));
        let run = schedule::Run {
            session: self,
            plan,
            submissions,
            validator: &validator,
            static_validator: static_validator.as_ref(),
            grader: grader.as_ref(),
            result_cache: result_cache.as_ref(),
            gate: remeasure::ExclusiveGate::new(),
        };
        schedule::run(&run, report)
    }
}
