//! After an interruption: the command that continues the run.

use std::path::Path;

/// What the user can do after an interruption.
pub(super) struct ResumeHint {
    pub(super) hint: String,
    /// A command that can be copied; `None` if the run cannot be continued.
    pub(super) command: Option<String>,
}

/// Returns how to continue an interrupted run of this process. `report` is the file of `--json`; `None` if that option
/// is not given or does not name a file.
pub(super) fn of(report: Option<&Path>, is_resuming: bool) -> ResumeHint {
    let Some(report) = report else {
        let hint = "with --json FILE, the same command with --resume FILE continues an interrupted run";
        return ResumeHint { hint: hint.to_owned(), command: None };
    };
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let command = command(arguments, &report.display().to_string(), is_resuming);
    ResumeHint { hint: "to continue, run:".to_owned(), command: Some(command) }
}

/// Returns the command with these arguments, with `--resume` unless it has that option already.
fn command(mut arguments: Vec<String>, report: &str, is_resuming: bool) -> String {
    if !is_resuming {
        // After `--`, nothing is an option.
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        arguments.splice(end..end, ["--resume".to_owned(), report.to_owned()]);
    }
    arguments.iter().map(|argument| quoted(argument)).collect::<Vec<_>>().join(" ")
}

/// Returns the word as a shell must read it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=,+@%-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn the_command_is_the_same_with_resume() {
        let arguments = words(&["referee", "grade", "p", "it's a.py", "--json", "r.jsonl"]);
        let wanted = r"referee grade p 'it'\''s a.py' --json r.jsonl --resume r.jsonl";
        assert_eq!(command(arguments, "r.jsonl", false), wanted);
        let resuming = words(&["referee", "grade", "p", "--json", "r", "--resume", "r"]);
        assert_eq!(command(resuming.clone(), "r", true), resuming.join(" "));
        let dashes = words(&["referee", "grade", "p", "--json", "r", "--", "-x.py"]);
        assert_eq!(command(dashes, "r", false), "referee grade p --json r --resume r -- -x.py");
    }
}
