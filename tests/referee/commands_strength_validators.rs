//! `referee strength` on validators: it finds inputs and outputs that a mutated validator misjudges. These become
//! validator tests, which then kill the mutant.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::person::copy_folder;
use super::support::program::temporary_folder;

const OUTPUTS: &str = "output_validator/*";
const INPUTS: &str = "input_validators/*";

/// Returns a copy of the package `halves`. Tests may change the copy.
fn halves() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let package = folder.path().join("halves");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strength/halves"), &package);
    (folder, package)
}

/// Runs `referee strength` on the validators whose names match `only`. Returns the lines of its report.
fn strength(package: &Path, only: &str, more: &[&str]) -> Vec<Value> {
    let mut command = referee(["strength", "--only", only]);
    command.arg(package).args(more);
    json(command).1
}

/// Returns the mutant that changes `was` to `is`.
fn mutant<'a>(lines: &'a [Value], was: &str, is: &str) -> &'a Value {
    let finished = of_type(lines, "mutant_finished");
    let found = finished.iter().find(|mutant| mutant["was"] == was && mutant["is"] == is);
    found.unwrap_or_else(|| panic!("no mutant makes {is:?} of {was:?}"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
#[ignore = "takes half a minute: many hunts"]
fn a_wrong_output_that_slips_through_is_found_and_kills_when_it_is_written() {
    let (_folder, package) = halves();
    let (was, is) = ("if (one < 1) return 43;", "if (one < 0) return 43;");
    let lines = strength(&package, OUTPUTS, &["--seconds", "5", "--add"]);
    let survivor = mutant(&lines, was, is);
    assert_eq!(survivor["fate"], "survived");
    let hunted = of_type(&lines, "survivor_hunted");
    let hunted = hunted.iter().find(|hunted| hunted["number"] == survivor["number"]).expect("it is hunted");
    assert_eq!((&hunted["killed"], &hunted["kind"]), (&Value::from(true), &Value::from("accepts")), "{hunted}");
    let added: Vec<_> = names_in(&package.join("data/invalid_output"));
    let added: Vec<_> =
        added.iter().filter(|name| name.starts_with("mutant-") && name.strip_suffix(".out").is_some()).collect();
    assert!(!added.is_empty());
    for name in added {
        let folder = package.join("data/invalid_output");
        let (output, input) = (text(&folder.join(name)), text(&folder.join(name.replace(".out", ".in"))));
        let numbers: Vec<i64> = output.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let whole: i64 = input.trim().parse().expect("the input is a number");
        let is_right = numbers.len() == 2 && numbers[0] >= 1 && numbers[0] + numbers[1] == whole;
        assert!(!is_right, "{input:?} {output:?}");
    }
    let lines = strength(&package, OUTPUTS, &["--no-hunt"]);
    let killed = mutant(&lines, was, is);
    assert_eq!((&killed["fate"], &killed["verdict"]), (&Value::from("killed"), &Value::from("AC")), "{killed}");
    let case = killed["case"].as_str().unwrap_or_default();
    assert!(case.starts_with("invalid_output/mutant-"), "{case}");
}

#[test]
#[ignore = "takes half a minute: many hunts"]
fn an_illegal_input_that_slips_through_is_found_and_kills_when_it_is_written() {
    let (_folder, package) = halves();
    let (was, is) = ("return whole >= 2 && whole <= 100 ? 42 : 43;", "return whole >= 2 && whole <= 101 ? 42 : 43;");
    let lines = strength(&package, INPUTS, &["--seconds", "5", "--add"]);
    assert_eq!(mutant(&lines, was, is)["fate"], "survived");
    let folder = package.join("data/invalid_input");
    let names = names_in(&folder);
    let added: Vec<_> = names.iter().filter(|name| name.starts_with("mutant-")).collect();
    assert!(!added.is_empty());
    for name in added {
        let input = text(&folder.join(name));
        let number = input.strip_suffix('\n').and_then(|line| line.parse::<u64>().ok());
        assert!(number.is_none_or(|number| !(2..=100).contains(&number)), "{input:?}");
    }
    let lines = strength(&package, INPUTS, &["--no-hunt"]);
    assert_eq!(mutant(&lines, was, is)["fate"], "killed");
    // The package declares the remaining survivors equivalent, and no hunt contradicts it.
    let finished = of_type(&lines, "strength_finished")[0];
    assert_eq!((&finished["survived"], &finished["equivalent_declared"]), (&Value::from(0), &Value::from(2)));
    assert_eq!(finished["wrongly_declared"], Value::Array(Vec::new()));
}

#[test]
fn a_validator_that_contradicts_its_tests_is_not_changed() {
    let (_folder, package) = halves();
    write(&package, "data/invalid_output/4-right.in", "5\n");
    write(&package, "data/invalid_output/4-right.ans", "2 3\n");
    write(&package, "data/invalid_output/4-right.out", "4 1\n");
    let mut command = referee(["strength", "--no-hunt", "--only", OUTPUTS]);
    let output = command.arg(&package).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("the unchanged validator gives AC on invalid_output/4-right, but the package demands WA"),
        "{said}"
    );
}

#[test]
#[ignore = "takes ten seconds: many mutants"]
fn a_validator_that_crashes_or_never_ends_is_noticed() {
    let (_folder, package) = halves();
    let lines = strength(&package, OUTPUTS, &["--no-hunt"]);
    let was = "if (fscanf(input, \"%ld\", &whole) != 1) return 1;";
    let killed = mutant(&lines, was, "if (fscanf(input, \"%ld\", &whole) == 1) return 1;");
    assert_eq!((&killed["fate"], &killed["verdict"]), (&Value::from("killed"), &Value::from("JE")), "{killed}");
    let message = killed["message"].as_str().unwrap_or_default();
    assert!(message.contains("exit code 1"), "{message}");
}

#[test]
fn a_mutant_that_three_tests_have_killed_is_run_on_the_others_only_on_request() {
    let (_folder, package) = halves();
    let killers = |more: &[&str]| {
        let lines = strength(&package, INPUTS, &[&["--no-hunt"], more].concat());
        let fates = |mutant: &&Value| (mutant["fate"].clone(), mutant["killers"].as_u64());
        of_type(&lines, "mutant_finished").iter().map(fates).collect::<Vec<_>>()
    };
    let (some, all) = (killers(&[]), killers(&["--all-cases"]));
    assert!(all.iter().any(|(_, killers)| *killers > Some(3)), "{all:?}");
    for ((fate, killers), (same_fate, all)) in some.iter().zip(&all) {
        assert_eq!(fate, same_fate);
        assert!(killers == all || killers.is_none() && *all >= Some(3), "{killers:?} {all:?}");
    }
    assert!(some.iter().all(|(_, killers)| *killers <= Some(3)), "{some:?}");
}
