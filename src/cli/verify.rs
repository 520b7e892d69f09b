//! `referee verify`: checks a package before it is published.

#[cfg(test)]
mod tests;
mod unusable;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::common::{ReportArguments, Reports};
use super::judging::JudgingArguments;
use super::open::{self, Opened, Unopened};
use super::{Exit, Failure};
use crate::puzzles::proof::ReferenceProver;
use referee_event::{Event, RunFinished, RunStarted};
use referee_judge::{self as judge, RunUntil, Settings};
use referee_language::Table;
use referee_package::{self as package, Package};
use referee_report::progress;
use referee_verify::{self as verify, Check, Verified, VerifyPlan, Watch};

/// Check everything about a package before publishing it
///
/// Findings are errors, warnings or notes. Every program of the package runs in the sandbox. Exit code 0: no error, 1:
/// errors, 2: a package cannot be read.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// Package folders, .zip or .kpp files, or bundled packages
    #[arg(required = true)]
    packages: Vec<PathBuf>,

    /// Run only these checks
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = check, conflicts_with = "skip")]
    only: Vec<Check>,

    /// Run all checks except these
    #[arg(long, value_name = "CHECK", value_delimiter = ',', value_parser = check)]
    skip: Vec<Check>,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    /// Measure the time limit with the submissions and write it into the package, if it suits all of them
    #[arg(long, conflicts_with = "time_limit")]
    write_time_limit: bool,

    #[command(flatten)]
    judging: JudgingArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

fn after_help() -> String {
    let checks = Check::ALL.iter().map(|check| format!("  {:<14}{}\n", check.name(), check.about()));
    let checks: String = checks.collect();
    format!(
        "Checks:\n{checks}
Examples:
  referee verify path/to/package                   everything
  referee verify --only format,inputs a b.zip      two packages, two checks
  referee verify --write-time-limit path/to/package"
    )
}

fn check(name: &str) -> Result<Check, String> {
    Check::by_name(name).ok_or_else(|| {
        let names: Vec<_> = Check::ALL.iter().map(|check| check.name()).collect();
        format!("allowed: {}", names.join(", "))
    })
}

/// The sum of the results of all packages.
#[derive(Default)]
struct Totals {
    verified: Verified,
    /// The number of packages that cannot be used.
    unusable: usize,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let languages = arguments.judging.languages()?;
    refuse_unwritable(arguments)?;
    let mut reports = arguments.reports.open(String::new())?;
    let started = Instant::now();
    reports.event(&Event::RunStarted(RunStarted {
        package: arguments.packages.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" "),
        jobs: arguments.judging.jobs(),
        sandbox: Some(judge::enforcement(arguments.judging.sandbox())),
        ..RunStarted::default()
    }));
    let mut totals = Totals::default();
    let result = arguments
        .packages
        .iter()
        .try_for_each(|path| verify_one(arguments, path, &languages, &mut reports, &mut totals));
    let exit = exit(arguments, &totals);
    if result.is_ok() {
        let verified = &totals.verified;
        reports.event(&Event::RunFinished(RunFinished {
            as_wanted: exit == Exit::AsExpected,
            submissions: verified.submissions,
            skipped: verified.skipped,
            unjudged: 0,
            cases_run: verified.runs,
            wall_seconds: started.elapsed().as_secs_f64(),
        }));
    }
    let reported = reports.finish();
    arguments.judging.warn_of_shared_cache();
    result?;
    reported?;
    Ok(exit)
}

/// Fails if --write-time-limit is given with a bundled package or an archive. `verify` works on a temporary copy of
/// such a package, so changes would be lost.
fn refuse_unwritable(arguments: &Arguments) -> Result<(), Failure> {
    let copy = arguments.packages.iter().find(|path| !path.is_dir()).filter(|_| arguments.write_time_limit);
    copy.map_or(Ok(()), |path| {
        let message = format!("--write-time-limit: {} is not a folder", path.display());
        Err(Failure::unusable(message).with_hint("give the folder of an unpacked package"))
    })
}

fn exit(arguments: &Arguments, totals: &Totals) -> Exit {
    let Verified { errors, warnings, .. } = totals.verified;
    match (totals.unusable, errors, warnings) {
        (1.., ..) => Exit::Unusable,
        (0, 1.., _) => Exit::NotAsExpected,
        (0, 0, 1..) if arguments.strict => Exit::NotAsExpected,
        (0, 0, _) => Exit::AsExpected,
    }
}

/// Verifies one package. If it is unusable, this is reported like a finding, so that the other packages are still
/// verified.
fn verify_one(
    arguments: &Arguments,
    path: &Path,
    languages: &std::sync::Arc<Table>,
    reports: &mut Reports,
    totals: &mut Totals,
) -> Result<(), Failure> {
    let opened = match arguments.judging.try_open(path)? {
        Ok(opened) => opened,
        Err(Unopened::Inaccessible(failure)) if failure.exit != Exit::Unusable => return Err(failure),
        Err(unopened) => {
            unusable::report(path, &unopened, reports);
            totals.unusable += 1;
            return Ok(());
        }
    };
    let verified = verified(arguments, path, &opened, languages, reports)?;
    if arguments.write_time_limit {
        write_limit(&opened.package, verified.time_limit)?;
    }
    add(&mut totals.verified, &verified);
    Ok(())
}

fn add(total: &mut Verified, verified: &Verified) {
    total.errors += verified.errors;
    total.warnings += verified.warnings;
    total.notes += verified.notes;
    total.submissions += verified.submissions;
    total.skipped += verified.skipped;
    total.runs += verified.runs;
}

fn verified(
    arguments: &Arguments,
    path: &Path,
    opened: &Opened,
    languages: &std::sync::Arc<Table>,
    reports: &mut Reports,
) -> Result<Verified, Failure> {
    let package = &opened.package;
    let (settings, stated) = arguments.judging.settings(
        package,
        std::sync::Arc::clone(languages),
        RunUntil::End,
        arguments.reports.is_verbose(),
    )?;
    // Cached results are not used: run times must be measured, and repeated runs compared.
    let settings = Settings { anew: true, ..settings };
    let bar = bar(arguments.reports.is_quiet());
    let plan = VerifyPlan {
        folder: open::folder(path),
        checks: checks(arguments),
        settings,
        time_limit: stated.filter(|_| !arguments.write_time_limit),
        prover: &ReferenceProver,
        watch: &Bar(&bar),
    };
    let verified = verify::verify(package, &plan, &mut |event| bar.suspend(|| reports.event(&event)));
    bar.finish_and_clear();
    verified.map_err(Failure::from_judge_error)
}

fn checks(arguments: &Arguments) -> BTreeSet<Check> {
    let wanted = |check: &Check| {
        let needed = arguments.write_time_limit && *check == Check::TimeLimits;
        let named = arguments.only.is_empty() || arguments.only.contains(check);
        needed || (named && !arguments.skip.contains(check))
    };
    Check::ALL.into_iter().filter(wanted).collect()
}

fn write_limit(package: &Package, limit: Option<Duration>) -> Result<(), Failure> {
    let Some(limit) = limit else {
        super::eprint_message(
            "",
            0,
            &format!(
                "{}: no time limit was written, because the check time-limits found no limit that suits all \
                 submissions",
                package.name
            ),
        );
        return Ok(());
    };
    let written = package::write_time_limit(package, limit)
        .map_err(|error| Failure::unusable(format!("the time limit cannot be written: {error}")))?;
    let place = written.path.display();
    super::eprint_message(
        "",
        0,
        &match &written.before {
            Some(before) if *before == written.after => {
                format!("{place}: the time limit is unchanged: {}", before.trim())
            }
            Some(before) => format!("{place}: changed '{}' to '{}'", before.trim(), written.after.trim()),
            None => format!("{place}: added '{}'", written.after.trim()),
        },
    );
    Ok(())
}

fn bar(is_quiet: bool) -> ProgressBar {
    // The bar draws nothing if standard error is not a terminal.
    let bar = progress::bar(is_quiet);
    progress::set_style(&bar);
    bar
}

struct Bar<'a>(&'a ProgressBar);

impl Watch for Bar<'_> {
    fn progress(&self, check: Check, done: usize, total: usize) {
        self.0.set_message(check.name());
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
    }
}
