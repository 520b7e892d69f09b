//! Programs in every known language. tests/languages/<id>/ is used as the `submissions` folder of a package: its
//! subfolders name the expected verdicts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use predicates::str::contains;
use referee_language::Table;
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::files;
use super::support::person::{Person, copy_folder};
use super::support::program::{print_skipped, temporary_folder};

const SUM: &str = "tests/packages/judged/sum";

/// The languages that continuous integration must have.
const NEEDED: [&str; 9] = ["c", "cpp", "java", "python3", "rust", "javascript", "bash", "awk", "perl"];

/// Entries of tests/languages that are not folders of a language.
const OTHERS: [&str; 2] = ["install", "package"];

const ENDINGS: [(&str, &str); 5] = [
    ("accepted", "AC"),
    ("wrong_answer", "WA"),
    ("run_time_error", "RTE"),
    ("time_limit_exceeded", "TLE"),
    ("compile_error", "CE"),
];

fn ids() -> Vec<String> {
    let mut ids = names_in(&files::in_repository("tests/languages"));
    ids.retain(|id| !OTHERS.contains(&id.as_str()));
    ids
}

/// Creates a package whose submissions are the programs in the subfolders `folders` of tests/languages/`id`. Returns
/// its temporary folder and its path.
fn package(id: &str, folders: &[&str]) -> (TempDir, PathBuf) {
    let (folder, languages) = (temporary_folder(), files::in_repository("tests/languages"));
    let package = folder.path().join("package");
    copy_folder(&languages.join("package"), &package);
    for part in folders.iter().chain(&["submissions.yaml"]).map(|part| languages.join(id).join(part)) {
        if part.exists() {
            copy_folder(&part, &package.join("submissions").join(part.file_name().expect("it has a name")));
        }
    }
    (folder, package)
}

fn judged(person: &Person, id: &str, folders: &[&str]) -> Option<Vec<(String, String)>> {
    judged_without(person, id, folders, "")
}

/// Judges the programs with the mechanisms of the sandbox in `without` turned off. Returns `None` and prints a note if a
/// tool is missing.
fn judged_without(person: &Person, id: &str, folders: &[&str], without: &str) -> Option<Vec<(String, String)>> {
    let (_folder, package) = package(id, folders);
    // The start of a Java virtual machine takes nearly a second, and longer beside other programs.
    let limit = if ["java", "kotlin"].contains(&id) { "2" } else { "1" };
    let mut command = person.referee(["grade", "-j", "2", "--time-limit", limit]);
    command.arg(package).env("REFEREE_SANDBOX_WITHOUT", without);
    if !without.is_empty() {
        // Without a private root, the user of programs cannot enter closed folders.
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    }
    let (code, lines) = json(command);
    assert!(!of_type(&lines, "run_finished").is_empty(), "{id} was judged to the end, with exit code {code}");
    if let Some(skipped) = of_type(&lines, "submission_skipped").first() {
        print_skipped(&format!("the programs in {id}: {}", skipped["reason"]));
        return None;
    }
    let text = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let finished = of_type(&lines, "submission_finished");
    Some(finished.iter().map(|line| (text(line, "submission"), text(line, "verdict"))).collect())
}

/// Returns the programs that did not get the verdict that their folder names.
fn with_another_verdict(judged: &[(String, String)]) -> Vec<&(String, String)> {
    let endings = BTreeMap::from(ENDINGS);
    let wanted = |name: &str| endings.get(name.split('/').next().unwrap_or_default()).copied();
    judged.iter().filter(|(name, verdict)| wanted(name) != Some(verdict)).collect()
}

#[test]
fn every_language_of_the_table_has_programs_that_test_it() {
    let table = Table::load(&[]).expect("the built-in table is sound");
    let mut known: Vec<_> = table.languages.iter().map(|language| language.id.clone()).collect();
    known.sort();
    assert_eq!(ids(), known);
    for id in known {
        let folders = names_in(&files::in_repository("tests/languages").join(&id));
        for wanted in ["accepted", "wrong_answer", "run_time_error", "time_limit_exceeded"] {
            assert!(folders.iter().any(|folder| folder == wanted), "{id} has no {wanted}");
        }
    }
}

#[test]
fn programs_in_every_language_end_as_their_folder_says() {
    for id in ids() {
        match judged(&Person::Myself, &id, &ENDINGS.map(|(folder, _)| folder)) {
            Some(judged) => {
                assert!(judged.len() >= 4, "{id}: {judged:?}");
                assert_eq!(with_another_verdict(&judged), Vec::<&(String, String)>::new(), "{id}");
            }
            None => assert!(may_be_missing(&id), "the tools of {id} are missing, and CI is set"),
        }
    }
}

/// Returns whether the tools of a language may be missing. In continuous integration, .ci/run installs the tools of all
/// languages in [`NEEDED`], so these tools may not be missing there.
fn may_be_missing(id: &str) -> bool {
    std::env::var_os("CI").is_none() || !NEEDED.contains(&id)
}

#[test]
#[ignore = "takes half a minute: every language again"]
fn an_ordinary_user_has_the_same_languages() {
    let person = needs!(Person::ordinary());
    for id in ids() {
        let Some(judged) = judged(&person, &id, &["accepted", "run_time_error"]) else {
            // rustup installs into a home folder, and other users cannot read that folder.
            assert!(id == "rust" || may_be_missing(&id), "the tools of {id} are missing, and CI is set");
            continue;
        };
        assert!(judged.len() >= 2, "{id}: {judged:?}");
        assert_eq!(with_another_verdict(&judged), Vec::<&(String, String)>::new(), "{id}");
    }
}

/// Landlock shows an existing file that a program may not open. Some runtimes fail at such a file, but not at a missing
/// one.
#[test]
#[ignore = "takes half a minute: every language again"]
fn without_namespaces_the_languages_are_the_same() {
    for id in ids() {
        if let Some(judged) = judged_without(&Person::Myself, &id, &["accepted"], "namespaces") {
            assert_eq!(with_another_verdict(&judged), Vec::<&(String, String)>::new(), "{id}");
        }
    }
}

/// A language whose programs print their own source. Its tool, cat, exists on every machine.
const LITERAL: &str = "[[language]]\nid = \"literal\"\nname = \"Literal\"\nendings = [\"literal\"]\n\
                       run = [\"{tool:cat}\", \"{main}\"]\n\
                       [[tool]]\nname = \"cat\"\ninstall = \"apt-get install coreutils\"\n";

/// A program that is right on the first case of [`SUM`].
fn literal(folder: &Path) -> PathBuf {
    let answer = std::fs::read_to_string(files::in_repository(SUM).join("data/secret/1.ans"));
    write(folder, "sum.literal", &answer.expect("the answer can be read"))
}

#[test]
fn a_language_of_ones_own_comes_from_a_file_on_the_command_line_or_in_the_users_settings() {
    let folder = temporary_folder();
    let program = literal(folder.path());
    let own = write(folder.path(), "settings/referee/languages.toml", LITERAL);
    let grade = || referee(["grade", SUM, "--cases", "secret/1"]);
    grade().arg(&program).assert().code(2).stderr(contains("neither a source of a known language"));
    grade().arg(&program).arg("--languages").arg(&own).assert().code(0).stdout(contains("✓ AC"));
    let settings = folder.path().join("settings");
    grade().arg(&program).env("XDG_CONFIG_HOME", &settings).assert().code(0).stdout(contains("✓ AC"));
    referee(["doctor", "--languages"]).arg(&own).assert().code(0).stdout(contains("  Literal         cat       cat ("));
}

#[test]
fn a_file_of_languages_is_laid_over_the_one_before() {
    let folder = temporary_folder();
    let program = literal(folder.path());
    let first = write(folder.path(), "first.toml", LITERAL);
    let second = write(folder.path(), "second.toml", "[[language]]\nid = \"literal\"\nrun = [\"/bin/false\"]\n");
    for (files, exit, verdict) in [([&first, &second], 1, "RTE"), ([&second, &first], 0, "AC")] {
        let mut command = referee(["grade", SUM, "--cases", "secret/1"]);
        command.arg(&program).args(files.iter().flat_map(|file| [Path::new("--languages"), file.as_path()]));
        let (code, lines) = json(command);
        assert_eq!((code, &of_type(&lines, "submission_finished")[0]["verdict"]), (exit, &Value::from(verdict)));
    }
}

#[test]
fn the_options_of_a_compiler_can_be_changed() {
    needs!("gcc");
    let folder = temporary_folder();
    let text = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a SIGN b); }\n";
    let program = write(folder.path(), "sum.c", text);
    let own =
        "[[language]]\nid = \"c\"\ncompile = [\"{tool:gcc}\", \"-DSIGN=+\", \"-o\", \"{binary}\", \"{sources}\"]\n";
    let own = write(folder.path(), "own.toml", own);
    referee(["grade", SUM]).arg(&program).assert().code(1).stdout(contains("✗ CE"));
    referee(["grade", SUM, "--languages"]).args([own, program]).assert().code(0).stdout(contains("✓ AC"));
}

/// A C program that adds two numbers and fails if the kernel loaded a dynamic linker for it.
const STATIC_SUM: &str = "#include <stdio.h>\n#include <sys/auxv.h>\nint main(void) { int a, b; \
                          scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); return getauxval(AT_BASE) != 0; }\n";

#[test]
fn programs_are_linked_statically_and_the_report_says_where_that_is_impossible() {
    needs!("gcc", "g++");
    let folder = temporary_folder();
    let without = |choice: &str| {
        let text = format!("[[choice]]\nname = {choice:?}\nalternatives = [[\"-lno_such_library\"], []]\n");
        write(folder.path(), &format!("{choice}.toml"), &text)
    };
    for (name, choice) in [("sum.c", "static C"), ("sum.cpp", "static C++")] {
        let program = write(folder.path(), name, STATIC_SUM);
        let graded = |options: &[&Path]| {
            let mut command = referee(["grade", SUM, "--cases", "secret/1"]);
            let (_, lines) = json({
                command.arg(&program).args(options);
                command
            });
            let verdict = of_type(&lines, "submission_finished")[0]["verdict"].clone();
            (verdict, of_type(&lines, "build_finished")[0]["remark"].clone())
        };
        assert_eq!(graded(&[]), (Value::from("AC"), Value::Null), "{name}");
        let diagnosed = referee(["doctor", "--languages"]).arg(without(choice)).assert().code(0);
        diagnosed.stdout(contains("remark    linked dynamically, so it starts more slowly"));
        let (verdict, remark) = graded(&[Path::new("--languages"), &without(choice)]);
        assert_eq!(verdict, "RTE", "the program has a dynamic linker");
        assert!(remark.as_str().is_some_and(|text| text.starts_with("linked dynamically, so it starts")), "{remark}");
    }
}

#[test]
fn a_file_of_languages_that_cannot_be_used_is_refused_with_its_place() {
    let folder = temporary_folder();
    let own = write(folder.path(), "own.toml", "[[language]]\nid = \"c\"\ncompiler = [\"gcc\"]\n");
    for command in [["grade", SUM].as_slice(), &["doctor"]] {
        referee(command)
            .arg("--languages")
            .arg(&own)
            .assert()
            .code(2)
            .stderr(contains("own.toml:3:1: unknown field `compiler`, expected one of `id`, `name`, `endings`"));
    }
    referee(["doctor", "--languages", "/no/such.toml"])
        .assert()
        .code(2)
        .stderr(contains("/no/such.toml: cannot be read"));
}

#[test]
fn a_declared_main_file_that_is_not_there_is_told() {
    let (_folder, package) = package("python3", &["accepted"]);
    write(&package, "submissions/submissions.yaml", "accepted/sum.py:\n  entrypoint: total.py\n");
    let mut command = referee(["grade"]);
    command.arg(package);
    let (code, lines) = json(command);
    let failed: Vec<_> = of_type(&lines, "build_finished").into_iter().filter(|line| line["ok"] == false).collect();
    assert_eq!((code, failed.len()), (1, 1), "{lines:?}");
    let message = failed[0]["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("the declared entry point \"total.py\" is not one of the Python 3 source files"),
        "{message}"
    );
}

/// A program that prints the name of the interpreter that runs it: `cpython` or `pypy`.
const WHICH: &str = "import sys\nprint(sys.implementation.name)\n";

/// Writes a package whose answer is `pypy`, with the program [`WHICH`]. Returns its path.
fn package_that_wants_pypy(folder: &Path, version: &str) -> String {
    let package = folder.join(format!("which{}", &version[..4].replace('-', "")));
    write(&package, "problem.yaml", &format!("problem_format_version: {version}\nname: Which\nuuid: 0c6a\n"));
    write(&package, "data/secret/1.in", "\n");
    write(&package, "data/secret/1.ans", "pypy\n");
    write(&package, "submissions/accepted/which.py", WHICH);
    package.to_str().expect("it is text").to_owned()
}

/// Grades the package with a time limit. Returns the verdict, the language and the remark on the build.
fn graded_which(package: &str, options: &[&str]) -> (Value, Value, Value) {
    let mut command = referee(["grade", package, "--time-limit", "5", "--no-cache"]);
    command.args(options);
    let (_, lines) = json(command);
    let (built, finished) = (of_type(&lines, "build_finished")[0], of_type(&lines, "submission_finished")[0]);
    (finished["verdict"].clone(), built["language"].clone(), built["remark"].clone())
}

#[test]
fn python_runs_with_pypy_in_older_packages_and_as_other_judges_do() {
    needs!("python3", "pypy3");
    let folder = temporary_folder();
    let pypy = |of: (Value, Value, Value)| {
        assert_eq!((of.0, of.1), (Value::from("AC"), Value::from("Python 3 (PyPy)")));
        assert_eq!(of.2, "run with Python 3 (PyPy), as on Kattis and DOMjudge");
    };
    for version in ["legacy", "2023-07"] {
        pypy(graded_which(&package_that_wants_pypy(folder.path(), version), &[]));
    }
    let current = package_that_wants_pypy(folder.path(), "2025-09");
    assert_eq!(graded_which(&current, &[]), (Value::from("WA"), Value::from("Python 3"), Value::Null));
    for judge in ["kattis", "domjudge"] {
        pypy(graded_which(&current, &["--as", judge]));
    }
}

#[test]
fn where_pypy_is_missing_the_report_says_that_verdicts_may_differ() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "own.toml", "[[tool]]\nname = \"pypy3\"\ncommands = [\"/nowhere/pypy3\"]\n");
    let own = folder.path().join("own.toml");
    let package = package_that_wants_pypy(folder.path(), "legacy");
    let options = ["--languages", own.to_str().expect("it is text")];
    let (verdict, language, remark) = graded_which(&package, &options);
    assert_eq!((verdict, language), (Value::from("WA"), Value::from("Python 3")));
    let remark = remark.as_str().expect("the remark is there");
    assert!(remark.contains("verdicts near the time limit may differ; pypy3 is not installed"), "{remark}");
    let mut command = referee(["grade", &package, "--time-limit", "5"]);
    command.args(options).assert().code(1).stdout(contains("run with Python 3, but Kattis and DOMjudge use"));
    write(folder.path(), "own.toml", "[[language]]\nid = \"python3\"\nsubstitute = \"\"\n");
    assert_eq!(graded_which(&package, &options).2, Value::Null, "the user can turn it off");
}

/// GCC reads `@name` as a file of options, Python cannot compile a file with a very long name, and rustc derives the
/// name of a crate from the name of the file.
#[test]
fn names_that_compilers_misread_do_not_matter_and_messages_show_them() {
    needs!("gcc", "python3");
    let folder = temporary_folder();
    let c = "#include <stdio.h>\nint add(int, int);\n\
             int main(void) { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";
    write(folder.path(), "options/@util.c", c);
    write(folder.path(), "options/util.c", "int add(int a, int b) { return a + b; }\n");
    let long = "n".repeat(240) + ".py";
    write(folder.path(), &long, "print(sum(map(int, input().split())))\n");
    write(folder.path(), "@wrong.c", "int main(void) { return nothing; }\n");
    let mut command = referee(["grade", SUM]);
    command.args(["options", long.as_str(), "@wrong.c"].map(|name| folder.path().join(name)));
    let (_, lines) = json(command);
    let verdicts: Vec<_> = of_type(&lines, "submission_finished").iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, ["AC", "AC", "CE"], "{lines:?}");
    let message = of_type(&lines, "build_finished")[2]["message"].as_str().expect("the compiler says why");
    assert!(message.starts_with("@wrong.c: In function") && !message.contains("referee_source"), "{message}");
}
