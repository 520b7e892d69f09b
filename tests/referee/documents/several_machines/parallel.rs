//! GNU parallel itself, with a program in the place of ssh: each machine is a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::super::super::ci_files::{run_script, write_script};
use super::super::super::support::command::names_in;
use super::super::super::support::program::temporary_folder;
use super::super::output::compared;
use super::super::page::{ANYTHING, Code, Step, Typed};
use super::{bin, comparable, judged_on_one_machine, lines_of, page, write_project};

/// Runs a command in the folder of a machine, as ssh would on the machine, and notes the name of the machine.
const SSH: &str = "machine=
while [ $# -gt 0 ]; do
    case $1 in
        --) shift; break ;;
        -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
        -*) shift ;;
        *) [ -z \"$machine\" ] || break; machine=$1; shift ;;
    esac
done
mkdir -p \"$MACHINES/$machine\"
echo \"$machine\" >>\"$MACHINES/used\"
cd \"$MACHINES/$machine\"
HOME=$MACHINES/$machine exec sh -c \"$*\"";

/// Returns an error if a tool is missing. In continuous integration, that fails the test.
fn tools() -> Result<(), String> {
    let is_there = |tool: &str, text: &str| {
        let output = Command::new(tool).arg("--version").output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(text))
    };
    let tools = [("parallel", "GNU parallel"), ("rsync", "rsync")];
    let missing: Vec<_> = tools.iter().filter(|(tool, text)| !is_there(tool, text)).map(|(tool, _)| *tool).collect();
    let needed = std::env::var_os("REFEREE_TESTS_NEED_PARALLEL").is_some();
    assert!(missing.is_empty() || !needed, "missing: {missing:?}; try: apt-get install parallel rsync");
    if missing.is_empty() { Ok(()) } else { Err(format!("missing: {missing:?}")) }
}

/// The machine at which the user sits, and the machines behind ssh.
struct Lab(TempDir);

impl Lab {
    fn new() -> Lab {
        let lab = Lab(temporary_folder());
        for name in ["project", "home", "machines"] {
            fs::create_dir(lab.path(name)).expect("a folder can be made");
        }
        write_script(&lab.path("bin"), "ssh", SSH);
        write_project(&lab.path("project"));
        lab
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command of the page. Panics if it does not do what the page shows.
    fn run(&self, typed: &Typed) {
        let text = |name: &str| self.path(name).display().to_string();
        let (home, machines) = (text("home"), text("machines"));
        let variables = [("HOME", home.as_str()), ("MACHINES", &machines), ("SHELL", "/bin/sh"), ("LC_ALL", "C.UTF-8")];
        let script = format!("exec 2>&1\n{}", typed.command);
        let ended = run_script(&script, &self.path("project"), &[self.path("bin"), bin()], &variables);
        assert_eq!(typed.code, Code::Is(ended.code), "$ {}\n{}", typed.command, ended.stdout);
        if let Err(trouble) = compared(&typed.shown, &ended.stdout) {
            panic!("$ {}\n{trouble}\noutput:\n{}", typed.command, ended.stdout);
        }
    }

    fn report(&self, name: &str) -> PathBuf {
        self.path("project").join(name)
    }

    /// Returns the lines of a log of GNU parallel, without the headings.
    fn log(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.report(name)).expect("the log can be read");
        text.lines().skip(1).map(str::to_owned).collect()
    }
}

/// Returns the commands of the page, in their order.
fn commands() -> Vec<Typed> {
    let typed = |step| match step {
        Step::Type(typed) => Some(typed),
        Step::Write { .. } | Step::Append { .. } => None,
    };
    page().steps.into_iter().filter_map(typed).collect()
}

#[test]
fn gnu_parallel_verifies_packages_and_grades_in_parts_over_ssh_and_goes_on_after_an_interruption() {
    needs!(tools(), "python3", "gcc");
    let lab = Lab::new();
    let commands = commands();
    for typed in &commands {
        lab.run(typed);
    }
    assert_eq!(lab.log("verify.log").len(), 2);
    assert_eq!(lab.log("parts/log").len(), 4);
    let merged = (1, comparable(lines_of(&lab.report("report.jsonl"))));
    assert_eq!(merged, judged_on_one_machine(&lab.path("project")));
    let used = fs::read_to_string(lab.path("machines/used")).expect("machines were used");
    for machine in ["judge1.example.org", "judge2.example.org"] {
        assert!(used.lines().any(|line| line == machine), "{used}");
        assert_eq!(names_in(&lab.path("machines").join(machine)).iter().filter(|name| *name == "class-5").count(), 1);
    }
    // An interruption: one part is neither in the log nor there.
    let last = lab.log("parts/log").pop().expect("the log has lines");
    let text = fs::read_to_string(lab.report("parts/log")).expect("the log can be read");
    fs::write(lab.report("parts/log"), text.replace(&format!("{last}\n"), "")).expect("the log can be written");
    let part = last.rsplit(' ').nth(1).expect("the command ends in the number of the part and of all parts");
    let report = format!("parts/{part}.jsonl");
    fs::remove_file(lab.report(&report)).expect("the part was there");
    let written = |name: &str| fs::metadata(lab.report(name)).and_then(|found| found.modified()).ok();
    let others: Vec<_> = (1..=4).map(|number| format!("parts/{number}.jsonl")).filter(|name| *name != report).collect();
    let before: Vec<_> = others.iter().map(|name| written(name)).collect();
    let again = commands.into_iter().find(|typed| typed.command.contains("--resume ")).expect("the page continues");
    lab.run(&Typed { shown: vec![ANYTHING.to_owned()], ..again });
    assert!(Path::new(&lab.report(&report)).is_file());
    assert_eq!(
        others.iter().map(|name| written(name)).collect::<Vec<_>>(),
        before,
        "the other parts did not run again"
    );
}
