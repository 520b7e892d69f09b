use std::fs;

use proptest::prelude::*;

use super::*;
use crate::package::load_without_cases;

fn read_rules(text: &str) -> Result<Rules, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("problem.yaml"), "problem_format_version: 2025-09\nname: A\n").unwrap();
    fs::create_dir(folder.path().join("generators")).unwrap();
    fs::write(folder.path().join(FILE), text).unwrap();
    let package = load_without_cases(folder.path()).unwrap();
    read(&package, folder.path()).map(|(rules, _)| rules).map_err(|error| error.to_string())
}

fn names(rules: &Rules) -> Vec<&str> {
    rules.cases.iter().map(|case| case.name.as_str()).collect()
}

#[test]
fn numbers_go_through_the_file_and_counts_follow_names() {
    let rules = read_rules(
        "data:\n  sample: {data: [{a: {in: '1'}}]}\n  secret:\n    data:\n      - b: {in: '2'}\n      - g: {data: [{c: \
         {in: '3', count: 8..=10}}]}\n      - '': {in: '4'}\n",
    )
    .unwrap();
    let wanted =
        ["sample/1-a", "secret/2-b", "secret/1-g/3-c-08", "secret/1-g/4-c-09", "secret/1-g/5-c-10", "secret/6"];
    assert_eq!(names(&rules), wanted);
}

#[test]
fn a_short_list_that_includes_large_groups_again_and_again_is_refused() {
    let cases: Vec<_> = (0..2000).map(|number| format!("{{a{number}: {{in: '{number}'}}}}")).collect();
    let cases = cases.join(",");
    let again = "g,".repeat(2000);
    let refused = read_rules(&format!(
        "data: {{secret: {{data: [{{g: {{data: [{cases}]}}}}, {{h: {{data: {{}}, include: [{again}]}}}}]}}}}\n"
    ));
    assert!(refused.unwrap_err().contains("includes more than 100000 test cases"));
}

/// Words that mean something in a file of rules, and some that do not.
fn word() -> impl Strategy<Value = String> {
    let known = [
        "data",
        "sample",
        "secret",
        "include",
        "count",
        "in",
        "ans",
        "generate",
        "copy",
        "match",
        "solution",
        "retries",
        "random_salt",
        "generators",
        "test_group.yaml",
        "yaml",
        "out",
        "1..=3",
        "gen.py {seed} {count}",
        "''",
        "1",
        "-1",
        "a",
        "../b",
        "null",
        "*x",
        "&x",
        "<<",
        "{{a}}",
        "'",
        "\"",
    ];
    prop_oneof![proptest::sample::select(known.to_vec()).prop_map(str::to_owned), "[ -~\u{e9}]{0,6}"]
}

/// Text that is nearly YAML of rules.
fn nearly_rules() -> impl Strategy<Value = String> {
    let leaf = word();
    leaf.prop_recursive(6, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec((word(), inner.clone()), 0..5).prop_map(|entries| {
                let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                format!("{{{}}}", entries.join(", "))
            }),
            proptest::collection::vec(inner, 0..5).prop_map(|nodes| format!("[{}]", nodes.join(", "))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_the_rules_hold_nothing_panics_and_names_are_different(text in nearly_rules(), inside in any::<bool>()) {
        let text = if inside { format!("data: {{secret: {{data: {text}}}}}\n") } else { text };
        if let Ok(rules) = read_rules(&text) {
            let different: HashSet<_> = names(&rules).into_iter().collect();
            prop_assert_eq!(different.len(), rules.cases.len());
        }
    }
}
