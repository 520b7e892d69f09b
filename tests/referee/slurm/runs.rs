//! Runs in which all goes well.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::super::support::command::{json, without_measurements};
use super::fake::FakeSlurm;

pub(super) const SUM: &str = "tests/packages/judged/sum";

/// Writes these programs into the folder of the test, and returns their paths. `right` and `wrong` are Python programs,
/// one of which adds the numbers of its input.
pub(super) fn programs(slurm: &FakeSlurm, kinds: &[&str]) -> Vec<String> {
    fs::create_dir_all(slurm.file("")).expect("a folder can be made");
    let one = |(number, kind): (usize, &&str)| {
        let path = slurm.file(&format!("{number}-{kind}.py"));
        let text = if *kind == "right" { "print(sum(map(int, input().split())))\n" } else { "print(-1)\n" };
        // If the file got a new time, --resume would let all parts check their results again.
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::write(&path, text).expect("a file can be written");
        }
        path.display().to_string()
    };
    kinds.iter().enumerate().map(one).collect()
}

#[test]
fn the_merged_report_is_that_of_a_local_run_and_so_is_the_exit_code() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    let report = slurm.file("all.jsonl").display().to_string();
    let page = slurm.file("all.html").display().to_string();
    for (kinds, code) in [(&["right", "wrong", "right"][..], 1), (&["right"][..], 0)] {
        let programs = programs(&slurm, kinds);
        // The keys of results depend on the PATH, so the local run has the same one.
        let mut local = slurm.referee(&["grade", SUM, "-j", "1"]);
        local.args(&programs);
        let (expected, lines) = json(local);
        assert_eq!(expected, code);
        let mut command = slurm.referee(&["grade", SUM, "--slurm", "2", "-j", "1", "--json", &report, "--html", &page]);
        command.args(&programs).assert().code(code).stdout(contains("sandbox").and(contains("-right.py")));
        let text = fs::read_to_string(&report).expect("there is a report");
        let merged = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        assert_eq!(without_measurements(merged), without_measurements(lines));
        assert!(fs::read_to_string(&page).expect("there is a page").contains("<html"));
        assert!(!slurm.file("all.jsonl.slurm").exists(), "the working folder is removed");
    }
    assert_eq!(slurm.submissions().len(), 2);
    assert!(slurm.submissions()[0].starts_with("--parsable --array=1-2 --no-requeue "), "{:?}", slurm.submissions());
}

#[test]
fn progress_goes_to_standard_error_unless_the_user_wants_quiet() {
    needs!("python3");
    let slurm = FakeSlurm::new();
    let programs = programs(&slurm, &["right"]);
    let folder = slurm.file("parts").display().to_string();
    let words = ["grade", SUM, &programs[0], "--slurm=1%1", "--slurm-folder", &folder, "--json", "-"];
    slurm
        .referee(&words)
        .assert()
        .code(0)
        .stdout(contains("\"type\":\"run_finished\""))
        .stderr(contains("submitted job 101 with 1 task").and(contains("1 of 1 part done; 1 of 1 submission, 2 runs")));
    assert!(slurm.file("parts/part-1.jsonl").exists(), "a folder that the user named stays");
    fs::remove_dir_all(slurm.file("parts")).expect("the folder can be removed");
    slurm.referee(&words).arg("-q").assert().code(0).stderr(contains("part").not());
    assert!(slurm.submissions()[1].contains("--array=1%1 "), "{:?}", slurm.submissions());
}
