//! The table of submissions. Rows are printed as the submissions are judged, or all rows at the end, sorted.

use super::layout::{Column, Contents, layout};
use super::row::{Frame, Row};
use super::view::{Sort, View, natural_order};
use referee_event::{RunStarted, Student, SubmissionFinished};
use referee_grading::verdict::Verdict;
use std::cmp::Ordering;

/// The verdicts in the order in which they are counted and sorted.
pub(super) const VERDICTS: [Verdict; 8] = [
    Verdict::Accepted,
    Verdict::WrongAnswer,
    Verdict::TimeLimitExceeded,
    Verdict::MemoryLimitExceeded,
    Verdict::OutputLimitExceeded,
    Verdict::RunTimeError,
    Verdict::CompileError,
    Verdict::JudgeError,
];

/// The table of submissions.
#[derive(Debug, Default)]
pub(super) struct Table {
    frame: Frame,
    view: View,
    /// Whether rows wait for the end, because of their order or because other lines are printed between them.
    is_collected: bool,
    /// The rows that wait for the end.
    rows: Vec<Row>,
    /// The contents for which the last printed head has columns, and these columns; `None` before the first row. If a
    /// later row has a score or points for the first time, another head follows.
    begun: Option<(Contents, Vec<(Column, usize)>)>,
}

impl Table {
    /// Returns the table of a run. If `is_collected`, all rows are printed at the end.
    pub(super) fn of(run: &RunStarted, view: View, is_collected: bool) -> Table {
        let is_collected = is_collected || view.sort.is_some() || view.longest.is_none();
        Table { frame: Frame::of(run), view, is_collected, ..Table::default() }
    }

    /// Returns the name under which the table shows a submission. In a class, the name of each submission begins with
    /// that of the student and differs from all others, so every report shows this name.
    pub(super) fn name(&mut self, submission: &str, student: Option<&Student>) -> String {
        self.frame.has_students |= student.is_some();
        submission.to_owned()
    }

    /// Adds a judged submission that the table shows as `name`. Returns the lines to print now.
    pub(super) fn judged(&mut self, name: &str, submission: &SubmissionFinished, width: usize) -> Vec<String> {
        self.add(Row::judged(name, submission), width)
    }

    /// Adds a submission that was not judged and that the table shows as `name`. Returns the lines to print now.
    pub(super) fn skipped(&mut self, name: &str, width: usize) -> Vec<String> {
        self.add(Row::skipped(name), width)
    }

    fn add(&mut self, row: Row, width: usize) -> Vec<String> {
        if self.is_collected {
            self.rows.push(row);
            return Vec::new();
        }
        let mut lines = Vec::new();
        let row_contents = row.contents();
        let has_room = |(contents, _): &(Contents, Vec<_>)| contents.has_columns_for(&row_contents);
        if !self.begun.as_ref().is_some_and(has_room) {
            let longest = self.view.longest.unwrap_or_default();
            let contents = Contents { longest, ..self.frame.contents().with(row_contents) };
            let columns = layout(&contents, width);
            lines.extend([String::new(), self.frame.head(&columns)]);
            self.begun = Some((contents, columns));
        }
        if let Some((_, columns)) = &self.begun {
            lines.push(self.frame.row(&row, columns));
        }
        lines
    }

    /// Returns the rows that waited for the end, with their head.
    pub(super) fn end(&mut self, width: usize) -> Vec<String> {
        let mut rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return Vec::new();
        }
        if let Some(sort) = self.view.sort {
            rows.sort_by(|a, b| compared(sort, a, b));
        }
        let contents = rows.iter().fold(self.frame.contents(), |all, row| all.with(row.contents()));
        let columns = layout(&contents, width);
        let lines = rows.iter().map(|row| self.frame.row(row, &columns));
        [String::new(), self.frame.head(&columns)].into_iter().chain(lines).collect()
    }
}

fn compared(sort: Sort, a: &Row, b: &Row) -> Ordering {
    let figures = |figure: &dyn Fn(&SubmissionFinished) -> Option<f64>| {
        let of = |row: &Row| row.result.as_ref().and_then(figure);
        match (of(a), of(b)) {
            (Some(a), Some(b)) => b.total_cmp(&a),
            // Rows without the figure are last.
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    };
    let order = match sort {
        Sort::Name => Ordering::Equal,
        Sort::Verdict => rank(a).cmp(&rank(b)),
        Sort::Points => figures(&|result| result.points)
            .then_with(|| figures(&|result| result.score.as_ref().map(referee_grading::score::Score::to_f64))),
        Sort::Time => figures(&|result| result.cpu_seconds_max),
    };
    order.then_with(|| natural_order(&a.name, &b.name))
}

/// Returns the place of the row's verdict in [`VERDICTS`]; a submission that was not judged comes after all of them.
fn rank(row: &Row) -> usize {
    let verdict = row.result.as_ref().map(|result| result.verdict);
    VERDICTS.iter().position(|known| Some(*known) == verdict).unwrap_or(VERDICTS.len())
}

#[cfg(test)]
mod tests {
    use referee_grading::score::Score;

    use super::super::view::Longest;
    use super::*;

    fn plain(lines: &[String]) -> Vec<String> {
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    fn finished(name: &str, verdict: Verdict, cpu_seconds_max: Option<f64>) -> SubmissionFinished {
        SubmissionFinished { verdict, cpu_seconds_max, ..SubmissionFinished::accepted(name) }
    }

    /// Returns the names in the order of the rows, separated by blanks.
    fn sorted(sort: Sort) -> String {
        let mut table = Table::of(&RunStarted::default(), View { sort: Some(sort), ..View::default() }, false);
        let points = |name, verdict, time, points| SubmissionFinished { points, ..finished(name, verdict, time) };
        let rows = [
            points("b10", Verdict::WrongAnswer, Some(0.5), Some(90.0)),
            points("b9", Verdict::CompileError, None, Some(0.0)),
            points("a", Verdict::Accepted, Some(0.1), Some(100.0)),
            points("c", Verdict::WrongAnswer, Some(0.7), None),
        ];
        assert_eq!(table.skipped("aa", 80), Vec::<String>::new());
        assert!(rows.iter().all(|row| table.judged(&row.submission, row, 80).is_empty()));
        let lines = plain(&table.end(80));
        let name = |line: &String| line.chars().skip(6).take_while(|&letter| letter != ' ').collect::<String>();
        lines[2..].iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rows_are_sorted_as_asked_and_what_was_not_judged_is_last() {
        assert_eq!(sorted(Sort::Name), "a aa b9 b10 c");
        assert_eq!(sorted(Sort::Verdict), "a b10 c b9 aa");
        assert_eq!(sorted(Sort::Points), "a b10 b9 aa c");
        assert_eq!(sorted(Sort::Time), "c b10 a aa b9");
    }

    #[test]
    fn rows_are_printed_at_once_if_their_widths_are_known_and_a_score_gets_a_column() {
        let longest = Some(Longest { submission: 9, case: 8 });
        let run = RunStarted { cases: 12, ..RunStarted::default() };
        let mut table = Table::of(&run, View { longest, ..View::default() }, false);
        let first = plain(&table.judged("a", &finished("a", Verdict::JudgeError, None), 80));
        assert_eq!(first.len(), 3, "an empty line, the head and the row: {first:?}");
        assert_eq!(plain(&table.judged("b", &finished("b", Verdict::Accepted, None), 80)).len(), 1);
        let scored = SubmissionFinished {
            score: Some(Score::whole(30)),
            max_score: Some(Score::whole(100)),
            ..finished("c", Verdict::WrongAnswer, None)
        };
        let lines = plain(&table.judged("c", &scored, 80));
        assert!(lines[1].contains(" score ") && lines[2].contains(" 30/100 "), "{lines:?}");
        assert_eq!(table.end(80), Vec::<String>::new());
    }

    #[test]
    fn a_class_shows_students_under_the_names_of_their_submissions() {
        let student = Student::example("Anna Müller");
        let mut table = Table::of(&RunStarted::default(), View::default(), true);
        assert_eq!(table.name("Anna Müller (17)", Some(&student)), "Anna Müller (17)");
        assert_eq!(table.name("b.py", None), "b.py");
        table.judged("Anna Müller (17)", &finished("Anna Müller (17)", Verdict::Accepted, None), 80);
        assert!(plain(&table.end(80))[1].contains(" student "));
    }
}
