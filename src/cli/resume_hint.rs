//! After an interruption: the command that continues the run.

use std::path::Path;

use super::command_line::CommandLine;

/// What the user can do after an interruption.
pub(super) struct ResumeHint {
    pub(super) hint: String,
    /// The command that continues the run; `None` if the run cannot be continued.
    pub(super) command: Option<CommandLine>,
}

/// Returns how to continue an interrupted run of this process. `report` is the file of `--json`; `None` if that option
/// is not given or does not name a file.
pub(super) fn of(report: Option<&Path>, is_resuming: bool) -> ResumeHint {
    let Some(report) = report else {
        let hint = "with --json FILE, the same command with --resume FILE continues an interrupted run";
        return ResumeHint { hint: hint.to_owned(), command: None };
    };
    let current = CommandLine::current();
    let command = if is_resuming { current } else { current.with_value("--resume", report) };
    ResumeHint { hint: "to continue, run".to_owned(), command: Some(command) }
}
