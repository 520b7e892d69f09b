use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

fn wanted(line: &str) -> BTreeSet<Check> {
    checks(&Line::parse_from(line.split(' ')).arguments)
}

#[test]
fn the_checks_are_those_that_are_named_without_those_that_are_skipped() {
    let all = BTreeSet::from(Check::ALL);
    assert_eq!(wanted("verify package"), all);
    assert_eq!(wanted("verify --only format,inputs package"), [Check::Format, Check::Inputs].into());
    let mut others = all.clone();
    others.remove(&Check::TimeLimits);
    assert_eq!(wanted("verify --skip time-limits package"), others);
    // The time limit that is written must be measured first.
    assert_eq!(wanted("verify --write-time-limit --skip time-limits package"), all);
    let both = [Check::Format, Check::TimeLimits].into();
    assert_eq!(wanted("verify --write-time-limit --only format package"), both);
}

#[test]
fn what_is_told_of_all_packages_is_the_sum() {
    let one = Verified { errors: 1, warnings: 2, notes: 3, submissions: 4, skipped: 5, runs: 6, time_limit: None };
    let mut total = Verified::default();
    add(&mut total, &one);
    add(&mut total, &one);
    let Verified { errors, warnings, notes, submissions, skipped, runs, .. } = total;
    assert_eq!([errors, warnings, notes, submissions, skipped, runs], [2, 4, 6, 8, 10, 12]);
}
