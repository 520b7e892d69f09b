//! Files and folders of a package or of the user that cannot be read: pipes, devices, and folders without permission.
//! The command ends with a clear error. It does not wait, and leaves nothing out in silence.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use predicates::str::contains;
use tempfile::TempDir;

use super::support::command::{referee, write};
use super::support::person::Person;
use super::support::program::temporary_folder;

const ADD: &str = "read a b\necho $((a + b))\n";

fn package() -> (TempDir, PathBuf) {
    let folder = temporary_folder();
    let root = folder.path().join("sum");
    for (name, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 5\n"),
        ("statement/problem.en.tex", "\\problemname{Sum}\n"),
        ("input_validators/any.sh", "exit 42\n"),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/add.sh", ADD),
        ("submissions/wrong_answer/one.sh", "echo 1\n"),
    ] {
        write(&root, name, text);
    }
    (folder, root)
}

fn pipe(path: &Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
}

#[test]
fn a_pipe_or_a_device_in_the_place_of_a_file_ends_the_command_with_an_error() {
    let (folder, root) = package();
    let languages = folder.path().join("languages.toml");
    pipe(&languages);
    for path in [languages.as_path(), Path::new("/dev/zero")] {
        let mut command = referee(["grade", "--languages"]);
        command.arg(path).arg(&root);
        command.assert().code(2).stderr(contains("cannot be read: it is not a regular file"));
    }
    pipe(&root.join("domjudge-problem.ini"));
    let mut command = referee(["export", "--to", "domjudge", "--out"]);
    command.arg(folder.path().join("sum.zip")).arg(&root);
    command.assert().code(2).stderr(contains("domjudge-problem.ini: cannot be read: it is not a regular file"));
    fs::remove_file(root.join("domjudge-problem.ini")).unwrap();
    pipe(&root.join("submissions/submissions.yaml"));
    let mut command = referee(["grade"]);
    command.arg(&root).assert().code(2).stderr(contains("submissions.yaml: cannot be read: it is not a regular file"));
}

#[test]
fn a_folder_without_permission_is_named_and_its_programs_are_not_left_out_in_silence() {
    let person = needs!(Person::ordinary());
    let (_folder, root) = package();
    let mode = |name: &str, mode| fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode)).unwrap();
    for name in ["submissions/wrong_answer", "submissions", "input_validators"] {
        mode(name, 0o700);
        let mut command = person.referee(["grade"]);
        command.arg(&root).assert().code(2).stderr(contains(format!("{name}: cannot be read: Permission denied")));
        mode(name, 0o755);
    }
    let mut command = person.referee(["grade"]);
    command.arg(&root).assert().code(0);
}
