//! Hostile programs through a judgehost get the verdicts of `grade --as domjudge`, and leave nothing behind.

use std::collections::BTreeMap;

use super::super::support::command::{json, names_in, of_type, processes_below, referee};
use super::super::support::files::in_repository;
use super::super::support::leftovers::{groups_left, helpers_left, mounts};
use super::Lab;
use super::server::{Problem, Server, Submission};

/// The package on which the programs are judged: the sum of two numbers.
const PACKAGE: &str = "tests/packages/judged/sum";

/// A validator that compares all bytes but white space at the end.
const BYTES: &str = "#include <ctype.h>\n#include <stdio.h>\n#include <string.h>\nstatic char x[1<<20],y[1<<21];\
                     int main(int n,char**a){size_t p=fread(x,1,sizeof x,fopen(a[2],\"r\")),q=fread(y,1,sizeof y,stdin);\
                     while(p&&isspace(x[p-1]))p--;while(q&&isspace(y[q-1]))q--;return p==q&&!memcmp(x,y,p)?42:43;}\n";

/// Returns the test cases of the package, in their order.
fn cases() -> Vec<(String, String)> {
    let folder = in_repository(&format!("{PACKAGE}/data/secret"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a test case can be read");
    let inputs = names_in(&folder).into_iter().filter(|name| name.strip_suffix(".in").is_some());
    inputs.map(|name| (read(&name), read(&name.replace(".in", ".ans")))).collect()
}

/// Returns the verdicts of `grade`, by the programs' paths.
fn graded(programs: &[String]) -> BTreeMap<String, String> {
    let mut command = referee(["grade", PACKAGE, "--as", "domjudge", "--time-limit", "1", "--memory", "256"]);
    command.args(programs);
    let (_, lines) = json(command);
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    of_type(&lines, "submission_finished")
        .into_iter()
        .map(|line| (text(&line["submission"]), text(&line["verdict"])))
        .collect()
}

fn code(word: &str) -> &str {
    match word {
        "correct" => "AC",
        "wrong-answer" | "no-output" => "WA",
        "timelimit" => "TLE",
        "run-error" => "RTE",
        "output-limit" => "OLE",
        "compiler-error" => "CE",
        other => other,
    }
}

#[test]
#[ignore = "takes minutes: hostile programs twice"]
fn hostile_programs_get_the_verdicts_of_grade_and_leave_nothing_behind() {
    needs!("g++", "gcc", "python3");
    let mut programs = Vec::new();
    for folder in ["tests/hostile", "tests/hostile_walls"] {
        for verdict in names_in(&in_repository(folder)) {
            let inside = format!("{folder}/{verdict}");
            programs.extend(names_in(&in_repository(&inside)).into_iter().map(|name| format!("{inside}/{name}")));
        }
    }
    assert!(programs.len() > 60, "the folders were read");
    let submission = |path: &String| {
        let name = path.rsplit('/').next().expect("a name");
        Submission::new(0, name, &std::fs::read_to_string(in_repository(path)).expect("a source can be read"))
    };
    let validator = vec![("build", "#!/bin/sh\ngcc bytes.c -o run\n".to_owned()), ("bytes.c", BYTES.to_owned())];
    let problem = Problem { cases: cases(), validator, ..Problem::equal(&[]) };
    let lab = Lab::new(Server::new("9.0.1", vec![problem], programs.iter().map(submission).collect()));
    let judged = tempfile::tempdir().expect("a folder can be made");
    let mounts_before = mounts();
    let mut command = lab.command(&[]);
    command.env("TMPDIR", judged.path()).timeout(std::time::Duration::from_secs(1800));
    assert!(command.output().expect("the command starts").status.success());
    assert_eq!(lab.internal_errors(), Vec::<String>::new());
    assert_eq!(helpers_left(), Vec::<String>::new());
    assert_eq!(processes_below(judged.path()), Vec::<String>::new());
    assert_eq!(names_in(judged.path()), Vec::<String>::new());
    assert_eq!(groups_left(), Vec::<String>::new());
    assert_eq!(mounts(), mounts_before);
    let expected = graded(&programs);
    let verdicts = programs.iter().zip(lab.verdicts());
    let got: BTreeMap<_, _> =
        verdicts.map(|(path, words)| (path.clone(), words.iter().map(|word| code(word)).collect::<String>())).collect();
    assert_eq!(got, expected);
}
