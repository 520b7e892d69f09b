//! `referee verify` as a command: exit codes, several packages, skipped checks, the time limit that it writes.

use std::fs;

use predicates::prelude::*;

use super::support::command::{json, of_type, referee, write};
use super::support::long_limits::sum_with_long_limits;
use super::support::program::temporary_folder;
use super::verify_detects::copy::Copy;

const QUICK: &str = "format,samples,duplicates";

#[test]
fn a_package_without_a_fault_ends_with_0_and_one_with_errors_with_1() {
    referee(["verify", "flipgame", "--only", QUICK])
        .assert()
        .code(0)
        .stdout(predicates::str::contains("flipgame: 0 errors, 0 warnings"));
    let copy = Copy::of("flipgame");
    copy.remove("input_validators");
    referee(["verify", "--only", "format"]).arg(copy.path()).assert().code(1).stdout(
        predicates::str::contains("error: input_validators: contains no input validator")
            .and(predicates::str::contains("flipgame: 1 error, 0 warnings")),
    );
}

#[test]
fn warnings_are_no_errors_unless_asked_for() {
    let copy = Copy::of("flipgame");
    copy.write("submission/a.py", "");
    let run = || {
        let mut command = referee(["verify", "--only", "format"]);
        command.arg(copy.path());
        command
    };
    run().assert().code(0).stdout(predicates::str::contains("0 errors, 1 warning"));
    run().arg("--strict").assert().code(1);
}

#[test]
fn a_package_that_cannot_be_read_ends_with_2_and_the_others_are_verified_all_the_same() {
    referee(["verify", "tests/packages/refused/no-case", "swapgame", "--only", QUICK])
        .assert()
        .code(2)
        .stdout(predicates::str::contains("no-case: 1 error").and(predicates::str::contains("swapgame: 0 errors")));
    referee(["verify", "flipgme"]).assert().code(2).stdout(predicates::str::contains("did you mean flipgame?"));
    referee(["verify", "flipgame", "--only", "everything"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("junk-inputs"));
}

/// The validator uses its whole time limit on each input. If `verify` ran it on every input, the command would take
/// hours.
#[test]
fn a_validator_that_never_comes_to_an_end_is_not_asked_about_everything() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("flood");
    let yaml = "problem_format_version: 2025-09\nname: Flood\nuuid: 00000000-0000-4000-8000-00000000f100\n\
        limits: {time_limit: 1, validation_output: 1}\n";
    write(&package, "problem.yaml", yaml);
    write(&package, "input_validators/flood.py", "while True:\n    print('x' * 100000)\n");
    for case in 0..23 {
        write(&package, &format!("data/secret/{case:02}.in"), &format!("{case}\n"));
        write(&package, &format!("data/secret/{case:02}.ans"), "0\n");
    }
    let mut reports = Vec::new();
    for jobs in ["1", "3"] {
        let mut command = referee(["verify", "--only", "inputs,junk-inputs", "-j", jobs]);
        let (code, lines) = json({
            command.arg(&package);
            command
        });
        assert_eq!(code, 1);
        let messages = of_type(&lines, "verify_finding").into_iter().map(|line| line["message"].clone());
        reports.push(messages.collect::<Vec<_>>());
        let skipped = &of_type(&lines, "verify_finished")[0]["checks"][1]["skipped"];
        assert!(
            skipped.as_str().is_some_and(|reason| reason.contains("exceeds its limits on the unchanged input of")),
            "{skipped}"
        );
    }
    let said =
        |part: &str| reports[0].iter().filter(|text| text.as_str().is_some_and(|text| text.contains(part))).count();
    assert_eq!((said("used more output than the limit of 1 MiB allows"), said("13 inputs not tried")), (10, 1));
    assert_eq!(reports[0], reports[1], "the report depends on the number of jobs");
}

#[test]
fn what_is_not_done_is_told_with_its_reason() {
    let copy = Copy::of("flipgame");
    copy.remove("input_validators");
    copy.write("input_validators/board.viva", "{ x; y [x == y]; }\n");
    copy.replace("problem.yaml", "uuid: 51e94bba", "uuid: 51e94bbb");
    let mut command = referee(["verify", "--only", "inputs,junk-inputs,proof"]);
    // The copy gets the name of another puzzle. With the name of its own puzzle, the copy would be recognised by its
    // inputs even without the uuid.
    let renamed = copy.path().with_file_name("coins");
    fs::rename(copy.path(), &renamed).unwrap();
    let folder_without_programs = renamed.join("statement");
    command.arg(renamed).env("PATH", folder_without_programs);
    let (code, lines) = json(command);
    let finished = of_type(&lines, "verify_finished");
    let skipped: Vec<_> = finished[0]["checks"].as_array().unwrap().iter().map(|check| &check["skipped"]).collect();
    assert_eq!(skipped.len(), 3, "{skipped:?}");
    assert!(skipped.iter().all(|reason| reason.as_str().is_some_and(|text| !text.is_empty())), "{skipped:?}");
    let said = of_type(&lines, "verify_finding")[0]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("it is a grammar of VIVA, and VIVA was not found"), "{said}");
    assert_eq!(code, 0, "{lines:?}");
}

#[test]
fn the_time_limit_is_written_and_nothing_else_of_the_file_changes() {
    needs!("python3");
    let copy = Copy::of("flipgame");
    copy.replace("problem.yaml", "  time_limit: 2\n", "  time_limit: 77 # by hand\n  time_resolution: 1\n");
    let before = copy.read("problem.yaml");
    referee(["verify", "--only", "time-limits", "--write-time-limit"])
        .arg(copy.path())
        .assert()
        .code(0)
        .stderr(predicates::str::contains("changed 'time_limit: 77 # by hand' to"));
    let after = copy.read("problem.yaml");
    let number = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("  time_limit: ")).unwrap().to_owned();
        line.split(' ').next().unwrap().to_owned()
    };
    let seconds: f64 = number(&after).parse().unwrap();
    // The limit is rounded up to whole seconds, so it suits all submissions on a slow machine, too.
    assert!(seconds < 77.0 && seconds.fract() == 0.0, "{after}");
    assert_eq!(after.replace(&format!("time_limit: {}", number(&after)), "time_limit: 77"), before);
    let left: Vec<_> = fs::read_dir(copy.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".tmp")), "{left:?}");
    referee(["verify", "flipgame", "--write-time-limit"]).assert().code(2);
}

#[test]
fn margins_are_told_for_every_submission_and_case() {
    needs!("python3");
    let copy = Copy::of("flipgame");
    let mut command = referee(["verify", "--only", "time-limits"]);
    command.arg(copy.path());
    let (code, lines) = json(command);
    let margins = of_type(&lines, "verify_margin");
    let cases = of_type(&lines, "verify_started")[0]["cases"].as_u64().unwrap();
    assert_eq!((code, margins.len() as u64), (0, 2 * cases));
    assert_eq!(margins.iter().filter(|margin| margin["is_slowest"] == true).count(), 2);
    assert!(margins.iter().all(|margin| margin["kept"] == true && margin["bound"] == "lower"));
}

#[test]
fn for_a_legacy_package_the_time_limit_is_written_beside_problem_yaml() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("legacy");
    for (name, text) in [
        ("problem.yaml", "name: Echo\n"),
        ("problem_statement/problem.tex", "\\problemname{Echo}\n"),
        ("input_validators/any.py", "import sys\nsys.exit(42 if sys.stdin.read() == '1\\n' else 43)\n"),
        ("submissions/accepted/echo.py", "print(input())\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
    ] {
        write(&package, name, text);
    }
    let run = || {
        let mut command = referee(["verify", "--only", "time-limits", "--write-time-limit"]);
        command.arg(&package);
        command
    };
    run().assert().code(0).stderr(predicates::str::contains(".timelimit: added '1'"));
    let read = || fs::read_to_string(package.join(".timelimit")).unwrap();
    assert_eq!(
        (read(), fs::read_to_string(package.join("problem.yaml")).unwrap()),
        ("1\n".into(), "name: Echo\n".into())
    );
    run().assert().code(0).stderr(predicates::str::contains("the time limit is unchanged: 1"));
    // The command must not write through a link that leads out of the package.
    fs::rename(package.join(".timelimit"), folder.path().join("mine")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("mine"), package.join(".timelimit")).unwrap();
    run().assert().code(2).stdout(predicates::str::contains(".timelimit: is a link that leads out of the package"));
    assert_eq!(fs::read_to_string(folder.path().join("mine")).unwrap(), "1\n");
    fs::rename(folder.path().join("mine"), package.join("limit")).unwrap();
    fs::remove_file(package.join(".timelimit")).unwrap();
    std::os::unix::fs::symlink("limit", package.join(".timelimit")).unwrap();
    run().assert().code(2).stderr(predicates::str::contains("is not a regular file"));
    assert_eq!(fs::read_to_string(package.join("limit")).unwrap(), "1\n");
}

#[test]
fn answers_go_through_the_answer_validators_with_their_arguments_even_of_interactive_problems() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("numbers");
    let validator = "import sys\nwanted, text = open(sys.argv[1]).read(), sys.stdin.read()\n\
                     if sys.argv[2:] != ['--most', '5']: sys.exit('arguments: %s' % sys.argv[2:])\n\
                     if text != wanted: print('not as long', file=sys.stderr); sys.exit(43)\n\
                     sys.exit(42)\n";
    for (name, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Echo\ntype: interactive\n"),
        ("output_validator/talk.py", "import sys\nsys.exit(42)\n"),
        ("answer_validators/length.py", validator),
        ("submissions/accepted/echo.py", "print(input())\n"),
        ("data/secret/test_group.yaml", "answer_validator_args: [--most, '5']\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", "1\n"),
        ("data/secret/2.ans", "12\n"),
        ("data/secret/3.in", "1\n"),
        ("data/secret/3.ans", "1\n"),
        ("data/secret/3.yaml", "answer_validator_args: {length: [--least, '5']}\n"),
    ] {
        write(&package, name, text);
    }
    let mut command = referee(["verify", "--only", "answers"]);
    command.arg(&package);
    let (code, lines) = json(command);
    let found: Vec<_> = of_type(&lines, "verify_finding")
        .iter()
        .map(|line| (line["place"].as_str().unwrap(), line["message"].as_str().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("data/secret/2.ans", "the answer validator length rejects the answer: not as long"),
            (
                "data/secret/3.ans",
                "the answer validator length ended with exit code 1 and said: arguments: ['--least', '5']"
            ),
        ]
    );
    let check = &of_type(&lines, "verify_finished")[0]["checks"][0];
    assert_eq!((code, check["about"].as_str()), (1, Some("3 answers by 1 answer validator")));
    assert!(check["skipped"].as_str().is_some_and(|reason| reason.contains("interactive")), "{check}");
}

#[test]
fn the_lines_of_a_compilers_message_stay_lines() {
    needs!("gcc");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    write(&package, "submissions/accepted/broken.c", "int main(void) {\n    return unknown;\n}\n");
    let assert = referee(["verify", "--only", "submissions"]).arg(&package).assert().code(1);
    let shown = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let is_source = |line: &str| line.trim_start().starts_with("2 |") && line.ends_with("return unknown;");
    assert!(shown.lines().any(is_source), "{shown}");
}

#[test]
fn a_submission_that_sleeps_beyond_the_wall_limit_exceeds_the_time_limit_by_its_wall_time() {
    needs!("python3");
    let folder = temporary_folder();
    let package = sum_with_long_limits(folder.path());
    fs::remove_dir_all(package.join("data/secret")).expect("one test case is enough");
    for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
        write(&package, &format!("data/secret/{name}"), text);
    }
    // The time limit is 1 s, and therefore the wall limit is 5 s.
    let sleeps = "import time\ntime.sleep(6)\nprint(3)\n";
    write(&package, "submissions/time_limit_exceeded/sleeps.py", sleeps);
    let verify = |arguments: &[&str]| {
        let mut command = referee(["verify", "--only", "time-limits"]);
        command.args(arguments).arg(&package);
        command
    };
    let (_, lines) = json(verify(&[]));
    let about_it = |finding: &&&serde_json::Value| finding.to_string().contains("sleeps.py");
    let findings = of_type(&lines, "verify_finding");
    assert_eq!(findings.iter().filter(about_it).count(), 0, "{findings:#?}");
    let margins = of_type(&lines, "verify_margin");
    let margin = margins.iter().find(about_it).expect("its margin is in the report");
    assert!(margin["seconds"].as_f64().is_some_and(|seconds| seconds >= 6.0), "{margin}");
    assert_eq!((&margin["is_more"], &margin["kept"]), (&false.into(), &true.into()));
    assert_eq!(margin["wall_limit_seconds"], 5.0);
    verify(&[])
        .assert()
        .stdout(predicates::str::contains("asleep: wall time, because the run slept beyond the wall limit of 5 s"));
    // With a time limit of 2 s, the wall limit is 8 s, and the program sleeps only 6 s. A time limit of 1 s would keep
    // both margins, so `verify` must not report that no time limit keeps them.
    let (_, lines) = json(verify(&["--time-limit", "2"]));
    let findings = of_type(&lines, "verify_finding");
    let messages: Vec<_> = findings.iter().filter(about_it).filter_map(|one| one["message"].as_str()).collect();
    assert!(messages.len() == 1 && messages[0].contains("of wall time (wall limit: 8 s)"), "{messages:?}");
    assert!(!findings.iter().any(|one| one.to_string().contains("keeps both margins")), "{findings:#?}");
}
