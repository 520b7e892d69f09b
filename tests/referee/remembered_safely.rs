//! A cache never leads to a wrong result, even if several judges share it, or if it is damaged or not writable.

use std::fs;
use std::path::Path;

use super::support::command::{json, names_in, of_type};
use super::support::lab::{ALL, Lab, NONE, runs};

#[test]
fn what_is_damaged_is_run_again_and_nobody_is_troubled() {
    type Damage = fn(&Path);
    let lab = Lab::new();
    let damages: [(&str, Damage); 6] = [
        ("a byte", |page| {
            let mut bytes = fs::read(page).expect("a page can be read");
            let last = bytes.len() - 2;
            bytes[last] ^= 1;
            fs::write(page, bytes).expect("a page can be written");
        }),
        ("its end", |page| {
            let bytes = fs::read(page).expect("a page can be read");
            fs::write(page, &bytes[..bytes.len() - 3]).expect("a page can be written");
        }),
        ("all of it", |page| fs::write(page, [0xff; 5000]).expect("a page can be written")),
        ("nothing in it", |page| fs::write(page, "").expect("a page can be written")),
        ("zeros after it", |page| {
            let bytes = [fs::read(page).expect("a page can be read"), vec![0; 500]].concat();
            fs::write(page, &bytes[9..]).expect("a page can be written");
        }),
        ("a folder", |page| {
            fs::remove_file(page).and_then(|()| fs::create_dir(page)).expect("a folder can be made");
        }),
    ];
    for (what, damage) in damages {
        assert!(lab.runs(["--all-cases"]).len() <= 6);
        for page in names_in(&lab.results()) {
            damage(&lab.results().join(page));
        }
        let (code, lines) = json(lab.grade(NONE));
        assert_eq!((code, of_type(&lines, "case_finished").len()), (0, 6), "{what}");
        assert!(runs(&lines).len() >= 2, "{what}");
        if what != "a folder" {
            assert_eq!(lab.runs(NONE), NONE, "{what} is mended");
        }
    }
}

#[test]
fn judges_that_run_at_the_same_time_share_what_they_find_out() {
    let lab = Lab::new();
    let start = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_referee"));
        command.arg("grade").arg(lab.path("")).env("XDG_CACHE_HOME", lab.cache());
        command.stdout(std::process::Stdio::null()).spawn().expect("referee starts")
    };
    let mut judges: Vec<_> = (0..8).map(|_| start()).collect();
    // One of the judges is killed while it runs.
    judges[0].kill().expect("a judge can be killed");
    let ends: Vec<_> = judges.iter_mut().map(|judge| judge.wait().expect("it can be waited for").code()).collect();
    assert!(ends[1..].iter().all(|code| *code == Some(0)), "{ends:?}");
    assert_eq!(lab.runs(NONE), NONE);
    assert_eq!(names_in(&lab.results()).len(), 2, "a page per submission");
}

/// Runs the shell script `mounted` and then `grade`, both in a new mount namespace. Fails if the machine allows no such
/// namespace.
fn grade_where(lab: &Lab, mounted: &str, arguments: &[&str]) -> Result<std::process::Output, String> {
    let script = format!("mkdir -p \"$CACHE\" && {{ {mounted}; }} && touch \"$MARK\" && exec \"$@\"");
    let mark = lab.folder.path().join("mounted");
    let mut command = std::process::Command::new("unshare");
    command.args(["-m", "sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_referee"), "grade"]);
    command.arg(lab.path("")).args(arguments);
    command.env("CACHE", lab.cache()).env("XDG_CACHE_HOME", lab.cache()).env("MARK", &mark);
    let output = command.output().map_err(|error| format!("unshare cannot be run: {error}"))?;
    if mark.exists() {
        Ok(output)
    } else {
        Err(format!("nothing can be mounted here: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

#[test]
fn a_full_disk_hinders_nothing_but_remembering() {
    let lab = Lab::new();
    let full = "mount -t tmpfs -o size=4k none \"$CACHE\"";
    let output = needs!(grade_where(&lab, full, &["-v"]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("results are not cached: "), "{said}");
    let quiet = grade_where(&lab, full, &[]).expect("it could be mounted before");
    assert_eq!((quiet.status.code(), quiet.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_cache_that_can_only_be_read_is_read() {
    let lab = Lab::new();
    assert_eq!(lab.runs(NONE), ALL);
    let closed = "mount --bind \"$CACHE\" \"$CACHE\" && mount -o remount,bind,ro \"$CACHE\"";
    let output = needs!(grade_where(&lab, closed, &[]));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("all results are from earlier runs"), "{said}");
    lab.write("data/secret/a.in", "2 1\n");
    let output = grade_where(&lab, closed, &["-v"]).expect("it could be mounted before");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("results are not cached: "), "{said}");
}
