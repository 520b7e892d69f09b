//! Tests whether a run can pass information to a later run. The programs in `tests/leaks` know a secret of 8 bits in
//! their first pass, but may answer only one bit. In the second pass, they must answer the whole secret.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::hostile::isolation;
use super::support::command::{json, names_in, of_type, referee, write};
use super::support::files;
use super::support::person::Person;
use super::support::program::temporary_folder;

const PROBLEM: &str = "problem_format_version: 2025-09\nname: Secret\nuuid: 00000000-0000-4000-8000-0000000000b1\n\
                       type: multi-pass\nlimits:\n  time_limit: 5\n  validation_passes: 2\n";

/// Accepts a first answer of 0 or 1 and requests a second pass, whose answer must be the secret.
const VALIDATOR: &str = "import os, sys\n\
                         said, seen = sys.stdin.read().strip(), sys.argv[3] + \"/seen\"\n\
                         if os.path.exists(seen):\n    \
                             sys.exit(42 if said == open(sys.argv[2]).read().strip() else 43)\n\
                         open(seen, \"w\").close()\n\
                         open(sys.argv[3] + \"/nextpass.in\", \"w\").write(f\"decode {said}\\n\")\n\
                         sys.exit(42 if said in (\"0\", \"1\") else 43)\n";

/// Creates a package with `cases` test cases. Their secrets are spread over all 8 bits.
fn package(cases: usize) -> TempDir {
    let folder = temporary_folder();
    write(folder.path(), "problem.yaml", PROBLEM);
    write(folder.path(), "output_validator/validate.py", VALIDATOR);
    let data = folder.path().join("data/secret");
    fs::create_dir_all(&data).expect("a folder can be made");
    for case in 0..cases {
        let secret = (case * 149 + 37) % 256;
        write(&data, &format!("{case:03}.in"), &format!("encode {secret}\n"));
        write(&data, &format!("{case:03}.ans"), &format!("{secret}\n"));
    }
    folder
}

/// Returns the number of cases on which the second pass knew the secret.
fn known(package: &Path, program: &Path) -> usize {
    let mut command = referee(["grade"]);
    command.arg(package).arg(program).args(["--all-cases", "--no-cache", "-j", "1"]);
    let (_, lines) = json(command);
    let cases = of_type(&lines, "case_finished");
    assert!(cases.iter().all(|case| case["passes"] == 2), "every case has a second pass: {cases:?}");
    cases.iter().filter(|case| case["verdict"] == "AC").count()
}

/// Checks that each program knows at most `most` of the secrets of `cases` test cases.
fn learns_nothing(cases: usize, most: usize) {
    let (package, programs) = (package(cases), files::in_repository("tests/leaks"));
    let names = names_in(&programs);
    assert!(names.len() >= 8, "the folder was read");
    let mut told = String::new();
    for name in names {
        let right = known(package.path(), &programs.join(&name));
        if right > most {
            let _ = writeln!(told, "{name} knew {right} of {cases} secrets");
        }
    }
    assert_eq!(told, "");
}

/// A program that guesses the secrets knows more than 2 of 12 only once in 80,000 tries. There may be files that no
/// program has read since the machine started. The first pass can load such files and so pass on one secret, but cannot
/// unload them again to pass on another.
#[test]
#[ignore = "takes a minute: many runs in two passes"]
fn a_later_pass_learns_nothing_from_an_earlier_one() {
    needs!("gcc", "python3", isolation(&Person::Myself));
    learns_nothing(12, 2);
}

/// A program that guesses the secrets knows more than 6 of 200 only once in 60,000 tries.
#[test]
#[ignore = "takes a minute"]
fn two_hundred_later_passes_learn_nothing_from_earlier_ones() {
    needs!("gcc", "python3", isolation(&Person::Myself));
    learns_nothing(200, 6);
}
