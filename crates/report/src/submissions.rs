//! The table of submissions: verdict, expected verdict, first failing case, and time and memory beside their limits.

use super::table::{BAD, DIM, GOOD, ODD, colour, fitted, one_line, painted};
use referee_event::{RunStarted, SubmissionFinished, TimeLimit};
use referee_grading::verdict::Verdict;
use referee_text::columns::columns;

/// The total width, in terminal columns, of three parts of a row: the submission's name, the test case's name and the
/// expected verdicts. The other parts have fixed widths.
const NAMES: usize = 55;

/// The width of a test case's name, in columns.
const CASE: usize = 19;

/// The width of the expected verdicts, in columns. They are shown only if the run has expected verdicts.
const DECLARED: usize = 7;

/// The widths of a time and of memory, in columns.
const TIME: usize = 7;
const MEMORY: usize = 8;

/// A figure of at least this fraction of its limit counts as near the limit.
const NEAR: f64 = 0.5;

/// The layout of rows. It depends on the run's limits and on whether submissions have expected verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Table {
    time_limit_seconds: Option<f64>,
    memory_limit_bytes: Option<u64>,
    has_declared: bool,
    /// Whether the run uses only a part of the test cases, so that a declared failure may be elsewhere.
    is_partial: bool,
    is_begun: bool,
}

impl Table {
    pub(super) fn of(run: &RunStarted) -> Table {
        Table {
            time_limit_seconds: run.time_limit.map(TimeLimit::seconds),
            memory_limit_bytes: run.memory_limit_bytes,
            has_declared: run.has_declared,
            is_partial: run.part_of_cases.is_some(),
            is_begun: false,
        }
    }

    /// Returns the head of the table; `None` after the first call.
    pub(super) fn head(&mut self) -> Option<String> {
        if std::mem::replace(&mut self.is_begun, true) {
            return None;
        }
        let declared = if self.has_declared { format!("{:<DECLARED$}", "wanted") } else { String::new() };
        let name = fitted("submission", self.name_columns());
        let case = fitted("first failing case", CASE);
        let seconds = heading_with_limit("CPU", self.time_limit_seconds.map(|seconds| format!("{seconds}s")), TIME);
        let memory = heading_with_limit("MiB", self.memory_limit_bytes.map(|bytes| (bytes >> 20).to_string()), MEMORY);
        Some(painted(DIM, &format!("      {declared}{name} {case} {seconds:>TIME$} {memory:>MEMORY$}")))
    }

    fn name_columns(&self) -> usize {
        NAMES - CASE - if self.has_declared { DECLARED } else { 0 }
    }

    pub(super) fn row(&self, submission: &SubmissionFinished) -> String {
        let mark = match (submission.as_wanted, submission.verdict) {
            // Without an expected verdict, every verdict is allowed.
            (true, verdict) if submission.as_expected.is_none() && verdict != Verdict::Accepted => painted(DIM, "·"),
            (true, verdict) if self.is_partial && !expects(submission, verdict) => painted(DIM, "·"),
            (true, _) => painted(GOOD, "✓"),
            (false, Verdict::JudgeError) => painted(ODD, "!"),
            (false, _) => painted(BAD, "✗"),
        };
        let verdict = painted(colour(submission.verdict), &format!("{:<3}", submission.verdict));
        let declared = if self.has_declared { painted(DIM, &declared(submission)) } else { String::new() };
        let name = fitted(&submission.submission, self.name_columns());
        let case = fitted(submission.first_failing_case.as_deref().unwrap_or(""), CASE);
        let cpu = submission.cpu_seconds_max;
        let cpu = coloured_figure(cpu.map(|seconds| format!("{seconds:.3}")), cpu.zip(self.time_limit_seconds), TIME);
        let bytes = submission.memory_bytes_max;
        let of_limit = bytes.zip(self.memory_limit_bytes).map(|(bytes, limit)| (bytes as f64, limit as f64));
        let memory = coloured_figure(bytes.map(mebibytes), of_limit, MEMORY);
        format!("{mark} {verdict} {declared}{name} {case} {cpu} {memory}")
    }
}

/// Whether `verdict` is among the expected verdicts of the submission, or nothing is expected of it.
fn expects(submission: &SubmissionFinished, verdict: Verdict) -> bool {
    let word = verdict.to_string();
    submission.expected.as_ref().is_none_or(|expected| expected.is_empty() || expected.contains(&word))
}

/// Returns the expected verdicts of the submission. If they do not fit into the column, returns only the first.
fn declared(submission: &SubmissionFinished) -> String {
    let verdicts = submission.expected.as_ref().map(|verdicts| one_line(&verdicts.join("/"))).unwrap_or_default();
    if columns(&verdicts) < DECLARED {
        return format!("{verdicts:<DECLARED$}");
    }
    let first = verdicts.split('/').next().unwrap_or_default();
    format!("{:<DECLARED$}", format!("{first}/…"))
}

/// Returns the heading `what` with the limit behind it. Leaves out the limit if both together are too wide.
fn heading_with_limit(what: &str, limit: Option<String>, columns: usize) -> String {
    let heading = limit.map(|limit| format!("{what}/{limit}")).filter(|heading| heading.len() <= columns);
    heading.unwrap_or_else(|| what.to_owned())
}

/// Formats bytes as MiB, below ten with one decimal.
fn mebibytes(bytes: u64) -> String {
    let most_with_decimal = 10 << 20;
    if bytes < most_with_decimal {
        format!("{:.1}", bytes as f64 / f64::from(1 << 20))
    } else {
        (bytes >> 20).to_string()
    }
}

/// Formats a figure. A figure near its limit gets a colour.
fn coloured_figure(text: Option<String>, of_limit: Option<(f64, f64)>, columns: usize) -> String {
    let text = format!("{:>columns$}", text.unwrap_or_else(|| "-".to_owned()));
    match of_limit {
        Some((used, limit)) if used >= NEAR * limit => painted(ODD, &text),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(verdict: Verdict, expected: Option<&[&str]>) -> SubmissionFinished {
        SubmissionFinished {
            submission: "wrong_answer/white_only.py".to_owned(),
            language: "Python 3".to_owned(),
            verdict,
            score: None,
            max_score: None,
            message: None,
            expected: expected.map(|verdicts| verdicts.iter().map(|verdict| (*verdict).to_owned()).collect()),
            as_expected: Some(true),
            as_wanted: true,
            breaches: Vec::new(),
            cases_run: 1,
            cases_failed: 1,
            cases_skipped: 0,
            first_failing_case: Some("secret/03-all-black".to_owned()),
            cpu_seconds_max: Some(1.25),
            memory_bytes_max: Some(9 << 20),
            points: None,
            student: None,
        }
    }

    fn table(has_declared: bool) -> Table {
        Table { has_declared, time_limit_seconds: Some(2.0), memory_limit_bytes: Some(1 << 30), ..Table::default() }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn what_is_declared_stands_beside_what_it_got_and_limits_above_figures() {
        let (mut table, got) = (table(true), submission(Verdict::WrongAnswer, Some(&["WA"])));
        let head = plain(&table.head().unwrap());
        assert!(head.contains("wanted submission") && head.ends_with("  CPU/2s MiB/1024"), "{head}");
        assert_eq!(
            plain(&table.row(&got)),
            "✓ WA  WA     wrong_answer/white_only.py    secret/03-all-black   1.250      9.0"
        );
        assert!(table.row(&got).contains(&painted(ODD, "  1.250")), "near its limit");
        assert!(table.head().is_none(), "one head is enough");
    }

    #[test]
    fn little_memory_has_a_decimal() {
        let of = [300 << 10, (10 << 20) - 1, 10 << 20, 1 << 30].map(mebibytes);
        assert_eq!(of, ["0.3", "10.0", "10", "1024"]);
    }

    #[test]
    fn an_expected_failure_that_did_not_show_on_a_part_of_the_cases_is_not_ticked() {
        let whole = table(true);
        let part = Table { is_partial: true, ..whole };
        let mark = |table: &Table, verdict, expected: Option<&[&str]>| {
            plain(&table.row(&submission(verdict, expected))).chars().next().unwrap()
        };
        assert_eq!(mark(&part, Verdict::Accepted, Some(&["RTE"])), '·');
        assert_eq!(mark(&part, Verdict::RunTimeError, Some(&["WA", "RTE"])), '✓');
        assert_eq!(mark(&part, Verdict::Accepted, None), '✓');
        assert_eq!(
            mark(&whole, Verdict::Accepted, Some(&["RTE"])),
            '✓',
            "an expectation about some of the cases was met"
        );
    }

    #[test]
    fn where_nothing_is_declared_names_have_the_room() {
        let (mut table, got) = (table(false), submission(Verdict::WrongAnswer, None));
        assert!(!table.head().unwrap().contains("wanted"));
        let long =
            SubmissionFinished { submission: "a/very/long/name/of/a/submission/in/folders.py".to_owned(), ..got };
        for table in [table, Table { has_declared: true, ..table }] {
            assert_eq!(plain(&table.row(&long)).chars().count(), 79);
        }
    }

    #[test]
    fn of_many_declared_verdicts_the_first_is_shown() {
        assert_eq!(declared(&submission(Verdict::WrongAnswer, Some(&["WA", "RTE", "TLE"]))).trim(), "WA/…");
        assert_eq!(declared(&submission(Verdict::WrongAnswer, Some(&["WA", "TLE"]))).trim(), "WA/TLE");
    }
}
