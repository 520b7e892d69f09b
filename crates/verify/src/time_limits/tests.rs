use super::super::test_support::{as_lines, assert_lines, legacy, limit, matrix, test_package};
use super::*;
use Verdict::{Accepted, TimeLimitExceeded, WrongAnswer};

/// A package in the current format that states a time limit.
const STATED: &str = "problem_format_version: 2025-09\nname: A\nuuid: 00000000-0000-4000-8000-00000000a004\n\
                      limits: {time_limit: 1.5}\n";

const SLOW: (&str, &str) = ("submissions/time_limit_exceeded/slow.py", "");

fn reached(case: &str, seconds: f64, is_more: bool) -> Reached {
    Reached { case: Some(case.to_owned()), seconds, is_more, ..Reached::nothing("time_limit_exceeded/slow.py") }
}

#[test]
fn a_submission_that_is_too_near_to_the_limit_is_told_once_with_its_slowest_case() {
    for (package, wanted) in [(test_package(&[]), "error"), (legacy(&[]), "warning")] {
        let rows = matrix(vec![package.row("accepted/good.py", &[])]);
        let runs = [("secret/2", 0.9), ("secret/1", 0.8), ("sample/1", 0.1)];
        let runs = runs.map(|(case, seconds)| Run { row: 0, case: case.to_owned(), seconds, is_more: false });
        let found = package.with_bench(|bench| from_below(bench, &rows, &runs, 1.0, Some(Duration::from_secs(2))));
        let wanted = format!("{wanted} submissions/accepted/good.py: takes 0.900 s on secret/2; ");
        assert_lines(&as_lines(&found), &[&wanted]);
        assert!(found[0].hint.as_ref().unwrap().starts_with("raise the time limit to 2 s;"));
    }
}

#[test]
fn where_nobody_bounds_the_limit_only_packages_of_today_break_a_rule() {
    for (package, wanted) in [(test_package(&[]), "error"), (legacy(&[]), "note")] {
        let found = package.with_bench(|bench| from_below(bench, &matrix(Vec::new()), &[], 1.0, None));
        assert_lines(&as_lines(&found), &[&format!("{wanted} : no submission sets a lower bound for the time limit")]);
    }
}

#[test]
fn who_must_exceed_the_limit_has_to_by_the_margin_or_be_stopped_there() {
    let at = "submissions/time_limit_exceeded/slow.py: must take at least";
    let kinds = [
        (
            test_package(&[SLOW]),
            format!("error {at} 1.5 times the time limit (1.500 s), but takes 1.200 s on its slowest"),
        ),
        (legacy(&[SLOW]), format!("warning {at} 2 times the time limit (2.000 s), but takes 1.200 s on its slowest")),
    ];
    for (package, wanted) in kinds {
        let told_of = |one: Reached| package.with_bench(|bench| as_lines(&from_above(bench, &[one], 1.0)));
        assert_lines(&told_of(reached("secret/2", 1.2, false)), &[&wanted]);
        assert_lines(&told_of(reached("secret/2", 1.2, true)), &[]);
        assert_lines(&told_of(reached("secret/2", 2.1, false)), &[]);
    }
}

#[test]
fn no_limit_fits_if_the_smallest_is_too_large_for_the_fastest() {
    let package = test_package(&[SLOW]);
    let fits = |seconds, is_more| {
        package
            .with_bench(|bench| no_limit_fits(bench, &[reached("secret/1", seconds, is_more)], Duration::from_secs(2)))
    };
    assert!(fits(2.9, false).is_some(), "1.5 times 2 s is more");
    assert!(fits(3.0, false).is_none() && fits(2.9, true).is_none());
}

#[test]
fn only_a_limit_that_a_package_of_today_states_has_to_be_a_multiple_of_the_resolution() {
    let stated = test_package(&[("problem.yaml", STATED)]);
    assert!(stated.with_bench(|bench| not_a_multiple(bench, &limit(1.5))).is_some());
    assert!(stated.with_bench(|bench| not_a_multiple(bench, &limit(2.5))).is_none(), "that was asked for elsewhere");
    let of_old = legacy(&[(".timelimit", "1.5\n")]);
    assert_eq!(of_old.package.limits.time, Some(Duration::from_millis(1500)));
    assert!(of_old.with_bench(|bench| not_a_multiple(bench, &limit(1.5))).is_none());
}

#[test]
fn a_submission_that_bounds_nothing_is_sensitive_where_it_is_accepted_near_the_limit() {
    let rejected = "submissions/rejected/near.py";
    let package = test_package(&[(rejected, "")]);
    let rows = |name, verdict, seconds| {
        matrix(vec![package.row(name, &[("secret/1", Accepted, 0.1), ("secret/2", verdict, seconds)])])
    };
    let said = |rows| package.with_bench(|bench| as_lines(&near_the_limit(bench, &rows, 1.0)));
    let note = "note submissions/rejected/near.py: may exceed the time limit of 1 s on a slower machine: takes 0.600 s";
    assert_lines(&said(rows("rejected/near.py", Accepted, 0.6)), &[note]);
    assert_lines(&said(rows("rejected/near.py", WrongAnswer, 0.6)), &[]);
    assert_lines(&said(rows("rejected/near.py", Accepted, 0.4)), &[]);
    assert_lines(&said(rows("accepted/good.py", Accepted, 0.6)), &[]);
}

#[test]
fn a_run_that_was_stopped_takes_more_than_the_limit_whatever_its_cpu_time() {
    let package = test_package(&[]);
    let row = package.row("accepted/good.py", &[("secret/1", TimeLimitExceeded, 0.1), ("secret/2", Accepted, 0.1)]);
    let runs: Vec<_> = row.cases.iter().map(|case| run(0, case, 1.0)).map(|run| (run.seconds, run.is_more)).collect();
    assert_eq!(runs, [(1.0, true), (0.1, false)]);
}

#[test]
fn no_limit_follows_if_a_run_was_stopped() {
    let package = test_package(&[]);
    let run = |seconds, is_more| Run { row: 0, case: "secret/1".to_owned(), seconds, is_more };
    let smallest = |runs: &[Run]| package.with_bench(|bench| smallest_limit(bench, runs));
    assert_eq!(smallest(&[run(0.5, false), run(1.2, false)]), Some(Duration::from_secs(3)));
    assert_eq!(smallest(&[run(0.5, false), run(1.2, true)]), None);
    assert_eq!(smallest(&[run(1.001, false), run(1.0, true)]), None, "it takes longer than it was let run");
    assert_eq!(smallest(&[]), None);
}

#[test]
fn of_runs_of_one_case_the_fastest_counts_and_one_that_was_stopped_last() {
    let run = |seconds, is_more| Run { row: 0, case: "secret/1".to_owned(), seconds, is_more };
    assert!(run(0.1, false).is_faster_than(&run(0.2, false)));
    assert!(!run(0.2, false).is_faster_than(&run(0.1, false)));
    assert!(run(0.9, false).is_faster_than(&run(0.5, true)) && !run(0.5, true).is_faster_than(&run(0.9, false)));
}

#[test]
fn who_was_stopped_or_not_run_on_a_case_is_not_known_to_be_fast_there() {
    let row = test_package(&[])
        .row("accepted/good.py", &[("secret/1", TimeLimitExceeded, 1.0), ("secret/2", WrongAnswer, 0.1)]);
    assert_eq!(["secret/1", "secret/2", "secret/3"].map(|case| is_fast(&row, case)), [false, true, false]);
}

#[test]
fn whatever_is_wrong_with_a_limit_is_told() {
    let near = "submissions/rejected/near.py";
    let package = test_package(&[("problem.yaml", STATED), SLOW, (near, "")]);
    let rows = ["accepted/good.py", "rejected/near.py"].map(|name| package.row(name, &[("secret/1", Accepted, 1.2)]));
    let runs = [Run { row: 0, case: "secret/1".to_owned(), seconds: 1.2, is_more: false }];
    let reached = [reached("secret/1", 2.0, false)];
    let found = package.with_bench(|bench| findings(bench, &matrix(rows.into()), &limit(1.5), &runs, &reached));
    assert_lines(
        &as_lines(&found),
        &[
            "error submissions/accepted/good.py: takes 1.200 s on secret/1; the time limit must",
            "error submissions/time_limit_exceeded/slow.py: must take at least 1.5 times the time limit (2.250 s),",
            "error problem.yaml: the time limit of 1.5 s is not a multiple",
            "note submissions/rejected/near.py: may exceed the time limit of 1.5 s on a slower machine: takes 1.200 s",
            "error problem.yaml: no time limit keeps both margins: the slowest run that must keep the \
             limit requires a limit of at least 3 s",
        ],
    );
}
