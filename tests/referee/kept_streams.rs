//! Tests that each run of a program finds its streams as new, although a zygote keeps them from run to run.

use std::fs;
use std::path::Path;

use super::hostile::isolation;
use super::support::command::{json, of_type, write};
use super::support::files;
use super::support::person::Person;
use super::support::program::temporary_folder;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Streams\nuuid: 00000000-0000-4000-8000-0000000000b7\n\
                       limits:\n  time_limit: 5\n";

/// For an ordinary user, programs run as the owner of their streams, and can change more.
#[test]
fn a_run_that_changes_its_streams_changes_nothing_for_the_next_runs() {
    let ordinary = needs!(Person::ordinary());
    needs!("gcc", isolation(&Person::Myself), isolation(&ordinary));
    let folder = temporary_folder();
    write(folder.path(), "problem.yaml", PROBLEM);
    let data = folder.path().join("data/secret");
    fs::create_dir_all(&data).expect("a folder can be made");
    // Some runs leave their streams as they are, and some inputs are so long that no zygote keeps them.
    let words =
        ["keep 1", "keep 2", "spoil1", "keep 3", "times1", "times2", "spoil2", "spoil3", "place1", "place2", "keep 4"];
    for (index, word) in words.iter().enumerate() {
        let filler = if index % 4 == 1 { "x".repeat(40_000) } else { "x".repeat(200 * (11 - index)) };
        write(&data, &format!("{index}.in"), &format!("{word}\n{filler}\n"));
        write(&data, &format!("{index}.ans"), &format!("as new {word}\n"));
    }
    let program = folder.path().join("changes_its_streams.c");
    fs::copy(files::in_repository("tests/kept_streams/changes_its_streams.c"), &program).expect("it can be copied");
    for person in [Person::Myself, ordinary] {
        person.owns(folder.path());
        assert_eq!(verdicts(&person, folder.path(), &program), vec!["AC"; words.len()]);
    }
}

fn verdicts(person: &Person, package: &Path, program: &Path) -> Vec<String> {
    let mut command = person.referee(["grade"]);
    command.arg(package).arg(program).args(["--all-cases", "--no-cache", "-j", "1"]);
    let (_, lines) = json(command);
    of_type(&lines, "case_finished").iter().map(|case| case["verdict"].as_str().unwrap_or("?").to_owned()).collect()
}
