//! What cannot be judged in a Slurm job.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::super::support::command::{referee, write};
use super::super::support::program::temporary_folder;
use super::runs::SUM;

#[test]
fn options_that_make_no_sense_are_refused_with_what_to_do() {
    let program = "tests/hostile/WA/reads_nothing.c";
    for (options, what, hint) in [
        (&["--watch"][..], "--watch", "leave out --watch"),
        (&["--partition", "1/2"], "--partition", "makes the parts itself"),
        (&["--similarity"], "--similarity", "without --slurm"),
        (&["--dry-run"], "--dry-run", "leave out --slurm"),
        (&["--html-per-submission", "/tmp/referee-no-such-folder"], "--html-per-submission", "without --slurm"),
        (&["--slurm-local", "package", "--root", "tests"], "--root", "leave out --slurm-local package"),
        (&["/dev/stdin"], "/dev/stdin", "write it to a file"),
        (&["-"], "cannot read -", "write it to a file"),
    ] {
        let mut command = referee(["grade", SUM, program, "--slurm", "2", "--slurm-folder", "/tmp/referee-none"]);
        command.args(options).assert().code(2).stderr(contains(what).and(contains(hint)));
    }
}

#[test]
fn the_reports_of_the_parts_need_a_folder() {
    let run = referee(["grade", SUM, "--slurm", "2"]).assert();
    run.code(2).stderr(contains("needs a folder").and(contains("--slurm-folder DIR")));
    let run = referee(["grade", SUM, "--slurm", "2", "--json", "-"]).assert();
    run.code(2).stderr(contains("--slurm-folder DIR"));
}

#[test]
fn a_folder_with_other_files_is_not_used() {
    let folder = temporary_folder();
    write(folder.path(), "thesis.tex", "x");
    let path = folder.path().to_str().expect("UTF-8");
    let run = referee(["grade", SUM, "--slurm", "2", "--slurm-folder", path]).assert();
    run.code(2).stderr(contains("has files that are no parts of a run"));
}

#[test]
fn a_package_without_a_time_limit_needs_one() {
    let folder = temporary_folder();
    write(
        folder.path(),
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: P\nuuid: 4a9e0e0c-5b0f-4f3f-9e0e-0c5b0f4f3f9e\n",
    );
    write(folder.path(), "p/data/sample/1.in", "1\n");
    write(folder.path(), "p/data/sample/1.ans", "1\n");
    let package = folder.path().join("p").display().to_string();
    let program = write(folder.path(), "a.py", "print(1)\n").display().to_string();
    let report = folder.path().join("r").display().to_string();
    let run = referee(["grade", &package, &program, "--slurm", "2", "--json", &report]).assert();
    run.code(2).stderr(contains("states no time limit").and(contains("--time-limit SECONDS")));
}

#[test]
fn options_about_slurm_need_slurm() {
    for option in
        ["--slurm-script", "--slurm-folder=x", "--slurm-option=--mem=1G", "--slurm-local=cache", "--slurm-tries=2"]
    {
        referee(["grade", SUM, option]).assert().code(2).stderr(contains("--slurm <N[%M]>"));
    }
    referee(["grade", SUM, "--slurm", "0"]).assert().code(2).stderr(contains("allowed: N or N%M"));
}
