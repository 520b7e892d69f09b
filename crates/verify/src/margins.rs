//! Reports the margins between run times and the time limit.

use std::time::Duration;

use super::bench::Bench;
use super::matrix::{Matrix, Row};
use referee_event::{CaseFinished, Event, VerifyMargin};
use referee_grading::verdict::TimeBound;
use referee_judge::{self as judge, Reached};

/// The tolerance for rounding errors in floating-point sums, in seconds.
pub(super) const ROUNDING: f64 = 1e-9;

/// Reports the margin of every run, the slowest run of each submission first. Leaves out submissions on which the judge
/// failed.
pub(super) fn report_margins(
    bench: &Bench<'_>,
    matrix: &Matrix,
    reached: &[Reached],
    limit: f64,
    report: &mut dyn FnMut(Event),
) {
    for row in matrix.rows.iter().filter(|row| row.was_judged()) {
        let of_row = reached.iter().find(|reached| reached.submission == row.name());
        let mut margins: Vec<_> = row.cases.iter().map(|case| margin(bench, row, case, of_row, limit)).collect();
        // The sort is stable: of two equally slow cases, the earlier one is shown.
        margins.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        if let Some(first) = margins.first_mut() {
            first.is_slowest = true;
        }
        for margin in margins {
            report(Event::VerifyMargin(margin));
        }
    }
}

fn margin(bench: &Bench<'_>, row: &Row, case: &CaseFinished, reached: Option<&Reached>, limit: f64) -> VerifyMargin {
    let timing = bench.package.timing;
    let longer = reached.filter(|reached| reached.case.as_ref() == Some(&case.case));
    let stopped = case.was_cut_short();
    let own = case.cpu_seconds.unwrap_or(0.0);
    // A run that was stopped counts as at least as long as the limit, even if the wall limit stopped it and its CPU
    // time is smaller.
    let own = if stopped { own.max(limit) } else { own };
    let (seconds, is_more) = longer.map_or((own, stopped), |longer| (longer.seconds, longer.is_more));
    let bound = row.bound(&case.case);
    let kept = match bound {
        Some(TimeBound::Lower) => Some(!stopped && seconds * timing.ac_to_time_limit <= limit + ROUNDING),
        // Only the slowest test case counts: on all other test cases, the submission may keep the limit.
        Some(TimeBound::Upper) => {
            let is_kept = |longer: &Reached| longer.seconds + ROUNDING >= limit * timing.time_limit_to_tle;
            // The time that a program sleeps does not depend on the machine, so it needs no margin.
            longer.map(|longer| longer.is_more || longer.is_asleep || is_kept(longer))
        }
        None => None,
    };
    VerifyMargin {
        package: bench.package.name.clone(),
        submission: row.name().to_owned(),
        case: case.case.clone(),
        seconds,
        is_more,
        wall_limit_seconds: longer
            .filter(|longer| longer.is_asleep)
            .map(|_| judge::wall_limit(Duration::from_secs_f64(limit)).as_secs_f64()),
        bound: bound.map(|bound| if bound == TimeBound::Lower { "lower" } else { "upper" }.to_owned()),
        is_slowest: false,
        factor: (seconds > 0.0).then(|| limit / seconds),
        kept,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{matrix, test_package};
    use super::*;
    use referee_grading::verdict::Verdict::{self, Accepted, TimeLimitExceeded};

    fn margins(
        files: &[(&str, &str)],
        name: &str,
        cases: &[(&str, Verdict, f64)],
        reached: &[Reached],
    ) -> Vec<VerifyMargin> {
        let package = test_package(files);
        let matrix = matrix(vec![package.row(name, cases)]);
        let mut reported = Vec::new();
        package.with_bench(|bench| {
            report_margins(bench, &matrix, reached, 1.0, &mut |event| {
                let Event::VerifyMargin(margin) = event else { panic!("{event:?}") };
                reported.push(margin);
            });
        });
        reported
    }

    #[test]
    fn the_slowest_run_comes_first_with_its_factor() {
        let cases = [("sample/1", Accepted, 0.1), ("secret/1", Accepted, 0.8), ("secret/2", Accepted, 0.5)];
        let reported = margins(&[], "accepted/good.py", &cases, &[]);
        let lines: Vec<_> =
            reported.iter().map(|one| (one.case.as_str(), one.is_slowest, one.factor, one.kept)).collect();
        let wanted = [
            ("secret/1", true, Some(1.25), Some(false)),
            ("secret/2", false, Some(2.0), Some(true)),
            ("sample/1", false, Some(10.0), Some(true)),
        ];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn who_was_stopped_took_the_limit_at_least_and_who_was_stopped_beyond_the_margin_has_kept_it() {
        let slow = ("submissions/time_limit_exceeded/slow.py", "");
        let name = "time_limit_exceeded/slow.py";
        let cases = [("secret/1", TimeLimitExceeded, 0.01), ("secret/2", TimeLimitExceeded, 0.01)];
        let reached = |seconds, is_more| {
            [Reached { case: Some("secret/2".to_owned()), seconds, is_more, ..Reached::nothing(name) }]
        };
        let lines = |reached: &[Reached]| {
            let reported = margins(&[slow], name, &cases, reached).into_iter();
            reported.map(|one| (one.case, one.seconds, one.is_more, one.kept)).collect::<Vec<_>>()
        };
        let other = ("secret/1".to_owned(), 1.0, true, None);
        let case = || "secret/2".to_owned();
        assert_eq!(lines(&reached(1.5, true)), [(case(), 1.5, true, Some(true)), other.clone()]);
        assert_eq!(lines(&reached(1.2, false)), [(case(), 1.2, false, Some(false)), other]);
        assert_eq!(lines(&reached(1.4, true))[0].3, Some(true));
    }

    #[test]
    fn of_who_came_to_an_end_after_the_limit_it_is_known_how_long_it_takes() {
        let package = test_package(&[]);
        let mut row = package.row("accepted/good.py", &[("secret/1", TimeLimitExceeded, 1.1)]);
        row.cases[0].exit_code = Some(0);
        let matrix = matrix(vec![row]);
        package.with_bench(|bench| {
            let reported = margin(bench, &matrix.rows[0], &matrix.rows[0].cases[0], None, 1.0);
            assert_eq!((reported.seconds, reported.is_more, reported.kept), (1.1, false, Some(false)));
        });
    }

    #[test]
    fn what_a_sum_is_off_breaks_no_margin() {
        let kept = |seconds| margins(&[], "accepted/good.py", &[("secret/1", Accepted, seconds)], &[])[0].kept;
        assert_eq!((kept(0.5 + 1e-12), kept(0.5 + 1e-6)), (Some(true), Some(false)));
        let slow = "time_limit_exceeded/slow.py";
        let kept = |seconds| {
            let case = Some("secret/1".to_owned());
            let reached = [Reached { case, seconds, ..Reached::nothing(slow) }];
            let file = format!("submissions/{slow}");
            margins(&[(&file, "")], slow, &[("secret/1", TimeLimitExceeded, 1.0)], &reached)[0].kept
        };
        assert_eq!((kept(1.5 - 1e-12), kept(1.5 - 1e-6)), (Some(true), Some(false)));
    }
}
