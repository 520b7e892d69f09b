//! Repeats the runs of submissions that must be accepted, and compares the results. A program whose output changes from
//! run to run may be accepted by luck: it may read uninitialised memory, or depend on addresses, the time or random
//! numbers.

use std::collections::HashMap;

use super::bench::Bench;
use super::finding::{Finding, Outcome, counted};
use super::matrix::{self, Row};
use super::{Check, submissions};
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict;
use referee_judge::{JudgeError, Submission};

const HINT: &str =
    "look for uninitialised memory, and for output that depends on addresses, time, random numbers or thread order";

pub(super) fn check(bench: &Bench<'_>) -> Result<Outcome, JudgeError> {
    if let Some(reason) = bench.why_not_judgeable() {
        return Ok(Outcome::skipped(reason));
    }
    let first = bench.matrix()?;
    let was_judged = |row: &&Row| row.must_be_accepted() && row.was_judged();
    let rows: Vec<&Row> = first.rows.iter().filter(was_judged).collect();
    if rows.is_empty() {
        return Ok(Outcome::skipped("no accepted submission could be judged"));
    }
    let again: Vec<Submission> = rows.iter().map(|row| row.submission.clone()).collect();
    let second = matrix::run(bench, &again, &bench.settings()?, Check::Determinism)?;
    let compared = rows.iter().zip(&second.rows);
    let findings = compared.filter_map(|(before, after)| differs(bench, before, after)).collect();
    let about = format!("{} run again on every case", counted(rows.len(), "submission"));
    Ok(Outcome { about, findings, skipped: None })
}

/// Returns a finding on the first test case on which a submission got different verdicts in the two runs. If all
/// verdicts are equal, returns a finding on the first test case with different outputs; `None` if there is none.
fn differs(bench: &Bench<'_>, before: &Row, after: &Row) -> Option<Finding> {
    // Matches test cases by name, because their order may differ in the second run.
    let again: HashMap<&str, &CaseFinished> = after.cases.iter().map(|case| (case.case.as_str(), case)).collect();
    let pairs = || before.cases.iter().filter_map(|case| Some((case, *again.get(case.case.as_str())?)));
    let about = |finding: Finding, case: &CaseFinished| {
        finding.of(before.name()).on(case.case.clone()).at(submissions::place(before)).hint(HINT)
    };
    if let Some((one, other)) = pairs().find(|(one, other)| one.verdict != other.verdict) {
        let message =
            format!("got {} on {} in the first run and {} in the second run", one.verdict, one.case, other.verdict);
        return Some(about(Finding::error(message), one));
    }
    // Does not compare the outputs of programs that were stopped or crashed: chance decides how much such a program
    // writes.
    let ended = |case: &CaseFinished| matches!(case.verdict, Verdict::Accepted | Verdict::WrongAnswer);
    let changed = |(one, other): &(&CaseFinished, &CaseFinished)| ended(one) && one.output_hash != other.output_hash;
    let count = pairs().filter(changed).count();
    let (one, _) = pairs().find(changed)?;
    let message =
        format!("wrote a different output in the second run on {} (first: {})", counted(count, "test case"), one.case);
    let finding = if bench.is_default_validator() {
        Finding::warning(message)
    } else {
        // This is only a note: a package with its own output validator may accept several outputs, and the program may
        // write a different one in each run.
        Finding::note(message)
    };
    Some(about(finding, one))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{TestPackage, as_lines, assert_lines, test_package};
    use super::*;
    use Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};

    /// Returns the findings on a submission that got the verdict `one` in the first run and `other` in the second. The
    /// two outputs differ.
    fn said(package: &TestPackage, one: Verdict, other: Verdict) -> Vec<String> {
        let row = |verdict| package.row("accepted/good.py", &[("sample/1", Accepted, 0.1), ("secret/1", verdict, 0.1)]);
        let (before, mut after) = (row(one), row(other));
        after.cases[1].output_hash = Some([1; 32]);
        as_lines(&package.with_bench(|bench| differs(bench, &before, &after)).into_iter().collect::<Vec<_>>())
    }

    #[test]
    fn verdicts_come_before_outputs_and_what_was_cut_off_does_not_count() {
        let package = test_package(&[]);
        let at = "submissions/accepted/good.py:";
        assert_lines(
            &said(&package, Accepted, WrongAnswer),
            &[&format!("error {at} got AC on secret/1 in the first run and WA in the second")],
        );
        let wrote = format!("warning {at} wrote a different output in the second run on 1 test case (first: ");
        assert_lines(&said(&package, Accepted, Accepted), &[&wrote]);
        assert_lines(&said(&package, WrongAnswer, WrongAnswer), &[&wrote]);
        for cut_off in [TimeLimitExceeded, RunTimeError] {
            assert_lines(&said(&package, cut_off, cut_off), &[]);
        }
    }

    #[test]
    fn where_several_outputs_may_be_right_another_one_is_only_noted() {
        let package = test_package(&[("output_validator/any.py", "")]);
        assert_lines(
            &said(&package, Accepted, Accepted),
            &["note submissions/accepted/good.py: wrote a different output"],
        );
    }
}
