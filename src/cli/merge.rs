//! `referee merge`: combines several reports into one.

use std::path::{Path, PathBuf};

use clap::Args;

use super::common::ReportArguments;
use super::destination::part_of;
use super::exit::Graded;
use super::marks::MarksArguments;
use super::table::TableArguments;
use super::{Exit, Failure};
use referee_files::regular;
use referee_report::Subject;
use referee_report::github::FilePaths;
use referee_report::merge::{self, MergeError, Merged, Source};

/// Merge the reports of several runs into one
///
/// Each REPORT was written by `referee grade --json`. The reports are either all parts of a run that was divided with
/// --partition, in any order, or complete runs of one package, which are reported one after the other. The exit code
/// is that of a single run. The merged reports lack everything that is not in JSON lines, such as the outputs of
/// programs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee grade package --partition 1/2 --json 1.jsonl    on one machine
  referee grade package --partition 2/2 --json 2.jsonl    on another
  referee merge 1.jsonl 2.jsonl --json all.jsonl --junit all.xml")]
pub(super) struct Arguments {
    /// JSON lines of `referee grade`
    #[arg(required = true, value_name = "REPORT")]
    parts: Vec<PathBuf>,

    /// Exit with code 1 if any submission of the package was skipped
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    table: TableArguments,

    #[command(flatten)]
    marks: MarksArguments,

    #[command(flatten)]
    reports: ReportArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    arguments.reports.refuse_inputs(&arguments.parts)?;
    let sources = arguments.parts.iter().map(|path| source(path)).collect::<Result<Vec<_>, _>>()?;
    let plural = if sources.len() == 1 { "" } else { "s" };
    let heading = format!("{} report{plural}", sources.len());
    let subject = Subject { heading, view: arguments.table.view(None), ..Subject::default() };
    let mut reports = arguments.reports.prepare_with(Some(&arguments.marks))?.begin(subject, FilePaths::default());
    let merged = merge::merge(sources, &mut |event| reports.event(&event)).map_err(refused)?;
    reports.finish()?;
    arguments.marks.remember();
    let Merged { submissions, unjudged, skipped, judge_errors, as_wanted, lacks_comparison } = merged;
    if lacks_comparison {
        super::eprint_message(
            "note: ",
            6,
            "similar programs are left out, because no report compares programs of different reports; run `referee grade \
             --similarity` on all programs together",
        );
    }
    let skipped = if arguments.strict { skipped } else { 0 };
    Ok(Exit::from(Graded { submissions, unjudged, skipped, judge_errors, as_wanted, is_part: false }))
}

/// Opens a report. Fails if it cannot be read. The report must be a file, because it is read twice: first only to check
/// whether the reports belong together, and then to merge them.
pub(super) fn source(path: &Path) -> Result<Source, Failure> {
    let unusable = |error: std::io::Error| {
        let failure = Failure::unusable(format!("{}: {error}", path.display()));
        let part = part_of(path);
        if path.exists() || !part.exists() {
            return failure;
        }
        failure.with_hint(format!(
            "the run of this report did not finish: its results so far are in {}; to complete the run, repeat its \
             `referee grade` command with --resume {}",
            part.display(),
            path.display()
        ))
    };
    let found = path.metadata().map_err(unusable)?;
    if !found.is_file() {
        let message = format!("{}: not a regular file; `merge` reads every report twice", path.display());
        return Err(Failure::unusable(message)
            .with_hint("give a regular file; if the report comes from a pipe, write it to a file first"));
    }
    Ok(Source { name: path.display().to_string(), file: regular::open(path).map_err(unusable)? })
}

/// Returns the error of reports that cannot be merged, with advice.
pub(super) fn refused(error: MergeError) -> Failure {
    let hint = match error {
        MergeError::Unfinished(_) => {
            "to complete the run, repeat its `referee grade` command with --resume and this report"
        }
        MergeError::Report { .. } => "a REPORT must be a file that `referee grade --json REPORT` wrote",
        MergeError::Different(_) => "give every part of one run exactly once, or complete runs of one package",
    };
    Failure::unusable(error).with_hint(hint)
}
