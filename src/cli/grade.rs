//! `referee grade`: programs against a package.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::common::{JobArguments, ReportArguments};
use super::languages::LanguageArguments;
use super::open::{self, Opened};
use super::{Exit, Failure};
use crate::judge::{self, Cache, JudgeError, Settings, Submission, Summary};
use crate::language::{Detected, Shebangs, Table};
use crate::package::glob::Glob;
use crate::package::{Package, TestCase};
use crate::sandbox::{Enforcement, Mode, Overall};

/// Judge programs on the test cases of a package
///
/// Without PROGRAM the package's own submissions are judged against their declared verdicts. A PROGRAM is judged
/// until the first test case on which it is not accepted; --all-cases goes on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee grade flipgame                     the package's own submissions
  referee grade flipgame solver.py a.out     two programs of yours
  referee grade path/to/package --cases 'sample/*' solver.cpp")]
pub(super) struct Arguments {
    /// A package's folder, or the name of a bundled one (flipgame, swapgame, solitaire, coins)
    package: PathBuf,

    /// Source files, source folders or executables
    programs: Vec<PathBuf>,

    /// Only test cases whose names match, e.g. 'secret/0*' or '{sample,secret}/1*'
    #[arg(long, value_name = "GLOB")]
    cases: Vec<String>,

    /// Judge every program on all cases
    #[arg(long)]
    all_cases: bool,

    /// CPU time per test case [default: the package's]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Memory limit [default: the package's]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,

    /// How strongly to wall programs in
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    sandbox: Mode,

    /// Compile everything anew, and keep nothing of it for the next run
    #[arg(long)]
    no_cache: bool,

    #[command(flatten)]
    languages: LanguageArguments,

    #[command(flatten)]
    jobs: JobArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

/// Longer than this no limit is meant seriously.
const LONGEST_SECONDS: f64 = 1e6;

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST_SECONDS => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("allowed: a number of seconds above 0, such as 1.5".to_owned()),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let languages = Arc::new(arguments.languages.load()?);
    let opened = open::open(&arguments.package)?;
    let settings = settings(arguments, &opened.package, Arc::clone(&languages))?;
    let cases = cases(arguments, &opened.package)?;
    let submissions = submissions(arguments, &opened, &languages)?;
    let mut reports = arguments.reports.open(heading(&opened.package, &cases, &settings))?;
    let graded = judge::grade(&opened.package, &cases, &submissions, &settings, &mut |event| reports.event(&event));
    let reported = reports.finish();
    let exit = exit(graded)?;
    reported?;
    Ok(exit)
}

fn exit(graded: Result<Summary, JudgeError>) -> Result<Exit, Failure> {
    match graded {
        Err(JudgeError::Interrupted) => Err(Failure::interrupted()),
        Err(error @ JudgeError::Package(_)) => Err(Failure::unusable(error)),
        Err(error @ JudgeError::System { .. }) => Err(Failure::judge(error)),
        Ok(summary) if summary.judge_errors > 0 => Ok(Exit::JudgeFailed),
        // A program that the user named and that was not judged must not look like success, nor must a package of
        // which nothing could be judged.
        Ok(summary) if summary.unjudged > 0 || summary.submissions == 0 => Ok(Exit::Unusable),
        Ok(summary) if !summary.as_wanted() => Ok(Exit::NotAsWanted),
        Ok(_) => Ok(Exit::AsWanted),
    }
}

fn settings(arguments: &Arguments, package: &Package, languages: Arc<Table>) -> Result<Settings, Failure> {
    let Some(time) = arguments.time_limit.or(package.limits.time) else {
        let message = format!("the package {} states no time limit", package.name);
        return Err(Failure::unusable(message).with_hint("set limits.time_limit in problem.yaml, or give --time-limit"));
    };
    let enforcement = Enforcement::of(arguments.sandbox);
    if arguments.sandbox == Mode::Strict && enforcement.overall != Overall::Full {
        let message = format!("--sandbox strict: not wholly enforced here: {}", enforcement.missing().join(" "));
        let first = enforcement.parts.values().find_map(|part| part.remedy.as_ref());
        let remedy = first.map(|remedy| format!("{remedy}\n")).unwrap_or_default();
        return Err(Failure::unusable(message)
            .with_hint(format!("{remedy}`referee doctor` says more; --sandbox auto goes on with what there is")));
    }
    let mut limits = package.limits;
    if let Some(mib) = arguments.memory {
        limits.memory_bytes = mib << 20;
    }
    Ok(Settings {
        jobs: arguments.jobs.count(),
        time,
        limits,
        // Whether a jury's program does as declared is only known when every case has been run.
        all_cases: arguments.all_cases || arguments.programs.is_empty(),
        file_writing: package.file_writing,
        sandbox: arguments.sandbox,
        languages,
        shebangs: Shebangs::Ignored,
        cache: cache(arguments),
    })
}

/// Without a cache everything goes on; who wants to know why gets told.
fn cache(arguments: &Arguments) -> Option<Arc<Cache>> {
    if arguments.no_cache {
        return None;
    }
    let tell = |reason: &String| {
        if arguments.reports.is_verbose() {
            super::note(format_args!("what compilers make is not kept: {reason}"));
        }
    };
    Cache::of_user().inspect_err(tell).ok().map(Arc::new)
}

fn cases(arguments: &Arguments, package: &Package) -> Result<Vec<TestCase>, Failure> {
    let globs: Vec<_> = arguments
        .cases
        .iter()
        .map(|pattern| Glob::new(pattern))
        .collect::<Result<_, _>>()
        .map_err(Failure::unusable)?;
    let wanted = |case: &&TestCase| globs.is_empty() || globs.iter().any(|glob| glob.matches(&case.name));
    let cases: Vec<_> = package.cases.iter().filter(wanted).cloned().collect();
    if cases.is_empty() {
        let message = format!("no test case matches --cases {}", arguments.cases.join(" "));
        let some = package.cases.iter().take(3).map(|case| case.name.as_str()).collect::<Vec<_>>().join(", ");
        let more = if package.cases.len() > 3 { ", ..." } else { "" };
        return Err(
            Failure::unusable(message).with_hint(format!("there are {} cases: {some}{more}", package.cases.len()))
        );
    }
    Ok(cases)
}

fn submissions(arguments: &Arguments, opened: &Opened, languages: &Table) -> Result<Vec<Submission>, Failure> {
    if !arguments.programs.is_empty() {
        let programs: Vec<_> = arguments.programs.iter().map(|path| named(path)).collect::<Result<_, _>>()?;
        if let [only] = programs.as_slice() {
            refuse_unknown(only, languages)?;
        }
        return Ok(programs);
    }
    let package = &opened.package;
    if package.submissions.is_empty() {
        let message = format!("the package {} has no submissions of its own", package.name);
        return Err(Failure::unusable(message).with_hint("name the programs to judge after the package"));
    }
    let jury = package.submissions.iter().map(|submission| Submission {
        name: submission.name.clone(),
        path: submission.path.clone(),
        language: submission.language.clone(),
        entry_point: submission.entry_point.clone(),
        expectations: Some(submission.expectations.clone()),
    });
    Ok(jury.collect())
}

fn named(path: &Path) -> Result<Submission, Failure> {
    let unusable = |error| Failure::unusable(format!("{}: {error}", path.display()));
    path.metadata().map_err(unusable)?;
    let absolute = std::path::absolute(path).map_err(unusable)?;
    // A file's name is its author's choice, too, and must not reach the terminal as it is.
    let name = path.display().to_string().replace(char::is_control, "?");
    Ok(Submission { name, path: absolute, language: None, entry_point: None, expectations: None })
}

/// Of one program the user is told at once that it cannot be judged; among many it is skipped, and the others judged.
fn refuse_unknown(program: &Submission, languages: &Table) -> Result<(), Failure> {
    if !matches!(languages.detect(&program.path, None, Shebangs::Ignored), Detected::Unknown) {
        return Ok(());
    }
    let message = format!("{}: no source of a known language, and not an executable", program.name);
    Err(Failure::unusable(message).with_hint(format!("known: {}", languages.endings())))
}

fn heading(package: &Package, cases: &[TestCase], settings: &Settings) -> String {
    let plural = if cases.len() == 1 { "" } else { "s" };
    let seconds = settings.time.as_secs_f64();
    format!("{} ({}): {} case{plural}, time limit {seconds} s", package.title, package.name, cases.len())
}
