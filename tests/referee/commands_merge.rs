//! Runs `referee grade --partition` and `referee merge` as a user does.

use std::fs;
use std::path::Path;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, of_type, referee, without_measurements, write};
use super::support::program::temporary_folder;

const RULES: &str = "tests/packages/judged/rules";
const SUM: &str = "tests/packages/judged/sum";

/// Grades `package` in this many parts, and returns the paths of their reports.
fn in_parts(folder: &Path, package: &str, parts: usize) -> Vec<String> {
    let one = |part: usize| {
        let report = folder.join(format!("{part}-of-{parts}.jsonl")).display().to_string();
        let partition = format!("{part}/{parts}");
        let code = referee(["grade", package, "--time-limit", "2", "--partition", &partition, "--json", &report])
            .output()
            .unwrap()
            .status
            .code();
        assert!(matches!(code, Some(0 | 1 | 3)), "{code:?}");
        report
    };
    (1..=parts).map(one).collect()
}

fn merged(reports: &[String]) -> (i32, Vec<Value>) {
    let (code, lines) = json(referee(std::iter::once("merge").chain(reports.iter().map(String::as_str))));
    (code, without_measurements(lines))
}

#[test]
#[ignore = "takes half a minute: many packages"]
fn the_parts_of_a_run_make_the_report_of_one_run_whatever_the_package_is_like() {
    needs!("python3", "gcc");
    let folder = temporary_folder();
    for package in [RULES, "tests/packages/judged/scoring", "tests/packages/judge-error/validator-exits-0"] {
        let (code, lines) = json(referee(["grade", package, "--time-limit", "2"]));
        let whole = without_measurements(lines);
        for parts in [1, 3] {
            let mut reports = in_parts(folder.path(), package, parts);
            reports.reverse();
            assert_eq!(merged(&reports), (code, whole.clone()), "{package} in {parts}");
        }
    }
}

#[test]
fn parts_of_other_lists_and_other_rules_are_no_parts_of_one_run() {
    needs!("python3");
    let folder = temporary_folder();
    let names = ["Baker.py", "Zoe.py", "adams.py", "clark.py"];
    let files = names.map(|name| write(folder.path(), name, "print(sum(map(int, input().split())))\n"));
    let [baker, zoe, adams, clark] = files.each_ref().map(|path| path.to_str().unwrap());
    // Two machines can expand `*` in different orders: one puts capital letters first, and one ignores case.
    let (by_letter, by_case) = ([adams, baker, clark, zoe], [baker, zoe, adams, clark]);
    let part = |programs: [&str; 4], partition: &str, options: &[&str]| {
        let report = folder.path().join(format!("{}.jsonl", partition.replace('/', "-"))).display().to_string();
        let mut command = referee(["grade", SUM, "--json", &report, "--partition", partition]);
        command.args(options).args(programs).assert().code(0);
        report
    };
    let none: &[&str] = &[];
    for (programs, options, wanted) in [
        (by_letter, none, "different submissions, or the same submissions in a different order"),
        (by_case, &["--cases", "secret/1"], "different test cases"),
        (
            by_case,
            &["--all-cases"],
            "the options --as, --sandbox, --repeat, --stop-early, --all-cases, --points and --weight",
        ),
        (by_case, &["--as", "kattis"], "the options --as, --sandbox"),
    ] {
        let (first, second) = (part(programs, "1/2", options), part(by_case, "2/2", &[]));
        referee(["merge", &first, &second]).assert().code(2).stderr(contains(wanted));
    }
    let whole = folder.path().join("whole.jsonl").display().to_string();
    referee(["grade", SUM, adams, "--json", &whole]).assert().code(0);
    referee(["merge", &whole, &whole]).assert().code(2).stderr(contains("both contain"));
}

#[test]
fn parts_without_a_submission_are_whole_too() {
    needs!("python3");
    let folder = temporary_folder();
    let count = of_type(&json(referee(["grade", RULES])).1, "submission_finished").len();
    let reports = in_parts(folder.path(), RULES, count + 2);
    assert_eq!(of_type(&merged(&reports).1, "submission_finished").len(), count);
    let last = reports.last().unwrap().as_str();
    referee(["merge", last]).assert().code(2).stderr(contains("parts 1, 2"));
}

#[test]
fn what_was_merged_is_told_to_people_and_to_other_programs() {
    needs!("gcc");
    let folder = temporary_folder();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, two, all) = (path("1.jsonl"), path("2.jsonl"), path("all.xml"));
    let right = write(
        folder.path(),
        "right.c",
        "#include <stdio.h>\nint main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n",
    );
    let right = right.display().to_string();
    let wrong = "tests/hostile/WA/reads_nothing.c";
    referee(["grade", SUM, wrong, "--json", &one]).assert().code(1);
    referee(["grade", SUM, &right, "--json", &two]).assert().code(0);
    referee(["merge", &one, &two, "--junit", &all])
        .assert()
        .code(1)
        .stdout(contains("2 reports").and(contains("✗ WA")).and(contains("✓ AC")));
    assert!(fs::read_to_string(all).unwrap().contains("<testsuites"));
    referee(["merge", &two]).assert().code(0);
}

#[test]
fn reports_that_are_none_are_refused_with_file_line_and_column() {
    let folder = temporary_folder();
    let refused = |text: &str| {
        let report = write(folder.path(), "report.jsonl", text).display().to_string();
        let output = referee(["merge", &report]).assert().code(2).get_output().clone();
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap().replace(&report, "report.jsonl")
    };
    assert!(refused("").contains("report.jsonl: the report is incomplete, because its run did not finish"));
    assert!(refused("hello\n").contains("report.jsonl:1:1: expected value"));
    assert!(refused("{\"type\":\"run_started\"}\n").contains("report.jsonl:1:1: missing field"));
    let missing = folder.path().join("missing.jsonl").display().to_string();
    referee(["merge", &missing]).assert().code(2).stderr(contains("missing.jsonl: No such file"));
    write(folder.path(), "missing.jsonl.part", "");
    referee(["merge", &missing]).assert().code(2).stderr(contains("did not finish").and(contains("--resume")));
    referee(["merge", "/dev/null"]).assert().code(2).stderr(contains("not a regular file"));
    referee(["merge"]).assert().code(2).stderr(contains("<REPORT>"));
}

#[test]
fn a_part_without_a_submission_says_so_and_is_as_wanted() {
    needs!("python3");
    let folder = temporary_folder();
    let program = write(folder.path(), "a.py", "print(sum(map(int, input().split())))\n");
    let graded = referee(["grade", SUM, "--partition", "2/9", "-q"]).arg(program).assert();
    graded.code(0).stderr(contains("part 2/9 contains no submission"));
}

#[test]
fn a_partition_that_is_none_is_refused() {
    for wrong in ["0/2", "3/2", "1", "x/y", "1/0"] {
        referee(["grade", SUM, "--partition", wrong]).assert().code(2).stderr(contains("I/N"));
    }
}

#[test]
fn a_merged_report_does_not_replace_one_of_its_parts() {
    let folder = temporary_folder();
    let reports = in_parts(folder.path(), SUM, 2);
    let before = fs::read(&reports[0]).unwrap();
    for option in ["--json", "--html", "--junit"] {
        let words = ["merge", &reports[0], &reports[1], option, &reports[0]];
        referee(words).assert().code(2).stderr(contains("one of those to read"));
        assert_eq!(fs::read(&reports[0]).unwrap(), before);
    }
}
