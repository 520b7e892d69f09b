//! Hunts say whether the input that they found is legal. This is unknown if the package has no input validator, or if
//! an input validator cannot be run.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::program::temporary_folder;
use super::support::viva::{package, path_with_only, path_with_stand_in};

fn hunt(package: &Path, program: &str, seconds: &str, path: &OsStr) -> Command {
    let mut command = referee(["hunt", "--seconds", seconds]);
    command.arg(package).arg(package.join(program)).env("PATH", path);
    command
}

/// Returns the result of a hunt.
fn hunted(command: Command) -> Value {
    of_type(&json(command).1, "hunt_finished")[0].clone()
}

#[test]
fn a_hunt_reports_no_input_that_the_grammar_rejects() {
    needs!("python3");
    let folder = temporary_folder();
    let path = path_with_stand_in(folder.path());
    let package = package(folder.path(), &[("other.py", "n = int(input())\nprint(int(40 < n < 50))\n")]);
    let found = hunted(hunt(&package, "wrong.py", "4", &path));
    assert_eq!((&found["found"], &found["input_legal"]), (&Value::from(false), &Value::Null), "{found}");
    assert!(found["illegal"].as_u64().is_some_and(|illegal| illegal > 0), "{found}");
    let found = hunted(hunt(&package, "other.py", "60", &path));
    assert_eq!((&found["input"], &found["input_legal"]), (&Value::from("50\n"), &Value::from(true)), "{found}");
    assert_eq!((&found["input_unchecked"], &found["remarks"]), (&Value::Null, &serde_json::json!([])), "{found}");
}

/// Checks that a hunt for `wrong.py` finds an input, and says for which reason the input may be illegal: in JSON lines,
/// in the other reports, and in the written test case.
fn assert_legality_is_unknown(folder: &Path, package: &Path, reason: &str) {
    let path = path_with_only(folder, &["python3"]);
    let sentence = format!("it is unknown whether this input is legal: {reason}");
    let out = folder.join("out");
    let mut command = hunt(package, "wrong.py", "60", &path);
    command.arg("--out").arg(&out).arg("--junit").arg(folder.join("hunt.xml"));
    let found = hunted(command);
    assert_eq!((&found["input"], &found["kind"]), (&Value::from("101\n"), &Value::from("WA")), "{found}");
    assert_eq!((&found["input_legal"], &found["input_unchecked"]), (&Value::Null, &Value::from(reason)), "{found}");
    let names = ["hunt-wrong-wa.ans", "hunt-wrong-wa.in", "hunt-wrong-wa.yaml"];
    assert_eq!(
        (names_in(&out).as_slice(), found["written"].as_array().map(Vec::len)),
        (&names.map(str::to_owned)[..], Some(3))
    );
    let described = fs::read_to_string(out.join(names[2])).unwrap();
    assert_eq!(described, format!("description: 'found by referee; {sentence}'\n"));
    assert!(fs::read_to_string(folder.join("hunt.xml")).unwrap().contains(&sentence));
    // In the terminal, the sentence follows the input.
    let output = hunt(package, "wrong.py", "60", &path).arg("--github").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = said.lines().collect();
    let place = lines.iter().position(|line| *line == "  101").unwrap_or_else(|| panic!("{said}"));
    assert!(lines[place + 1..].join(" ").starts_with(&sentence), "{said}");
    assert!(said.lines().any(|line| line.starts_with("::error") && line.contains(&sentence)), "{said}");
}

#[test]
fn a_hunt_without_an_input_validator_that_can_be_run_says_so_beside_the_input() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package(folder.path(), &[]);
    assert_legality_is_unknown(
        folder.path(),
        &package,
        "the input validator range cannot be run, so no program checked it",
    );
}

#[test]
#[ignore = "takes half a minute: two hunts"]
fn a_hunt_without_any_input_validator_says_so_beside_the_input() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package(folder.path(), &[]);
    fs::remove_dir_all(package.join("input_validators")).unwrap();
    assert_legality_is_unknown(folder.path(), &package, "the package has no input validator, so no program checked it");
}

#[test]
#[ignore = "takes half a minute: two hunts"]
fn a_hunt_with_a_part_of_the_input_validators_says_so_beside_the_input() {
    needs!("python3");
    let folder = temporary_folder();
    let more = [("input_validators/form.ctd", "INT(1, 1000) NEWLINE\n"), ("input_validators/other.viva", "n;\n")];
    assert_legality_is_unknown(
        folder.path(),
        &package(folder.path(), &more),
        "the input validators other, range cannot be run, so not every input validator checked it",
    );
}

#[test]
fn a_test_case_of_a_legacy_package_gets_its_description_in_the_old_form() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package(folder.path(), &[("problem.yaml", "name: Odd\n")]);
    write(&package, ".timelimit", "5\n");
    fs::remove_dir_all(package.join("input_validators")).unwrap();
    let mut command = hunt(&package, "wrong.py", "60", &path_with_only(folder.path(), &["python3"]));
    command.arg("--add");
    let found = hunted(command);
    let described =
        fs::read_to_string(package.join("data/secret/hunt-wrong-wa.desc")).unwrap_or_else(|_| panic!("{found}"));
    assert!(described.starts_with("found by referee; it is unknown whether this input is legal: "), "{described}");
}

/// Runs `strength` on the accepted submission `a.py`, and returns the results of the hunts that found an input.
fn strength_holes(package: &Path, path: &OsStr) -> Vec<Value> {
    let mut command = referee(["strength", "--only", "accepted/a.py", "--seconds", "20"]);
    command.arg(package).env("PATH", path);
    let hunts = json(command).1;
    let found = of_type(&hunts, "survivor_hunted").into_iter().filter(|hunt| !hunt["input"].is_null());
    found.cloned().collect()
}

#[test]
fn inputs_that_kill_survivors_are_checked_by_the_grammar_too() {
    needs!("python3");
    let folder = temporary_folder();
    let more = [
        ("submissions/accepted/a.py", "n = int(input())\nprint(n % 20)\n"),
        ("submissions/accepted/b.py", "print(int(input()) % 20)\n"),
        ("data/secret/1.ans", "3\n"),
        ("data/secret/2.in", "7\n"),
        ("data/secret/2.ans", "7\n"),
    ];
    let package = package(folder.path(), &more);
    let holes = strength_holes(&package, &path_with_stand_in(folder.path()));
    assert!(!holes.is_empty());
    for hole in &holes {
        let number: u64 = hole["input"].as_str().unwrap().trim().parse().unwrap_or_else(|_| panic!("{hole}"));
        assert!((1..=100).contains(&number) && hole["input_legal"] == true, "{hole}");
    }
    let holes = strength_holes(&package, &path_with_only(folder.path(), &["python3"]));
    assert!(!holes.is_empty());
    for hole in &holes {
        let reason = "the input validator range cannot be run, so no program checked it";
        assert_eq!((&hole["input_legal"], &hole["input_unchecked"]), (&Value::Null, &Value::from(reason)), "{hole}");
    }
}

#[test]
fn a_wrong_answer_counts_without_a_jury_if_the_validator_communicates() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("echo");
    let validator = "import sys\nnumber = open(sys.argv[1]).read().split()[0]\nprint(number, flush=True)\n\
                     sys.exit(42 if input().strip() == number else 43)\n";
    for (name, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Echo\ntype: interactive\nlimits:\n  time_limit: 1\n"),
        ("input_validators/any.py", "import sys\nsys.exit(42 if input().isdigit() else 43)\n"),
        ("output_validator/validate.py", validator),
        ("data/secret/1.in", "4\n"),
        ("data/secret/1.ans", ""),
        ("submissions/wrong_answer/small.py", "number = input()\nprint(number if len(number) < 2 else 'no')\n"),
    ] {
        write(&package, name, text);
    }
    let mut command = referee(["hunt", "--seconds", "60", "--seed", "1"]);
    command.arg(&package).arg(package.join("submissions/wrong_answer/small.py"));
    let contains = predicates::str::contains;
    let found = command.assert().code(1).stdout(contains("WA")).stdout(contains("\nlast messages\n"));
    found.stdout(contains(" s  judge > submission  ")).stdout(contains(" s  submission > judge  no\n"));
}
