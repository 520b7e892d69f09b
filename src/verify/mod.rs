//! Everything a setter wants known of a package before publishing it.
//!
//! Each [`Check`] is a file of this module and gives [`Finding`]s; [`verify`] runs those that are wanted and tells
//! what they found, as events. Programs run where the judge runs them, and no verdict is decided here: what a validator
//! says comes from [`crate::judge`]'s examiners, what a submission gets from its runs, which several checks share
//! ([`bench`]). That answers are right can be proved where a puzzle has reference solvers; this module knows none and
//! asks a [`Prover`].

mod answer_validators;
mod answers;
mod bench;
mod check;
mod determinism;
mod duplicates;
mod finding;
mod format;
#[cfg(test)]
mod given;
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
mod text_files;
mod time_limits;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::event::{Event, Gravity, VerifyCheck, VerifyFinding, VerifyFinished, VerifyStarted};
use crate::judge::{JudgeError, Settings};
use crate::package::Package;
use bench::Bench;
pub use check::Check;
pub use finding::Finding;
use finding::Outcome;
pub use proof::{Proof, Prover, WrongAnswer};

/// How to verify.
pub struct Plan<'a> {
    /// The package's folder, as the user named it; `None` if it is in none of the user's.
    pub folder: Option<PathBuf>,
    /// The checks wanted.
    pub checks: BTreeSet<Check>,
    /// How to judge. Its time limit is the one below, or measured.
    pub settings: Settings,
    /// The time limit, if somebody states it and it is not to be measured.
    pub time_limit: Option<Duration>,
    /// Who can prove answers.
    pub prover: &'a dyn Prover,
    /// Whom to tell how far it has come.
    pub watch: &'a dyn Watch,
}

/// How far it has come, for people.
pub trait Watch: Sync {
    /// `done` of `total` pieces of the check are done; `total` is 0 where nobody knows.
    fn at(&self, check: Check, done: usize, total: usize);
}

/// What was found, and the time limit that follows from the submissions.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// How many notes.
    pub notes: usize,
    /// How many submissions were judged.
    pub submissions: usize,
    /// How many were skipped.
    pub skipped: usize,
    /// How many times a submission was run on a case, to hold it to its rules.
    pub runs: usize,
    /// The time limit that gives every submission its margin, if it was sought and there is one.
    pub time_limit: Option<Duration>,
}

/// Does the checks of `plan` and tells `report` what they find.
pub fn verify(package: &Package, plan: &Plan<'_>, report: &mut dyn FnMut(Event)) -> Result<Verified, JudgeError> {
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
        let done = one(check, &bench, report)?;
        verified.errors += done.errors;
        verified.warnings += done.warnings;
        verified.notes += done.notes;
        report(Event::VerifyCheck(done.clone()));
        checks.push(done);
    }
    verified.time_limit = bench.found_limit();
    (verified.submissions, verified.skipped, verified.runs) = bench.judged();
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

fn one(check: Check, bench: &Bench<'_>, report: &mut dyn FnMut(Event)) -> Result<VerifyCheck, JudgeError> {
    let started = Instant::now();
    bench.plan.watch.at(check, 0, 0);
    let outcome = match check.run(bench, report) {
        // What is wrong with the package is what is looked for, and is told once.
        Err(JudgeError::Package(reason)) if !bench.tell_once(&reason) => Outcome::skipped(reason),
        Err(JudgeError::Package(reason)) => Outcome {
            about: "nothing".to_owned(),
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
        report(Event::VerifyFinding(told(finding, check, bench.package)));
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(VerifyCheck { name: check.name().to_owned(), about, seconds, errors, warnings, notes, skipped })
}

fn told(finding: Finding, check: Check, package: &Package) -> VerifyFinding {
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
