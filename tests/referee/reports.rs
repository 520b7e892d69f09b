//! The format of reports for programs and for people.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use predicates::prelude::*;

use super::report_schema::Schema;
use super::support::command::{names_in, referee};
use super::support::line::{Line, read_back};
use super::support::program::temporary_folder;
use super::support::runs;

#[test]
fn every_json_line_reads_back_with_no_field_unknown() {
    needs!("python3");
    for runs::RunReports { arguments, json: text, .. } in runs::all() {
        let lines = read_back(text);
        assert!(matches!(lines.first(), Some(Line::RunStarted { schema_version: 1, .. })), "{arguments:?}");
        let last = lines.last();
        assert!(matches!(last, Some(Line::RunFinished { .. } | Line::GenerateFinished { .. })), "{arguments:?}");
        assert!(text.lines().all(|line| line.starts_with("{\"type\":\"")), "the type comes first");
    }
}

#[test]
fn every_json_line_is_valid_by_the_schema_that_is_printed() {
    needs!("python3");
    let schema = Schema::published();
    let doctor = referee(["doctor", "--json", "-"]).output().expect("referee starts").stdout;
    let doctor = String::from_utf8(doctor).expect("JSON lines are UTF-8");
    for text in runs::all().iter().map(|run| &run.json).chain([&doctor]) {
        assert!(!text.is_empty());
        for line in text.lines() {
            assert_eq!(schema.check(line), Ok(()), "{line}");
        }
    }
}

#[test]
fn what_the_doctor_says_reads_back_with_no_field_unknown() {
    let mut command = referee(["doctor", "--json", "-"]);
    let text = String::from_utf8(command.output().expect("referee starts").stdout).expect("JSON lines are UTF-8");
    assert!(matches!(read_back(&text).as_slice(), [Line::DoctorFinished { schema_version: 1, .. }]), "{text}");
}

#[test]
fn a_report_in_a_file_is_whole_and_readable_by_all_and_leaves_no_temporary_file() {
    let folder = temporary_folder();
    let path = folder.path().join("report.jsonl");
    referee(["crosscheck", "flipgame", "--boards", "5", "--json"]).arg(&path).assert().code(0);
    let lines = read_back(&fs::read_to_string(&path).expect("the report is there"));
    assert_eq!(lines.len(), 3);
    let mode = fs::metadata(&path).expect("the report is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    assert_eq!(names_in(folder.path()), ["report.jsonl"]);
}

#[test]
fn a_report_into_a_pipe_does_not_take_its_place() {
    use std::os::unix::fs::FileTypeExt;
    let folder = temporary_folder();
    let path = folder.path().join("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).expect("a pipe can be made");
    let reader = std::thread::spawn({
        let path = path.clone();
        move || fs::read_to_string(path).expect("the pipe can be read")
    });
    referee(["crosscheck", "flipgame", "--boards", "5", "--json"]).arg(&path).assert().code(0);
    assert_eq!(read_back(&reader.join().expect("the reader ends")).len(), 3);
    assert!(fs::metadata(&path).expect("the pipe is there").file_type().is_fifo());
}

#[test]
fn a_report_through_a_link_replaces_the_file_and_not_the_link() {
    let folder = temporary_folder();
    let (file, link) = (folder.path().join("file.jsonl"), folder.path().join("link.jsonl"));
    fs::write(&file, "{\"type\":\"run_started\"}\n").expect("a file can be written");
    std::os::unix::fs::symlink(&file, &link).expect("a link can be made");
    referee(["crosscheck", "flipgame", "--boards", "5", "--json"]).arg(&link).assert().code(0);
    assert!(link.is_symlink());
    assert_eq!(read_back(&fs::read_to_string(&file).expect("the file is there")).len(), 3);
    let (dangling, made) = (folder.path().join("dangling.jsonl"), folder.path().join("below/made.jsonl"));
    fs::create_dir(folder.path().join("below")).expect("a folder can be made");
    std::os::unix::fs::symlink("below/made.jsonl", &dangling).expect("a link can be made");
    referee(["crosscheck", "flipgame", "--boards", "5", "--json"]).arg(&dangling).assert().code(0);
    assert!(dangling.is_symlink());
    assert_eq!(read_back(&fs::read_to_string(&made).expect("the file is there")).len(), 3);
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_anything_runs() {
    let folder = temporary_folder();
    for path in [folder.path().to_path_buf(), folder.path().join("no/such/folder/report.jsonl")] {
        referee(["grade", "flipgame", "--json"])
            .arg(&path)
            .assert()
            .code(2)
            .stderr(predicates::str::contains("cannot write the report"))
            .stdout(predicates::str::is_empty());
    }
}

#[test]
fn nothing_that_is_printed_is_wider_than_80_columns() {
    needs!("python3");
    let helps = ["grade", "verify", "hunt", "strength", "crosscheck", "generate", "solve", "check"]
        .map(|command| vec![command, "--help"]);
    let puzzles = ["flipgame", "swapgame", "solitaire", "coins"];
    let lists =
        puzzles.iter().flat_map(|puzzle| [vec!["solve", puzzle, "--list"], vec!["generate", puzzle, "--list-kinds"]]);
    let others = [
        vec!["--help"],
        vec!["grade", "tests/packages/not-as-declared/message", "-v"],
        vec![
            "grade",
            "tests/packages/judged/sum",
            "tests/hostile/WA/one_long_line.py",
            "tests/hostile/WA/broken_utf8.py",
        ],
        vec!["grade", "flipgame", "cases/flipgame/submissions/wrong_answer/white_only.py"],
    ];
    let is_narrow = |text: &str, arguments: &[&str]| {
        assert!(!text.is_empty(), "{arguments:?} prints something");
        let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert_eq!(wide, Vec::<&str>::new(), "{arguments:?}");
    };
    for run in runs::all() {
        is_narrow(&run.people, run.arguments);
    }
    for arguments in helps.into_iter().chain(lists).chain(others) {
        let output = referee(&arguments).env("COLUMNS", "80").output().expect("referee starts");
        is_narrow(&String::from_utf8(output.stdout).expect("what people read is UTF-8"), &arguments);
    }
}

#[test]
fn what_every_command_finds_fits_into_a_narrow_screen() {
    needs!("python3", "gcc");
    for width in [40, 60] {
        for arguments in [
            vec!["doctor"],
            vec!["verify", "tests/packages/judged/tokens", "-v"],
            vec!["strength", "tests/strength/larger", "--only", "accepted/*", "--seconds", "1", "-v"],
            vec!["generate", "tests/packages/generated/seeded-by-its-folder"],
            vec!["crosscheck", "flipgame", "--boards", "5"],
        ] {
            let output = referee(&arguments).env("COLUMNS", width.to_string()).output().expect("referee starts");
            let text = String::from_utf8(output.stdout).expect("what people read is UTF-8");
            assert!(!text.is_empty(), "{arguments:?} prints something");
            let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > width).collect();
            assert_eq!(wide, Vec::<&str>::new(), "{arguments:?}");
        }
    }
}

#[test]
fn colours_are_for_terminals_or_those_who_ask() {
    let arguments = ["crosscheck", "flipgame", "--boards", "5"];
    let escape = || predicates::str::contains("\u{1b}[");
    referee(arguments).assert().stdout(escape().not());
    referee(arguments).args(["--color", "always"]).assert().stdout(escape());
    referee(arguments).args(["--color", "never"]).env("CLICOLOR_FORCE", "1").assert().stdout(escape().not());
    referee(arguments).env("CLICOLOR_FORCE", "1").assert().stdout(escape());
    referee(arguments).env("NO_COLOR", "1").assert().stdout(escape().not());
}

#[test]
fn quiet_says_only_what_is_not_as_wanted_and_verbose_says_every_case() {
    needs!("python3");
    let package = "tests/packages/judged/tokens";
    let accepted = || predicates::str::contains("accepted/as_the_answer.py");
    referee(["grade", package, "-q"]).assert().code(0).stdout(accepted().not());
    referee(["grade", package]).assert().code(0).stdout(accepted()).stdout(predicates::str::contains("secret/1"));
    let cases = |text: &str| text.lines().filter(|line| line.contains("secret/")).count();
    let shown = |flag: &str| {
        let output = referee(["grade", "tests/packages/judged/rules", flag]).output().expect("referee starts");
        cases(&String::from_utf8_lossy(&output.stdout))
    };
    assert!(shown("-v") >= 10, "five submissions on two cases");
    referee(["grade", package, "-q", "-v"]).assert().code(2);
}

#[test]
fn a_reader_that_leaves_early_is_nobodys_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["generate", "flipgame", "--count", "20000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("referee starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("referee ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_full_disk_is_an_error_and_no_panic() {
    let board = "cases/flipgame/data/sample/1.in";
    let right = "cases/flipgame/data/sample/1.ans";
    let commands: [&[&str]; 9] = [
        &["check", "flipgame", board, right],
        &["solve", "flipgame", board],
        &["generate", "flipgame"],
        &["solve", "flipgame", "--list"],
        &["crosscheck", "flipgame", "--boards", "5"],
        &["--version"],
        &["--version", "--verbose"],
        &["--help"],
        &["grade", "--help"],
    ];
    for arguments in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full is there");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdout(full);
        let output = command.output().expect("referee starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
        assert!(said.contains("No space left on device"), "{arguments:?}: {said}");
    }
}

/// Grades a program with these options and a standard output that has no reader. Returns the exit code and the
/// messages.
fn graded_without_reader(options: &[&str]) -> (Option<i32>, String) {
    let folder = temporary_folder();
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["grade", "tests/packages/judged/sum", "tests/hostile/WA/says_nothing.c"]).args(options);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("TMPDIR", folder.path());
    let output = command.stdout(writer).stderr(std::process::Stdio::piped()).output().expect("referee starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn each_report_that_cannot_be_written_is_named_even_if_standard_output_has_no_reader() {
    needs!("gcc");
    let (code, said) = graded_without_reader(&["--json", "/dev/full"]);
    let one = "error: a report could not be written: /dev/full: No space left on device";
    assert!(code == Some(3) && said.contains(one), "{said}");
    let (code, said) = graded_without_reader(&["--json", "/dev/full", "--junit", "/dev/full"]);
    let two = "error: 2 reports could not be written: /dev/full: No space left on device (os error 28); /dev/full: No";
    assert!(code == Some(3) && said.contains(two), "{said}");
}

#[test]
fn a_report_whose_reader_has_ended_is_no_failure() {
    needs!("gcc");
    for option in ["--json", "--junit", "--html"] {
        let (code, said) = graded_without_reader(&[option, "-"]);
        assert!(code == Some(1) && !said.contains("error:"), "{option}: {code:?} {said}");
    }
}
