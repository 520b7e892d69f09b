//! The limit of open files: the judge raises it, keeps within it, and refuses to start if it is too low.

use std::path::Path;
use std::process::Command;

use super::resource_exhaustion::{RIGHT, ends, in_a_shell};
use super::support::command::{settings, write};
use super::support::program::temporary_folder;

#[test]
fn files_for_each_job_are_enough_and_too_few_are_told_before_anything_runs() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "a.py", RIGHT);
    let many = [&["a.py"; 30][..], &["-q"]].concat();
    ends(&in_a_shell("ulimit -n 288", "", folder.path(), &[&many[..], &["-j", "8"]].concat()), 0, "");
    ends(
        &in_a_shell("ulimit -n 100", "", folder.path(), &["a.py", "-j", "8"]),
        2,
        "-j 8 may need 288 open files at once, allowed by ulimit: 100",
    );
    ends(&in_a_shell("ulimit -n 100", "", folder.path(), &["a.py", "-j", "8"]), 2, "or use -j 2");
    ends(&in_a_shell("ulimit -n 100", "", folder.path(), &["a.py", "-j", "2"]), 0, "");
    // `ulimit -Sn` lowers only the soft limit, and the judge raises it again.
    ends(&in_a_shell("ulimit -Sn 30", "", folder.path(), &["a.py", "-j", "2"]), 0, "");
    ends(&in_a_shell("ulimit -n 20", "", folder.path(), &["a.py", "-j", "1"]), 2, "run `ulimit -n 64` first");
}

/// Eight jobs judge the submissions of an interactive problem, each with two programs at a time. The limit is the
/// smallest that the judge accepts for eight jobs.
#[test]
fn the_smallest_limit_of_open_files_is_enough_to_verify_an_interactive_package() {
    needs!("python3");
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/judged/scoring-talks");
    let verified = |limit: u32| {
        let script = format!("ulimit -n {limit}; exec \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_referee"), "verify", "--no-cache", "-j", "8"]);
        shell.env("XDG_CONFIG_HOME", settings().join("config")).env("XDG_CACHE_HOME", settings().join("cache"));
        shell.arg(&package).output().expect("it starts")
    };
    // The package's submissions do not all get the declared verdict, so the exit code is 1.
    let output = verified(288);
    ends(&output, 1, "");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("not all as expected: 6 submissions judged, 36 runs"), "{said}");
    assert!(!said.contains("could not be judged"), "{said}");
    ends(&verified(287), 2, "allowed by ulimit: 287");
}
