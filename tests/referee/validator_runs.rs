//! Runs of output validators: each finds its feedback folder empty, and those for one submission know nothing of those
//! for another one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::hostile::isolation;
use crate::support::command::{names_in, referee, write};
use crate::support::person::Person;
use crate::support::program::{print_skipped, temporary_folder};

/// Writes its process number and what it finds in its folder. Then it leaves files in several ways.
const VALIDATOR: &str = r#"
import os, sys
folder = sys.argv[3]
found = sorted(os.listdir(folder))
case = open(sys.argv[1]).read().strip()
if case == "3":
    os.mkdir(folder + "inside")
if case == "4":
    os.chmod(folder, 0o700)
for name in ["judgemessage.txt", "more.txt"]:
    with open(folder + name, "w") as file:
        file.write("%d %s" % (os.getpid(), found))
sys.exit(42)
"#;

fn package(folder: &Path) {
    write(folder, "problem.yaml", "problem_format_version: 2025-09\nname: Sees\nlimits:\n  time_limit: 5\n");
    write(folder, "output_validator/see.py", VALIDATOR);
    for case in ["1", "2", "3", "4", "5"] {
        write(folder, &format!("data/secret/{case}.in"), &format!("{case}\n"));
        write(folder, &format!("data/secret/{case}.ans"), "\n");
    }
    for name in ["a.py", "b.py"] {
        write(folder, &format!("submissions/accepted/{name}"), "print(input())\n");
    }
}

/// Returns the process numbers of the validator's runs for a submission, by test case.
fn process_numbers(feedback: &Path, submission: &str) -> Vec<u32> {
    let cases = feedback.join("accepted").join(submission).join("secret");
    let number = |case: &String| {
        let folder = cases.join(case).join("see");
        assert!(folder.join("more.txt").is_file(), "{} is stored", folder.display());
        let message = fs::read_to_string(folder.join("judgemessage.txt")).expect("the message is there");
        let (number, found) = message.split_once(' ').expect("there are two parts");
        assert_eq!(found, "[]", "the feedback folder was empty for {submission} on {case}");
        number.parse().expect("a number")
    };
    names_in(&cases).iter().map(number).collect()
}

/// Grades the package, and returns the feedback folder. `mode` are options, and the value of a variable that switches off
/// parts of the sandbox.
fn graded(folder: &Path, (options, without): (&[&str], &str)) -> PathBuf {
    package(folder);
    let feedback = folder.join("feedback");
    let mut command = referee(["grade", "--all-cases", "--no-cache"]);
    command.args(options).arg(folder).arg("--feedback").arg(&feedback);
    command.env("REFEREE_SANDBOX_WITHOUT", without).assert().code(0);
    feedback
}

#[test]
fn each_run_of_a_validator_finds_its_feedback_folder_empty() {
    needs!("python3");
    let modes: [(&[&str], &str); 4] =
        [(&["-j", "1"], ""), (&["-j", "2"], ""), (&["-j", "2"], "namespaces"), (&["-j", "2", "--sandbox", "off"], "")];
    for mode in modes {
        let folder = temporary_folder();
        let feedback = graded(folder.path(), mode);
        for submission in ["a.py", "b.py"] {
            assert_eq!(process_numbers(&feedback, submission).len(), 5, "{submission} with {mode:?}");
        }
    }
}

#[test]
fn a_validator_keeps_its_sandbox_for_one_submission_unless_it_changed_its_folder() {
    needs!("python3");
    if let Err(reason) = isolation(&Person::Myself) {
        return print_skipped(&reason);
    }
    let folder = temporary_folder();
    let feedback = graded(folder.path(), (&["-j", "1"], ""));
    for submission in ["a.py", "b.py"] {
        let numbers = process_numbers(&feedback, submission);
        // Process 1 of a sandbox is its zygote, so the first program has number 2.
        let is_new: Vec<_> = numbers.iter().map(|number| *number == 2).collect();
        assert_eq!(is_new, [true, false, false, true, true], "{submission}: {numbers:?}");
    }
}
