//! Secrets of the judge: what a submission finds of them, in each mode of the sandbox. The program that looks for them is
//! `tests/hostile_outside/AC/reads_no_secrets.c`.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, write};
use super::support::files::in_repository;
use super::support::person::Person;
use super::support::program::temporary_folder;

const SUM: &str = "tests/packages/judged/sum";
const WITHOUT: &str = "REFEREE_SANDBOX_WITHOUT";

/// Returns the source of the program that looks for a secret, for this secret, this file and this shared cache.
pub(crate) fn spy(secret: &str, file: &Path, cache: &Path) -> String {
    let source = fs::read_to_string(in_repository("tests/hostile_outside/AC/reads_no_secrets.c")).expect("a source");
    let (begin, end) = secret.split_at(secret.len() / 2);
    let definitions = [
        ("SECRET_BEGIN", begin.to_owned()),
        ("SECRET_END", end.to_owned()),
        ("SECRET_FILE", file.display().to_string()),
        ("SHARED_CACHE", cache.display().to_string()),
    ];
    let defined = |line: &str| {
        let name = line.strip_prefix("#define ")?.split(' ').next()?;
        let (_, value) = definitions.iter().find(|(own, _)| *own == name)?;
        Some(format!("#define {name} {value:?}"))
    };
    source.lines().map(|line| defined(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

/// A user with a secret, a file that contains it, and a shared cache.
struct Lab<'a> {
    person: &'a Person,
    secret: &'static str,
    folder: TempDir,
}

impl<'a> Lab<'a> {
    /// The secrets of tests that run at the same time must differ, because their users are the same.
    fn new(person: &'a Person, secret: &'static str) -> Lab<'a> {
        let lab = Lab { person, secret, folder: temporary_folder() };
        let file = write(lab.folder.path(), "secret", secret);
        fs::create_dir(lab.cache()).expect("a folder can be made");
        write(lab.folder.path(), "spy.c", &spy(secret, &file, &lab.cache()));
        for path in [lab.folder.path(), &file, &lab.cache()] {
            person.owns(path);
        }
        lab
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// Returns the command that judges the spy. As in a CI job, a shell starts it, and the shell's environment has the
    /// secret, too.
    fn grade(&self, without: &str, arguments: &[&str]) -> Command {
        let judge = self.person.referee::<&str>([]);
        let words: Vec<_> = judge.get_args().map(std::ffi::OsStr::to_owned).collect();
        let mut shell = self.person.command(Path::new("sh"));
        let own = match self.person {
            Person::Myself => judge.get_program().to_owned(),
            Person::Ordinary => words.last().expect("the path of referee").clone(),
        };
        shell.args(["-c", "\"$0\" \"$@\"; exit $?"]).arg(own).args(["grade", SUM]);
        shell.arg(self.folder.path().join("spy.c")).args(arguments);
        if let Some(folder) = judge.get_current_dir() {
            shell.current_dir(folder);
        }
        shell.env("HOME", self.folder.path()).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        shell.env("REFEREE_SHARED_CACHE_SECRET", self.secret).env(WITHOUT, without);
        shell
    }

    /// Returns the verdict of the spy and what it has printed.
    fn found(&self, without: &str, arguments: &[&str]) -> (String, String) {
        let (_, lines) = json(self.grade(without, arguments));
        let verdict = of_type(&lines, "submission_finished")[0]["verdict"].as_str().unwrap_or_default().to_owned();
        (verdict, lines.iter().map(ToString::to_string).collect())
    }
}

/// The modes in which a shared cache may be used.
const MODES: [&str; 4] = ["", "landlock,cgroups", "seccomp", "namespaces"];

fn nothing_is_found(person: &Person, secret: &'static str) {
    for without in MODES {
        let lab = Lab::new(person, secret);
        let cache = lab.cache().display().to_string();
        let (verdict, report) = lab.found(without, &["--shared-cache", &cache]);
        assert_eq!(verdict, "AC", "without {without:?}: {report}");
        assert!(!names_in(&lab.cache()).is_empty(), "without {without:?}: the cache is used");
    }
}

#[test]
fn a_submission_finds_no_secret_of_a_shared_cache_and_cannot_write_to_it() {
    needs!("gcc");
    nothing_is_found(&Person::Myself, "the-secret-of-myself");
}

#[test]
fn a_submission_of_an_ordinary_user_finds_no_secret_of_a_shared_cache_either() {
    let person = needs!(Person::ordinary());
    needs!("gcc");
    nothing_is_found(&person, "the-secret-of-an-ordinary-user");
}

/// This also shows that the program would find a secret.
#[test]
fn where_nothing_hides_files_a_shared_cache_is_refused_because_a_submission_would_find_the_secret() {
    let person = needs!(Person::ordinary());
    needs!("gcc");
    let lab = Lab::new(&person, "a-secret-that-nothing-hides");
    let cache = lab.cache().display().to_string();
    for (without, options, remedy) in [
        ("namespaces,landlock", vec![], "switched off by REFEREE_SANDBOX_WITHOUT"),
        ("namespaces,seccomp", vec![], "the program can use the network"),
        ("", vec!["--sandbox", "off"], "leave out --sandbox off"),
    ] {
        let before = names_in(&lab.cache());
        let told = contains("programs could read the secret of the shared cache").and(contains(remedy));
        lab.grade(without, &[&options[..], &["--shared-cache", &cache]].concat()).assert().code(2).stderr(told);
        assert_eq!(names_in(&lab.cache()), before, "no program was run");
        let (verdict, report) = lab.found(without, &options);
        let wanted = if without == "namespaces,seccomp" { "AC" } else { "WA" };
        assert_eq!(verdict, wanted, "without {without:?}: {report}");
    }
}
