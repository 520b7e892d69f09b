use std::time::Duration;

use super::measure::{Slowest, by_cases};
use super::upper_bounds::{Reached, Times, slowest_of, upper_cases};
use crate::outcome::case_result::CaseResult;
use crate::{Submission, wall_limit};
use referee_event::CaseFinished;
use referee_grading::verdict::Verdict::{self, Accepted, TimeLimitExceeded, WrongAnswer};
use referee_package::{Package, TestCase};

const TIMES: Times = Times { limit: Duration::from_secs(2), wanted: Duration::from_secs(3) };

fn ran(submission: &str, case: &str, verdict: Verdict, seconds: f64) -> CaseFinished {
    CaseResult { cpu_seconds: Some(seconds), ..CaseResult::of(verdict) }.into_event(submission, case, None)
}

/// Returns a package with the secret test cases 1 to 4. The run on case 2 is a lower bound of the limit, and the run on
/// case 3 an upper bound.
fn package() -> (tempfile::TempDir, Package, Vec<Submission>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let uuid = "00000000-0000-4000-8000-00000000a00c";
    write("problem.yaml", &format!("problem_format_version: 2025-09\nname: A\nuuid: {uuid}\n"));
    let rules = "mixed/any.py:\n  secret/2: {use_for_time_limit: lower}\n  secret/3: {use_for_time_limit: upper}\n";
    write("submissions/submissions.yaml", rules);
    write("submissions/mixed/any.py", "");
    write("input_validators/any.py", "");
    for case in 1..=4 {
        write(&format!("data/secret/{case}.in"), "1\n");
        write(&format!("data/secret/{case}.ans"), "1\n");
    }
    let package = referee_package::load(folder.path()).unwrap();
    let submissions = Submission::of_jury(&package);
    (folder, package, submissions)
}

#[test]
fn runs_bound_the_limit_where_a_rule_says_so() {
    let (_folder, package, submissions) = package();
    let mut slowest = Slowest::default();
    slowest.add_run(&submissions, ran("mixed/any.py", "secret/1", Accepted, 9.0));
    slowest.add_run(&submissions, ran("mixed/other.py", "secret/2", TimeLimitExceeded, 9.0));
    assert_eq!((&slowest.run, &slowest.stopped), (&None, &None));
    for seconds in [0.2, 0.3, 0.1] {
        slowest.add_run(&submissions, ran("mixed/any.py", "secret/2", WrongAnswer, seconds));
    }
    let found = (Duration::from_millis(300), "mixed/any.py".to_owned(), "secret/2".to_owned());
    assert_eq!((&slowest.run, &slowest.stopped), (&Some(found), &None));
    slowest.add_run(&submissions, ran("mixed/any.py", "secret/2", TimeLimitExceeded, 0.1));
    assert_eq!(slowest.stopped.unwrap().1, "secret/2");
    let upper = |fast: bool| upper_cases(&package, &submissions[0], &|_, _| fast);
    assert_eq!(upper(false).iter().map(|case| &*case.name).collect::<Vec<_>>(), ["secret/3"]);
    assert!(upper(true).is_empty());
}

#[test]
fn a_submission_is_measured_only_on_the_cases_that_bound_the_limit() {
    let (_folder, package, submissions) = package();
    let of_all = Submission { name: "accepted/all.py".to_owned(), ..submissions[0].clone() };
    let names = |groups: Vec<(Vec<TestCase>, Vec<Submission>)>| -> Vec<_> {
        let case_names = |cases: Vec<TestCase>| cases.into_iter().map(|case| case.name.to_string()).collect::<Vec<_>>();
        groups.into_iter().map(|(cases, group)| (case_names(cases), group.len())).collect()
    };
    assert_eq!(names(by_cases(&package, &submissions)), [(vec!["secret/2".to_owned()], 1)]);
    let two = [submissions[0].clone(), of_all];
    assert_eq!(names(by_cases(&package, &two)), [(vec!["secret/2".to_owned()], 2)]);
    assert!(by_cases(&package, &[]).is_empty());
}

#[test]
fn without_a_time_the_reason_is_told() {
    let (_folder, _package, submissions) = package();
    let reason = |tell: &dyn Fn(&mut Slowest)| {
        let mut slowest = Slowest::default();
        tell(&mut slowest);
        slowest.measured().unwrap_err()
    };
    assert!(reason(&|_| {}).starts_with("the package has no submission that must stay within the time limit"));
    let built = |slowest: &mut Slowest| {
        slowest.add_unmeasured("accepted/a.c", "cannot be built", Some("\na.c: In f\na.c:1: error: no"));
    };
    let none = "no submission that must stay within the time limit was run; ";
    assert_eq!(reason(&built), format!("{none}accepted/a.c cannot be built: a.c:1: error: no"));
    let failed = |case: &str| CaseFinished {
        message: Some("it could not be run".to_owned()),
        ..CaseResult::of(Verdict::JudgeError).into_event("mixed/any.py", case, None)
    };
    let ran = |slowest: &mut Slowest| {
        slowest.add_run(&submissions, failed("secret/1"));
        slowest.add_run(&submissions, failed("secret/2"));
    };
    assert_eq!(reason(&ran), format!("{none}mixed/any.py was not run on secret/2 (JE): it could not be run"));
}

/// Measures a submission with a simulated judge. Each call of this judge returns the next list of runs in `times`.
/// Returns the slowest test case, its seconds, whether the submission was stopped on it, and the number of calls.
fn reached(times: &[&[(&str, Verdict, f64)]]) -> (Option<String>, f64, bool, usize) {
    let (_folder, package, _) = package();
    let mut asked = 0;
    let reached = slowest_of("any.py", &package.cases, &TIMES, &mut |left| {
        let runs = times.get(asked).copied().unwrap_or_default();
        let first = runs.first().map(|(case, ..)| *case);
        assert!(
            first.is_none_or(|first| *first == *left[0].name),
            "the next call starts with the first remaining case"
        );
        asked += 1;
        Ok(runs.iter().map(|&(case, verdict, seconds)| ran("any.py", case, verdict, seconds)).collect())
    });
    let Reached { case, seconds, is_more, .. } = reached.unwrap();
    (case, seconds, is_more, asked)
}

#[test]
fn the_slowest_case_counts_and_after_one_on_which_it_was_stopped_none_is_run() {
    let case = |name: &str| Some(name.to_owned());
    let first = [("secret/1", Accepted, 0.2), ("secret/2", WrongAnswer, 0.5)];
    let rest = [("secret/3", Accepted, 0.1), ("secret/4", Accepted, 0.4)];
    assert_eq!(reached(&[&first, &rest]), (case("secret/2"), 0.5, false, 2));
    let stopped = [("secret/3", TimeLimitExceeded, 0.1)];
    assert_eq!(reached(&[&first, &stopped]), (case("secret/3"), 3.0, true, 2));
    assert_eq!(reached(&[&first]), (case("secret/2"), 0.5, false, 2));
    assert_eq!(reached(&[]), (None, 0.0, false, 1));
}

#[test]
fn wall_time_counts_where_the_wall_limit_ends_a_run_first() {
    let limit = Duration::from_secs(1);
    let counts = |cpu, wall| {
        let run = CaseFinished { wall_seconds: Some(wall), ..ran("any.py", "secret/1", Accepted, cpu) };
        let mut reached = Reached::nothing("any.py");
        reached.see_whole(&run, limit);
        (reached.seconds, reached.is_asleep)
    };
    assert_eq!(wall_limit(limit), Duration::from_secs(5));
    assert_eq!(counts(0.01, 6.0), (6.0, true), "it sleeps");
    assert_eq!(counts(0.01, 4.9), (0.01, false), "it sleeps, and keeps the limit");
    assert_eq!(counts(1.2, 6.0), (1.2, false), "it computes, on a busy machine");
}

#[test]
fn a_submission_that_sleeps_longer_than_the_wall_limit_takes_its_wall_time() {
    let mut reached = Reached::nothing("");
    let sleeps = CaseFinished { wall_seconds: Some(9.0), ..ran("any.py", "secret/1", WrongAnswer, 0.01) };
    reached.add_run(sleeps, &TIMES);
    assert_eq!((reached.seconds, reached.is_more), (9.0, false));
}
