//! `referee strength`: measures which mistakes the test data does not detect.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::common::ReportArguments;
use super::hunt::group_to_add_to;
use super::judging::{JudgingArguments, TimeLimitFallback};
use super::numbers::{seconds, whole_number, whole_number_in};
use super::open::{self, Opened};
use super::{Exit, Failure, case_details};
use crate::puzzles::agreed_answers::ReferenceAnswers;
use referee_event::{Event, RunFinished, RunStarted, StrengthFinished};
use referee_hunt as hunt;
use referee_judge::{self as judge, RunUntil};
use referee_package::glob::Glob;
use referee_package::{Extent, Package};
use referee_report::{Subject, counted, progress};
use referee_sandbox::interrupt;
use referee_strength::{self as strength, Rigour, Strength, StrengthError, Watch};
use referee_text::printable::output_line;

/// Measure how strong the test data is: which mistakes does it miss?
///
/// Each mutant is an accepted submission or a validator (C, C++, Java, Python, Rust) with one typical mistake. The test
/// data should detect the mistake. For each mutant that survives, a hunt searches for an input that kills it; each
/// input found is a missing test case. A mutant that no input can tell from the program may be declared equivalent,
/// with the reason, in equivalent_mutants.yaml beside problem.yaml. Results are cached: an interrupted run continues
/// where it stopped.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "options of a command")]
#[command(after_help = "\
Examples:
  referee strength flipgame                       all mutants, survivors hunted
  referee strength path/to/package --mutants 100  a sample, for a first look
  referee strength path/to/package --only 'accepted/*.py' --no-hunt
  referee strength path/to/package --add          add the inputs that hunts find

Exit code 1: a test case is missing, or an accepted submission or a declaration
is wrong. 0: no missing test case was found.")]
pub(super) struct Arguments {
    /// A package folder, a .zip or .kpp file, or a bundled package (flipgame, swapgame, solitaire, coins)
    package: PathBuf,

    /// Run only N mutants, chosen at random by the seed
    #[arg(long, value_name = "N", value_parser = whole_number_in(1..=u32::MAX), allow_negative_numbers = true)]
    mutants: Option<u32>,

    /// Change only programs whose names match, e.g. 'accepted/*.cpp' or 'output_validator/*'
    #[arg(long, value_name = "GLOB")]
    only: Option<String>,

    /// Stop after the first case that kills a mutant [default: three, or one by an exceeded limit]; the report then
    /// does not say which cases are needed
    #[arg(long, conflicts_with = "all_cases")]
    until_killed: bool,

    /// Run all cases on every mutant, unless two of them kill it by an exceeded limit; the report then says which
    /// cases are not needed to kill any mutant
    #[arg(long)]
    all_cases: bool,

    /// Compile each mutant alone, and run it in a new process on each case, which is slower
    #[arg(long)]
    one_by_one: bool,

    /// How many seconds to hunt each survivor
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,

    /// Do not hunt survivors
    #[arg(long, conflicts_with_all = ["add", "doubt"])]
    no_hunt: bool,

    /// Also hunt mutants that are declared equivalent
    #[arg(long)]
    doubt: bool,

    /// Exit with code 1 if a survivor has no declared reason or a declaration matches no mutant
    #[arg(long)]
    strict: bool,

    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value = "1", value_parser = whole_number, allow_negative_numbers = true)]
    seed: u64,

    /// Add the failing input to data/secret of the package, or to GROUP in it, if the validators accept it
    #[arg(long, value_name = "GROUP", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    add: Option<PathBuf>,

    #[command(flatten)]
    judging: JudgingArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

impl Arguments {
    fn rigour(&self) -> Rigour {
        match (self.until_killed, self.all_cases) {
            (true, _) => Rigour::UntilKilled,
            (_, true) => Rigour::All,
            _ => Rigour::default(),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let only = arguments.only.as_deref().map(glob).transpose()?;
    let opened = arguments.judging.open(&arguments.package, Extent::Whole)?;
    measure_package(arguments, &opened, only.as_ref()).map_err(|failure| opened.with_count_of_remarks(failure))
}

fn measure_package(arguments: &Arguments, opened: &Opened, only: Option<&Glob>) -> Result<Exit, Failure> {
    let package = &opened.package;
    let is_verbose = arguments.reports.is_verbose();
    refuse_unmatched(arguments, package, only)?;
    let add = arguments.add.as_ref().map(|group| group_to_add_to(&arguments.package, package, group)).transpose()?;
    let reports = arguments.reports.prepare()?;
    let languages = arguments.judging.languages()?;
    let fallback = TimeLimitFallback::Measured(&|_| None);
    let judging = arguments.judging.with_time_limit(package, languages, RunUntil::End, is_verbose, &fallback)?;
    let settings = &judging.settings;
    let subject = Subject {
        heading: heading(package, settings.time()),
        case_details: Some(case_details::of(package)),
        doing: None,
        ..Subject::default()
    };
    let mut reports = reports.begin(subject, open::places(&arguments.package, true));
    let started = Instant::now();
    reports.event(&Event::RunStarted(RunStarted {
        package: package.name.clone(),
        jobs: settings.jobs,
        seed: Some(arguments.seed),
        sandbox: Some(judge::enforcement(settings.sandbox)),
        time_limit: Some(settings.time_limit),
        memory_limit_bytes: Some(settings.limits.memory_bytes),
        ..RunStarted::default()
    }));
    let wants = |name: &str| only.as_ref().is_none_or(|glob| glob.matches(name));
    let measured = measure(
        &Strength {
            package,
            path: &arguments.package,
            settings,
            answer_key: &ReferenceAnswers,
            seed: arguments.seed,
            max_mutants: arguments.mutants.map(|most| most as usize),
            is_wanted: &wants,
            rigour: arguments.rigour(),
            is_one_by_one: arguments.one_by_one,
            time: (!arguments.no_hunt).then_some(arguments.seconds),
            hunt_declared: arguments.doubt,
            add,
        },
        arguments.reports.is_quiet(),
        &mut |event| {
            opened.show_remarks(is_verbose);
            reports.event(&event);
        },
    );
    let exit = measured.map(|finished| {
        opened.show_remarks(is_verbose);
        let exit = exit(&finished, arguments.strict);
        reports.event(&Event::StrengthFinished(Box::new(finished)));
        reports.event(&Event::RunFinished(RunFinished {
            as_wanted: matches!(exit, Exit::AsExpected),
            submissions: 0,
            skipped: 0,
            unjudged: 0,
            cases_run: 0,
            wall_seconds: started.elapsed().as_secs_f64(),
        }));
        exit
    });
    judging.note_uncached_results(is_verbose);
    let reported = reports.finish();
    arguments.judging.warn_of_shared_cache();
    let exit = exit?;
    reported?;
    Ok(exit)
}

/// Fails, before anything is run, if the pattern of `--only` matches no program.
fn refuse_unmatched(arguments: &Arguments, package: &Package, only: Option<&Glob>) -> Result<(), Failure> {
    let names = strength::names(package);
    if only.is_none_or(|only| names.iter().any(|name| only.matches(name))) {
        return Ok(());
    }
    let pattern = arguments.only.as_deref().unwrap_or_default();
    let message = format!("--only {pattern}: no accepted submission and no validator has a matching name");
    Err(Failure::unusable(message).with_hint(format!("the names are: {}", names.join(", "))))
}

fn glob(pattern: &str) -> Result<Glob, Failure> {
    Glob::new(pattern).map_err(|error| Failure::unusable(format!("--only {pattern}: {error}")))
}

fn heading(package: &Package, time: Duration) -> String {
    let title = if package.title.is_empty() { &package.name } else { &package.title };
    let (name, seconds) = (&package.name, time.as_secs_f64());
    let cases = counted(package.cases.len(), "case");
    format!("{title} ({name}): the strength of {cases}, time limit {seconds} s")
}

fn exit(finished: &StrengthFinished, is_strict: bool) -> Exit {
    let unresolved = finished.survived + finished.equivalent_suspected + finished.unjudged + finished.stale.len();
    match finished {
        StrengthFinished { interrupted: true, .. } => Exit::Interrupted,
        StrengthFinished { holes: 0, disputed: 0, wrongly_declared, .. } if wrongly_declared.is_empty() => {
            if is_strict && unresolved > 0 { Exit::NotAsExpected } else { Exit::AsExpected }
        }
        _ => Exit::NotAsExpected,
    }
}

fn measure(
    strength: &Strength<'_>,
    is_quiet: bool,
    report: &mut dyn FnMut(Event),
) -> Result<StrengthFinished, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(strength.settings.jobs).build().map_err(Failure::judge)?;
    let bar = progress::bar(is_quiet);
    bar.set_style(progress::spinner_style("{spinner} {elapsed} {wide_msg}"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.set_message("running the unchanged programs");
    let view = ProgressView { bar: &bar, all: AtomicUsize::new(0), now: AtomicUsize::new(0), tried: AtomicU64::new(0) };
    let (sender, receiver) = crossbeam_channel::unbounded();
    // Hunts run on the thread pool, but the reports must stay on this thread. Therefore another thread starts the work
    // in the pool and sends the events to this thread.
    let measured = std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            let sender = sender;
            pool.install(|| strength::strength(strength, &view, &mut |event| _ = sender.send(event)))
        });
        for event in receiver {
            bar.suspend(|| report(event));
        }
        working.join()
    });
    bar.finish_and_clear();
    let measured = measured.map_err(|_| Failure::judge("a thread of the judge ended unexpectedly"))?;
    measured.map_err(|error| match error {
        StrengthError::Judge(error) => Failure::from_judge_error(error),
        StrengthError::Declarations(_) => Failure::unusable(error),
        StrengthError::NothingToChange(_) => Failure::unusable(error)
            .with_hint("add an accepted submission or a validator in C, C++, Java, Python or Rust"),
    })
}

/// Shows the progress of a measurement.
struct ProgressView<'a> {
    bar: &'a ProgressBar,
    /// The number of surviving mutants to hunt.
    all: AtomicUsize,
    /// The number of the survivor that is hunted, counted from 1.
    now: AtomicUsize,
    /// The number of calls of [`hunt::Watch::tried`]. The bar shows only every hundredth of them.
    tried: AtomicU64,
}

impl Watch for ProgressView<'_> {
    fn mutants(&self, done: usize, all: usize, survivors: usize) {
        // The bar has no length until the first mutant, because the unchanged programs run first.
        if self.bar.length() != Some(all as u64) {
            progress::set_style(self.bar);
            self.bar.set_length(all as u64);
        }
        self.bar.set_position(done as u64);
        self.bar.set_message(format!("mutants, {survivors} survive"));
    }

    fn survivor(&self, number: usize, all: usize, name: &str) {
        self.now.store(number, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.bar.set_length(all as u64);
        self.bar.set_position(number as u64 - 1);
        let name = output_line(name);
        self.bar.set_message(format!("hunting survivor {number} of {all}, a mutant of {name}"));
    }
}

impl hunt::Watch for ProgressView<'_> {
    fn tried(&self, inputs: u64, _: Option<f64>) {
        // Only every hundredth call updates the bar, because an update costs time.
        if self.tried.fetch_add(1, Ordering::Relaxed).is_multiple_of(100) {
            let (now, all) = (self.now.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
            self.bar.set_message(format!("hunting survivor {now} of {all}: {inputs} inputs tried"));
        }
    }

    fn shrunk(&self, bytes: usize) {
        self.bar.set_message(format!("found; shrunk to {bytes} bytes"));
    }

    fn stop(&self) -> bool {
        interrupt::happened()
    }
}
