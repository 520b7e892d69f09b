//! Checks a package for problems that a setter should know before publishing it.
//!
//! Each [`Check`] is a module of this crate and returns [`Finding`]s. [`verify`] runs the requested checks and reports
//! their findings as events. The judge ([`referee_judge`]) runs all programs and decides all verdicts; its examiners
//! run validators without a submission. Several checks share the results of the submissions' runs ([`mod@bench`]). For
//! puzzles with reference solvers, a [`Prover`] can prove answers correct; this crate itself knows no puzzle.

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

mod answer_validators;
mod answers;
mod bench;
mod check;
mod determinism;
mod duplicates;
mod finding;
mod format;
mod inputs;
mod junk_inputs;
mod junk_outputs;
mod margins;
mod matrix;
mod mutations;
mod needs;
mod proof;
mod samples;
mod submissions;
#[cfg(test)]
referee_sandbox::init_before_main!(referee_judge::SANDBOX);

#[cfg(test)]
mod test_support;
mod text_files;
mod time_limits;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bench::Bench;
pub use check::Check;
pub use finding::Finding;
use finding::Outcome;
pub use proof::{Proof, Prover, WrongAnswer};
use referee_event::{Event, Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyStarted};
use referee_files::stop;
use referee_judge::{JudgeError, Settings};
use referee_package::Package;

/// The settings of a verification.
pub struct VerifyPlan<'a> {
    /// The path of the package's folder, as the user gave it; `None` if the package is not a folder.
    pub folder: Option<PathBuf>,
    /// The requested checks.
    pub checks: BTreeSet<Check>,
    /// The judge's settings. The stated or measured time limit replaces the one in these settings.
    pub settings: Settings,
    /// The time limit that the user or the package states; `None` if it must be measured.
    pub time_limit: Option<Duration>,
    /// Proves the answers of test cases correct.
    pub prover: &'a dyn Prover,
    /// Receives the progress.
    pub watch: &'a dyn Watch,
}

/// Receives the progress of the checks.
pub trait Watch: Sync {
    /// The check has done `done` of `total` steps; `total` is 0 if it is unknown.
    fn progress(&self, check: Check, done: usize, total: usize);
}

/// The totals of a verification, and the time limit if it suits all submissions.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of notes.
    pub notes: usize,
    /// The number of submissions that were judged.
    pub submissions: usize,
    /// The number of submissions that were skipped.
    pub skipped: usize,
    /// The number of runs; each is one submission on one test case.
    pub runs: usize,
    /// The time limit that the submissions were judged with. `None` if [`Check::TimeLimits`] did not run or reported an
    /// error, if the judge failed on a submission, or if no submission sets a lower bound for the limit.
    pub time_limit: Option<Duration>,
}

/// Runs the checks of `plan` and passes their findings to `report`. Fails if the judge fails.
pub fn verify(package: &Package, plan: &VerifyPlan<'_>, report: &mut dyn FnMut(Event)) -> Result<Verified, JudgeError> {
    let started = Instant::now();
    report(Event::VerifyStarted(VerifyStarted {
        package: package.name.clone(),
        folder: plan.folder.clone(),
        title: package.title.clone(),
        format: package.version.name().to_owned(),
        cases: package.cases.len(),
        submissions: package.submissions.len(),
    }));
    let bench = Bench::new(package, plan)?;
    let mut verified = Verified::default();
    let mut checks = Vec::new();
    for check in Check::ALL.into_iter().filter(|check| plan.checks.contains(check)) {
        let done = run_check(check, &bench, report)?;
        verified.errors += done.errors;
        verified.warnings += done.warnings;
        verified.notes += done.notes;
        report(Event::VerifyCheck(done.clone()));
        checks.push(done);
    }
    verified.time_limit = bench.suitable_limit();
    (verified.submissions, verified.skipped, verified.runs) = bench.submission_counts();
    report(Event::VerifyFinished(VerifyFinished {
        package: package.name.clone(),
        errors: verified.errors,
        warnings: verified.warnings,
        notes: verified.notes,
        checks,
        tools: bench.tools(),
        seconds: started.elapsed().as_secs_f64(),
    }));
    Ok(verified)
}

fn run_check(check: Check, bench: &Bench<'_>, report: &mut dyn FnMut(Event)) -> Result<VerifyCheck, JudgeError> {
    let started = Instant::now();
    bench.plan.watch.progress(check, 0, 0);
    let result = check.run(bench, report);
    // A check that is interrupted finds files that it cannot read. These are no faults of the package.
    if stop::is_wanted() {
        return Err(JudgeError::Interrupted);
    }
    let outcome = match result {
        // Several checks may fail for the same reason. Only the first of them reports it as a finding.
        Err(JudgeError::Package(reason)) if !bench.mark_reported(&reason) => Outcome::skipped(reason),
        Err(JudgeError::Package(reason)) => Outcome {
            about: "nothing was checked".to_owned(),
            findings: vec![Finding::error(reason)],
            skipped: Some("the package cannot be judged".to_owned()),
        },
        other => other?,
    };
    let Outcome { about, mut findings, skipped } = outcome;
    findings.sort_by_key(|finding| finding.gravity);
    let count = |gravity| findings.iter().filter(|finding| finding.gravity == gravity).count();
    let (errors, warnings, notes) = (count(Gravity::Error), count(Gravity::Warning), count(Gravity::Note));
    for finding in findings {
        report(Event::VerifyFinding(to_event(finding, check, bench.package)));
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(VerifyCheck { name: check.name().to_owned(), about, seconds, errors, warnings, notes, skipped })
}

fn to_event(finding: Finding, check: Check, package: &Package) -> VerifyFinding {
    VerifyFinding {
        package: package.name.clone(),
        check: check.name().to_owned(),
        severity: finding.gravity,
        place: finding.place,
        case: finding.case,
        submission: finding.submission,
        message: finding.message,
        hint: finding.hint,
    }
}
