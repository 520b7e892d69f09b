//! Cached results: after a change, exactly those cases run again whose results the change can affect.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::lab::{ADD, ALL, Lab, NONE, PROBLEM, VALIDATOR, runs};
use super::support::program::{compile_c, temporary_folder};

const OF_A: &[&str] = &["one.sh a", "two.sh a"];
const OF_C: &[&str] = &["one.sh c", "two.sh c"];
const OF_ONE: &[&str] = &["one.sh a", "one.sh b", "one.sh c"];

/// Makes each change alone: writes the text into the file, checks which cases run again, and restores the file.
fn check_changes(lab: &Lab, changes: &[(&str, &str, &[&str])]) {
    assert_eq!(lab.runs(NONE), ALL);
    assert_eq!(lab.runs(NONE), NONE);
    for (name, text, wanted) in changes {
        let before = fs::read_to_string(lab.path(name)).ok();
        lab.write(name, text);
        assert_eq!(lab.runs(NONE), *wanted, "{name} is changed");
        assert_eq!(lab.runs(NONE), NONE, "{name} is known changed");
        match before {
            Some(text) => drop(lab.write(name, &text)),
            None => fs::remove_file(lab.path(name)).expect("a file can be removed"),
        }
        assert_eq!(lab.runs(NONE), NONE, "{name} is changed back");
    }
}

#[test]
fn a_change_runs_what_it_affects_and_nothing_else_and_changed_back_nothing_is_run() {
    let lab = Lab::new();
    let tolerant = PROBLEM.to_owned() + "  memory: 1000\n";
    let longer = PROBLEM.replace("time_limit: 5", "time_limit: 6");
    let less_output = PROBLEM.to_owned() + "  output: 7\n";
    let written = PROBLEM.to_owned() + "allow_file_writing: true\n";
    check_changes(
        &lab,
        &[
            ("submissions/accepted/one.sh", &(ADD.to_owned() + "\n"), OF_ONE),
            ("include/default/include.sh", "zero=$((0))\n", ALL),
            ("problem.yaml", &PROBLEM.replace("start: 0", "start: \"-0\""), OF_ONE),
            ("problem.yaml", &tolerant, ALL),
            ("problem.yaml", &longer, ALL),
            ("problem.yaml", &less_output, ALL),
            ("problem.yaml", &written, ALL),
            ("problem.yaml", &PROBLEM.replace("name: Sum", "name: Add"), NONE),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_time: 30\n"), NONE),
            ("data/secret/a.in", "2 1\n", OF_A),
            ("data/secret/a.ans", "3 \n", OF_A),
            ("data/secret/a.yaml", "args: [\"0\"]\n", OF_A),
            ("data/secret/a.yaml", "output_validator_args: [float_tolerance, \"1e-6\"]\n", OF_A),
            ("data/secret/a.yaml", "description: an example\n", NONE),
            ("data/secret/c.yaml", "args: [\"1\", \"0\"]\n", OF_C),
            ("data/secret/c.files/beside", "0\n", OF_C),
            ("data/secret/c.files/other", "", OF_C),
        ],
    );
}

#[test]
fn an_empty_folder_beside_the_program_is_a_change() {
    let lab = Lab::new();
    assert_eq!(lab.runs(NONE), ALL);
    fs::create_dir(lab.path("data/secret/c.files/empty")).expect("a folder can be made");
    assert_eq!(lab.runs(NONE), OF_C);
    fs::remove_dir(lab.path("data/secret/c.files/empty")).expect("a folder can be removed");
    assert_eq!(lab.runs(NONE), NONE);
}

#[test]
fn a_change_of_the_output_validator_or_its_arguments_runs_what_it_judges() {
    let lab = Lab::with_validator();
    check_changes(
        &lab,
        &[
            ("output_validator/validate.sh", &(VALIDATOR.to_owned() + "\n"), ALL),
            ("output_validator/data", "", ALL),
            ("data/secret/a.yaml", "output_validator_args: [\"0\"]\n", OF_A),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_time: 30\n"), ALL),
            ("problem.yaml", &(PROBLEM.to_owned() + "  validation_memory: 1000\n"), ALL),
            ("data/secret/b.ans", "7\n\n", &["one.sh b", "two.sh b"]),
        ],
    );
}

#[test]
fn every_option_that_results_depend_on_has_results_of_its_own() {
    let lab = Lab::new();
    assert_eq!(lab.runs(NONE), ALL);
    for options in [["--time-limit", "4"], ["--memory", "512"], ["--as", "kattis"], ["--as", "domjudge"]] {
        assert_eq!(lab.runs(options), ALL, "{options:?}");
        assert_eq!(lab.runs(options), NONE, "{options:?}");
    }
    for options in [["-j", "1"], ["--color", "never"], ["--cases", "*"]] {
        assert_eq!(lab.runs(options), NONE, "{options:?}");
    }
    assert_eq!(lab.runs(["--cases", "secret/a"]), NONE);
    // Without isolation, a program may open any file, so its result may depend on any file.
    for _ in 0..2 {
        assert_eq!(lab.runs(["--sandbox", "off"]), ALL);
    }
    let weaker = || {
        let mut command = lab.grade(NONE);
        command.env("REFEREE_SANDBOX_WITHOUT", "cgroups");
        runs(&json(command).1)
    };
    let is_weaker = has_control_groups();
    assert_eq!(weaker(), if is_weaker { ALL } else { NONE }, "with weaker isolation");
    assert_eq!(lab.runs(NONE), NONE);
    // With --feedback, all cases run again, because the validators must write the feedback files.
    let feedback = lab.folder.path().join("feedback");
    assert_eq!(lab.runs(["--feedback".as_ref(), feedback.as_os_str()]), ALL);
}

fn has_control_groups() -> bool {
    use referee_sandbox::{Enforcement, Mode, State};
    Enforcement::of(Mode::Auto).parts["memory"].state == State::Enforced
}

#[test]
fn another_version_of_a_tool_is_another_tool() {
    let lab = Lab::new();
    let tools = lab.folder.path().join("tools");
    fs::create_dir(&tools).expect("a folder can be made");
    // Programs that run as another user must be able to enter these folders.
    for folder in [lab.folder.path(), &tools] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder, mode).expect("a mode can be set");
    }
    let row = "[[language]]\nid = \"toy\"\nname = \"Toy\"\nendings = [\"toy\"]\n\
               compile = [\"{tool:toycc}\", \"{main}\", \"{binary}\"]\nrun = [\"/bin/sh\", \"{binary}\"]\n\
               [[tool]]\nname = \"toycc\"\ninstall = \"-\"\ncommands = [\"TOOLS/bin/toycc\"]\n";
    let table = write(&tools, "toy.toml", &row.replace("TOOLS", &tools.display().to_string()));
    let install = |version: &str| {
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo {version} || cp \"$1\" \"$2\"\n");
        let tool = write(&tools, "bin/toycc", &text);
        fs::set_permissions(tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode can be set");
    };
    lab.write("submissions/accepted/three.toy", "read a b\necho $((a + b + ${1-0}))\n");
    let options = [std::ffi::OsStr::new("--languages"), table.as_os_str()];
    install("1.0");
    let of_three = ["three.toy a", "three.toy b", "three.toy c"];
    assert_eq!(lab.runs(options), [OF_ONE, &of_three, &ALL[3..]].concat());
    assert_eq!(lab.runs(options), NONE);
    install("2.0");
    assert_eq!(lab.runs(options), of_three);
    assert_eq!(lab.runs(options), NONE);
}

#[test]
fn an_executable_is_what_is_in_it() {
    needs!("gcc");
    let lab = Lab::new();
    let folder = lab.folder.path();
    let build = |text: &str, name: &str| {
        let source = write(folder, &format!("{name}.c"), &format!("#include <stdio.h>\nint main(void) {{ {text} }}\n"));
        compile_c(&source, &folder.join(name))
    };
    let program = build("int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b);", "program");
    let other = build("int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d \", a + b);", "other");
    assert_eq!(lab.runs([&program]), ["program a", "program b", "program c"]);
    assert_eq!(lab.runs([&program]), NONE);
    let kept = fs::read(&program).expect("it can be read");
    let copy = folder.join("copy");
    fs::copy(&program, &copy).expect("it can be copied");
    assert_eq!(lab.runs([&copy]), NONE);
    fs::copy(&other, &program).expect("it can be replaced");
    assert_eq!(lab.runs([&program]), ["program a", "program b", "program c"]);
    fs::write(&program, kept).expect("it can be put back");
    assert_eq!(lab.runs([&program]), NONE);
}

#[test]
fn whoever_wants_no_cache_gets_nothing_from_it_and_leaves_nothing() {
    let lab = Lab::new();
    assert_eq!(lab.runs(["--no-cache"]), ALL);
    // The judge still remembers the compiler's version and options, and a machine that enforces everything.
    let left = names_in(&lab.cache().join("referee"));
    assert!(left == ["tools"] || left == ["sandbox", "tools"], "{left:?}");
    assert_eq!(lab.runs(NONE), ALL);
    assert_eq!(lab.runs(["--no-cache"]), ALL);
}

/// Returns a report without fields that may differ: times, and whether a result was cached.
fn report_without_measurements(mut command: Command) -> (Option<i32>, Vec<Value>, String) {
    let folder = temporary_folder();
    let report = folder.path().join("report.jsonl");
    let output = command.arg("--json").arg(&report).output().expect("referee starts");
    let text = fs::read_to_string(report).expect("the report is there");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    for line in lines.iter_mut().filter_map(Value::as_object_mut) {
        for key in ["cached", "seconds", "wall_seconds"] {
            line.remove(key).filter(|_| line["type"] != "case_finished");
        }
    }
    let shown = String::from_utf8(output.stdout).expect("what people read is UTF-8");
    let shown: Vec<_> = shown.lines().filter(|line| !line.contains("earlier runs")).collect();
    let shown = shown.join("\n");
    let until = shown.rfind(", ").unwrap_or(shown.len());
    (output.status.code(), lines, shown[..until].to_owned())
}

#[test]
fn what_is_remembered_is_told_as_it_was_told_first() {
    needs!("python3");
    for arguments in [
        &["tests/packages/not-as-declared/message"][..],
        &["tests/packages/judged/rules", "-v"],
        &["tests/packages/judged/custom-validator", "-v"],
        &["tests/packages/judged/sum", "tests/hostile/WA/broken_utf8.py", "tests/hostile/RTE/raises_in_python.py"],
        &["tests/packages/not-as-declared/does-not-compile"],
    ] {
        // A result near a limit is not cached. A busy machine can cause such results: starting Python may take half a
        // second, and the wall limit may stop an endless program when its CPU time is just below the time limit. If a
        // result of the first run is near a limit, the test repeats the first run.
        let grade = |folder: &TempDir| {
            let mut command = referee(["grade"]);
            command.args(arguments).args(["--time-limit", "1.5", "-j", "1"]).env("XDG_CACHE_HOME", folder.path());
            command
        };
        let first_run = || {
            let folder = temporary_folder();
            let first = report_without_measurements(grade(&folder));
            let is_close = first.1.iter().any(|line| line["close"] == true);
            (!is_close).then_some((folder, first))
        };
        let (folder, first) = (0..5).find_map(|_| first_run()).expect("no result is near the limit");
        let grade = || grade(&folder);
        // The cached results suffice without the compiled program.
        fs::remove_dir_all(folder.path().join("referee/builds")).expect("builds are kept");
        let again = report_without_measurements(grade());
        assert_eq!(first, again, "{arguments:?}");
        let (_, lines) = json(grade());
        assert_eq!(runs(&lines), NONE, "{arguments:?}");
        let built = of_type(&lines, "build_finished").into_iter().filter(|build| build["ok"] == true);
        built.for_each(|build| assert_eq!(build["cached"], true, "{arguments:?}"));
    }
}

#[test]
fn the_sum_tells_how_much_was_remembered() {
    let lab = Lab::new();
    lab.grade(NONE).assert().code(0).stdout(contains("earlier runs").not());
    lab.grade(NONE).assert().code(0).stdout(contains("all results are from earlier runs; --no-cache runs all"));
    lab.write("data/secret/a.in", "2 1\n");
    lab.grade(NONE).assert().code(0).stdout(contains("4 results are from earlier runs"));
}

#[test]
fn a_program_that_was_too_slow_gets_another_chance_unless_it_is_declared_to_be() {
    let lab = Lab::new();
    let slow = write(lab.folder.path(), "slow.sh", "while :; do :; done\n");
    let options = ["--time-limit", "0.2", "--cases", "secret/a"];
    for _ in 0..2 {
        let (code, lines) = json(lab.grade(options.iter().map(AsRef::as_ref).chain([slow.as_os_str()])));
        assert_eq!((code, runs(&lines)), (1, vec!["slow.sh a".to_owned()]));
    }
    lab.write("submissions/time_limit_exceeded/slow.sh", "while :; do :; done\n");
    assert_eq!(lab.runs(options), ["one.sh a", "two.sh a", "slow.sh a"]);
    assert!(!lab.runs(options).contains(&"slow.sh a".to_owned()));
    // Cached results of jury submissions are not used for the user's programs.
    assert_eq!(lab.runs(options.iter().map(AsRef::as_ref).chain([slow.as_os_str()])), ["slow.sh a"]);
}

#[test]
fn a_failure_of_the_judge_is_never_remembered() {
    let lab = Lab::new();
    lab.write("output_validator/validate.sh", "exit 7\n");
    for _ in 0..2 {
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, runs(&lines)), (3, ALL.iter().map(ToString::to_string).collect()));
    }
}

/// Creates a package that states no time limit.
fn lab_without_limit() -> Lab {
    let lab = Lab::new();
    lab.write("problem.yaml", &PROBLEM.replace("limits:\n  time_limit: 5\n", ""));
    lab
}

/// Returns the origin of the time limit, and the number of runs that measured it.
fn time_limit(lines: &[Value]) -> (&str, Option<u64>) {
    (lines[0]["time_limit_source"].as_str().unwrap(), lines[0]["measuring_runs"].as_u64())
}

#[test]
fn a_time_limit_that_was_measured_is_measured_once() {
    let lab = lab_without_limit();
    let limits = [ALL.len(), 0].map(|measuring| {
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, runs(&lines).len()), (0, 0));
        assert_eq!(time_limit(&lines), ("measured", Some(measuring as u64)));
        lines[0]["time_limit_seconds"].clone()
    });
    assert_eq!(limits[0], limits[1]);
    let sum = format!("and {} to measure the time limit", ALL.len());
    let grade = |options: &[&str]| lab.grade(options).assert();
    grade(&["--no-cache"]).stdout(contains(&sum));
    grade(&[]).stdout(contains("to measure the time limit").not()).stderr(contains("measured by an earlier run"));
}

#[test]
fn a_measured_time_limit_is_forgotten_when_anything_changes_that_it_follows_from() {
    let lab = lab_without_limit();
    let measuring = || time_limit(&json(lab.grade(NONE)).1).1.unwrap();
    assert_eq!((measuring(), measuring()), (ALL.len() as u64, 0));
    let problem = fs::read_to_string(lab.path("problem.yaml")).unwrap();
    let changes = [
        ("submissions/accepted/one.sh", ADD.to_owned() + "\n", OF_ONE.len() as u64),
        ("data/secret/a.in", "2 1\n".to_owned(), OF_A.len() as u64),
        ("problem.yaml", problem.clone() + "limits:\n  memory: 1000\n", ALL.len() as u64),
    ];
    for (name, text, runs) in changes {
        let before = fs::read_to_string(lab.path(name)).unwrap();
        lab.write(name, &text);
        assert_eq!((measuring(), measuring()), (runs, 0), "{name} is changed");
        lab.write(name, &before);
        assert_eq!(measuring(), 0, "{name} is changed back");
    }
    // The following two changes do not affect the measured run times.
    lab.write("problem.yaml", &problem.replace("name: Sum", "name: Add"));
    assert_eq!(measuring(), 0);
    // The margin differs, but the measured runs are the same.
    lab.write("problem.yaml", &(problem + "limits:\n  time_multipliers:\n    ac_to_time_limit: 9\n"));
    let (_, lines) = json(lab.grade(NONE));
    assert_eq!(time_limit(&lines), ("measured", Some(0)));
}

#[test]
fn one_program_takes_the_remembered_time_limit_or_a_provisional_one() {
    let lab = lab_without_limit();
    let program = lab.path("submissions/accepted/one.sh");
    let one = || lab.grade([&program]);
    let (_, lines) = json(one());
    assert_eq!(time_limit(&lines), ("provisional", None));
    assert_eq!((&lines[0]["time_limit_seconds"], &lines[0]["time_limit_measured"]), (&10.0.into(), &false.into()));
    one()
        .assert()
        .stderr(contains("states no time limit; using 10 s for now"))
        .stdout(contains("time limit 10 s, provisional").and(contains("the time limit of 10 s is provisional")));
    let (_, lines) = json(lab.grade(NONE));
    let measured = lines[0]["time_limit_seconds"].clone();
    let (_, lines) = json(one());
    assert_eq!(time_limit(&lines), ("measured", Some(0)));
    assert_eq!(lines[0]["time_limit_seconds"], measured);
    one().assert().stdout(contains("provisional").not());
}

#[test]
fn runs_that_measured_the_time_limit_are_not_repeated() {
    let lab = lab_without_limit();
    // The submission with the wrong answer does not determine the limit.
    lab.write("submissions/rejected/zero.sh", "echo 0\n");
    let (code, lines) = json(lab.grade(NONE));
    let finished = of_type(&lines, "case_finished");
    let of = |cached: bool| finished.iter().filter(|line| line["cached"] == cached).count();
    assert_eq!((code, time_limit(&lines).1, of(true)), (0, Some(ALL.len() as u64), ALL.len()));
    assert!(of(false) > 0, "{finished:#?}");
    lab.write("submissions/rejected/zero.sh", "echo 1\n");
    lab.write("data/secret/a.in", "2 1\n");
    lab.grade(NONE).assert().stdout(contains("results are from earlier runs or the measurement of the time limit"));
    // With --no-cache, nothing is reused.
    lab.grade(["--no-cache"]).assert().stdout(contains("from earlier runs").not());
}
