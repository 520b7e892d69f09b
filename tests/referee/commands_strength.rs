//! `referee strength` finds mistakes that the test data does not detect, reports them, and can add test cases.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::support::command::{names_in, referee, write};
use super::support::strength::{StrengthReport, larger, line, strength, strength_report, text};

/// The mutants and their results were found by hand. The test cases are 7 2, 4 4 and 2 9.
const MUTANTS: [&str; 12] = [
    "accepted/branch.c:5:5 statement killed sample/1 3",
    "accepted/branch.c:5:20 arguments declared - 0",
    "accepted/branch.c:6:9 negation killed sample/1 2",
    "accepted/branch.c:6:11 boundary declared - 0",
    "accepted/branch.c:6:14 off-by-one survived - 0",
    "accepted/branch.c:6:16 statement killed secret/far 1",
    "accepted/branch.c:7:5 statement killed sample/1 3",
    "accepted/choice.py:1:12 arguments killed sample/1 3",
    "accepted/choice.py:2:1 statement killed sample/1 3",
    "accepted/choice.py:2:12 negation killed sample/1 2",
    "accepted/choice.py:2:14 boundary declared - 0",
    "accepted/choice.py:2:17 off-by-one survived - 0",
];

#[test]
fn every_mutant_is_killed_by_the_cases_that_kill_it_by_hand_and_the_sum_says_what_cases_are_good_for() {
    needs!("gcc", "python3");
    let (_folder, package) = larger();
    let told = strength_report(strength(&package, &["--no-hunt"]));
    assert_eq!(told.mutants.iter().map(line).collect::<Vec<_>>(), MUTANTS);
    let sum = &told.sum;
    let counts = ["mutants", "killed", "survived", "equivalent_declared", "holes", "changes", "not_compiled"];
    assert_eq!(counts.map(|name| sum[name].as_u64()), [12, 7, 2, 3, 0, 12, 0].map(Some), "{sum}");
    assert_eq!(sum["minimal_cases"], serde_json::json!(["secret/far"]));
    assert_eq!(sum["minimal_is_proved"], true);
    assert_eq!(sum["sole_killers"], serde_json::json!([{"case": "secret/far", "mutants": [6]}]));
    assert_eq!(sum["by_program"]["accepted/branch.c"], serde_json::json!([7, 4]));
    assert_eq!(sum["by_operator"]["off-by-one"], serde_json::json!([2, 0]));
    let verdicts: u64 = sum["by_verdict"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(verdicts, 7);
    // Each compiler and interpreter of the mutated programs occurs once, in the order of their paths.
    let tools = sum["tools"].as_array().unwrap();
    assert!(tools.is_sorted_by_key(|tool| text(tool, "path").to_owned()), "{sum}");
    let is_told = |name: &str, version: &str| {
        tools.iter().any(|tool| text(tool, "name") == name && text(tool, "version").starts_with(version))
    };
    assert!(tools.len() == 2 && is_told("gcc", "gcc ") && is_told("python3", "Python 3."), "{sum}");
    let survivor = &told.mutants[4];
    assert_eq!((text(survivor, "was"), text(survivor, "is")), ("if (a < b) a = b;", "if (a < b - 1) a = b;"));
    assert!(text(survivor, "diff").contains("\n-    if (a < b) a = b;\n+    if (a < b - 1) a = b;\n"));
    assert_eq!(text(&told.mutants[3], "reason"), "of two equal numbers either may be printed");
    assert_eq!((told.code, told.hunts.len()), (0, 0));
}

#[test]
#[ignore = "takes ten seconds: many hunts"]
fn what_survives_is_hunted_and_what_is_found_kills_it_from_then_on() {
    needs!("gcc", "python3");
    let (_folder, package) = larger();
    let first = strength_report(strength(&package, &["--add", "--seconds", "60"]));
    let of = |hunts: &[Value], number: u64| hunts.iter().find(|hunt| hunt["number"] == number).cloned().unwrap();
    // The smallest inputs on which mutants 5 and 12 are wrong, found by hand.
    for (number, input, expected, got) in [(5, "1 2\n", "2\n", "1\n"), (12, "2 1\n", "2\n", "1\n")] {
        let hunt = of(&first.hunts, number);
        assert_eq!((hunt["killed"].as_bool(), hunt["minimal"].as_bool()), (Some(true), Some(true)), "{hunt}");
        assert_eq!([text(&hunt, "input"), text(&hunt, "expected"), text(&hunt, "got")], [input, expected, got]);
        assert_eq!(text(&hunt, "kind"), "WA");
    }
    assert_eq!((first.code, first.sum["holes"].as_u64(), first.sum["survived"].as_u64()), (1, Some(2), Some(2)));
    assert_eq!(first.hunts.len(), 2, "declared mutants must not be hunted");
    let added = ["mutant-branch-6-off-by-one", "mutant-choice-2-off-by-one"];
    for name in added {
        assert!(
            package.join(format!("data/secret/{name}.in")).is_file()
                && package.join(format!("data/secret/{name}.ans")).is_file()
        );
    }
    let second = strength_report(strength(&package, &["--no-hunt"]));
    let killed_by = |number: usize| text(&second.mutants[number - 1], "case").to_owned();
    assert_eq!([killed_by(5), killed_by(12)], added.map(|name| format!("secret/{name}")));
    assert_eq!((second.code, second.sum["killed"].as_u64()), (0, Some(9)));
}

#[test]
#[ignore = "takes ten seconds: many hunts"]
fn of_what_nothing_is_found_for_it_is_said_how_often_somebody_looked() {
    needs!("gcc");
    let (_folder, package) = larger();
    fs::remove_file(package.join("equivalent_mutants.yaml")).expect("a file can be removed");
    // The program prints the larger of two numbers. Their order does not matter, so the mutant that swaps them is
    // equivalent.
    write(&package, "submissions/accepted/branch.c", SWAPPED);
    let mut command = referee(["strength"]);
    command.arg(&package).args(["--only", "accepted/*.c", "--seconds", "5"]);
    let told = strength_report(command);
    let swapped = &told.hunts[0];
    assert_eq!((swapped["number"].as_u64(), swapped["killed"].as_bool()), (Some(2), Some(false)), "{swapped}");
    assert!(swapped["tried"].as_u64() > Some(0) && swapped["exhausted"] == false);
    assert!(told.sum["equivalent_suspected"].as_u64() > Some(0));
}

const SWAPPED: &str = r#"#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a > b ? a : b);
}
"#;

#[test]
fn a_find_of_one_survivor_kills_another_without_a_hunt() {
    needs!("gcc");
    let (_folder, package) = larger();
    // The package contains the same program under two names, so each mutation occurs twice. The declarations are
    // copied, too.
    let declared = package.join("equivalent_mutants.yaml");
    let text = fs::read_to_string(&declared).expect("it can be read");
    let of_branch = text.split("accepted/choice.py").next().expect("it begins with branch.c");
    fs::write(&declared, format!("{of_branch}{}", of_branch.replace("branch.c", "copy.c"))).expect("it can be written");
    let branch = package.join("submissions/accepted/branch.c");
    fs::copy(&branch, package.join("submissions/accepted/copy.c")).expect("a file can be copied");
    let mut command = referee(["strength"]);
    command.arg(&package).args(["--only", "accepted/*.c", "--seconds", "60"]);
    let told = strength_report(command);
    let by: Vec<_> = told.hunts.iter().filter(|hunt| hunt["killed"] == true).map(|hunt| &hunt["by_find_of"]).collect();
    assert_eq!(by, [&Value::Null, &Value::from(5)]);
}

#[test]
fn how_many_cases_are_run_on_a_mutant_that_is_killed_is_the_users_choice() {
    needs!("gcc");
    let (_folder, package) = larger();
    for (name, input, answer) in [("one", "1 9\n", "9\n"), ("two", "8 3\n", "8\n")] {
        write(&package, &format!("data/secret/{name}.in"), input);
        write(&package, &format!("data/secret/{name}.ans"), answer);
    }
    let run = |arguments: &[&str]| {
        let mut command = referee(["strength"]);
        command.arg(&package).args(["--only", "accepted/*.c", "--no-hunt"]).args(arguments);
        strength_report(command)
    };
    // The last mutant prints nothing, so all five cases kill it.
    let killers = |told: &StrengthReport| told.mutants[6]["killers"].as_u64();
    let (first, some, all) = (run(&["--until-killed"]), run(&[]), run(&["--all-cases"]));
    assert_eq!([&first, &some, &all].map(killers), [None, None, Some(5)]);
    let unknown = |told: &StrengthReport| told.sum["pairs_unknown"].as_u64();
    assert!(unknown(&some) > Some(0) && unknown(&first) > unknown(&some));
    assert_eq!(unknown(&all), Some(0));
    assert_eq!((&first.sum["minimal_cases"], &first.sum["idle_cases"]), (&Value::Null, &Value::Null));
    // The mutant without the assignment is wrong only if the first number is smaller.
    assert_eq!(all.mutants[5]["killers"], 2);
    assert_eq!(all.sum["minimal_cases"].as_array().map(Vec::len), Some(1));
    assert_eq!(all.sum["sole_killers"], serde_json::json!([]));
    strength(&package, &["--until-killed", "--all-cases"]).assert().code(2).stderr(contains("--all-cases"));
}

#[test]
fn a_mutant_that_never_ends_is_waited_for_twice_and_not_on_every_case() {
    needs!("gcc");
    let (_folder, package) = larger();
    for (name, input) in [("one", "1 9\n"), ("two", "8 9\n")] {
        write(&package, &format!("data/secret/{name}.in"), input);
        write(&package, &format!("data/secret/{name}.ans"), "9\n");
    }
    write(&package, "submissions/accepted/counts.c", COUNTS);
    let mut command = referee(["strength"]);
    command.arg(&package).args(["--only", "accepted/counts.c", "--no-hunt", "--all-cases"]);
    let told = strength_report(command);
    let endless = told.mutants.iter().find(|mutant| text(mutant, "is").ends_with("a < b) ;")).expect("it is there");
    assert_eq!((text(endless, "fate"), text(endless, "verdict"), &endless["killers"]), ("killed", "TLE", &Value::Null));
    // The mutant never ends on three of the five cases. After two timeouts it is not run on any further case, so its
    // result on at least the third of these three cases is unknown.
    let unknown = told.sum["pairs_unknown"].as_u64();
    assert!((1..=2).contains(&unknown.unwrap_or_default()), "{}", told.sum);
}

const COUNTS: &str = r#"#include <stdio.h>

int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    while (a < b) a++;
    printf("%d\n", a);
}
"#;

#[test]
fn a_mutant_that_compiles_to_the_same_is_left_out() {
    needs!("gcc", "rustc");
    let (_folder, package) = larger();
    let fates = |name: &str, source: &str| {
        let path = write(&package, &format!("submissions/accepted/{name}"), source);
        let mut command = referee(["strength"]);
        command.arg(&package).args(["--no-hunt", "--only", &format!("accepted/{name}")]);
        let told = strength_report(command);
        fs::remove_file(path).expect("a file can be removed");
        let of_spare: Vec<_> = told.mutants.iter().filter(|mutant| text(mutant, "was").contains("spare")).collect();
        assert!(!of_spare.is_empty(), "{:?}", told.mutants);
        let same = of_spare.iter().all(|mutant| mutant["fate"] == "same-code");
        (same, told.sum["same_code"].as_u64() == Some(of_spare.len() as u64))
    };
    // The compiler removes values that are never read, so these mutations do not change its output.
    assert_eq!(fates("dead.c", DEAD_IN_C), (true, true));
    assert_eq!(fates("dead.rs", DEAD_IN_RUST), (true, true));
}

const DEAD_IN_C: &str = r#"#include <stdio.h>

int main(void) {
    int a, b, spare = 5;
    (void)spare;
    if (scanf("%d %d", &a, &b) == 2) printf("%d\n", a < b ? b : a);
}
"#;

const DEAD_IN_RUST: &str = r#"fn main() {
    let _spare = 5;
    let line = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", line.split_whitespace().map(|word| word.parse::<u32>().unwrap()).max().unwrap());
}
"#;

#[test]
fn the_number_of_jobs_changes_nothing_and_the_seed_draws_the_sample() {
    needs!("python3");
    let (_folder, package) = larger();
    let run = |jobs, arguments: &[&str]| {
        let mut command = referee(["strength"]);
        command.arg(&package).args(["--only", "accepted/*.py", "--no-hunt", "--no-cache", "-j", jobs]).args(arguments);
        let mut told = strength_report(command);
        told.sum["seconds"] = Value::Null;
        (told.sum, told.mutants)
    };
    assert_eq!(run("1", &[]), run("5", &[]));
    let numbers = |seed| {
        let (sum, mutants) = run("2", &["--mutants", "3", "--seed", seed]);
        assert_eq!((sum["is_sample"].as_bool(), sum["changes"].as_u64()), (Some(true), Some(5)));
        mutants.iter().map(|mutant| mutant["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let drawn: Vec<_> = ["1", "2", "3", "4"].map(numbers).into();
    assert!(drawn.iter().all(|numbers| numbers.len() == 3 && numbers.is_sorted()));
    assert!(drawn.iter().any(|numbers| *numbers != drawn[0]) && drawn[0] == numbers("1"));
}

#[test]
fn what_was_found_out_is_remembered_until_something_is_changed() {
    needs!("gcc");
    let (folder, package) = larger();
    let cached = |arguments: &[&str]| {
        let mut command = referee(["strength"]);
        command.arg(&package).args(["--only", "accepted/*.c", "--no-hunt"]).args(arguments);
        command.env("XDG_CACHE_HOME", folder.path().join("cache"));
        let told = strength_report(command);
        let fates: Vec<_> = told.mutants.iter().map(line).collect();
        (fates, told.mutants.iter().filter(|mutant| mutant["cached"] == true).count())
    };
    let (first, none) = cached(&[]);
    let (again, all) = cached(&[]);
    assert_eq!((none, all), (0, 7));
    assert_eq!(first, again);
    assert_eq!(cached(&["--no-cache"]), (first.clone(), 0));
    // A mutant runs until three cases have killed it. So all mutants run on the new case, except the one mutant that
    // three earlier cases kill. The results of the earlier cases are cached.
    write(&package, "data/secret/near.in", "1 2\n");
    write(&package, "data/secret/near.ans", "2\n");
    let (more, one) = cached(&[]);
    assert_eq!(one, 1);
    assert!(more[4].ends_with("off-by-one killed secret/near 1"), "{}", more[4]);
    fs::remove_file(package.join("data/secret/near.in")).expect("a file can be removed");
    fs::remove_file(package.join("data/secret/near.ans")).expect("a file can be removed");
    assert_eq!(cached(&[]), (first, 7));
}

#[test]
#[ignore = "takes ten seconds: many mutants"]
fn a_declaration_is_not_taken_on_trust() {
    needs!("gcc");
    let (_folder, package) = larger();
    let declare = |text: &str| drop(write(&package, "equivalent_mutants.yaml", text));
    let run = |arguments: &[&str]| {
        let mut command = referee(["strength"]);
        command.arg(&package).args(["--only", "accepted/*.c"]).args(arguments);
        strength_report(command)
    };
    declare("accepted/branch.c:\n- was: a = b;\n  is: ;\n  because: no\n- {was: x, is: y, because: no}\n");
    let stale = run(&["--no-hunt"]);
    assert_eq!((stale.code, stale.sum["stale"].as_array().map(Vec::len)), (0, Some(2)), "{}", stale.sum);
    assert_eq!(run(&["--no-hunt", "--strict"]).code, 1);
    declare("accepted/branch.c:\n- was: if (a < b) a = b;\n  is: if (!(a < b)) a = b;\n  because: a guess\n");
    let killed = run(&["--no-hunt"]);
    assert_eq!(killed.code, 1);
    let words = killed.sum["wrongly_declared"][0].as_str().unwrap_or_default();
    assert!(
        words.contains("accepted/branch.c:6") && words.contains("sample/1") && words.contains("a guess"),
        "{words}"
    );
    // The test adds a declaration of a mutant that is not equivalent: a hunt would find an input that kills it. Without
    // --doubt, declared mutants are not hunted.
    let others =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/strength/larger/equivalent_mutants.yaml"));
    let others = others.expect("it can be read");
    declare(&others.replacen(
        "accepted/branch.c:\n",
        "accepted/branch.c:\n  - was: if (a < b) a = b;\n    is: if (a < b - 1) a = b;\n    because: a guess\n",
        1,
    ));
    let trusted = run(&[]);
    assert_eq!((trusted.code, trusted.hunts.len()), (0, 0));
    let doubted = run(&["--doubt", "--seconds", "5"]);
    assert!(doubted.hunts.iter().any(|hunt| hunt["number"] == 5 && hunt["killed"] == true));
    assert_eq!((doubted.code, doubted.sum["wrongly_declared"].as_array().map(Vec::len)), (1, Some(1)));
    declare("accepted/branch.c:\n- {was: x, is: y}\n");
    strength(&package, &[]).assert().code(2).stderr(contains("equivalent_mutants.yaml:2:3").and(contains("because")));
}

#[test]
fn a_program_that_is_wrong_as_it_is_says_nothing_and_is_told() {
    needs!("gcc", "python3");
    let (_folder, package) = larger();
    write(&package, "submissions/accepted/wrong.py", "print(int(input().split()[0]))\n");
    write(&package, "submissions/accepted/other.pas", "begin\nend.\n");
    let told = strength_report(strength(&package, &["--no-hunt"]));
    assert!(!told.mutants.is_empty(), "the other submissions are changed");
    assert!(told.mutants.iter().all(|mutant| mutant["program"] != "accepted/wrong.py"));
    let remarks = told.sum["remarks"].to_string();
    assert!(
        remarks.contains("accepted/wrong.py is not mutated: the unchanged program gets WA on secret/far"),
        "{remarks}"
    );
    assert!(remarks.contains("accepted/other.pas is not mutated"), "{remarks}");
    let nothing = "nothing*";
    let mut none = referee(["strength"]);
    let nobody =
        contains("no accepted submission and no validator has a matching name").and(contains("accepted/branch.c"));
    none.arg(&package).args(["--only", nothing]).assert().code(2).stderr(nobody);
}

#[test]
fn people_are_shown_survivors_reasons_finds_and_the_sum_in_80_columns() {
    needs!("gcc", "python3");
    let (_folder, package) = larger();
    let output = strength(&package, &["--seconds", "60"]).output().expect("referee starts");
    let text = String::from_utf8(output.stdout).expect("reports are UTF-8");
    assert_eq!(output.status.code(), Some(1), "{text}");
    for wanted in [
        "survives #5 accepted/branch.c:6:14 off-by-one\n",
        "  -    if (a < b) a = b;\n  +    if (a < b - 1) a = b;\n",
        "equivalent #4 accepted/branch.c:6:11 boundary\n",
        "  of two equal numbers either may be printed\n",
        "a hole #5 of accepted/branch.c: the data lacks this input, on which the mutant\ngets WA;",
        "input\n  1 2\nexpected\n  2\ngot\n  1\n",
        "smallest set of test cases that kills the same mutants (1): secret/far\n",
        "test cases that alone kill some mutants, with the number of these mutants (1):\nsecret/far (1)\n",
        "the data has holes: 7 of 12 mutants killed",
    ] {
        assert!(text.contains(wanted), "{wanted:?} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let quiet = strength(&package, &["-q", "--no-hunt"]).output().expect("referee starts");
    let quiet = String::from_utf8(quiet.stdout).expect("reports are UTF-8");
    assert!(
        quiet.contains("survives #5") && !quiet.contains("equivalent #4") && !quiet.contains("\nprogram "),
        "{quiet}"
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let (_folder, package) = larger();
    strength(&package, &["--mutants", "0"]).assert().code(2).stderr(contains("--mutants"));
    strength(&package, &["--seconds", "0"]).assert().code(2).stderr(contains("allowed"));
    strength(Path::new("nowhere"), &[]).assert().code(2).stderr(contains("nowhere"));
    strength(Path::new("flipgame"), &["--add"]).assert().code(2).stderr(contains("nothing can be added"));
    assert_eq!(names_in(&package.join("data/secret")).len(), 4);
}
