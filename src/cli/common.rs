//! Arguments that several subcommands share, and the reports that they select.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Once;

use clap::Args;

use super::marks::MarksArguments;
use super::numbers::whole_number_in;
use super::{Failure, destination};
use referee_event::Event;
use referee_report::github::{FilePaths, Github};
use referee_report::html::Html;
use referee_report::jsonl::{JsonLines, ReplacedResults};
use referee_report::junit::Junit;
use referee_report::terminal::Terminal;
use referee_report::verbosity::Verbosity;
use referee_report::{Destination, Report, Subject, counted};
use referee_sandbox::{interrupt, usable_cores};
use referee_text::screen::{self, Stream};

/// The options that select reports.
#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// Write JSON lines to FILE (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,

    /// Write JUnit XML for GitLab, Jenkins and others to FILE (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    junit: Option<PathBuf>,

    /// Write one self-contained HTML page to FILE (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    html: Option<PathBuf>,

    /// Also write GitHub workflow annotations for everything that is not as expected
    #[arg(long, help_heading = "Reports")]
    github: bool,

    /// Print only what is not as expected
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    quiet: bool,

    /// Print every test case
    #[arg(short, long, help_heading = "Reports")]
    verbose: bool,
}

/// The option for the number of parallel programs.
#[derive(Debug, Args)]
pub(super) struct JobArguments {
    /// How many programs to run at the same time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = whole_number_in(1..=1024_u16), allow_negative_numbers = true)]
    jobs: Option<u16>,
}

impl JobArguments {
    pub(super) fn is_given(&self) -> bool {
        self.jobs.is_some()
    }

    pub(super) fn count(&self) -> usize {
        self.jobs.map_or_else(|| usable_cores() as usize, usize::from)
    }

    /// Warns, at most once, if more programs run at the same time than there are cores.
    pub(super) fn warn_of_too_many(&self) {
        static WARNED: Once = Once::new();
        let (jobs, cores) = (self.count(), usable_cores() as usize);
        if jobs > cores {
            WARNED.call_once(|| {
                let most = counted(cores, "core");
                super::warn(&format!(
                    "-j {jobs} on {most}: programs wait for a core, so their times are less exact; use at most -j {cores}"
                ));
            });
        }
    }
}

/// All reports of a run.
pub(super) struct Reports {
    all: Vec<Box<dyn Report>>,
    /// The first error of each report that could not be written, by its index in `all`. After an error the run
    /// continues, so that the other reports become complete.
    failures: BTreeMap<usize, io::Error>,
    /// Whether a run has started and not ended.
    is_running: bool,
    /// The paths of the reports that are regular files.
    files: Vec<PathBuf>,
}

impl ReportArguments {
    /// Returns whether `--json`, `--junit` or `--html` is given, with a file or with standard output.
    pub(super) fn has_files(&self) -> bool {
        [&self.json, &self.junit, &self.html].iter().any(|path| path.is_some())
    }

    /// Returns whether any option about reports is given.
    pub(super) fn are_given(&self) -> bool {
        self.has_files() || self.github || self.quiet || self.verbose
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Fails if a report would replace one of the files that the command reads.
    pub(super) fn refuse_inputs(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let named = [("--json", &self.json), ("--junit", &self.junit), ("--html", &self.html)];
        for (option, path) in
            named.iter().filter_map(|(option, path)| Some((option, path.as_ref()?.canonicalize().ok()?)))
        {
            if inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == path)) {
                let message = format!("{option} {}: the file is one of those to read", path.display());
                return Err(Failure::unusable(message).with_hint("give the new report a file of its own"));
            }
        }
        Ok(())
    }

    /// Opens the destinations of the reports, before any program runs. Fails if one cannot be written or if two reports
    /// have the same destination.
    pub(super) fn prepare(&self) -> Result<ReportDestinations, Failure> {
        self.prepare_with(None)
    }

    /// Like [`ReportArguments::prepare`], also for the files of a class. `None` if the command writes none.
    pub(super) fn prepare_with(&self, marks: Option<&MarksArguments>) -> Result<ReportDestinations, Failure> {
        let named = [
            ("--json", self.json.as_deref()),
            ("--junit", self.junit.as_deref()),
            ("--html", self.html.as_deref()),
            ("--csv", marks.and_then(MarksArguments::csv)),
        ];
        let on_stdout = destination::on_stdout(&named)?;
        let filled: Vec<_> = marks.into_iter().flat_map(MarksArguments::filled).collect();
        let copies = filled.iter().map(|path| ("--gradebook", Some(path.as_path())));
        destination::refuse_one_for_two(&named.into_iter().chain(copies).collect::<Vec<_>>())?;
        let verbosity = match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        let open = |path: &Option<PathBuf>| path.as_deref().map(destination::open).transpose();
        let (json, junit, html) = (open(&self.json)?, open(&self.junit)?, open(&self.html)?);
        let files = named.iter().filter_map(|(_, path)| *path).filter(|path| destination::is_file(path));
        let files = files.map(Path::to_path_buf).collect();
        let before = ReplacedResults::default();
        let marks = marks.map(MarksArguments::open).transpose()?.unwrap_or_default();
        Ok(ReportDestinations { on_stdout, verbosity, json, before, junit, html, marks, files, github: self.github })
    }

    /// Returns the path of `--json`; `None` if that option is not given.
    pub(super) fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    /// Opens the destinations and starts the reports. `heading` describes the run.
    pub(super) fn open(&self, heading: String) -> Result<Reports, Failure> {
        Ok(self.prepare()?.begin(Subject { heading, ..Subject::default() }, FilePaths::default()))
    }
}

/// The opened destinations of the reports.
pub(super) struct ReportDestinations {
    /// Whether one of the reports goes to standard output.
    on_stdout: bool,
    verbosity: Verbosity,
    json: Option<Box<dyn Destination>>,
    /// The results of the interrupted run that this run resumes. Empty if this run resumes none.
    before: ReplacedResults,
    junit: Option<Box<dyn Destination>>,
    html: Option<Box<dyn Destination>>,
    /// The reports of a class.
    marks: Vec<Box<dyn Report>>,
    /// The paths of the destinations that are regular files.
    files: Vec<PathBuf>,
    github: bool,
}

impl ReportDestinations {
    /// Makes this run resume an interrupted run. The new JSON lines replace the report of that run only after they
    /// contain all results of `before`.
    pub(super) fn resuming(self, before: ReplacedResults) -> ReportDestinations {
        ReportDestinations { before, ..self }
    }

    /// Starts the reports. `places` finds the paths of the files that events name.
    pub(super) fn begin(self, subject: Subject, places: FilePaths) -> Reports {
        let (heading, case_details) = (subject.heading.clone(), subject.case_details.clone());
        let html = self.html.map(|out| Box::new(Html::new(out, heading, case_details)) as Box<dyn Report>);
        // If a report goes to standard output, the texts for people and the GitHub annotations go to standard error.
        let out = destination::for_people(self.on_stdout);
        let stream = if self.on_stdout { Stream::Error } else { Stream::Output };
        let mut reports: Vec<Box<dyn Report>> = vec![Box::new(Terminal::new(out, stream, self.verbosity, subject))];
        if self.github && self.on_stdout {
            reports.push(Box::new(Github::new(io::stderr(), places)));
        } else if self.github {
            reports.push(Box::new(Github::new(io::stdout(), places)));
        }
        let before = self.before;
        reports.extend(self.json.map(|out| Box::new(JsonLines::new(out, before)) as Box<dyn Report>));
        reports.extend(self.junit.map(|out| Box::new(Junit::new(out)) as Box<dyn Report>));
        reports.extend(html);
        reports.extend(self.marks);
        Reports { all: reports, failures: BTreeMap::new(), is_running: false, files: self.files }
    }
}

/// Erases the `^C` that a terminal shows, so that the next message has a line of its own.
fn erase_echo() {
    let mut error = io::stderr();
    if error.is_terminal() {
        let to_empty_line: &[u8] = if screen::is_dumb() { b"\n" } else { b"\r\x1b[K" };
        // There is no other place to report an error.
        let _ = error.write_all(to_empty_line);
    }
}

impl Reports {
    /// Adds reports that get the same events.
    pub(super) fn extend(&mut self, others: impl IntoIterator<Item = Box<dyn Report>>) {
        self.all.extend(others);
    }

    /// Passes the event to every report.
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted(_) => self.is_running = true,
            Event::RunFinished(_) | Event::GenerateFinished(_) => self.is_running = false,
            _ => {}
        }
        for (index, report) in self.all.iter_mut().enumerate() {
            if let Err(error) = report.event(event) {
                self.failures.entry(index).or_insert(error);
            }
        }
    }

    /// Calls `print`, which writes to standard error, while no progress bar is drawn there. Only the first report draws
    /// a progress bar.
    pub(super) fn while_not_drawing(&mut self, print: &dyn Fn()) {
        match self.all.first_mut() {
            Some(first) => first.while_not_drawing(print),
            None => print(),
        }
    }

    /// Removes the progress bar, which would overwrite messages of the command on standard error.
    pub(super) fn leave_standard_error(&mut self) {
        self.all.iter_mut().for_each(|report| report.leave_standard_error());
    }

    /// Lists the paths of the partial reports of an unfinished run.
    fn partial_reports(&self) -> String {
        let names = self.files.iter().map(|path| destination::part_of(path).display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Completes every report. If the run is unfinished, the reports remain partial reports. Fails if a report could
    /// not be written. A broken pipe is no failure.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let is_complete = !self.is_running;
        self.leave_standard_error();
        if interrupt::happened() {
            erase_echo();
        }
        if !is_complete && !self.files.is_empty() {
            let reports = self.partial_reports();
            super::eprint_line(format_args!("the run did not finish; its results so far are in {reports}"));
        }
        for (index, report) in self.all.drain(..).enumerate() {
            if let Err(error) = report.finish(is_complete) {
                self.failures.entry(index).or_insert(error);
            }
        }
        if !self.failures.is_empty() && interrupt::happened() {
            // The write failed because the user interrupted it while it waited for the reader of a pipe.
            return Err(Failure::interrupted());
        }
        self.failures.retain(|_, error| error.kind() != io::ErrorKind::BrokenPipe);
        let reasons: Vec<_> = self.failures.values().map(io::Error::to_string).collect();
        match &reasons[..] {
            [] => Ok(()),
            [reason] => Err(Failure::judge(format!("a report could not be written: {reason}"))),
            _ => Err(Failure::judge(format!("{} reports could not be written: {}", reasons.len(), reasons.join("; ")))),
        }
    }
}
