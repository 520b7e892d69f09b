//! `referee generate PACKAGE --write` loses no file. A mistake in generators.yaml is an error. Files that no rule makes
//! are removed only after consent. Removed files are moved to the trash. No link is followed.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use rustix::pty::OpenptFlags;
use serde_json::Value;

use super::support::command::{json, names_in, of_type, referee, settings, write};
use super::support::program::temporary_folder;

const ONE_CASE: &str = "data: {secret: {data: {a: {in: '1', ans: '1'}}}}\n";

/// Creates a package with a test case written by hand.
fn package(folder: &Path, rules: &str) -> PathBuf {
    let package = folder.join("package");
    write(&package, "problem.yaml", "problem_format_version: 2025-09\nname: Test\ntype: pass-fail\n");
    write(&package, "generators/generators.yaml", rules);
    write(&package, "data/secret/hand.in", "by hand\n");
    write(&package, "data/secret/hand.ans", "by hand\n");
    package
}

fn generate(package: &Path, arguments: &[&str]) -> Assert {
    referee([Path::new("generate"), package]).args(arguments).assert()
}

/// Returns the files and links of the package whose path begins with `data` or with a dot, in order.
fn files(package: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(package).sort_by_file_name().into_iter().map(|entry| entry.expect("readable"));
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    let below = |path: &Path| path.strip_prefix(package).expect("it lies below").display().to_string();
    files.map(|entry| below(entry.path())).filter(|path| path.starts_with("data") || path.starts_with('.')).collect()
}

const BY_HAND: [&str; 2] = ["data/secret/hand.ans", "data/secret/hand.in"];

#[test]
fn a_misspelt_key_is_an_error_with_a_suggestion_and_removes_nothing() {
    let folder = temporary_folder();
    for (rules, place, meant) in [
        ("dta: {secret: {data: {a: {in: '1', ans: '1'}}}}\n", "1:1: unknown key \"dta\" of the file", "data"),
        ("data: {sceret: {data: {}}}\n", "1:8: unknown folder \"sceret\" of data", "secret"),
        ("data: {smple: {data: {}}}\n", "1:8: unknown folder \"smple\" of data", "sample"),
        ("data: {secret: {dta: [{a: {in: '1'}}]}}\n", "1:17: unknown key \"dta\" of a group", "data"),
        ("data: {secret: {data: {a: {gnerate: g}}}}\n", "1:28: unknown key \"gnerate\" of a group", "generate"),
        ("data: {secret: {data: {a: {in: '1', asn: '1'}}}}\n", "1:37: unknown key \"asn\" of a test case", "ans"),
    ] {
        let package = package(folder.path(), rules);
        let told = contains(place).and(contains(format!("did you mean {meant}?")));
        generate(&package, &["--write", "--remove"]).code(2).stderr(told);
        assert_eq!(files(&package), BY_HAND, "{rules}");
    }
}

#[test]
fn keys_that_bapctools_refuses_are_errors() {
    let folder = temporary_folder();
    for (rules, message) in [
        ("command: x\ndata: {}\n", "\"command\" is not allowed in the file"),
        ("data: {secret: {version: '1', data: {}}}\n", "\"version\" is not allowed in a group"),
        ("data: {secret: {generators: {}, data: {}}}\n", "\"generators\" is not allowed in a group"),
        ("data: {secret: {data: {a: {in: '1', data: {b: {in: '2'}}}}}}\n", "\"data\" is not allowed in a test case"),
    ] {
        let package = package(folder.path(), rules);
        generate(&package, &["--write", "--remove"]).code(2).stderr(contains(message));
        assert_eq!(files(&package), BY_HAND, "{rules}");
    }
}

#[test]
fn with_a_key_that_bapctools_only_warns_of_cases_are_written_and_nothing_is_removed() {
    let folder = temporary_folder();
    for key in ["visualizer: x", "tool: 1", "testdata.yaml: {}"] {
        let rules = format!("{key}\ndata: {{secret: {{data: {{a: {{in: '1', ans: '1'}}}}}}}}\n");
        let package = package(folder.path(), &rules);
        let warned = contains("while it is present, no file is removed from data/");
        generate(&package, &["--write", "--remove"])
            .code(0)
            .stdout(contains("kept      secret/hand.in"))
            .stderr(warned);
        let all = ["data/secret/a.ans", "data/secret/a.in", BY_HAND[0], BY_HAND[1]];
        assert_eq!(files(&package), all, "{key}");
        let (_, lines) = json(referee([Path::new("generate"), &package]));
        let finished = of_type(&lines, "generate_finished")[0];
        assert_eq!(finished["removed"], serde_json::json!([]));
        assert_eq!(finished["kept"], serde_json::json!(["secret/hand.ans", "secret/hand.in"]));
        fs::remove_dir_all(&package).expect("a folder can be removed");
    }
}

#[test]
fn without_a_terminal_nothing_is_removed_unless_that_is_asked_for() {
    let folder = temporary_folder();
    // None of these rules makes the files that were written by hand, so `generate` would remove these files.
    for rules in [ONE_CASE, "{}\n", "data: {}\n", "data:\n", "data: {sample: {data: {s: {in: '1', ans: '1'}}}}\n"] {
        let package = package(folder.path(), rules);
        let refused = contains("nothing was written").and(contains("--remove"));
        generate(&package, &["--write"]).code(2).stderr(refused);
        assert_eq!(files(&package), BY_HAND, "{rules}");
    }
    let package = package(folder.path(), ONE_CASE);
    let (code, lines) = json({
        let mut command = referee([Path::new("generate"), &package]);
        command.arg("--write");
        command
    });
    let finished = of_type(&lines, "generate_finished")[0];
    assert_eq!((code, &finished["written"], &finished["trash"]), (2, &Value::Null, &Value::Null));
    generate(&package, &["--remove"]).code(2).stderr(contains("--write"));
}

#[test]
fn removed_and_overwritten_files_are_in_the_trash_that_the_output_names() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    write(&package, "data/secret/a.in", "also by hand\n");
    write(&package, "data/secret/group/b.in", "in a group\n");
    let (code, lines) = json({
        let mut command = referee([Path::new("generate"), &package]);
        command.args(["--write", "--remove"]);
        command
    });
    assert_eq!(code, 0);
    let trash = of_type(&lines, "generate_finished")[0]["trash"].as_str().expect("the trash has a name").to_owned();
    assert!(trash.starts_with(&format!("{}/.referee-trash/", package.display())), "{trash}");
    let text = |name: &str| fs::read_to_string(Path::new(&trash).join(name)).expect("the file is in the trash");
    assert_eq!(text("secret/a.in"), "also by hand\n");
    assert_eq!(text("secret/hand.in"), "by hand\n");
    assert_eq!(text("secret/group/b.in"), "in a group\n");
    // A second run has its own trash folder, even if it starts in the same second.
    write(&package, "data/secret/a.in", "once more\n");
    generate(&package, &["--write"]).code(0).stdout(contains("removed and overwritten files are in"));
    assert_eq!(text("secret/a.in"), "also by hand\n");
    assert_eq!(names_in(&package.join(".referee-trash")).len(), 3, "two runs and .gitignore");
    // If no file is removed or overwritten, the output names no trash, and no trash folder is created.
    generate(&package, &["--write"]).code(0).stdout(contains("removed and overwritten").not());
    assert_eq!(names_in(&package.join(".referee-trash")).len(), 3);
}

#[test]
fn the_trash_is_no_part_of_the_package() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    generate(&package, &["--write", "--remove"]).code(0);
    let archive = folder.path().join("archive.zip");
    let mut command = referee([Path::new("export"), &package]);
    command.args(["--to", "kattis", "--out"]).arg(&archive).assert().code(0);
    let archive = zip::ZipArchive::new(File::open(&archive).expect("it is there")).expect("it is an archive");
    assert!(archive.file_names().any(|name| name.ends_with("secret/a.in")), "the test case is in the archive");
    assert!(!archive.file_names().any(|name| name.contains("trash")), "the trash is not");
    let (_, lines) = json(referee([Path::new("verify"), &package]));
    assert!(!lines.iter().any(|line| line.to_string().contains("referee-trash")));
}

#[test]
fn a_data_folder_that_is_a_link_is_refused_and_what_it_leads_to_stays() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    let mine = write(folder.path(), "home/thesis", "years of work\n");
    for (link, target) in
        [("data", "../home"), ("data", "nowhere"), ("data/secret", "../../home"), ("data/secret", "x")]
    {
        let _ = fs::remove_dir_all(package.join("data"));
        let _ = fs::remove_file(package.join("data"));
        if link != "data" {
            fs::create_dir(package.join("data")).expect("a folder can be made");
        }
        symlink(target, package.join(link)).expect("a link can be made");
        for arguments in [&["--write", "--remove"][..], &["--write"], &[]] {
            let refused = contains(format!("{link} is a link to {target}; test cases are written into folders only"));
            generate(&package, arguments).code(2).stderr(refused).stdout(predicates::str::is_empty());
        }
        assert_eq!(fs::read_to_string(&mine).expect("the file is there"), "years of work\n");
        assert_eq!(names_in(&folder.path().join("home")), ["thesis"]);
        assert_eq!(package.join(link).read_link().expect("the link is there"), Path::new(target));
    }
}

#[test]
fn a_trash_that_is_a_link_gets_no_file() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    fs::create_dir(folder.path().join("home")).expect("a folder can be made");
    symlink("../home", package.join(".referee-trash")).expect("a link can be made");
    let refused = contains(".referee-trash: it is not a folder");
    generate(&package, &["--write", "--remove"]).code(2).stderr(refused);
    assert_eq!(names_in(&folder.path().join("home")), Vec::<String>::new());
    assert_eq!(files(&package), [".referee-trash", BY_HAND[0], BY_HAND[1]]);
}

#[test]
fn a_folder_for_all_cases_is_new_or_empty_and_no_link_to_nowhere() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    let out = folder.path().join("out");
    symlink("nowhere", &out).expect("a link can be made");
    let mut command = referee([Path::new("generate"), &package, Path::new("--out"), &out]);
    command.assert().code(2).stderr(contains("it is a link to a missing file or folder"));
    assert!(!folder.path().join("nowhere").exists());
}

/// Runs `generate --write` on a terminal and types `answer`. If `answer` is `None`, interrupts the command while it
/// asks. Returns the exit code and what the terminal shows.
fn on_a_terminal(package: &Path, answer: Option<&str>) -> (Option<i32>, String) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let terminal = rustix::pty::openpt(flags).expect("a terminal can be made");
    rustix::pty::grantpt(&terminal).and_then(|()| rustix::pty::unlockpt(&terminal)).expect("and opened");
    let size = rustix::termios::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&terminal, size).expect("it gets a size, so that progress bars are drawn");
    let name = rustix::pty::ptsname(&terminal, Vec::new()).expect("it has a name").into_string().expect("in UTF-8");
    let side = || File::options().read(true).write(true).open(&name).expect("it can be opened");
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args([Path::new("generate"), package, Path::new("--write"), Path::new("--color=never")]);
    command.env("XDG_CACHE_HOME", settings().join("cache"));
    let child = command.stdin(side()).stderr(side()).stdout(Stdio::null()).spawn();
    let mut child = child.expect("referee starts");
    drop(command);
    let mut terminal = File::from(terminal);
    if let Some(answer) = answer {
        terminal.write_all(answer.as_bytes()).expect("an answer can be typed");
    }
    let (mut shown, mut buffer, end) = (String::new(), [0; 4096], Instant::now() + Duration::from_secs(60));
    // Reading the terminal fails after its other side is closed.
    while let Ok(length @ 1..) = terminal.read(&mut buffer) {
        shown += &String::from_utf8_lossy(&buffer[..length]);
        if answer.is_none() && shown.contains("[y/N]") {
            // If a progress bar were still drawn, it would overwrite the question during this time.
            std::thread::sleep(Duration::from_millis(500));
            let process = rustix::process::Pid::from_child(&child);
            rustix::process::kill_process(process, rustix::process::Signal::INT).expect("a signal can be sent");
        }
        assert!(Instant::now() < end, "{shown}");
    }
    (child.wait().expect("referee ends").code(), shown)
}

#[test]
fn on_a_terminal_the_user_is_asked_before_files_are_removed() {
    let folder = temporary_folder();
    let package = package(folder.path(), ONE_CASE);
    for answer in ["n\n", "\n", "what?\n", "\u{4}"] {
        let (code, shown) = on_a_terminal(&package, Some(answer));
        assert_eq!(code, Some(2), "{shown}");
        assert!(shown.contains("no rule in generators.yaml makes these 2 paths in data/: secret/hand.ans,"), "{shown}");
        assert!(shown.contains("remove them from data/? [y/N]"), "{shown}");
        assert_eq!(files(&package), BY_HAND, "{answer:?}");
    }
    let (code, shown) = on_a_terminal(&package, None);
    assert_eq!((code, files(&package)), (Some(130), BY_HAND.map(str::to_owned).to_vec()), "{shown}");
    let after = shown.split("[y/N]").nth(1).unwrap_or_default();
    assert!(!after.contains('━') && !after.contains("\u{1b}[2K"), "the question stays on the screen: {shown:?}");
    let (code, shown) = on_a_terminal(&package, Some("y\n"));
    assert_eq!(code, Some(0), "{shown}");
    let left: Vec<_> = files(&package).into_iter().filter(|path| path.starts_with("data")).collect();
    assert_eq!(left, ["data/secret/a.ans", "data/secret/a.in"]);
    // If no file is removed, the command does not ask.
    let (code, shown) = on_a_terminal(&package, Some(""));
    assert!(code == Some(0) && !shown.contains("[y/N]"), "{shown}");
}

#[test]
fn files_whose_bytes_a_rule_makes_under_another_name_need_no_consent() {
    let folder = temporary_folder();
    let rules = |names: &str| format!("data: {{secret: {{data: [{names}]}}}}\n");
    let two = "a: {in: '1', ans: '2'}}, {b: {in: '3', ans: '4'}";
    let package = package(folder.path(), &rules(&format!("{{{two}}}")));
    generate(&package, &["--write", "--remove"]).code(0);
    // A new first rule changes the numbers of all test cases.
    write(&package, "generators/generators.yaml", &rules(&format!("{{c: {{in: '5', ans: '6'}}}}, {{{two}}}")));
    generate(&package, &["--write"]).code(0).stdout(contains("removed   secret/1-a.in"));
    assert!(package.join("data/secret/2-a.in").exists() && !package.join("data/secret/1-a.in").exists());
    // Files of the same length can have different content.
    write(&package, "data/secret/hand.in", "9\n");
    generate(&package, &["--write"])
        .code(2)
        .stderr(contains("no rule in generators.yaml makes this path in data/: secret/hand.in"));
}
