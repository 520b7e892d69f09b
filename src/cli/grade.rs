//! `referee grade`: judges programs on the test cases of a package.

mod selected_cases;
mod slurm;

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;

use super::class::{ClassArguments, Programs, Reader};
use super::common::ReportArguments;
use super::destination;
use super::exit::Graded;
use super::judging::{Judging, JudgingArguments, TimeLimitFallback};
use super::marks::MarksArguments;
use super::numbers::whole_number_in;
use super::open::{Opened, places};
use super::pages::PageArguments;
use super::points::{self, PointsArguments};
use super::programs;
use super::resume::{EarlierResults, read_earlier, warn_of_part};
use super::resume_hint;
use super::similarity::SimilarityArguments;
use super::table::TableArguments;
use super::watch::Watched;
use super::{Exit, Failure, case_details, feedback, mistaken};
use referee_event::{Event, Partition};
use referee_judge::{self as judge, RunUntil, Submission};
use referee_language::Table;
use referee_package::{Extent, LeftOut, Package, TestCase};
use referee_report::Subject;
use referee_report::view::Longest;
use selected_cases::selected_cases;
use slurm::SlurmArguments;

/// Judge programs on the test cases of a package
///
/// Without PROGRAM, the package's own submissions are judged and compared with their expected verdicts. A PROGRAM is
/// judged until the first test case on which it is not accepted; with --all-cases, on all test cases. In scoring
/// problems it is judged on every test case that can still change its score.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
#[command(after_help = "\
Examples:
  referee grade flipgame                     the package's own submissions
  referee grade flipgame solver.py a.out     two programs of yours
  referee grade path/to/package --cases 'sample/*' solver.cpp
  referee grade path/to/package homework.zip a class from Moodle or Canvas
  referee grade exercise handed-in/* --points --csv marks.csv
  referee grade exercise handed-in/* --similarity --html class.html
  referee grade flipgame solver.py --watch   again, whenever it is saved
  referee grade exercise handed-in/* --slurm 50 --json all.jsonl   on a cluster")]
pub(super) struct Arguments {
    /// A package folder, a .zip or .kpp file, or a bundled package (flipgame, swapgame, solitaire, coins)
    package: PathBuf,

    /// Source files, source folders or executables; or one folder or .zip with the programs of a class
    programs: Vec<PathBuf>,

    /// Judge only the test cases whose names match, e.g. 'secret/0*' or '{sample,secret}/1*'
    #[arg(long, value_name = "GLOB")]
    cases: Vec<String>,

    /// Judge every program on all test cases, also after a failure
    #[arg(long)]
    all_cases: bool,

    /// End each of the package's own submissions as soon as it is certain whether it gets its expected verdict
    ///
    /// By default, they run on all test cases. A submission that is expected to be accepted ends at its first failure.
    /// One that is expected to be wrong ends once it is wrong as expected and no further verdict can change this.
    /// Reports then show the verdict on the test cases that were run, and a judge error on a later test case stays
    /// unknown. Submissions without an expected verdict run on all test cases. Not allowed with a PROGRAM.
    #[arg(long, conflicts_with = "all_cases")]
    stop_early: bool,

    /// If the time of a run is close to the time limit, measure the run N times in all, alone on the machine; the
    /// smallest time counts
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number_in(1..=1000_u32), allow_negative_numbers = true)]
    repeat: u32,

    /// Start Python once for several test cases, and fork it for each (experimental)
    #[arg(long)]
    warm: bool,

    /// Judge only every N-th submission, from the I-th on; `referee merge` combines the N reports
    #[arg(long, value_name = "I/N", conflicts_with_all = ["watch", "gradebook"])]
    partition: Option<Partition>,

    /// Continue the interrupted run that wrote REPORT: its results are used where nothing has changed
    #[arg(long, value_name = "REPORT", conflicts_with = "watch")]
    resume: Option<PathBuf>,

    /// Exit with code 1 if any submission of the package was skipped; not allowed with a PROGRAM
    #[arg(long)]
    strict: bool,

    /// Judge again whenever a file of the package or of a program is saved
    #[arg(long)]
    watch: bool,

    /// Keep the feedback folders of output validators (messages, scores, pictures) in DIR
    #[arg(long, value_name = "DIR")]
    feedback: Option<PathBuf>,

    #[command(flatten)]
    class: ClassArguments,

    #[command(flatten)]
    points: PointsArguments,

    #[command(flatten)]
    marks: MarksArguments,

    #[command(flatten)]
    similarity: SimilarityArguments,

    #[command(flatten)]
    judging: JudgingArguments,

    #[command(flatten)]
    table: TableArguments,

    #[command(flatten)]
    reports: ReportArguments,

    #[command(flatten)]
    pages: PageArguments,

    #[command(flatten)]
    slurm: SlurmArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    refuse_options_of_jury_submissions(arguments)?;
    if arguments.slurm.are_given() {
        return slurm::run(arguments);
    }
    if arguments.watch {
        return grade_after_each_save(arguments);
    }
    let are_remarks_shown = !arguments.reports.is_quiet();
    let report = arguments.reports.json().filter(|report| destination::is_file(report));
    let hint = || resume_hint::of(report, arguments.resume.is_some());
    grade(arguments, are_remarks_shown).map_err(|failure| failure.with_resume_hint(hint))
}

/// Fails if an option for the package's own submissions is given together with a PROGRAM, on which it has no effect.
fn refuse_options_of_jury_submissions(arguments: &Arguments) -> Result<(), Failure> {
    let Some(program) = arguments.programs.first() else { return arguments.class.refuse_without_program() };
    let refuse = |option: &str, why: &str| {
        let message =
            format!("{option} is for the package's own submissions; {} is a program of yours", program.display());
        Err(Failure::unusable(message).with_hint(format!("leave out {option}: {why}")))
    };
    if arguments.stop_early {
        return refuse("--stop-early", "a PROGRAM ends as soon as its verdict and score are certain");
    }
    if arguments.strict {
        return refuse("--strict", "the exit code is 2 if a PROGRAM cannot be judged");
    }
    Ok(())
}

/// Grades again whenever a file is saved. Cached results are used for everything that did not change.
fn grade_after_each_save(arguments: &Arguments) -> Result<Exit, Failure> {
    let programs = arguments.programs.iter().map(PathBuf::as_path);
    let paths: Vec<_> = std::iter::once(arguments.package.as_path()).chain(programs).collect();
    let watched = Watched::new(&paths)?;
    // The remarks on the package are shown once.
    let mut are_remarks_shown = !arguments.reports.is_quiet();
    loop {
        match grade(arguments, std::mem::take(&mut are_remarks_shown)) {
            // The next save may correct an unusable package or program.
            Err(failure) if failure.exit == Exit::Unusable => failure.print(),
            Err(failure) => return Err(failure),
            Ok(_) => {}
        }
        super::eprint_line("waiting for a file to be saved; press Ctrl-C to stop");
        if !watched.wait()? {
            return Ok(Exit::Interrupted);
        }
    }
}

/// Grades once. Shows the remarks on the package if `are_remarks_shown`.
fn grade(arguments: &Arguments, are_remarks_shown: bool) -> Result<Exit, Failure> {
    let opened = open(arguments)?;
    if !are_remarks_shown {
        opened.hide_remarks();
    }
    grade_opened(arguments, &opened).map_err(|failure| opened.with_count_of_remarks(failure))
}

/// Opens the package. Fails with advice if the user named something else.
fn open(arguments: &Arguments) -> Result<Opened, Failure> {
    if let Some(failure) = mistaken::swapped(&arguments.package, &arguments.programs) {
        return Err(failure);
    }
    if arguments.programs.is_empty()
        && let Some(failure) = mistaken::forgotten_package(&arguments.package, || arguments.judging.languages())
    {
        return Err(failure);
    }
    arguments.judging.open(&arguments.package, Extent::WithoutValidatorTests)
}

fn grade_opened(arguments: &Arguments, opened: &Opened) -> Result<Exit, Failure> {
    let package = &opened.package;
    let cases = selected_cases(&arguments.cases, package)?;
    let languages = arguments.judging.languages()?;
    if arguments.class.dry_run {
        let programs = programs(arguments, opened, &languages)?;
        programs.print_table(&arguments.programs[0], &languages, package.limits.code_bytes)?;
        return Ok(Exit::AsExpected);
    }
    let points = arguments.points.scheme(package, &cases, arguments.judging.dialect())?;
    if let Some(points) = points.as_ref().filter(|_| !arguments.reports.is_quiet()) {
        points::print_remarks(points, package, &cases);
    }
    let json = arguments.reports.json();
    let earlier =
        arguments.resume.as_deref().map(|report| read_earlier(report, json, &package.name)).transpose()?.flatten();
    let reports = arguments.reports.prepare_with(Some(&arguments.marks))?;
    if let Some(folder) = &arguments.feedback {
        feedback::prepare(folder, package)?;
    }
    if arguments.resume.is_none() {
        warn_of_part(json);
    }
    let is_verbose = arguments.reports.is_verbose();
    let programs = programs(arguments, opened, &languages)?;
    if let Some(path) = arguments.programs.first().filter(|_| !arguments.reports.is_quiet()) {
        programs.print_summary(path);
    }
    let submissions = &programs.submissions;
    let pages = arguments.pages.prepare(submissions)?;
    let mut comparing = arguments.similarity.begin(&languages, JudgingArguments::shebangs(package))?;
    let mut judging = judging(arguments, package, std::sync::Arc::clone(&languages), earlier.as_ref())?;
    judging.settings.points = points.map(std::sync::Arc::new);
    let before = earlier.as_ref().map(|earlier| earlier.before(submissions)).unwrap_or_default();
    judging.settings.earlier = earlier.map(|earlier| std::sync::Arc::new(earlier) as _);
    let subject = subject(arguments, package, &judging, &cases, submissions);
    let pages = pages.report(&subject, submissions);
    let mut reports =
        reports.resuming(before).begin(subject, places(&arguments.package, arguments.programs.is_empty()));
    reports.extend(pages);
    let mut is_interrupted = false;
    let mut report = |mut event: Event| {
        // The package's validators are built between the first event and the second. The remarks wait for the second
        // event, so that a failed build shows only its error and no remarks.
        if !matches!(event, Event::RunStarted(_)) {
            reports.while_not_drawing(&|| opened.show_remarks(is_verbose));
        }
        if let Event::RunFinished(finished) = &mut event
            && let Some(comparing) = comparing.take()
        {
            let Some(similar) = comparing.finish(submissions, &languages) else {
                is_interrupted = true;
                return;
            };
            finished.wall_seconds += similar.seconds;
            reports.event(&Event::SimilarityFinished(Box::new(similar)));
        }
        reports.event(&event);
    };
    let graded = judge::Session::open(package, &judging.settings)
        .and_then(|session| session.grade(&cases, submissions, &mut report));
    let reported = reports.finish();
    judging.note_uncached_results(is_verbose);
    arguments.judging.warn_of_shared_cache();
    let summary = graded.map_err(Failure::from_judge_error)?;
    reported?;
    if is_interrupted {
        return Err(Failure::interrupted());
    }
    arguments.marks.remember();
    Ok(exit(arguments, &summary))
}

/// Returns the limits and settings of the run, without its points and earlier results. A measured time limit of
/// `earlier` is used again.
fn judging(
    arguments: &Arguments,
    package: &Package,
    languages: std::sync::Arc<Table>,
    earlier: Option<&EarlierResults>,
) -> Result<Judging, Failure> {
    let measured = |settings: &judge::Settings| earlier?.time_limit(&judge::time_limit_basis(package, settings));
    let fallback = if arguments.programs.is_empty() {
        TimeLimitFallback::Measured(&measured)
    } else {
        TimeLimitFallback::Remembered
    };
    let is_verbose = arguments.reports.is_verbose();
    let mut judging =
        arguments.judging.with_time_limit(package, languages, run_until(arguments), is_verbose, &fallback)?;
    judging.settings.feedback.clone_from(&arguments.feedback);
    judging.settings.partition = arguments.partition;
    judging.settings.repeat = NonZeroU32::new(arguments.repeat).unwrap_or(NonZeroU32::MIN);
    judging.settings.warm = arguments.warm;
    if let Some(reason) = referee_sandbox::why_never_warm(judging.settings.sandbox).filter(|_| arguments.warm) {
        super::warn(&format!("--warm has no effect here: {reason}"));
    }
    judging.settings.keyed = arguments.reports.has_files();
    Ok(judging)
}

/// Describes the run for its reports.
fn subject(
    arguments: &Arguments,
    package: &Package,
    judging: &Judging,
    cases: &[TestCase],
    submissions: &[Submission],
) -> Subject {
    let names = submissions.iter().map(|submission| submission.name.as_str());
    let longest = Longest::of(names, cases.iter().map(|case| &*case.name));
    let activity = std::sync::Arc::clone(&judging.settings.activity);
    Subject {
        heading: judging.heading(package, cases.len()),
        case_details: Some(case_details::of(package)),
        doing: Some(std::sync::Arc::new(move || activity.now())),
        view: arguments.table.view(Some(longest)),
    }
}

fn exit(arguments: &Arguments, summary: &judge::Summary) -> Exit {
    if let Some(part) = arguments.partition.filter(|_| summary.submissions + summary.skipped == 0) {
        super::eprint_line(format_args!("part {}/{} contains no submission", part.part, part.of));
    }
    Exit::from(Graded {
        submissions: summary.submissions,
        unjudged: summary.unjudged,
        judge_errors: summary.judge_errors,
        as_wanted: summary.as_wanted(),
        skipped: if arguments.strict { summary.skipped } else { 0 },
        is_part: arguments.partition.is_some(),
    })
}

/// Returns how long a submission runs. A PROGRAM of the user runs until its verdict and score are certain; with
/// `--all-cases` or `--points`, it runs on all test cases. The package's own submissions run on all test cases; with
/// `--stop-early`, they run until it is certain whether they get their expected verdicts.
fn run_until(arguments: &Arguments) -> RunUntil {
    let all_cases = arguments.all_cases || arguments.points.are_given();
    match (all_cases, arguments.programs.is_empty(), arguments.stop_early) {
        (true, ..) | (false, true, false) => RunUntil::End,
        (false, true, true) => RunUntil::Declaration,
        (false, false, _) => RunUntil::Verdict,
    }
}

/// Returns the programs of the user, or the package's own submissions if the user names none.
fn programs(arguments: &Arguments, opened: &Opened, languages: &Table) -> Result<Programs, Failure> {
    if !arguments.programs.is_empty() {
        let shebangs = JudgingArguments::shebangs(&opened.package);
        return Reader { arguments: &arguments.class, opened, languages, shebangs }.read(&arguments.programs);
    }
    submissions_of_package(opened, languages).map(Programs::of_package)
}

fn submissions_of_package(opened: &Opened, languages: &Table) -> Result<Vec<Submission>, Failure> {
    let package = &opened.package;
    let mut submissions = Submission::of_jury(package);
    let is_program = |left_out: &&LeftOut| left_out.is_in_folder || programs::is_known(&left_out.path, languages);
    submissions.extend(package.left_out.iter().filter(is_program).map(Submission::left_out));
    if submissions.is_empty() {
        let message = format!("the package {} has no submissions of its own", package.name);
        return Err(
            Failure::unusable(message).with_hint("list the programs to judge on the command line, after the package")
        );
    }
    Ok(submissions)
}
