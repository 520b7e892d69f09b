//! Runs one of Slurm's commands: with a timeout, without input, and with at most a certain size of output.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::queue::shortened;

/// The maximum size of each output, in bytes. `squeue` prints about 40 bytes for each task of the user.
const MOST_BYTES: u64 = 32 << 20;

/// The interval between two checks whether the command has ended.
const POLL: Duration = Duration::from_millis(10);

/// How long the rest of an output is awaited after the end of the command. A process that the command left behind may
/// hold the output open.
const REST: Duration = Duration::from_secs(2);

/// The reason why a command gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("{0} is not installed or not on the PATH")]
    Missing(&'static str),
    #[error("{0} cannot be run: {1}")]
    Unstartable(&'static str, io::Error),
    #[error("{0} gave no answer within {1} s")]
    Slow(&'static str, u64),
    #[error("{0} was ended without an answer, because the run was interrupted")]
    Interrupted(&'static str),
    #[error("{0} failed: {1}")]
    Failed(&'static str, String),
    #[error("{0} printed more than {1} MiB")]
    Long(&'static str, u64),
}

/// How long a command is awaited.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The maximum time.
    pub(crate) whole: Duration,
    /// The maximum time after the user has interrupted the run.
    pub(crate) after_interruption: Duration,
    /// Whether the user has interrupted the run.
    pub(crate) is_interrupted: fn() -> bool,
}

/// Runs the command and returns its standard output. Fails if it cannot be started, if it does not end in time, if it
/// ends with another code than 0, or if it prints too much.
pub(crate) fn output(name: &'static str, arguments: &[OsString], limits: Limits) -> Result<String, CommandError> {
    let mut command = Command::new(name);
    command.args(arguments).env("LC_ALL", "C");
    // These variables would change what squeue lists.
    for (variable, _) in std::env::vars_os() {
        if variable.as_encoded_bytes().starts_with(b"SQUEUE_") {
            command.env_remove(variable);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C in the terminal must not end the command: the number of a submitted job would be lost.
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CommandError::Missing(name),
        _ => CommandError::Unstartable(name, error),
    })?;
    let (out, errors) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let status = match wait(&mut child, limits).map_err(|error| CommandError::Unstartable(name, error))? {
        Ended::ByItself(status) => status,
        Ended::Late => return Err(CommandError::Slow(name, limits.whole.as_secs())),
        Ended::Interrupted => return Err(CommandError::Interrupted(name)),
    };
    let (out, errors) = (out.recv_timeout(REST).unwrap_or_default(), errors.recv_timeout(REST).unwrap_or_default());
    if !status.success() {
        return Err(CommandError::Failed(name, reason(&errors, status)));
    }
    if out.len() as u64 > MOST_BYTES {
        return Err(CommandError::Long(name, MOST_BYTES >> 20));
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// How a command ended.
enum Ended {
    ByItself(ExitStatus),
    /// It was killed at the timeout.
    Late,
    /// It was killed some time after the user had interrupted the run.
    Interrupted,
}

/// Waits until the command ends. Kills it with its process group if it takes too long.
fn wait(child: &mut Child, limits: Limits) -> io::Result<Ended> {
    let begun = Instant::now();
    let mut interrupted: Option<Instant> = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::ByItself(status));
        }
        if interrupted.is_none() && (limits.is_interrupted)() {
            interrupted = Some(Instant::now());
        }
        let is_late = begun.elapsed() >= limits.whole;
        if is_late || interrupted.is_some_and(|since| since.elapsed() >= limits.after_interruption) {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                // The group may have ended in this moment.
                let _ = kill_process_group(group, Signal::KILL);
            }
            child.wait()?;
            return Ok(if is_late { Ended::Late } else { Ended::Interrupted });
        }
        thread::sleep(POLL);
    }
}

/// Reads an output in a thread of its own, because a command can block while it fills one of two pipes.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error counts.
            let _ = pipe.by_ref().take(MOST_BYTES + 1).read_to_end(&mut bytes);
            // The command must not wait for a reader.
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Returns the last line that the command printed on standard error. Slurm prints the reason there.
fn reason(errors: &[u8], status: ExitStatus) -> String {
    let text = String::from_utf8_lossy(&errors[..errors.len().min(64 << 10)]).into_owned();
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).take(3).map(long_line).collect();
    if lines.is_empty() { format!("{status}, without a message") } else { lines.join("; ") }
}

/// The maximum length of a line of an error, in characters.
const LONGEST_LINE: usize = 300;

fn long_line(line: &str) -> String {
    if line.chars().count() > LONGEST_LINE { shortened(line) } else { referee_text::printable::printable_line(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit_ms: u64) -> Result<String, CommandError> {
        output("sh", &["-c".into(), script.into()], limits(limit_ms))
    }

    fn limits(limit_ms: u64) -> Limits {
        let whole = Duration::from_millis(limit_ms);
        Limits { whole, after_interruption: Duration::ZERO, is_interrupted: || false }
    }

    #[test]
    fn a_command_that_hangs_is_killed_after_an_interruption_but_may_end_before() {
        let run = |script: &str, after_ms: u64| {
            let after_interruption = Duration::from_millis(after_ms);
            let interrupted = Limits { after_interruption, is_interrupted: || true, ..limits(600_000) };
            output("sh", &["-c".into(), script.into()], interrupted)
        };
        let error = run("sleep 600", 300).unwrap_err();
        assert!(matches!(error, CommandError::Interrupted("sh")), "{error}");
        assert_eq!(run("sleep 0.1; echo 12", 60_000).unwrap(), "12\n");
    }

    #[test]
    fn an_answer_is_the_standard_output() {
        assert_eq!(shell("echo 12; echo x >&2", 60_000).unwrap(), "12\n");
    }

    #[test]
    fn a_failure_has_the_words_of_the_command() {
        let error = shell("echo 'slurm: error: \u{1b}[31mInvalid partition' >&2; exit 1", 60_000).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("sh failed: slurm: error: ") && text.ends_with("Invalid partition"), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(shell("exit 3", 60_000).unwrap_err().to_string(), "sh failed: exit status: 3, without a message");
    }

    #[test]
    fn a_command_that_hangs_is_killed_with_its_children() {
        let start = Instant::now();
        let error = shell("sleep 60 & sleep 60; echo 1", 300).unwrap_err();
        assert!(matches!(error, CommandError::Slow("sh", 0)), "{error}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_child_that_holds_the_output_open_is_not_awaited() {
        let start = Instant::now();
        // The answer itself is lost, because the reader waits for the end of the output.
        let _ = shell("sleep 30 & echo 5", 60_000);
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn endless_output_is_refused() {
        let error = shell("head -c 40000000 /dev/zero", 60_000).unwrap_err();
        assert!(matches!(error, CommandError::Long("sh", 32)), "{error}");
    }

    #[test]
    fn a_missing_command_is_named() {
        let error = output("no-such-command-of-slurm", &[], limits(1000)).unwrap_err();
        assert_eq!(error.to_string(), "no-such-command-of-slurm is not installed or not on the PATH");
    }
}
