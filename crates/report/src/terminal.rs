//! The report for people: a row for each submission, details of a failure, and a summary.
//!
//! Results go to the writer (standard output). The progress bar goes to standard error, if that is a terminal. No line
//! is wider than 80 columns, and nothing that a submission wrote reaches the terminal unescaped.

use std::collections::HashSet;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget};

use super::caveats::Caveats;
use super::close::NearLimit;
use super::strength::Mutants;
use super::submissions::Table;
use super::table::{BAD, DIM, GOOD, ODD, colour, counted, fitted, one_line, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use super::verification::Verification;
use super::{CaseDetails, Report, Subject, crosscheck, diagnosis, failure, generated, hunted, progress, scores};
use referee_event::{
    BuildFinished, CaseFinished, CrosscheckFinished, Enforcement, Event, GroupFinished, Measuring, Overall,
    PartOfCases, RunFinished, RunStarted, State, SubmissionFinished, SubmissionSkipped, TimeLimit,
};
use referee_grading::verdict::Verdict;
use referee_text::printable::output_line;

/// The width of a terminal, in columns.
const WIDTH: usize = 80;

/// The width of a test case's name, in columns.
const NAME: usize = 34;

/// The number of failed cases that are stored until the submission ends. After that many, only the first case of each
/// new verdict is stored. The report shows one of the stored cases.
const MAX_FAILURES: usize = 16;

/// Writes the report for people.
pub struct Terminal<W: Write> {
    out: W,
    verbosity: Verbosity,
    progress: ProgressBar,
    heading: String,
    case_details: Option<Rc<dyn CaseDetails>>,
    /// The failed cases of the current submission: the first [`MAX_FAILURES`] of them, and the first case of each
    /// verdict.
    failures: Vec<CaseFinished>,
    build_message: Option<String>,
    /// The results of the groups of the current submission.
    groups: Vec<GroupFinished>,
    table: Table,
    verification: Verification,
    mutants: Mutants,
    /// The results near the time limit, of the current submission and of the run.
    close: NearLimit,
    /// The compilers and interpreters that the report has already named.
    tools: HashSet<String>,
    /// The number of results that came from the cache.
    cached: usize,
    /// The limitations of the summary.
    caveats: Caveats,
    /// The cost of measuring the time limit.
    measuring: Measuring,
    /// Whether a submission of the run has an expected verdict.
    has_declared: bool,
    /// The part of the test cases that the run uses; `None` if it uses all of them.
    part_of_cases: Option<PartOfCases>,
    /// Whether details of a failure followed the last row, so that an empty line precedes the next row.
    gap: bool,
}

impl<W: Write> Terminal<W> {
    /// Writes the report of the run to `out`. `subject` describes the run.
    pub fn new(out: W, verbosity: Verbosity, subject: Subject) -> Self {
        let Subject { heading, case_details, doing } = subject;
        // The bar appears when the run has started and the number of results is known.
        let progress = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        progress::set_style(&progress, doing);
        Terminal {
            out,
            verbosity,
            progress,
            heading,
            case_details,
            failures: Vec::new(),
            build_message: None,
            verification: Verification::new(verbosity),
            mutants: Mutants::new(verbosity),
            groups: Vec::new(),
            table: Table::default(),
            close: NearLimit::default(),
            tools: HashSet::new(),
            cached: 0,
            caveats: Caveats::default(),
            measuring: Measuring::default(),
            has_declared: false,
            part_of_cases: None,
            gap: false,
        }
    }

    fn print_line(&mut self, line: &str) -> io::Result<()> {
        let out = &mut self.out;
        let line = format!("{}\n", output_line(line.trim_end()));
        self.progress.suspend(|| out.write_all(line.as_bytes()))
    }

    fn started(&mut self, run: &RunStarted) -> io::Result<()> {
        self.table = Table::of(run);
        self.has_declared = run.has_declared;
        self.part_of_cases = run.part_of_cases.filter(|_| run.has_declared);
        self.measuring = run.time_limit.and_then(TimeLimit::cost).unwrap_or_default();
        self.caveats.time_limit(run.time_limit);
        if self.verbosity == Verbosity::Quiet {
            return Ok(());
        }
        if run.planned > 0 {
            self.progress.set_length(run.planned as u64);
            self.progress.set_draw_target(ProgressDrawTarget::stderr());
            self.progress.enable_steady_tick(Duration::from_millis(200));
        }
        let heading = std::mem::take(&mut self.heading);
        if !heading.is_empty() {
            self.print_line(&shortened(&heading, WIDTH))?;
        }
        match &run.sandbox {
            Some(sandbox) => self.sandbox(sandbox),
            None => Ok(()),
        }
    }

    fn sandbox(&mut self, sandbox: &Enforcement) -> io::Result<()> {
        for line in wrapped(&sandbox_line(sandbox), WIDTH) {
            self.print_line(&painted(DIM, &line))?;
        }
        if self.verbosity < Verbosity::Verbose {
            return Ok(());
        }
        for (name, part) in &sandbox.parts {
            let head = format!("  {} {:<9} ", fitted(name, 13), part.state.word());
            for (index, line) in wrapped(&part.why, WIDTH - head.len()).iter().enumerate() {
                self.print_line(&format!("{}{line}", if index == 0 { head.clone() } else { " ".repeat(head.len()) }))?;
            }
        }
        Ok(())
    }

    fn case(&mut self, case: &CaseFinished) -> io::Result<()> {
        self.cached += usize::from(case.cached);
        self.progress.inc(1);
        self.close.add(case);
        if self.verbosity == Verbosity::Verbose {
            let verdict = painted(colour(case.verdict), &format!("{:<3}", case.verdict));
            let name = fitted(&case.case, NAME);
            let cpu = case.cpu_seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3} s"));
            let message = case.message.as_deref().and_then(|text| text.lines().next()).unwrap_or("");
            let score = case.score.as_ref().map(scores::figure).unwrap_or_default();
            self.print_line(&format!("    {verdict} {name} {cpu:>9} {score:>12}"))?;
            if !message.is_empty() {
                self.print_line(&format!("        {}", shortened(message, 70)))?;
            }
        }
        let is_new = || self.failures.iter().all(|held| held.verdict != case.verdict);
        if case.verdict != Verdict::Accepted && (self.failures.len() < MAX_FAILURES || is_new()) {
            self.failures.push(case.clone());
        }
        Ok(())
    }

    fn submission(&mut self, submission: &SubmissionFinished) -> io::Result<()> {
        let as_wanted = submission.as_wanted;
        if self.has_declared && submission.expected.is_none() {
            self.caveats.undeclared(submission);
        }
        // For the progress bar, skipped cases count as finished.
        self.progress.inc(submission.cases_skipped as u64);
        let groups = std::mem::take(&mut self.groups);
        let close = self.close.submission_lines();
        if self.verbosity > Verbosity::Quiet || !as_wanted {
            self.head()?;
            self.row(submission)?;
            for line in close.into_iter().chain(scores::lines(submission, &groups)) {
                self.print_line(&format!("      {line}"))?;
            }
        }
        if as_wanted {
            self.failures.clear();
            self.build_message = None;
            return Ok(());
        }
        for line in submission.message.iter().flat_map(|message| wrapped(message, 72)) {
            self.print_line(&format!("      {}", painted(ODD, &line)))?;
        }
        for breach in &submission.breaches {
            for line in wrapped(&breach.to_string(), 72) {
                self.print_line(&format!("      {}", painted(BAD, &line)))?;
            }
        }
        if let Some(message) = self.build_message.take() {
            for line in failure::build_lines(&message) {
                self.print_line(&format!("      {line}"))?;
            }
        }
        match self.take_failure(submission) {
            Some(case) => {
                self.gap = true;
                failure::lines(&case, submission, self.case_details.as_deref())
                    .iter()
                    .try_for_each(|line| self.print_line(line))
            }
            None => Ok(()),
        }
    }

    /// Returns the failed case to show: the first stored case that broke a rule; if there is none, the first stored
    /// case.
    fn take_failure(&mut self, submission: &SubmissionFinished) -> Option<CaseFinished> {
        let failures = std::mem::take(&mut self.failures);
        let broke =
            |case: &CaseFinished| submission.breaches.iter().any(|breach| breach.case.as_ref() == Some(&case.case));
        let index = failures.iter().position(broke).unwrap_or(0);
        failures.into_iter().nth(index)
    }

    fn head(&mut self) -> io::Result<()> {
        let Some(head) = self.table.head() else { return Ok(()) };
        self.print_line("")?;
        self.print_line(&head)
    }

    fn row(&mut self, submission: &SubmissionFinished) -> io::Result<()> {
        if std::mem::take(&mut self.gap) {
            self.print_line("")?;
        }
        self.print_line(&self.table.row(submission))
    }

    fn built(&mut self, build: &BuildFinished) -> io::Result<()> {
        self.build_message.clone_from(&build.message);
        self.caveats.built(build);
        if self.verbosity < Verbosity::Verbose {
            return Ok(());
        }
        for tool in &build.tools {
            if let Some(version) = tool.version.as_ref().filter(|_| self.tools.insert(tool.path.clone())) {
                self.print_line(&painted(DIM, &shortened(&format!("  {}: {version}", tool.path), WIDTH)))?;
            }
        }
        Ok(())
    }

    fn skipped(&mut self, skipped: &SubmissionSkipped) -> io::Result<()> {
        self.caveats.skipped(skipped);
        self.head()?;
        self.print_line(&format!(
            "{}     {}  {}",
            painted(ODD, "-"),
            one_line(&skipped.submission),
            painted(ODD, "not judged")
        ))
    }

    fn crosscheck(&mut self, result: &CrosscheckFinished) -> io::Result<()> {
        let lines = crosscheck::lines(result, self.verbosity);
        lines.iter().try_for_each(|line| self.print_line(line))
    }

    fn finished(&mut self, run: &RunFinished) -> io::Result<()> {
        self.progress.finish_and_clear();
        if run.submissions + run.skipped == 0 {
            return Ok(());
        }
        let on_a_part = self.part_of_cases.map(|PartOfCases { used, all }| format!(" on {used} of {all} test cases"));
        if let Some(part) = self.part_of_cases {
            self.caveats.part_of_cases(part);
        }
        let is_whole = on_a_part.is_none();
        let on_a_part = on_a_part.unwrap_or_default();
        let (style, word) = match run {
            RunFinished { submissions: 0, .. } => (ODD, "nothing was judged".to_owned()),
            RunFinished { as_wanted: false, .. } => (BAD, format!("not all as expected{on_a_part}")),
            RunFinished { skipped: 0, .. } if is_whole => (GOOD, "all as expected".to_owned()),
            RunFinished { skipped: 0, .. } => (ODD, format!("as expected{on_a_part}")),
            _ => (ODD, format!("not all judged, the judged ones as expected{on_a_part}")),
        };
        self.print_line("")?;
        let measuring = match self.measuring.runs {
            0 => String::new(),
            runs => format!(" and {runs} to measure the time limit"),
        };
        self.print_line(&format!(
            "{}: {} found, {} judged, {}{measuring}, {:.1} s",
            painted(style, &word),
            counted(run.submissions + run.skipped, "submission"),
            run.submissions,
            counted(run.cases_run, "run"),
            run.wall_seconds + self.measuring.seconds
        ))?;
        self.caveats.lines().iter().try_for_each(|line| self.print_line(line))?;
        if let Some(line) = self.close.run_line() {
            self.print_line(&painted(ODD, &line))?;
        }
        if self.cached == 0 {
            return Ok(());
        }
        self.print_line(&painted(DIM, &cache_line(self.cached, run.cases_run, self.measuring.runs > 0)))
    }
}

impl<W: Write> Report for Terminal<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted(run) => self.started(run),
            Event::BuildFinished(build) => self.built(build),
            Event::SubmissionSkipped(skipped) => self.skipped(skipped),
            Event::CaseFinished(case) => self.case(case),
            Event::GroupFinished(group) => {
                self.groups.push(group.clone());
                Ok(())
            }
            Event::SubmissionFinished(submission) => self.submission(submission),
            Event::CrosscheckFinished(result) => self.crosscheck(result),
            Event::DoctorFinished(found) => diagnosis::lines(found).iter().try_for_each(|line| self.print_line(line)),
            Event::CaseGenerated(case) => {
                self.progress.inc(1);
                generated::lines(case, self.verbosity).iter().try_for_each(|line| self.print_line(line))
            }
            Event::GenerateFinished(found) => {
                self.progress.finish_and_clear();
                generated::summary(found, self.verbosity).iter().try_for_each(|line| self.print_line(line))
            }
            Event::VerifyStarted(_)
            | Event::VerifyFinding(_)
            | Event::VerifyTimeLimit(_)
            | Event::VerifyMargin(_)
            | Event::VerifyCheck(_)
            | Event::VerifyFinished(_) => {
                self.verification.lines(event).iter().try_for_each(|line| self.print_line(line))
            }
            Event::HuntFinished(found) => hunted::lines(found, self.verbosity, self.case_details.as_deref())
                .iter()
                .try_for_each(|line| self.print_line(line)),
            Event::MutantFinished(mutant) => {
                self.mutants.mutant(mutant).iter().try_for_each(|line| self.print_line(line))
            }
            Event::SurvivorHunted(hunted) => {
                self.mutants.hunted(hunted).iter().try_for_each(|line| self.print_line(line))
            }
            Event::StrengthFinished(found) => {
                self.mutants.summary(found).iter().try_for_each(|line| self.print_line(line))
            }
            Event::RunFinished(run) => self.finished(run),
        }
    }

    fn while_not_drawing(&mut self, print: &dyn Fn()) {
        self.progress.suspend(print);
    }

    fn leave_standard_error(&mut self) {
        self.progress.finish_and_clear();
    }

    fn finish(mut self: Box<Self>, _: bool) -> io::Result<()> {
        self.progress.finish_and_clear();
        self.out.flush()
    }
}

/// Returns a line about the results that came from the cache. If this command measured the time limit (`measured`),
/// these results may come from the runs of the measurement.
fn cache_line(cached: usize, all: usize, measured: bool) -> String {
    let from = match (all, measured) {
        (1, false) => "an earlier run",
        (1, true) => "an earlier run or the measurement of the time limit",
        (_, false) => "earlier runs",
        (_, true) => "earlier runs or the measurement of the time limit",
    };
    let results = match all {
        1 => format!("the only result is from {from}"),
        _ if cached == all => format!("all {all} results are from {from}"),
        _ => format!("{cached} of {all} results are from {from}"),
    };
    format!("{results}; --no-cache runs all again")
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
