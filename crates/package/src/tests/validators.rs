//! Tests for the validators' arguments and for validator tests.

use super::*;

#[test]
fn arguments_of_input_validators_are_for_all_or_for_those_that_are_named() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/test_group.yaml", "input_validator_args: [--small, '10']\n");
    write(folder.path(), "data/secret/b.yaml", "input_validator_args: {check: [--large]}\n");
    let package = load(folder.path()).unwrap();
    let of = |case: usize, name: &str| package.cases[case].arguments_of_input_validator(name).to_vec();
    assert_eq!(of(0, "check"), Vec::<String>::new());
    assert_eq!(of(1, "check"), ["--small", "10"]);
    assert_eq!((of(2, "check"), of(2, "other")), (vec!["--large".to_owned()], Vec::new()));
}

#[test]
fn arguments_of_old_are_words_for_all_or_for_one() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "data/testdata.yaml", "input_validator_flags: a  b\n");
    write(folder.path(), "data/secret/testdata.yaml", "input_validator_flags: {name: check, flags: c d}\n");
    let package = load(folder.path()).unwrap();
    let of = |case: usize, name: &str| package.cases[case].arguments_of_input_validator(name).to_vec();
    assert_eq!(of(0, "check"), ["a", "b"]);
    assert_eq!((of(1, "check"), of(1, "other")), (vec!["c".to_owned(), "d".to_owned()], Vec::new()));
}

#[test]
fn tests_of_the_validators_are_read_with_their_files_and_settings() {
    let folder = package(DATED);
    write(folder.path(), "data/invalid_input/deep/minus.in", "-1 2\n");
    write(folder.path(), "data/invalid_output/1.in", "1 2\n");
    write(folder.path(), "data/invalid_output/1.ans", "3\n");
    write(folder.path(), "data/invalid_output/1.out", "4\n");
    write(folder.path(), "data/invalid_output/1.yaml", "output_validator_args: [case_sensitive]\n");
    let package = load(folder.path()).unwrap();
    let names: Vec<_> = package.validator_tests.iter().map(|test| (test.part, &*test.case.name)).collect();
    assert_eq!(
        names,
        [
            (ValidatorTestKind::InvalidInput, "invalid_input/deep/minus"),
            (ValidatorTestKind::InvalidOutput, "invalid_output/1")
        ]
    );
    let test = &package.validator_tests[1].case;
    assert_eq!(test.output.as_deref(), Some(&package.root.join("data/invalid_output/1.out")));
    assert_eq!(test.output_validator_arguments.of("default"), ["case_sensitive"]);
    assert_eq!(package.cases.len(), 3, "submissions are not judged on them");
}

#[test]
fn a_uuid_is_one() {
    let folder = package(&DATED.replace("5d3c1f2e-", "add-"));
    assert_eq!(
        remarks(&folder),
        ["problem.yaml:3:7: found \"add-0000-4000-8000-000000000009\", allowed: a UUID; create one with `uuidgen`"]
    );
}
