//! The report of `grade` for people: the table of submissions, the number of each verdict, the details, and a summary.

use std::collections::HashSet;
use std::rc::Rc;

use super::CaseDetails;
use super::caveats::Caveats;
use super::close::NearLimit;
use super::details::{Details, Judged};
use super::scores;
use super::submissions::{Table, VERDICTS};
use super::table::{BAD, DIM, GOOD, ODD, colour, counted, fitted, painted, shortened, wrapped};
use super::verbosity::Verbosity;
use super::verdict_counts;
use super::view::View;
use referee_event::{
    BuildFinished, CaseFinished, GroupFinished, Measuring, PartOfCases, RunFinished, RunStarted, SubmissionFinished,
    SubmissionSkipped, TimeLimit,
};
use referee_grading::verdict::Verdict;

/// The number of failed cases that are stored until the submission ends. After that many, only the first case of each
/// new verdict is stored. The report shows one of the stored cases.
const MAX_FAILURES: usize = 16;

/// The width of a test case's CPU time and of its score, with the blanks around them, in columns.
const FIGURES: usize = 8 + 10 + 13;

/// What the report knows about a run that grades submissions. Each function returns the lines to print, laid out for a
/// screen with `width` columns.
pub(super) struct Graded {
    verbosity: Verbosity,
    view: View,
    case_details: Option<Rc<dyn CaseDetails>>,
    table: Table,
    details: Details,
    /// The number of submissions with each verdict of [`VERDICTS`].
    verdicts: [usize; VERDICTS.len()],
    skipped: usize,
    /// The failed cases of the current submission: the first [`MAX_FAILURES`] of them, and the first case of each
    /// verdict.
    failures: Vec<CaseFinished>,
    build_message: Option<String>,
    /// The results of the groups of the current submission.
    groups: Vec<GroupFinished>,
    /// The submission whose test cases are being printed; empty before the first one.
    current: String,
    /// The results near the time limit, of the current submission and of the run.
    close: NearLimit,
    /// The compilers and interpreters that the report has already named.
    tools: HashSet<String>,
    /// The number of results that came from the cache.
    cached: usize,
    /// The number of compile errors that came from the cache.
    cached_errors: usize,
    /// Whether a submission that is not as expected did not run on all cases.
    has_unrun_cases: bool,
    /// The limitations of the summary.
    caveats: Caveats,
    /// The cost of measuring the time limit.
    measuring: Measuring,
    /// Whether a submission of the run has an expected verdict.
    has_declared: bool,
    /// The part of the test cases that the run uses; `None` if it uses all of them.
    part_of_cases: Option<PartOfCases>,
}

impl Graded {
    pub(super) fn new(verbosity: Verbosity, view: View, case_details: Option<Rc<dyn CaseDetails>>) -> Graded {
        Graded {
            verbosity,
            view,
            case_details,
            table: Table::default(),
            details: Details::new(view.details),
            verdicts: [0; VERDICTS.len()],
            skipped: 0,
            failures: Vec::new(),
            build_message: None,
            groups: Vec::new(),
            current: String::new(),
            close: NearLimit::default(),
            tools: HashSet::new(),
            cached: 0,
            cached_errors: 0,
            has_unrun_cases: false,
            caveats: Caveats::default(),
            measuring: Measuring::default(),
            has_declared: false,
            part_of_cases: None,
        }
    }

    pub(super) fn started(&mut self, run: &RunStarted) {
        // With --verbose, lines about test cases would come between the rows.
        self.table = Table::of(run, self.view, self.verbosity == Verbosity::Verbose);
        self.has_declared = run.has_declared;
        self.part_of_cases = run.part_of_cases.filter(|_| run.has_declared);
        self.measuring = run.time_limit.and_then(TimeLimit::cost).unwrap_or_default();
        self.caveats.time_limit(run.time_limit);
    }

    pub(super) fn built(&mut self, build: &BuildFinished, width: usize) -> Vec<String> {
        self.build_message.clone_from(&build.message);
        self.caveats.built(build);
        self.cached_errors += usize::from(build.cached && !build.ok);
        if self.verbosity < Verbosity::Verbose {
            return Vec::new();
        }
        let mut lines = self.begin(&build.submission, width);
        for tool in &build.tools {
            if let Some(version) = tool.version.as_ref().filter(|_| self.tools.insert(tool.path.clone())) {
                lines.push(painted(DIM, &shortened(&format!("  {}: {version}", tool.path), width)));
            }
        }
        lines
    }

    /// With --verbose, returns the heading above the test cases of a submission, unless it was printed before.
    fn begin(&mut self, submission: &str, width: usize) -> Vec<String> {
        if self.current == submission {
            return Vec::new();
        }
        submission.clone_into(&mut self.current);
        vec![String::new(), shortened(submission, width)]
    }

    pub(super) fn case(&mut self, case: &CaseFinished, width: usize) -> Vec<String> {
        self.cached += usize::from(case.cached);
        self.close.add(case);
        let is_new = || self.failures.iter().all(|held| held.verdict != case.verdict);
        if case.verdict != Verdict::Accepted && (self.failures.len() < MAX_FAILURES || is_new()) {
            self.failures.push(case.clone());
        }
        if self.verbosity < Verbosity::Verbose {
            return Vec::new();
        }
        let mut lines = self.begin(&case.submission, width);
        let verdict = painted(colour(case.verdict), &format!("{:<3}", case.verdict));
        let name = fitted(&case.case, 34.max(width / 2 - 6).min(width - FIGURES));
        let cpu = case.cpu_seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3} s"));
        let score = case.score.as_ref().map(scores::figure).unwrap_or_default();
        lines.push(format!("    {verdict} {name} {cpu:>9} {score:>12}"));
        let message = case.message.as_deref().and_then(|text| text.lines().next()).unwrap_or("");
        if !message.is_empty() {
            lines.push(format!("        {}", shortened(message, width - 8)));
        }
        lines
    }

    pub(super) fn group(&mut self, group: &GroupFinished) {
        self.groups.push(group.clone());
    }

    pub(super) fn submission(&mut self, submission: &SubmissionFinished, width: usize) -> Vec<String> {
        let as_wanted = submission.as_wanted;
        if self.has_declared && submission.expected.is_none() {
            self.caveats.undeclared(submission);
        }
        if let Some(index) = VERDICTS.iter().position(|known| *known == submission.verdict) {
            self.verdicts[index] += 1;
        }
        self.has_unrun_cases |= !as_wanted && submission.cases_run > 0 && submission.cases_skipped > 0;
        let failure = self.take_failure(submission);
        let (groups, build_message) = (std::mem::take(&mut self.groups), self.build_message.take());
        let close = self.close.submission_lines();
        if self.verbosity == Verbosity::Quiet && as_wanted {
            return Vec::new();
        }
        let name = self.table.name(&submission.submission, submission.student.as_deref());
        let judged = Judged {
            name: &name,
            submission,
            build_message: build_message.as_deref(),
            failure: failure.as_ref(),
            groups: &groups,
            close,
        };
        self.details.add(&judged, self.case_details.as_deref(), width);
        self.table.judged(&name, submission, width)
    }

    /// Returns the failed case to show: the first stored case that broke a rule; if there is none, the first one on
    /// which the judge failed, or else the first stored case.
    fn take_failure(&mut self, submission: &SubmissionFinished) -> Option<CaseFinished> {
        let failures = std::mem::take(&mut self.failures);
        let broke =
            |case: &CaseFinished| submission.breaches.iter().any(|breach| breach.case.as_ref() == Some(&case.case));
        let is_error = |case: &CaseFinished| case.verdict == Verdict::JudgeError;
        let index = failures.iter().position(broke).or_else(|| failures.iter().position(is_error)).unwrap_or(0);
        failures.into_iter().nth(index)
    }

    pub(super) fn skipped(&mut self, skipped: &SubmissionSkipped, width: usize) -> Vec<String> {
        self.skipped += 1;
        let name = self.table.name(&skipped.submission, skipped.student.as_deref());
        self.caveats.skipped(&name, skipped);
        self.table.skipped(&name, width)
    }

    /// Returns everything that waited for the end: the rows of the table, the number of each verdict, and the details.
    /// The run may be unfinished. A second call returns no lines.
    pub(super) fn end(&mut self, width: usize) -> Vec<String> {
        let mut lines = self.table.end(width);
        let rows = self.verdicts.iter().sum::<usize>() + self.skipped;
        if rows > 1 {
            lines.push(String::new());
            lines.extend(verdict_counts::lines(self.verdicts, self.skipped, width));
            if std::mem::take(&mut self.has_unrun_cases) && self.verbosity > Verbosity::Quiet {
                let text = "cases that cannot change the result did not run; --all-cases runs them";
                lines.extend(wrapped(text, width).iter().map(|line| painted(DIM, line)));
            }
        }
        lines.extend(self.details.take(rows));
        (self.verdicts, self.skipped) = ([0; VERDICTS.len()], 0);
        lines
    }

    /// Returns the summary of a finished run.
    pub(super) fn finished(&mut self, run: &RunFinished, width: usize) -> Vec<String> {
        if run.submissions + run.skipped == 0 {
            return Vec::new();
        }
        let mut lines = self.end(width);
        if let Some(part) = self.part_of_cases {
            self.caveats.part_of_cases(part);
        }
        lines.push(String::new());
        lines.extend(self.sum(run, width));
        lines.extend(self.caveats.lines(width));
        lines.extend(self.close.run_line().map(|line| painted(ODD, &line)));
        if self.cached > 0 {
            let line = cache_line(self.cached, run.cases_run, self.measuring.runs > 0);
            lines.extend(wrapped(&line, width).iter().map(|line| painted(DIM, line)));
        }
        if let Some(line) = errors_line(self.cached_errors) {
            lines.extend(wrapped(&line, width).iter().map(|line| painted(DIM, line)));
        }
        lines
    }

    fn sum(&self, run: &RunFinished, width: usize) -> Vec<String> {
        let on_a_part = self.part_of_cases.map(|PartOfCases { used, all }| format!(" on {used} of {all} test cases"));
        let is_whole = on_a_part.is_none();
        let on_a_part = on_a_part.unwrap_or_default();
        let (style, word) = match run {
            RunFinished { submissions: 0, .. } => (ODD, "nothing was judged".to_owned()),
            RunFinished { as_wanted: false, .. } => (BAD, format!("not all as expected{on_a_part}")),
            RunFinished { skipped: 0, .. } if is_whole => (GOOD, "all as expected".to_owned()),
            RunFinished { skipped: 0, .. } => (ODD, format!("as expected{on_a_part}")),
            _ => (ODD, format!("not all judged, the judged ones as expected{on_a_part}")),
        };
        let measuring = match self.measuring.runs {
            0 => String::new(),
            runs => format!(" and {runs} to measure the time limit"),
        };
        let submissions = match run.skipped {
            0 => format!("{} judged", counted(run.submissions, "submission")),
            skipped => {
                format!("{} found, {} judged", counted(run.submissions + skipped, "submission"), run.submissions)
            }
        };
        let rest = format!(
            ": {submissions}, {}{measuring}, {:.1} s",
            counted(run.cases_run, "run"),
            run.wall_seconds + self.measuring.seconds
        );
        super::table::headline(style, &word, &rest, width)
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
    let results = match (all, cached) {
        (1, _) => format!("the only result is from {from}"),
        _ if cached == all => format!("all results are from {from}"),
        (_, 1) => format!("1 result is from {from}"),
        _ => format!("{cached} results are from {from}"),
    };
    format!("{results}; --no-cache runs all again")
}

/// Returns a line about the compile errors that came from the cache; `None` if there are none.
fn errors_line(cached: usize) -> Option<String> {
    let errors = match cached {
        0 => return None,
        1 => "1 compile error is from an earlier compilation".to_owned(),
        _ => format!("{cached} compile errors are from earlier compilations"),
    };
    Some(format!("{errors}; --no-cache compiles again"))
}
