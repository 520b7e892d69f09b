//! An archive for another judge gets the same results as the package from which it was exported: scores, interactive
//! problems, multi-pass problems.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, of_type, referee, write};
use super::support::person::copy_folder;

/// Exports a package, and returns the path of the archive.
fn exported(package: &Path, to: &str) -> String {
    let archive = package.parent().unwrap().join(format!("{to}.zip")).to_str().unwrap().to_owned();
    referee(["export", package.to_str().unwrap(), "--to", to, "--out", &archive]).assert().success();
    archive
}

/// Returns the file name, the verdict and the score of each submission. The score is null if there is none.
fn judged(package: &str) -> Vec<(String, String, Value)> {
    let (_, lines) = json(referee(["grade", package]));
    let one = |line: &Value| {
        let name = line["submission"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        (name, line["verdict"].as_str().unwrap().to_owned(), line.get("score").cloned().unwrap_or_default())
    };
    let mut judged: Vec<_> = of_type(&lines, "submission_finished").into_iter().map(one).collect();
    judged.sort_by(|one, other| one.0.cmp(&other.0));
    judged
}

fn of(name: &str, verdict: &str, score: impl Into<Value>) -> (String, String, Value) {
    (name.to_owned(), verdict.to_owned(), score.into())
}

/// Creates test cases. The input and the answer of each case are its name.
fn cases(root: &Path, folder: &str, names: &[&str]) {
    for name in names {
        write(root, &format!("data/{folder}/{name}.in"), &format!("{name}\n"));
        write(root, &format!("data/{folder}/{name}.ans"), &format!("{name}\n"));
    }
}

/// Creates a submission that prints its input, unless the input is one of the words in `wrong`. Declares that the
/// submission gets `score`.
fn all_but(root: &Path, name: &str, wrong: &str, score: &str) {
    let text = format!("read x\ncase $x in {wrong}) echo no;; *) echo $x;; esac\n");
    write(root, &format!("submissions/{name}"), &text);
    let rules = root.join("submissions/submissions.yaml");
    let before = fs::read_to_string(rules).unwrap_or_default();
    write(root, "submissions/submissions.yaml", &format!("{before}{name}: {{score: {score}}}\n"));
}

fn package(folder: &Path, limits: &str) -> std::path::PathBuf {
    let root = folder.join("parts");
    let yaml = "problem_format_version: 2025-09\nname: Parts\nuuid: 1c1b7a3e-6f0d-4d43-9d5b-000000000001\n\
                type: scoring\nlimits: {time_limit: 2}\n";
    write(&root, "problem.yaml", &format!("{yaml}{limits}"));
    cases(&root, "sample", &["s"]);
    all_but(&root, "accepted/all.sh", "none", "100");
    root
}

#[test]
fn scores_are_the_same_and_whoever_earned_something_is_accepted_at_kattis() {
    let folder = tempfile::tempdir().unwrap();
    let root = package(folder.path(), "");
    for (group, yaml, names) in [
        // Each of the three cases gets a third of 50, which cannot be written as a finite decimal.
        ("1", "max_score: 50\nscore_aggregation: sum\n", &["a", "b", "c"][..]),
        ("2", "max_score: 20\n", &["d", "e"]),
        ("3", "max_score: 30\nscore_aggregation: sum\n", &["f", "g"]),
    ] {
        write(&root, &format!("data/secret/{group}/test_group.yaml"), yaml);
        cases(&root, &format!("secret/{group}"), names);
    }
    cases(&root, "secret/3/below", &["h", "i"]);
    all_but(&root, "wrong_answer/sample.sh", "s", "100");
    all_but(&root, "wrong_answer/some.sh", "a|e|h", "55.8333333");
    all_but(&root, "wrong_answer/third.sh", "b|c|d|f|g|h|i", "16.6666667");
    all_but(&root, "wrong_answer/none.sh", "[a-i]", "0");
    let before = judged(root.to_str().unwrap());
    assert_eq!(before.len(), 5, "{before:?}");
    assert!(before.iter().all(|(name, verdict, _)| (name == "all.sh") == (verdict == "AC")), "{before:?}");
    let archive = exported(&root, "kattis");
    let after = judged(&archive);
    let verdicts: Vec<_> = after.iter().map(|(name, verdict, _)| (name.as_str(), verdict.as_str())).collect();
    let wanted = [("all.sh", "AC"), ("none.sh", "WA"), ("sample.sh", "AC"), ("some.sh", "AC"), ("third.sh", "AC")];
    assert_eq!(verdicts, wanted);
    let scores = |all: &[(String, String, Value)]| all.iter().map(|one| one.2.as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(scores(&after), scores(&before));
    assert_eq!(scores(&after)[..3], [100.0, 0.0, 100.0]);
    // In the archive, every submission gets the verdict that its folder declares.
    let graded = referee(["grade", &archive]).assert();
    graded.stdout(contains("partially_accepted/third.sh"));
    let refused = || referee(["export", root.to_str().unwrap(), "--to", "domjudge", "--out", &archive, "--force"]);
    let why = contains("data/secret/1/test_group.yaml: DOMjudge gives max_score").and(contains("folders below"));
    refused().assert().code(2).stderr(why);
}

#[test]
fn a_group_may_require_the_one_before_it_and_sample_by_all() {
    let folder = tempfile::tempdir().unwrap();
    let root = package(folder.path(), "");
    for (group, yaml) in [
        ("1", "max_score: 10\nrequire_pass: sample\n"),
        ("2", "max_score: 20\nrequire_pass: secret/1\n"),
        ("3", "max_score: 70\nrequire_pass: [secret/2]\n"),
    ] {
        write(&root, &format!("data/secret/{group}/test_group.yaml"), yaml);
        cases(&root, &format!("secret/{group}"), &[&format!("x{group}")]);
    }
    all_but(&root, "wrong_answer/sample.sh", "s", "0");
    all_but(&root, "wrong_answer/second.sh", "x2", "10");
    all_but(&root, "wrong_answer/first.sh", "x1", "0");
    let wanted =
        [of("all.sh", "AC", 100), of("first.sh", "WA", 0), of("sample.sh", "WA", 0), of("second.sh", "AC", 10)];
    assert_eq!(judged(&exported(&root, "kattis")), wanted);
    let export = |to: &str| {
        let out = folder.path().join("no.zip");
        referee(["export", root.to_str().unwrap(), "--to", to, "--out", out.to_str().unwrap()]).assert().code(2)
    };
    export("domjudge").stderr(contains("data/secret/2/test_group.yaml: require_pass"));
    write(&root, "data/secret/3/test_group.yaml", "max_score: 70\nrequire_pass: [secret/1]\n");
    export("kattis").stderr(contains("data/secret/3/test_group.yaml: require_pass: the legacy format can"));
}

#[test]
fn groups_that_are_passed_or_failed_have_the_same_scores_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let root = package(folder.path(), "");
    for (group, yaml) in [("1", "max_score: 40\n"), ("2", "max_score: 60\nscore_aggregation: min\n")] {
        write(&root, &format!("data/secret/{group}/test_group.yaml"), yaml);
        cases(&root, &format!("secret/{group}"), &[&format!("x{group}"), &format!("y{group}")]);
    }
    all_but(&root, "wrong_answer/second.sh", "y2", "40");
    for to in ["kattis", "domjudge"] {
        let archive = exported(&root, to);
        assert_eq!(judged(&archive), [of("all.sh", "AC", 100), of("second.sh", "AC", 40)], "{to}");
        let mut zip = zip::ZipArchive::new(fs::File::open(&archive).unwrap()).unwrap();
        let top = if to == "kattis" { "kattis/" } else { "" };
        let mut text = |name: &str| std::io::read_to_string(zip.by_name(&format!("{top}{name}")).unwrap()).unwrap();
        let group = "on_reject: break\ngrader_flags: \"min first_error\"\naccept_score: 60\nrange: \"0 60\"\n";
        assert_eq!(text("data/secret/2/testdata.yaml"), group);
        assert!(text("data/testdata.yaml").contains("ignore_sample"));
        assert!(text("problem.yaml").contains("\ntype: scoring\ngrading:\n  objective: max\n"));
    }
    // All secret groups together give 7 points or nothing, so the scores of the single groups do not matter.
    write(&root, "data/secret/2/test_group.yaml", "max_score: 60\n");
    write(&root, "data/secret/test_group.yaml", "max_score: 7\nscore_aggregation: pass-fail\n");
    assert_eq!(judged(&exported_again(&root)), [of("all.sh", "AC", 7), of("second.sh", "WA", 0)]);
}

fn exported_again(root: &Path) -> String {
    let text = "accepted/all.sh: {score: 7}\nwrong_answer/second.sh: {score: 0}\n";
    write(root, "submissions/submissions.yaml", text);
    fs::remove_file(root.with_file_name("kattis.zip")).unwrap();
    exported(root, "kattis")
}

#[test]
fn scores_that_a_validator_writes_are_read_and_multipliers_refused() {
    needs!("python3");
    let folder = tempfile::tempdir().unwrap();
    for (name, to) in [("scoring-unbounded", "kattis"), ("scoring-unbounded", "domjudge")] {
        let root = folder.path().join("unbounded");
        let _ = fs::remove_dir_all(&root);
        copy_folder(&Path::new("tests/packages/judged").join(name), &root);
        let wanted = [of("half.py", "AC", 14), of("much.py", "AC", 1_000_003.35), of("tenths.py", "AC", 0.3)];
        assert_eq!(judged(&exported(&root, to)), wanted, "{to}");
    }
    let refused = |name: &str| {
        let package = format!("tests/packages/judged/{name}");
        let out = folder.path().join("no.zip");
        referee(["export", &package, "--to", "kattis", "--out", out.to_str().unwrap()]).assert().code(2)
    };
    refused("scoring")
        .stderr(contains("data/secret/3-least/test_group.yaml: the output validator writes score_multiplier"));
    refused("scoring-static").stderr(contains("static_validator/"));
}

#[test]
fn graders_of_2023_come_along() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("graders");
    copy_folder(Path::new("tests/packages/judged/of2023-graders"), &root);
    for to in ["kattis", "domjudge"] {
        let archive = exported(&root, to);
        assert_eq!(judged(&archive), [of("echo.sh", "AC", 100), of("half.sh", "AC", 50)]);
        referee(["grade", &archive]).assert().success();
    }
}

/// Creates a copy of a package with only these submissions.
fn some_of(name: &str, folder: &Path, submissions: &[&str]) -> std::path::PathBuf {
    let root = folder.join(name);
    copy_folder(&Path::new("tests/packages/judged").join(name), &root);
    let all = root.join("submissions");
    fs::remove_dir_all(&all).unwrap();
    for submission in submissions {
        let text = fs::read_to_string(format!("tests/packages/judged/{name}/submissions/{submission}")).unwrap();
        write(&all, submission, &text);
    }
    root
}

#[test]
fn interactive_problems_and_those_of_several_passes_are_judged_alike_after_the_export() {
    let folder = tempfile::tempdir().unwrap();
    let talks = [
        "accepted/search.sh",
        "wrong_answer/gives_up.sh",
        "wrong_answer/wrong_then_exit_1.sh",
        "run_time_error/right_then_exit_1.sh",
    ];
    let talks = some_of("talks", folder.path(), &talks);
    let none = Value::Null;
    let wanted = [
        of("gives_up.sh", "WA", none.clone()),
        of("right_then_exit_1.sh", "RTE", none.clone()),
        of("search.sh", "AC", none.clone()),
        of("wrong_then_exit_1.sh", "WA", none.clone()),
    ];
    for to in ["kattis", "domjudge"] {
        assert_eq!(judged(&exported(&talks, to)), wanted, "{to}");
    }
    let passes = ["accepted/adds.sh", "wrong_answer/in_the_third_pass.sh", "run_time_error/in_the_second_pass.sh"];
    let passes = some_of("passes", folder.path(), &passes);
    let wanted = [
        of("adds.sh", "AC", none.clone()),
        of("in_the_second_pass.sh", "RTE", none.clone()),
        of("in_the_third_pass.sh", "WA", none),
    ];
    fs::remove_file(folder.path().join("domjudge.zip")).unwrap();
    assert_eq!(judged(&exported(&passes, "domjudge")), wanted);
    for (package, to) in [(passes.to_str().unwrap(), "kattis"), ("tests/packages/judged/talksinpasses", "domjudge")] {
        let out = folder.path().join("no.zip");
        let refused = referee(["export", package, "--to", to, "--out", out.to_str().unwrap()]).assert();
        refused.code(2).stderr(contains("multi-pass"));
    }
}

#[test]
fn an_interactor_of_testlib_talks_on_where_nobody_knows_testlib() {
    needs!("c++");
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("talks");
    copy_folder(Path::new("tests/packages/judged/talkswithtestlib"), &root);
    let none = Value::Null;
    let wanted = [
        of("right_then_exit_1.sh", "RTE", none.clone()),
        of("search.sh", "AC", none.clone()),
        of("wrong_then_exit_1.sh", "WA", none),
    ];
    for to in ["kattis", "domjudge"] {
        assert_eq!(judged(&exported(&root, to)), wanted, "{to}");
    }
}
