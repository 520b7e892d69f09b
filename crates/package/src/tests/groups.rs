use super::*;
use referee_grading::score::{Aggregation, Child, Flags, Grading, Legacy, Range, Score, Way};

const SCORING: &str = "problem_format_version: 2025-09\nname: Add\nuuid: 1\nlimits:\n  time_limit: 2\ntype: scoring\n";

/// Moves the secret test cases of a package into groups.
fn regroup(folder: &TempDir, groups: &[(&str, &str)]) {
    for (name, group) in groups {
        for ending in ["in", "ans"] {
            let from = folder.path().join(format!("data/secret/{name}.{ending}"));
            let below = folder.path().join("data/secret").join(group);
            fs::create_dir_all(&below).unwrap();
            fs::rename(from, below.join(format!("{name}.{ending}"))).unwrap();
        }
    }
}

fn names(package: &Package) -> Vec<&str> {
    package.tree.groups.iter().map(|group| group.name.as_str()).collect()
}

fn legacy(package: &Package, name: &str) -> Legacy {
    match package.tree.groups.iter().find(|group| group.name == name).map(|group| group.way.clone()) {
        Some(Way::Legacy(legacy)) => legacy,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn groups_of_old_inherit_key_by_key_but_for_what_is_the_roots() {
    let folder = legacy_package("name: Add\ntype: scoring\n");
    regroup(&folder, &[("a", "1"), ("b", "2/deep")]);
    write(folder.path(), "data/testdata.yaml", "on_reject: continue\nrange: 0 9\ngrader_flags: ignore_sample max\n");
    write(folder.path(), "data/secret/2/testdata.yaml", "accept_score: 2.5\ngrader_flags: min\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(names(&package), ["", "sample", "secret", "secret/1", "secret/2", "secret/2/deep"]);
    let flags = |text: &str| Grading::Default(Flags::read(text).0);
    assert_eq!(legacy(&package, "").grading, flags("ignore_sample max"));
    assert_eq!(legacy(&package, "secret/1").grading, flags("max"));
    let deep = legacy(&package, "secret/2/deep");
    assert_eq!((deep.grading, deep.accept_score, deep.breaks), (flags("min"), Score::parse("2.5").unwrap(), false));
    assert_eq!((deep.range, deep.custom_score), (Range::read("0 9").unwrap(), false));
}

#[test]
fn without_a_word_groups_of_old_break_off_and_add_up() {
    let package = load(legacy_package("name: Add\ntype: scoring\n").path()).unwrap();
    let secret = legacy(&package, "secret");
    assert_eq!((secret.breaks, secret.grading), (true, Grading::Default(Flags::default())));
    assert_eq!((secret.accept_score, secret.reject_score), (Score::whole(1), Score::zero()));
    assert_eq!(secret.range, Range::default());
}

#[test]
fn a_group_without_a_case_is_refused_in_scoring_problems() {
    let folder = package(SCORING);
    regroup(&folder, &[("a", "g"), ("b", "h")]);
    for (group, most) in [("g", 40), ("h", 60), ("none", 0)] {
        write(folder.path(), &format!("data/secret/{group}/test_group.yaml"), &format!("max_score: {most}\n"));
    }
    let told = complaints(&folder);
    let empty: Vec<_> = told.iter().filter(|told| told.contains("the group has no test case")).collect();
    assert_eq!(
        empty,
        [
            "data/secret/none/test_group.yaml: the group has no test case and no static validation; add a test case or remove the group"
        ],
        "{told:?}"
    );
}

#[test]
fn groups_of_today_lie_right_below_secret_and_hold_what_is_further_down() {
    let folder = package(SCORING);
    regroup(&folder, &[("a", "g/deep"), ("b", "h")]);
    write(folder.path(), "data/secret/g/test_group.yaml", "max_score: 30\nscore_aggregation: min\n");
    write(folder.path(), "data/secret/h/test_group.yaml", "max_score: 70\nrequire_pass: sample\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(names(&package), ["", "sample", "secret", "secret/g", "secret/h"]);
    assert_eq!(package.tree.groups[3].children, [Child::Case("secret/g/deep/a".into())]);
    let dated = |index: usize| match &package.tree.groups[index].way {
        Way::Dated(dated) => dated.clone(),
        Way::Legacy(_) | Way::Domjudge(_) => panic!("it is of today"),
    };
    assert_eq!((dated(2).aggregation, dated(2).max_score), (Aggregation::Sum, Some(Score::whole(100))));
    assert_eq!((dated(3).aggregation, dated(3).requires), (Aggregation::Min, vec![]));
    assert_eq!((dated(4).aggregation, dated(4).requires), (Aggregation::PassFail, vec![1]));
    let cases = package.tree.cases();
    let order: Vec<_> = cases.iter().map(|(name, _)| *name).collect();
    assert_eq!(order, package.cases.iter().map(|case| &*case.name).collect::<Vec<_>>());
}

#[test]
fn a_static_validator_has_a_test_of_its_own_in_each_group_that_asks() {
    let folder = package(SCORING);
    write(folder.path(), "static_validator/v.py", "");
    let text = "static_validation_score: 10\nstatic_validator_args: [a, b]\n";
    write(folder.path(), "data/secret/test_group.yaml", text);
    let package = load(folder.path()).unwrap();
    assert_eq!(package.static_tests[0].name, "secret/static_validation");
    assert_eq!(package.static_tests[0].arguments, ["a", "b"]);
    let cases = package.tree.cases();
    assert_eq!(cases[1], ("secret/static_validation", true), "before the cases of its group");
    write(folder.path(), "data/secret/static_validation.in", "1 1\n");
    write(folder.path(), "data/secret/static_validation.ans", "2\n");
    assert_eq!(
        complaints(&folder),
        ["data/secret/test_group.yaml: the name of the test case secret/static_validation is reserved for the static \
          validator; rename the test case"]
    );
}

#[test]
fn packages_of_2023_are_graded_as_before_unless_they_say_it_as_since() {
    let folder = package(&SCORING.replace("2025-09", "2023-07"));
    write(folder.path(), "data/secret/testdata.yaml", "accept_score: 5\n");
    assert_eq!(legacy(&load(folder.path()).unwrap(), "secret").accept_score, Score::whole(5));
    fs::remove_file(folder.path().join("data/secret/testdata.yaml")).unwrap();
    write(folder.path(), "data/secret/test_group.yaml", "max_score: 5\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(package.tree.best(package.tree.whole().unwrap()), Some(&Score::whole(5)));
}

#[test]
fn a_score_is_declared_by_rules_tags_and_folders() {
    let folder = legacy_package("name: Add\ntype: scoring\n");
    write(folder.path(), "submissions/partially_accepted/p.py", "# @EXPECTED_SCORE@: 1.5\n");
    write(folder.path(), "submissions/submissions.yaml", "accepted/*:\n  score: [1, 2]\n  secret:\n    score: 2\n");
    let submissions = load(folder.path()).unwrap().submissions;
    let told = |index: usize| submissions[index].scores.iter().map(|wanted| wanted.origin.clone()).collect::<Vec<_>>();
    assert_eq!(told(0), ["submissions.yaml, accepted/*", "submissions.yaml, accepted/*: secret"]);
    assert_eq!(submissions[0].scores[1].groups, Some(vec![2]));
    assert_eq!(told(1), ["the rule of partially_accepted/", "@EXPECTED_SCORE@"]);
}

/// Returns, for each group that counts on DOMjudge, its name, whether it has subgroups, and its accept score.
fn on_domjudge(package: &Package) -> Vec<(&str, bool, String)> {
    let groups = package.domjudge_tree.iter().flat_map(|tree| &tree.groups);
    let row = |group: &'_ referee_grading::score::TestGroup| match &group.way {
        Way::Domjudge(way) if way.counts => {
            Some((way.has_subgroups, way.accept_score.as_ref().map(Score::to_string).unwrap_or_default()))
        }
        _ => None,
    };
    groups
        .filter_map(|group| row(group).map(|(has_subgroups, score)| (group.name.as_str(), has_subgroups, score)))
        .collect()
}

#[test]
fn on_domjudge_only_groups_with_a_settings_file_count_and_they_inherit_nothing() {
    let folder = legacy_package("name: Add\ntype: scoring\n");
    regroup(&folder, &[("a", "1"), ("b", "2/deep")]);
    for (path, text) in [
        ("data/testdata.yaml", "accept_score: 7\ngrader_flags: sum, ignore_sample\n"),
        ("data/sample/testdata.yaml", "accept_score: 1\n"),
        ("data/secret/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/1/testdata.yaml", "accept_score: 20\n"),
        ("data/secret/2/deep/testdata.yaml", "accept_score: 30\n"),
    ] {
        write(folder.path(), path, text);
    }
    let package = load(folder.path()).unwrap();
    let wanted = [("", true, "7"), ("secret", true, ""), ("secret/1", false, "20")];
    assert_eq!(
        on_domjudge(&package),
        wanted.map(|(name, has_subgroups, score)| (name, has_subgroups, score.to_owned()))
    );
    let message = "\"sum,\" is not a flag of the default grader, so it is ignored";
    assert!(remarks(&folder).iter().any(|remark| remark.contains(message)), "{:?}", remarks(&folder));
    fs::remove_file(folder.path().join("data/testdata.yaml")).unwrap();
    assert_eq!(load(folder.path()).unwrap().domjudge_tree, None, "DOMjudge ignores all groups");
}

#[test]
fn domjudge_ignores_the_groups_of_problems_without_scores() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "data/testdata.yaml", "grader_flags: accept_if_any_accepted\n");
    assert_eq!(load(folder.path()).unwrap().domjudge_tree, None);
}
