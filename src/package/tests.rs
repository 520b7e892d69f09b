use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::verdict::{CaseFilter, Word};

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Add\nuuid: 1\nlimits:\n  time_limit: 2\n";

/// A small package with one sample, two secret cases and two submissions.
fn package(problem: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("problem.yaml", problem),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/b.in", "2 2\n"),
        ("data/secret/b.ans", "4\n"),
        ("data/secret/a.in", "0 0\n"),
        ("data/secret/a.ans", "0\n"),
        ("submissions/accepted/add.py", "print(sum(map(int, input().split())))\n"),
        ("submissions/wrong_answer/three.py", "print(3)\n"),
    ];
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The messages with the folder's own name cut off.
fn complaints(folder: &TempDir) -> Vec<String> {
    let root = folder.path().canonicalize().unwrap();
    let findings = load(folder.path()).unwrap_err();
    findings.0.iter().map(|finding| finding.to_string().replace(&format!("{}/", root.display()), "")).collect()
}

#[test]
fn samples_come_first_and_cases_in_order_of_their_names() {
    let package = load(package(PROBLEM).path()).unwrap();
    let names: Vec<_> = package.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["sample/1", "secret/a", "secret/b"]);
    assert_eq!(package.limits.time, Some(Duration::from_secs(2)));
    assert_eq!(package.limits.memory_bytes, 2048 << 20, "the format's usual default");
}

#[test]
fn a_folder_without_problem_yaml_is_no_package() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(complaints(&folder), ["problem.yaml: is missing; every problem package has one"]);
}

#[test]
fn another_format_version_is_named_with_its_place() {
    let folder = package(&PROBLEM.replace("2025-09", "legacy"));
    assert_eq!(
        complaints(&folder),
        ["problem.yaml:1:25: found \"legacy\"; this version of referee reads \"2025-09\" only"]
    );
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_the_keys_there_are() {
    let folder = package(&format!("{PROBLEM}tiem_limit: 1\n"));
    let complaints = complaints(&folder);
    assert!(complaints[0].starts_with("problem.yaml:6:1: unknown key \"tiem_limit\", allowed:"), "{complaints:?}");
}

#[test]
fn everything_that_is_wrong_is_told_in_one_reading() {
    let folder = package(&PROBLEM.replace("time_limit: 2", "time_limit: -1").replace("uuid: 1\n", ""));
    fs::remove_file(folder.path().join("data/secret/a.ans")).unwrap();
    write(folder.path(), "submissions/submissions.yaml", "wrong_answer:\n  secret/zz:\n    required: [WA]\n");
    let complaints = complaints(&folder);
    assert_eq!(complaints.len(), 4, "{complaints:?}");
    assert!(complaints[0].contains("'uuid' is missing"));
    assert_eq!(complaints[1], "problem.yaml:4:15: found -1, allowed: a number of seconds above 0");
    assert_eq!(complaints[2], "data/secret/a.in: has no answer file a.ans beside it");
    assert!(complaints[3].contains("\"secret/zz\" is no key of the format and matches no test case"));
}

#[test]
fn what_cannot_be_judged_yet_is_refused_and_not_guessed_at() {
    for line in ["type: interactive", "type: [scoring]", "constants: {n: 5}"] {
        let folder = package(&format!("{PROBLEM}{line}\n"));
        let complaints = complaints(&folder);
        assert!(complaints[0].contains("this version of referee"), "{line}: {complaints:?}");
    }
    let complaints = complaints(&package(&format!("{PROBLEM}type: pas-fail\n")));
    assert!(complaints[0].contains("found type \"pas-fail\", allowed: \"pass-fail\""), "{complaints:?}");
}

#[test]
fn a_case_inherits_what_it_does_not_say_itself() {
    let folder = package(PROBLEM);
    write(folder.path(), "data/secret/test_group.yaml", "output_validator_args: [case_sensitive]\nargs: [x]\n");
    write(folder.path(), "data/secret/b.yaml", "output_validator_args: []\ndescription: nothing\n");
    let cases = load(folder.path()).unwrap().cases;
    assert_eq!(cases[0].output_validator_arguments, Vec::<String>::new(), "the sample has another group");
    assert_eq!(cases[1].output_validator_arguments, ["case_sensitive"]);
    assert_eq!(cases[2].output_validator_arguments, Vec::<String>::new());
    assert_eq!(
        (cases[2].arguments.as_slice(), cases[2].description.as_deref()),
        (&["x".to_owned()][..], Some("nothing"))
    );
}

#[test]
fn files_that_belong_to_no_case_are_warned_of() {
    let folder = package(PROBLEM);
    write(folder.path(), "data/secret/c.ans", "0\n");
    write(folder.path(), "data/secret/.c.swp", "");
    write(folder.path(), "data/secret/a.in.statement", "0 0\n");
    let warnings = load(folder.path()).unwrap().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].to_string().ends_with("data/secret/c.ans: belongs to no test case: there is no input of that name")
    );
}

#[test]
fn an_input_that_is_no_file_or_too_large_is_refused() {
    let folder = package(PROBLEM);
    fs::remove_file(folder.path().join("data/secret/a.in")).unwrap();
    fs::create_dir(folder.path().join("data/secret/a.in")).unwrap();
    // A hole in a file takes no room on the disk.
    fs::File::options().write(true).open(folder.path().join("data/secret/b.ans")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(
        complaints(&folder),
        [
            "data/secret/a.in: is not a file",
            "data/secret/b.ans: has 1099511627776 bytes, allowed: at most 1073741824",
            "data/secret: holds no test case; a package needs at least one NAME.in with NAME.ans",
        ]
    );
}

#[test]
fn folders_declare_what_their_submissions_must_get() {
    let package = load(package(PROBLEM).path()).unwrap();
    let rule = |index: usize| &package.submissions[index].expectations[0];
    assert_eq!(package.submissions[0].name, "accepted/add.py");
    assert_eq!((rule(0).permitted.clone(), rule(0).required.clone()), (Some([Word::AC].into()), None));
    assert_eq!(rule(1).permitted, Some([Word::AC, Word::WA].into()));
    assert_eq!(rule(1).required, Some([Word::WA].into()));
}

#[test]
fn a_rule_for_just_a_folder_replaces_the_keys_it_gives() {
    let folder = package(PROBLEM);
    write(folder.path(), "submissions/submissions.yaml", "wrong_answer:\n  permitted: [AC, WA, TLE]\n");
    let submissions = load(folder.path()).unwrap().submissions;
    assert_eq!(submissions[1].expectations.len(), 1);
    assert_eq!(submissions[1].expectations[0].permitted, Some([Word::AC, Word::WA, Word::TLE].into()));
    assert_eq!(submissions[1].expectations[0].required, Some([Word::WA].into()), "inherited");
}

#[test]
fn any_other_rule_comes_on_top_and_may_speak_of_some_cases() {
    let folder = package(PROBLEM);
    let rules = "wrong_answer/*:\n  message: sum\n  secret/{a,b}:\n    required: [WA]\nnobody/*:\n  language: cpp\n";
    write(folder.path(), "submissions/submissions.yaml", rules);
    let package = load(folder.path()).unwrap();
    let expectations = &package.submissions[1].expectations;
    assert_eq!(expectations.len(), 3);
    assert_eq!(expectations[1].message.as_deref(), Some("sum"));
    assert_eq!(expectations[2].cases, CaseFilter::Only(["secret/a".to_owned(), "secret/b".to_owned()].into()));
    assert!(package.warnings[0].to_string().ends_with("the pattern \"nobody/*\" matches no submission"));
}

#[test]
fn an_output_validator_is_one_program() {
    let folder = package(PROBLEM);
    write(folder.path(), "output_validator/validate.py", "");
    assert!(load(folder.path()).unwrap().output_validator.unwrap().ends_with("output_validator/validate.py"));
    write(folder.path(), "output_validator/help.py", "");
    assert!(load(folder.path()).unwrap().output_validator.unwrap().ends_with("output_validator"));
}

#[test]
fn yaml_bombs_and_binary_files_are_refused() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
                d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    assert_eq!(complaints(&package(bomb)).len(), 1);
    let folder = package(PROBLEM);
    fs::write(folder.path().join("problem.yaml"), b"name: \xff\xfe\n").unwrap();
    assert_eq!(complaints(&folder), ["problem.yaml: the file is not UTF-8"]);
}

proptest::proptest! {
    #[test]
    fn no_problem_yaml_makes_the_loader_panic(text in "[ -~\n]{0,200}") {
        let folder = package(&text);
        let _ = load(folder.path());
        write(folder.path(), "problem.yaml", PROBLEM);
        write(folder.path(), "submissions/submissions.yaml", &text);
        let _ = load(folder.path());
    }
}
