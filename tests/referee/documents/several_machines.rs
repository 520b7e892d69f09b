//! Copies the files out of docs/several-machines.md, and runs them as the runners of GitLab and GitHub and as GNU
//! parallel would. Artifacts are carried by copying, and each job has a home of its own. The merged report must be that
//! of a run on one machine.

mod github;
mod gitlab;
mod parallel;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::support::command::{json, of_type, referee, without_measurements, write};
use super::super::support::program::temporary_folder;
use super::page::{Page, Step, text_of};

/// The page's name in docs/.
pub(super) const PAGE: &str = "several-machines.md";

/// The packages of the archive.
const PACKAGES: [&str; 2] = ["first", "second"];

fn page() -> Page {
    let name = format!("docs/{PAGE}");
    let page = Page::of_fences(&name, &text_of(&name));
    assert_eq!(page.odd, Vec::<String>::new());
    page
}

/// Writes the files of the page into `folder`, and an archive of small packages.
fn write_project(folder: &Path) {
    for step in page().steps {
        if let Step::Write { name, text } = step {
            write(folder, &name, &text);
        }
    }
    for name in PACKAGES {
        write_package(&folder.join("packages").join(name), name);
    }
}

/// Writes a package in which `verify --strict` finds nothing, in a fraction of a second.
fn write_package(folder: &Path, name: &str) {
    let problem = format!(
        "problem_format_version: 2025-09\nname: {name}\nuuid: 6a1c6d0e-5a0e-4d39-9d6b-{:012}\nlimits:\n  time_limit: 5\n",
        name.len()
    );
    for (file, text) in [
        ("problem.yaml", problem.as_str()),
        ("statement/problem.en.md", "Print the number.\n\n## Sample\n"),
        ("input_validators/number.ctd", "INT(1, 99) NEWLINE EOF\n"),
        ("data/sample/1.in", "7\n"),
        ("data/sample/1.ans", "7\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("data/secret/2.in", "99\n"),
        ("data/secret/2.ans", "99\n"),
        (
            "submissions/accepted/echo.c",
            "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }\n",
        ),
        ("submissions/wrong_answer/one.c", "#include <stdio.h>\nint main(void) { puts(\"7\"); }\n"),
    ] {
        write(folder, file, text);
    }
}

/// Returns the folder of the built `referee`.
fn bin() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_referee")).parent().expect("a binary lies in a folder").to_owned()
}

/// Judges the class of the project on one machine. Returns the exit code, and the report as [`comparable`] returns it.
fn judged_on_one_machine(project: &Path) -> (i32, Vec<Value>) {
    let home = temporary_folder();
    let mut command = referee(["grade", "exercise"]);
    command.args(["adams.py", "baker.py", "clark.c", "davis.c"].map(|name| format!("handed-in/{name}")));
    command.current_dir(project).env("XDG_CACHE_HOME", home.path());
    let (code, lines) = json(command);
    (code, comparable(lines))
}

/// Returns the lines of a report without times and other measurements, and without the keys of results. A key depends on
/// the environment of the machine, such as `PATH`.
fn comparable(lines: Vec<Value>) -> Vec<Value> {
    let mut lines = without_measurements(lines);
    for object in lines.iter_mut().filter_map(Value::as_object_mut) {
        object.remove("key");
    }
    lines
}

/// Reads a report of JSON lines.
fn lines_of(report: &Path) -> Vec<Value> {
    let text = fs::read_to_string(report).unwrap_or_else(|error| panic!("{}: {error}", report.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// Returns how many results of the report no cache had, and the number of all results.
fn fresh_results(lines: &[Value]) -> (usize, usize) {
    let cases = of_type(lines, "case_finished");
    (cases.iter().filter(|case| case["cached"] == false).count(), cases.len())
}

/// Copies a file, or everything in a folder, to `to`, which may exist.
fn copy_all(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("the folder can be read");
        let below = entry.path().strip_prefix(from).expect("it lies below");
        let target = if below.as_os_str().is_empty() { to.to_owned() } else { to.join(below) };
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).expect("a folder can be made");
        } else {
            fs::copy(entry.path(), &target).expect("a file can be copied");
        }
    }
}

#[test]
fn the_class_of_the_page_has_right_and_wrong_programs() {
    needs!("python3", "gcc");
    let project = temporary_folder();
    write_project(project.path());
    let (code, lines) = judged_on_one_machine(project.path());
    let verdicts: Vec<_> = of_type(&lines, "submission_finished")
        .iter()
        .map(|line| format!("{} {}", line["submission"], line["verdict"]).replace('"', ""))
        .collect();
    let wanted = ["adams.py AC", "baker.py WA", "clark.c WA", "davis.c AC"].map(|one| format!("handed-in/{one}"));
    assert_eq!((code, verdicts), (1, wanted.to_vec()));
}
