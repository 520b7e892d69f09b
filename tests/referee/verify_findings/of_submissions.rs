//! Findings about skipped submissions, judge errors, and time limits that are not written.

use std::fs;

use predicates::str::contains;

use super::{assert_lines, verified};
use crate::support::command::referee;
use crate::support::program::temporary_folder;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Odd\nuuid: 00000000-0000-4000-8000-00000000a006\n";
const ECHO: &str = "print(input())\n";

#[test]
fn results_go_to_the_submission_that_got_them_also_after_one_that_is_skipped() {
    needs!("python3", "gcc");
    let folder = temporary_folder();
    let files = [
        ("problem.yaml", PROBLEM),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("submissions/accepted/a.unknown", "print(input())\n"),
        ("submissions/accepted/b.py", ECHO),
        ("submissions/accepted/c.c", "int main(void) { return 0 }\n"),
        ("submissions/accepted/d.py", "print(7)\n"),
        ("submissions/mixed/e.py", ECHO),
        ("data/secret/1.in", "7\n"),
        ("data/secret/1.ans", "7\n"),
        ("data/secret/2.in", "8\n"),
        ("data/secret/2.ans", "8\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "submissions,determinism,needs", "--time-limit", "5"]);
    assert_lines(
        &report.findings,
        &[
            "error submissions/accepted/c.c: does not compile:\nc.c",
            "error submissions/accepted/d.py: WA on secret/2, permitted: AC (the rule of accepted/): ",
            "warning submissions/accepted/a.unknown: was not judged: ",
            "note submissions/wrong_answer: no wrong submission was judged",
        ],
    );
    assert_lines(
        &report.checks,
        &[
            "5 submissions on 2 cases, 6 runs; not judged: accepted/a.unknown",
            "2 submissions run again on every case; ",
            "0 rejected submissions and 2 cases; ",
        ],
    );
}

#[test]
fn where_the_judge_fails_nothing_follows_and_no_time_limit_is_written() {
    needs!("python3");
    let folder = temporary_folder();
    let fails = "import sys\ntext = sys.stdin.read()\nif 'boom' in text: sys.exit('oh no')\n\
                 sys.exit(42 if text.strip() in '78' else 43)\n";
    let problem = format!("{PROBLEM}limits: {{time_limit: 77}}\n");
    let files = [
        ("problem.yaml", problem.as_str()),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("output_validator/fails.py", fails),
        ("submissions/accepted/a.py", ECHO),
        ("submissions/wrong_answer/b.py", "print('boom' if input() == '8' else 5)\n"),
        ("data/secret/1.in", "7\n"),
        ("data/secret/1.ans", "7\n"),
        ("data/secret/2.in", "8\n"),
        ("data/secret/2.ans", "8\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "submissions,needs"]);
    assert_lines(
        &report.findings,
        &[
            "error submissions/wrong_answer/b.py: could not be judged: ",
            "note submissions/wrong_answer: no wrong submission was judged",
        ],
    );
    assert_lines(&report.checks[1..], &["0 rejected submissions and 2 cases; "]);
    refuses_to_write(&folder.path().join("odd"), &problem);
}

/// Checks that `--write-time-limit` does not change problem.yaml, whose text is `problem`, and says so.
fn refuses_to_write(package: &std::path::Path, problem: &str) {
    referee(["verify", "--write-time-limit", "--only", "format"])
        .arg(package)
        .assert()
        .code(1)
        .stderr(contains("no time limit was written, because the check time-limits found no"));
    assert_eq!(fs::read_to_string(package.join("problem.yaml")).unwrap(), problem);
}

#[test]
fn a_submission_that_should_be_slow_and_is_quick_leaves_no_time_limit() {
    needs!("python3");
    let folder = temporary_folder();
    let problem = format!("{PROBLEM}limits: {{time_limit: 77}}\n");
    let files = [
        ("problem.yaml", problem.as_str()),
        ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
        ("submissions/accepted/a.py", ECHO),
        ("submissions/time_limit_exceeded/quick.py", ECHO),
        ("data/secret/1.in", "7\n"),
        ("data/secret/1.ans", "7\n"),
        ("data/secret/2.in", "8\n"),
        ("data/secret/2.ans", "8\n"),
    ];
    let report = verified(folder.path(), &files, &["--only", "time-limits"]);
    assert_lines(
        &report.findings,
        &[
            "error submissions/time_limit_exceeded/quick.py: must take at least ",
            "error problem.yaml: no time limit keeps both margins: the slowest run that must keep the \
             limit requires a limit of at least 1 s",
        ],
    );
    assert!(report.findings[0].contains(" s on its slowest case secret/"), "{}", report.findings[0]);
    let upper: Vec<_> = report.margins.iter().filter(|margin| margin["bound"] == "upper").collect();
    assert_eq!(upper.len(), 2);
    assert!(upper.iter().any(|margin| margin["kept"] == false), "{upper:?}");
    refuses_to_write(&folder.path().join("odd"), &problem);
}
