//! Input validators that reject an input with a failed assert, and validators that crash on every input.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;

/// An input validator that fails an assert unless the input is two numbers with one blank between them.
const ASSERTS: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\nint main(void) {\n\
                       char line[100] = \"\", same[100]; int a, b;\n\
                       assert(fgets(line, sizeof line, stdin)); assert(sscanf(line, \"%d %d\", &a, &b) == 2);\n\
                       snprintf(same, sizeof same, \"%d %d\\n\", a, b); assert(strcmp(line, same) == 0);\n\
                       assert(getchar() == EOF); return 42; }\n";
const CRASHES: &str = "#include <stdlib.h>\nint main(void) { abort(); }\n";
const REMARK: &str = "the input validator check rejects inputs by SIGABRT";

/// Creates the package `sum` with this program as its only input validator, and with two invalid inputs.
fn package(folder: &Path, validator: &str) -> PathBuf {
    let package = sum_with_long_limits(folder);
    std::fs::remove_dir_all(package.join("input_validators")).expect("the package has input validators");
    write(&package, "input_validators/check.c", validator);
    write(&package, "data/invalid_input/word.in", "x\n");
    write(&package, "data/invalid_input/one.in", "1\n");
    package
}

fn verified(package: &Path) -> (i32, Vec<Value>) {
    let mut command = referee(["verify", "--only", "inputs,junk-inputs"]);
    command.arg(package);
    json(command)
}

fn remarks(finished: &Value) -> Vec<&str> {
    let remarks = finished["remarks"].as_array().expect("remarks are a list").iter().filter_map(Value::as_str);
    remarks.filter(|remark| remark.starts_with(REMARK)).collect()
}

#[test]
fn verify_counts_a_failed_assert_as_a_rejection_and_says_so_once() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let (code, lines) = verified(&package(folder.path(), ASSERTS));
    let findings = of_type(&lines, "verify_finding");
    assert!(code == 0 && findings.iter().all(|finding| finding["severity"] == "note"), "{findings:?}");
    let told = |finding: &&&Value| finding["message"].as_str().is_some_and(|text| text.starts_with(REMARK));
    assert_eq!(findings.iter().filter(told).count(), 1, "{findings:?}");
}

#[test]
fn an_invalid_input_among_the_test_cases_is_not_held_against_the_validator() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let package = package(folder.path(), ASSERTS);
    write(&package, "data/secret/9.in", "1 2\r\n");
    write(&package, "data/secret/9.ans", "3\n");
    let (code, lines) = verified(&package);
    let worse = of_type(&lines, "verify_finding").into_iter().filter(|finding| finding["severity"] != "note");
    let worse: Vec<_> = worse.map(|finding| (finding["severity"].as_str(), finding["case"].as_str())).collect();
    assert_eq!((code, worse), (1, vec![(Some("error"), Some("secret/9"))]), "{lines:?}");
}

#[test]
fn verify_names_a_validator_that_aborts_on_valid_inputs_and_gives_it_no_tick() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let (code, lines) = verified(&package(folder.path(), CRASHES));
    let errors = of_type(&lines, "verify_finding").into_iter().filter(|finding| finding["severity"] == "error");
    let messages: Vec<_> = errors.filter_map(|finding| finding["message"].as_str()).collect();
    let told = |text: &&str| text.starts_with("the input validator check ended with SIGABRT");
    assert!(code == 1 && messages.len() == 2 && messages.iter().all(told), "{messages:?}");
    let checks = of_type(&lines, "verify_finished")[0]["checks"].as_array().expect("a list");
    let junk = checks.iter().find(|check| check["name"] == "junk-inputs").expect("it was asked for");
    assert_eq!(junk["skipped"], "the input validator check fails on the unchanged input of secret/1");
}

#[test]
#[ignore = "takes ten seconds: a long hunt"]
fn hunt_takes_an_input_on_which_a_validator_asserts_for_illegal() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let program = write(folder.path(), "wrong.py", "a, b = map(int, input().split())\nprint(a + b if a != 9 else 0)\n");
    for (validator, rejects) in [(ASSERTS, true), (CRASHES, false)] {
        let inner = temporary_folder();
        let mut command = referee(["hunt", "--seconds", "5", "--seed", "1"]);
        command.arg(package(inner.path(), validator)).arg(&program);
        let (_, lines) = json(command);
        let finished = of_type(&lines, "hunt_finished")[0];
        assert_eq!(finished["illegal"].as_u64() > Some(0), rejects, "{finished}");
        assert_eq!(finished["unjudged"] == 0, rejects, "{finished}");
        assert_eq!(remarks(finished).len(), usize::from(rejects), "{finished}");
    }
}

#[test]
fn strength_changes_a_validator_that_asserts() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let mut command = referee(["strength", "--only", "input_validators/check.c", "--no-hunt"]);
    command.arg(package(folder.path(), ASSERTS));
    let (_, lines) = json(command);
    let finished = of_type(&lines, "strength_finished")[0];
    assert!(finished["killed"].as_u64() > Some(0), "{finished}");
    assert_eq!(remarks(finished).len(), 1, "{finished}");
}

#[test]
fn an_output_validator_that_asserts_is_a_judge_error() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    write(&package, "output_validator/check.c", CRASHES);
    let mut command = referee(["grade", "--no-cache"]);
    command.arg(&package);
    let (_, lines) = json(command);
    let cases = of_type(&lines, "case_finished");
    assert!(!cases.is_empty() && cases.iter().all(|case| case["verdict"] == "JE"), "{cases:?}");
}
