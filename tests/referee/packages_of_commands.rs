//! Packages of tests/packages for other commands than `grade`. See `tests/packages/README.md`.

use serde_json::Value;

use super::support::command::{json, of_type};
use super::support::fixture::{EXPECTED, Fixture, OPTIONS, SHOWN};

fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap_or_default()
}

#[test]
fn verify_finds_exactly_what_is_expected() {
    needs!("python3");
    for fixture in Fixture::all("found") {
        let package = &fixture.name;
        let (code, lines) = json(fixture.referee("verify"));
        let findings = of_type(&lines, "verify_finding").into_iter();
        // The files of the test do not belong to the package.
        let of_package = findings.filter(|line| ![EXPECTED, OPTIONS, SHOWN].contains(&text(line, "place")));
        let told =
            |line: &Value| format!("{} {}: {}", text(line, "severity"), text(line, "place"), text(line, "message"));
        let found: Vec<_> = of_package.map(told).collect();
        assert_eq!(found, fixture.lines(EXPECTED), "{package}");
        assert_eq!(code, i32::from(found.iter().any(|line| line.starts_with("error "))), "{package}");
        fixture.assert_shows_lines("verify");
    }
}

#[test]
fn hunts_end_as_expected() {
    needs!("bash");
    for fixture in Fixture::all("hunted") {
        let (_, lines) = json(fixture.referee("hunt"));
        let finished = of_type(&lines, "hunt_finished")[0];
        for line in fixture.lines(EXPECTED) {
            let (field, value) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?} is not FIELD VALUE"));
            let value: Value = serde_json::from_str(value).unwrap_or_else(|error| panic!("{line:?}: {error}"));
            assert_eq!(finished.get(field), Some(&value), "{}: {field}\n{finished}", fixture.name);
        }
    }
}

#[test]
fn generate_makes_exactly_the_files_that_are_there() {
    needs!("python3");
    for fixture in Fixture::all("generated") {
        let package = &fixture.name;
        let (code, lines) = json(fixture.referee("generate"));
        let finished = of_type(&lines, "generate_finished")[0];
        let counts = ["failed", "new", "changed"].map(|field| finished[field].as_u64());
        assert_eq!((code, counts), (0, [Some(0); 3]), "{package}: {lines:#?}");
        assert!(finished["cases"].as_u64() > Some(0) && finished["unchanged"] == finished["cases"], "{package}");
        assert_eq!(finished["removed"], Value::Array(Vec::new()), "{package}");
    }
}

#[test]
fn mutants_end_as_expected() {
    needs!("g++");
    for fixture in Fixture::all("mutants") {
        let (_, lines) = json(fixture.referee("strength"));
        let mutants = of_type(&lines, "mutant_finished");
        let hunted = of_type(&lines, "survivor_hunted");
        for line in fixture.lines(EXPECTED) {
            assert!(is_as_expected(&line, &mutants, &hunted), "{}: {line}\n{lines:#?}", fixture.name);
        }
    }
}

/// Returns whether the statement about mutants in a line of the file `expected` is true.
fn is_as_expected(line: &str, mutants: &[&Value], hunted: &[&Value]) -> bool {
    let (how, what) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?} names no mutant"));
    if how == "unchanged" {
        let mut with = mutants.iter().filter(|mutant| text(mutant, "was").contains(what)).peekable();
        return with.peek().is_some() && with.all(|mutant| text(mutant, "is").contains(what));
    }
    let (was, is) = what.split_once(" -> ").unwrap_or_else(|| panic!("{line:?} is no mutant"));
    let mutant = mutants.iter().find(|mutant| text(mutant, "was") == was && text(mutant, "is") == is);
    mutant.is_some_and(|mutant| match how {
        "test" => mutant["fate"] == "killed",
        "hunt" => {
            let is_killed = |hunt: &&Value| hunt["number"] == mutant["number"] && hunt["killed"] == true;
            mutant["fate"] == "survived" && hunted.iter().any(is_killed)
        }
        _ => panic!("{line:?}: expected test, hunt or unchanged"),
    })
}
