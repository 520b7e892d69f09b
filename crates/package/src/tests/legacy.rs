use super::*;

#[test]
fn a_package_without_a_version_is_a_legacy_one() {
    let package = load(legacy_package("name: Add\nsource: X\nlicense: cc by-sa\n").path()).unwrap();
    assert_eq!((package.version, package.title.as_str(), package.limits.time), (Version::Legacy, "Add", None));
    assert_eq!(package.timing, Timing { ac_to_time_limit: 5.0, time_limit_to_tle: 2.0, resolution: 1.0 });
}

#[test]
fn keys_of_other_versions_are_unknown() {
    let folder = legacy_package("name: Add\nallow_file_writing: true\n");
    assert!(complaints(&folder)[0].starts_with("problem.yaml:2:1: unknown key \"allow_file_writing\", allowed: "));
    let folder = legacy_package("problem_format_version: legacy-icpc\nname: Add\ntype: scoring\ngrading: {}\n");
    let complaints = complaints(&folder);
    assert_eq!(complaints[0], "problem.yaml:3:7: found \"scoring\", allowed: \"pass-fail\"");
    assert!(complaints[1].starts_with("problem.yaml:4:1: unknown key \"grading\""), "{complaints:?}");
}

#[test]
fn all_output_validators_are_used_if_validation_is_custom() {
    let folder = legacy_package("name: Add\nvalidation: custom\nvalidator_flags: a  b\n");
    write(folder.path(), "output_validators/one.py", "");
    write(folder.path(), "output_validators/two/main.cpp", "");
    write(folder.path(), "data/secret/testdata.yaml", "output_validator_flags:\n  name: two\n  flags: c d\n");
    let package = load(folder.path()).unwrap();
    let names: Vec<_> = package.output_validators.iter().map(|program| program.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    let arguments = &package.cases[1].output_validator_arguments;
    assert_eq!((arguments.of("one"), arguments.of("two")), (words("a b"), words("a b c d")));
    assert_eq!(package.cases[0].output_validator_arguments.of("two"), words("a b"));
}

#[test]
fn flags_may_be_quoted_as_for_a_shell() {
    let folder = legacy_package("name: Add\nvalidation: custom\nvalidator_flags: --say \"two words\" it\\'s\n");
    write(folder.path(), "output_validators/one.py", "");
    write(folder.path(), "data/secret/testdata.yaml", "output_validator_flags: -a 'b  c' ''\n");
    let package = load(folder.path()).unwrap();
    let of = |case: usize| package.cases[case].output_validator_arguments.of("one");
    assert_eq!(of(0), ["--say", "two words", "it's"]);
    assert_eq!(of(1), ["--say", "two words", "it's", "-a", "b  c", ""]);
}

#[test]
fn flags_whose_quotes_are_not_closed_are_refused_with_their_place() {
    let folder = legacy_package("name: Add\nvalidation: custom\nvalidator_flags: say \"two words\n");
    write(folder.path(), "output_validators/one.py", "");
    write(folder.path(), "data/secret/testdata.yaml", "output_validator_flags:\n  name: one\n  flags: it's\n");
    let complaints = complaints(&folder);
    let starts = ["problem.yaml:3:18: cannot split", "data/secret/testdata.yaml:2:3: cannot split"];
    for start in starts {
        let found = |line: &&String| line.starts_with(start) && line.contains("is not closed");
        assert!(complaints.iter().any(|line| found(&line)), "{start}: {complaints:?}");
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn output_validators_are_not_used_if_validation_is_default() {
    let folder = legacy_package("name: Add\nvalidation: default\nvalidator_flags: float_tolerance 1e-6\n");
    write(folder.path(), "output_validators/one.py", "");
    let package = load(folder.path()).unwrap();
    assert!(package.output_validators.is_empty());
    assert_eq!(package.cases[0].output_validator_arguments.of("default"), ["float_tolerance", "1e-6"]);
    assert_eq!(package.cases[0].output_validator_arguments.place.as_deref(), Some("problem.yaml:3:18"));
}

#[test]
fn validation_says_what_the_validator_does() {
    let kind = |validation: &str, kind: &str| {
        let folder = legacy_package(&format!("name: Add\ntype: {kind}\nvalidation: {validation}\n"));
        write(folder.path(), "output_validators/one.py", "");
        load(folder.path()).map(|package| package.kind.words()).map_err(|_| complaints(&folder).len())
    };
    assert_eq!(kind("custom interactive", "pass-fail"), Ok(vec!["interactive"]));
    assert_eq!(kind("custom score interactive", "scoring"), Ok(vec!["scoring", "interactive"]));
    assert_eq!(kind("custom score", "pass-fail"), Err(1));
    assert_eq!(kind("costum", "pass-fail"), Err(1));
    let folder = legacy_package("name: Add\nvalidation: custom\n");
    assert_eq!(
        complaints(&folder),
        [
            "output_validators: problem.yaml says 'validation: custom', but there is no output validator in output_validators/"
        ]
    );
}

#[test]
fn settings_are_inherited_key_by_key_through_any_depth() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "data/testdata.yaml", "output_validator_flags: case_sensitive\n");
    write(folder.path(), "data/secret/testdata.yaml", "on_reject: continue\n");
    write(folder.path(), "data/secret/deep/deeper/1.in", "");
    write(folder.path(), "data/secret/deep/deeper/1.ans", "");
    write(folder.path(), "data/secret/deep/testdata.yaml", "output_validator_flags: space_change_sensitive\n");
    let cases = load(folder.path()).unwrap().cases;
    let arguments: Vec<_> = cases.iter().map(|case| case.output_validator_arguments.of("default").join(" ")).collect();
    assert_eq!(arguments, ["case_sensitive", "case_sensitive", "case_sensitive", "space_change_sensitive"]);
    assert_eq!(&*cases[3].name, "secret/deep/deeper/1");
}

#[test]
fn testdata_yaml_is_checked_key_by_key() {
    let folder = legacy_package("name: Add\n");
    let bad =
        "on_reject: stop\ngrading: none\nrange: 5 1\naccept_score: x\noutput_validator_flags:\n  nam: a\nargs: []\n";
    write(folder.path(), "data/secret/testdata.yaml", bad);
    let places: Vec<_> = complaints(&folder).iter().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
    let at = |place: &str| format!("data/secret/testdata.yaml:{place}");
    assert_eq!(places, [at("1:12"), at("2:10"), at("6:3"), at("4:15"), at("3:8"), at("7:1")]);
}

#[test]
fn descriptions_lie_beside_the_case() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "data/secret/a.desc", "zero\n");
    write(folder.path(), "data/secret/a.hint", "try zero\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(package.cases[1].description.as_deref().map(String::as_str), Some("zero"));
    assert_eq!(remarks(&folder), Vec::<String>::new());
}

#[test]
fn samples_of_interactive_problems_may_be_interactions_alone() {
    let folder = legacy_package("name: Add\nvalidation: custom interactive\n");
    write(folder.path(), "output_validators/one.py", "");
    write(folder.path(), "data/sample/2.interaction", "<1\n>2\n");
    assert_eq!(remarks(&folder), Vec::<String>::new());
    write(folder.path(), "data/sample/2.interaction", "1\n>2\n");
    assert!(remarks(&folder)[0].starts_with("data/sample/2.interaction:1:1: found \"1\""));
}

#[test]
fn the_time_limit_of_domjudge_is_taken() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "domjudge-problem.ini", "name='Add'\ntimelimit='2.5'\n");
    assert_eq!(load(folder.path()).unwrap().limits.time, Some(Duration::from_millis(2500)));
    write(folder.path(), ".timelimit", "3\n");
    assert_eq!(load(folder.path()).unwrap().limits.time, Some(Duration::from_secs(3)));
    write(folder.path(), ".timelimit", "soon\n");
    assert_eq!(
        complaints(&folder),
        [".timelimit: found the time limit \"soon\", allowed: a number of seconds above 0 and up to 1000000"]
    );
}

#[test]
fn the_old_name_of_input_validators_still_counts() {
    let folder = legacy_package("name: Add\n");
    fs::rename(folder.path().join("input_validators"), folder.path().join("input_format_validators")).unwrap();
    assert_eq!(load(folder.path()).unwrap().input_validators.len(), 1);
}

#[test]
fn output_validators_that_nobody_asks_for_are_told() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "output_validators/one.py", "");
    write(folder.path(), "submissions/partially_accepted/half.py", "");
    assert_eq!(
        remarks(&folder),
        [
            "submissions/partially_accepted: is for problems of type scoring only",
            "output_validators: is not used: problem.yaml does not say 'validation: custom'",
        ]
    );
}

#[test]
fn a_file_of_the_time_limit_that_is_no_file_is_not_ignored() {
    for name in [".timelimit", "domjudge-problem.ini"] {
        let folder = legacy_package("name: Add\n");
        fs::create_dir_all(folder.path().join(name)).unwrap();
        assert_eq!(complaints(&folder), [format!("{name}: cannot be read: it is not a regular file")]);
    }
}
