//! `referee hunt`: searches for the smallest input on which a program fails.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressState};

use super::common::ReportArguments;
use super::judging::{Judging, JudgingArguments, TimeLimitFallback};
use super::numbers::{seconds, whole_number};
use super::open::{self, Opened};
use super::programs::{refuse_unknown, submission_at};
use super::{Exit, Failure, case_details, mistaken};
use crate::puzzles::agreed_answers::ReferenceAnswers;
use referee_event::{Event, HuntFinished, RunFinished, RunStarted};
use referee_grading::verdict::Verdict;
use referee_hunt::{self as hunt, CaseName, FoundCase, Hunt, HuntError, Hunted, Watch, WriteError};
use referee_judge::{self as judge, JudgeError, RunUntil, Settings, Submission};
use referee_package::{Extent, Package};
use referee_report::{Subject, progress};
use referee_sandbox::interrupt;

/// Search for the smallest input on which a program fails
///
/// For a puzzle, the reference solvers generate inputs and answer them. For any other package, inputs come from its
/// generators and from changes of its own inputs; its input validators decide which inputs are valid, and its accepted
/// submissions which answers are right. The failing input is then made smaller as long as the program fails in the same
/// way.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee hunt flipgame solver.py                  any failure
  referee hunt flipgame solver.py --for tle        an input on which it is slow
  referee hunt path/to/package a.cpp --out found   write it as a test case

Exit code 1: a failing input was found. 0: no failing input was found in the
given time.")]
pub(super) struct Arguments {
    /// A package folder, a .zip or .kpp file, or a bundled package (flipgame, swapgame, solitaire, coins)
    package: PathBuf,

    /// Source file, source folder or executable
    program: PathBuf,

    /// Search only for this kind of failure
    #[arg(long = "for", value_enum, value_name = "KIND")]
    wanted: Option<FailureArgument>,

    /// The time for the whole command: preparation, search and shrinking
    ///
    /// Preparation builds the programs, and measures the time limit if the package does not state one. Programs that
    /// still run when the time is over are stopped without a result. Only --add may take up to one time limit longer,
    /// to check the failing input.
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,

    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value = "1", value_parser = whole_number, allow_negative_numbers = true)]
    seed: u64,

    /// Write the failing input into DIR, as a test case
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Add the failing input to data/secret of the package, or to GROUP in it, if the validators accept it
    #[arg(long, value_name = "GROUP", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    add: Option<PathBuf>,

    #[command(flatten)]
    judging: JudgingArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

/// A kind of failure.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailureArgument {
    /// Wrong answer
    Wa,
    /// Time limit exceeded
    Tle,
    /// Run-time error
    Rte,
    /// Memory limit exceeded
    Mle,
    /// Output limit exceeded
    Ole,
}

impl FailureArgument {
    fn verdict(self) -> Verdict {
        match self {
            FailureArgument::Wa => Verdict::WrongAnswer,
            FailureArgument::Tle => Verdict::TimeLimitExceeded,
            FailureArgument::Rte => Verdict::RunTimeError,
            FailureArgument::Mle => Verdict::MemoryLimitExceeded,
            FailureArgument::Ole => Verdict::OutputLimitExceeded,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let started = Instant::now();
    if let Some(failure) = mistaken::swapped(&arguments.package, std::slice::from_ref(&arguments.program)) {
        return Err(failure);
    }
    let opened = arguments.judging.open(&arguments.package, Extent::WithoutValidatorTests)?;
    if arguments.reports.is_quiet() {
        opened.hide_remarks();
    }
    hunt_in(arguments, &opened, started).map_err(|failure| opened.with_count_of_remarks(failure))
}

fn hunt_in(arguments: &Arguments, opened: &Opened, started: Instant) -> Result<Exit, Failure> {
    let package = &opened.package;
    let group = arguments.add.as_ref().map(|group| group_to_add_to(&arguments.package, package, group)).transpose()?;
    let languages = arguments.judging.languages()?;
    let submission = submission_at(&arguments.program, opened)?;
    refuse_unknown(&submission, &languages)?;
    let reports = arguments.reports.prepare()?;
    let is_verbose = arguments.reports.is_verbose();
    let fallback = TimeLimitFallback::Remembered;
    let judging = arguments.judging.with_time_limit(package, languages, RunUntil::End, is_verbose, &fallback)?;
    let subject = Subject {
        heading: heading(&judging, package, &submission),
        case_details: Some(case_details::of(package)),
        doing: None,
        ..Subject::default()
    };
    let mut reports = reports.begin(subject, open::places(&arguments.package, false));
    reports.event(&Event::RunStarted(RunStarted {
        package: package.name.clone(),
        jobs: judging.settings.jobs,
        seed: Some(arguments.seed),
        sandbox: Some(judge::enforcement(judging.settings.sandbox)),
        time_limit: Some(judging.settings.time_limit),
        memory_limit_bytes: Some(judging.settings.limits.memory_bytes),
        ..RunStarted::default()
    }));
    let hunted =
        hunt_with_progress(arguments, opened, &submission, (&judging, started), &mut |event| reports.event(&event));
    let exit = hunted.and_then(|mut hunted| {
        opened.show_remarks(is_verbose);
        let written = write_case(arguments, package, (&judging, started), &hunted, group.as_deref());
        // The result is printed before any error about writing files.
        hunted.finished.written = written.as_ref().map(Clone::clone).unwrap_or_default();
        let exit = exit(&hunted.finished);
        reports.event(&Event::HuntFinished(Box::new(hunted.finished)));
        reports.event(&Event::RunFinished(RunFinished {
            as_wanted: matches!(exit, Exit::AsExpected),
            submissions: 0,
            skipped: 0,
            unjudged: 0,
            cases_run: 0,
            wall_seconds: started.elapsed().as_secs_f64(),
        }));
        written.map(|_| exit)
    });
    let reported = reports.finish();
    arguments.judging.warn_of_shared_cache();
    let exit = exit?;
    reported?;
    Ok(exit)
}

fn heading(judging: &Judging, package: &Package, submission: &Submission) -> String {
    let title = if package.title.is_empty() { &package.name } else { &package.title };
    let seconds = judging.settings.time().as_secs_f64();
    format!("{title} ({}): hunting {}, time limit {seconds} s", package.name, submission.name)
}

fn exit(finished: &HuntFinished) -> Exit {
    match finished {
        HuntFinished { interrupted: true, .. } => Exit::Interrupted,
        HuntFinished { found: true, .. } => Exit::NotAsExpected,
        _ => Exit::AsExpected,
    }
}

fn hunt_with_progress(
    arguments: &Arguments,
    opened: &Opened,
    submission: &Submission,
    (judging, started): (&Judging, Instant),
    report: &mut dyn FnMut(Event),
) -> Result<Hunted, Failure> {
    let settings = &judging.settings;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build().map_err(Failure::judge)?;
    let bar = progress::bar(arguments.reports.is_quiet());
    bar.set_style(
        progress::spinner_style("{spinner} {left}  {wide_msg}")
            .with_key("left", time_left(started + arguments.seconds)),
    );
    bar.enable_steady_tick(Duration::from_millis(200));
    let hunt = Hunt {
        package: &opened.package,
        submission,
        settings,
        answer_key: &ReferenceAnswers,
        seed: arguments.seed,
        wanted: arguments.wanted.map(FailureArgument::verdict),
        past_disputes: false,
        started,
        time: arguments.seconds,
    };
    bar.set_message("preparing");
    let view = ProgressView { bar: &bar, started: Instant::now(), shown: AtomicU64::new(0) };
    let mut events = Vec::new();
    let hunted = pool.install(|| hunt::hunt(&hunt, &view, &mut |event| events.push(event)));
    bar.finish_and_clear();
    events.into_iter().for_each(report);
    hunted.map_err(|error| match error {
        HuntError::Judge(error) => Failure::from_judge_error(error),
        HuntError::NotBuilt(reason) => Failure::unusable(format!("{} cannot be run: {reason}", submission.name)),
        error @ HuntError::OutOfTime { .. } => Failure::unusable(error).with_hint("give a larger --seconds"),
        HuntError::NoInputs => Failure::unusable(error)
            .with_hint("add a small test case to data/secret, or add to generators/ a generator that accepts a seed"),
    })
}

/// Returns a part of the bar that shows the time until `end`.
fn time_left(end: Instant) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync {
    move |_, out| {
        let left = end.saturating_duration_since(Instant::now());
        let _ = out.write_str(&progress::left_words(left));
    }
}

/// Returns the share in percent, with a decimal below ten. Rounds down, so that `100%` means that nothing is left.
fn percent(share: f64) -> String {
    let per_mille = (share * 1000.0).floor();
    if per_mille < 100.0 { format!("{:.1}%", per_mille / 10.0) } else { format!("{}%", (per_mille / 10.0).floor()) }
}

/// Shows the progress of a hunt.
struct ProgressView<'a> {
    bar: &'a ProgressBar,
    started: Instant,
    /// The time of the last update of the bar, in milliseconds since `started`.
    shown: AtomicU64,
}

/// The minimum time between two updates of the bar, in milliseconds.
const UPDATE_MILLISECONDS: u64 = 100;

impl Watch for ProgressView<'_> {
    fn tried(&self, inputs: u64, share: Option<f64>) {
        let now = self.started.elapsed();
        let milliseconds = now.as_millis() as u64;
        if milliseconds < self.shown.load(Ordering::Relaxed) + UPDATE_MILLISECONDS {
            return;
        }
        self.shown.store(milliseconds, Ordering::Relaxed);
        let rate = inputs as f64 / now.as_secs_f64().max(0.001);
        let share = share.map(|share| format!(", {} of all possible inputs", percent(share))).unwrap_or_default();
        self.bar.set_message(format!("{inputs} inputs tried{share}, {rate:.0} per second"));
    }

    fn shrunk(&self, bytes: usize) {
        self.bar.set_message(format!("found; shrunk to {bytes} bytes"));
    }

    fn stop(&self) -> bool {
        interrupt::happened()
    }
}

/// Returns the folder in the package to which the input is added. Fails if the package is not a folder or has no such
/// group. Also fails if all secret test cases are in groups and `group` names none of the groups.
pub(super) fn group_to_add_to(given: &Path, package: &Package, group: &Path) -> Result<PathBuf, Failure> {
    if !given.is_dir() {
        let message = format!("{} is not a folder, so nothing can be added to it", given.display());
        return Err(Failure::unusable(message).with_hint("give the folder of an unpacked package"));
    }
    let is_root = group == Path::new(".");
    let is_plain = is_root || group.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let names = group.components().filter(|part| matches!(part, std::path::Component::Normal(_)));
    let folder = package.root.join("data/secret").components().chain(names).collect::<PathBuf>();
    if !is_plain || !is_root && !folder.is_dir() {
        let message = format!("--add={}: there is no such folder in data/secret", group.display());
        return Err(Failure::unusable(message).with_hint(groups(package)));
    }
    let has_groups = package.cases.iter().any(|case| case.name.matches('/').count() > 1);
    let has_cases_in_root =
        package.cases.iter().any(|case| case.name.starts_with("secret/") && case.name.matches('/').count() == 1);
    if is_root && has_groups && !has_cases_in_root {
        let message = "the secret test cases of this package are in groups, but --add does not name a group";
        return Err(Failure::unusable(message).with_hint(groups(package)));
    }
    Ok(folder)
}

/// Returns a hint with the groups that `--add` can name.
fn groups(package: &Package) -> String {
    let groups: std::collections::BTreeSet<_> = package
        .cases
        .iter()
        .filter_map(|case| case.name.strip_prefix("secret/")?.rsplit_once('/').map(|(group, _)| group))
        .collect();
    if groups.is_empty() {
        return "the package has no groups; use --add without a group to add to data/secret".to_owned();
    }
    format!("name one of: {}", groups.into_iter().map(|group| format!("--add={group}")).collect::<Vec<_>>().join(", "))
}

/// Writes the failing input as `--out` and `--add` say. Returns the paths of the new files.
fn write_case(
    arguments: &Arguments,
    package: &Package,
    (judging, started): (&Judging, Instant),
    hunted: &Hunted,
    group: Option<&Path>,
) -> Result<Vec<PathBuf>, Failure> {
    let Some(found) = &hunted.find else { return Ok(Vec::new()) };
    let needs_no_answer = package.kind.interactive || package.kind.multi_pass;
    // In interactive and multi-pass problems, there may be no right answer to write. Each case still needs an answer
    // file, which may be empty.
    let answer = found.answer.clone().or_else(|| needs_no_answer.then(Vec::new));
    let found = FoundCase { input: found.input.clone(), answer, unchecked: found.unchecked.clone() };
    let name = case_name(&hunted.finished);
    let mut written = Vec::new();
    if let Some(folder) = &arguments.out {
        written.extend(hunt::write_find(&found, package, &CaseName { folder, name: name.clone() }).map_err(failure)?);
    }
    if let Some(folder) = group {
        let until = started + arguments.seconds + judging.settings.time();
        let settings = Settings { until: Some(until), ..judging.settings.clone() };
        let is_over = || Instant::now() >= until && !interrupt::happened();
        hunt::validate_find(&found, package, &settings).map_err(|error| match error {
            WriteError::Judge(JudgeError::Interrupted) if is_over() => {
                let message = "nothing was added: the time ran out before the package's validators had finished";
                Failure::unusable(message)
                    .with_hint("give a larger --seconds, or use --out, which does not check the case")
            }
            error => failure(error),
        })?;
        written.extend(hunt::write_find(&found, package, &CaseName { folder, name }).map_err(failure)?);
    }
    Ok(written)
}

fn failure(error: WriteError) -> Failure {
    match error {
        WriteError::Judge(error) => Failure::from_judge_error(error),
        error @ WriteError::Refused(_) => Failure::unusable(format!("nothing was added: {error}")),
        error @ WriteError::Unwritable { .. } => Failure::unusable(error),
    }
}

/// Returns a name that describes the case, for example `hunt-white_only-wa`.
fn case_name(finished: &HuntFinished) -> String {
    let stem = Path::new(&finished.submission).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    let stem: String = stem.chars().map(plain).take(40).collect();
    let kind = finished.kind.as_deref().unwrap_or_default().to_lowercase();
    format!("hunt-{stem}-{kind}")
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn all_is_searched_only_at_the_end() {
        assert_eq!([0.0, 0.0059, 0.5, 0.9999, 1.0].map(percent), ["0.0%", "0.5%", "50%", "99%", "100%"]);
    }
}
