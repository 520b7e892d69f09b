//! Features of the package formats that tests/packages does not cover: archives, checkers of testlib, feedback, time
//! limits measured with the submissions.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::files;
use super::support::person::copy_folder;
use super::support::program::temporary_folder;

/// Packs a package of tests/packages/judged into an archive. Its files keep their modes.
fn pack(package: &str, archive: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let root = files::in_repository("tests/packages/judged").join(package);
    let mut zip = ZipWriter::new(File::create(archive).unwrap());
    for entry in WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
        let name = entry.path().strip_prefix(&root).unwrap().to_str().unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).unwrap();
        zip.write_all(&fs::read(entry.path()).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn an_archive_is_judged_like_the_folder_it_was_made_of_and_leaves_nothing() {
    needs!("python3");
    let folder = temporary_folder();
    let temporary = temporary_folder();
    for (package, ending) in [("runscript", "zip"), ("constants", "kpp")] {
        let archive = folder.path().join(format!("{package}.{ending}"));
        pack(package, &archive);
        let mut command = referee(["grade".as_ref(), archive.as_os_str()]);
        command.env("TMPDIR", temporary.path());
        let (code, lines) = json(command);
        assert_eq!((code, lines[0]["package"].as_str()), (0, Some(package)));
    }
    assert_eq!(names_in(temporary.path()), Vec::<String>::new());
}

#[test]
fn a_checker_of_testlib_judges_as_it_is_once_its_header_is_there() {
    needs!("g++", "python3");
    let checked = || referee(["grade", "tests/testlib/sum", "--testlib", "tests/testlib/testlib.h"]);
    let (code, lines) = json(checked());
    let messages: Vec<_> = of_type(&lines, "case_finished").iter().map(|case| case["message"].clone()).collect();
    let wanted = [
        "3 is 3",
        "expected 3, found 4",
        "wrong output format Expected integer",
        "wrong output format Expected integer",
    ];
    assert_eq!((code, messages), (0, wanted.map(serde_json::Value::from).to_vec()));
    referee(["grade", "tests/testlib/sum"]).assert().code(2).stderr(contains("give it with --testlib FILE"));
    referee(["grade", "tests/testlib/sum"])
        .env("REFEREE_TESTLIB", files::in_repository("tests/testlib/testlib.h"))
        .assert()
        .success();
}

#[test]
fn a_checker_may_include_the_header_of_testlib_as_that_of_a_library() {
    needs!("g++", "python3");
    let folder = temporary_folder();
    let package = folder.path().join("sum");
    copy_folder(&files::in_repository("tests/testlib/sum"), &package);
    let checker = package.join("output_validators/check.cpp");
    let text = fs::read_to_string(&checker).unwrap();
    fs::write(checker, text.replace("\"testlib.h\"", "<testlib.h>")).unwrap();
    referee(["grade", package.to_str().unwrap(), "--testlib", "tests/testlib/testlib.h"]).assert().success();
}

#[test]
fn a_checker_that_fails_or_gives_points_is_the_judges_trouble() {
    needs!("g++", "python3");
    let folder = temporary_folder();
    let hundred = write(folder.path(), "hundred.py", "print(100)\n");
    let judged = referee(["grade", "tests/testlib/sum", "--testlib", "tests/testlib/testlib.h"]);
    let mut judged = judged;
    judged.arg(hundred).assert().code(3).stdout(contains("it ended with exit code 7 (POINTS"));
}

#[test]
fn what_a_validator_says_is_kept_where_the_user_wants_it() {
    needs!("python3");
    let folder = temporary_folder();
    let package = "tests/packages/judged/besidethesubmission";
    let (code, lines) = json(referee(["grade", package, "--feedback", folder.path().to_str().unwrap()]));
    assert_eq!(code, 0);
    assert_eq!(of_type(&lines, "case_finished")[0]["team_message"], "shorter, please");
    let kept = folder.path().join("wrong_answer/too_long.py/sample/01/validate");
    assert_eq!(names_in(&kept), ["judgemessage.txt", "teammessage.txt"]);
    assert!(fs::read_to_string(kept.join("judgemessage.txt")).unwrap().contains("too_long.py"));
}

#[test]
fn a_time_limit_that_nobody_states_follows_from_the_submissions() {
    needs!("python3");
    let package = "tests/packages/judged/legacynoversion";
    let (_, lines) = json(referee(["grade", package]));
    assert_eq!(lines[0]["time_limit_seconds"], 1.0, "whole seconds");
    referee(["grade", package, "-q"])
        .assert()
        .success()
        .stderr(contains("states no time limit; measuring the limit with the jury submissions"));
    let program = "tests/packages/judged/legacynoversion/submissions/accepted/echo.py";
    let (_, lines) = json(referee(["grade", package, program, "--time-limit", "2.5"]));
    assert_eq!(lines[0]["time_limit_seconds"], 2.5);
}

#[test]
fn remarks_on_a_package_are_few_unless_more_is_asked_for() {
    let folder = temporary_folder();
    write(folder.path(), "problem.yaml", "name: Echo\nlicense: cc by\n");
    for case in ["1", "2"] {
        write(folder.path(), &format!("data/secret/{case}.ans"), "");
    }
    for file in ["data/secret/3.in", "data/secret/3.ans", "submissions/accepted/a.sh"] {
        write(folder.path(), file, "");
    }
    let path = folder.path().to_str().unwrap();
    let few = referee(["grade", path, "--time-limit", "1"]).assert();
    few.stderr(contains("format: ").count(3)).stderr(contains("more remarks on the package; use -v to show all"));
    let all = referee(["grade", path, "--time-limit", "1", "-v"]).assert();
    all.stderr(contains("format: ").count(5)).stderr(contains("more remarks").not());
}

#[test]
fn a_memory_limit_beyond_the_machine_is_told() {
    needs!("python3");
    let limit = ["grade", "tests/packages/judged/legacyicpc", "--memory", "16000000"];
    referee(limit).assert().success().stderr(contains("the memory limit of 16000000 MiB is more than the"));
}

#[test]
fn a_pipe_given_as_a_submission_is_refused_at_once() {
    let folder = temporary_folder();
    for name in ["a.pl", "b.py", "c"] {
        let path = folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let mut command = referee(["grade".as_ref(), "tests/packages/judged/sum".as_ref(), path.as_os_str()]);
        let code = command.output().unwrap().status.code();
        assert!(matches!(code, Some(1 | 2)), "{name}: {code:?}");
    }
}

#[test]
#[ignore = "takes a minute: a deep tree of folders"]
fn a_tree_that_is_dug_while_compiling_harms_nobody_and_leaves_nothing() {
    needs!("perl");
    let folder = temporary_folder();
    let temporary = temporary_folder();
    for place in [".compiler-cache", "deep"] {
        let source = format!(
            "BEGIN {{ if ($^C) {{ mkdir '{place}'; chdir '{place}'; for (1..2500) {{ mkdir 'a'; chdir 'a'; }} }} }}\n\
             my ($a, $b) = split ' ', <STDIN>; print $a + $b;\n"
        );
        let program = write(folder.path(), "dig.pl", &source);
        // In the package `casefiles`, a test case has additional files. For such a test case, the judge copies the
        // program's folder, which the program has filled with a deep tree.
        for (package, without) in [("sum", ""), ("sum", "namespaces"), ("casefiles", ""), ("casefiles", "namespaces")] {
            let package = format!("tests/packages/judged/{package}");
            let mut command = referee(["grade".as_ref(), package.as_ref(), program.as_os_str()]);
            command.args(["--no-cache"]).env("TMPDIR", temporary.path()).env("REFEREE_SANDBOX_WITHOUT", without);
            let (code, lines) = json(command);
            let verdict = &of_type(&lines, "submission_finished")[0]["verdict"];
            let wanted: &[&str] = if package.ends_with("sum") { &["AC", "CE"] } else { &["WA", "CE"] };
            assert!(wanted.iter().any(|one| verdict == one), "{place}, {package}, {without}: {verdict}, {code}");
            assert_eq!(names_in(temporary.path()), Vec::<String>::new(), "{place}, {package}, {without}");
        }
    }
}

#[test]
fn a_wrong_test_of_a_validator_prevents_no_grade_and_verify_reports_it() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("sum");
    copy_folder(&files::in_repository("tests/packages/judged/sum"), &package);
    write(&package, "data/invalid_input/empty.in", "");
    write(&package, "data/invalid_input/empty.yaml", "unknown: 1\n");
    referee(["grade".as_ref(), package.as_os_str()]).assert().code(0).stdout(contains("all as expected"));
    let mut verify = referee(["verify".as_ref(), package.as_os_str()]);
    verify.args(["--only", "format"]).assert().code(2).stdout(contains("empty.yaml:1:1").and(contains("unknown key")));
}
