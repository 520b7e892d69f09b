//! Options that name an output file or folder may replace the reports of earlier runs, and no other file.

use std::fs;
use std::path::Path;

use predicates::str::contains;

use super::support::command::{names_in, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

/// Files whose beginning resembles the beginning of a report.
const FOREIGN: [(&str, &str); 5] = [
    ("map.json", "{\"type\":\"FeatureCollection\",\"features\":[]}\n"),
    ("problem.xml", "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n<problem/>\n"),
    ("pom.xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project/>\n"),
    ("statement.html", "<!doctype html>\n<html lang=\"en\">\n<title>A</title>\n"),
    ("notes.txt", "mine\n"),
];

#[test]
fn a_file_that_is_no_report_of_referee_is_not_replaced_by_one() {
    let folder = temporary_folder();
    for (name, text) in FOREIGN {
        let path = write(folder.path(), name, text);
        for option in ["--json", "--junit", "--html"] {
            let mut command = referee(["verify", "coins", option]);
            command.arg(&path).assert().code(2).stderr(contains("is not a report, so it is not replaced"));
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text, "{option} {name}");
        }
    }
    assert_eq!(names_in(folder.path()).len(), FOREIGN.len(), "nothing else is made");
}

#[test]
fn a_file_whose_name_ends_as_parts_of_reports_do_stays() {
    let folder = temporary_folder();
    let part = write(folder.path(), "report.part", "the first half of a video\n");
    let report = folder.path().join("report");
    let mut command = referee(["generate", "tests/generators/everything", "--json"]);
    command.arg(&report).assert().code(2).stderr(contains("report.part: the file exists and is not a report"));
    assert_eq!(fs::read_to_string(&part).expect("it is there"), "the first half of a video\n");
    assert_eq!(names_in(folder.path()), ["report.part"]);
}

#[test]
fn boards_are_not_written_over_files_with_other_content() {
    let folder = temporary_folder();
    let boards = |seed: &str| {
        let mut command = referee(["generate", "flipgame", "--count", "2", "--seed", seed, "--out"]);
        command.arg(folder.path()).assert()
    };
    boards("1").code(0);
    let names = names_in(folder.path());
    let mine = names.last().expect("there are inputs");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("it is there");
    let before: Vec<_> = names.iter().map(|name| text(name)).collect();
    boards("1").code(0);
    boards("2").code(2).stderr(contains("the file exists with other content and is not replaced"));
    assert_eq!(names.iter().map(|name| text(name)).collect::<Vec<_>>(), before);
    fs::remove_file(folder.path().join(mine)).expect("a file can be removed");
    std::os::unix::fs::symlink("nowhere", folder.path().join(mine)).expect("a link can be made");
    boards("1").code(2).stderr(contains("is not replaced"));
    assert!(!folder.path().join("nowhere").exists());
}

#[test]
fn an_archive_is_replaced_only_with_force_and_a_folder_never() {
    let folder = temporary_folder();
    let archive = write(folder.path(), "mine.zip", "mine\n");
    let export = |out: &Path| {
        let mut command = referee(["export", "coins", "--to", "kattis", "--out"]);
        command.arg(out).assert()
    };
    export(&archive).code(2).stderr(contains("use --force to replace it"));
    assert_eq!(fs::read_to_string(&archive).expect("it is there"), "mine\n");
    let inside = write(folder.path(), "folder.zip/mine", "mine\n");
    let mut command = referee(["export", "coins", "--to", "kattis", "--force", "--out"]);
    assert!(!command.arg(folder.path().join("folder.zip")).output().expect("it ends").status.success());
    assert_eq!(fs::read_to_string(&inside).expect("it is there"), "mine\n");
    assert_eq!(names_in(folder.path()), ["folder.zip", "mine.zip"]);
}

#[test]
fn feedback_is_kept_in_a_new_folder_or_over_that_of_an_earlier_run_only() {
    let folder = temporary_folder();
    let mine = "submissions/accepted/sum.py/secret/1/validate/notes.txt";
    write(folder.path(), mine, "mine\n");
    let grade = |into: &Path| {
        let mut command = referee(["grade", "tests/packages/judged/custom-validator", "--feedback"]);
        command.arg(into).assert()
    };
    grade(folder.path()).code(2).stderr(contains("it contains files that are not feedback"));
    assert_eq!(fs::read_to_string(folder.path().join(mine)).expect("it is there"), "mine\n");
    let new = folder.path().join("new");
    for _ in 0..2 {
        grade(&new).code(0);
        assert_eq!(names_in(&new)[0], ".referee-feedback");
    }
}

#[test]
fn manual_pages_are_written_over_pages_of_referee_only() {
    let folder = temporary_folder();
    let pages = |code: i32| {
        let mut command = referee(["man", "--out"]);
        command.arg(folder.path()).assert().code(code)
    };
    pages(0);
    pages(0);
    let foreign = write(folder.path(), "referee-verify.1", "mine\n");
    fs::remove_file(folder.path().join("referee.1")).expect("a file can be removed");
    pages(2).stderr(contains("referee-verify.1 exists and is not a manual page of referee; it is not replaced"));
    assert_eq!(fs::read_to_string(foreign).expect("it is there"), "mine\n");
    assert!(!names_in(folder.path()).contains(&"referee.1".to_owned()), "no page is written");
}

#[test]
fn caches_are_kept_beside_other_files_which_stay() {
    needs!("python3");
    let folder = temporary_folder();
    let files = ["other/notes.txt", "referee/notes.txt", "referee/builds/notes.txt", "referee/results/notes.txt"];
    for name in files {
        write(folder.path(), name, "mine\n");
    }
    let grade = |more: &[&str]| {
        let mut command = referee(["grade", "tests/packages/judged/sum", "--time-limit", "10"]);
        command.args(more).env("XDG_CACHE_HOME", folder.path()).assert().code(0);
    };
    grade(&[]);
    grade(&[]);
    grade(&["--no-cache"]);
    for name in files {
        assert_eq!(fs::read_to_string(folder.path().join(name)).expect(name), "mine\n");
    }
}

#[test]
fn a_time_limit_is_written_into_its_own_line_and_through_no_link_out_of_the_package() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    let outside =
        write(folder.path(), "outside.yaml", &fs::read_to_string(package.join("problem.yaml")).expect("it is"));
    let before = fs::read_to_string(&outside).expect("it is there");
    fs::remove_file(package.join("problem.yaml")).expect("a file can be removed");
    std::os::unix::fs::symlink(&outside, package.join("problem.yaml")).expect("a link can be made");
    let mut command = referee(["verify", "--only", "time-limits", "--write-time-limit"]);
    command.arg(&package).assert().code(2);
    assert_eq!(fs::read_to_string(&outside).expect("it is there"), before);
}
