//! `referee strength` on realistic packages: programs in folders with links, files of earlier runs, programs with
//! undetected mistakes, declarations with typing errors.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use predicates::str::contains;
use serde_json::Value;

use super::support::command::{referee, write as write_one};
use super::support::person::copy_folder;
use super::support::program::temporary_folder;
use super::support::strength::{StrengthReport, larger, line, strength, strength_of, strength_report, text};

/// Writes files, each given by its name and its text.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        write_one(folder, name, text);
    }
}

const MAIN: &str = "from helper import choose\na, b = map(int, input().split())\nprint(choose(a, b))\n";
const HELPER: &str = "def choose(a, b):\n    return a if a > b else b\n";

/// Returns the mutants of the program `two`, in a package folder that `prepare` has changed.
fn mutants_of_two(prepare: impl Fn(&Path)) -> Vec<String> {
    let (_folder, package) = larger();
    let program = package.join("submissions/accepted/two");
    write(&program, &[("main.py", MAIN), ("helper.py", HELPER)]);
    prepare(&package);
    let told = strength_report(strength_of("accepted/two", &package, &["--no-hunt"]));
    told.mutants.iter().map(line).collect()
}

#[test]
#[ignore = "takes ten seconds: many compilations"]
fn what_lies_around_in_a_folder_of_sources_does_not_change_what_is_found_out() {
    needs!("python3");
    let plain = mutants_of_two(|_| ());
    let of_helper = |lines: &[String]| lines.iter().filter(|line| line.contains("helper.py")).count();
    assert!(of_helper(&plain) >= 2 && plain.iter().any(|line| line.contains("killed")), "{plain:?}");
    let folder = |package: &Path| package.join("submissions/accepted/two");
    // Python leaves compiled files like these beside a program that was run.
    let compiled = mutants_of_two(|package| {
        let mut python = std::process::Command::new("python3");
        let status = python.args(["-m", "compileall", "-q"]).arg(folder(package)).status().expect("python3 starts");
        assert!(status.success() && folder(package).join("__pycache__").is_dir());
    });
    assert_eq!(compiled, plain, "with compiled files beside the sources");
    let linked_file = mutants_of_two(|package| {
        fs::rename(folder(package).join("helper.py"), package.join("shared.py")).expect("a file can be moved");
        symlink("../../../shared.py", folder(package).join("helper.py")).expect("a link can be made");
    });
    let of_main: Vec<_> = plain.iter().filter(|line| line.contains("main.py")).cloned().collect();
    assert_eq!(linked_file, of_main, "with a link to a file of the package, which is not changed");
    let linked_folder = mutants_of_two(|package| {
        fs::rename(folder(package), package.join("elsewhere")).expect("a folder can be moved");
        symlink("../../elsewhere", folder(package)).expect("a link can be made");
    });
    assert_eq!(linked_folder, plain, "with a link to a folder of the package");
    let read_only = mutants_of_two(|package| {
        for name in ["main.py", "helper.py"] {
            let mode = fs::Permissions::from_mode(0o444);
            fs::set_permissions(folder(package).join(name), mode).expect("a mode can be set");
        }
    });
    assert_eq!(read_only, plain, "with sources that are not to be written");
}

#[test]
#[ignore = "takes ten seconds: many mutants"]
fn a_program_that_is_wrong_where_the_data_does_not_look_is_no_hole_for_its_mutants() {
    needs!("gcc", "python3");
    let (folder, package) = larger();
    // The submission wrong.c is wrong if the second number is larger by exactly 1. The right answers come from the
    // other accepted submissions, which precede it.
    write(&package.join("submissions/accepted"), &[("wrong.c", WRONG), ("quick.c", QUICK)]);
    let report = folder.path().join("report.jsonl");
    let mut command = strength_of("accepted/wrong.c", &package, &["--seconds", "8", "--json"]);
    // The exit code is 1 because an accepted submission is wrong.
    command.arg(&report).assert().code(1).stdout(contains("an accepted submission is wrong"));
    let lines: Vec<Value> = fs::read_to_string(&report)
        .expect("the report is there")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    let hunts: Vec<_> = lines.iter().filter(|line| text(line, "type") == "survivor_hunted").collect();
    let sum = lines.iter().find(|line| text(line, "type") == "strength_finished").expect("a sum");
    let disputed: Vec<_> = hunts.iter().filter(|hunt| text(hunt, "kind") == "jury").collect();
    assert!(!disputed.is_empty() && sum["disputed"] == disputed.len(), "{hunts:?}");
    for hunt in disputed {
        assert_eq!(hunt["killed"], false);
        assert!(
            text(hunt, "message").starts_with("the unchanged program accepted/wrong.c gets WA on this input"),
            "{hunt}"
        );
    }
    let wrong_on = |input: &str| {
        let numbers: Vec<i32> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
        numbers[1] - numbers[0] == 1
    };
    let holes: Vec<_> = hunts.iter().filter(|hunt| hunt["killed"] == true && hunt["by_find_of"].is_null()).collect();
    assert!(!holes.is_empty() && holes.iter().all(|hunt| !wrong_on(text(hunt, "input"))), "{hunts:?}");
}

const WRONG: &str = "#include <stdio.h>\n\
    int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", b - a > 1 ? b : a); }\n";

const QUICK: &str = "#include <stdio.h>\n\
    int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a < b ? b : a); }\n";

#[test]
#[ignore = "takes half a minute: many hunts"]
fn what_is_found_later_kills_what_survived_before() {
    needs!("gcc");
    let (_folder, package) = larger();
    for name in ["submissions", "input_validators", "equivalent_mutants.yaml", "data"] {
        let path = package.join(name);
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    // The first mutant is wrong on only one of a million numbers. Other mutants are wrong on this number and on all
    // larger ones.
    write(&package.join("submissions/accepted"), &[("a.c", MUCH), ("b.c", MUCH)]);
    write(&package.join("input_validators"), &[("validate.c", BELOW_A_MILLION)]);
    let cases = [("1.in", "9\n"), ("1.ans", "little\n"), ("2.in", "0\n"), ("2.ans", "little\n")];
    write(&package.join("data/secret"), &cases);
    let StrengthReport { mutants, hunts, sum, .. } =
        strength_report(strength_of("accepted/a.c", &package, &["--seconds", "8"]));
    let boundary = mutants.iter().find(|mutant| text(mutant, "is").contains("n > 73211")).expect("a boundary");
    let of_boundary: Vec<_> = hunts.iter().filter(|hunt| hunt["number"] == boundary["number"]).collect();
    let told: Vec<_> = of_boundary.iter().map(|hunt| (hunt["killed"] == true, hunt["by_find_of"].is_u64())).collect();
    assert_eq!(
        told,
        [(false, false), (true, true)],
        "expected one hunt in vain, then a kill by the input of another hunt: {hunts:?}"
    );
    let killed = hunts.iter().filter(|hunt| hunt["killed"] == true).count();
    assert_eq!(sum["holes"], killed, "each killed mutant must count once: {sum}");
    assert_eq!(
        sum["equivalent_suspected"],
        sum["mutants"].as_u64().unwrap() - sum["killed"].as_u64().unwrap() - killed as u64
    );
}

const MUCH: &str = "#include <stdio.h>\nstatic int much(int n) { return n >= 73211; }\n\
    int main(void) {\n    int n;\n    scanf(\"%d\", &n);\n    puts(much(n) ? \"much\" : \"little\");\n}\n";

const BELOW_A_MILLION: &str = "#include <stdio.h>\n#include <string.h>\n\
    int main(void) {\n    char line[16], again[16];\n    int n;\n\
    if (!fgets(line, sizeof line, stdin) || getchar() != EOF || sscanf(line, \"%6d\", &n) != 1) return 43;\n\
    snprintf(again, sizeof again, \"%d\\n\", n);\n    return n >= 0 && !strcmp(line, again) ? 42 : 43;\n}\n";

#[test]
fn a_slip_in_a_declaration_is_told() {
    needs!("python3");
    let (_folder, package) = larger();
    let declare = |text: &str| fs::write(package.join("equivalent_mutants.yaml"), text).expect("it can be written");
    let run = || strength_of("accepted/choice.py", &package, &["--no-hunt", "--strict"]);
    declare("accepted/choise.py:\n- {was: x, is: y, because: z}\n");
    let stale = strength_report(run()).sum["stale"].to_string();
    assert!(stale.contains("equivalent_mutants.yaml:2:3: no mutant of accepted/choise.py changes"), "{stale}");
    declare("accepted/branch.c:\n- {was: x, is: y, because: z}\n");
    assert_eq!(
        strength_report(run()).sum["stale"],
        serde_json::json!([]),
        "declarations of skipped mutants are not stale"
    );
    for (slip, words) in [
        ("- {was: x, is: y, because: '  '}", "`because` is empty"),
        ("- {was: x, is: y}", "`because` is missing"),
        ("- {is: y, because: z}", "`was` or `within` is missing"),
        ("- {was: x, within: y, because: z}", "cannot be combined like this"),
        ("- {was: x, is: [], because: z}", "at least one"),
    ] {
        declare(&format!("accepted/choice.py:\n{slip}\n"));
        run().assert().code(2).stderr(contains("equivalent_mutants.yaml:2:")).stderr(contains(words));
    }
    let outside = temporary_folder();
    fs::write(outside.path().join("secret"), "root:x:0:0\n").expect("a file can be written");
    fs::remove_file(package.join("equivalent_mutants.yaml")).expect("it is there");
    symlink(outside.path().join("secret"), package.join("equivalent_mutants.yaml")).expect("a link can be made");
    let output = run().output().expect("referee starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("is a link that leads out of the package, to ") && !said.contains("root:x"), "{said}");
}

#[test]
fn where_nothing_can_be_changed_or_looked_into_it_is_not_called_good() {
    needs!("python3");
    let (_folder, package) = larger();
    let only = |glob: &str| strength_of(glob, &package, &[]);
    let names = "the names are: accepted/branch.c, accepted/choice.py, input_validators/validate.c";
    only("accepted/*.cpp")
        .assert()
        .code(2)
        .stderr(contains("no accepted submission and no validator"))
        .stderr(contains(names));
    let latin = package.join("submissions/accepted/latin.py");
    fs::write(&latin, b"# \xe9\na, b = map(int, input().split())\nprint(max(a, b))\n").expect("it can be written");
    only("accepted/latin.py")
        .assert()
        .code(2)
        .stderr(contains("accepted/latin.py is not mutated: it is not UTF-8 text"));
    strength(&package, &["--no-hunt"]).assert().stdout(contains("unresolved survivors"));
    strength(&package, &["--no-hunt", "--add"]).assert().code(2).stderr(contains("cannot be used with"));
    // With an input validator that fails on every input, the hunt can judge no input.
    let picky = "import sys\nsys.exit(1)\n";
    fs::remove_file(package.join("input_validators/validate.c")).expect("it is there");
    write(&package.join("input_validators"), &[("validate.py", picky)]);
    let told = strength_report(strength_of("accepted/choice.py", &package, &["--seconds", "5"]));
    let survivors = told.mutants.iter().filter(|mutant| text(mutant, "fate") == "survived").count() as u64;
    assert!(
        survivors > 0 && told.sum["equivalent_suspected"] == 0 && told.sum["survived"] == survivors,
        "{}",
        told.sum
    );
    let is_unjudged = |hunt: &Value| hunt["tried"] == hunt["unjudged"];
    assert!(!told.hunts.is_empty() && told.hunts.iter().all(is_unjudged), "{:?}", told.hunts);
}

#[test]
fn where_there_are_scores_a_mutant_that_gets_another_score_is_noticed() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("scoring");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/judged/scoring"), &package);
    // The program prints two words. The second word, 0.5, is its score: the program gets half of the points.
    write(&package, &[("submissions/accepted/honest.py", "word = input()\nprint(word, 0.5)\n")]);
    let mut command = referee(["strength"]);
    command.arg(&package).args(["--only", "accepted/honest.py", "--no-hunt"]);
    let told = strength_report(command);
    let other = told.mutants.iter().find(|mutant| text(mutant, "operator") == "constant").expect("0.5 is a constant");
    assert_eq!((text(other, "fate"), text(other, "case"), text(other, "verdict")), ("killed", "sample/1", "AC"));
    assert_eq!(text(other, "message"), "the score differs from that of the unchanged program");
}

#[test]
#[ignore = "takes ten seconds: many compilations"]
fn what_does_not_compile_or_is_the_same_program_is_told_and_does_not_count() {
    needs!("gcc");
    let (_folder, package) = larger();
    let text = "#include <stdio.h>\nenum { ONE = 4 / (3 - 2) - 3 };\nint main(void) {\n    int a, b;\n    \
                scanf(\"%d %d\", &a, &b);\n    printf(\"%d\\n\", (a > b ? a : b) * ONE);\n}\n";
    write(&package, &[("submissions/accepted/one.c", text)]);
    let of_one = |arguments: &[&str]| strength_of("accepted/one.c", &package, &[&["--no-hunt"], arguments].concat());
    // Two mutants divide by a constant that is zero (2 - 2 or 3 - 3), so they do not compile. The second run uses the
    // cache.
    for _ in 0..2 {
        let told = strength_report(of_one(&[]));
        let of = |fate: &str| told.mutants.iter().filter(|mutant| mutant["fate"] == fate).map(line).collect::<Vec<_>>();
        let not = of("not-compiled");
        assert_eq!(not.len(), 2, "{:?}", told.mutants);
        assert!(not.iter().all(|line| line.starts_with("accepted/one.c:2:")), "{not:?}");
        assert_eq!(told.sum["not_compiled"], 2);
        let counted = told.sum["killed"].as_u64().unwrap() + told.sum["survived"].as_u64().unwrap();
        assert_eq!(told.sum["mutants"].as_u64(), Some(counted), "{}", told.sum);
    }
    let told = of_one(&["-v"]).output().expect("referee starts").stdout;
    let told = String::from_utf8(told).expect("what people read is UTF-8");
    for words in ["not compiled #", " accepted/one.c:2:16 arithmetic as the program", "killed #"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}
