//! `referee hunt` finds an input on which a program fails, shrinks it, and can add it as a test case.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::person::copy_folder;
use super::support::program::temporary_folder;

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunt/programs").join(name)
}

fn of_flipgame(name: &str) -> String {
    format!("cases/flipgame/submissions/{name}")
}

/// Returns the result of a hunt. Checks that the exit code is 1 if the hunt found an input, and 0 otherwise.
fn hunted(command: Command) -> Value {
    let (code, lines) = json(command);
    let finished = of_type(&lines, "hunt_finished");
    assert_eq!(finished.len(), 1, "{lines:?}");
    assert_eq!(code, i32::from(finished[0]["found"] == true), "{}", finished[0]);
    finished[0].clone()
}

fn hunt(package: &Path, program: impl AsRef<Path>) -> Command {
    let mut command = referee(["hunt"]);
    command.arg(package).arg(program.as_ref());
    command
}

/// Returns a copy of the package `gap`. Tests may change the copy.
fn gap() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let package = folder.path().join("gap");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunt/gap"), &package);
    (folder, package)
}

fn remove(folder: PathBuf) {
    fs::remove_dir_all(folder).expect("a folder can be removed");
}

/// Returns the input, the answer and the kind of failure.
fn input_answer_and_kind(found: &Value) -> [&str; 3] {
    ["input", "expected", "kind"].map(|key| found[key].as_str().unwrap_or("null"))
}

#[test]
fn a_board_of_a_puzzle_is_found_and_no_step_makes_it_smaller() {
    needs!("g++");
    // A failing board with three black pieces was found by hand: a corner piece of the first row and its two
    // neighbours. One round at that corner makes them white. The program misses this solution, because it is wrong
    // about all solutions with rounds in the first row.
    let found = hunted(hunt(Path::new("flipgame"), of_flipgame("wrong_answer/first_row_kept.cpp")));
    assert_eq!((&found["kind"], &found["minimal"]), (&Value::from("WA"), &Value::from(true)));
    let input = found["input"].as_str().expect("an input");
    let black = input.matches('b').count();
    assert!(black <= 3, "{input}");
    assert_eq!(found["bytes"], 20);
}

#[test]
#[ignore = "takes ten seconds: several hunts"]
fn the_same_seed_finds_the_same_with_any_number_of_jobs() {
    needs!("g++");
    let run = |jobs: &str, seed: &str| {
        let mut command = hunt(Path::new("solitaire"), "cases/solitaire/submissions/wrong_answer/wraps_rows.cpp");
        command.args(["-j", jobs, "--seed", seed, "--seconds", "150"]);
        let mut found = hunted(command);
        // With more jobs, more inputs are tried after the failing one, so `tried` differs.
        for key in ["seconds", "seconds_preparing", "tried"] {
            found.as_object_mut().expect("an object").remove(key);
        }
        found
    };
    let once = run("1", "3");
    assert_eq!(once, run("4", "3"));
    assert_eq!(once["input"].as_str().map(|input| input.lines().count()), Some(2), "one board is left");
}

#[test]
fn an_accepted_program_has_no_counterexample_and_a_small_space_is_tried_whole() {
    needs!("gcc");
    let mut command = hunt(Path::new("tests/hunt/gap"), "tests/hunt/gap/submissions/accepted/sorted.c");
    command.args(["--seconds", "4"]);
    let found = hunted(command);
    assert_eq!(
        (&found["found"], &found["kind"], &found["exhausted"]),
        (&Value::from(false), &Value::Null, &Value::from(false))
    );
    assert!(found["tried"].as_u64().is_some_and(|tried| tried > 1));
    assert!(found["illegal"].as_u64().is_some_and(|illegal| illegal > 0), "changed inputs are often illegal");
}

/// The smallest failing input, its answer and the kind of failure, found by hand. The answer is the smallest difference
/// of two numbers, but the program compares only neighbours. So the program needs three numbers to fail: the first and
/// the last are equal, and the number between them differs. The equal numbers are 0, the smallest number allowed.
const APART: [&str; 3] = ["3\n0 1 0\n", "0\n", "WA"];

#[test]
fn generators_draw_and_what_is_drawn_is_made_as_small_as_can_be() {
    needs!("gcc");
    let found = hunted(hunt(Path::new("tests/hunt/gap"), program("neighbours.c")));
    assert_eq!(input_answer_and_kind(&found), APART);
    assert_eq!((&found["got"], &found["minimal"]), (&Value::from("1\n"), &Value::from(true)));
    assert_eq!(found["remarks"], serde_json::json!([]));
}

#[test]
fn without_generators_own_inputs_are_changed() {
    needs!("gcc");
    let (_folder, package) = gap();
    remove(package.join("generators"));
    assert_eq!(input_answer_and_kind(&hunted(hunt(&package, program("neighbours.c")))), APART);
    // A changed input is run with the arguments and files of the test case from which it is derived.
    for case in ["sample/1", "secret/sorted"] {
        write(&package, &format!("data/{case}.yaml"), "args: [\"unheard\"]\n");
    }
    let found = hunted(hunt(&package, program("neighbours.c")));
    assert_eq!(input_answer_and_kind(&found), APART);
    assert!(found["remarks"][0].as_str().is_some_and(|remark| remark.contains("arguments and files of")), "{found}");
}

#[test]
fn without_rules_generators_are_called_with_a_seed() {
    needs!("gcc");
    let (_folder, package) = gap();
    fs::remove_file(package.join("generators/generators.yaml")).expect("a file can be removed");
    remove(package.join("data/secret"));
    remove(package.join("data/sample"));
    write(&package, "data/secret/1.in", "2\n0 1\n");
    write(&package, "data/secret/1.ans", "1\n");
    assert_eq!(input_answer_and_kind(&hunted(hunt(&package, program("neighbours.c")))), APART);
}

#[test]
#[ignore = "takes ten seconds: many timeouts"]
fn a_crash_and_a_hang_are_found_when_they_are_asked_for() {
    needs!("gcc");
    let find = |name: &str, kind: &str| {
        let mut command = hunt(Path::new("tests/hunt/gap"), program(name));
        command.args(["--for", kind, "--time-limit", "0.1", "--seconds", "150"]);
        hunted(command)
    };
    assert_eq!(input_answer_and_kind(&find("crashes.c", "rte")), ["2\n0 42\n", "42\n", "RTE"]);
    assert_eq!(input_answer_and_kind(&find("hangs.c", "tle")), ["4\n0 0 0 0\n", "0\n", "TLE"]);
}

#[test]
#[ignore = "takes ten seconds: many timeouts"]
fn a_wrong_answer_is_preferred_to_a_timeout_that_comes_first() {
    needs!("gcc", "g++");
    // The first input of the hunt is a row of two coins. So the first failure is a timeout, whatever is asked for.
    let find = |more: &[&str]| {
        let mut command = hunt(Path::new("coins"), program("slow_and_wrong.c"));
        command.args(["--time-limit", "0.1", "--seconds", "150", "-j", "2"]).args(more);
        hunted(command)
    };
    let found = find(&[]);
    assert_eq!((&found["kind"], &found["got"]), (&"WA".into(), &"99\n".into()), "{found}");
    assert!(found["remarks"].to_string().contains("--for tle searches for such inputs"), "{found}");
    let found = find(&["--for", "tle"]);
    assert_eq!((&found["kind"], &found["remarks"]), (&"TLE".into(), &serde_json::json!([])), "{found}");
}

#[test]
fn accepted_submissions_that_do_not_agree_are_themselves_the_find() {
    needs!("gcc");
    let (_folder, package) = gap();
    fs::copy(program("neighbours.c"), package.join("submissions/accepted/sorted.c")).expect("a file can be copied");
    let right = Path::new("tests/hunt/gap/submissions/accepted/pairs.c");
    let found = hunted(hunt(&package, right));
    assert_eq!(found["kind"], "jury");
    assert_eq!(found["input"], APART[0]);
    assert!(found["message"].as_str().is_some_and(|message| message.contains("accepted/")), "{found}");
    hunt(&package, right).args(["--seconds", "5", "--for", "wa"]).assert().code(0);
}

#[test]
fn who_cannot_say_what_is_legal_or_right_is_told() {
    needs!("gcc");
    let (_folder, package) = gap();
    remove(package.join("input_validators"));
    fs::remove_file(package.join("submissions/accepted/pairs.c")).expect("a file can be removed");
    let output = hunt(&package, program("neighbours.c")).args(["--seconds", "5"]).output().expect("referee starts");
    let said = String::from_utf8_lossy(&output.stdout).replace("\n       ", " ");
    assert!(said.contains("there is no usable input validator; an input counts as valid"), "{said}");
    assert!(said.contains("only one accepted submission"), "{said}");
}

#[test]
fn what_is_found_becomes_a_test_case_that_the_package_catches_it_with() {
    needs!("gcc");
    let (folder, package) = gap();
    let wrong = program("neighbours.c");
    referee(["grade"]).arg(&package).arg(&wrong).assert().code(0);
    let out = folder.path().join("found");
    hunt(&package, &wrong).arg("--out").arg(&out).arg("--add").assert().code(1).stdout(contains("written: "));
    assert_eq!(names_in(&out), ["hunt-neighbours-wa.ans", "hunt-neighbours-wa.in"]);
    assert_eq!(fs::read_to_string(out.join("hunt-neighbours-wa.in")).expect("it can be read"), APART[0]);
    assert_eq!(fs::read_to_string(out.join("hunt-neighbours-wa.ans")).expect("it can be read"), APART[1]);
    referee(["grade"]).arg(&package).arg(&wrong).assert().code(1).stdout(contains("secret/hunt-neighbours-wa"));
    // Adding the same input again creates no second case. A file with the name of the new case and with other content
    // is not replaced.
    hunt(&package, &wrong).arg("--add").assert().code(1);
    write(&out, "hunt-neighbours-wa.in", "another\n");
    hunt(&package, &wrong).arg("--out").arg(&out).assert().code(1);
    assert_eq!(fs::read_to_string(out.join("hunt-neighbours-wa.in")).expect("it can be read"), "another\n");
    assert_eq!(fs::read_to_string(out.join("hunt-neighbours-wa-2.in")).expect("it can be read"), APART[0]);
    assert_eq!(names_in(&package.join("data/secret")).len(), 4);
}

#[test]
fn wrong_use_is_refused_with_what_to_do() {
    needs!("gcc");
    let wrong = program("neighbours.c");
    hunt(Path::new("flipgame"), &wrong)
        .arg("--add")
        .assert()
        .code(2)
        .stderr(contains("give the folder of an unpacked package"));
    hunt(Path::new("tests/hunt/gap"), &wrong).arg("--add=../..").assert().code(2).stderr(contains("no such folder"));
    hunt(Path::new("tests/hunt/gap"), &wrong).args(["--seconds", "0"]).assert().code(2).stderr(contains("allowed"));
    hunt(Path::new("tests/hunt/gap"), &wrong).args(["--for", "ac"]).assert().code(2).stderr(contains("wa"));
    hunt(Path::new("tests/hunt/gap"), "nowhere.c").assert().code(2).stderr(contains("nowhere.c"));
    hunt(Path::new("nowhere"), &wrong).assert().code(2).stderr(contains("flipgame"));
    let (_folder, package) = gap();
    write(&package, "broken.c", "int main(void) { return }\n");
    hunt(&package, package.join("broken.c")).assert().code(2).stderr(contains("cannot be run").and(contains("error")));
    remove(package.join("generators"));
    let long = format!("0\n{}", " ".repeat(1 << 20));
    for input in ["data/sample/1.in", "data/secret/sorted.in"] {
        write(&package, input, &long);
    }
    let nothing = hunt(&package, &wrong).assert().code(2);
    nothing.stderr(contains("no input of at most 1 MiB").and(contains("add a small test case to data/secret")));
}

#[test]
#[ignore = "takes a minute: 65,536 runs"]
fn a_program_that_is_wrong_on_one_board_of_65_536_is_found_always() {
    for seed in ["1", "2"] {
        let mut command = hunt(Path::new("flipgame"), program("one_board.cpp"));
        command.args(["--seconds", "900", "--seed", seed]).timeout(std::time::Duration::from_secs(1000));
        // The program is wrong on only one board. A constant in the program encodes this board, beginning with the
        // lowest bit. The board has no solution.
        assert_eq!(input_answer_and_kind(&hunted(command)), ["bwbb\nwwww\nbbwb\nwbbw\n", "Impossible\n", "WA"]);
    }
}

#[test]
#[ignore = "takes two minutes: 53 hunts of at most 20 seconds each, which needs an idle machine"]
fn every_wrong_submission_of_the_four_packages_is_found_in_20_seconds_and_the_find_is_minimal() {
    for package in ["flipgame", "swapgame", "solitaire", "coins"] {
        for kind in ["wrong_answer", "run_time_error"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("cases/{package}/submissions/{kind}"));
            let names = names_in(&folder);
            assert!(!names.is_empty(), "{} is empty", folder.display());
            for name in names {
                let mut command = hunt(Path::new(package), folder.join(&name));
                command.args(["--seconds", "20", "-j", "2"]);
                let found = hunted(command);
                assert_eq!(
                    (&found["found"], &found["minimal"]),
                    (&true.into(), &true.into()),
                    "{package} {name}: {found}"
                );
            }
        }
    }
}
