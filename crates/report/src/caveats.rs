//! Shows the limitations of the summary of a run: submissions that were not judged, with the reason; submissions
//! without an expected verdict; submissions for which the judge chose one of two interpreters; and a provisional time
//! limit.

use std::time::Duration;

use super::table::{counted, one_line, wrapped};
use referee_event::{BuildFinished, PartOfCases, SubmissionFinished, SubmissionSkipped, TimeLimit};

/// The left margin of a line, in columns.
const MARGIN: usize = 2;

/// The maximum number of submissions that are named for one reason.
const MOST_NAMES: usize = 5;

/// Collects the limitations of a run.
#[derive(Default)]
pub(super) struct Caveats {
    /// Each reason with its submissions, in the order in which the reasons first occurred.
    not_judged: Vec<(String, Vec<String>)>,
    /// Submissions without an expected verdict.
    undeclared: Vec<String>,
    /// Each remark on builds with its submissions, in the order in which the remarks first occurred.
    remarks: Vec<(String, Vec<String>)>,
    /// The part of the test cases on which the expected verdicts were checked; `None` if on all of them.
    part_of_cases: Option<PartOfCases>,
    /// The provisional time limit; `None` if the limit was stated or measured.
    provisional: Option<Duration>,
}

impl Caveats {
    /// Adds a submission that was not judged; the table shows it as `name`.
    pub(super) fn skipped(&mut self, name: &str, skipped: &SubmissionSkipped) {
        add(&mut self.not_judged, &skipped.reason_and_hint(), name);
    }

    /// Adds the remark on a build, if it has one.
    pub(super) fn built(&mut self, build: &BuildFinished) {
        if let Some(remark) = &build.remark {
            add(&mut self.remarks, remark, &build.submission);
        }
    }

    /// Adds one of the package's submissions that has no expected verdict.
    pub(super) fn undeclared(&mut self, submission: &SubmissionFinished) {
        self.undeclared.push(one_line(&submission.submission));
    }

    /// Records that the run has used only a part of the test cases.
    pub(super) fn part_of_cases(&mut self, part: PartOfCases) {
        self.part_of_cases = Some(part);
    }

    /// Records the time limit of the run.
    pub(super) fn time_limit(&mut self, limit: Option<TimeLimit>) {
        if let Some(TimeLimit::Provisional(limit)) = limit {
            self.provisional = Some(limit);
        }
    }

    /// Returns the lines to show, at most `width` columns wide: all sentences, wrapped and indented.
    pub(super) fn lines(&self, width: usize) -> Vec<String> {
        let sentences = self.doubts().into_iter().chain(self.remarks());
        let wrapped = |text: String| wrapped(&text, width - MARGIN);
        sentences.flat_map(wrapped).map(|line| format!("{:MARGIN$}{line}", "")).collect()
    }

    /// Returns the sentences that limit what the summary says: each reason for not judging submissions, the submissions
    /// without an expected verdict, the test cases that were left out, and a provisional time limit.
    pub(super) fn doubts(&self) -> Vec<String> {
        let not_judged = self.not_judged.iter().map(|(why, names)| format!("not judged: {}: {why}", listed(names)));
        let undeclared = (!self.undeclared.is_empty())
            .then(|| format!("without an expected verdict, so any verdict passes: {}", listed(&self.undeclared)));
        let left_out = self.part_of_cases.map(|PartOfCases { used, all }| {
            format!(
                "{} did not run, so a submission that is expected to fail may have passed; run without --cases to \
                 check the expected verdicts",
                counted(all.saturating_sub(used), "test case")
            )
        });
        let provisional = self.provisional.map(|limit| {
            format!(
                "the time limit of {} s is provisional, so a program that is too slow may have passed; run `referee \
                 grade PACKAGE` to measure the time limit",
                limit.as_secs_f64()
            )
        });
        not_judged.chain(undeclared).chain(left_out).chain(provisional).collect()
    }

    /// Returns each remark on builds with its submissions.
    pub(super) fn remarks(&self) -> Vec<String> {
        self.remarks.iter().map(|(remark, names)| format!("{}: {remark}", listed(names))).collect()
    }
}

/// Adds a submission to the group with this text, or begins a group.
fn add(groups: &mut Vec<(String, Vec<String>)>, text: &str, submission: &str) {
    let name = one_line(submission);
    match groups.iter_mut().find(|(known, _)| known == text) {
        Some((_, names)) => names.push(name),
        None => groups.push((text.to_owned(), vec![name])),
    }
}

fn listed(names: &[String]) -> String {
    let others = names.len().saturating_sub(MOST_NAMES);
    let more = if others > 0 { format!(" and {}", counted(others, "other")) } else { String::new() };
    format!("{}{more}", names[..names.len() - others].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(reason: &str) -> SubmissionSkipped {
        SubmissionSkipped { submission: "s".to_owned(), reason: reason.to_owned(), hint: None, student: None }
    }

    #[test]
    fn submissions_with_one_reason_share_a_line() {
        let mut found = Caveats::default();
        found.skipped("a.rs", &skipped("rustc is not installed"));
        found.skipped("b\n.txt", &skipped("no known language"));
        found.skipped("c.rs", &skipped("rustc is not installed"));
        assert_eq!(
            found.lines(80),
            ["  not judged: a.rs, c.rs: rustc is not installed", "  not judged: b .txt: no known language"]
        );
    }

    #[test]
    fn of_many_submissions_some_are_named() {
        let mut found = Caveats::default();
        for name in 1..=7 {
            found.skipped(&name.to_string(), &skipped("why"));
        }
        assert_eq!(found.lines(80), ["  not judged: 1, 2, 3, 4, 5 and 2 others: why"]);
        assert_eq!(Caveats::default().lines(80), Vec::<String>::new());
    }
}
