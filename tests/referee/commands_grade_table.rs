//! The table of `referee grade`, the details below it, the width of the screen, and what an interruption leaves.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::support::command::{referee, settings, write};
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";

const ADD: &str = "read a b\necho $((a + b))\n";

/// Writes a class of shell programs: one is right, and `wrong` are wrong.
fn class(folder: &Path, wrong: usize) -> Vec<std::path::PathBuf> {
    let mut programs = vec![write(folder, "right.sh", ADD)];
    let name = |index| format!("a-student-with-quite-a-long-name-{index}.sh");
    programs.extend((0..wrong).map(|index| write(folder, &name(index), "read a b\necho 0\n")));
    programs
}

fn said(command: &mut assert_cmd::Command) -> String {
    String::from_utf8(command.output().expect("referee starts").stdout).expect("it is UTF-8")
}

/// Returns the positions of the parts in the text, which must contain all of them.
fn positions<const N: usize>(text: &str, parts: [&str; N]) -> [usize; N] {
    parts.map(|part| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text}")))
}

#[test]
fn the_table_comes_first_then_a_count_of_each_verdict_and_then_the_details() {
    let folder = temporary_folder();
    let mut programs = class(folder.path(), 2);
    programs.push(write(folder.path(), "homework.pdf", "%PDF"));
    let text = said(referee(["grade", SUM]).args(&programs));
    let rows: Vec<_> = text.lines().skip_while(|line| !line.contains("submission  ")).take(5).collect();
    assert!(rows[0].contains(" passed first failing case") || rows[0].contains(" passed fails on"), "{text}");
    assert!(rows[1].starts_with("✓ AC") && rows[1].contains(" 2/2 "), "{text}");
    assert!(rows[2].starts_with("✗ WA") && rows[3].starts_with("✗ WA"), "{text}");
    assert!(
        rows[4].starts_with("- ") && rows[4].contains("homework.pdf ") && rows[4].ends_with(" not judged"),
        "{text}"
    );
    let parts = [
        "\n1 AC, 2 WA, 1 not judged\n",
        "-0.sh: WA on secret/1\n",
        "-1.sh: WA on secret/1\n",
        "4 submissions found, 3",
    ];
    assert!(positions(&text, parts).is_sorted(), "{text}");
}

#[test]
fn details_are_short_if_many_fail_unless_all_are_asked_for() {
    let folder = temporary_folder();
    let programs = class(folder.path(), 6);
    let grade = |options: &[&str]| said(referee(["grade", SUM]).args(&programs).args(options));
    let count = |text: &str, part: &str| text.matches(part).count();
    let short = grade(&[]);
    assert_eq!((count(&short, ": WA on "), count(&short, "\n  input\n")), (6, 0), "{short}");
    assert!(short.contains("--details failing shows"), "{short}");
    let full = grade(&["--details", "failing"]);
    assert_eq!((count(&full, ": WA on "), count(&full, "\n  input\n")), (6, 6), "{full}");
    let none = grade(&["--details", "none"]);
    assert_eq!((count(&none, ": WA on "), count(&none, "✗ WA")), (0, 6), "{none}");
    // The package's own wrong submission fails as expected.
    let own = |options: &[&str]| said(referee(["grade", "tests/packages/judged/rules"]).args(options));
    assert_eq!(count(&own(&[]), "\n  input\n"), 0);
    assert!(count(&own(&["--details", "all"]), "\n  input\n") > 1);
}

#[test]
fn the_table_is_sorted_as_asked() {
    let folder = temporary_folder();
    let programs = ["b10.sh", "b9.sh", "a.sh"]
        .map(|name| write(folder.path(), name, if name == "b9.sh" { ADD } else { "read a b\necho 0\n" }));
    let rows = |options: &[&str]| {
        let text = said(referee(["grade", SUM, "--details", "none"]).args(&programs).args(options));
        let names: Vec<_> = text.lines().filter(|line| line.starts_with(['✓', '✗'])).map(str::to_owned).collect();
        names
            .iter()
            .map(|line| ["b10", "b9", "a"].into_iter().find(|name| line.contains(&format!("/{name}.sh"))))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&[]), [Some("b10"), Some("b9"), Some("a")], "the order of the command line");
    assert_eq!(rows(&["--sort", "name"]), [Some("a"), Some("b9"), Some("b10")]);
    assert_eq!(rows(&["--sort", "verdict"]), [Some("b9"), Some("a"), Some("b10")]);
}

#[test]
fn no_line_is_wider_than_the_screen_and_a_narrow_one_lacks_memory_and_time_first() {
    let folder = temporary_folder();
    let programs = class(folder.path(), 2);
    for columns in [40, 60, 80, 120] {
        let text = said(referee(["grade", SUM]).args(&programs).env("COLUMNS", columns.to_string()));
        let wide: Vec<_> = text.lines().filter(|line| line.chars().count() > columns).collect();
        assert_eq!(wide, Vec::<&str>::new(), "{columns}");
        let head = text.lines().find(|line| line.contains("submission ")).unwrap_or_default();
        assert_eq!((head.contains("MiB"), head.contains("CPU")), (columns >= 80, columns >= 60), "{columns}: {head}");
        assert!(head.contains("passed"), "{head}");
    }
}

#[test]
fn a_terminal_decides_how_wide_the_report_is() {
    let folder = temporary_folder();
    let programs = class(folder.path(), 1);
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal can be made");
    grantpt(&controller).expect("it can be opened");
    unlockpt(&controller).expect("it can be opened");
    let name = ptsname(&controller, Vec::new()).expect("it has a name");
    let terminal =
        File::options().read(true).write(true).open(name.to_str().expect("ASCII")).expect("it can be opened");
    tcsetwinsize(&terminal, Winsize { ws_row: 50, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0 }).expect("it has a size");
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", SUM, "--color", "never"])
        .args(&programs)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .env("COLUMNS", "40")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(terminal)
        .stderr(Stdio::null())
        .spawn()
        .expect("referee starts");
    let mut text = Vec::new();
    // When the last program closes a terminal, reading from its other end fails.
    let _ = File::from(controller).read_to_end(&mut text);
    assert_eq!(child.wait().expect("referee ends").code(), Some(1));
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("a-student-with-quite-a-long-name-0.sh  ") && text.contains("MiB"), "{text}");
}

#[test]
fn in_the_c_locale_the_report_is_ascii_and_on_a_dumb_terminal_too() {
    let folder = temporary_folder();
    let programs = class(folder.path(), 1);
    for (name, value) in [("LC_ALL", "C"), ("LC_ALL", "POSIX"), ("TERM", "dumb")] {
        let text = said(referee(["grade", SUM]).args(&programs).env(name, value).env("COLUMNS", "40"));
        assert!(text.is_ascii() && text.contains("\n+ AC") && text.contains("\nx WA"), "{name}={value}: {text}");
    }
    let names = write(folder.path(), "müller-王小明.sh", ADD);
    let text = said(referee(["grade", SUM]).arg(names).env("LC_ALL", "C"));
    assert!(text.contains("müller-王小明.sh") && text.contains("\n+ AC"), "names stay: {text}");
}

#[test]
fn remarks_on_the_package_are_not_shown_with_quiet() {
    let folder = temporary_folder();
    write(folder.path(), "p/problem.yaml", "problem_format_version: 2025-09\nname: Sum\nuuid: 0c6a\n");
    write(folder.path(), "p/data/secret/1.in", "1 2\n");
    write(folder.path(), "p/data/secret/1.ans", "3\n");
    let program = write(folder.path(), "right.sh", ADD);
    let grade = |option: &[&str]| {
        let mut command = referee(["grade", "--time-limit", "5"]);
        command.arg(folder.path().join("p")).arg(&program).args(option);
        command.assert().code(0)
    };
    grade(&[]).stderr(contains("format: "));
    grade(&["-q"]).stderr(contains("format: ").not()).stderr(contains("remark").not());
}

#[test]
fn an_interrupted_run_shows_what_it_found_and_the_command_that_continues_it() {
    let folder = temporary_folder();
    let right = write(folder.path(), "it's right.sh", ADD);
    let wrong = write(folder.path(), "wrong.sh", "read a b\necho 0\n");
    let slow = write(folder.path(), "slow.sh", "sleep 2\nread a b\necho $((a + b))\n");
    let report = folder.path().join("r.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", SUM, "--time-limit", "20", "-j", "1"])
        .args([&right, &wrong, &slow, &slow, &slow])
        .arg("--json")
        .arg(&report)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .env("LC_ALL", "C.UTF-8")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("referee starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    let part = folder.path().join("r.jsonl.part");
    let is_judged =
        || std::fs::read_to_string(&part).is_ok_and(|text| text.matches("submission_finished").count() == 2);
    while !is_judged() {
        assert!(Instant::now() < deadline, "nothing was judged");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("referee runs");
    assert_eq!(child.wait().expect("referee ends").code(), Some(130));
    let (mut out, mut error) = (String::new(), String::new());
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("UTF-8");
    child.stderr.take().expect("a pipe").read_to_string(&mut error).expect("UTF-8");
    let parts = ["✓ AC", "✗ WA", "\n1 AC, 1 WA\n", "wrong.sh: WA on secret/1\n  line 1: expected"];
    assert!(positions(&out, parts).is_sorted(), "{out}");
    assert!(!out.contains("as expected"), "{out}");
    let command = error.lines().skip_while(|line| *line != "hint: to continue, run:").nth(1).unwrap_or_default();
    assert!(command.contains(" --resume "), "{error}");
    // The command names the program without its folder.
    let program = Path::new(env!("CARGO_BIN_EXE_referee")).parent().expect("a folder").display();
    let path = format!("{program}:{}", std::env::var("PATH").expect("a PATH"));
    let mut shell = assert_cmd::Command::new("sh");
    shell.args(["-c", command]).current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", path);
    shell.env("XDG_CACHE_HOME", settings().join("cache"));
    shell.assert().code(1).stderr(contains("resuming from")).stdout(contains("5 submissions judged"));
}

#[test]
fn without_a_report_an_interruption_says_how_the_next_run_could_be_continued() {
    let folder = temporary_folder();
    let slow = write(folder.path(), "slow.sh", "sleep 60\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["grade", SUM, "--time-limit", "50"])
        .arg(&slow)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CACHE_HOME", settings().join("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("referee starts");
    // The first line of the report appears after the interrupts are handled.
    let mut first = [0; 1];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut first).expect("a report begins");
    kill_process(Pid::from_child(&child), Signal::INT).expect("referee runs");
    let ended = child.wait_with_output().expect("referee ends");
    let error = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130));
    assert!(error.contains("hint: with --json FILE, the same command with --resume FILE continues"), "{error}");
}
