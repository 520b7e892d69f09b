//! Programs that the user names on the command line of `grade`.

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

#[test]
fn options_for_the_packages_own_submissions_are_refused_with_a_program() {
    for option in ["--stop-early", "--strict"] {
        referee(["grade", SUM, "solver.py", option])
            .assert()
            .code(2)
            .stderr(contains(format!("{option} is for the package's own submissions; solver.py is a program of yours")))
            .stderr(contains(format!("hint: leave out {option}: ")));
    }
}

#[test]
fn a_package_is_not_suggested_as_a_program() {
    let folder = temporary_folder();
    write(folder.path(), "nosub/problem.yaml", "name: A\n");
    write(folder.path(), "nosub/data/secret/1.in", "1\n");
    write(folder.path(), "nosub/data/secret/1.ans", "1\n");
    let mut command = referee(["grade", "nosub", "nosuch.py"]);
    command.current_dir(folder.path()).assert().code(2).stderr(contains("nosuch.py: ").and(contains("did you").not()));
}
