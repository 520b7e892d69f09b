//! Runs the commands of a page in a new folder, with an empty home and the built `referee`.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use super::super::support::command::write;
use super::super::support::files::in_repository;
use super::super::support::program::temporary_folder;
use super::output::compared;
use super::page::{Code, Page, Step, Typed};
use super::workflow;

/// The maximum time of one command of a page, on the slowest machine.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

/// The interval between two checks of the output of a running command.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The time after which `^C` is typed again if the command has not ended.
const INTERRUPT_INTERVAL: Duration = Duration::from_secs(10);

/// Runs the commands of a page, as a reader of the page would.
pub(super) struct PageRunner {
    folder: TempDir,
    home: TempDir,
}

/// The exit code of a command, and its output on both streams.
struct Ended {
    code: i32,
    output: String,
}

impl PageRunner {
    pub(super) fn new() -> PageRunner {
        PageRunner { folder: temporary_folder(), home: temporary_folder() }
    }

    /// The folder with the page's files.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the files and runs the commands of the page, in order. Returns complaints about errors in the page, and
    /// about exit codes and output that differ from those in the page.
    pub(super) fn read(&self, page: &Page, not_run: &[(&str, &str)]) -> Vec<String> {
        let mut complaints = page.odd.clone();
        for step in &page.steps {
            match step {
                Step::Write { name, text } => {
                    let path = write(self.folder(), name, text);
                    for command in workflow::commands(name, &path, &mut complaints) {
                        complaints.extend(self.follow(page, &Typed::of_workflow(&command), not_run));
                    }
                }
                Step::Append { name, text } => append(&self.folder().join(name), text),
                Step::Type(typed) => complaints.extend(self.follow(page, typed, not_run)),
            }
        }
        complaints
    }

    /// Runs one command, unless `not_run` lists it. Returns a complaint if the command does not do what the page shows;
    /// otherwise `None`.
    fn follow(&self, page: &Page, typed: &Typed, not_run: &[(&str, &str)]) -> Option<String> {
        if not_run.iter().any(|(command, _)| *command == typed.command) {
            return None;
        }
        let place = format!("{}:{}: $ {}", page.name, typed.line, typed.command);
        match self.run(typed) {
            Err(trouble) => Some(format!("{place}\n{trouble}")),
            Ok(ended) => {
                let Ended { code, output } = &ended;
                let wrong_code = match typed.code {
                    Code::Is(wanted) => *code != wanted,
                    Code::ZeroOrOne => !(0..=1).contains(code),
                };
                let trouble = if wrong_code {
                    Some(format!("ended with code {code}, expected {}", typed.code))
                } else {
                    compared(&typed.shown, output).err()
                };
                trouble.map(|trouble| format!("{place}\n{trouble}\noutput:\n{output}"))
            }
        }
    }

    fn run(&self, typed: &Typed) -> Result<Ended, String> {
        let listing = self.home.path().join("said");
        let both = File::create(&listing).and_then(|out| Ok((out.try_clone()?, out)));
        let (out, error) = both.expect("a file can be made");
        let mut child = self.shell(&typed.command).stdout(out).stderr(error).spawn().expect("bash starts");
        let status = wait(&mut child, typed, &listing);
        // Kill all processes that the command has started.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let _ = child.wait();
        let output = read(&listing);
        match status {
            Some(status) => Ok(Ended { code: code(status), output }),
            None => Err(format!(
                "did not end or did not print what the page shows within {} s; output:\n{output}",
                COMMAND_TIMEOUT.as_secs()
            )),
        }
    }

    fn shell(&self, command: &str) -> Command {
        let own = Path::new(env!("CARGO_BIN_EXE_referee")).parent().expect("a binary lies in a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(PathBuf::from(own)).chain(std::env::split_paths(&path));
        // If the tests run in the background, their child processes ignore interrupts. A shell cannot make them react
        // to interrupts again, but `env` can.
        let mut shell = Command::new("env");
        shell
            .args(["--default-signal=INT", "bash", "-c", command])
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .process_group(0);
        shell.env("PATH", std::env::join_paths(path).expect("paths can be joined")).env("HOME", self.home.path());
        shell.env("REFEREE_TESTLIB", in_repository("tests/testlib/testlib.h"));
        shell.env("LC_ALL", "C.UTF-8").env("TERM", "dumb");
        for of_the_user in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            shell.env_remove(of_the_user);
        }
        shell
    }
}

/// Waits for the end of the command. If the page shows `^C`, interrupts the command after all shown output has
/// appeared. Returns `None` after a timeout.
fn wait(child: &mut Child, typed: &Typed, listing: &Path) -> Option<ExitStatus> {
    let deadline = Instant::now() + COMMAND_TIMEOUT;
    // A shell can miss an interrupt that arrives between two commands, so `^C` is typed again after a while.
    let mut interrupt_at = typed.interrupted.then(Instant::now);
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        if interrupt_at.is_some_and(|at| Instant::now() >= at) && compared(&typed.shown, &read(listing)).is_ok() {
            kill_process_group(Pid::from_child(child), Signal::INT).expect("a signal can be sent");
            interrupt_at = Some(Instant::now() + INTERRUPT_INTERVAL);
        }
        sleep(POLL_INTERVAL);
    }
    None
}

fn append(path: &Path, text: &str) {
    let mut file = File::options().append(true).open(path).expect("a file that grows is there");
    file.write_all(text.as_bytes()).expect("a file can be written");
}

fn read(listing: &Path) -> String {
    String::from_utf8_lossy(&fs::read(listing).expect("a file can be read")).into_owned()
}

/// Returns the exit code as a shell reports it. If a signal ended the command, this is 128 plus the number of the
/// signal.
fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}
