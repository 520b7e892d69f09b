//! Runs `referee grade --similarity` as a teacher does.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::support::command::{json, of_type, referee, settings, write};
use super::support::poll::wait_until;
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

/// A correct solution of `sum`, with a helper function.
const ANNA: &str = "\
def read_numbers():
    numbers = []
    while True:
        try:
            line = input()
        except EOFError:
            break
        for word in line.split():
            numbers.append(int(word))
    return numbers


def add_all(numbers):
    total = 0
    for index in range(len(numbers)):
        if numbers[index] != 0:
            total += numbers[index]
    return total


print(add_all(read_numbers()))
";

/// Anna's program with other names, functions in another order, another layout, comments and dead code.
const BEN: &str = "\
# My own solution
def f(liste):
  unused = 17
  s = 0
  for i in range(len(liste)):
    if liste[i] != 0:   # skip zeros
      s += liste[i]
  return s

def g():
  liste = []
  if 1 > 2:
    print('never')
  while True:
    try: zeile = input()
    except EOFError: break
    for wort in zeile.split():
      liste.append(int(wort))
  return liste

print(f(g()))
";

/// Another solution.
const CARLA: &str = "\
import sys

data = sys.stdin.read().split()
left, right = int(data[0]), int(data[1])
carry, place, result = 0, 1, 0
while left > 0 or right > 0 or carry > 0:
    digit = left % 10 + right % 10 + carry
    result += digit % 10 * place
    carry = digit // 10
    left, right, place = left // 10, right // 10, place * 10
sys.stdout.write(str(result))
";

fn class(folder: &Path, programs: &[(&str, &str)]) -> Vec<PathBuf> {
    programs.iter().map(|(name, text)| write(folder, name, text)).collect()
}

fn grade(programs: &[PathBuf], options: &[&str]) -> assert_cmd::Command {
    let mut command = referee(["grade", SUM, "--time-limit", "5", "--similarity"]);
    command.args(programs).args(options);
    command
}

fn finished(lines: &[Value]) -> Value {
    let found = of_type(lines, "similarity_finished");
    assert_eq!(found.len(), 1);
    found[0].clone()
}

#[test]
fn a_disguised_pair_is_listed_and_an_independent_program_is_not() {
    needs!("python3");
    let folder = temporary_folder();
    let programs = class(folder.path(), &[("anna.py", ANNA), ("ben.py", BEN), ("carla.py", CARLA)]);
    let (_, lines) = json(grade(&programs, &[]));
    let types: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types[types.len() - 3..], ["submission_finished", "similarity_finished", "run_finished"]);
    let found = finished(&lines);
    assert_eq!((&found["similar"], &found["compared"]), (&1.into(), &3.into()), "{found}");
    let pair = &found["pairs"][0];
    assert!(pair["a"].as_str().unwrap().ends_with("anna.py") && pair["b"].as_str().unwrap().ends_with("ben.py"));
    assert!(pair["share_of_a"].as_f64().unwrap() > 0.8, "{pair}");
    let threshold = found["threshold"].as_f64().unwrap();
    let others = found["pairs"].as_array().unwrap().iter().skip(1);
    assert!(others.clone().all(|pair| pair["similarity"].as_f64().unwrap() < threshold), "{found}");
    // The regions say where the functions are in both programs: Anna's first function is Ben's second one.
    let regions = pair["regions"].as_array().unwrap();
    let is_of_reading = |region: &&Value| region["first_line_a"].as_u64() < Some(10);
    assert!(regions.iter().filter(is_of_reading).all(|region| region["first_line_b"].as_u64() >= Some(10)), "{pair}");
}

#[test]
fn the_terminal_lists_pairs_in_words_that_accuse_nobody() {
    needs!("python3");
    let folder = temporary_folder();
    let programs = class(folder.path(), &[("anna.py", ANNA), ("ben.py", BEN), ("carla.py", CARLA)]);
    let accuses = contains("copied").or(contains("plagiar")).or(contains("cheat"));
    grade(&programs, &[])
        .assert()
        .success()
        .stdout(contains("similar programs: 1 pair, 3 compared").and(contains("of the first and")).and(accuses.not()));
    grade(&programs[1..], &[])
        .assert()
        .success()
        .stdout(contains("no similar programs: no two of 2 programs reach a similarity of").and(contains("ben.py")));
    grade(&programs[2..], &[]).assert().success().stdout(contains("no two programs can be compared"));
}

#[test]
fn code_of_the_template_does_not_count() {
    needs!("python3");
    let folder = temporary_folder();
    let end = ANNA.find("\n\nprint(").unwrap();
    let template = write(folder.path(), "given/template.py", &ANNA[..end]);
    let own = [
        "print(add_all(read_numbers()))\n",
        "numbers = read_numbers()\nif len(numbers) > 0:\n    print(add_all(numbers))\n",
    ];
    let texts = own.map(|own| format!("{}\n\n{own}", &ANNA[..end]));
    let programs = class(folder.path(), &[("anna.py", &texts[0]), ("ben.py", &texts[1])]);
    let similar = |options: &[&str]| finished(&json(grade(&programs, options)).1);
    assert_eq!(similar(&[])["similar"], 1);
    for path in [template.as_path(), template.parent().unwrap()] {
        let found = similar(&["--template", path.to_str().unwrap()]);
        assert_eq!(found["similar"], 0, "{found}");
    }
}

#[test]
fn a_template_that_cannot_be_read_is_refused_before_judging() {
    let folder = temporary_folder();
    let programs = class(folder.path(), &[("anna.py", ANNA)]);
    let text = write(folder.path(), "notes.txt", "hello");
    for (path, what) in [(Path::new("missing.py"), "No such file"), (text.as_path(), "no source of a known language")] {
        grade(&programs, &["--template", path.to_str().unwrap()])
            .assert()
            .code(2)
            .stderr(contains("--template").and(contains(what)));
    }
    let mut alone = referee(["grade", SUM, "--template"]);
    alone.args([&text, &programs[0]]).assert().code(2).stderr(contains("--similarity"));
    grade(&programs, &["--partition", "1/2"]).assert().code(2).stderr(contains("cannot be used with"));
}

#[test]
fn hostile_programs_are_named_and_stop_nothing() {
    needs!("python3");
    let folder = temporary_folder();
    let long = format!("{ANNA}# {}\n", "x".repeat(10 << 20));
    let deep = format!("print({}1{})\n", "(".repeat(50_000), ")".repeat(50_000));
    let mut programs = class(
        folder.path(),
        &[("anna.py", ANNA), ("ben.py", BEN), ("binary.py", "print(1)\0\n"), ("deep.py", &deep), ("long.py", &long)],
    );
    let link = folder.path().join("link.py");
    std::os::unix::fs::symlink(&programs[0], &link).unwrap();
    programs.push(link);
    let found = finished(&json(grade(&programs, &[])).1);
    let reasons: Vec<_> =
        found["skipped"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert!(reasons.contains(&"it is not text") && reasons.contains(&"it is a link"), "{found}");
    assert_eq!(found["cut"].as_array().unwrap().len(), 1, "{found}");
    assert!(found["similar"].as_u64() >= Some(1), "{found}");
}

/// Writes programs of which each keeps the parser busy until its budget is used up.
fn slow_programs(folder: &Path, count: usize) -> Vec<PathBuf> {
    let slow = format!("print(sum(map(int, input().split())))\n{}", "\\\n".repeat(60_000));
    (0..count).map(|number| write(folder, &format!("{number}.py"), &slow)).collect()
}

#[test]
fn the_duration_of_a_run_includes_the_comparison() {
    needs!("python3");
    let folder = temporary_folder();
    let (_, lines) = json(grade(&slow_programs(folder.path(), 2), &[]));
    let seconds = |name: &str, field: &str| of_type(&lines, name)[0][field].as_f64().unwrap();
    assert!(seconds("run_finished", "wall_seconds") > seconds("similarity_finished", "seconds"));
}

#[test]
fn an_interrupt_ends_the_comparison() {
    needs!("python3");
    // On a busy machine, the comparison of few programs can end before this test interrupts it.
    let interrupted = [20, 60, 180].into_iter().any(|count| {
        let folder = temporary_folder();
        let report = folder.path().join("r.jsonl");
        let (code, error) = interrupted_comparison(&slow_programs(folder.path(), count), &report);
        let part = folder.path().join("r.jsonl.part");
        assert!(code == 130 || (report.exists() && !part.exists()), "{code}: {error}");
        assert!(
            code != 130 || (error.contains("hint: to continue, run:") && part.exists() && !report.exists()),
            "{error}"
        );
        code == 130
    });
    assert!(interrupted, "each comparison came to its end");
}

/// Grades the programs, and interrupts the comparison that follows. Returns the exit code and the standard error.
fn interrupted_comparison(programs: &[PathBuf], report: &Path) -> (i32, String) {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", SUM, "--time-limit", "5", "--similarity", "--json"])
        .arg(report)
        .args(programs)
        .env("XDG_CONFIG_HOME", settings().join("config"))
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let part = report.with_extension("jsonl.part");
    wait_until("the programs are judged", || {
        let text = fs::read_to_string(&part).or_else(|_| fs::read_to_string(report));
        text.is_ok_and(|text| text.matches("submission_finished").count() == programs.len())
    });
    // The process can have ended already.
    let _ = kill_process(Pid::from_child(&child), Signal::TERM);
    let code = child.wait().unwrap().code().expect("it ended by itself");
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    (code, error)
}

#[test]
fn merging_leaves_the_pairs_out_and_says_so() {
    needs!("python3");
    let folder = temporary_folder();
    let programs = class(folder.path(), &[("anna.py", ANNA), ("ben.py", BEN)]);
    let report = folder.path().join("r.jsonl");
    grade(&programs, &["--json", report.to_str().unwrap()]).assert().success();
    assert!(fs::read_to_string(&report).unwrap().contains("similarity_finished"));
    let merged = folder.path().join("all.jsonl");
    referee([Path::new("merge"), &report, Path::new("--json"), &merged])
        .assert()
        .success()
        .stderr(contains("similar programs are left out"));
    assert!(!fs::read_to_string(&merged).unwrap().contains("similarity_finished"));
}

#[test]
fn the_page_has_both_sources() {
    needs!("python3");
    let folder = temporary_folder();
    let evil =
        ANNA.replace("total", "total_script").replace("print(", "print(  # </script><script>alert(1)</script>\n");
    let programs = class(folder.path(), &[("anna.py", &evil), ("ben.py", BEN), ("carla.py", CARLA)]);
    let page = folder.path().join("class.html");
    grade(&programs, &["--html", page.to_str().unwrap()]).assert().success();
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(page.matches("{\"type\":\"similar_source\"").count(), 2, "the source of Carla is not in the page");
    assert!(page.contains("total_script") && !page.contains("<script>alert"));
}
