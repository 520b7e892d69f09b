//! Tests for repeated keys, and for mistakes in keys that grading ignores.

use super::*;

/// Creates a package with these texts in `problem.yaml` and `data/secret/testdata.yaml`.
fn legacy(problem: &str, group: &str) -> TempDir {
    let folder = legacy_package(&format!("name: Add\n{problem}"));
    write(folder.path(), "data/secret/testdata.yaml", group);
    folder
}

#[test]
fn a_key_that_is_given_twice_with_other_values_refuses_where_grading_uses_it() {
    let folder = legacy("", "on_reject: break\noutput_validator_flags: a\noutput_validator_flags: b\n");
    let message = "data/secret/testdata.yaml:3:1: the key \"output_validator_flags\" is given twice, and line 2 has \
                   another value; remove one of them";
    assert_eq!(complaints(&folder), [message]);
}

#[test]
fn a_key_that_is_given_twice_with_one_value_is_a_remark() {
    let folder = legacy("", "grader_flags: min\non_reject: break\non_reject: break\n");
    let message = "data/secret/testdata.yaml:3:1: the key \"on_reject\" is given twice, with the same value as in \
                   line 2; remove one of them";
    assert!(remarks(&folder).contains(&message.to_owned()), "{:?}", remarks(&folder));
}

#[test]
fn of_a_key_that_grading_does_not_use_the_last_value_counts() {
    let folder = legacy("author: A\nauthor: B\n", "input_validator_flags: n=1\ninput_validator_flags: n=2\n");
    let found = remarks(&folder);
    for place in ["problem.yaml:3:1: the key \"author\"", "data/secret/testdata.yaml:2:1: the key \"input_validator"] {
        let is_told = |remark: &String| remark.starts_with(place) && remark.contains("the value here counts");
        assert!(found.iter().any(is_told), "{place}: {found:?}");
    }
    let package = load(folder.path()).unwrap();
    let case = package.cases.iter().find(|case| &*case.name == "secret/a").unwrap();
    assert_eq!(case.arguments_of_input_validator("any"), ["n=2"]);
}

#[test]
fn a_wrong_value_of_a_key_that_grading_does_not_use_is_a_remark() {
    for (problem, group, place) in [
        ("author: [A]\n", "", "problem.yaml:2:9: found a list"),
        ("", "input_validator_flags: [a]\n", "data/secret/testdata.yaml:1:24: found a list"),
        ("", "input_validator_flags: {name: v, name: w}\n", "data/secret/testdata.yaml:1:34: the key \"name\""),
    ] {
        let found = remarks(&legacy(problem, group));
        assert!(found.iter().any(|remark| remark.starts_with(place)), "{place}: {found:?}");
    }
    let dated = package(DATED);
    write(dated.path(), "data/secret/a.yaml", "hint: [a]\ninput_validator_args: {v: 1}\nfull_feedback: 7\n");
    write(
        dated.path(),
        "submissions/submissions.yaml",
        "accepted/add.py: {model_solution: 3, authors: 1, authors: 2}\n",
    );
    assert_eq!(remarks(&dated).iter().filter(|remark| remark.contains("found")).count(), 4, "{:?}", remarks(&dated));
}

#[test]
fn a_number_is_no_name_and_an_empty_list_names_no_person() {
    for (yaml, place) in [
        ("name: 42\n", "problem.yaml:2:7: found 42, which YAML does not read as a text; write \"42\""),
        ("name: {en: 42}\n", "problem.yaml:2:12: found 42, which YAML does not read as a text"),
        ("name: true\n", "problem.yaml:2:7: found true, which YAML does not read as a text"),
        ("name: [A]\n", "problem.yaml:2:7: found a list, allowed: "),
        ("name: A\ncredits: {authors: []}\n", "problem.yaml:3:20: found an empty list, allowed: at least one person"),
        ("name: A\ncredits: {authors: [7]}\n", "problem.yaml:3:21: found 7, which YAML does not read as a text"),
        ("name: A\ncredits: {testers: {name: 7}}\n", "problem.yaml:3:27: found 7, which YAML does not read as a text"),
        ("name: A\ncredits: 2026-11-24\n", "problem.yaml:3:10: found 2026-11-24, which YAML does not read as a text"),
        ("name: A\nsource: [{name: 2026}]\n", "problem.yaml:3:17: found 2026, which YAML does not read as a text"),
        ("name: A\nkeywords: [graph, 2]\n", "problem.yaml:3:19: found 2, which YAML does not read as a text"),
    ] {
        let folder =
            package(&format!("problem_format_version: 2025-09\n{yaml}uuid: 8ee7605a-47b4-4b8c-9d1b-3c1d2d5e5a5b\n"));
        let found = remarks(&folder);
        assert!(found.iter().any(|remark| remark.starts_with(place)), "{place}: {found:#?}");
    }
    for yaml in ["name: \"42\"\n", "name: {en: \"42\"}\n", "name: A\ncredits: Ann <ann@example.org>\n"] {
        let folder =
            package(&format!("problem_format_version: 2025-09\n{yaml}uuid: 8ee7605a-47b4-4b8c-9d1b-3c1d2d5e5a5b\n"));
        assert!(!remarks(&folder).iter().any(|remark| remark.contains("as a text")), "{yaml}");
    }
    let found = remarks(&legacy("author: 42\n", ""));
    assert!(found.iter().any(|remark| remark.starts_with("problem.yaml:2:9: found 42, which YAML")), "{found:?}");
}

#[test]
fn an_unknown_key_names_the_key_that_its_author_meant() {
    let says = |folder: &TempDir, message: &str| {
        let found = complaints(folder);
        assert!(found.iter().any(|complaint| complaint.contains(message)), "{message}: {found:#?}");
    };
    let multipliers = "time_safety_margin; did you mean time_multiplier?";
    says(&legacy("limits: {time_multipliers: {ac_to_time_limit: 2}}\n", ""), multipliers);
    says(&legacy("limits: {memry: 5}\n", ""), "did you mean memory?");
    says(&legacy("", "output_validator_args: [a]\n"), "did you mean output_validator_flags?");
    let dated = package("problem_format_version: 2025-09\nname: A\nlimits: {time_multiplier: 3}\n");
    says(&dated, "did you mean time_multipliers?");
    let dated = package(DATED);
    write(dated.path(), "data/secret/test_group.yaml", "output_validator_flags: a\n");
    says(&dated, "did you mean output_validator_args?");
    let dated = package("problem_format_version: 2025-09\nname: A\nlimits: {colour: 3}\n");
    assert!(!complaints(&dated).iter().any(|complaint| complaint.contains("did you mean")));
}

#[test]
fn a_key_in_the_wrong_place_names_its_place() {
    let says = |folder: &TempDir, message: &str| {
        let found = complaints(folder);
        assert!(found.iter().any(|complaint| complaint.ends_with(message)), "{message}: {found:#?}");
    };
    let dated = |text: &str| package(&format!("problem_format_version: 2025-09\nname: A\n{text}"));
    for key in ["time_limit", "memory", "time_multipliers"] {
        says(&dated(&format!("{key}: 3\n")), "; it belongs in limits");
    }
    says(&legacy("memory: 3\n", ""), "; it belongs in limits");
    says(&dated("output_validator_args: [a]\n"), "; it belongs in test_group.yaml in data/");
    says(&legacy("output_validator_flags: a\n", ""), "; it belongs in testdata.yaml in data/");
    // The key has another name there.
    says(&dated("output_validator_flags: a\n"), "; it belongs in test_group.yaml in data/, as output_validator_args");
    says(
        &legacy("input_validator_args: [a]\n", ""),
        "; it belongs in testdata.yaml in data/, as input_validator_flags",
    );
    says(&dated("authors: [Ada]\n"), "; it belongs in credits");
    let file = "; it belongs in the file .timelimit beside problem.yaml, as a number of seconds";
    for place in ["limits: {time_limit: 3}\n", "time_limit: 3\n"] {
        says(&legacy(place, ""), file);
    }
    // Only messages about keys of problem.yaml name the right place. This key is in a test_group.yaml.
    let folder = package(DATED);
    write(folder.path(), "data/secret/test_group.yaml", "memory: 3\n");
    assert!(!complaints(&folder).iter().any(|complaint| complaint.contains("it belongs in")));
}

#[test]
fn a_name_that_is_a_list_is_a_remark() {
    let folder = package("problem_format_version: 2025-09\nname: [A]\n");
    let wanted = "problem.yaml:2:7: found a list, allowed: a text, or a text for each language ({en: Name})";
    assert!(remarks(&folder).contains(&wanted.to_owned()), "{:?}", remarks(&folder));
}

#[test]
fn a_name_in_no_language_names_the_code() {
    for code in ["english", "EN", "e", "en-us"] {
        let folder = package(&format!("problem_format_version: 2025-09\nname: {{{code}: A}}\n"));
        let found = remarks(&folder);
        let wanted = format!("problem.yaml:2:8: {code:?} is not a language code; a language code has two or three");
        assert!(found.iter().any(|remark| remark.starts_with(&wanted)), "{found:#?}");
        let about_statements = |remark: &&String| remark.contains("'name' is given in");
        assert_eq!(found.iter().find(about_statements), None, "the mistake is reported once");
    }
    for code in ["en", "fil", "pt-BR"] {
        let found = remarks(&package(&format!("problem_format_version: 2025-09\nname: {{{code}: A}}\n")));
        assert!(!found.iter().any(|remark| remark.contains("is not a language code")), "{found:#?}");
    }
}
