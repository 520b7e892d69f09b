use super::*;

#[test]
fn a_folder_without_problem_yaml_is_no_package() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(complaints(&folder), ["problem.yaml: is missing; every problem package needs a problem.yaml"]);
}

#[test]
fn another_format_version_is_named_with_its_place_and_those_there_are() {
    let folder = package(&DATED.replace("2025-09", "2019-01"));
    assert_eq!(
        complaints(&folder),
        [
            "problem.yaml:1:25: found \"2019-01\", allowed: \"legacy\", \"legacy-icpc\", \"2023-07-draft\", \"2023-07\", \
          \"2025-09-draft\", \"2025-09\""
        ]
    );
}

#[test]
fn everything_that_is_wrong_is_told_in_one_reading() {
    let problem = "problem_format_version: 2025-09\nname: Add\nlimits:\n  time_limit: -1\n  memroy: 5\n  memory: 1.5\n\
                   tiem: 1\ntype: [scoring, pass-fail]\nallow_file_writing: true\nallow_file_writing: false\n";
    let folder = package(problem);
    fs::remove_file(folder.path().join("data/secret/a.ans")).unwrap();
    write(folder.path(), "data/secret/b.yaml", "args: x\nfull_feedback: 1\nbad: 1\n");
    write(folder.path(), "submissions/submissions.yaml", "wrong_answer:\n  required: [AC, XX]\n  permited: [AC]\n");
    let complaints = complaints(&folder);
    let wanted = [
        "problem.yaml:10:1: the key \"allow_file_writing\" is given twice, and line 9 has another value; remove one of \
         them",
        "problem.yaml:8:7: the types \"pass-fail\" and \"scoring\" exclude each other",
        "problem.yaml:6:11: found 1.5, allowed: a whole number from 1 to 16777216",
        "problem.yaml:4:15: found -1, allowed: a number of seconds above 0 and up to 1000000",
        "problem.yaml:5:3: unknown key \"memroy\", allowed: memory, output, code, compilation_time, \
         compilation_memory, validation_time, validation_memory, validation_output, time_limit, time_resolution, \
         time_multipliers, validation_passes; did you mean memory?",
        "problem.yaml:7:1: unknown key \"tiem\", allowed: problem_format_version, version, credits, source, license, \
         rights_owner, embargo_until, keywords, name, type, limits, allow_file_writing, languages, constants, uuid",
        "data/secret/a.in: has no answer file a.ans beside it",
        "data/secret/b.yaml:1:7: found \"x\", allowed: a list of texts ([a, b])",
        "data/secret/b.yaml:3:1: unknown key \"bad\", allowed: args, output_validator_args, input_validator_args, \
         input_visualizer_args, output_visualizer_args, full_feedback, hint, description",
        "submissions/submissions.yaml:2:18: found \"XX\", allowed: AC, WA, TLE, RTE",
    ];
    assert_eq!(complaints[..wanted.len()], wanted);
    assert!(complaints[wanted.len()].contains("3:3: \"permited\" is not a key of the format"), "{complaints:?}");
    assert_eq!(complaints.len(), wanted.len() + 1, "{complaints:?}");
}

#[test]
fn patterns_that_expand_to_too_many_alternatives_together_are_refused() {
    let folder = package(DATED);
    let choices: Vec<_> = (0..600).map(|number| number.to_string()).collect();
    let patterns = (0..90).map(|number| format!("  ? secret/{{{}}}/{number}\n  : {{}}\n", choices.join(",")));
    write(folder.path(), "submissions/submissions.yaml", &format!("accepted:\n{}", patterns.collect::<String>()));
    let found = complaints(&folder);
    let wanted =
        "submissions/submissions.yaml:1:1: the patterns expand to more than 50000 alternatives; use fewer braces";
    assert!(found.contains(&wanted.to_owned()), "{found:?}");
}

#[test]
fn an_input_that_is_no_file_or_too_large_is_refused() {
    let folder = package(DATED);
    fs::remove_file(folder.path().join("data/secret/a.in")).unwrap();
    fs::create_dir(folder.path().join("data/secret/a.in")).unwrap();
    // A sparse file needs no disk space.
    fs::File::options().write(true).open(folder.path().join("data/secret/b.ans")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(
        complaints(&folder),
        ["data/secret/a.in: is not a file", "data/secret/b.ans: has 1099511627776 bytes, allowed: at most 1073741824",]
    );
}

#[test]
fn yaml_bombs_binary_files_and_second_documents_are_refused() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
                d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";
    let bombed = complaints(&package(bomb));
    assert!(bombed[0].contains("more than 100000 values") && bombed.len() == 1, "{bombed:?}");
    let folder = package(DATED);
    fs::write(folder.path().join("problem.yaml"), b"name: \xff\xfe\n").unwrap();
    assert_eq!(complaints(&folder), ["problem.yaml: the file is not UTF-8"]);
    let folder = package(&format!("\u{feff}{DATED}"));
    assert_eq!(complaints(&folder), ["problem.yaml:1:1: the file begins with a byte order mark; remove it"]);
    let folder = package(&format!("{DATED}---\nname: B\n"));
    assert_eq!(complaints(&folder), ["problem.yaml:6:1: a second YAML document begins here; only one is allowed"]);
    for deep in ["[".repeat(100_000), "{a: ".repeat(100_000), "- ".repeat(100_000)] {
        assert_eq!(complaints(&package(&deep)).len(), 1);
    }
}

#[test]
fn what_only_breaks_a_rule_does_not_hinder_judging() {
    let folder = package(&format!("{DATED}license: cc by\ncredits:\n  author: me\nembargo_until: tomorrow\n"));
    fs::remove_dir_all(folder.path().join("input_validators")).unwrap();
    write(folder.path(), "statement/problem.sv.md", "Addera.\n");
    write(folder.path(), "problem_statement/problem.en.tex", "Old.\n");
    write(folder.path(), "data/secret/c.ans", "0\n");
    write(folder.path(), "data/secret/notes.txt", "0\n");
    write(folder.path(), "data/secret/.c.swp", "");
    write(folder.path(), "data/secret/how to.txt", "");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("attachments")).unwrap();
    let remarks = remarks(&folder);
    let wanted = [
        "problem.yaml:8:3: unknown key \"author\", allowed: authors, contributors, testers, packagers, \
         acknowledgements, translators; did you mean authors?",
        "problem.yaml:9:16: found \"tomorrow\", allowed: a date (2026-01-31) or a time in UTC (2026-01-31T12:00:00Z)",
        "data/secret/c.ans: belongs to no test case: there is no .in file with the same name",
        "data/secret/notes.txt: is not used: the format defines no file with this name",
        "input_validators: contains no input validator; a package needs at least one",
        "problem_statement: is not used in the format 2025-09; rename it to statement/",
        "problem.yaml:2:7: 'name' has no entry for the language sv, but there is a statement in this language; add an \
         entry",
        "attachments: is a link that leads out of the package, to /etc/passwd; replace the link with a copy of its \
         target, or allow the link with --root DIR, where DIR is a folder that contains the package and the target",
        "data/secret/how to.txt: is ignored because of its name; rename it: names consist of letters, digits, _, - and \
         . and do not begin with - or .",
    ];
    for line in wanted {
        assert!(remarks.iter().any(|remark| remark == line), "{line}\n{remarks:#?}");
    }
    assert_eq!(remarks.len(), wanted.len(), "{remarks:#?}");
}

#[test]
fn test_cases_that_nobody_would_run_and_links_that_lead_out_make_a_package_unusable() {
    let folder = package(DATED);
    for name in ["a b.in", "a b.ans", "-c.in"] {
        write(folder.path(), &format!("data/secret/{name}"), "");
    }
    write(folder.path(), "data/secret/gr\u{fc}n/1.in", "1 2\n");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("data/secret/d.txt")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("problem.yaml"), folder.path().join("data/secret/inside")).unwrap();
    let mut complaints = complaints(&folder);
    complaints.sort();
    let rule = "has a name that no test case may have; rename it: names consist of letters, digits, _, - and . and do \
                not begin with - or .";
    assert_eq!(
        complaints,
        [
            format!("data/secret/-c.in: {rule}"),
            format!("data/secret/a b.ans: {rule}"),
            format!("data/secret/a b.in: {rule}"),
            "data/secret/d.txt: is a link that leads out of the package, to /etc/passwd; replace the link with a copy \
             of its target"
                .to_owned(),
            format!("data/secret/gr\u{fc}n: {rule}"),
        ]
    );
}

#[test]
fn a_license_has_an_owner_where_it_needs_one_and_none_in_the_public_domain() {
    let with = |more: &str| package(&format!("{DATED}{more}"));
    let missing =
        "problem.yaml:6:10: this license needs an owner of the rights; add 'rights_owner', an author or a source";
    assert_eq!(remarks(&with("license: cc by\n")), [missing]);
    for owner in ["rights_owner: Ada Lovelace", "source: The Book", "credits: Ada Lovelace"] {
        assert_eq!(remarks(&with(&format!("license: cc by\n{owner}\n"))), [""; 0], "{owner}");
    }
    let needless = "problem.yaml:7:15: 'rights_owner' must not be given for a problem in the public domain; remove \
                    'rights_owner'";
    assert_eq!(remarks(&with("license: public domain\nrights_owner: Ada Lovelace\n")), [needless]);
    assert_eq!(remarks(&with("license: public domain\n")), [""; 0]);
}

#[test]
fn grading_is_for_scoring_problems() {
    let told = |kind: &str| {
        let folder = legacy_package(&format!("name: Add\nlicense: public domain\n{kind}grading:\n  objective: max\n"));
        let findings = load(folder.path()).map_or_else(|findings| findings.list, |package| package.remarks);
        findings.iter().filter(|finding| finding.to_string().contains("'grading' is for problems")).count()
    };
    assert_eq!((told(""), told("type: scoring\n")), (1, 0));
}

#[test]
fn attachments_lie_flat_but_for_templates() {
    let folder = package(DATED);
    for path in ["attachments/board.txt", "attachments/templates/python3/add.py", "attachments/deep/board.txt"] {
        write(folder.path(), path, "1\n");
    }
    let flat = "attachments/deep: is a folder; only attachments/templates/LANGUAGE may be a folder, other attachments must be files";
    assert_eq!(remarks(&folder), [flat]);
}

#[test]
fn files_that_never_end_and_links_that_run_in_circles_are_refused() {
    use std::os::unix::fs::symlink;
    let folder = package(DATED);
    let data = folder.path().join("data/secret");
    assert!(std::process::Command::new("mkfifo").arg(data.join("a.yaml")).status().unwrap().success());
    symlink(".", data.join("round")).unwrap();
    symlink(".", data.join("again")).unwrap();
    symlink("/usr", folder.path().join("output_validator")).unwrap();
    symlink("/", folder.path().join("submissions/accepted/root")).unwrap();
    let complaints = complaints(&folder);
    for part in ["a.yaml: cannot be read: it is not a regular file", "folders deep"] {
        assert!(complaints.iter().any(|complaint| complaint.contains(part)), "{part}: {complaints:#?}");
    }
    assert!(complaints.len() <= 1000);
}

#[test]
fn short_files_that_mean_much_are_refused() {
    let word = "x".repeat(1 << 20);
    let aliases = "- *a\n".repeat(100);
    let folder = package(&format!("{DATED}keywords:\n- &a {word}\n{aliases}"));
    assert!(complaints(&folder)[0].contains("more than 16 MiB of text"));
    let folder = package(&format!("{DATED}constants: {{ a: {word} }}\n"));
    write(folder.path(), "data/secret/test_group.yaml", &format!("args: ['{}']\n", "{{a}}".repeat(1000)));
    let package_of = load(folder.path()).unwrap();
    assert!(package_of.cases[1].arguments[0].starts_with("{{a}}"), "what would be too long stays as it is");
    let keys = (0..40_000).map(|number| format!("k{number}: 1\n")).collect::<Vec<_>>().concat();
    assert_eq!(complaints(&package(&format!("{DATED}{keys}"))).len(), 1000, "nobody reads more");
    let folder = package(&format!("{DATED}type: pass-fail\n").replace("time_limit: 2", "time_resolution: 1e-310"));
    assert!(complaints(&folder)[0].contains("allowed: a number of seconds above 0 and up to 1000000"));
}

#[test]
fn many_warnings_hide_no_test_case_with_a_bad_name() {
    let folder = package(DATED);
    for number in 0..1_100 {
        write(folder.path(), &format!("data/secret/{number}.unknown"), "");
    }
    assert_eq!(remarks(&folder).len(), 1_000);
    write(folder.path(), "data/secret/b c.in", "");
    let complaints = complaints(&folder);
    assert!(complaints[0].starts_with("data/secret/b c.in: has a name that no test case may have"), "{complaints:?}");
}
