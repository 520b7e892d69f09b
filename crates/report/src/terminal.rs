//! The report for people. Results go to the writer (standard output). The progress bar goes to standard error, if that
//! is a terminal. No line is wider than the screen, and nothing that a submission wrote reaches the terminal unescaped.

use std::io::{self, Write};
use std::rc::Rc;

use super::graded::Graded;
use super::progress::Progress;
use super::strength::Mutants;
use super::table::{DIM, fitted, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use super::verification::Verification;
use super::{CaseDetails, Report, Subject, crosscheck, diagnosis, generated, hunted, similarity};
use referee_event::{Enforcement, Event, Overall, RunStarted, State};
use referee_text::screen::{self, Stream, screen_line};

/// Writes the report for people.
pub struct Terminal<W: Write> {
    out: W,
    /// The stream whose width the report has.
    stream: Stream,
    verbosity: Verbosity,
    progress: Progress,
    heading: String,
    case_details: Option<Rc<dyn CaseDetails>>,
    graded: Graded,
    verification: Verification,
    mutants: Mutants,
}

impl<W: Write> Terminal<W> {
    /// Writes the report of the run to `out`, which leads to `stream`. `subject` describes the run.
    pub fn new(out: W, stream: Stream, verbosity: Verbosity, subject: Subject) -> Self {
        let Subject { heading, case_details, doing, view } = subject;
        Terminal {
            out,
            stream,
            verbosity,
            progress: Progress::hidden(doing),
            heading,
            graded: Graded::new(verbosity, view, case_details.clone()),
            case_details,
            verification: Verification::new(verbosity),
            mutants: Mutants::new(verbosity),
        }
    }

    /// Returns the width of the screen at the moment, in columns.
    fn width(&self) -> usize {
        screen::width(self.stream)
    }

    fn print(&mut self, lines: &[String]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let text: String = lines.iter().map(|line| screen_line(line.trim_end()) + "\n").collect();
        let out = &mut self.out;
        self.progress.suspend(|| out.write_all(text.as_bytes()))
    }

    fn started(&mut self, run: &RunStarted) -> io::Result<()> {
        self.graded.started(run);
        if self.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        if run.planned > 0 {
            self.progress.show(run.planned as u64);
        }
        let (heading, width) = (std::mem::take(&mut self.heading), self.width());
        let mut lines = Vec::new();
        if !heading.is_empty() {
            lines.extend(wrapped(&heading, width).iter().map(|line| shortened(line, width)));
        }
        lines.extend(run.sandbox.iter().flat_map(|sandbox| self.sandbox(sandbox, width)));
        self.print(&lines)
    }

    fn sandbox(&self, sandbox: &Enforcement, width: usize) -> Vec<String> {
        let mut lines: Vec<_> = wrapped(&sandbox_line(sandbox), width).iter().map(|line| painted(DIM, line)).collect();
        if self.verbosity < Verbosity::Verbose {
            return lines;
        }
        for (name, part) in &sandbox.parts {
            let head = format!("  {} {:<9} ", fitted(name, 13), part.state.word());
            let blank = " ".repeat(head.len());
            let why = wrapped(&part.why, width.saturating_sub(head.len()));
            let line = |(index, line): (usize, &String)| format!("{}{line}", if index == 0 { &head } else { &blank });
            lines.extend(why.iter().enumerate().map(line));
        }
        lines
    }
}

impl<W: Write> Report for Terminal<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let width = self.width();
        let lines = match event {
            Event::RunStarted(run) => return self.started(run),
            Event::BuildFinished(build) => self.graded.built(build, width),
            Event::SubmissionSkipped(skipped) => self.graded.skipped(skipped, width),
            Event::CaseFinished(case) => {
                self.progress.case(case.cached);
                self.graded.case(case, width)
            }
            Event::GroupFinished(group) => {
                self.graded.group(group);
                return Ok(());
            }
            Event::SubmissionFinished(submission) => {
                self.progress.skip(submission.cases_skipped);
                self.graded.submission(submission, width)
            }
            Event::SimilarityFinished(found) => {
                let mut lines = self.graded.end(width);
                lines.extend(similarity::lines(found, self.verbosity, width));
                lines
            }
            Event::CrosscheckFinished(result) => crosscheck::lines(result, self.verbosity, width),
            Event::DoctorFinished(found) => diagnosis::lines(found, width),
            Event::CaseGenerated(case) => {
                self.progress.case(false);
                generated::lines(case, self.verbosity, width)
            }
            Event::GenerateFinished(found) => {
                self.progress.clear();
                generated::summary(found, self.verbosity, width)
            }
            Event::VerifyStarted(_)
            | Event::VerifyFinding(_)
            | Event::VerifyTimeLimit(_)
            | Event::VerifyMargin(_)
            | Event::VerifyCheck(_)
            | Event::VerifyFinished(_) => self.verification.lines(event, width),
            Event::HuntFinished(found) => hunted::lines(found, self.verbosity, self.case_details.as_deref(), width),
            Event::MutantFinished(mutant) => self.mutants.mutant(mutant, width),
            Event::SurvivorHunted(hunted) => self.mutants.hunted(hunted, width),
            Event::StrengthFinished(found) => self.mutants.summary(found, width),
            Event::RunFinished(run) => {
                self.progress.clear();
                self.graded.finished(run, width)
            }
        };
        self.print(&lines)
    }

    fn while_not_drawing(&mut self, print: &dyn Fn()) {
        self.progress.suspend(print);
    }

    fn leave_standard_error(&mut self) {
        self.progress.clear();
    }

    fn finish(mut self: Box<Self>, _: bool) -> io::Result<()> {
        self.progress.clear();
        // An unfinished run has not printed everything that it found.
        let lines = self.graded.end(self.width());
        self.print(&lines)?;
        self.out.flush()
    }
}

fn sandbox_line(sandbox: &Enforcement) -> String {
    match sandbox.overall {
        Overall::Full => "sandbox: full".to_owned(),
        Overall::Off => "sandbox: off, because of --sandbox off; only limits are enforced".to_owned(),
        Overall::Partial => {
            let lacking = |state| sandbox.parts.iter().filter(move |(_, part)| part.state == state);
            let named = |what: &str, state| {
                let names: Vec<_> = lacking(state).map(|(name, _)| name.as_str()).collect();
                if names.is_empty() { String::new() } else { format!("; {what}: {}", names.join(" ")) }
            };
            format!("sandbox: partial{}{}", named("partly enforced", State::Partial), named("not enforced", State::Not))
        }
    }
}
