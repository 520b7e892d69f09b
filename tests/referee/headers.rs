//! Headers beside single-file programs of a package: they belong to each program and are no programs themselves.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

use super::support::command::{json, of_type, referee, write};
use super::support::program::temporary_folder;

const CHECKER: &str = "#include \"checker.h\"\n#include <fstream>\n#include <iostream>\n\
    int main(int, char **paths) {\n  std::ifstream answer(paths[2]);\n  long wanted, got;\n  answer >> wanted;\n  \
    if (!(std::cin >> got)) return WRONG;\n  if (got == wanted + SLACK) return RIGHT;\n  return WRONG;\n}\n";

const LIMITS: &str = "#include \"limits.h\"\n#include <iostream>\n\
    int main() {\n  long a, b;\n  if (!(std::cin >> a >> b)) return 43;\n  return a < MOST ? 42 : 43;\n}\n";

/// Creates a legacy package whose output and input validators are single files, each with a header beside it.
fn package() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let root = folder.path().join("sum");
    for (name, text) in [
        ("problem.yaml", "name: Sum\nvalidation: custom\n"),
        (".timelimit", "2\n"),
        ("problem_statement/problem.en.tex", "\\problemname{Sum}\n"),
        ("output_validators/checker.cpp", CHECKER),
        ("output_validators/checker.h", "#define RIGHT 42\n#define WRONG 43\n#define SLACK 0\n"),
        ("input_validators/check.cpp", LIMITS),
        ("input_validators/limits.h", "#define MOST 100\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/1.in", "2 2\n"),
        ("data/secret/1.ans", "4\n"),
        ("submissions/accepted/add.py", "print(sum(map(int, input().split())))\n"),
        ("submissions/wrong_answer/three.py", "print(3)\n"),
    ] {
        write(&root, name, text);
    }
    (folder, root)
}

/// Returns the verdicts of the jury submissions.
fn verdicts(package: &Path, cache: Option<&Path>) -> Vec<String> {
    let mut command = referee(["grade"]);
    command.arg(package);
    if let Some(cache) = cache {
        command.env("XDG_CACHE_HOME", cache);
    }
    let (_, lines) = json(command);
    let verdict = |line: &serde_json::Value| {
        format!("{} {}", line["submission"].as_str().unwrap_or("-"), line["verdict"].as_str().unwrap_or("-"))
    };
    of_type(&lines, "submission_finished").into_iter().map(verdict).collect()
}

const WANTED: [&str; 2] = ["accepted/add.py AC", "wrong_answer/three.py WA"];

#[test]
fn a_validator_with_its_header_beside_it_is_one_validator() {
    needs!("g++", "python3");
    let (_folder, package) = package();
    assert_eq!(verdicts(&package, None), WANTED);
    let verified = referee(["verify", "--only", "inputs,junk-outputs,submissions"]).arg(&package).assert();
    verified.stdout(contains("2 inputs by 1 validator")).stdout(contains("limits.h").not());
    // An interactive problem must have exactly one output validator. The header does not count as a second one.
    write(&package, "problem.yaml", "name: Sum\nvalidation: custom interactive\n");
    let assertion = referee(["grade"]).arg(&package).assert();
    assertion.stderr(contains("output validators").not());
}

#[test]
fn a_changed_header_makes_another_validator() {
    needs!("g++", "python3");
    let (folder, package) = package();
    let cache = folder.path().join("cache");
    assert_eq!(verdicts(&package, Some(&cache)), WANTED);
    assert_eq!(verdicts(&package, Some(&cache)), WANTED, "the cached results");
    write(&package, "output_validators/checker.h", "#define RIGHT 42\n#define WRONG 43\n#define SLACK -1\n");
    let changed = ["accepted/add.py WA", "wrong_answer/three.py WA"];
    assert_eq!(verdicts(&package, Some(&cache)), changed, "neither a product nor a result of the old header is taken");
}

#[test]
fn every_validator_gets_the_header_that_lies_beside_them() {
    needs!("g++", "python3");
    let (_folder, package) = package();
    write(&package, "output_validators/second.cpp", &CHECKER.replace("wanted + SLACK", "wanted"));
    assert_eq!(verdicts(&package, None), WANTED);
    let (_, lines) = json({
        let mut command = referee(["verify", "--only", "submissions"]);
        command.arg(&package);
        command
    });
    assert_eq!(of_type(&lines, "verify_finished").len(), 1, "{lines:?}");
}

#[test]
fn a_grader_with_its_header_beside_it_is_one_grader() {
    needs!("g++", "python3");
    let (_folder, package) = package();
    let grader = "#include \"grader.h\"\n#include <cstdio>\nint main() { std::puts(RESULT); }\n";
    write(&package, "problem.yaml", "name: Sum\ntype: scoring\nvalidation: custom\n");
    write(&package, "data/testdata.yaml", "grading: custom\n");
    write(&package, "graders/grade.cpp", grader);
    write(&package, "graders/grader.h", "#define RESULT \"AC 7\"\n");
    assert_eq!(verdicts(&package, None), ["accepted/add.py AC", "wrong_answer/three.py AC"]);
    let archive = package.with_extension("zip");
    referee(["export", "--to", "kattis", "--out"]).arg(&archive).arg(&package).assert().success();
    let names = names_in(&archive);
    assert!(names.contains(&"sum/graders/grade/grader.h".to_owned()), "{names:?}");
    assert_eq!(verdicts(&archive, None), ["accepted/add.py AC", "wrong_answer/three.py AC"]);
}

fn names_in(archive: &Path) -> Vec<String> {
    let mut zip = zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap();
    (0..zip.len()).map(|index| zip.by_index(index).unwrap().name().to_owned()).collect()
}

#[test]
fn an_export_keeps_a_header_with_its_validator() {
    needs!("g++", "python3");
    let (folder, package) = package();
    for judge in ["kattis", "domjudge"] {
        let archive = folder.path().join(format!("{judge}.zip"));
        referee(["export", "--to", judge, "--out"]).arg(&archive).arg(&package).assert().success();
        let top = if judge == "kattis" { "kattis/" } else { "" };
        let mut zip = zip::ZipArchive::new(fs::File::open(&archive).unwrap()).unwrap();
        for (name, wanted) in [
            ("output_validators/checker/checker.cpp", "int main"),
            ("output_validators/checker/checker.h", "SLACK 0"),
            ("input_validators/check/limits.h", "MOST 100"),
        ] {
            let mut text = String::new();
            zip.by_name(&format!("{top}{name}")).unwrap().read_to_string(&mut text).unwrap();
            assert!(text.contains(wanted), "{judge} {name}: {text}");
        }
        assert_eq!(verdicts(&archive, None), WANTED, "{judge}");
    }
}

#[test]
#[ignore = "takes half a minute: many compilations"]
fn mutants_of_a_validator_are_built_with_its_header() {
    needs!("g++", "python3");
    let (_folder, package) = package();
    // `strength` also copies the headers beside a script that it mutates.
    let check = "import sys\na, b = map(int, input().split())\nsys.exit(42 if a < 100 else 43)\n";
    write(&package, "input_validators/checks.py", check);
    let mut command = referee(["strength", "--only", "*/check*", "--no-hunt"]);
    command.arg(&package);
    let (_, lines) = json(command);
    let mutants = of_type(&lines, "mutant_finished");
    let killed = |file: &str| mutants.iter().any(|mutant| mutant["file"] == file && mutant["fate"] == "killed");
    for file in ["output_validators/checker.cpp", "input_validators/check.cpp", "input_validators/checks.py"] {
        assert!(killed(file), "{file}: {mutants:?}");
    }
    let of_headers = mutants.iter().filter(|mutant| mutant["file"].as_str().is_some_and(|file| file.contains(".h")));
    assert_eq!(of_headers.count(), 0);
    assert!(mutants.iter().all(|mutant| mutant["fate"] != "unjudged"), "{mutants:?}");
}

#[test]
fn a_header_among_submissions_is_no_submission() {
    needs!("g++", "python3");
    let (_folder, package) = package();
    write(&package, "submissions/accepted/tools.h", "#define X 1\n");
    assert_eq!(verdicts(&package, None), WANTED);
    let assertion = referee(["verify", "--only", "format"]).arg(&package).assert();
    assertion.stdout(contains("submissions/accepted/tools.h: is not used: a header is not a"));
}
