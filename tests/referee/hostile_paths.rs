//! Hostile programs that know the paths of files of the judge's user. They are judged without namespaces. In their
//! sources, `{{folder}}` stands for a folder of the test. This folder contains a file of the user, and the folder of a
//! tool. Programs may read the folder of the tool, which also contains the judge and the package.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use super::support::command::{json, names_in, of_type, write};
use super::support::files;
use super::support::person::{Person, copy_folder};
use super::support::program::{compile_c, copy_program, temporary_folder};

/// The user's folder.
struct Home<'a> {
    person: &'a Person,
    folder: TempDir,
}

impl Home<'_> {
    fn new(person: &Person) -> Home<'_> {
        let home = Home { person, folder: temporary_folder() };
        let tools = home.path("tools");
        let set_mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        set_mode(home.folder.path(), 0o755);
        copy_folder(&files::in_repository("tests/packages/judged/sum"), &tools.join("pkg/sum"));
        write(&tools, "lib/module.pm", "1;\n");
        for (from, name) in
            [(Path::new("/usr/bin/perl"), "perl"), (Path::new(env!("CARGO_BIN_EXE_referee")), "referee")]
        {
            let to = write(&tools, &format!("bin/{name}"), "");
            copy_program(from, &to);
            set_mode(&to, 0o755);
        }
        let perl = tools.join("bin/perl");
        write(
            home.folder.path(),
            "tools.toml",
            &format!("[[tool]]\nname = \"perl\"\ncommands = [\"{}\"]\n", perl.display()),
        );
        write(home.folder.path(), "thesis.tex", "thesis");
        std::fs::create_dir(home.path("temporary")).expect("a folder can be made");
        for entry in walkdir::WalkDir::new(home.folder.path()) {
            person.owns(entry.expect("the folder can be read").path());
        }
        home
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// Judges the program without namespaces. `wrapper` is a command that runs the judge. Returns the verdict.
    fn judge(&self, program: &Path, wrapper: Option<&Path>, writes: bool) -> Value {
        let text = std::fs::read_to_string(program).expect("a program can be read");
        let name = program.file_name().and_then(|name| name.to_str()).expect("its name is UTF-8");
        let own = text.replace("{{folder}}", self.folder.path().to_str().expect("a path is UTF-8"));
        let own = write(self.folder.path(), name, &own);
        let package = self.path("tools/pkg/sum");
        if writes {
            let rules = std::fs::read_to_string(package.join("problem.yaml")).unwrap();
            write(&package, "problem.yaml", &format!("{rules}allow_file_writing: true\n"));
        }
        let judge = self.path("tools/bin/referee");
        let mut command = self.person.command(wrapper.unwrap_or(&judge));
        command.args(wrapper.map(|_| &judge));
        command.arg("grade").arg(&package).arg(&own).arg("--languages").arg(self.path("tools.toml"));
        command.args(["--no-cache", "-j", "1", "--time-limit", "10"]).current_dir(self.folder.path());
        command.env("REFEREE_SANDBOX_WITHOUT", "namespaces").env("TMPDIR", self.path("temporary"));
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", self.folder.path());
        let (_, lines) = json(command);
        assert_eq!(names_in(&self.path("temporary")), Vec::<String>::new());
        of_type(&lines, "submission_finished")[0]["verdict"].clone()
    }
}

fn everybody(test: impl Fn(&Person)) {
    test(&Person::Myself);
    if let Ok(person) = Person::ordinary() {
        test(&person);
    }
}

/// Judges the programs whose verdict is `verdict`, and calls `check` after each.
fn get(verdict: &str, writes: bool, check: impl Fn(&Home<'_>)) {
    everybody(|person| {
        let programs = files::in_repository("tests/hostile_paths").join(verdict);
        for name in names_in(&programs) {
            let home = Home::new(person);
            assert_eq!(home.judge(&programs.join(&name), None, writes), verdict, "{name}");
            check(&home);
        }
    });
}

#[test]
fn without_namespaces_nothing_of_the_user_is_changed() {
    needs!("gcc", "perl");
    let mode = |path: PathBuf| path.metadata().expect("it is there").permissions().mode() & 0o777;
    get("CE", false, |home| {
        assert_eq!((mode(home.path("tools/bin/perl")), mode(home.path("tools/lib/module.pm"))), (0o755, 0o644));
    });
    get("AC", false, |home| assert_eq!(std::fs::read_to_string(home.path("thesis.tex")).unwrap(), "thesis"));
}

#[test]
fn without_namespaces_neither_the_package_nor_the_judge_can_be_used() {
    needs!("gcc", "perl");
    get("WA", false, |home| {
        assert!(!std::fs::read(home.path("tools/pkg/sum/data/secret/1.ans")).unwrap().is_empty());
    });
}

#[test]
fn without_namespaces_the_writable_folder_holds_no_more_than_it_may() {
    needs!("gcc");
    get("OLE", true, |_| {});
}

#[test]
fn with_an_old_landlock_no_file_is_emptied() {
    needs!("gcc", "perl");
    let folder = temporary_folder();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let programs = files::in_repository("tests/hostile_paths");
    let wrapper = compile_c(&programs.join("old_landlock.c"), &folder.path().join("old_landlock"));
    everybody(|person| {
        for (program, verdict) in [("WA/truncates_the_answers.c", "WA"), ("AC/destroys_no_file.c", "AC")] {
            let home = Home::new(person);
            assert_eq!(home.judge(&programs.join(program), Some(&wrapper), false), verdict, "{program}");
            assert_eq!(std::fs::read_to_string(home.path("thesis.tex")).unwrap(), "thesis");
        }
    });
}

#[test]
fn without_namespaces_sockets_and_shared_memory_of_the_user_are_out_of_reach() {
    needs!("gcc", "ipcmk");
    everybody(|person| {
        let home = Home::new(person);
        let socket = UnixDatagram::bind(home.path("socket")).expect("a socket can be made");
        std::fs::set_permissions(home.path("socket"), PermissionsExt::from_mode(0o777)).unwrap();
        socket.set_nonblocking(true).expect("a socket need not block");
        let programs = files::in_repository("tests/hostile_paths/AC");
        assert_eq!(home.judge(&programs.join("sends_no_datagram.c"), None, false), "AC");
        assert!(socket.recv(&mut [0; 8]).is_err(), "nothing was sent");
        let memory = SharedMemory::new(person);
        assert_eq!(home.judge(&programs.join("attaches_no_shared_memory.c"), None, false), "AC");
        drop(memory);
    });
}

/// System V memory, which is removed when the value is dropped.
struct SharedMemory(String);

impl SharedMemory {
    fn new(person: &Person) -> SharedMemory {
        let output = person.command(Path::new("ipcmk")).args(["-M", "4096"]).output().expect("ipcmk starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        SharedMemory(said.rsplit(' ').next().unwrap_or_default().trim().to_owned())
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let _ = Command::new("ipcrm").args(["-m", &self.0]).output();
    }
}
