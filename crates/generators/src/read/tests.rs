use std::fs;

use proptest::prelude::*;

use super::*;
use referee_package::load_without_cases;

fn read_rules(text: &str) -> Result<Rules, String> {
    read_all(text, &[]).map(|(rules, _)| rules)
}

/// Reads the rules `text` of a package that also has `files`. Returns the rules and the warnings.
fn read_all(text: &str, files: &[(&str, &str)]) -> Result<(Rules, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("problem.yaml"), "problem_format_version: 2025-09\nname: A\n").unwrap();
    fs::create_dir(folder.path().join("generators")).unwrap();
    for (name, text) in files.iter().chain(&[(FILE, text)]) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let package = load_without_cases(folder.path(), None).unwrap();
    let read = read(&package, folder.path()).map_err(|error| error.to_string());
    read.map(|(rules, remarks)| (rules, remarks.iter().map(|remark| remark.message.clone()).collect()))
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
    assert!(refused.unwrap_err().contains("names more than the 100000 test cases allowed"));
}

#[test]
fn names_that_lead_elsewhere_or_are_taken_are_refused() {
    let deep = format!("{}{{in: '1'}}{}", "{data: {a: ".repeat(40), "}}".repeat(40));
    let cases: Vec<_> = (0..1001).map(|number| format!("a{number}: {{in: '1', count: 100}}")).collect();
    let wrong = [
        ("{'..': {data: {}}}", "\"..\" cannot be the name of a folder"),
        ("{a/b: {data: {}}}", "\"a/b\" cannot be the name of a folder"),
        ("{a: {in: '1'}, a: {in: '2'}}", "the key \"a\" is given twice"),
        (&deep[7..deep.len() - 1], "this group is nested more than 32 groups deep"),
        (&format!("{{{}}}", cases.join(", ")), "there are more than 100000 test cases"),
        ("{g: {data: {a: {in: '1'}}}, h: {data: {a: {in: '2'}}}, i: {include: [a], data: {}}}", "the name of several"),
        (
            "{g: {data: {a: {in: '1'}}}, h: {data: {a: {in: '2'}}}, i: {include: [g, h], data: {}}}",
            "secret/h/a cannot be included as secret/i/a: the name is already taken by the test case secret/g/a",
        ),
        ("{g: {include: [g], data: {a: {in: '1'}}}}", "\"g\" cannot be included in itself"),
        ("{g: {data: {h: {include: [g], data: {a: {in: '1'}}}}}}", "\"g\" cannot be included in itself"),
        ("{a: {in: '1', solution: /../sol.py}}", "from the package's folder"),
    ];
    for (data, message) in wrong {
        let refused = read_rules(&format!("data: {{secret: {{data: {data}}}}}\n")).unwrap_err();
        assert!(refused.contains(message), "{refused:.300}, wanted: {message}");
    }
    for (text, message) in [
        ("generators: {../x: [a.py]}\n", "\"../x\" cannot be the name of a generator"),
        ("data: {secret: 5}\n", "a group, which is a map with keys such as 'data' and 'include'"),
        (
            "data: {sample: {data: {a: {in: '1', in.statement: {link: in.download}, in.download: {link: \
             in.statement}}}}}\n",
            "which is itself a link",
        ),
        ("data: {sample: {data: {a: {in: '1', in.statement: {link: ans}}}}}\n", "{link: in}"),
    ] {
        let refused = read_rules(text).unwrap_err();
        assert!(refused.contains(message), "{refused:.300}, wanted: {message}");
    }
}

#[test]
fn what_a_group_shows_is_shown_where_the_group_is_shown() {
    let rules = read_rules(
        "data:\n  sample: {data: {a: {in: '1'}}}\n  secret:\n    data:\n      g: {include: [a], data: {b: {in: '2'}}}\n      \
         h: {include: [g], data: {}}\n",
    )
    .unwrap();
    let included: Vec<_> = rules.includes.iter().map(|include| include.name.as_str()).collect();
    assert_eq!(included, ["secret/g/a", "secret/h/b", "secret/h/a"]);
}

#[test]
fn rules_that_say_the_same_are_twins_and_remarked_unless_they_are_repeated_on_purpose() {
    let twins = |rules: &str, files: &[(&str, &str)]| {
        let (rules, remarks) = read_all(&format!("data: {{secret: {{data: {rules}}}}}\n"), files).unwrap();
        let twins: Vec<_> = rules
            .cases
            .iter()
            .map(|case| case.duplicate_of.map(|duplicate| (duplicate.of, duplicate.is_intended)))
            .collect();
        (twins, remarks)
    };
    let (found, remarks) = twins("{a: g 1, b: {generate: g 1, count: 2}, c: {generate: g 2, count: 2}}", &[]);
    assert_eq!(found, [None, Some((0, false)), Some((0, false)), None, Some((3, true))]);
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert!(remarks[0].starts_with("secret/b-1 is generated in the same way as secret/a"), "{remarks:?}");
    // Each repetition of a command with `{seed}` has its own seed, so no two cases are the same. Without `{seed}` and
    // `{count}`, all repetitions are the same.
    let (found, remarks) = twins("{a: {generate: 'g {seed}', count: 2}}", &[]);
    assert_eq!((found, remarks.len()), (vec![None, None], 0));
    let (found, remarks) = twins("{a: {in: '1', count: 2}, b: {in: '1', match: '2'}}", &[]);
    assert_eq!((found, remarks.len()), (vec![None, Some((0, true)), Some((0, false))], 1));
    let files = [("generators/a.in", "1\n"), ("generators/b.in", "2\n"), ("generators/c.in", "1\n")];
    let (found, remarks) = twins("{a: {copy: a}, b: {copy: b}, c: {copy: c}, d: {copy: a.in}, e: {copy: e}}", &files);
    assert_eq!(found, [None, None, Some((0, false)), None, None], "of d and e there is nothing");
    let (counted, _) = twins("{a: {generate: 'g {count}', copy: a, count: 2}}", &files);
    assert_eq!(counted, [None, Some((0, false))], "the inputs that are made are not what is copied");
    assert!(remarks.iter().any(|remark| remark.contains("the path in 'copy' has an extension")), "{remarks:?}");
}

#[test]
fn a_count_in_a_command_without_one_in_the_rule_is_remarked() {
    let remarks = |rule: &str| read_all(&format!("data: {{secret: {{data: {{a: {rule}}}}}}}\n"), &[]).unwrap().1;
    assert_eq!(remarks("'g {count}'"), ["the command has {count}, but the rule has no 'count'; add 'count'"]);
    assert_eq!(remarks("{generate: 'g {count}', count: 1}"), Vec::<String>::new());
}

/// Generates words that have a meaning in a file of rules, and some that have none.
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

/// Generates text that resembles a YAML file of rules.
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
