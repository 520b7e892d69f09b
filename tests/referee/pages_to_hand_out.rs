//! `grade --html-per-submission DIR` and `--moodle-feedback ZIP` write pages to hand out. `tests/browser` tests the pages
//! in browsers.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use super::support::command::{names_in, referee, write};
use super::support::program::temporary_folder;

/// The input, the answer and the names of the secret test case.
const SECRETS: [&str; 3] = ["7310042", "7310043", "zugzwang"];

/// Writes a package whose programs add one to a number, with a sample and a secret test case.
fn package(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("package");
    let problem = "problem_format_version: 2023-07-draft\nname: Successor\n\
                   uuid: 9f5f13e9-31d4-4a3a-8c8d-3c5ad7a0c001\nlimits:\n  time_limit: 5\n";
    for (name, text) in [
        ("problem.yaml", problem),
        ("data/sample/1.in", "41\n"),
        ("data/sample/1.ans", "42\n"),
        ("data/secret/zugzwang.in", "7310042\n"),
        ("data/secret/zugzwang.ans", "7310043\n"),
    ] {
        write(&path, name, text);
    }
    path
}

/// Returns the command that judges `programs` in the folder on the package, with pages in its folder `pages`.
fn grading(folder: &Path, programs: &[&str]) -> Command {
    let mut command = referee(["grade"]);
    command.arg(package(folder)).args(programs.iter().map(|name| folder.join(name)));
    command.arg("--html-per-submission").arg(folder.join("pages"));
    command
}

fn page(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("pages").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A program that is right on the sample, and wrong on the secret test case.
const WRONG: &str = "n = int(input())\nprint(n + 1 if n < 100 else n)\n";

/// A program that passes the input of the secret test case on in every way that it has.
const LEAKING: &str = "import sys\nn = input()\nif n != '41':\n    sys.stderr.write('read ' + n + '\\n')\n    \
                       raise type('E' + n, (Exception,), {})(n)\nprint(42)\n";

#[test]
fn each_submission_gets_a_page_of_its_own_without_others_and_without_secrets() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "ada.py", WRONG);
    write(folder.path(), "<script>alert(1)<.py", LEAKING);
    write(folder.path(), "essay.pdf", "%PDF");
    grading(folder.path(), &["ada.py", "<script>alert(1)<.py", "essay.pdf"]).assert().code(2);
    assert_eq!(names_in(&folder.path().join("pages")), ["_script_alert_1__.py.html", "ada.py.html", "essay.pdf.html"]);
    for name in ["_script_alert_1__.py.html", "ada.py.html", "essay.pdf.html"] {
        let page = page(folder.path(), name);
        for secret in SECRETS {
            assert!(!page.contains(secret), "{name}: {page}");
        }
        assert!(!page.contains("<script"), "{name}");
        let place = folder.path().to_string_lossy().into_owned();
        assert!(!page.contains(&place), "{name} names the folder of the teacher");
    }
    let ada = page(folder.path(), "ada.py.html");
    for part in ["Wrong answer", "1 of 2", "Test case 2, secret", "print(n + 1 if n &lt; 100 else n)"] {
        assert!(ada.contains(part), "{part}: {ada}");
    }
    assert!(!ada.contains("alert") && !ada.contains("essay"));
    assert!(page(folder.path(), "essay.pdf.html").contains("Not judged"));
}

#[test]
fn a_page_gives_the_reason_of_work_that_is_not_judged_and_the_teachers_report_a_hint_as_well() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "class/Ann/main.txt", "print(int(input()) + 1)\n");
    write(folder.path(), "class/Bob/main.py", "print(int(input()) + 1)\n");
    let mut command = grading(folder.path(), &["class"]);
    command.arg("--json").arg("-").assert().code(2).stdout(
        contains("found main.txt, and no language has the ending .txt")
            .and(contains(r#""hint":"if it is a source, say its language, such as --as-language python3=.txt""#)),
    );
    let ann = page(folder.path(), "Ann.html");
    assert!(ann.contains("found main.txt, and no language has the ending .txt"), "{ann}");
    assert!(!ann.contains("--as-language"), "{ann}");
    grading(folder.path(), &["class"]).assert().code(2).stdout(contains("--as-language python3=.txt"));
}

#[test]
fn with_show_secret_a_page_shows_the_secret_test_case() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "ada.py", WRONG);
    grading(folder.path(), &["ada.py"]).arg("--show-secret").assert().code(1);
    let ada = page(folder.path(), "ada.py.html");
    assert!(SECRETS.iter().all(|secret| ada.contains(secret)), "{ada}");
}

#[test]
fn pages_replace_those_of_an_earlier_run_and_no_other_files() {
    needs!("python3");
    let folder = temporary_folder();
    write(folder.path(), "ada.py", WRONG);
    write(folder.path(), "bob.py", "print(int(input()) + 1)\n");
    grading(folder.path(), &["ada.py", "bob.py"]).assert().code(1);
    let removed = "pages: 1 page of earlier runs removed\n";
    grading(folder.path(), &["bob.py"]).assert().code(0).stderr(contains(removed));
    assert_eq!(names_in(&folder.path().join("pages")), ["bob.py.html"]);
    write(&folder.path().join("pages"), "notes.txt", "mine");
    grading(folder.path(), &["bob.py"])
        .assert()
        .code(2)
        .stderr(contains("notes.txt is not a page of referee").and(contains("give --html-per-submission a new or")));
    assert_eq!(names_in(&folder.path().join("pages")), ["bob.py.html", "notes.txt"]);
}

#[test]
fn feedback_for_moodle_is_refused_for_programs_that_do_not_come_from_moodle() {
    let folder = temporary_folder();
    write(folder.path(), "ada.py", WRONG);
    let mut command = referee(["grade"]);
    command.arg(package(folder.path())).arg(folder.path().join("ada.py"));
    command.arg("--moodle-feedback").arg(folder.path().join("feedback.zip"));
    command.assert().code(2).stderr(contains("ada.py does not come from a download of Moodle"));
    assert!(!folder.path().join("feedback.zip").exists());
}

#[test]
fn show_secret_without_pages_is_a_mistake() {
    let folder = temporary_folder();
    write(folder.path(), "ada.py", WRONG);
    let mut command = referee(["grade", "--show-secret"]);
    command.arg(package(folder.path())).arg(folder.path().join("ada.py"));
    command.assert().code(2).stderr(contains("add --html-per-submission DIR or --moodle-feedback ZIP"));
}
