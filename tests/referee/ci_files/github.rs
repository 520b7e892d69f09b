//! The GitHub Action.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::support::person::copy_folder;
use super::super::support::program::temporary_folder;
use super::{Document, Ended, at, in_repository, run_script, write_script, yaml};

const WRONG: &str = "cases/flipgame/submissions/wrong_answer/white_only.py";

/// Returns the name of the input if `expression` is `${{ inputs.NAME }}` and nothing else.
fn input_of(expression: &str) -> Option<&str> {
    expression.strip_prefix("${{ inputs.")?.strip_suffix(" }}").filter(|name| !name.contains([' ', '.']))
}

/// Returns the steps of the action that have a script: the script and its variables.
fn scripts(action: &Document) -> Vec<(String, Vec<(String, String)>)> {
    let Document::List(steps) = at(action, &["runs", "steps"]) else { panic!("the steps are a list") };
    let script = |step: &Document| {
        let run = step.get("run")?.text().expect("a script is a text").to_owned();
        let variables = step.get("env").into_iter().flat_map(Document::entries);
        let variables = variables.map(|(name, value)| (name.clone(), value.text().expect("a text").to_owned()));
        Some((run, variables.collect()))
    };
    steps.iter().filter_map(script).collect()
}

/// A machine of GitHub: a workspace, and the folders and files that GitHub gives to the steps of a job.
struct Machine {
    home: TempDir,
    workspace: PathBuf,
}

impl Machine {
    /// Creates a machine whose cache contains the binary of referee.
    fn with_cached_binary() -> Machine {
        let machine = Machine::empty();
        fs::create_dir_all(machine.binaries()).expect("a folder can be made");
        symlink(env!("CARGO_BIN_EXE_referee"), machine.binaries().join("referee")).expect("a link can be made");
        machine
    }

    fn empty() -> Machine {
        let home = temporary_folder();
        // A job must not get root's rights on the machine of the tests.
        write_script(home.path(), "bin/sudo", "exit 1");
        let workspace = home.path().join("work space");
        fs::create_dir(&workspace).expect("a folder can be made");
        Machine { home, workspace }
    }

    fn binaries(&self) -> PathBuf {
        self.path("referee-binaries")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Returns a value that a step wrote to GITHUB_OUTPUT.
    fn output(&self, name: &str) -> String {
        let text = self.text("output");
        let prefix = format!("{name}=");
        let value = text.lines().rev().find_map(|line| line.strip_prefix(&prefix));
        value.unwrap_or_default().to_owned()
    }

    /// Runs the action with these inputs, until a step fails. Returns the end of the last step that ran, with the
    /// output of all.
    fn run(&self, inputs: &[(&str, &str)]) -> Ended {
        let action = yaml("action.yml");
        let mut values: BTreeMap<String, String> = at(&action, &["inputs"])
            .entries()
            .iter()
            .map(|(name, input)| (name.clone(), at(input, &["default"]).text().expect("a text").to_owned()))
            .collect();
        for (name, value) in inputs {
            assert!(values.insert((*name).to_owned(), (*value).to_owned()).is_some(), "unknown input {name}");
        }
        let mut all = Ended { code: 0, stdout: String::new(), stderr: String::new() };
        for (script, variables) in scripts(&action) {
            let own = variables.iter().map(|(name, value)| (name.as_str(), values[input_of(value).unwrap()].as_str()));
            let ended = self.step(&script, own.collect());
            all.stdout.push_str(&ended.stdout);
            all.stderr.push_str(&ended.stderr);
            all.code = ended.code;
            if ended.code != 0 {
                break;
            }
        }
        all
    }

    fn step(&self, script: &str, own: Vec<(&str, &str)>) -> Ended {
        let path = |name: &str| self.path(name).display().to_string();
        let (home, output, summary, paths) = (path(""), path("output"), path("summary"), path("paths"));
        let action = in_repository("").display().to_string();
        let mut variables: Vec<(&str, &str)> = own;
        variables.extend([
            ("HOME", home.as_str()),
            ("RUNNER_TEMP", home.trim_end_matches('/')),
            ("GITHUB_OUTPUT", &output),
            ("GITHUB_STEP_SUMMARY", &summary),
            ("GITHUB_PATH", &paths),
            ("GITHUB_ACTION_PATH", action.trim_end_matches('/')),
        ]);
        // As on GitHub, later steps find commands in the folders that earlier steps wrote to GITHUB_PATH.
        let mut bin: Vec<PathBuf> = self.text("paths").lines().map(PathBuf::from).collect();
        bin.push(self.path("bin"));
        run_script(script, &self.workspace, &bin, &variables)
    }

    /// Copies a folder of the repository into the workspace.
    fn checked_out(&self, folder: &str, name: &str) {
        copy_folder(&in_repository(folder), &self.workspace.join(name));
    }
}

#[test]
fn inputs_reach_scripts_as_variables_only() {
    let action = yaml("action.yml");
    let scripts = scripts(&action);
    assert!(scripts.len() >= 3);
    for (script, variables) in scripts {
        assert!(!script.contains("${{"), "an input could run commands: {script}");
        for (name, value) in variables {
            let input = input_of(&value).unwrap_or_else(|| panic!("{name}: found {value}, expected one input"));
            assert!(at(&action, &["inputs"]).get(input).is_some(), "{name}: unknown input {input}");
        }
    }
}

#[test]
fn packages_are_verified_with_reports_outputs_and_a_summary() {
    let machine = Machine::with_cached_binary();
    machine.checked_out("cases/flipgame", "my archive/flipgame");
    machine.checked_out("cases/coins", "my archive/coins");
    let ended = machine.run(&[("packages", "my archive/*\n"), ("arguments", "--only\nformat,inputs-are-not-a-check")]);
    assert_eq!((ended.code, machine.output("exit-code")), (2, "2".to_owned()), "{}{}", ended.stdout, ended.stderr);
    let ended = machine.run(&[("packages", "my archive/*\n"), ("arguments", "--only\nformat,samples")]);
    assert_eq!((ended.code, machine.output("exit-code")), (0, "0".to_owned()), "{}{}", ended.stdout, ended.stderr);
    assert!(
        ended.stdout.contains("::group::referee doctor\n") && ended.stdout.contains("languages"),
        "{}",
        ended.stdout
    );
    let reports = PathBuf::from(machine.output("reports"));
    for (name, begins) in [("verify.html", "<!"), ("verify.xml", "<?xml"), ("verify.jsonl", "{")] {
        let text = fs::read_to_string(reports.join(name)).expect("the report is there");
        assert!(text.starts_with(begins), "{name}");
    }
    let suites = fs::read_to_string(reports.join("verify.xml")).expect("the report is there");
    assert_eq!(suites.matches("<testsuite ").count(), 2, "{suites}");
    let summary = machine.text("summary");
    assert!(summary.contains("<b>as expected</b> (exit code 0"), "{summary}");
}

#[test]
fn a_wrong_program_fails_the_job_and_is_annotated() {
    needs!("python3");
    let machine = Machine::with_cached_binary();
    machine.checked_out("cases/flipgame", "flipgame");
    fs::copy(in_repository(WRONG), machine.workspace.join("a&b.py")).expect("a file can be copied");
    let ended = machine.run(&[("run", "grade"), ("packages", "flipgame"), ("programs", "*.py")]);
    assert_eq!((ended.code, machine.output("exit-code")), (1, "1".to_owned()), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.lines().any(|line| line.starts_with("::error file=a&b.py,title=")), "{}", ended.stdout);
    let summary = machine.text("summary");
    assert!(summary.contains("<b>not as expected</b> (exit code 1") && summary.contains("a&amp;b.py"), "{summary}");
    assert!(!summary.contains("a&b.py") && !summary.contains("\n\n      "), "{summary}");
}

#[test]
fn inputs_run_no_commands() {
    let machine = Machine::empty();
    // A fake shows what the judge would get, and saves the time of `doctor`.
    write_script(&machine.binaries(), "referee", "[ \"$1\" = doctor ] || exit 2");
    for text in ["$(touch injected)", "`touch injected`", "; touch injected", "a\" && touch injected #", "-x\n'"] {
        for input in ["packages", "programs", "arguments", "run", "strict", "tarball", "sha256"] {
            let run = ("run", if input == "programs" { "grade" } else { "verify" });
            let inputs = if input == "run" { vec![(input, text)] } else { vec![run, (input, text)] };
            let ended = machine.run(&inputs);
            let is_refused = ended.code != 0 || input == "sha256";
            assert!(is_refused && !machine.workspace.join("injected").exists(), "{input}: {text}");
        }
    }
}

#[test]
fn only_the_grading_of_programs_leaves_out_strict() {
    let machine = Machine::empty();
    // A fake notes the arguments of each command.
    write_script(&machine.binaries(), "referee", "echo \"$*\" >>\"$HOME/noted\"");
    let ended = machine.run(&[("run", "grade verify"), ("packages", "a"), ("programs", "b.py")]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let noted = machine.text("noted");
    let is_strict = |command: &str| {
        let line = noted.lines().find(|line| line.starts_with(command)).expect("the command was run");
        line.contains(" --strict ")
    };
    assert_eq!((is_strict("grade "), is_strict("verify ")), (false, true), "{noted}");
}

#[test]
fn a_run_of_no_command_or_no_package_fails_and_lines_count_as_blanks_do() {
    let machine = Machine::empty();
    write_script(&machine.binaries(), "referee", "echo \"$1\" >>\"$HOME/noted\"");
    for (inputs, words) in [
        ([("run", " "), ("packages", "a")], "names no command"),
        ([("run", "grade"), ("packages", "\n")], "names no package"),
        ([("run", "verify instal"), ("packages", "a")], "found: instal"),
    ] {
        let ended = machine.run(&inputs);
        assert!(ended.code == 2 && ended.stdout.contains(words), "{words}: {}", ended.stdout);
    }
    assert_eq!(machine.text("noted").replace("doctor\n", ""), "", "nothing was judged");
    let both = machine.run(&[("run", "verify\ngrade\n"), ("packages", "a")]);
    assert_eq!((both.code, machine.text("noted").replace("doctor\n", "").as_str()), (0, "verify\ngrade\n"));
}

#[test]
fn a_pattern_names_each_matching_folder_once_whatever_its_name() {
    let machine = Machine::empty();
    // A fake notes the packages, with a mark behind each one.
    write_script(&machine.binaries(), "referee", "[ \"$1\" = doctor ] || printf '%s|' \"$@\" >>\"$HOME/noted\"");
    for name in ["set/b", "set/a c", "set/d\ne"] {
        fs::create_dir_all(machine.workspace.join(name)).expect("a folder can be made");
    }
    let ended = machine.run(&[("packages", "set/*\nset/b\nabsent*\n")]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    let noted = machine.text("noted");
    assert!(noted.ends_with("|--|set/a c|set/b|set/d\ne|set/b|absent*|"), "{noted}");
}

#[test]
fn an_input_without_effect_is_warned_about() {
    let machine = Machine::empty();
    write_script(&machine.binaries(), "referee", "exit 0");
    for (inputs, is_warned) in [
        ([("run", "verify"), ("programs", "a.py")], true),
        ([("run", "install"), ("programs", "a.py")], true),
        ([("run", "install"), ("arguments", "--all")], true),
        ([("run", "grade"), ("programs", "a.py")], false),
        ([("run", "verify\ngrade"), ("programs", "a.py")], false),
        ([("run", "verify"), ("programs", "")], false),
    ] {
        let ended = machine.run(&inputs);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
        let warning = ended.stdout.lines().any(|line| line.starts_with("::warning ") && line.contains("no effect"));
        assert_eq!(warning, is_warned, "{inputs:?}: {}", ended.stdout);
    }
}

#[test]
fn referee_can_be_installed_only() {
    let machine = Machine::empty();
    // A fake notes the arguments of each command.
    write_script(&machine.binaries(), "referee", "echo \"$*\" >>\"$HOME/noted\"");
    let ended = machine.run(&[("run", "install")]);
    assert_eq!((ended.code, machine.text("noted").as_str()), (0, "doctor\n"), "{}{}", ended.stdout, ended.stderr);
    // Without reports, the last step of the action uploads nothing.
    assert_eq!((machine.output("exit-code").as_str(), machine.output("reports").as_str()), ("0", ""));
    assert_eq!(machine.text("paths").trim(), machine.binaries().display().to_string());
}

#[test]
fn a_message_of_several_lines_stays_one_command() {
    let machine = Machine::empty();
    write_script(&machine.binaries(), "referee", "exit 0");
    let ended = machine.run(&[("strict", "no\n::warning::injected")]);
    assert!(ended.code == 2 && ended.stdout.contains("found: no%0A::warning::injected\n"), "{}", ended.stdout);
}

#[test]
fn a_tarball_must_have_its_checksum() {
    let machine = Machine::empty();
    let folder = machine.path("referee-1.2.3-x86_64-unknown-linux-gnu");
    write_script(&folder, "referee", "echo this is doctor");
    // A release contains its AppArmor profile under this name.
    write_script(&folder.join("apparmor"), "referee", "");
    let tarball = pack(&machine, &folder);
    let install = |tarball: &str, sum: &str| {
        let script = scripts(&yaml("action.yml")).into_iter().find(|(script, _)| script.contains("install"));
        machine.step(&script.expect("a step installs").0, vec![("TARBALL", tarball), ("SHA256", sum)])
    };
    let sum = machine.step(&format!("sha256sum '{tarball}' | cut -d ' ' -f 1"), Vec::new()).stdout;
    let wrong = install(&tarball, &"0".repeat(64));
    assert!(wrong.code == 2 && wrong.stdout.contains("::error title=referee::the tarball has the SHA-256 digest"));
    // The digest of an empty file, with the name of one, would be right for every tarball.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for malformed in [format!("{empty}  /dev/null\nx"), format!("sha256:{empty}"), format!("{empty} ")] {
        let ended = install(&tarball, &malformed);
        assert!(ended.code == 2 && ended.stdout.contains("must be a digest of 64"), "{malformed}: {}", ended.stdout);
    }
    let missing = install("nowhere.tar.gz", "");
    assert!(missing.code == 2 && missing.stdout.contains("the tarball does not exist: nowhere.tar.gz"));
    let unchecked = install("https://example.invalid/referee.tar.gz", "");
    assert!(unchecked.code == 2 && unchecked.stdout.contains("needs the input sha256"), "{}", unchecked.stdout);
    assert!(!machine.binaries().join("referee").exists());
    let right = install(&tarball, sum.trim());
    assert!(right.code == 0 && right.stdout.contains("this is doctor"), "{}{}", right.stdout, right.stderr);
    assert!(!machine.binaries().join("apparmor").exists(), "only the program is unpacked");
    assert_eq!(machine.text("paths").trim(), machine.binaries().display().to_string());
}

/// Packs the folder, as a release does. Returns the path of the tarball.
fn pack(machine: &Machine, folder: &Path) -> String {
    let tarball = machine.path("referee.tar.gz").display().to_string();
    let name = folder.file_name().expect("a name").to_string_lossy();
    let ended = machine.step(&format!("tar -czf '{tarball}' -C '{}' '{name}'", machine.path("").display()), Vec::new());
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    tarball
}

#[test]
fn without_a_tarball_referee_is_built_once() {
    let machine = Machine::empty();
    let fake = "echo \"cargo $*\" >>\"$HOME/built\"; while [ \"$1\" != --root ]; do shift; done; mkdir -p \"$2/bin\"; \
                printf '#!/bin/sh\\necho fake\\n' >\"$2/bin/referee\"; chmod +x \"$2/bin/referee\"";
    write_script(machine.home.path(), "bin/cargo", fake);
    for _ in 0..2 {
        let ended = machine.run(&[]);
        assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    }
    let built = machine.text("built");
    assert!(built.lines().count() == 1 && built.contains("install --locked --path "), "{built}");
    assert_eq!(machine.output("binaries"), machine.binaries().display().to_string());
    assert_eq!(machine.output("hash").len(), 32);
}
