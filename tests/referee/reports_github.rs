//! Annotations for GitHub's workflows.

use super::support::command::referee;
use super::support::strength::larger;
use super::verify_detects::copy::Copy;

/// Runs `command` with `--github` and returns the workflow commands (lines that begin with `::`) that it prints.
fn commands(mut command: assert_cmd::Command) -> Vec<String> {
    let output = command.arg("--github").output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    text.lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect()
}

#[test]
fn what_is_not_as_wanted_is_told_beside_its_file_and_line() {
    needs!("python3", "gcc");
    let wrong = "cases/flipgame/submissions/wrong_answer/white_only.py";
    let told = commands(referee(["grade", "flipgame", wrong]));
    let words = "::line 1: expected \"3\", got \"5\"";
    assert!(
        told.len() == 1 && told[0].starts_with(&format!("::error file={wrong},title=")) && told[0].contains(words),
        "{told:?}"
    );
    assert!(told[0].contains("white_only.py%3A WA on sample/3"), "{told:?}");

    let told = commands(referee(["grade", "tests/packages/not-as-declared/message"]));
    let place = "::error file=tests/packages/not-as-declared/message/submissions/";
    assert!(!told.is_empty() && told.iter().all(|line| line.starts_with(place)), "{told:?}");

    let copy = Copy::of("flipgame");
    copy.remove("input_validators");
    let mut command = referee(["verify", "--only", "format"]);
    command.arg(copy.path());
    let told = commands(command);
    let place = format!("::error file={}/input_validators,title=flipgame%3A format::", copy.path().display());
    assert!(told.iter().any(|line| line.starts_with(&place)), "{place}: {told:?}");

    let (_folder, package) = larger();
    let mut command = referee(["strength", "--only", "accepted/branch.c", "--seconds", "30"]);
    command.arg(&package);
    let told = commands(command);
    let place = format!("::warning file={}/submissions/accepted/branch.c,line=6,col=14,", package.display());
    assert!(told.iter().any(|line| line.starts_with(&place)), "{place}: {told:?}");
}

#[test]
fn an_input_that_a_hunt_found_is_told_beside_the_program() {
    needs!("python3");
    let wrong = "cases/flipgame/submissions/wrong_answer/white_only.py";
    let told = commands(referee(["hunt", "flipgame", wrong, "--seconds", "60"]));
    let begins = format!("::error file={wrong},title={wrong}%3A WA on an input that the hunt found::");
    assert!(told.len() == 1 && told[0].starts_with(&begins) && told[0].contains("%0Ainput:%0A"), "{told:?}");
}

#[test]
fn what_is_as_wanted_is_not_annotated() {
    needs!("python3");
    assert_eq!(commands(referee(["grade", "tests/packages/judged/rules"])), [""; 0]);
    assert_eq!(commands(referee(["crosscheck", "flipgame", "--boards", "5"])), [""; 0]);
}

#[test]
fn where_standard_output_is_a_report_annotations_go_to_standard_error() {
    needs!("python3");
    let wrong = "cases/flipgame/submissions/wrong_answer/white_only.py";
    let output = referee(["grade", "flipgame", wrong, "--github", "--json", "-"]).output().expect("referee starts");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!report.is_empty() && report.lines().all(|line| line.starts_with('{')), "{report}");
    assert!(String::from_utf8_lossy(&output.stderr).lines().any(|line| line.starts_with("::error file=")));
}

#[test]
fn what_a_package_cannot_be_read_for_is_annotated_and_fails_its_suite() {
    let package = "tests/packages/refused/no-case";
    let output = referee(["verify", package, "--github"]).output().expect("referee starts");
    let said = String::from_utf8(output.stdout).expect("annotations are UTF-8");
    assert!(said.lines().any(|line| line.starts_with(&format!("::error file={package}/"))), "{said}");
    let output = referee(["verify", package, "flipgme", "--junit", "-"]).output().expect("referee starts");
    let report = String::from_utf8(output.stdout).expect("the report is UTF-8");
    assert_eq!(report.matches("<failure").count(), 2, "{report}");
    assert!(report.contains("did you mean flipgame?"), "{report}");
}
