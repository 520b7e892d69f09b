//! Arguments that several subcommands share, and the reports they ask for.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::NamedTempFile;

use super::{Failure, input};
use crate::event::Event;
use crate::report::Report;
use crate::report::jsonl::JsonLines;
use crate::report::terminal::{Loudness, Terminal};
use crate::sandbox::interrupt;
use crate::temporary;

/// How to report.
#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// Write JSON lines to FILE (- is standard output)
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,

    /// Say only what is not as wanted
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    quiet: bool,

    /// Say more: every test case
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
    /// How many to run at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobArguments {
    pub(super) fn is_given(&self) -> bool {
        self.jobs.is_some()
    }

    pub(super) fn count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// All reports of a run.
pub(super) struct Reports {
    reports: Vec<Box<dyn Report>>,
    /// The first thing that went wrong in writing; the run goes on, so that other reports are whole.
    failure: Option<io::Error>,
}

impl ReportArguments {
    /// Whether any report is asked for, or another way of telling.
    pub(super) fn are_given(&self) -> bool {
        self.json.is_some() || self.quiet || self.verbose
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Opens the reports. `heading` tells what the run is about.
    pub(super) fn open(&self, heading: String) -> Result<Reports, Failure> {
        let mut reports: Vec<Box<dyn Report>> = Vec::new();
        let json_on_stdout = self.json.as_deref() == Some(Path::new("-"));
        let loudness = match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        };
        // One of them must have standard output to itself.
        reports.push(if json_on_stdout {
            Box::new(Terminal::new(anstream::stderr(), loudness, heading))
        } else {
            Box::new(Terminal::new(anstream::stdout(), loudness, heading))
        });
        if json_on_stdout {
            reports.push(Box::new(JsonLines::new(BufWriter::new(io::stdout()), |mut out| out.flush())));
        } else if let Some(path) = &self.json {
            reports.push(json_file(path).map_err(|error| {
                if interrupt::happened() {
                    return Failure::interrupted();
                }
                Failure::unusable(format!("cannot write the report {}: {error}", path.display()))
            })?);
        }
        Ok(Reports { reports, failure: None })
    }
}

/// A report in a file, which gets its name when it is complete, so that nobody takes half a report for a whole one.
/// What is no plain file, such as a pipe or a device, is written to as it is: a new file must not take its place.
fn json_file(path: &Path) -> io::Result<Box<dyn Report>> {
    match path.metadata() {
        Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if !found.is_file() => {
            let file = input::open_for_writing(path)?;
            return Ok(Box::new(JsonLines::new(BufWriter::new(file), |mut out| out.flush())));
        }
        _ => {}
    }
    // Through a link, the file it leads to is replaced, and the link stays.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = NamedTempFile::new_in(folder).map_err(temporary::without_name)?;
    Ok(Box::new(JsonLines::new(Renamed { file, path }, Renamed::complete)))
}

/// A temporary file and the name it is to have.
struct Renamed {
    file: NamedTempFile,
    path: PathBuf,
}

impl Renamed {
    fn complete(self) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are for their owner's eyes only; a report is for everyone's.
        self.file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
        self.file.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

impl Write for Renamed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(temporary::without_name)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Reports {
    /// Tells every report.
    pub(super) fn event(&mut self, event: &Event) {
        for report in &mut self.reports {
            if let Err(error) = report.event(event) {
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Completes every report.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        for report in self.reports.drain(..) {
            if let Err(error) = report.finish() {
                self.failure.get_or_insert(error);
            }
        }
        match self.failure {
            // `referee grade ... | head` is no failure of anybody.
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::judge(format!("a report could not be written: {error}")))
            }
            _ => Ok(()),
        }
    }
}
