use super::*;

#[test]
fn samples_come_first_and_cases_in_order_of_their_names() {
    let folder = package(DATED);
    for name in ["a-1", "a1", "aa/z", "b-b/c"] {
        write(folder.path(), &format!("data/secret/{name}.in"), "1 1\n");
        write(folder.path(), &format!("data/secret/{name}.ans"), "2\n");
    }
    let names = ["sample/1", "secret/a", "secret/a-1", "secret/a1", "secret/aa/z", "secret/b", "secret/b-b/c"];
    assert_eq!(case_names(&folder), names);
    let package = load(folder.path()).unwrap();
    assert_eq!(package.limits.time, Some(Duration::from_secs(2)));
    assert_eq!(package.limits.memory_bytes, 2048 << 20, "the format's usual default");
}

#[test]
fn every_limit_is_taken_as_it_is_given() {
    let limits = "  memory: 64\n  output: 3\n  code: 5\n  compilation_time: 7\n  compilation_memory: 11\n  \
                  validation_time: 13\n  validation_memory: 17\n  validation_output: 19\n  time_resolution: 0.5\n  \
                  time_multipliers:\n    ac_to_time_limit: 3\n    time_limit_to_tle: 1.25\n";
    let package = load(package(&format!("{DATED}{limits}")).path()).unwrap();
    let wanted = Limits {
        generation_time: Duration::from_secs(60),
        time: Some(Duration::from_secs(2)),
        memory_bytes: 64 << 20,
        output_bytes: 3 << 20,
        code_bytes: 5 << 10,
        compilation_time: Duration::from_secs(7),
        compilation_memory_bytes: 11 << 20,
        validation_time: Duration::from_secs(13),
        validation_memory_bytes: 17 << 20,
        validation_output_bytes: 19 << 20,
        validation_passes: 2,
        unstated_memory: UnstatedMemory { program: false, compilation: false, validation: false },
    };
    assert_eq!(package.limits, wanted);
    assert_eq!(package.limits.with_default_memory(1 << 30), wanted, "stated limits stay");
    assert_eq!(package.timing, Timing { ac_to_time_limit: 3.0, time_limit_to_tle: 1.25, resolution: 0.5 });
}

#[test]
fn a_judges_default_memory_replaces_only_limits_that_are_not_stated() {
    let package = load(package(&format!("{DATED}  memory: 64\n")).path()).unwrap();
    let limits = package.limits.with_default_memory(1 << 30);
    let bytes = [limits.memory_bytes, limits.compilation_memory_bytes, limits.validation_memory_bytes];
    assert_eq!(bytes, [64 << 20, 1 << 30, 1 << 30]);
}

#[test]
fn a_time_limit_is_the_next_multiple_of_the_resolution_above_the_margin() {
    let timing = Timing { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution: 0.5 };
    let limit = |milliseconds| timing.time_limit(Duration::from_millis(milliseconds)).as_secs_f64();
    assert_eq!((limit(0), limit(100), limit(250), limit(251)), (0.5, 0.5, 0.5, 1.0));
}

#[test]
fn the_kind_of_problem_is_one_word_or_a_list() {
    let kind = |line: &str| load(custom(&format!("{DATED}{line}\n")).path()).unwrap().kind;
    assert_eq!(kind("type: pass-fail"), Kind::default());
    assert_eq!(kind("type: interactive").words(), ["interactive"]);
    assert_eq!(kind("type: [scoring, multi-pass]").words(), ["scoring", "multi-pass"]);
    assert_eq!(kind("type: pass-fail interactive").words(), ["interactive"], "as DOMjudge writes it");
    for line in ["type: pas-fail", "type: []", "type: [interactive, interactive]", "type: [submit-answer, interactive]"]
    {
        assert_eq!(complaints(&custom(&format!("{DATED}{line}\n"))).len(), 1, "{line}");
    }
}

/// Creates a package with its own output validator.
fn custom(problem: &str) -> TempDir {
    let folder = package(problem);
    write(folder.path(), "output_validator/validate.py", "");
    folder
}

#[test]
fn a_case_inherits_what_it_does_not_say_itself() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/test_group.yaml", "output_validator_args: [case_sensitive]\nargs: [x]\n");
    write(folder.path(), "data/secret/b.yaml", "output_validator_args: []\ndescription: nothing\n");
    let cases = load(folder.path()).unwrap().cases;
    let arguments = |index: usize| cases[index].output_validator_arguments.of("default");
    assert_eq!(arguments(0), Vec::<String>::new(), "the sample has another group");
    assert_eq!(arguments(1), ["case_sensitive"]);
    assert_eq!(
        cases[1].output_validator_arguments.place.as_deref(),
        Some("data/secret/test_group.yaml:1:24"),
        "where it stands"
    );
    assert_eq!(arguments(2), Vec::<String>::new());
    assert_eq!(*cases[2].arguments, ["x"]);
    assert_eq!(cases[2].description.as_deref().map(String::as_str), Some("nothing"));
}

#[test]
fn groups_and_cases_do_not_stand_side_by_side() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/g1/test_group.yaml", "args: []\n");
    write(folder.path(), "data/secret/g1/1.in", "");
    write(folder.path(), "data/secret/g1/1.ans", "");
    write(folder.path(), "data/secret/g2/1.in", "");
    write(folder.path(), "data/secret/g2/1.ans", "");
    write(folder.path(), "data/secret/g2/deep/test_group.yaml", "args: []\n");
    assert_eq!(
        remarks(&folder),
        [
            "data/secret/a.in: is not in a test data group, but secret/ has groups; move every test case of secret/ \
             into a group",
            "data/secret/g2: has no test_group.yaml, but other folders in secret/ have one; add a test_group.yaml",
            "data/secret/g2/deep/test_group.yaml:1:1: only folders directly below secret/ are test data groups; remove \
             this file",
        ]
    );
}

#[test]
fn scores_are_for_scoring_problems_and_groups_require_earlier_ones() {
    let folder = package(&format!("{DATED}type: scoring\n"));
    write(folder.path(), "data/sample/test_group.yaml", "max_score: 5\n");
    write(
        folder.path(),
        "data/secret/g/test_group.yaml",
        "max_score: -1\nscore_aggregation: avg\nrequire_pass: [sample, secret/h]\n",
    );
    for name in ["a.in", "a.ans", "b.in", "b.ans"] {
        let secret = folder.path().join("data/secret");
        fs::rename(secret.join(name), secret.join("g").join(name)).unwrap();
    }
    assert_eq!(
        complaints(&folder),
        [
            "data/secret/g/test_group.yaml:1:12: found -1, allowed: a whole number from 0 to 18446744073709551615",
            "data/secret/g/test_group.yaml:2:20: found \"avg\", allowed: \"pass-fail\", \"sum\", \"min\"",
            "data/secret/g/test_group.yaml:3:15: found \"secret/h\", allowed: the groups before secret/g: \"sample\"",
        ]
    );
    let folder = package(DATED);
    write(folder.path(), "data/secret/test_group.yaml", "max_score: 5\n");
    assert_eq!(
        remarks(&folder),
        ["data/secret/test_group.yaml:1:12: 'max_score' is for problems of type scoring only"]
    );
}

#[test]
fn files_of_a_case_may_not_contradict_each_other() {
    let folder = package(DATED);
    for ending in ["out", "ans.statement", "png", "svg"] {
        write(folder.path(), &format!("data/sample/1.{ending}"), "");
    }
    write(folder.path(), "data/sample/1.interaction", "<hello\n>hi\n---\nbye\n");
    let sample = [
        "data/sample/1.svg: is a second picture of the same test case; remove one of the pictures",
        "data/sample/1.ans.statement: exists beside an .out file, and both replace the answer in the statement; remove \
         one of the two files",
        "data/sample/1.interaction:4:1: found \"bye\", allowed: a line that begins with > or <, or the line ---",
        "data/sample/1.ans.statement: must not exist beside an .interaction file, because the statement shows only the \
         interaction; remove one of the two files",
        "data/sample/1.out: must not exist beside an .interaction file, because the statement shows only the \
         interaction; remove one of the two files",
        "data/sample/1.interaction: the statement shows this interaction instead of the input and the answer; add \
         1.in.download and 1.ans.download for contestants to download",
    ];
    assert_eq!(remarks(&folder), sample);
}

/// Returns the findings for a sample that has files with these extensions. The path `data/sample/` is removed from each
/// finding.
fn remarks_on_sample(problem: &str, endings: &[&str]) -> Vec<String> {
    let folder = package(problem);
    for ending in endings {
        write(
            folder.path(),
            &format!("data/sample/1.{ending}"),
            if *ending == "interaction" { "<1\n>2\n" } else { "" },
        );
    }
    remarks(&folder).into_iter().map(|remark| remark.replace("data/sample/", "")).collect()
}

#[test]
fn an_interaction_goes_with_downloads_and_without_statements() {
    let of = |endings: &[&str]| remarks_on_sample(DATED, endings);
    assert_eq!(of(&["interaction", "in.download", "ans.download"]), Vec::<String>::new());
    let needs = |files: &str| {
        format!(
            "1.interaction: the statement shows this interaction instead of the input and the answer; add {files} for \
             contestants to download"
        )
    };
    assert_eq!(of(&["interaction"]), [needs("1.in.download and 1.ans.download")]);
    assert_eq!(of(&["interaction", "in.download"]), [needs("1.ans.download")]);
    assert_eq!(of(&["interaction", "ans.download"]), [needs("1.in.download")]);
    let shown = |file: &str| {
        format!(
            "{file}: must not exist beside an .interaction file, because the statement shows only the interaction; \
             remove one of the two files"
        )
    };
    for ending in ["in.statement", "ans.statement", "out"] {
        assert_eq!(of(&["interaction", "in.download", "ans.download", ending]), [shown(&format!("1.{ending}"))]);
    }
    let drafts = DATED.replace("2025-09", "2023-07");
    assert!(!remarks_on_sample(&drafts, &["interaction"]).iter().any(|remark| remark.contains("download")));
}

#[test]
fn without_an_interaction_a_statement_goes_with_a_download() {
    let of = |endings: &[&str]| remarks_on_sample(DATED, endings);
    let alone = |file: &str, kind: &str| {
        format!("1.{file}: has no counterpart; .{kind}.statement and .{kind}.download must exist together")
    };
    assert_eq!(of(&["in.statement", "in.download", "ans.statement", "ans.download"]), Vec::<String>::new());
    for kind in ["in", "ans"] {
        for file in ["statement", "download"] {
            let file = format!("{kind}.{file}");
            assert_eq!(of(&[&file]), [alone(&file, kind)]);
        }
    }
    assert_eq!(of(&["out"]), Vec::<String>::new());
    let both = "1.ans.download: exists beside an .out file, and both are offered for download; remove one of the two \
                files";
    assert_eq!(of(&["out", "ans.download"]), [both]);
}

#[test]
fn a_folder_of_files_belongs_to_its_case() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/a.files/map.txt", "#\n");
    let cases = load(folder.path()).unwrap().cases;
    assert!(cases[1].files.as_ref().unwrap().ends_with("data/secret/a.files") && cases[2].files.is_none());
    fs::remove_dir_all(folder.path().join("data/secret/a.files")).unwrap();
    write(folder.path(), "data/secret/a.files", "");
    assert!(complaints(&folder)[0].starts_with("data/secret/a.files: is not a folder"));
}

#[test]
fn tests_of_the_validators_have_their_files() {
    let folder = package(DATED);
    write(folder.path(), "data/invalid_input/x.in", "");
    write(folder.path(), "data/invalid_input/y.in", "");
    write(folder.path(), "data/invalid_input/y.ans", "");
    write(folder.path(), "data/invalid_output/x.in", "");
    write(folder.path(), "data/invalid_output/x.ans", "");
    assert_eq!(
        remarks(&folder),
        [
            "data/invalid_input/y.ans: must not exist, because an invalid input has no answer",
            "data/invalid_output/x.in: has no x.out beside it",
        ]
    );
}

#[test]
fn constants_have_names_values_and_variants() {
    let folder = package(&format!("{DATED}constants:\n  n: 5\n  big:\n    value: 1000\n    tex: 10^3\n  s: x y\n"));
    write(folder.path(), "data/secret/test_group.yaml", "args: ['{{n}}', '{{big.tex}}', '{{big}}', '{{none}}']\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(*package.cases[1].arguments, ["5", "10^3", "1000", "{{none}}"]);
    assert_eq!(package.constants.replaced("{{s}}"), "x y");
    let folder = self::package(&format!("{DATED}constants:\n  1n: 5\n  m: {{}}\n  l: []\n"));
    let complaints = complaints(&folder);
    assert_eq!(complaints.len(), 3, "{complaints:?}");
}

#[test]
fn an_output_validator_is_one_program() {
    let folder = custom(DATED);
    let found = load(folder.path()).unwrap().output_validators;
    assert!(found[0].path.ends_with("output_validator/validate.py") && found[0].name == "validate");
    write(folder.path(), "output_validator/help.py", "");
    assert!(load(folder.path()).unwrap().output_validators[0].path.ends_with("output_validator"));
    let folder = package(&format!("{DATED}type: interactive\n"));
    assert!(complaints(&folder)[0].starts_with("output_validator: is missing; interactive"));
}

#[test]
fn included_files_lie_in_folders_of_languages() {
    let folder = package(&format!("{DATED}languages: [cpp]\n"));
    write(folder.path(), "include/cpp/lib.h", "");
    write(folder.path(), "include/default/lib.txt", "");
    write(folder.path(), "include/java/Lib.java", "");
    let package = load(folder.path()).unwrap();
    assert_eq!(package.languages, Some(vec!["cpp".to_owned()]));
    assert_eq!(package.includes.keys().collect::<Vec<_>>(), ["cpp", "default", "java"]);
    assert_eq!(remarks(&folder), ["include/java: is for a language that 'languages' in problem.yaml does not allow"]);
}

#[test]
fn a_language_that_the_format_does_not_know_is_told_with_the_nearest_code() {
    let folder = package(&format!("{DATED}languages: [cpp, python]\n"));
    write(folder.path(), "include/kotlni/lib.kt", "");
    write(folder.path(), "submissions/accepted/a.py", "");
    write(folder.path(), "submissions/submissions.yaml", "accepted/a.py: {language: Java}\n");
    let not_a_code = "is not a language code of the format; did you mean";
    let mut wanted = [
        format!("problem.yaml:6:18: \"python\" {not_a_code} python3?"),
        format!("submissions/submissions.yaml:1:27: \"Java\" {not_a_code} java?"),
        format!("include/kotlni: the name of the folder {not_a_code} kotlin?"),
    ];
    let mut found = remarks(&folder);
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    assert_eq!(load(folder.path()).unwrap().languages, Some(vec!["cpp".to_owned(), "python".to_owned()]));
    let folder = package(&format!("{DATED}languages: python\n"));
    assert_eq!(remarks(&folder), [format!("problem.yaml:6:12: \"python\" {not_a_code} python3?")]);
}

#[test]
fn keys_of_older_versions_are_told_with_what_to_write_instead() {
    let folder = package(&format!("{DATED}author: me\n"));
    assert_eq!(remarks(&folder), ["problem.yaml:6:9: 'author' is a key of the format legacy; write 'credits'"]);
    let folder = package(&format!("{DATED}validation: custom\n"));
    assert!(complaints(&folder)[0].contains("'validation' is a key of the format legacy; use 'type'"));
}

#[test]
fn a_package_may_be_judged_on_its_samples_alone() {
    let folder = package(DATED);
    fs::remove_dir_all(folder.path().join("data/secret")).unwrap();
    assert_eq!(remarks(&folder), ["data/secret: contains no test case; submissions are judged on samples only"]);
    fs::remove_dir_all(folder.path().join("data")).unwrap();
    assert!(complaints(&folder)[0].starts_with("data/secret: contains no test case; a package needs"));
}

#[test]
fn packages_of_2023_may_say_it_in_the_words_of_both_times() {
    let folder = package(
        "problem_format_version: 2023-07-draft\nname: Add\nuuid: 5d3c1f2e-0000-4000-8000-000000000009\ntype: pass-fail\n",
    );
    for case in ["sample/1", "secret/a", "secret/b"] {
        for ending in ["in", "ans"] {
            let (from, to) = (format!("data/{case}.{ending}"), format!("data/{case}0.{ending}"));
            fs::rename(folder.path().join(from), folder.path().join(to)).unwrap();
        }
    }
    write(folder.path(), "data/secret/testdata.yaml", "on_reject: continue\noutput_validator_flags: case_sensitive\n");
    let package = load(folder.path()).unwrap();
    assert_eq!(package.cases[1].output_validator_arguments.of("default"), ["case_sensitive"]);
    assert_eq!(remarks(&folder), Vec::<String>::new());
    write(folder.path(), "data/secret/test_group.yaml", "args: []\n");
    assert!(complaints(&folder)[0].contains("only one of the two files"));
}

#[test]
fn settings_under_the_name_of_another_version_are_refused() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/testdata.yaml", "on_reject: break\n");
    assert_eq!(complaints(&folder), ["data/secret/testdata.yaml: must be named test_group.yaml in the format 2025-09"]);
    let folder = package(DATED);
    write(folder.path(), "output_validators/v.py", "");
    assert_eq!(complaints(&folder), ["output_validators: must be named output_validator in the format 2025-09"]);
}

#[test]
fn static_validation_is_part_of_the_kind_of_problem() {
    let folder = package(DATED);
    write(folder.path(), "static_validator/v.py", "");
    assert_eq!(remarks(&folder), ["static_validator: is not used: no test_group.yaml has 'static_validation_score'"]);
    write(folder.path(), "data/secret/test_group.yaml", "static_validation_score: pass-fail\n");
    assert_eq!(load(folder.path()).unwrap().kind.words(), ["statically validated"]);
}

#[test]
fn files_beside_a_program_that_are_too_large_are_named_with_their_size() {
    let folder = package(DATED);
    write(folder.path(), "data/secret/a.files/small", "x");
    assert!(load(folder.path()).unwrap().cases[1].files.is_some());
    fs::File::create(folder.path().join("data/secret/a.files/sparse")).unwrap().set_len(300 << 30).unwrap();
    let wanted = "data/secret/a.files/sparse: has 322122547200 bytes; the files beside a program may have at most \
                  1073741824 bytes in total";
    assert_eq!(complaints(&folder), [wanted]);
}

#[test]
fn a_settings_file_that_is_no_file_is_not_ignored() {
    for name in ["submissions/submissions.yaml", "data/secret/test_group.yaml"] {
        let folder = package(DATED);
        fs::create_dir_all(folder.path().join(name)).unwrap();
        assert_eq!(complaints(&folder), [format!("{name}: cannot be read: it is not a regular file")]);
    }
}
