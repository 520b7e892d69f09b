//! The error with which a command ends.

use std::fmt;
use std::io;

use super::command_line::CommandLine;
use super::resume_hint::ResumeHint;
use super::{Exit, eprint_command, eprint_message};
use referee_files::stop;
use referee_judge::{self as judge, JudgeError};

/// The hint for an error that the system reports if the judge has too many open files.
const TOO_MANY_FILES: &str = "raise the limit of open files (ulimit -n), or use a smaller -j";

/// The error with which a command ends: the message and the exit code.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    pub(super) message: String,
    /// One line for each finding, beginning with its file. Empty if there are no findings.
    pub(super) findings: String,
    /// A further fact, which is not about the failure; `None` if there is none.
    note: Option<String>,
    /// What the user can do; `None` if the message needs no advice.
    pub(super) hint: Option<String>,
    /// A command that the hint names; `None` if it names none.
    command: Option<Box<CommandLine>>,
}

impl Failure {
    fn new(exit: Exit, message: String) -> Self {
        Failure { exit, message, findings: String::new(), note: None, hint: None, command: None }
    }

    /// Returns an error about the user's arguments or files.
    pub(super) fn unusable(message: impl fmt::Display) -> Self {
        Failure::new(Exit::Unusable, message.to_string())
    }

    /// Returns an error about the judge itself.
    pub(super) fn judge(message: impl fmt::Display) -> Self {
        Failure::new(Exit::JudgeFailed, message.to_string())
    }

    pub(super) fn interrupted() -> Self {
        Failure::new(Exit::Interrupted, "interrupted".to_owned())
    }

    /// Converts an error that made the judge give up.
    pub(super) fn from_judge_error(error: JudgeError) -> Self {
        match error {
            JudgeError::Interrupted => Failure::interrupted(),
            JudgeError::System { source, .. } if stop::is_reason(&source) => Failure::interrupted(),
            JudgeError::Package(_) => Failure::unusable(error),
            JudgeError::System { doing: judge::MAKING_A_FOLDER, .. } => Failure::judge(error)
                .with_hint("set TMPDIR to a folder for temporary files that exists and is writable, such as /tmp"),
            JudgeError::System { .. } => Failure::judge(error),
        }
    }

    pub(super) fn with_findings(self, findings: impl fmt::Display) -> Self {
        Failure { findings: format!("{findings}"), ..self }
    }

    pub(super) fn with_note(self, note: impl Into<String>) -> Self {
        Failure { note: Some(note.into()), ..self }
    }

    /// Adds a hint about what the user can do. Adds none after an interruption, because there is nothing to do.
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        let hint = (self.exit != Exit::Interrupted).then(|| hint.into());
        Failure { hint, ..self }
    }

    /// Adds how to continue the run, if the user interrupted it.
    pub(super) fn with_resume_hint(self, found: impl FnOnce() -> ResumeHint) -> Self {
        if self.exit != Exit::Interrupted {
            return self;
        }
        let ResumeHint { hint, command } = found();
        Failure { hint: Some(hint), ..self }.with_command(command)
    }

    /// Adds a command that the hint names. It is printed on a line of its own, which a user can copy.
    pub(super) fn with_command(self, command: Option<CommandLine>) -> Self {
        Failure { command: command.map(Box::new), ..self }
    }

    pub(super) fn print(&self) {
        if self.message.is_empty() {
            return;
        }
        let red = anstyle::AnsiColor::Red.on_default().bold();
        eprint_message(&format!("{red}error{red:#}: "), "error: ".len(), &self.message);
        // Findings start at the beginning of the line, where editors and CI search for FILE:LINE:COLUMN.
        self.findings.lines().for_each(|finding| eprint_message("", 0, finding));
        let of_files = self.message.contains("Too many open files").then(|| TOO_MANY_FILES.to_owned());
        if let Some(hint) = self.hint.as_ref().or(of_files.as_ref()) {
            let colon = if self.command.is_some() { ":" } else { "" };
            eprint_message("hint: ", "hint: ".len(), &format!("{hint}{colon}"));
        }
        eprint_command(self.command.as_deref());
        if let Some(note) = &self.note {
            eprint_message("note: ", "note: ".len(), note);
        }
    }
}

/// Converts an error in writing a report or other output into a failure of the judge. A broken pipe is no failure: in
/// `referee solve ... | head`, `head` ends when it has read enough.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::new(Exit::AsExpected, String::new());
        }
        Failure::judge(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_the_user_interrupts_is_no_failure_of_the_judge() {
        let exit = |source| Failure::from_judge_error(JudgeError::System { doing: "reading a source", source }).exit;
        assert_eq!(exit(stop::error()), Exit::Interrupted);
        assert_eq!(exit(io::Error::other("interrupted")), Exit::JudgeFailed);
    }
}
