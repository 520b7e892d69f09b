//! Packages of tests/packages. The folder of a package names the expected result; `tests/packages/README.md` describes
//! the folders, and the files in which a package describes its result further.

use std::fmt::Write as _;
use std::path::PathBuf;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, of_type, referee};
use super::support::files;
use super::support::fixture::{EXPECTED, Fixture};

#[test]
fn submissions_of_judged_packages_end_as_declared() {
    needs!("python3");
    for fixture in Fixture::all("judged") {
        let package = &fixture.name;
        if !fixture.can_be_tested() {
            continue;
        }
        let (code, lines) = json(fixture.referee("grade"));
        let astray: Vec<_> = of_type(&lines, "submission_finished")
            .into_iter()
            .filter(|line| line["as_expected"] != true)
            .map(|line| format!("{} {} {}", line["submission"], line["verdict"], line["breaches"]))
            .collect();
        assert_eq!((code, astray), (0, Vec::new()), "{package}");
        for wanted in fixture.lines(EXPECTED) {
            assert!(lines.iter().any(|line| is_reported(&wanted, line)), "{package}: {wanted}\n{lines:#?}");
        }
        fixture.assert_shows_lines("grade");
        let refused = fixture.lines("refused-without-options");
        if !refused.is_empty() {
            let assertion = fixture.referee_without_options("grade").assert().code(2);
            let said = String::from_utf8_lossy(&assertion.get_output().stderr).into_owned();
            assert!(refused.iter().all(|line| said.contains(line)), "{package}: {refused:#?}\n{said}");
        }
    }
}

/// Returns whether a line of a JSON report is about SUBMISSION and contains TEXT in FIELD; a number must be equal to
/// TEXT. `wanted` has the form `SUBMISSION FIELD TEXT`.
fn is_reported(wanted: &str, line: &Value) -> bool {
    let mut words = wanted.splitn(3, ' ');
    let (Some(submission), Some(field), Some(text)) = (words.next(), words.next(), words.next()) else {
        panic!("{wanted:?} is not SUBMISSION FIELD TEXT")
    };
    line["submission"] == submission
        && match &line[field] {
            Value::String(found) => found.contains(text),
            found => found.as_u64().is_some() && found.as_u64() == text.parse().ok(),
        }
}

#[test]
fn a_submission_that_does_not_do_as_declared_makes_the_command_fail() {
    needs!("python3");
    for fixture in Fixture::all("not-as-declared") {
        let package = &fixture.name;
        let (code, lines) = json(fixture.referee("grade"));
        let finished = of_type(&lines, "submission_finished");
        assert_eq!((code, finished.len()), (1, 1), "{package}");
        assert_eq!(finished[0]["as_expected"], false, "{package}");
        assert_eq!(finished[0]["breaches"].as_array().map(Vec::len), Some(1), "{package}");
        let breach = finished[0]["breaches"][0].as_str().unwrap_or_default();
        assert!(fixture.lines(EXPECTED).iter().all(|line| line == breach), "{package}: {breach}");
        assert_eq!(of_type(&lines, "run_finished")[0]["as_wanted"], false, "{package}");
    }
}

#[test]
fn an_output_validator_that_fails_is_the_judges_trouble_and_never_the_submissions() {
    needs!("python3");
    for fixture in Fixture::all("judge-error") {
        let package = &fixture.name;
        let (code, lines) = json(fixture.referee("grade"));
        assert_eq!(code, 3, "{package}");
        let cases = of_type(&lines, "case_finished");
        assert!(!cases.is_empty(), "{package}");
        for case in cases {
            assert_eq!(case["verdict"], "JE", "{package}");
            assert!(case["message"].as_str().is_some_and(|message| message.contains("output validator")), "{package}");
        }
        let finished = of_type(&lines, "submission_finished")[0];
        assert_eq!(finished["verdict"], "JE", "{package}");
        assert!(finished["as_expected"].is_null(), "after a judge error, the verdict is unknown: {package}");
        assert_eq!(finished["breaches"].as_array().map(Vec::len), Some(0), "{package}");
    }
}

#[test]
fn a_judge_error_is_told_to_people_in_words() {
    needs!("python3");
    referee(["grade", "tests/packages/judge-error/validator-exits-44"])
        .assert()
        .code(3)
        .stdout(contains("must end with exit code 42 or 43; it ended"))
        .stdout(contains("permitted").not());
}

#[test]
fn unusable_packages_are_refused_with_every_line_that_they_expect() {
    needs!("python3");
    for fixture in Fixture::all("refused") {
        let package = &fixture.name;
        let expected = fixture.expected();
        let assertion = fixture.referee("grade").assert().code(2).stderr(contains("panicked").not());
        let mut said = String::from_utf8_lossy(&assertion.get_output().stderr).into_owned();
        // The error comes first; remarks are only counted.
        let is_remark = |line: &str| line.starts_with("format: ") || line.starts_with("warning: ");
        assert!(!said.lines().any(is_remark), "{package}: {said}");
        // The error message counts the findings that do not prevent judging; verify lists them.
        let (_, lines) = json(fixture.referee("verify"));
        for finding in of_type(&lines, "verify_finding") {
            let text = |key: &str| finding[key].as_str().unwrap_or_default();
            let _ = writeln!(said, "{}: {}", text("place"), text("message"));
        }
        let missing: Vec<_> = expected.lines().filter(|line| !said.contains(line)).collect();
        assert!(missing.is_empty(), "{package}: missing in the output: {missing:#?}\n{said}");
    }
}

#[test]
fn what_is_refused_is_named_as_the_user_named_it() {
    let folder = "tests/packages/refused/unknown-key";
    referee(["grade", folder]).assert().code(2).stderr(contains(format!("\n{folder}/problem.yaml:6:3: ")));
    let above: PathBuf = files::in_repository("tests/packages");
    let mut command = referee(["grade", "refused/unknown-key/"]);
    command.current_dir(above).assert().code(2).stderr(contains("\nrefused/unknown-key/problem.yaml:6:3: "));
}

#[test]
fn a_package_that_is_a_file_or_not_there_is_refused_with_the_names_there_are() {
    referee(["grade", "README.md"])
        .assert()
        .code(2)
        .stderr(contains("README.md: is neither a folder nor a .zip or .kpp file"));
    referee(["grade", "flipgaem"])
        .assert()
        .code(2)
        .stderr(contains("there is no package flipgaem"))
        .stderr(contains("flipgame, solitaire, swapgame").or(contains("coins, flipgame, solitaire, swapgame")));
}
