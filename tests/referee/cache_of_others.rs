//! Another user of the machine cannot plant results or compiled programs: the judge uses no cache and no cache entry
//! that another user could have written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use super::support::command::{json, of_type, write};
use super::support::person::Person;
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
const ADD: &str = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b); }\n";

/// The user id of the attacker, another ordinary user than [`Person::Ordinary`].
const ATTACKER: u32 = 47_111;

/// A folder that every user may enter, with a program and a home folder of the victim.
struct Machine {
    folder: tempfile::TempDir,
    victim: Person,
}

impl Machine {
    fn new(victim: Person) -> Machine {
        let folder = temporary_folder();
        set_mode(folder.path(), 0o755);
        let machine = Machine { folder, victim };
        set_mode(&write(machine.folder.path(), "add.c", ADD), 0o644);
        machine.victim.owns(&machine.new_folder("home", 0o755));
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn new_folder(&self, name: &str, mode: u32) -> PathBuf {
        fs::create_dir(self.path(name)).expect("a folder can be made");
        set_mode(&self.path(name), mode);
        self.path(name)
    }

    /// Returns a command with which the victim judges the program.
    fn grade(&self) -> Command {
        let mut command = self.victim.referee(["grade", SUM]);
        command.arg(self.path("add.c")).env("HOME", self.path("home")).env_remove("XDG_CACHE_HOME");
        command
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode can be set");
}

fn give_to_attacker(path: &Path) {
    for entry in walkdir::WalkDir::new(path) {
        let entry = entry.expect("a folder can be read");
        chown(entry.path(), Some(ATTACKER), Some(ATTACKER)).expect("root can give files away");
    }
}

/// Gives `path` and everything in it to the attacker, and makes it readable for every user.
fn give_to_attacker_who_shows_it(path: &Path) {
    give_to_attacker(path);
    for entry in walkdir::WalkDir::new(path) {
        let entry = entry.expect("a folder can be read");
        let is_program = entry.metadata().expect("it can be examined").permissions().mode() & 0o100 != 0;
        set_mode(entry.path(), if is_program { 0o755 } else { 0o644 });
    }
}

/// Returns whether the program was compiled and run, and nothing came from the cache. Panics unless the verdict is
/// right.
fn is_judged_anew(command: Command) -> bool {
    let (code, lines) = json(command);
    assert_eq!((code, of_type(&lines, "submission_finished")[0]["verdict"].as_str()), (0, Some("AC")), "{lines:?}");
    let is_built = of_type(&lines, "build_finished").iter().any(|line| line["cached"] == false);
    let are_run = of_type(&lines, "case_finished").iter().all(|line| line["cached"] == false);
    is_built && are_run
}

/// Checks that the command warns with the reason `why`, and neither uses nor fills a cache.
fn refuses(grade: impl Fn() -> Command, why: &str) {
    for _ in 0..2 {
        let output = grade().output().expect("referee starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("warning: nothing is cached: ") && said.contains(why), "expected {why}, found {said}");
        assert!(is_judged_anew(grade()), "{why}");
    }
}

#[test]
#[ignore = "takes ten seconds: many runs"]
fn a_cache_that_another_user_can_replace_is_not_used() {
    needs!("gcc");
    let machine = Machine::new(needs!(Person::ordinary()));
    // Each folder was made by the attacker beforehand, and the victim may write in it.
    for (name, mode) in [("open", 0o777), ("sticky", 0o1777)] {
        let folder = machine.new_folder(name, mode);
        give_to_attacker(&folder);
        let grade = || {
            let mut command = machine.grade();
            command.env("XDG_CACHE_HOME", &folder);
            command
        };
        refuses(grade, "belongs to another user (user id 47111)");
        assert_eq!(fs::read_dir(&folder).expect("it can be read").count(), 0, "nothing is made in it");
    }
    // A folder of the victim below a folder of the attacker.
    let above = machine.new_folder("above", 0o777);
    fs::create_dir(above.join("own")).expect("a folder can be made");
    machine.victim.owns(&above.join("own"));
    give_to_attacker_alone(&above);
    let below = || {
        let mut command = machine.grade();
        command.env("XDG_CACHE_HOME", above.join("own"));
        command
    };
    refuses(below, "above belongs to another user");
    // First, the path of the cache contains a link of the attacker. Then, it contains a folder without a sticky bit
    // that everybody can write to: the victim's home.
    let shared = machine.new_folder("shared", 0o1777);
    symlink(machine.path("home"), shared.join("link")).expect("a link can be made");
    std::os::unix::fs::lchown(shared.join("link"), Some(ATTACKER), None).expect("root can give links away");
    let linked = || {
        let mut command = machine.grade();
        command.env("XDG_CACHE_HOME", shared.join("link"));
        command
    };
    refuses(linked, "link belongs to another user");
    set_mode(&machine.path("home"), 0o777);
    refuses(|| machine.grade(), "other users can write to ");
}

fn give_to_attacker_alone(folder: &Path) {
    chown(folder, Some(ATTACKER), Some(ATTACKER)).expect("root can give folders away");
}

#[test]
fn a_folder_for_temporary_files_in_which_others_can_replace_files_prevents_caching() {
    needs!("gcc");
    let machine = Machine::new(needs!(Person::ordinary()));
    let temporary = machine.new_folder("temporary", 0o777);
    let grade = || {
        let mut command = machine.grade();
        command.env("TMPDIR", &temporary);
        command
    };
    refuses(grade, "another user could change this run; set TMPDIR");
    assert!(!machine.path("home/.cache").exists());
    set_mode(&temporary, 0o1777);
    assert!(is_judged_anew(grade()));
    assert!(!is_judged_anew(grade()), "with the sticky bit the cache is used");
}

#[test]
fn entries_of_another_user_in_the_own_cache_are_not_used() {
    needs!("gcc");
    let machine = Machine::new(needs!(Person::ordinary()));
    for part in ["builds", "results"] {
        assert!(is_judged_anew(machine.grade()));
        assert!(!is_judged_anew(machine.grade()));
        let caches = machine.path("home/.cache/referee");
        let other = if part == "builds" { "results" } else { "builds" };
        fs::remove_dir_all(caches.join(other)).expect("a folder can be removed");
        // The test supposes that other users could write to the folder for some time, and that the attacker replaced
        // its entries.
        for entry in fs::read_dir(caches.join(part)).expect("it can be read") {
            give_to_attacker_who_shows_it(&entry.expect("it can be read").path());
        }
        assert!(is_judged_anew(machine.grade()), "{part}");
        fs::remove_dir_all(&caches).expect("the cache can be removed");
    }
}

#[test]
fn root_does_not_use_the_cache_of_an_ordinary_user() {
    needs!("gcc");
    let machine = Machine::new(needs!(Person::ordinary()));
    let as_root = || {
        let mut command = Person::Myself.referee(["grade", SUM]);
        command.arg(machine.path("add.c")).env("HOME", machine.path("home")).env_remove("XDG_CACHE_HOME");
        command
    };
    refuses(as_root, "home belongs to another user (user id 47110)");
    assert!(!machine.path("home/.cache").exists(), "root makes nothing in it");
    assert!(is_judged_anew(machine.grade()));
    refuses(as_root, "home belongs to another user (user id 47110)");
}
