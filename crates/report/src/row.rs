//! A row of the table of submissions, and the head of the table.

use super::layout::{Column, Contents, LONG_CASE_HEADING, START};
use super::scores::rounded;
use super::table::{BAD, DIM, GOOD, ODD, colour, fitted, one_line, painted};
use super::view::Longest;
use referee_event::{RunStarted, SubmissionFinished, TimeLimit};
use referee_grading::verdict::Verdict;
use referee_text::columns::{columns, padded};

/// A figure of at least this fraction of its limit counts as near the limit.
const NEAR: f64 = 0.5;

/// The number of digits behind the point of a score, and the point.
const DECIMALS: usize = ".33".len();

/// A row: the figures of a submission.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The name that the row shows.
    pub(super) name: String,
    /// The result; `None` if the submission was not judged.
    pub(super) result: Option<SubmissionFinished>,
}

/// The facts about a run on which all rows depend.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    time_limit_seconds: Option<f64>,
    memory_limit_bytes: Option<u64>,
    has_expected: bool,
    /// Whether the run uses only a part of the test cases, so that a declared failure may be elsewhere.
    is_partial: bool,
    /// The number of test cases on which a submission can be run.
    cases: usize,
    /// Whether the rows show students instead of programs.
    pub(super) has_students: bool,
}

impl Row {
    /// Returns the row of a judged submission that is shown as `name`. Does not store messages.
    pub(super) fn judged(name: &str, submission: &SubmissionFinished) -> Row {
        let result = SubmissionFinished {
            submission: String::new(),
            message: None,
            breaches: Vec::new(),
            student: None,
            ..submission.clone()
        };
        Row { name: one_line(name), result: Some(result) }
    }

    /// Returns the row of a submission that was not judged and is shown as `name`.
    pub(super) fn skipped(name: &str) -> Row {
        Row { name: one_line(name), result: None }
    }

    /// Returns what the columns have to show for this row.
    pub(super) fn contents(&self) -> Contents {
        let own = Longest { submission: columns(&self.name), case: 0 };
        let Some(result) = &self.result else { return Contents { longest: own, ..Contents::default() } };
        let case = result.first_failing_case.as_deref().map_or(0, |case| columns(&one_line(case)));
        let most = result.max_score.as_ref().map(|most| rounded(most).len());
        Contents {
            has_expected: false,
            passed: passed(result).len(),
            score: result.score.as_ref().map_or(0, |score| match most {
                Some(most) => rounded(score).len().max(most + DECIMALS) + 1 + most,
                None => rounded(score).len().max("score".len() + DECIMALS),
            }),
            has_points: points(result).is_some(),
            longest: Longest { case, ..own },
        }
    }
}

impl Frame {
    pub(super) fn of(run: &RunStarted) -> Frame {
        Frame {
            time_limit_seconds: run.time_limit.map(TimeLimit::seconds),
            memory_limit_bytes: run.memory_limit_bytes,
            has_expected: run.has_declared,
            is_partial: run.part_of_cases.is_some(),
            cases: run.cases,
            has_students: false,
        }
    }

    /// Returns what the columns have to show in every row.
    pub(super) fn contents(&self) -> Contents {
        let passed = format!("{0}/{0}", self.cases).len();
        Contents { has_expected: self.has_expected, passed, ..Contents::default() }
    }

    /// Returns the head of the table.
    pub(super) fn head(&self, layout: &[(Column, usize)]) -> String {
        let cells = layout.iter().map(|&(column, width)| {
            let seconds = || self.time_limit_seconds.map(|seconds| format!("{seconds}s"));
            match column {
                Column::Expected => padded("wanted", width),
                Column::Name => padded(if self.has_students { "student" } else { "submission" }, width),
                Column::Passed => format!("{:>width$}", "passed"),
                Column::Case if width >= LONG_CASE_HEADING.len() => padded(LONG_CASE_HEADING, width),
                Column::Case => padded("fails on", width),
                Column::Score => format!("{:>width$}", "score"),
                Column::Points => format!("{:>width$}", "points"),
                Column::Time => heading_with_limit("CPU", seconds(), width),
                Column::Memory => {
                    heading_with_limit("MiB", self.memory_limit_bytes.map(|bytes| (bytes >> 20).to_string()), width)
                }
            }
        });
        let cells = cells.collect::<Vec<_>>().join(" ");
        painted(DIM, format!("{:START$}{cells}", "").trim_end())
    }

    /// Returns the line of a row.
    pub(super) fn row(&self, row: &Row, layout: &[(Column, usize)]) -> String {
        let Some(result) = &row.result else { return skipped(row, layout) };
        let mark = self.mark(result);
        let verdict = painted(colour(result.verdict), &format!("{:<3}", result.verdict));
        let cells = layout.iter().map(|&(column, width)| self.cell(row, result, column, width));
        let cells = cells.collect::<Vec<_>>().join(" ");
        format!("{mark} {verdict} {cells}").trim_end().to_owned()
    }

    fn mark(&self, result: &SubmissionFinished) -> String {
        match (result.as_wanted, result.verdict) {
            // Without an expected verdict, every verdict is allowed.
            (true, verdict) if result.as_expected.is_none() && verdict != Verdict::Accepted => painted(DIM, "·"),
            (true, verdict) if self.is_partial && !expects(result, verdict) => painted(DIM, "·"),
            (true, _) => painted(GOOD, "✓"),
            (false, Verdict::JudgeError) => painted(ODD, "!"),
            (false, _) => painted(BAD, "✗"),
        }
    }

    fn cell(&self, row: &Row, result: &SubmissionFinished, column: Column, width: usize) -> String {
        match column {
            Column::Expected => painted(DIM, &expected(result, width)),
            Column::Name => fitted(&row.name, width),
            Column::Passed => format!("{:>width$}", passed(result)),
            Column::Case => fitted(result.first_failing_case.as_deref().unwrap_or(""), width),
            Column::Score => format!("{:>width$}", score(result)),
            Column::Points => format!("{:>width$}", points(result).unwrap_or_else(|| "-".to_owned())),
            Column::Time => {
                let cpu = result.cpu_seconds_max;
                let text = cpu.map(|seconds| format!("{seconds:.3}"));
                coloured_figure(text, cpu.zip(self.time_limit_seconds), width)
            }
            Column::Memory => {
                let bytes = result.memory_bytes_max;
                let of_limit = bytes.zip(self.memory_limit_bytes).map(|(bytes, limit)| (bytes as f64, limit as f64));
                coloured_figure(bytes.map(mebibytes), of_limit, width)
            }
        }
    }
}

/// The text in the row of a submission that was not judged.
const NOT_JUDGED: &str = "not judged";

/// Returns the line of a submission that was not judged. It is not wider than the other rows.
fn skipped(row: &Row, layout: &[(Column, usize)]) -> String {
    let width_of = |wanted: Column| layout.iter().find(|(column, _)| *column == wanted).map_or(0, |(_, width)| *width);
    let indent = if width_of(Column::Expected) > 0 { START + width_of(Column::Expected) + 1 } else { START };
    let whole = START + layout.iter().map(|(_, width)| width + 1).sum::<usize>() - 1;
    let room = whole.saturating_sub(indent + 1 + NOT_JUDGED.len()).max(1);
    let name = fitted(&row.name, width_of(Column::Name).min(room));
    format!("{}{}{name} {}", painted(ODD, "-"), " ".repeat(indent - 1), painted(ODD, NOT_JUDGED))
}

/// Whether `verdict` is among the expected verdicts of the submission, or nothing is expected of it.
fn expects(submission: &SubmissionFinished, verdict: Verdict) -> bool {
    let word = verdict.to_string();
    submission.expected.as_ref().is_none_or(|expected| expected.is_empty() || expected.contains(&word))
}

/// Returns the expected verdicts of the submission. If they do not fit into the column, returns only the first.
fn expected(submission: &SubmissionFinished, width: usize) -> String {
    let verdicts = submission.expected.as_ref().map(|verdicts| one_line(&verdicts.join("/"))).unwrap_or_default();
    if columns(&verdicts) <= width {
        return padded(&verdicts, width);
    }
    let first = verdicts.split('/').next().unwrap_or_default();
    padded(&format!("{first}/…"), width)
}

/// Returns the number of test cases that the submission passed, and the number of all.
fn passed(result: &SubmissionFinished) -> String {
    let all = result.cases_run + result.cases_skipped;
    format!("{}/{all}", result.cases_run.saturating_sub(result.cases_failed))
}

fn score(result: &SubmissionFinished) -> String {
    let Some(score) = &result.score else { return "-".to_owned() };
    let most = result.max_score.as_ref().map(|most| format!("/{}", rounded(most))).unwrap_or_default();
    format!("{}{most}", rounded(score))
}

/// Returns the points of a submission, with at most two digits behind the point; `None` if it has none.
fn points(result: &SubmissionFinished) -> Option<String> {
    let text = format!("{:.2}", result.points?);
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// Returns the heading `what` with the limit behind it. Leaves out the limit if both together are too wide.
fn heading_with_limit(what: &str, limit: Option<String>, columns: usize) -> String {
    let heading = limit.map(|limit| format!("{what}/{limit}")).filter(|heading| heading.len() <= columns);
    format!("{:>columns$}", heading.unwrap_or_else(|| what.to_owned()))
}

/// Formats bytes as MiB, below ten with one decimal.
fn mebibytes(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 10.0 { format!("{mebibytes:.1}") } else { format!("{mebibytes:.0}") }
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
    use super::super::layout::{EXPECTED, layout};
    use super::*;

    pub(crate) fn submission(verdict: Verdict, expected: Option<&[&str]>) -> SubmissionFinished {
        SubmissionFinished {
            verdict,
            expected: expected.map(|verdicts| verdicts.iter().map(|verdict| (*verdict).to_owned()).collect()),
            as_expected: Some(true),
            as_wanted: true,
            cases_run: 8,
            cases_failed: 1,
            cases_skipped: 4,
            first_failing_case: Some("secret/03-all-black".to_owned()),
            cpu_seconds_max: Some(1.25),
            memory_bytes_max: Some(9 << 20),
            ..SubmissionFinished::accepted("wrong_answer/white_only.py")
        }
    }

    fn row(verdict: Verdict, expected: Option<&[&str]>) -> Row {
        Row::judged("wrong_answer/white_only.py", &submission(verdict, expected))
    }

    fn frame(has_expected: bool) -> Frame {
        Frame { has_expected, time_limit_seconds: Some(2.0), memory_limit_bytes: Some(1 << 30), ..Frame::default() }
    }

    fn drawn(frame: Frame, row: &Row, width: usize) -> [String; 2] {
        let layout = layout(&row.contents().with(frame.contents()), width);
        [frame.head(&layout), frame.row(row, &layout)]
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn what_is_declared_stands_beside_what_it_got_and_limits_above_figures() {
        let [head, line] = drawn(frame(true), &row(Verdict::WrongAnswer, Some(&["WA"])), 100);
        assert_eq!(
            [plain(&head), plain(&line)],
            [
                "      wanted submission                 passed first failing case   CPU/2s MiB/1024",
                "✓ WA  WA     wrong_answer/white_only.py   7/12 secret/03-all-black   1.250      9.0"
            ]
        );
        assert!(line.contains(&painted(ODD, "  1.250")), "near its limit");
    }

    #[test]
    fn a_row_fits_on_every_screen() {
        let long = Row { name: "名前/of/a/submission/in/folders/".repeat(9), ..row(Verdict::WrongAnswer, None) };
        for width in 40..200 {
            let lines = drawn(frame(true), &long, width).map(|line| columns(&plain(&line)));
            assert!(lines.iter().all(|&columns| columns <= width), "{lines:?} {width}");
            let judged = Row { result: None, ..long.clone() };
            let line = plain(&drawn(frame(true), &judged, width)[1]);
            assert!(line.ends_with("not judged") && columns(&line) <= width, "{line}");
        }
    }

    #[test]
    fn little_memory_has_a_decimal() {
        let of = [300 << 10, (10 << 20) - 1, 10 << 20, 1 << 30].map(mebibytes);
        assert_eq!(of, ["0.3", "10.0", "10", "1024"]);
    }

    #[test]
    fn an_expected_failure_that_did_not_show_on_a_part_of_the_cases_is_not_ticked() {
        let whole = frame(true);
        let part = Frame { is_partial: true, ..whole };
        let mark =
            |frame: Frame, verdict, expected: Option<&[&str]>| plain(&frame.mark(&submission(verdict, expected)));
        assert_eq!(mark(part, Verdict::Accepted, Some(&["RTE"])), "·");
        assert_eq!(mark(part, Verdict::RunTimeError, Some(&["WA", "RTE"])), "✓");
        assert_eq!(mark(part, Verdict::Accepted, None), "✓");
        let is_met = mark(whole, Verdict::Accepted, Some(&["RTE"]));
        assert_eq!(is_met, "✓", "an expectation about some of the cases was met");
    }

    #[test]
    fn of_many_declared_verdicts_the_first_is_shown() {
        let told = |verdicts: &[&str]| expected(&submission(Verdict::WrongAnswer, Some(verdicts)), EXPECTED);
        assert_eq!(told(&["WA", "RTE", "TLE"]), "WA/…  ");
        assert_eq!(told(&["WA", "TLE"]), "WA/TLE");
    }
}
