//! `referee judgehost` with a DOMjudge server for tests.

mod contest;
mod doctor;
mod fake;
mod faults;
mod handing_out;
mod hostile;
mod scripts;
mod secrets;
mod server;
mod straight;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use tempfile::TempDir;

use super::support::command::referee;
use fake::{Fake, PASSWORD, USER};
use server::{Problem, Server, Submission};

/// The versions of DOMjudge.
const VERSIONS: [&str; 4] = ["8.2.3", "8.3.2", "9.0.1", "10.0.0DEV/abc"];

/// A judgehost and its server.
struct Lab {
    fake: Fake,
    state: TempDir,
}

impl Lab {
    fn new(server: Server) -> Lab {
        let lab = Lab { fake: Fake::start(server), state: tempfile::tempdir().expect("a folder can be made") };
        // Without a full sandbox, the programs of the judgehost's temporary folders need a way to them.
        fs::set_permissions(lab.state.path(), fs::Permissions::from_mode(0o711)).expect("a mode can be set");
        fs::create_dir(lab.temporary()).expect("a folder can be made");
        lab
    }

    /// Returns the judgehost's folder for temporary files.
    fn temporary(&self) -> PathBuf {
        self.state.path().join("temporary")
    }

    /// Returns the command that judges until the server has no work.
    fn command(&self, more: &[&str]) -> assert_cmd::Command {
        self.command_as("judge-1", &self.state.path().join("state"), more)
    }

    /// Returns the command of the judgehost `name`, which keeps its journal in `state`.
    fn command_as(&self, name: &str, state: &Path, more: &[&str]) -> assert_cmd::Command {
        let secret = self.state.path().join("restapi.secret");
        let line = format!("# a comment\ndefault {}/api/v4 {USER} {PASSWORD}\n", self.fake.url);
        // Another judgehost may be reading the file.
        if !secret.exists() {
            std::fs::write(&secret, line).expect("a file can be written");
        }
        let mut command = referee(["judgehost", "--until-idle", "--name", name]);
        if !more.contains(&"--json") {
            command.args(["--json", "-"]);
        }
        command.env("TMPDIR", self.temporary());
        command.args(self.fake.lock().server.default_scripts());
        command.args(more).arg("--secret").arg(secret).arg("--state").arg(state);
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        let output = self.command(more).output().expect("the command starts");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!out.contains(PASSWORD) && !err.contains(PASSWORD), "a password is shown");
        output
    }

    /// Runs the judgehost, which must succeed, and returns its events.
    fn judge(&self, more: &[&str]) -> Vec<serde_json::Value> {
        let output = self.run(more);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// Starts the judgehost, and lets the server know its process.
    fn spawn(&self, more: &[&str]) -> Child {
        let command = self.command(more);
        // The server must not answer the first request before it knows the process.
        let mut shared = self.fake.lock();
        let child = start(&command);
        shared.victim = Some(child.id());
        child
    }

    /// Returns the verdicts of each submission.
    fn verdicts(&self) -> Vec<Vec<String>> {
        self.fake.lock().server.submissions.iter().map(|submission| submission.verdicts.clone()).collect()
    }

    fn internal_errors(&self) -> Vec<String> {
        let shared = self.fake.lock();
        shared
            .server
            .internal_errors
            .iter()
            .map(|form| format!("{} {}", form["disabled"], form["description"]))
            .collect()
    }
}

/// Starts a command without its outputs.
fn start(command: &assert_cmd::Command) -> Child {
    let mut process = std::process::Command::new(command.get_program());
    process.args(command.get_args()).current_dir(env!("CARGO_MANIFEST_DIR"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => process.env(name, value),
            None => process.env_remove(name),
        };
    }
    process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// A problem with three test cases: print the double of a number. Its time limit suits a busy machine.
fn double() -> Problem {
    Problem { time_limit: 10.0, ..Problem::equal(&[("1\n", "2\n"), ("3\n", "6\n"), ("50\n", "100\n")]) }
}

const RIGHT: &str = "#include <stdio.h>\nint main(void){int n;scanf(\"%d\",&n);printf(\"%d\\n\",2*n);}\n";
const WRONG_ON_THE_SECOND: &str = "n=int(input())\nprint(n + 1 if n < 10 else 2 * n)\n";

fn one_of_each() -> Vec<Submission> {
    vec![
        Submission::new(0, "right.c", RIGHT),
        Submission::new(0, "wrong.py", WRONG_ON_THE_SECOND),
        Submission::new(0, "broken.c", "int main(void){return x;}\n"),
    ]
}
