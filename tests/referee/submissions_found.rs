//! Submissions of a package that are judged, and held to their declaration, however their files lie there.

use std::os::unix::fs::symlink;

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{json, of_type, referee, write};
use super::support::patient::patient_sum;
use super::support::program::{has, temporary_folder};

#[test]
fn linked_sources_and_lines_that_end_with_cr_lf_are_held_to_their_tags_and_disabled_programs_are_not_judged() {
    if !has("python3", "submissions in Python") {
        return;
    }
    let folder = temporary_folder();
    let package = patient_sum(folder.path());
    let right = "print(sum(map(int, input().split())))\n";
    write(&package, "attachments/shared.py", right);
    std::fs::create_dir_all(package.join("submissions/accepted/linked")).expect("a folder can be made");
    symlink("../../../attachments/shared.py", package.join("submissions/accepted/linked/main.py")).expect("a link");
    // It is right, and its tag says that it is wrong.
    write(&package, "submissions/mixed/tagged.py", &format!("# @EXPECTED_RESULTS@: WRONG-ANSWER\r\n{right}"));
    symlink("tagged.py", package.join("submissions/mixed/tagged_link.py")).expect("a link can be made");
    write(&package, "submissions/accepted/off.disabled/a.py", "print(0)\n");
    let mut command = referee(["grade", "--time-limit", "10"]);
    command.arg(&package);
    let (code, lines) = json(command);
    let ends = of_type(&lines, "submission_finished").into_iter();
    let ends: Vec<_> = ends.map(|line| (line["submission"].as_str(), line["as_wanted"].as_bool())).collect();
    let wanted = [
        ("accepted/linked", true),
        ("accepted/sum.py", true),
        ("mixed/tagged.py", false),
        ("mixed/tagged_link.py", false),
    ];
    assert_eq!((code, ends), (1, wanted.map(|(name, as_wanted)| (Some(name), Some(as_wanted))).to_vec()));
    let mut command = referee(["grade", "--time-limit", "10", "-v"]);
    command.arg(&package).env("COLUMNS", "400");
    command.assert().code(1).stderr(
        contains("off.disabled: is not judged: a name that ends with .disabled").and(contains("attachments").not()),
    );
}
