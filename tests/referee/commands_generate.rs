//! `referee generate PACKAGE`: the rules of generators.yaml produce the same bytes as with BAPCtools. Without `--write`
//! or `--out`, nothing is written. A failing generator affects only its own test case.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{json, names_in, of_type, processes_below, referee, write};
use super::support::files::in_repository;
use super::support::leftovers::helpers_left;
use super::support::program::temporary_folder;

/// Creates a package with these rules, a solution that prints the length of its input, and these generators.
fn package(folder: &Path, rules: &str, generators: &[(&str, &str)]) -> PathBuf {
    let package = folder.join("package");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: Test\ntype: pass-fail\n");
    write(&package, "submissions/accepted/length.py", "import sys\nprint(len(sys.stdin.read()))\n");
    for (name, text) in generators {
        write(&package, &format!("generators/{name}"), text);
    }
    write(&package, "generators/generators.yaml", rules);
    package
}

/// Returns every file below `folder` with its text, or with its target if it is a link.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.expect("the folder can be read"));
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    let text = |path: &Path| match path.read_link() {
        Ok(target) => format!("-> {}", target.display()),
        Err(_) => fs::read_to_string(path).expect("a file can be read"),
    };
    let below = |path: &Path| path.strip_prefix(folder).expect("it lies below").display().to_string();
    files.map(|entry| (below(entry.path()), text(entry.path()))).collect()
}

fn finished(lines: &[Value]) -> &Value {
    of_type(lines, "generate_finished")[0]
}

/// Returns the message for each test case whose generation failed.
fn failures(lines: &[Value]) -> BTreeMap<String, String> {
    let failed = of_type(lines, "case_generated").into_iter().filter(|line| line["change"].is_null());
    failed
        .map(|line| (line["case"].as_str().unwrap().to_owned(), line["message"].as_str().unwrap().to_owned()))
        .collect()
}

/// `bt generate --no-validators` of BAPCtools 2026.10.0 wrote the files in tests/generators/everything.expected.
#[test]
fn every_feature_gives_the_names_and_bytes_of_bapctools() {
    needs!("python3");
    let folder = temporary_folder();
    let expected = tree(&in_repository("tests/generators/everything.expected"));
    assert!(expected.len() > 80, "the folder was read");
    for jobs in ["1", "3"] {
        let out = folder.path().join(jobs);
        // The pattern of one rule matches nothing, so the exit code is 1. BAPCtools only warns about such a rule.
        let command = ["generate", "tests/generators/everything", "-j", jobs, "--out"];
        referee(command).arg(&out).assert().code(1).stdout(contains("no match  secret/28-matched"));
        assert_eq!(tree(&out), expected, "-j {jobs}");
    }
}

/// BAPCtools runs a generator in a folder that has the generator's name. Some generators derive their seed from the
/// name of that folder.
#[test]
fn a_generator_runs_from_a_folder_with_its_own_name() {
    needs!("python3");
    let folder = temporary_folder();
    let rules = "solution: /submissions/accepted/length.py\ngenerators:\n  joined:\n    - file.py\ndata:\n  sample:\n    data:\n      \
                 '1': file.py\n      '2': whole\n      '3': joined\n";
    let text = "import pathlib\nprint(pathlib.Path(__file__).absolute().parent.name)\n";
    let package = package(folder.path(), rules, &[("file.py", text), ("whole/main.py", text)]);
    let out = folder.path().join("out");
    referee(["generate"]).arg(&package).arg("--out").arg(&out).assert().success();
    for (case, name) in [("1", "file.py"), ("2", "whole"), ("3", "joined")] {
        let input = fs::read_to_string(out.join(format!("sample/{case}.in"))).expect("it was made");
        assert_eq!(input.trim(), name, "{case}");
    }
}

#[test]
fn what_would_change_is_shown_and_only_write_changes_it() {
    needs!("python3");
    let folder = temporary_folder();
    let rules = "data:\n  sample: {data: {s: {in: x}}}\n  secret: {data: {a: echo.py 1, b: echo.py 2, c: echo.py 3}}\n";
    let package = package(folder.path(), rules, &[("echo.py", "import sys\nprint(sys.argv[1])\n")]);
    let data = package.join("data");
    write(&data, "secret/a.in", "1\n");
    write(&data, "secret/a.ans", "2\n");
    write(&data, "secret/b.in", "other\n");
    write(&data, "secret/old/x.in", "x\n");
    write(&data, "notes", "mine\n");
    let before = tree(&package);
    let (code, lines) = json(referee([Path::new("generate"), &package]));
    assert_eq!((code, tree(&package)), (0, before), "nothing is written");
    let changes: Vec<_> = of_type(&lines, "case_generated").iter().map(|line| line["change"].clone()).collect();
    assert_eq!(changes, ["new", "unchanged", "changed", "new"]);
    assert_eq!(finished(&lines)["removed"], serde_json::json!(["notes", "secret/old"]));
    referee([Path::new("generate"), &package])
        .assert()
        .code(0)
        .stdout(contains("changed   secret/b (new ans, in)").and(contains("to remove secret/old")))
        .stderr(contains(format!(
            "to write the changes, run: referee generate {} --write --remove",
            package.display()
        )));
    referee([Path::new("generate"), &package])
        .args(["--write", "--remove"])
        .assert()
        .code(0)
        .stdout(contains("written to"));
    let names: Vec<_> = tree(&data).into_keys().collect();
    let wanted = ["a", "b", "c"].map(|name| [format!("secret/{name}.ans"), format!("secret/{name}.in")]).concat();
    assert_eq!(names, [vec!["sample/s.ans".to_owned(), "sample/s.in".to_owned()], wanted].concat());
    let hidden: Vec<_> = names_in(&package).into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(hidden, [".referee-trash"], "a temporary folder is left behind");
    referee([Path::new("generate"), &package]).assert().code(0).stderr(contains("nothing to write"));
    let nothing = contains("nothing to change in").and(contains("\nwritten to").not());
    referee([Path::new("generate"), &package]).arg("--write").assert().code(0).stdout(nothing);
}

#[test]
fn a_folder_that_is_not_empty_gets_nothing() {
    let folder = temporary_folder();
    let package = package(folder.path(), "data: {sample: {}, secret: {data: {a: {in: '1', ans: '2'}}}}\n", &[]);
    let out = folder.path().join("out");
    write(&out, "mine", "mine");
    referee([Path::new("generate"), &package, Path::new("--out"), &out]).assert().code(2).stderr(contains("not empty"));
    assert_eq!(names_in(&out), ["mine"]);
}

#[test]
fn whatever_a_generator_does_stays_with_its_case() {
    needs!("python3");
    let folder = temporary_folder();
    let hostile = [
        ("flood.py", "import sys\nwhile True: sys.stdout.write('x' * 65536)\n", "more output than the limit of "),
        ("hang.py", "while True: pass\n", "more CPU time than the limit of 1 s allows"),
        ("link.py", "import os\nos.symlink('/etc/passwd', 'testcase.in')\n", "leads out of the test case"),
        (
            "circle.py",
            "import os\nos.symlink('testcase.ans', 'testcase.in')\nos.symlink('testcase.in', 'testcase.ans')\n",
            "is a link to testcase.",
        ),
        ("pipe.py", "import os\nos.mkfifo('testcase.in')\n", "not a regular file"),
        ("folder.py", "import os\nos.mkdir('testcase.in')\n", "not a regular file"),
        ("nothing.py", "", "neither to testcase.in nor to standard output"),
        ("fails.py", "import sys\nprint(1)\nsys.exit('sorry')\n", "exit code 1 and said: sorry"),
        ("broken.cpp", "int main( {\n", "cannot be built"),
        ("missing.py", "", "cannot be read"),
        ("large.py", "open('testcase.in', 'w').truncate(1 << 40)\nopen('testcase.ans', 'w').truncate(1 << 40)\n", ""),
    ];
    let rules: String = hostile
        .iter()
        .map(|(name, ..)| format!("      \"{}\": {name}\n", name.replace('.', "_")))
        .collect::<Vec<_>>()
        .concat();
    let rules = format!("data:\n  sample:\n  secret:\n    data:\n{rules}      zz: honest.py\n")
        .replace("sample:\n", "sample: {}\n");
    let generators: Vec<_> =
        hostile.iter().map(|(name, text, _)| (*name, *text)).chain([("honest.py", "print(5)\n")]).collect();
    let package = package(folder.path(), &rules, &generators);
    fs::remove_file(package.join("generators/missing.py")).expect("a file can be removed");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: Test\nlimits: {generator_time: 1}\n");
    write(&package, "data/secret/hang_py.in", "mine\n");
    let judged = folder.path().join("judged");
    fs::create_dir(&judged).expect("a folder can be made");
    let mut command = referee([Path::new("generate"), &package, Path::new("--write")]);
    command.env("TMPDIR", &judged);
    let (code, lines) = json(command);
    assert_eq!(code, 1);
    let failures = failures(&lines);
    for (name, _, reason) in hostile {
        let message = &failures[&format!("secret/{}", name.replace('.', "_"))];
        assert!(message.contains(reason), "{name}: {message}");
    }
    assert_eq!(failures.len(), hostile.len(), "the honest one after them is made");
    assert_eq!(finished(&lines)["written"], Value::Null);
    assert_eq!(finished(&lines)["removed"], serde_json::json!([]), "what could not be made is not unwanted");
    assert_eq!(tree(&package.join("data")).into_keys().collect::<Vec<_>>(), ["secret/hang_py.in"]);
    assert_eq!((names_in(&judged), processes_below(&judged)), (Vec::<String>::new(), Vec::new()));
    assert_eq!(helpers_left(), Vec::<String>::new());
}

#[test]
fn everything_that_is_wrong_with_rules_is_told_with_its_place() {
    let folder = temporary_folder();
    let wrong = [
        ("data: {secret: {data: {a: {count: 0, in: '1'}}}}", "1:35: found 0, allowed: a number from 1 to 100"),
        (
            "data: {secret: {data: {1: {in: '1'}}}}",
            "1:24: YAML does not read the name 1 as a text; put it in quotes: \"1\"",
        ),
        ("data: {secret: {data: {a: {in: 1}}}}", "1:32: found 1, allowed: a text; put a number in quotes"),
        ("data: {secret: {data: {a: }}}", "this test case has no rule"),
        ("data: {secret: {data: {a: {ans: '1'}}}}", "this test case has no input; add 'generate', 'copy' or 'in'"),
        ("data: {secret: {data: {a: g {seed} {seed:1}}}}", "invalid YAML"),
        ("data: {secret: {data: {a: 'g {seed} {seed:1}'}}}", "1:27: {seed} occurs in the command more than once"),
        ("data: {secret: {data: {a: '/bin/sh'}}}", "begins with a slash"),
        ("data: {secret: {data: {a: {in: '1', match: '('}}}}", "is not a valid regular expression"),
        ("data: {secret: {data: {a: {in: '1', in.statement: '1'}}}}", "'in.statement' is for samples only"),
        ("data: {secret: {data: {a: {in: '1', interaction: '1'}}}}", "is for interactive and multi-pass problems only"),
        ("data: {secret: {include: [b], data: {}}}", "the name of a test case or group earlier in the file"),
        (
            "data: {secret: {data: [{a: {in: '1'}, b: {in: '2'}}]}}",
            "each list entry must be a single test case or group",
        ),
        ("data: {secret: {data: {a/b: {in: '1'}}}}", "cannot be the name of a test case"),
        ("data: {secret: {data: {test_group: {in: '1'}}}}", "cannot be the name of a test case"),
        ("data: {secret: {data: {a-1: {in: '1'}, a: {in: '1', count: 1}}}}", "the test case secret/a-1 already exists"),
        ("data: {secret: {data: {a: {in: '1', solution: sol.py}}}}", "from the package's folder"),
        ("data: {secret: {data: {a: {in: '1', retries: 0}}}}", "found 0, allowed: a whole number from 1 to 10000"),
        ("data: []", "a map with keys such as 'sample' and 'secret'"),
        ("generators: {a: []}", "a list of files below generators/"),
        ("[]", "a map with the key 'data'"),
    ];
    for (rules, message) in wrong {
        let package = package(folder.path(), &format!("{rules}\n"), &[]);
        let place = format!("{}:", package.join("generators/generators.yaml").display());
        let told = contains(message).and(contains(place));
        referee([Path::new("generate"), &package]).assert().code(2).stderr(told).stdout(predicates::str::is_empty());
    }
}

#[test]
fn unknown_keys_and_folders_are_told_and_left_out() {
    let folder = temporary_folder();
    let rules = "tool: 1\ndata:\n  secret: {data: {'1': {in: '1', ans: '1', colour: red}, '1-a': {in: '2', ans: '2'}}}\n  hidden: {}\n";
    let package = package(folder.path(), rules, &[]);
    referee([Path::new("generate"), &package])
        .assert()
        .code(0)
        .stdout(contains("2 new"))
        .stderr(contains(
            ":1:1: unknown key \"tool\" of the file is ignored; while it is present, no file is removed from data/",
        ))
        .stderr(contains(
            ":3:44: unknown key \"colour\" of a test case is ignored; while it is present, no file is removed",
        ))
        .stderr(contains("known: count,"))
        .stderr(contains(":4:3: unknown folder \"hidden\" of data is ignored; while it is present, no file"));
}

#[test]
fn options_of_the_other_kind_are_refused() {
    let folder = temporary_folder();
    let package = package(folder.path(), "data: {}\n", &[]);
    for option in [["--count", "1"], ["--seed", "1"], ["--kind", "a"], ["--size", "2x2"], ["--per-file", "2"]] {
        let refused = format!("{} is for puzzles", option[0]);
        referee([Path::new("generate"), &package]).args(option).assert().code(2).stderr(contains(refused));
    }
    referee(["generate", "flipgame", "--write"]).assert().code(2).stderr(contains("--write is for packages"));
    referee(["generate", "no-such-thing"]).assert().code(2).stderr(contains("neither a puzzle nor a folder"));
    // The name of a puzzle means the puzzle, even if a folder has the same name.
    let named = folder.path().join("flipgame");
    fs::rename(&package, &named).expect("a folder can be renamed");
    referee(["generate", "flipgame"])
        .current_dir(folder.path())
        .assert()
        .code(0)
        .stdout(contains("no test cases").not())
        .stderr(contains("use ./flipgame for the folder"));
    referee(["generate", "./flipgame"]).current_dir(folder.path()).assert().code(0).stdout(contains("0 cases"));
}

#[test]
fn an_interrupted_run_writes_nothing_and_leaves_nothing() {
    needs!("python3");
    let folder = temporary_folder();
    let started = "import time\ntime.sleep(100)\n";
    let rules = "data: {secret: {data: {a: {in: '1', ans: '1'}, b: slow.py, c: slow.py 2}}}\n";
    let package = package(folder.path(), rules, &[("slow.py", started)]);
    let judged = folder.path().join("judged");
    fs::create_dir(&judged).expect("a folder can be made");
    let before = tree(&package);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args([Path::new("generate"), &package, Path::new("--write")]).env("TMPDIR", &judged);
    let child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.expect("referee starts");
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let is_running = || {
        walkdir::WalkDir::new(&judged)
            .into_iter()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("case-"))
    };
    while !is_running() && std::time::Instant::now() < patience {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("a signal can be sent");
    let output = child.wait_with_output().expect("referee ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!((tree(&package), names_in(&judged)), (before, Vec::new()));
}
