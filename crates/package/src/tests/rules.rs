use super::*;
use referee_grading::verdict::{CaseFilter, DeclaredVerdict, TimeBound, Verdict};

#[test]
fn folders_declare_what_their_submissions_must_get() {
    let package = load(package(DATED).path()).unwrap();
    let rule = |index: usize| &package.submissions[index].expectations[0];
    assert_eq!(package.submissions[0].name, "accepted/add.py");
    assert_eq!((rule(0).permitted.clone(), rule(0).required.clone()), (Some([DeclaredVerdict::AC].into()), None));
    assert_eq!(rule(1).permitted, Some([DeclaredVerdict::AC, DeclaredVerdict::WA].into()));
    assert_eq!(rule(1).required, Some([DeclaredVerdict::WA].into()));
    assert_eq!((rule(0).time_bound, rule(1).time_bound), (Some(TimeBound::Lower), Some(TimeBound::Lower)));
}

#[test]
fn slow_submissions_of_legacy_packages_may_be_wrong_as_well() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "submissions/time_limit_exceeded/slow.py", "");
    write(folder.path(), "submissions/run_time_error/dies.py", "");
    let package = load(folder.path()).unwrap();
    let rule = |name: &str| {
        let submission = package.submissions.iter().find(|submission| submission.name.starts_with(name)).unwrap();
        submission.expectations[0].clone()
    };
    let slow = rule("time_limit_exceeded");
    assert_eq!(slow.permitted, Some([DeclaredVerdict::AC, DeclaredVerdict::WA, DeclaredVerdict::TLE].into()));
    assert_eq!((slow.required, slow.time_bound), (Some([DeclaredVerdict::TLE].into()), Some(TimeBound::Upper)));
    assert_eq!(
        (rule("run_time_error").permitted, rule("run_time_error").required),
        (None, Some([DeclaredVerdict::RTE].into()))
    );
    assert_eq!(rule("wrong_answer").time_bound, None, "only accepted ones count");
}

#[test]
fn a_rule_for_just_a_folder_replaces_the_keys_it_gives() {
    let folder = package(DATED);
    write(folder.path(), "submissions/submissions.yaml", "wrong_answer:\n  permitted: [AC, WA, TLE]\n");
    let submissions = load(folder.path()).unwrap().submissions;
    assert_eq!(submissions[1].expectations.len(), 1);
    assert_eq!(
        submissions[1].expectations[0].permitted,
        Some([DeclaredVerdict::AC, DeclaredVerdict::WA, DeclaredVerdict::TLE].into())
    );
    assert_eq!(submissions[1].expectations[0].required, Some([DeclaredVerdict::WA].into()), "inherited");
    assert_eq!(submissions[1].expectations[0].time_bound, None, "it may be slow now");
}

#[test]
fn any_other_rule_comes_on_top_and_may_speak_of_some_cases() {
    let folder = package(DATED);
    let rules = "wrong_answer/*:\n  message: sum\n  secret/{a,b}:\n    required: [WA]\nnobody/*:\n  language: cpp\n";
    write(folder.path(), "submissions/submissions.yaml", rules);
    let package = load(folder.path()).unwrap();
    let expectations = &package.submissions[1].expectations;
    assert_eq!(expectations.len(), 3);
    assert_eq!(expectations[1].message.as_deref(), Some("sum"));
    assert_eq!(expectations[2].cases, CaseFilter::Only(["secret/a".to_owned(), "secret/b".to_owned()].into()));
    assert_eq!(remarks(&folder), ["submissions/submissions.yaml:5:1: the pattern \"nobody/*\" matches no submission"]);
}

#[test]
fn a_rule_says_whether_it_bounds_the_time_limit() {
    let folder = package(DATED);
    let bounds = |rule: &str| {
        write(folder.path(), "submissions/submissions.yaml", &format!("accepted/*: {{ {rule} }}\n"));
        load(folder.path()).unwrap().submissions[0].expectations.last().unwrap().time_bound
    };
    assert_eq!(bounds("permitted: [AC, RTE]"), Some(TimeBound::Lower));
    assert_eq!(bounds("required: [TLE]"), Some(TimeBound::Upper));
    assert_eq!(bounds("required: [TLE, RTE]"), None);
    assert_eq!(bounds("permitted: [AC], use_for_time_limit: false"), None);
    assert_eq!(bounds("use_for_time_limit: upper"), Some(TimeBound::Upper));
}

#[test]
fn whoever_bounds_the_time_limit_must_keep_it_or_exceed_it() {
    let folder = package(DATED);
    let rule = |rule: &str| {
        write(folder.path(), "submissions/submissions.yaml", &format!("wrong_answer/*: {{ {rule} }}\n"));
        let last = load(folder.path()).unwrap().submissions[1].expectations.last().unwrap().clone();
        (last.permitted, last.required)
    };
    assert_eq!(rule("use_for_time_limit: upper"), (None, Some([DeclaredVerdict::TLE].into())));
    assert_eq!(
        rule("use_for_time_limit: lower"),
        (Some([DeclaredVerdict::AC, DeclaredVerdict::WA, DeclaredVerdict::RTE].into()), None)
    );
    assert_eq!(rule("use_for_time_limit: lower, permitted: [WA, TLE]").0, Some([DeclaredVerdict::WA].into()));
}

#[test]
fn an_empty_message_asks_for_nothing_and_files_beside_the_folders_are_told() {
    let folder = package(DATED);
    write(folder.path(), "submissions/submissions.yaml", "accepted/*: { message: '' }\n");
    write(folder.path(), "submissions/lost.py", "");
    assert_eq!(load(folder.path()).unwrap().submissions[0].expectations.len(), 1);
    assert_eq!(
        remarks(&folder),
        [
            "submissions/lost.py: is not used: submissions belong in folders below submissions/, such as accepted/; move \
          the file there"
        ]
    );
    write(folder.path(), "submissions/submissions.yaml", "accepted/*: { permitted: [AC], required: [WA] }\n");
    assert!(remarks(&folder).iter().any(|remark| remark.contains("requires verdicts that it does not permit")));
}

#[test]
fn rules_that_no_program_can_keep_are_told() {
    let folder = package(DATED);
    write(folder.path(), "submissions/submissions.yaml", "accepted/add.py:\n  sample:\n    permitted: [WA]\n");
    assert_eq!(
        remarks(&folder),
        [
            "submissions/submissions.yaml: no verdict satisfies both rules for accepted/add.py: the rule of accepted/ and \
          submissions.yaml, accepted/add.py: sample"
        ]
    );
}

#[test]
fn a_tag_in_the_source_names_the_outcome() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "submissions/mixed/a.py", "# @expected_results@: WRONG-ANSWER, RUN-ERROR\n");
    write(folder.path(), "submissions/mixed/b.c", "/* @EXPECTED_RESULTS@: COMPILER-ERROR */\n");
    write(folder.path(), "submissions/mixed/c.py", "# @EXPECTED_RESULTS@: CHECK-MANUALLY\n");
    write(folder.path(), "submissions/wrong_answer/d.py", "# @EXPECTED_RESULTS@: CORRECT\n");
    let package = load(folder.path()).unwrap();
    let outcome = |name: &str| {
        let submission = package.submissions.iter().find(|submission| submission.name == name).unwrap();
        submission.expectations.iter().find_map(|rule| rule.outcome.clone())
    };
    let wanted = [Verdict::WrongAnswer, Verdict::RunTimeError, Verdict::MemoryLimitExceeded].into();
    assert_eq!(outcome("mixed/a.py"), Some(wanted));
    assert_eq!(outcome("mixed/b.c"), Some([Verdict::CompileError].into()));
    assert_eq!((outcome("mixed/c.py"), outcome("wrong_answer/d.py")), (None, None));
    assert!(remarks(&folder)[0].contains("the folder wrong_answer/ already states the verdicts"));
    write(folder.path(), "submissions/mixed/a.py", "# @EXPECTED_RESULTS@: WRONG\n");
    assert!(remarks(&folder)[0].contains("@EXPECTED_RESULTS@: found \"WRONG\", allowed: ACCEPTED, CORRECT"));
}

#[test]
fn a_tag_counts_before_cr_lf_and_behind_a_link_inside_the_package() {
    let folder = legacy_package("name: Add\n");
    write(folder.path(), "submissions/mixed/a.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER\r\nprint(1)\r\n");
    std::os::unix::fs::symlink("a.py", folder.path().join("submissions/mixed/b.py")).unwrap();
    let package = load(folder.path()).unwrap();
    let mixed = package.submissions.iter().filter(|submission| submission.name.starts_with("mixed/"));
    let outcomes: Vec<_> =
        mixed.map(|submission| submission.expectations.iter().find_map(|rule| rule.outcome.clone())).collect();
    assert_eq!(outcomes, [Some([Verdict::WrongAnswer].into()), Some([Verdict::WrongAnswer].into())]);
}

#[test]
fn a_submission_whose_name_ends_with_disabled_is_switched_off_and_a_warning_says_so() {
    let folder = package(DATED);
    for name in ["accepted/off.disabled/a.py", "accepted/b.py.disabled", "slow.disabled/c.py"] {
        write(folder.path(), &format!("submissions/{name}"), "");
    }
    let package = load(folder.path()).unwrap();
    let names: Vec<_> = package.submissions.iter().map(|submission| submission.name.as_str()).collect();
    assert_eq!(names, ["accepted/add.py", "wrong_answer/three.py"]);
    let told: Vec<_> = remarks(&folder)
        .into_iter()
        .filter(|remark| remark.contains("which disables a submission or folder"))
        .collect();
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn a_pattern_that_is_none_is_told_with_its_place() {
    let folder = package(DATED);
    write(folder.path(), "submissions/submissions.yaml", "accepted/{a:\n  language: cpp\n'{b,c}/*': {}\n");
    let complaints = complaints(&folder);
    assert!(complaints[0].starts_with("submissions/submissions.yaml:1:1: the pattern"), "{complaints:?}");
}

#[test]
fn a_pattern_for_test_cases_needs_a_map_and_any_other_key_is_unknown() {
    let folder = package(DATED);
    let rules = "accepted:\n  secret: 5\n  secret/*: x\n  '{sample,secret}': [AC]\n  secert: 5\n";
    write(folder.path(), "submissions/submissions.yaml", rules);
    let complaints = complaints(&folder);
    let place = "submissions/submissions.yaml";
    assert_eq!(
        complaints[..3],
        [
            format!("{place}:2:11: found 5, allowed: keys with values (key: value)"),
            format!("{place}:3:13: found \"x\", allowed: keys with values (key: value)"),
            format!("{place}:4:22: found a list, allowed: keys with values (key: value)"),
        ]
    );
    assert!(
        complaints[3].starts_with(&format!("{place}:5:3: \"secert\" is not a key of the format")),
        "{complaints:?}"
    );
    assert_eq!(complaints.len(), 4, "{complaints:?}");
}

#[test]
fn a_rule_requires_at_least_one_verdict() {
    let folder = package(DATED);
    write(folder.path(), "submissions/submissions.yaml", "wrong_answer:\n  required: []\n");
    assert!(complaints(&folder)[0].contains("allowed: a list of at least one verdict"), "{:?}", complaints(&folder));
}
