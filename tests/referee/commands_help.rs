//! Help texts of every subcommand, completions, manual pages, and suggestions for misspelt names.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::support::command::{names_in, referee};
use super::support::program::temporary_folder;

const SUBCOMMANDS: [&str; 16] = [
    "grade",
    "verify",
    "hunt",
    "strength",
    "crosscheck",
    "generate",
    "merge",
    "solve",
    "check",
    "import",
    "export",
    "judgehost",
    "doctor",
    "schema",
    "completions",
    "man",
];

fn help(arguments: &[&str]) -> String {
    let output = referee(arguments).env("COLUMNS", "80").output().expect("referee starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// Compares help texts with stored copies, so that a review sees every change. To store the new texts, run the tests
/// with REFEREE_TESTS_WRITE_HELP=1.
#[test]
fn help_says_what_it_said_when_somebody_last_looked_at_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let pages = SUBCOMMANDS.iter().map(|name| (*name, vec![*name, "--help"]));
    let mut changed = Vec::new();
    for (name, arguments) in pages.chain([("referee", vec!["--help"])]) {
        let path = folder.join(format!("{name}.txt"));
        let now = help(&arguments);
        if std::env::var_os("REFEREE_TESTS_WRITE_HELP").is_some() {
            fs::write(&path, &now).expect("a file can be written");
        } else if fs::read_to_string(&path).unwrap_or_default() != now {
            changed.push(format!("{}:\n{now}", path.display()));
        }
    }
    assert!(changed.is_empty(), "REFEREE_TESTS_WRITE_HELP=1 takes it over:\n{}", changed.join("\n"));
    let known: Vec<_> = names_in(&folder);
    assert_eq!(known.len(), SUBCOMMANDS.len() + 1, "no page is left over: {known:?}");
}

#[test]
fn every_subcommand_has_an_example() {
    let listed = help(&["--help"]);
    for name in SUBCOMMANDS {
        let help = help(&[name, "--help"]);
        assert!(help.contains(&format!("  referee {name}")), "{help}");
        assert!(help.contains("Example"), "{help}");
        assert!(listed.contains(&format!("\n  {name} ")), "{listed}");
    }
}

#[test]
fn shells_take_their_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = help(&["completions", shell]);
        assert!(script.contains("strength") && script.contains("no-hunt"), "{shell}: {script}");
    }
    needs!("bash");
    let folder = temporary_folder();
    let script = folder.path().join("referee.bash");
    fs::write(&script, help(&["completions", "bash"])).expect("a file can be written");
    let asked = format!(
        "source {}; COMP_WORDS=(referee stre); COMP_CWORD=1; _referee referee stre referee; echo \"${{COMPREPLY[*]}}\"",
        script.display()
    );
    let output = Command::new("bash").args(["--norc", "-c", &asked]).output().expect("bash starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "strength", "{output:?}");
}

#[test]
fn a_page_of_the_manual_is_printed_or_all_are_written() {
    assert!(help(&["man"]).contains(".TH referee 1"));
    assert!(help(&["man", "grade"]).contains(".TH referee-grade 1"));
    referee(["man", "grad"]).assert().code(2).stderr(predicates::str::contains("did you mean grade?"));
    let folder = temporary_folder();
    let pages = folder.path().join("man1");
    referee(["man", "--out"]).arg(&pages).assert().code(0);
    let written = names_in(&pages);
    assert_eq!(written.len(), SUBCOMMANDS.len() + 1, "{written:?}");
    assert!(written.contains(&"referee-verify.1".to_owned()), "{written:?}");
}

#[test]
fn readers_of_help_may_leave_early() {
    for arguments in [vec!["completions", "bash"], vec!["man"], vec!["schema"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        let mut child =
            command.args(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("referee starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("referee ends");
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{arguments:?}");
    }
}

#[test]
fn a_name_that_is_nearly_right_is_asked_about() {
    for (arguments, meant) in [
        (vec!["grade", "flipgam"], "flipgame"),
        (vec!["verify", "swap-game"], "swapgame"),
        (vec!["hunt", "tests/strength/lagrer", "x.py"], "tests/strength/larger"),
        (vec!["solve", "soliatire"], "solitaire"),
        (vec!["solve", "flipgame", "--solver", "gf3", "-"], "gf2"),
        (vec!["generate", "coins", "--kind", "unifrom"], "uniform"),
        (vec!["generate", "coin"], "coins"),
        (vec!["crosscheck", "coin"], "coins"),
        (vec!["grade", "flipgame", "cases/flipgame/submissions/wrong_answer/whiteonly.py"], "white_only.py"),
        (vec!["gradee", "flipgame"], "grade"),
        (vec!["grade", "flipgame", "--case", "x"], "--cases"),
    ] {
        let output = referee(&arguments).output().expect("referee starts");
        // `verify` writes its findings to standard output.
        let said = String::from_utf8_lossy(if arguments[0] == "verify" { &output.stdout } else { &output.stderr });
        let asks = said.contains("did you mean") || said.contains("similar");
        assert!(asks && said.contains(meant), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let output = referee(["grade", "chess"]).output().expect("referee starts");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("did you mean"), "chess is like nothing there is");
}
