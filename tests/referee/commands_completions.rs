//! The completion of bash knows bundled packages, puzzles, solvers and checks.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

/// Returns the words that bash offers for the last of `words`, in the folder of the script.
fn offered(script: &Path, words: &[&str]) -> Vec<String> {
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let asked = format!(
        "source {}; COMP_WORDS=({}); COMP_CWORD={last}; _referee referee {} {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        quoted.join(" "),
        quoted[last],
        quoted[last - 1]
    );
    let mut bash = Command::new("bash");
    let output = bash.args(["--norc", "-c", &asked]).current_dir(script.parent().expect("a folder")).output();
    let text = String::from_utf8(output.expect("bash starts").stdout).expect("it is text");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_offers_packages_puzzles_solvers_and_checks() {
    needs!("bash");
    let folder = temporary_folder();
    let script = folder.path().join("referee.bash");
    let output = referee(["completions", "bash"]).output().expect("referee starts");
    fs::write(&script, output.stdout).expect("a file can be written");
    write(folder.path(), "flip it.py", "");
    for (words, expected) in [
        (vec!["referee", "grade", "fl"], vec!["flipgame", "flip it.py"]),
        (vec!["referee", "hunt", "sw"], vec!["swapgame"]),
        (vec!["referee", "verify", "flipgame", "coi"], vec!["coins"]),
        (vec!["referee", "grade", "flipgame", "fl"], vec!["flip it.py"]),
        (vec!["referee", "solve", "sol"], vec!["solitaire"]),
        (vec!["referee", "crosscheck", "flipgame", "sw"], vec!["swapgame"]),
        (vec!["referee", "verify", "--only", "for"], vec!["format"]),
        (vec!["referee", "verify", "--skip", "for"], vec!["format"]),
        (vec!["referee", "grade", "--all-c"], vec!["--all-cases"]),
        (vec!["referee", "grade", "flipgame", "--sandbox", "st"], vec!["strict"]),
    ] {
        assert_eq!(offered(&script, &words), expected, "{words:?}");
    }
    let list = referee(["solve", "swapgame", "--list"]).output().expect("referee starts").stdout;
    let list = String::from_utf8(list).expect("it is text");
    let solver = list.split_whitespace().next().expect("a solver");
    assert!(offered(&script, &["referee", "solve", "swapgame", "--solver", ""]).contains(&solver.to_owned()));
}

#[test]
fn other_shells_offer_bundled_packages_too() {
    for (shell, words) in [
        ("zsh", "_alternative 'bundled:bundled package:(coins flipgame solitaire swapgame)' 'files:file:_files'"),
        (
            "fish",
            "complete -c referee -n \"__fish_seen_subcommand_from grade\" -a \"coins flipgame solitaire swapgame\"",
        ),
    ] {
        let output = referee(["completions", shell]).output().expect("referee starts");
        let script = String::from_utf8(output.stdout).expect("it is text");
        assert!(script.contains(words), "{shell}: {script}");
        if shell == "zsh" {
            assert!(script.matches(":_referee_packages'").count() >= 5, "{script}");
        }
    }
}
