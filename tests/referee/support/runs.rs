//! Runs that together produce every kind of event and every result, with all reports. They take half a minute, so all
//! tests share them.

use std::fs;
use std::sync::LazyLock;

use super::command::referee;
use super::program::temporary_folder;

const RUNS: [&[&str]; 11] = [
    &["grade", "tests/packages/judged/rules"],
    &["grade", "tests/packages/judge-error/validator-exits-0"],
    &["grade", "tests/packages/judged/scoring-least-of-groups"],
    &["grade", "tests/packages/group-error/score-out-of-range"],
    &[
        "grade",
        "tests/packages/judged/sum",
        "tests/hostile/CE/syntax_error.py",
        "tests/hostile/RTE/raises_in_python.py",
    ],
    &["verify", "tests/packages/judged/rules", "tests/packages/judge-error/validator-exits-0"],
    &["generate", "tests/generators/everything"],
    &["crosscheck", "flipgame", "--boards", "20"],
    &["crosscheck", "swapgame", "solitaire", "--boards", "5"],
    &["hunt", "tests/hunt/gap", "tests/hunt/programs/neighbours.c"],
    &["strength", "tests/strength/larger", "--only", "accepted/*.c", "--seconds", "1"],
];

/// The reports of one run in all formats.
pub(crate) struct RunReports {
    pub(crate) arguments: &'static [&'static str],
    pub(crate) people: String,
    pub(crate) json: String,
    pub(crate) junit: String,
    pub(crate) html: String,
}

/// Returns all runs. Python must be installed.
pub(crate) fn all() -> &'static [RunReports] {
    static ALL: LazyLock<Vec<RunReports>> = LazyLock::new(|| RUNS.into_iter().map(ran).collect());
    &ALL
}

fn ran(arguments: &'static [&'static str]) -> RunReports {
    let folder = temporary_folder();
    let file = |name: &str| folder.path().join(name);
    let mut command = referee(arguments);
    for kind in ["json", "junit", "html"] {
        command.arg(format!("--{kind}")).arg(file(kind));
    }
    let output = command.env("COLUMNS", "80").output().expect("referee starts");
    let report = |name: &str| fs::read_to_string(file(name)).expect("the report is there, in UTF-8");
    RunReports {
        arguments,
        people: String::from_utf8(output.stdout).expect("what people read is UTF-8"),
        json: report("json"),
        junit: report("junit"),
        html: report("html"),
    }
}
