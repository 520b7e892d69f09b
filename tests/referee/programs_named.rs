//! Programs that the user names on the command line of `grade`.

use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

#[test]
fn options_for_the_packages_own_submissions_are_refused_with_a_program() {
    for option in ["--stop-early", "--strict"] {
        referee(["grade", SUM, "solver.py", option])
            .assert()
            .code(2)
            .stderr(contains(format!("{option} is for the package's own submissions; solver.py is a program of yours")))
            .stderr(contains(format!("hint: leave out {option}: ")));
    }
}

#[test]
fn a_package_is_not_suggested_as_a_program() {
    let folder = temporary_folder();
    write(folder.path(), "nosub/problem.yaml", "name: A\n");
    write(folder.path(), "nosub/data/secret/1.in", "1\n");
    write(folder.path(), "nosub/data/secret/1.ans", "1\n");
    let mut command = referee(["grade", "nosub", "nosuch.py"]);
    command.current_dir(folder.path()).assert().code(2).stderr(contains("nosuch.py: ").and(contains("did you").not()));
}

/// Writes the packages `contest/first` and `contest/second`, each with an accepted program.
fn contest(folder: &Path) {
    for name in ["first", "second"] {
        write(folder, &format!("contest/{name}/problem.yaml"), "name: A\n");
        write(folder, &format!("contest/{name}/data/secret/1.in"), "1\n");
        write(folder, &format!("contest/{name}/data/secret/1.ans"), "1\n");
        write(folder, &format!("contest/{name}/submissions/accepted/one.py"), "print(1)\n");
    }
}

/// Runs a command in a folder with [`contest`]. Expects exit code 2, and returns the error and the hint.
fn refused(arguments: &[&str]) -> Vec<String> {
    let folder = temporary_folder();
    contest(folder.path());
    let output = referee(arguments).current_dir(folder.path()).output().expect("referee starts");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let text = String::from_utf8(output.stderr).expect("it is text");
    // The packages have remarks, because their problem.yaml is short.
    text.lines().filter(|line| !line.starts_with("note: there are")).map(str::to_owned).collect()
}

#[test]
fn a_path_below_the_package_is_completed_in_the_hint() {
    let hint =
        "hint: the path of a PROGRAM begins at the current folder; use contest/first/submissions/accepted/one.py";
    for program in ["accepted/one.py", "submissions/accepted/one.py", "./accepted/one.py"] {
        for command in ["grade", "hunt"] {
            let lines = refused(&[command, "contest/first", program]);
            assert!(lines[0].starts_with(&format!("error: {program}: No such file")), "{lines:?}");
            assert_eq!(lines[1].replace("/./", "/"), hint);
        }
    }
    // No path outside the package is suggested.
    let lines = refused(&["grade", "contest/first", "../second/problem.yaml"]);
    assert_eq!(lines[1], "hint: a PROGRAM is a source file, a folder of sources or an executable");
    // A bundled package is no folder of the user.
    let lines = refused(&["grade", "flipgame", "accepted/breadth_first.cpp"]);
    let hint = "hint: submissions/accepted/breadth_first.cpp is a file of the package; to judge all submissions of the \
                package, leave out PROGRAM";
    assert_eq!(lines[1], hint);
}

#[test]
fn a_package_in_the_place_of_a_program_is_refused() {
    for (package, program) in [("contest/first", "contest/second"), ("contest/first", "coins")] {
        for command in ["grade", "hunt"] {
            let wanted = [
                &*format!("error: {program} is a package, expected a program"),
                "hint: the arguments are one PACKAGE, then source files, source folders or executables; to use several \
                 packages, run the command once for each:",
                &*format!("  referee {command} {program}"),
            ];
            assert_eq!(refused(&[command, package, program]), wanted);
        }
    }
}

#[test]
fn a_folder_of_packages_is_no_package() {
    for command in ["grade", "strength", "generate"] {
        let wanted = [
            "error: contest is no package: problem.yaml is missing; it contains 2 packages: first, second",
            "hint: use the path of one package, such as contest/first:",
            &*format!("  referee {command} contest/first"),
        ];
        assert_eq!(refused(&[command, "contest"]), wanted, "{command}");
    }
    let folder = temporary_folder();
    contest(folder.path());
    let output = referee(["verify", "contest"]).current_dir(folder.path()).output().expect("referee starts");
    let words = String::from_utf8(output.stdout).expect("it is text");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("it contains 2 packages: first, second use the path of one package, such as"), "{words}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_path_inside_a_package_is_no_package() {
    for inside in ["submissions", "submissions/accepted/one.py"] {
        let path = format!("contest/first/{inside}");
        let wanted = [
            &*format!("error: {path} is inside a package, but is no package itself"),
            "hint: use contest/first, which has problem.yaml:",
            "  referee grade contest/first solver.py",
        ];
        assert_eq!(refused(&["grade", &path, "solver.py"]), wanted);
    }
}

#[test]
fn a_command_in_a_folder_of_a_package_names_the_package_above() {
    let folder = temporary_folder();
    contest(folder.path());
    let first = folder.path().join("contest/first");
    let wanted = [
        ("submissions/accepted", ".", "../.."),
        ("submissions", "accepted", ".."),
        ("data", "../submissions", ".."),
        ("", "submissions", "."),
        ("", "submissions/accepted/one.py", "."),
    ];
    for (current, named, package) in wanted {
        for command in ["grade", "verify", "hunt"] {
            let output = referee([command, named, "one.py"][..if command == "verify" { 2 } else { 3 }].iter())
                .current_dir(first.join(current))
                .output()
                .expect("referee starts");
            assert_eq!(output.status.code(), Some(2), "{command} {named} in {current}");
            let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("it is text");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("{named} is inside a package, but is no package itself");
            let hint = format!("use {package}, which has problem.yaml");
            assert!(text.contains(&message) && text.contains(&hint), "{command} {named} in {current}: {text}");
        }
    }
    // A folder in no package gets the message about the missing problem.yaml.
    let mut command = referee(["grade", "."]);
    command.current_dir(temporary_folder().path()).assert().code(2).stderr(contains("problem.yaml: is missing"));
}

#[test]
fn a_program_beside_the_current_package_is_judged() {
    let folder = temporary_folder();
    contest(folder.path());
    for own in ["first/one.py", "second/one.py"] {
        write(folder.path(), &format!("contest/{own}"), "print(1)\n");
    }
    write(folder.path(), "contest/mine.py", "import helper\n");
    write(folder.path(), "contest/two/main.py", "from one import value\nprint(value)\n");
    write(folder.path(), "contest/two/one.py", "value = 1\n");
    for (current, programs) in [
        ("first", ["../mine.py", "../two", "../second/one.py"]),
        ("first/data", ["../../mine.py", "../../two", "../one.py"]),
    ] {
        let package = if current == "first" { "." } else { ".." };
        let verdicts = ["RTE", "AC", "AC"];
        for (program, verdict) in programs.into_iter().zip(verdicts) {
            let mut command = referee(["grade", package, program]);
            let code = i32::from(verdict != "AC");
            let row = format!(" {verdict:<3} {program}");
            command.current_dir(folder.path().join("contest").join(current)).assert().code(code).stdout(contains(row));
        }
    }
}
