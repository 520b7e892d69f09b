//! Submissions of a package in every file layout are found and judged, and their verdicts are compared with the
//! declared verdicts.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, of_type, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

#[test]
fn linked_sources_and_lines_that_end_with_cr_lf_are_held_to_their_tags_and_disabled_programs_are_not_judged() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    let right = "print(sum(map(int, input().split())))\n";
    write(&package, "attachments/shared.py", right);
    std::fs::create_dir_all(package.join("submissions/accepted/linked")).expect("a folder can be made");
    symlink("../../../attachments/shared.py", package.join("submissions/accepted/linked/main.py")).expect("a link");
    // The submission is right, but its tag declares that it gets WA.
    write(&package, "submissions/mixed/tagged.py", &format!("# @EXPECTED_RESULTS@: WRONG-ANSWER\r\n{right}"));
    symlink("tagged.py", package.join("submissions/mixed/tagged_link.py")).expect("a link can be made");
    write(&package, "submissions/accepted/off.disabled/a.py", "print(0)\n");
    let mut command = referee(["grade", "--time-limit", "10"]);
    command.arg(&package);
    let (code, lines) = json(command);
    let ends = of_type(&lines, "submission_finished").into_iter();
    let ends: Vec<_> = ends.map(|line| (line["submission"].as_str(), line["as_wanted"].as_bool())).collect();
    let wanted = [
        ("accepted/linked", true),
        ("accepted/sum.py", true),
        ("mixed/tagged.py", false),
        ("mixed/tagged_link.py", false),
    ];
    assert_eq!((code, ends), (1, wanted.map(|(name, as_wanted)| (Some(name), Some(as_wanted))).to_vec()));
    let mut command = referee(["grade", "--time-limit", "10", "-v"]);
    command.arg(&package).env("COLUMNS", "400");
    command.assert().code(1).stderr(
        contains("off.disabled: is not judged: its name ends with .disabled").and(contains("attachments").not()),
    );
}

const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// Creates a package with five files that look like submissions but are not judged.
fn package_with_submissions_that_are_not_judged(folder: &Path) -> PathBuf {
    let package = sum_with_long_limits(folder);
    write(&package, "submissions/accepted/x.c++", "int main() {}\n");
    write(&package, "submissions/accepted/two words.py", RIGHT);
    write(&package, "submissions/accepted/later.py.disabled", RIGHT);
    write(&package, "submissions/old.disabled/a.py", RIGHT);
    write(&package, "submissions/stray.py", RIGHT);
    // The following five files do not look like submissions.
    write(&package, "submissions/README.md", "about the submissions\n");
    write(&package, "submissions/accepted/README.md", "about these\n");
    write(&package, "submissions/accepted/notes.md", "more about these\n");
    write(&package, "submissions/accepted/.gitignore", "*.class\n");
    write(&package, "submissions/accepted/shared.h", "int shared;\n");
    package
}

const NOT_JUDGED: [&str; 5] =
    ["accepted/later.py.disabled", "accepted/two words.py", "accepted/x.c++", "old.disabled/a.py", "stray.py"];

#[test]
fn the_end_of_grading_counts_what_was_found_and_what_was_judged_with_the_reason_for_the_rest() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package_with_submissions_that_are_not_judged(folder.path());
    let grade = |arguments: &[&str]| {
        let mut command = referee(["grade", "--time-limit", "10"]);
        command.args(arguments).arg(&package);
        command
    };
    grade(&[]).assert().code(0).stdout(
        contains("not all judged, the judged ones as expected: 6 submissions found, 1 judged, 2\nruns")
            .and(contains("not judged: accepted/two words.py, accepted/x.c++: its name is not allowed"))
            .and(contains("not judged: accepted/later.py.disabled, old.disabled/a.py: its name ends with"))
            .and(contains("not judged: stray.py: submissions belong in folders"))
            .and(contains("all as expected").not())
            .and(contains("README").or(contains("shared.h")).or(contains("gitignore")).not()),
    );
    grade(&["--strict", "-q"]).assert().code(1).stdout(contains("6 submissions found, 1 judged"));
    let (code, lines) = json(grade(&[]));
    let skipped = of_type(&lines, "submission_skipped");
    let mut names: Vec<_> = skipped.iter().filter_map(|line| line["submission"].as_str()).collect();
    names.sort_unstable();
    let end = of_type(&lines, "run_finished").remove(0);
    let counts = ["submissions", "skipped", "unjudged"].map(|field| end[field].as_u64());
    assert_eq!((code, names, counts), (0, NOT_JUDGED.to_vec(), [Some(1), Some(5), Some(0)]));
    let junit = folder.path().join("junit.xml");
    grade(&["-q"]).arg("--junit").arg(&junit).assert().code(0);
    let xml = std::fs::read_to_string(&junit).expect("the report is written");
    assert_eq!(xml.matches("<skipped message=").count(), 5, "{xml}");
}

#[test]
fn all_as_wanted_is_said_where_every_submission_was_judged() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    let mut command = referee(["grade", "--time-limit", "10", "--strict"]);
    command.arg(&package).assert().code(0).stdout(contains("all as expected: 1 submission judged, 2 runs"));
}

#[test]
fn merged_reports_count_what_was_not_judged_as_one_run_does() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package_with_submissions_that_are_not_judged(folder.path());
    let parts: Vec<_> = ["1/2", "2/2"]
        .map(|part| {
            let report = folder.path().join(format!("{}.jsonl", part.replace('/', "-")));
            let mut command = referee(["grade", "--time-limit", "10", "-q", "--partition", part, "--json"]);
            command.arg(&report).arg(&package).assert().code(0);
            report
        })
        .into();
    referee(["merge"]).args(&parts).assert().code(0).stdout(contains("6 submissions found, 1 judged"));
    referee(["merge", "--strict"]).args(&parts).assert().code(1);
}

#[test]
fn a_package_of_which_no_submission_can_be_judged_is_unusable() {
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    std::fs::rename(package.join("submissions/accepted"), package.join("submissions/accepted.disabled"))
        .expect("a folder can be renamed");
    let mut command = referee(["grade", "--time-limit", "10"]);
    command.arg(&package).assert().code(2).stdout(contains("nothing was judged: 1 submission found, 0 judged"));
}

#[test]
fn a_folder_that_no_rule_knows_has_a_warning_and_its_submissions_are_named_at_the_end() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    write(&package, "submissions/slow_accepted/zero.py", "print(0)\n");
    // A rule declares the verdict of the first of these two submissions, and a tag declares the verdict of the second.
    write(&package, "submissions/ruled/zero.py", "print(0)\n");
    write(&package, "submissions/submissions.yaml", "ruled: {required: [WA]}\n");
    write(&package, "submissions/mixed/zero.py", "# @EXPECTED_RESULTS@: CHECK-MANUALLY\nprint(0)\n");
    let mut command = referee(["grade", "--time-limit", "10", "-v"]);
    let of_folder = |name: &str| contains(format!("submissions/{name}: has a name that the format does not define"));
    command
        .arg(&package)
        .env("COLUMNS", "400")
        .assert()
        .code(0)
        .stdout(contains("without an expected verdict, so any verdict passes: slow_accepted/zero.py\n"))
        .stderr(of_folder("slow_accepted").and(of_folder("ruled").not()).and(of_folder("mixed").not()));
}

#[test]
fn a_tag_of_scores_may_name_verdicts_as_for_domjudge() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    for (name, tag) in [("right", "CORRECT"), ("wrong", "WRONG-ANSWER"), ("number", "50"), ("word", "GOOD")] {
        write(&package, &format!("submissions/mixed/{name}.py"), &format!("# @EXPECTED_SCORE@: {tag}\n{RIGHT}"));
    }
    let mut command = referee(["grade", "--time-limit", "10", "-v"]);
    command.arg(&package).env("COLUMNS", "400").assert().code(1).stderr(
        contains("number.py: @EXPECTED_SCORE@ is not used: only problems of type scoring have scores")
            .and(contains("word.py: @EXPECTED_SCORE@: found \"GOOD\", allowed: a number, or ACCEPTED,")),
    );
    let mut command = referee(["grade", "--time-limit", "10"]);
    command.arg(&package);
    let (_, lines) = json(command);
    let ends = of_type(&lines, "submission_finished").into_iter();
    let ends: Vec<_> = ends.map(|line| (line["submission"].as_str(), line["as_expected"].as_bool())).collect();
    let expected = [
        ("accepted/sum.py", Some(true)),
        ("mixed/number.py", None),
        ("mixed/right.py", Some(true)),
        ("mixed/word.py", None),
        ("mixed/wrong.py", Some(false)),
    ];
    assert_eq!(ends, expected.map(|(name, as_expected)| (Some(name), as_expected)));
}
