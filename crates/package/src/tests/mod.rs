//! Tests with generated packages, each of which differs from a valid package in one aspect.

mod archives;
mod dated;
mod findings;
mod groups;
mod keys;
mod legacy;
mod links;
mod programs;
mod rules;
mod validators;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;

pub(super) const DATED: &str = "problem_format_version: 2025-09\nname: Add\nuuid: 5d3c1f2e-0000-4000-8000-000000000009\nlimits:\n  time_limit: 2\n";

/// Creates a small package of format 2025-09 with one sample, two secret test cases and two submissions.
pub(super) fn package(problem: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix("add").rand_bytes(8).tempdir().unwrap();
    let files = [
        ("problem.yaml", problem),
        ("statement/problem.en.md", "Add two numbers.\n"),
        ("input_validators/check.py", ""),
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

/// Creates a package with the content of [`package`] in the layout of the legacy versions.
pub(super) fn legacy_package(problem: &str) -> TempDir {
    let folder = package(problem);
    fs::remove_dir_all(folder.path().join("statement")).unwrap();
    write(folder.path(), "problem_statement/problem.en.tex", "Add two numbers.\n");
    folder
}

pub(super) fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn told(folder: &TempDir, findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|finding| finding.to_string().replace(&format!("{}/", folder.path().display()), "")).collect()
}

/// Returns the errors of a package that cannot be judged.
pub(super) fn complaints(folder: &TempDir) -> Vec<String> {
    let findings = load(folder.path()).unwrap_err().list;
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    told(folder, &errors)
}

/// Returns the findings of a package that can be judged, except the finding about the name of the temporary folder.
pub(super) fn remarks(folder: &TempDir) -> Vec<String> {
    let remarks = load(folder.path()).unwrap().remarks;
    let of_the_folder = |remark: &String| remark.contains("other judges allow only lower case letters");
    told(folder, &remarks).into_iter().filter(|remark| !of_the_folder(remark)).collect()
}

/// Returns the names of the test cases in the order of judging.
pub(super) fn case_names(folder: &TempDir) -> Vec<String> {
    load(folder.path()).unwrap().cases.iter().map(|case| case.name.to_string()).collect()
}

#[test]
fn the_package_of_these_tests_has_nothing_wrong() {
    assert_eq!(remarks(&package(DATED)), Vec::<String>::new());
    assert_eq!(remarks(&legacy_package("name: Add\n")), Vec::<String>::new());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 40, ..Default::default() })]

    #[test]
    fn no_yaml_makes_the_loader_panic(text in "[ -~\n]{0,200}", lines in proptest::collection::vec(
        "(type|name|limits|validation|grading|range|args|permitted|score|constants|  time_limit|- a|accepted|sample): ?(\\[AC\\]|\\{\\}|1|scoring|custom|\"x\"|&a|\\*a|)", 0..8
    )) {
        for text in [text, lines.join("\n")] {
            for file in ["problem.yaml", "data/secret/test_group.yaml", "data/secret/a.yaml", "submissions/submissions.yaml"] {
                let folder = package(DATED);
                write(folder.path(), file, &text);
                let _ = load(folder.path());
            }
            let folder = legacy_package(&text);
            write(folder.path(), "data/testdata.yaml", &text);
            let _ = load(folder.path());
        }
    }
}
