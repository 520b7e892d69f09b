//! Texts from submissions, packages, arguments and reports cannot start a CI command, and cannot send a control
//! character to the terminal.

use std::fs;
use std::path::Path;

use super::support::command::{referee, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

/// Runs the command, checks that every line on both streams is harmless, and returns the two texts.
fn harmless(mut command: assert_cmd::Command) -> (String, String) {
    let output = command.output().expect("referee starts");
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("output is UTF-8"));
    assert!(texts.iter().any(|text| !text.is_empty()), "nothing was printed");
    for line in texts.iter().flat_map(|text| text.split('\n')) {
        assert!(!line.trim_start().starts_with("::"), "a command: {line:?} in {texts:?}");
        for start in ["##[", "##vso[", "##teamcity["] {
            assert!(!line.contains(start), "a command: {line:?} in {texts:?}");
        }
        let is_shown = |one: char| {
            one == '\t'
                || !one.is_control() && !matches!(one, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}')
        };
        assert!(line.chars().all(is_shown), "a control character: {line:?}");
    }
    let [stdout, stderr] = texts;
    (stdout, stderr)
}

/// Runs the command with `arguments` once for each kind of output. Returns all texts.
fn in_every_output(arguments: &[&str]) -> String {
    let mut all = String::new();
    for more in [&[][..], &["-v"], &["--json", "-"], &["--junit", "-"], &["--html", "-"]] {
        let (stdout, stderr) = harmless(referee(arguments.iter().chain(more)));
        all.extend([stdout, stderr]);
    }
    no_foreign_colours(referee(arguments.iter().chain(&["-v", "--color", "always"])));
    all
}

/// Checks that the command shows the escape sequences in `HOSTILE` as text, even with colours.
fn no_foreign_colours(mut command: assert_cmd::Command) {
    let output = command.output().expect("referee starts");
    for bytes in [output.stdout, output.stderr] {
        let text = String::from_utf8(bytes).expect("output is UTF-8");
        assert!(!text.contains("\u{1b}[45m") && !text.contains("\u{1b}[2J"), "{text:?}");
    }
}

/// The hostile text: CI commands and escape sequences at the start of a line.
const HOSTILE: &str = "::error file=a::FORGED\n  ::stop-commands::x\nx ##[error]FORGED\n##vso[task.complete]\n\
                       ##teamcity[testFailed]\nstd::vector\n\u{1b}[2J\u{1b}[45m\u{9b}1m\u{202e}\u{2067}\u{2028}\r\u{7}::error::R";

#[test]
fn a_hostile_name_and_standard_error_of_a_submission_are_text() {
    needs!("python3");
    let folder = temporary_folder();
    let program = format!("import sys\nsys.stdout.write({HOSTILE:?})\nsys.stderr.write({HOSTILE:?})\nsys.exit(3)\n")
        .replace("\\u{9b}", "\\u009b")
        .replace("\\u{1b}", "\\u001b")
        .replace("\\u{7}", "\\u0007");
    let program = ["202e", "2067", "2028"]
        .iter()
        .fold(program, |text, code| text.replace(&format!("\\u{{{code}}}"), &format!("\\u{code}")));
    for name in ["::error file=x::y.py", "a ##[error]b.py", "a\n::error::b.py", "\u{1b}[45mred\u{202e}.py"] {
        let file = write(folder.path(), name, &program);
        // The user names the program by a path relative to its folder.
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(SUM);
        let mut all = String::new();
        let run = |more: &[&str]| {
            let mut command = referee(["grade", package.to_str().expect("UTF-8")]);
            command.current_dir(folder.path()).arg(name).args(more);
            command
        };
        for more in [&[][..], &["-v"], &["--json", "-"], &["--junit", "-"], &["--html", "-"]] {
            let (stdout, stderr) = harmless(run(more));
            all.extend([stdout, stderr]);
        }
        no_foreign_colours(run(&["-v", "--color", "always"]));
        assert!(all.contains("std::vector"), "ordinary colons stay: {all}");
        assert!(all.contains("    : :error file=a::FORGED\n"), "its lines stay, indented: {all}");
        fs::remove_file(file).expect("it can be removed");
    }
}

#[test]
fn what_a_compiler_says_is_text_with_its_lines() {
    needs!("gcc");
    let folder = temporary_folder();
    let source =
        "#error ##[error]FORGED ##vso[task.complete]\n#line 3 \"::error file=x::y\"\n#error second\nint main(\n";
    let file = write(folder.path(), "bad.c", source);
    let all = in_every_output(&["grade", SUM, file.to_str().expect("UTF-8")]);
    assert!(all.contains("# #[error]FORGED") && all.contains("# #vso[task.complete]"), "{all}");
    assert!(all.contains("\\u0023#[error]FORGED"), "JSON has the same string, escaped: {all}");
    assert!(all.contains(": :error file=x::y:3:2: error: "), "{all}");
}

/// Creates a package whose output validator rejects everything with this message.
fn package_with_validator(folder: &Path, message: &str) -> String {
    let package = folder.join("package");
    write(&package, "problem.yaml", "problem_format_version: 2023-07-draft\nname: Text\nuuid: x\n");
    write(&package, "data/secret/1.in", "1\n");
    write(&package, "data/secret/1.ans", "1\n");
    write(&package, "validator_message", message);
    let validator = "import pathlib, sys\n\
                     here = pathlib.Path(__file__).parent\n\
                     text = (here / 'message').read_text()\n\
                     (pathlib.Path(sys.argv[3]) / 'judgemessage.txt').write_text(text)\nsys.exit(43)\n";
    write(&package, "output_validator/validate.py", validator);
    write(&package, "output_validator/message", message);
    write(&package, "submissions/accepted/one.py", "print(1)\n");
    package.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_validators_message_is_text_with_its_lines() {
    needs!("python3");
    let folder = temporary_folder();
    let package = package_with_validator(folder.path(), &format!("first\n{HOSTILE}"));
    let all = in_every_output(&["grade", &package]);
    assert!(all.contains("  first\n  : :error file=a::FORGED\n  : :stop-commands::x\n"), "{all}");
    in_every_output(&["verify", &package]);
}

#[test]
fn texts_of_a_package_in_findings_and_errors_are_text() {
    let folder = temporary_folder();
    for (name, yaml) in [
        ("value", "problem_format_version: \"x\\n::error::FORGED ##[error]a\\e[45m\"\nname: a\n"),
        ("key", "problem_format_version: 2023-07-draft\nname: a\n\"k\\n::error::FORGED ##[error]\\e[2J\": 1\n"),
        ("::error::FORGED", "name: [\n"),
        ("a\n::error::b ##[x]", "name: \"\\u202e::error\"\n"),
    ] {
        let package = folder.path().join(name);
        write(&package, "problem.yaml", yaml);
        write(&package, "data/secret/a\n::error::b.in", "1\n");
        for command in ["grade", "verify"] {
            in_every_output(&[command, package.to_str().expect("UTF-8")]);
            let mut inside = referee([command, name]);
            inside.current_dir(folder.path());
            harmless(inside);
        }
    }
}

#[test]
fn arguments_that_are_quoted_in_errors_are_text() {
    for argument in ["::error::x", "x\n::error::FORGED", "a ##[error]b", "\u{1b}[45mred\u{1b}[2J", "--no\n::error::x"] {
        for command in [&["grade"][..], &["merge"], &["grade", "--time-limit"], &["grade", "--json"], &["check"], &[]] {
            let mut command = referee(command);
            harmless_end(command.arg(argument));
        }
    }
    let (_, stderr) = harmless(referee(["grade", "--time-limt", "1"]));
    assert!(stderr.starts_with("error: unexpected argument '--time-limt' found\n\n  tip: "), "{stderr}");
}

fn harmless_end(command: &mut assert_cmd::Command) {
    let output = command.current_dir("/").output().expect("referee starts");
    let text = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{text}");
    for line in text.split('\n') {
        assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "a command: {text:?}");
        assert!(!line.chars().any(char::is_control), "a control character: {text:?}");
    }
}

/// Writes the report of a run and returns its path. For each pair `(from, to)`, `from` is replaced by `to` in the
/// report.
fn forged(folder: &Path, replaced: &[(&str, &str)]) -> String {
    let report = folder.join("report.jsonl");
    let program = write(folder, "wrong.py", "print(0)\n");
    let path = report.to_str().expect("UTF-8").to_owned();
    referee(["grade", SUM, program.to_str().expect("UTF-8"), "--json", &path]).assert().code(1);
    let mut text = fs::read_to_string(&report).expect("the report is there");
    for (from, to) in replaced {
        assert!(text.contains(from), "{from}: {text}");
        text = text.replace(from, to);
    }
    fs::write(&report, text).expect("the report can be changed");
    path
}

const FORGED: &str = r"x\n::error::FORGED ##[error]Y\u001b[45m\u001b[2J\u009b1m\u202e\r::error::Z";

#[test]
fn a_forged_report_makes_no_commands_of_merge_or_resume() {
    needs!("python3");
    let folder = temporary_folder();
    let verdict = format!("\"verdict\":\"{FORGED}\"");
    let message = format!("\"message\":\"{FORGED}\"");
    let case = format!("\"case\":\"{FORGED}\"");
    let first = format!("\"first_failing_case\":\"{FORGED}\"");
    let package = format!("\"package\":\"{FORGED}\"");
    let version = format!("\"version\":\"{FORGED}\"");
    let part = format!("\"parts\":{{\"{FORGED}\":");
    let expected = format!("\"expected\":[\"{FORGED}\"]");
    let key = format!("\"seed\":null,\"{FORGED}\":1");
    let all: [&[(&str, &str)]; 8] = [
        &[("\"verdict\":\"WA\"", &verdict)],
        &[("\"message\":\"line 1: expected \\\"7\\\", got \\\"0\\\"\"", &message)],
        &[("\"case\":\"secret/1\"", &case), ("\"first_failing_case\":\"secret/1\"", &first)],
        &[("\"package\":\"sum\"", &package)],
        &[("\"version\":\"0.1.0\"", &version)],
        &[("\"seed\":null", &key)],
        &[("\"parts\":{\"cpu_time\":", &part)],
        &[("\"expected\":null", &expected)],
    ];
    let program = folder.path().join("wrong.py").display().to_string();
    for replaced in all {
        let report = forged(folder.path(), replaced);
        let other = folder.path().join("other.jsonl").display().to_string();
        fs::copy(&report, &other).expect("a copy can be made");
        let merged = in_every_output(&["merge", &report]);
        assert!(!merged.contains("\n::error"), "{merged}");
        harmless(referee(["merge", &report, &other]));
        harmless(referee(["grade", SUM, &program, "--resume", &report]));
        in_every_output(&["grade", SUM, &program, "--resume", &report]);
    }
}

#[test]
fn an_error_in_a_report_is_told_on_one_line() {
    needs!("python3");
    let folder = temporary_folder();
    let report = forged(folder.path(), &[("\"verdict\":\"WA\"", "\"verdict\":\"x\\nerror: FORGED\"")]);
    let (_, stderr) = harmless(referee(["merge", &report]));
    assert!(stderr.contains("unknown variant `x␊error: FORGED`"), "{stderr}");
    assert_eq!(stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{stderr}");
}
