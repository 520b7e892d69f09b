//! `referee grade --watch` judges again whenever a file is saved.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::support::command::settings;
use super::support::person::copy_folder;
use super::support::program::temporary_folder;

/// A command that runs until the test ends it, and the lines that it prints.
struct WatchCommand {
    child: Child,
    lines: Receiver<String>,
}

/// The maximum time to wait for a line.
const LINE_TIMEOUT: Duration = Duration::from_secs(120);

impl WatchCommand {
    fn start(arguments: &[&Path]) -> WatchCommand {
        let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
        command.arg("grade").args(arguments).arg("--watch").stdout(Stdio::piped()).stderr(Stdio::piped());
        let own = settings();
        command.env("XDG_CONFIG_HOME", own.join("config")).env("XDG_CACHE_HOME", own.join("cache"));
        let mut child = command.spawn().expect("referee starts");
        let (sender, lines) = channel();
        let (out, err) = (child.stdout.take().expect("a pipe"), child.stderr.take().expect("a pipe"));
        let again = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        std::thread::spawn(move || {
            BufReader::new(err).lines().map_while(Result::ok).all(|line| again.send(line).is_ok())
        });
        WatchCommand { child, lines }
    }

    /// Waits for a line that begins with `start`, and for the line that follows each run. The two lines come through
    /// two pipes, so their order varies.
    #[track_caller]
    fn expect_line(&self, start: &str) {
        let deadline = Instant::now() + LINE_TIMEOUT;
        let mut said = Vec::new();
        let wanted = [start, "waiting for a file to be saved"];
        let is_said = |said: &[String], wanted: &str| said.iter().any(|line| line.starts_with(wanted));
        while !wanted.iter().all(|wanted| is_said(&said, wanted)) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => said.push(line),
                Err(error) => panic!("did not print lines with {wanted:?} ({error}): {said:#?}"),
            }
        }
    }

    fn end(mut self) -> Option<i32> {
        let process = Pid::from_child(&self.child);
        kill_process(process, Signal::INT).expect("a signal can be sent");
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn what_is_saved_is_graded_again_and_an_interrupt_ends_it() {
    needs!("python3");
    let folder = temporary_folder();
    let package = folder.path().join("sum");
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/judged/sum"), &package);
    let program = folder.path().join("mine.py");
    let right = fs::read_to_string(package.join("submissions/accepted/sum.py")).expect("there is one");
    fs::write(&program, &right).expect("it can be written");
    let watch = WatchCommand::start(&[&package, &program]);
    watch.expect_line("all as expected");
    fs::write(&program, "print('none')\n").expect("it can be written");
    watch.expect_line("not all as expected");
    // Editors save like this: a new file replaces the old one.
    fs::write(folder.path().join("new"), &right).expect("it can be written");
    fs::rename(folder.path().join("new"), &program).expect("it can be moved");
    watch.expect_line("all as expected");
    // An unreadable package is reported, and the command waits for the next change.
    let yaml = fs::read_to_string(package.join("problem.yaml")).expect("there is one");
    fs::write(package.join("problem.yaml"), "- no problem\n").expect("it can be written");
    watch.expect_line("error: the package");
    fs::write(package.join("problem.yaml"), yaml).expect("it can be written");
    watch.expect_line("all as expected");
    assert_eq!(watch.end(), Some(130));
}
