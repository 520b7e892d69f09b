//! Reads a report of a grading, submission by submission.

use std::fs::File;
use std::io::BufReader;

use super::totals::{Cases, Run};
use super::{MergeError, Source, Survey};
use crate::jsonl::read::{self, Lines};
use crate::jsonl::{self, Line};
use referee_event::{Event, RunFinished, RunStarted};
use referee_grading::verdict::Verdict;

/// Reads a report.
pub(super) struct Reader {
    pub(super) name: String,
    lines: Lines<BufReader<File>>,
    run: Run,
    /// Whether the report compares its submissions with one another.
    pub(super) has_comparison: bool,
}

/// The result of reading the next lines of a report.
pub(super) enum Next {
    Submission { name: String, judge_error: bool, declared: bool },
    End(RunFinished),
}

impl Reader {
    pub(super) fn open(source: Source) -> Reader {
        Reader {
            name: source.name,
            lines: Lines::new(BufReader::new(source.file)),
            run: Run::default(),
            has_comparison: false,
        }
    }

    /// Goes back to the first submission.
    pub(super) fn rewind(&mut self) -> Result<(), MergeError> {
        self.lines.rewind().map_err(|error| self.error_here(&format!("the report cannot be read again: {error}")))?;
        self.run = Run::default();
        self.start().map(drop)
    }

    /// Returns an error about the line that was read last.
    fn error_here(&self, what: &str) -> MergeError {
        MergeError::Report { name: self.name.clone(), unreadable: self.lines.unreadable(what) }
    }

    /// Returns the next line. Fails if the report has no further line, or if the line is unreadable.
    fn line(&mut self) -> Result<Line<'static>, MergeError> {
        match self.lines.next() {
            Some(Ok(line)) => Ok(line),
            None => Err(MergeError::Unfinished(self.name.clone())),
            Some(Err(unreadable)) if unreadable.is_cut => Err(MergeError::Unfinished(self.name.clone())),
            Some(Err(unreadable)) => Err(MergeError::Report { name: self.name.clone(), unreadable }),
        }
    }

    fn start(&mut self) -> Result<RunStarted, MergeError> {
        let line = self.line()?;
        let Line::RunStarted(started) = &line else {
            return Err(self.error_here("the first line is not of type run_started"));
        };
        read::check_version(started.schema_version).map_err(|what| self.error_here(&what))?;
        if started.version != env!("CARGO_PKG_VERSION") {
            let what = format!(
                "the report was written by referee {}, but this is referee {}; merge it with the version that wrote it",
                started.version,
                env!("CARGO_PKG_VERSION")
            );
            return Err(self.error_here(&what));
        }
        let graded = started.submissions.is_some();
        match jsonl::event(line, "") {
            Some(Event::RunStarted(started)) if graded => Ok(started),
            _ => Err(self.error_here("only reports of `referee grade` can be merged")),
        }
    }

    /// Reads the report to its end, and checks it.
    pub(super) fn survey(&mut self) -> Result<Survey, MergeError> {
        let mut started = self.start()?;
        let (mut submission_count, mut judge_errors, mut submissions) = (0, 0, Vec::new());
        loop {
            match self.next_submission(&mut |_| ())? {
                Next::Submission { name, judge_error, declared } => {
                    submission_count += 1;
                    submissions.push(name);
                    judge_errors += usize::from(judge_error);
                    started.has_declared |= declared;
                }
                Next::End(finished) => {
                    if self.lines.next().is_some() {
                        return Err(self.error_here("unexpected line after run_finished"));
                    }
                    return Ok(Survey { started, finished, submission_count, submissions, judge_errors });
                }
            }
        }
    }

    /// Passes the events of the next submission to `report`. Returns the end of the run if no submission is left.
    pub(super) fn next_submission(&mut self, report: &mut dyn FnMut(Event)) -> Result<Next, MergeError> {
        let (submission, language) = match self.line_of_submission()? {
            Line::BuildFinished(line) => {
                let names = (line.submission.to_string(), line.language.to_string());
                pass_on(report, Line::BuildFinished(line), "");
                names
            }
            Line::SubmissionSkipped(line) => {
                let name = line.submission.to_string();
                self.run.add_skipped();
                pass_on(report, Line::SubmissionSkipped(line), "");
                return Ok(Next::Submission { name, judge_error: false, declared: false });
            }
            Line::RunFinished(line) => {
                self.run.check_totals(&line).map_err(|what| self.error_here(&what))?;
                let finished = jsonl::event(Line::RunFinished(line), "");
                let Some(Event::RunFinished(finished)) = finished else { return Err(self.out_of_place()) };
                return Ok(Next::End(finished));
            }
            _ => return Err(self.out_of_place()),
        };
        let mut cases = Cases::default();
        loop {
            match self.line()? {
                Line::CaseFinished(line) if line.submission == submission => {
                    cases.add(&line).map_err(|what| self.error_here(&what))?;
                    pass_on(report, Line::CaseFinished(line), &language);
                }
                Line::GroupFinished(line) if line.submission == submission => {
                    cases.are_grouped = true;
                    pass_on(report, Line::GroupFinished(line), &language);
                }
                Line::SubmissionFinished(line) if line.submission == submission => {
                    cases.check_totals(&line).map_err(|what| self.error_here(&what))?;
                    self.run.add(&line);
                    let next = Next::Submission {
                        name: line.submission.to_string(),
                        judge_error: line.verdict == Verdict::JudgeError,
                        declared: line.expected.is_some(),
                    };
                    pass_on(report, Line::SubmissionFinished(line), &language);
                    return Ok(next);
                }
                _ => return Err(self.out_of_place()),
            }
        }
    }

    /// Returns the next line without the comparison of the submissions, which is not about the merged submissions.
    fn line_of_submission(&mut self) -> Result<Line<'static>, MergeError> {
        loop {
            match self.line()? {
                Line::SimilarityFinished(_) => self.has_comparison = true,
                line => return Ok(line),
            }
        }
    }

    fn out_of_place(&self) -> MergeError {
        self.error_here("unexpected line: the lines of a submission must be together")
    }
}

fn pass_on(report: &mut dyn FnMut(Event), line: Line<'static>, language: &str) {
    if let Some(event) = jsonl::event(line, language) {
        report(event);
    }
}
