//! Compiled programs are cached for the next run, and the cache never returns a wrong or damaged program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, names_in, of_type, referee, write};
use super::support::program::{has, temporary_folder};

const SUM: &str = "tests/packages/judged/sum";

/// A program that solves the package [`SUM`].
const ADD: &str = "#include <stdio.h>\n#ifndef SIGN\n#define SIGN +\n#endif\n\
                   int main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a SIGN b); }\n";

fn grade(program: &Path, cache: &Path) -> Command {
    let mut command = referee(["grade", SUM]);
    command.arg(program).env("XDG_CACHE_HOME", cache);
    command
}

/// Returns whether the program was in the cache, and its verdict.
fn judged(command: Command) -> (bool, String) {
    let (_, lines) = json(command);
    let cached = of_type(&lines, "build_finished")[0]["cached"].as_bool().expect("it is known");
    (cached, of_type(&lines, "submission_finished")[0]["verdict"].as_str().unwrap_or_default().to_owned())
}

fn builds(cache: &Path) -> PathBuf {
    cache.join("referee/builds")
}

fn ac(cached: bool) -> (bool, String) {
    (cached, "AC".to_owned())
}

#[test]
fn a_program_is_compiled_once_until_something_that_it_is_made_of_changes() {
    needs!("gcc");
    let folder = temporary_folder();
    let (program, cache) = (write(folder.path(), "add.c", ADD), folder.path().join("cache"));
    assert_eq!(judged(grade(&program, &cache)), ac(false));
    assert_eq!(judged(grade(&program, &cache)), ac(true));
    // A renamed source is compiled again, because the compiler's messages contain its name.
    let renamed = write(folder.path(), "sum.c", ADD);
    assert_eq!(judged(grade(&renamed, &cache)), ac(false));
    let changed = write(folder.path(), "add.c", &ADD.replace("SIGN +", "SIGN -"));
    assert_eq!(judged(grade(&changed, &cache)), (false, "WA".to_owned()));
    let options =
        "[[language]]\nid = \"c\"\ncompile = [\"{tool:gcc}\", \"-DSIGN=*\", \"-o\", \"{binary}\", \"{sources}\"]\n";
    let options = write(folder.path(), "options.toml", options);
    let mut other_options = grade(&renamed, &cache);
    other_options.arg("--languages").arg(options);
    assert_eq!(judged(other_options), (false, "WA".to_owned()));
    assert_eq!(judged(grade(&renamed, &cache)), ac(true));
    let mut lower_walls = grade(&renamed, &cache);
    lower_walls.args(["--sandbox", "off"]);
    assert_eq!(judged(lower_walls), ac(false));
}

#[test]
fn whoever_wants_no_cache_neither_reads_nor_fills_it() {
    needs!("gcc");
    let folder = temporary_folder();
    let (program, cache) = (write(folder.path(), "add.c", ADD), folder.path().join("cache"));
    let without = || {
        let mut command = grade(&program, &cache);
        command.arg("--no-cache");
        judged(command)
    };
    assert_eq!(without(), ac(false));
    // Without the cache, the judge still remembers the compiler's version and options, and what the machine enforces.
    assert_eq!(names_in(&cache.join("referee")), ["sandbox", "tools"]);
    assert_eq!(judged(grade(&program, &cache)), ac(false));
    assert_eq!(without(), ac(false));
}

#[test]
fn a_damaged_entry_is_compiled_again() {
    needs!("gcc");
    let folder = temporary_folder();
    let (program, cache) = (write(folder.path(), "add.c", ADD), folder.path().join("cache"));
    assert_eq!(judged(grade(&program, &cache)), ac(false));
    let entry = builds(&cache).join(&names_in(&builds(&cache))[0]);
    fs::write(entry.join("files/program.out"), "#!/bin/sh\necho 0\n").expect("an entry can be damaged");
    // Without cached results, the judge must run the program, so it reads the damaged entry.
    fs::remove_dir_all(cache.join("referee/results")).expect("results can be removed");
    assert_eq!(judged(grade(&program, &cache)), ac(false));
    assert_eq!(judged(grade(&program, &cache)), ac(true));
}

/// Returns whether the compile error was in the cache, and the compiler's message.
fn compile_error(command: Command) -> (bool, String) {
    let (_, lines) = json(command);
    let finished = &of_type(&lines, "submission_finished")[0];
    assert_eq!(finished["verdict"], "CE");
    let build = &of_type(&lines, "build_finished")[0];
    (build["cached"].as_bool().expect("it is known"), build["message"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn an_error_in_the_source_is_found_once_until_the_source_changes() {
    needs!("gcc");
    let folder = temporary_folder();
    let (program, cache) = (write(folder.path(), "half.c", "int main(void) {\n"), folder.path().join("cache"));
    let (was_cached, message) = compile_error(grade(&program, &cache));
    assert!(!was_cached && message.contains("half.c:1:"), "{message}");
    assert_eq!(compile_error(grade(&program, &cache)), (true, message.clone()));
    let told = contains("1 compile error is from an earlier compilation; --no-cache compiles again");
    grade(&program, &cache).assert().code(1).stdout(told);
    assert_eq!(names_in(&builds(&cache)), Vec::<String>::new());
    let without_cache = || {
        let mut command = grade(&program, &cache);
        command.arg("--no-cache");
        command
    };
    assert_eq!(compile_error(without_cache()), (false, message));
    let changed = write(folder.path(), "half.c", "int main(void) {\n\n");
    assert!(!compile_error(grade(&changed, &cache)).0);
    let whole = write(folder.path(), "half.c", ADD);
    assert_eq!(judged(grade(&whole, &cache)), ac(false));
}

#[test]
fn an_error_that_may_be_about_the_machine_is_not_kept() {
    needs!("gcc");
    let folder = temporary_folder();
    let text = "#include <not_installed_yet.h>\nint main(void) { return 0; }\n";
    let (program, cache) = (write(folder.path(), "early.c", text), folder.path().join("cache"));
    for _ in 0..2 {
        let (was_cached, message) = compile_error(grade(&program, &cache));
        assert!(!was_cached && message.contains("No such file or directory"), "{message}");
    }
}

#[test]
fn without_a_place_for_a_cache_programs_are_compiled_and_only_the_curious_are_told() {
    needs!("gcc");
    let folder = temporary_folder();
    let program = write(folder.path(), "add.c", ADD);
    let file = write(folder.path(), "file", "");
    let homeless = || {
        let mut command = grade(&program, folder.path());
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
        command
    };
    for (make, why) in [
        (&homeless as &dyn Fn() -> Command, "neither XDG_CACHE_HOME nor HOME is an absolute path; set one of them"),
        (&|| grade(&program, &file), "/file: not a directory"),
    ] {
        let told = contains("nothing is cached: ").and(contains(why));
        make().arg("-v").assert().code(0).stderr(told);
        make().assert().code(0).stderr(predicates::str::is_empty());
        assert_eq!(judged(make()), ac(false), "{why}");
    }
}

#[test]
fn judges_that_run_at_the_same_time_share_the_cache() {
    needs!("gcc");
    let folder = temporary_folder();
    let (program, cache) = (write(folder.path(), "add.c", ADD), folder.path().join("cache"));
    let start = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(["grade", SUM]).arg(&program).env("XDG_CACHE_HOME", &cache);
        command.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::null()).spawn().expect("referee starts")
    };
    let judges: Vec<_> = (0..4).map(|_| start()).collect();
    for mut judge in judges {
        assert!(judge.wait().expect("it can be waited for").success());
    }
    assert_eq!(names_in(&builds(&cache)).len(), 1, "one entry, and nothing that is no entry");
    assert_eq!(judged(grade(&program, &cache)), ac(true));
}

#[test]
fn languages_whose_programs_are_more_than_one_file_come_back_whole() {
    let folder = temporary_folder();
    let cache = folder.path().join("cache");
    for (tool, program) in [
        ("javac", "tests/languages/java/accepted/two_files"),
        ("python3", "tests/languages/python3/accepted/folder"),
        ("rustc", "tests/languages/rust/accepted/two_files"),
        ("node", "tests/languages/javascript/accepted/two_files"),
    ] {
        if has(tool, program) {
            let program = Path::new(program);
            let verdicts = [false, true].map(|_| {
                let mut command = grade(program, &cache);
                command.args(["--time-limit", "5"]);
                judged(command)
            });
            assert_eq!(verdicts, [ac(false), ac(true)], "{tool}");
        }
    }
}
