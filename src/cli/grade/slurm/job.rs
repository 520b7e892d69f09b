//! Runs the job: prepares the working folder, waits for the parts, and merges their reports.

use std::io::BufReader;
use std::path::Path;

use super::super::{Arguments, Exit, Failure, Opened, case_details, destination, feedback};
use super::outcome;
use super::progress::Display;
use crate::cli::exit::Graded;
use crate::cli::judging::heading;
use crate::cli::{common, merge as merge_command, open, warn};
use referee_event::{Event, Partition};
use referee_files::regular;
use referee_judge::Submission;
use referee_report::jsonl::read::Lines;
use referee_report::merge::{self, Merged, Source};
use referee_report::{Subject, counted};
use referee_sandbox::interrupt;
use referee_slurm::{Client, Folder, Record, Script, Slurm, Waiting};

/// A run in the tasks of a Slurm job.
pub(super) struct Job<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) opened: &'a Opened,
    pub(super) script: Script,
    pub(super) submissions: &'a [Submission],
    /// The number of test cases on which each submission is judged.
    pub(super) cases: usize,
}

impl Job<'_> {
    /// Judges all parts and writes the reports of the run. Returns the exit code of a local run.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let arguments = self.arguments;
        let reports = arguments.reports.prepare_with(Some(&arguments.marks))?;
        if let Some(folder) = &arguments.feedback {
            feedback::prepare(folder, &self.opened.package)?;
        }
        let requeues = self.script.user_decides_on_requeueing();
        let client = Client { requeues, is_interrupted: interrupt::happened };
        let (folder, record) = Folder::take(&self.script.folder, arguments.resume.is_some())
            .map_err(|error| outcome::of_folder(&error))?;
        let mut record = self.record(record, &folder, client)?;
        let unwritable = |error| Failure::judge(format!("{}: {error}", folder.path().display()));
        folder.write_script(self.script.text().as_bytes()).map_err(unwritable)?;
        folder.write_record(&record).map_err(unwritable)?;
        let waited = self.wait(&folder, &mut record, client);
        if let Err(error) = waited {
            return Err(outcome::of_wait(error, arguments, folder, record.parts));
        }
        let exit = self.merge(&folder, reports)?;
        self.finish(folder, exit);
        Ok(exit)
    }

    /// Returns the record of the run. If it continues an earlier one, checks that it is the same run. If files have
    /// changed since, lets the parts check all of their results again.
    fn record(&self, earlier: Option<Record>, folder: &Folder, client: Client) -> Result<Record, Failure> {
        let command = self.script.command_of_run();
        let paths = std::iter::once(&self.script.package).chain(&self.script.programs);
        let inputs = referee_slurm::digest(env!("REFEREE_BUILD"), paths.map(|path| self.script.directory.join(path)));
        let new = Record::new(self.script.parts, command, inputs);
        let Some(earlier) = earlier else {
            if self.arguments.resume.is_some() {
                let text = format!("no parts to resume: {} is new", folder.path().display());
                crate::cli::eprint_line(text);
            }
            return Ok(new);
        };
        if earlier.parts != new.parts || earlier.command != new.command {
            return Err(outcome::of_other_run(&earlier, &new, folder));
        }
        if earlier.inputs == new.inputs {
            return Ok(earlier);
        }
        crate::cli::eprint_line("files have changed since the earlier run; its parts are checked again");
        // Tasks of the earlier run would judge a mixture of old and new files.
        client.cancel(&earlier.jobs()).map_err(|error| outcome::of_slurm(error, true))?;
        let reopened = (1..=new.parts).try_for_each(|part| folder.reopen(part));
        reopened.map_err(|error| Failure::judge(format!("{}: {error}", folder.path().display())))?;
        Ok(new)
    }

    fn wait(&self, folder: &Folder, record: &mut Record, client: Client) -> Result<(), referee_slurm::WaitError> {
        let parts = self.script.parts;
        let waiting = Waiting {
            slurm: &client,
            folder,
            at_once: self.script.at_once,
            most_failures: self.arguments.slurm.most_failures(),
            check: &|path, part| check(path, Partition { part, of: parts }),
            check_partial: &check_partial,
            is_interrupted: &interrupt::happened,
        };
        let mut display =
            Display::new(self.arguments.reports.is_quiet(), super::count(self.submissions), self.cases as u64);
        let waited = referee_slurm::wait(&waiting, record, &mut |notice| display.show(notice));
        display.finish();
        waited
    }

    /// Merges the reports of all parts into those of the run.
    fn merge(&self, folder: &Folder, reports: common::ReportDestinations) -> Result<Exit, Failure> {
        let (arguments, opened) = (self.arguments, self.opened);
        let sources = (1..=self.script.parts).map(|part| merge_command::source(&folder.report(part)));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let places = open::places(&arguments.package, arguments.programs.is_empty());
        let mut reports = reports.begin(self.subject(), places);
        let is_verbose = arguments.reports.is_verbose();
        if arguments.reports.is_quiet() {
            opened.hide_remarks();
        }
        let mut report = |event: Event| {
            if !matches!(event, Event::RunStarted(_)) {
                reports.while_not_drawing(&|| opened.show_remarks(is_verbose));
            }
            reports.event(&event);
        };
        let merged = merge::merge(sources, &mut report);
        let reported = reports.finish();
        let merged = merged.map_err(|error| outcome::of_merge(error, folder))?;
        reported?;
        arguments.marks.remember();
        let Merged { submissions, unjudged, skipped, judge_errors, as_wanted, lacks_comparison: _ } = merged;
        let skipped = if arguments.strict { skipped } else { 0 };
        Ok(Exit::from(Graded { submissions, unjudged, skipped, judge_errors, as_wanted, is_part: false }))
    }

    fn subject(&self) -> Subject {
        let package = &self.opened.package;
        let limit = self.arguments.judging.stated_time_limit(package);
        Subject {
            heading: heading(package, self.cases, limit.unwrap_or_default(), "", self.arguments.judging.dialect()),
            case_details: Some(case_details::of(package)),
            doing: None,
            view: self.arguments.table.view(None),
        }
    }

    /// Shows the warnings of the parts. Removes the working folder, unless the user named it or the judge failed.
    fn finish(&self, folder: Folder, exit: Exit) {
        for (text, parts) in folder.warnings(self.script.parts) {
            warn(&format!("in {}: {text}", counted(parts, "part")));
        }
        if exit == Exit::JudgeFailed {
            let text = format!("the reports and logs of the parts are in {}", folder.path().display());
            return crate::cli::eprint_message("note: ", 6, &text);
        }
        if self.arguments.slurm.names_folder() {
            return;
        }
        let path = folder.path().to_path_buf();
        if let Err(error) = folder.remove(self.script.parts) {
            crate::cli::eprint_message("note: ", 6, &format!("{} was not removed: {error}", path.display()));
        }
    }
}

/// Checks that the file is the complete report of a part.
fn check(path: &Path, part: Partition) -> Result<(), String> {
    let file = regular::open(path).map_err(|error| error.to_string())?;
    merge::check_part(Source { name: name(path), file }, part).map_err(|error| error.to_string())
}

/// Checks that a run can continue with the partial report.
fn check_partial(path: &Path) -> Result<(), String> {
    let file = regular::open(path).map_err(|error| error.to_string())?;
    let unreadable = Lines::new(BufReader::new(file)).find_map(|line| line.err().filter(|error| !error.is_cut));
    unreadable.map_or(Ok(()), |error| Err(error.to_string()))
}

/// Returns the name of the file, which is enough in a message that names the folder.
fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns whether a report can be the value of `--resume` of the same command.
pub(super) fn resumable_report(arguments: &Arguments) -> Option<&Path> {
    arguments.reports.json().filter(|report| destination::is_file(report))
}
