//! Creates the files and folders for the commands of the README and of the reference pages. No page shows these files.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::support::command::{referee, write};
use super::super::support::files::in_repository;
use super::super::support::person::copy_folder;

/// A program that prints the larger of two numbers, but never ends if the first number is above 7. It solves no puzzle.
const SOLVER: &str = "#include <cstdio>\nint main() {\n    int a = 0, b = 0;\n    if (scanf(\"%d %d\", &a, &b) < 0) \
                      return 1;\n    for (volatile bool forever = a > 7; forever;) {}\n    printf(\"%d\\n\", a < b ? b : \
                      a);\n}\n";

/// A program that prints two numbers, which depend on the seed in its argument.
const GENERATOR: &str = "import random, sys\nrandom.seed(int(sys.argv[1]))\n\
                         print(random.randint(1, 9), random.randint(1, 9))\n";
const RULES: &str = "solution: /submissions/accepted/choice.py\ndata:\n  secret:\n    data:\n      \
                     - random: two.py {seed}\n";

/// Fills a folder with the files that the commands of the README and of the reference pages need.
pub(super) fn fill(folder: &Path) {
    let white_only = "cases/flipgame/submissions/wrong_answer/white_only.py";
    for name in ["white_only.py", "solver.py", "solver.txt", "other/main.py"] {
        write(folder, name, &fs::read_to_string(in_repository(white_only)).expect("it can be read"));
    }
    write(folder, "solver.cpp", SOLVER);
    write(folder, "solver.c", SOLVER);
    let executable = write(folder, "a.out", "#!/bin/sh\necho Impossible\n");
    fs::set_permissions(executable, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
    let package = folder.join("path/to/package");
    copy_folder(&in_repository("tests/strength/larger"), &package);
    // Without an input validator there are only mutants of submissions, so `strength` takes seconds and not minutes.
    fs::remove_dir_all(package.join("input_validators")).expect("a folder can be removed");
    write(&package, "generators/two.py", GENERATOR);
    write(&package, "generators/generators.yaml", RULES);
    zipped(&in_repository("tests/strength/larger"), &folder.join("other.zip"));
    zipped(&in_repository("tests/polygon/sum"), &folder.join("sum-7$linux.zip"));
    let drawn = referee(["generate", "flipgame", "--size", "19x19"]).output().expect("referee starts");
    fs::write(folder.join("large.txt"), drawn.stdout).expect("a file can be written");
    write_wrong_answer(folder);
}

/// Writes a wrong answer to the boards in the README: the right number of steps and a right first step, then a step
/// that is not allowed.
fn write_wrong_answer(folder: &Path) {
    let draw = ["generate", "swapgame", "--kind", "balanced", "--seed", "3"];
    let pair = referee(draw).output().expect("referee starts").stdout;
    let solved = referee(["solve", "swapgame"]).write_stdin(pair).output().expect("referee starts").stdout;
    let solved = String::from_utf8(solved).expect("an answer is text");
    let start: Vec<_> = solved.lines().take(2).collect();
    write(folder, "my.out", &format!("{}\n1144\n", start.join("\n")));
}

/// Packs the folder into an archive, with the folder's name in the archive.
fn zipped(folder: &Path, archive: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(archive).expect("a file can be made"));
    let above = folder.parent().expect("a folder of the repository lies in another");
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.expect("the folder can be read");
        let name = entry.path().strip_prefix(above).expect("it lies below").to_string_lossy().into_owned();
        let options = zip::write::SimpleFileOptions::default();
        if entry.file_type().is_file() {
            zip.start_file(name, options).expect("a file can be put in");
            let bytes = fs::read(entry.path()).expect("it can be read");
            std::io::Write::write_all(&mut zip, &bytes).expect("it can be written");
        }
    }
    zip.finish().expect("the archive can be finished");
}
