//! Arguments that several subcommands share, and the reports they ask for.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use clap::Args;

use super::{Failure, destination};
use referee_event::Event;
use referee_report::github::{Github, Places};
use referee_report::html::Html;
use referee_report::jsonl::{Before, JsonLines};
use referee_report::junit::Junit;
use referee_report::terminal::{Loudness, Terminal};
use referee_report::{Destination, Report, Subject, counted};
use referee_sandbox::interrupt;

/// How to report.
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

/// A whole number for an option.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "allowed: a whole number, from 0 on".to_owned())
}

/// Parallelism.
#[derive(Debug, Args)]
pub(super) struct JobArguments {
    /// How many programs to run at the same time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobArguments {
    pub(super) fn is_given(&self) -> bool {
        self.jobs.is_some()
    }

    pub(super) fn count(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }

    /// Says once what more programs than cores cost.
    pub(super) fn warn_of_too_many(&self) {
        static SAID: Once = Once::new();
        let (jobs, cores) = (self.count(), cores());
        if jobs > cores {
            SAID.call_once(|| {
                let cores = counted(cores, "core");
                super::warn(&format!("-j {jobs} on {cores}: programs wait for a core, and their times are less exact"));
            });
        }
    }
}

/// How many cores this process may use.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// All reports of a run.
pub(super) struct Reports {
    all: Vec<Box<dyn Report>>,
    /// The first thing that went wrong in writing; the run goes on, so that other reports are whole.
    failure: Option<io::Error>,
    /// Whether a run has begun, and not come to its end.
    is_running: bool,
    /// What reports are files.
    files: Vec<PathBuf>,
}

impl ReportArguments {
    /// Whether any report goes to a file.
    pub(super) fn has_files(&self) -> bool {
        [&self.json, &self.junit, &self.html].iter().any(|path| path.is_some())
    }

    /// Whether any report is asked for, or another way of telling.
    pub(super) fn are_given(&self) -> bool {
        self.has_files() || self.github || self.quiet || self.verbose
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Opens what reports are written to. What cannot be written is told before anything is run.
    pub(super) fn prepare(&self) -> Result<Prepared, Failure> {
        let named =
            [("--json", self.json.as_deref()), ("--junit", self.junit.as_deref()), ("--html", self.html.as_deref())];
        let on_stdout = destination::on_stdout(&named)?;
        destination::refuse_one_for_two(&named)?;
        let loudness = match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        };
        let open = |path: &Option<PathBuf>| path.as_deref().map(destination::open).transpose();
        let (json, junit, html) = (open(&self.json)?, open(&self.junit)?, open(&self.html)?);
        let files = named.iter().filter_map(|(_, path)| *path).filter(|path| destination::is_file(path));
        let files = files.map(Path::to_path_buf).collect();
        Ok(Prepared { on_stdout, loudness, json, before: Before::default(), junit, html, files, github: self.github })
    }

    /// Where JSON lines are written to.
    pub(super) fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    /// Opens the reports of a run that begins at once. `heading` tells what it is about.
    pub(super) fn open(&self, heading: String) -> Result<Reports, Failure> {
        Ok(self.prepare()?.begin(Subject { heading, ..Subject::default() }, Places::default()))
    }
}

/// What reports are written to.
pub(super) struct Prepared {
    on_stdout: bool,
    loudness: Loudness,
    json: Option<Box<dyn Destination>>,
    /// What the report has in whose place that comes.
    before: Before,
    junit: Option<Box<dyn Destination>>,
    html: Option<Box<dyn Destination>>,
    /// Those of them that are files.
    files: Vec<PathBuf>,
    github: bool,
}

impl Prepared {
    /// Goes on where another run was ended: what that one has left stays until this one has told as much.
    pub(super) fn after(self, before: Before) -> Prepared {
        Prepared { before, ..self }
    }

    /// Begins the reports of a run about this; `places` tells where the files lie that events name.
    pub(super) fn begin(self, subject: Subject, places: Places) -> Reports {
        let (heading, backdrop) = (subject.heading.clone(), subject.backdrop.clone());
        let html = self.html.map(|out| Box::new(Html::new(out, heading, backdrop)) as Box<dyn Report>);
        // One of them must have standard output to itself.
        let out = destination::for_people(self.on_stdout);
        let mut reports: Vec<Box<dyn Report>> = vec![Box::new(Terminal::new(out, self.loudness, subject))];
        if self.github && self.on_stdout {
            reports.push(Box::new(Github::new(io::stderr(), places)));
        } else if self.github {
            reports.push(Box::new(Github::new(io::stdout(), places)));
        }
        let before = self.before;
        reports.extend(self.json.map(|out| Box::new(JsonLines::new(out, before)) as Box<dyn Report>));
        reports.extend(self.junit.map(|out| Box::new(Junit::new(out)) as Box<dyn Report>));
        reports.extend(html);
        Reports { all: reports, failure: None, is_running: false, files: self.files }
    }
}

/// Keeps the first thing that went wrong. That nobody reads on, as in `referee grade ... | head`, is no failure of
/// anybody, and hides none.
fn note_failure(known: &mut Option<io::Error>, error: io::Error) {
    if known.as_ref().is_none_or(|known| known.kind() == io::ErrorKind::BrokenPipe) {
        *known = Some(error);
    }
}

impl Reports {
    /// Tells every report.
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted(_) => self.is_running = true,
            Event::RunFinished(_) | Event::GenerateFinished(_) => self.is_running = false,
            _ => {}
        }
        for report in &mut self.all {
            if let Err(error) = report.event(event) {
                note_failure(&mut self.failure, error);
            }
        }
    }

    /// Clears the progress bar for good. It would erase what the command itself writes to standard error.
    pub(super) fn leave_standard_error(&mut self) {
        self.all.iter_mut().for_each(|report| report.leave_standard_error());
    }

    /// What the reports of a run are called that did not come to its end.
    fn parts(&self) -> String {
        let names = self.files.iter().map(|path| destination::part_of(path).display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Completes every report, or leaves it as a part if the run did not come to its end.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let is_whole = !self.is_running;
        self.leave_standard_error();
        if !is_whole && !self.files.is_empty() {
            super::note(format_args!("the run did not come to its end: its report is {}", self.parts()));
        }
        for report in self.all.drain(..) {
            if let Err(error) = report.finish(is_whole) {
                note_failure(&mut self.failure, error);
            }
        }
        match self.failure {
            // Nobody read on, and the user did not want to wait for it.
            Some(_) if interrupt::happened() => Err(Failure::interrupted()),
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::judge(format!("a report could not be written: {error}")))
            }
            _ => Ok(()),
        }
    }
}
