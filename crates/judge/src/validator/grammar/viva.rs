//! Runs the program VIVA on validators that are VIVA grammars (`.viva`). problemtools and BAPCtools support such
//! validators as well.
//!
//! VIVA is a Java program. It is called as `viva GRAMMAR FILE`. Its exit code is the number of files that do not fit
//! the grammar: with one file, 0 or 1. Without a file it only reads the grammar, and exits with 255 if the grammar has
//! an error. It writes its messages to standard output. A Java virtual machine that cannot start also exits with 1, so
//! 1 is a rejection only if VIVA names a fault of the file.
//!
//! VIVA would read further arguments as files to check. So the arguments that a package gives to its input validators
//! are not passed on.

use std::ffi::OsString;
use std::path::Path;

use super::NotUsable;
use super::find_viva;
use crate::build::executable::Executable;
use crate::build::{Role, executable_in};
use crate::outcome::classify::{ending_words, limit_words};
use crate::validator::input_validator::{InputVerdict, QUOTED_BYTES};
use crate::workspace::folder::Folder;
use crate::workspace::site::Site;
use crate::{JudgeError, Settings};
use referee_language::Commands;
use referee_sandbox::{Ended, Input, Limits, Outcome, Run, SandboxError};
use referee_text::printable::printable;

/// A grammar of VIVA, and the program that checks inputs by it.
pub(crate) struct Viva {
    program: Executable,
    limits: Limits,
}

/// The exit code of VIVA if the grammar has an error.
const BAD_GRAMMAR: i32 = 255;

/// The path of the checked file for VIVA. The sandbox passes a copy of the file as standard input.
const CHECKED: &str = "/dev/stdin";

impl Viva {
    /// Finds VIVA, and lets it read the grammar in the file `grammar` in `folder`. The inner error says why the grammar
    /// cannot be used.
    pub(super) fn open(
        folder: Folder,
        grammar: &Path,
        (settings, limits): (&Settings, Limits),
        site: Site<'_>,
    ) -> Result<Result<Viva, NotUsable>, JudgeError> {
        let found = match find_viva::find(&settings.languages) {
            Ok(found) => found,
            Err(reason) => return Ok(Err(NotUsable::Machine(format!("it is a grammar of VIVA, and {reason}")))),
        };
        let shown = found.command.last().map(|word| printable(word.as_encoded_bytes())).unwrap_or_default();
        let run = found.command.into_iter().chain([grammar.as_os_str().to_owned()]).collect();
        let commands = Commands { compile: None, run, environment: vec![java_options(limits)], warm_until: None };
        let program = executable_in(commands, found.folders, folder, Role::Jury, settings, site);
        let viva = Viva { program, limits };
        Ok(match viva.run(Vec::new(), Input::Empty) {
            Ok(outcome) => match fault(&outcome, &viva.limits) {
                None => Ok(viva),
                Some(GrammarFault::Grammar(reason)) => {
                    Err(NotUsable::Grammar(format!("VIVA cannot read the grammar: {reason}")))
                }
                Some(GrammarFault::Viva(how)) => Err(NotUsable::Machine(format!(
                    "it is a grammar of VIVA, and VIVA ({shown}) does not work: it {how}"
                ))),
            },
            Err(SandboxError::Interrupted) => return Err(JudgeError::Interrupted),
            Err(error) => {
                Err(NotUsable::Machine(format!("it is a grammar of VIVA, and VIVA ({shown}) cannot be run: {error}")))
            }
        })
    }

    /// Checks an input, or an answer.
    pub(super) fn judge(&self, checked: Input<'_>) -> Result<InputVerdict, JudgeError> {
        match self.run(vec![CHECKED.into()], checked) {
            Ok(outcome) => Ok(verdict(&outcome, &self.limits)),
            Err(SandboxError::Interrupted) => Err(JudgeError::Interrupted),
            Err(error) => Ok(InputVerdict::Failed(format!("could not be run: {error}"))),
        }
    }

    fn run(&self, arguments: Vec<OsString>, input: Input<'_>) -> Result<Outcome, SandboxError> {
        self.program.run(&Run { arguments, input, limits: self.limits })
    }
}

/// Returns the environment variable with the options for the Java virtual machine. The virtual machine reads this
/// variable even if a script starts it. The options are for a short run within the memory limit.
fn java_options(limits: Limits) -> (OsString, OsString) {
    let options = format!(
        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx{}m",
        (limits.memory_bytes >> 20).max(1)
    );
    ("JAVA_TOOL_OPTIONS".into(), options.into())
}

/// The reason why VIVA did not read a grammar.
#[derive(Debug, PartialEq, Eq)]
enum GrammarFault {
    /// The grammar has an error. Contains VIVA's message.
    Grammar(String),
    /// VIVA itself failed. Contains a text that says how it ended.
    Viva(String),
}

/// Returns why VIVA did not read the grammar; `None` if VIVA read it. `outcome` is the outcome of a run that checks no
/// file.
fn fault(outcome: &Outcome, limits: &Limits) -> Option<GrammarFault> {
    match (outcome.crossed, outcome.ended) {
        (Some(limit), _) => Some(GrammarFault::Viva(format!("used {}", limit_words(limit, limits, &outcome.usage)))),
        (None, Ended::Exited(0)) => None,
        (None, Ended::Exited(BAD_GRAMMAR)) => {
            let first = messages(outcome).into_iter().next().unwrap_or_default();
            Some(GrammarFault::Grammar(first))
        }
        (None, ended) => Some(GrammarFault::Viva(end(ended, outcome))),
    }
}

/// Returns the verdict that follows from a run on a file.
fn verdict(outcome: &Outcome, limits: &Limits) -> InputVerdict {
    if let Some(limit) = outcome.crossed {
        return InputVerdict::Exhausted(format!("used {}", limit_words(limit, limits, &outcome.usage)));
    }
    match outcome.ended {
        Ended::Exited(0) => InputVerdict::Valid,
        Ended::Exited(1) => rejection(outcome),
        ended => InputVerdict::Failed(end(ended, outcome)),
    }
}

/// Returns the verdict that follows from exit code 1: a rejection if VIVA names a fault of the file, otherwise a
/// failure. In the second case VIVA gave up with a fatal error, such as a division by zero in the grammar, or it did
/// not start.
fn rejection(outcome: &Outcome) -> InputVerdict {
    let messages = messages(outcome);
    let beginning = |word: &str| messages.iter().find(|line| line.starts_with(word)).cloned();
    // If a file has too many faults, VIVA stops with a fatal error after them. So this function looks for a fault
    // first.
    if let Some(fault) = beginning("At line ") {
        return InputVerdict::Invalid(fault);
    }
    if let Some(fatal) = beginning("Fatal error") {
        return InputVerdict::Failed(format!("has an error: {fatal}"));
    }
    let has_begun = printable(&outcome.stdout[..outcome.stdout.len().min(QUOTED_BYTES)]).contains(PROGRESS);
    match messages.into_iter().next().filter(|_| has_begun) {
        Some(message) => InputVerdict::Invalid(message),
        None => InputVerdict::Failed(end(Ended::Exited(1), outcome)),
    }
}

/// The beginning of the lines in which VIVA says which file it checks.
const PROGRESS: &str = "<<<";

/// Maximum number of bytes of VIVA's output that the judge reads: the first bytes of standard output, and the last
/// bytes of standard error.
const READ_BYTES: usize = 16 << 10;

/// Returns the first lines of standard output, except those about the progress.
fn messages(outcome: &Outcome) -> Vec<String> {
    let text = printable(&outcome.stdout[..outcome.stdout.len().min(READ_BYTES)]);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(PROGRESS));
    lines.map(shortened).collect()
}

/// Returns a text that says how VIVA ended, with the most telling line of its output.
fn end(ended: Ended, outcome: &Outcome) -> String {
    let text = printable(&outcome.stderr[outcome.stderr.len().saturating_sub(READ_BYTES)..]);
    // Two kinds of lines do not tell why VIVA failed: the indented lines of a stack trace, and the lines in which a
    // Java virtual machine reports the environment variables that it reads.
    let is_telling =
        |line: &&str| !line.is_empty() && !line.starts_with([' ', '\t']) && !line.starts_with("Picked up ");
    let line = text.lines().rfind(is_telling).map(shortened).or_else(|| messages(outcome).into_iter().next());
    let quotation = line.map(|line| format!(" and said: {line}")).unwrap_or_default();
    format!("ended with {}{quotation}", ending_words(ended))
}

/// Cuts a line for a quotation.
fn shortened(line: &str) -> String {
    line.chars().take(QUOTED_BYTES).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use referee_sandbox::{Captured, Crossed, Usage};

    fn verdict(outcome: &Outcome) -> InputVerdict {
        super::verdict(outcome, &jury_limits())
    }

    fn fault(outcome: &Outcome) -> Option<GrammarFault> {
        super::fault(outcome, &jury_limits())
    }

    fn jury_limits() -> Limits {
        let (cpu, wall) = (std::time::Duration::from_secs(1), std::time::Duration::from_secs(3));
        Limits { cpu, wall, memory_bytes: 1 << 30, output_bytes: 1 << 20, until: None }
    }

    fn ended(code: i32, stdout: &str, stderr: &str) -> Outcome {
        let usage = Usage { cpu: Duration::ZERO, wall: Duration::ZERO, waited: None, memory_bytes: None };
        let captured = |text: &str| Captured::of(text.as_bytes().to_vec());
        Outcome {
            ended: Ended::Exited(code),
            crossed: None,
            usage,
            printed_bytes: (stdout.len() + stderr.len()) as u64,
            stdout: captured(stdout),
            stderr: captured(stderr),
        }
    }

    /// Returns the outcome of VIVA on a file: its output has `lines` between the two progress lines.
    fn tested(code: i32, lines: &str) -> Outcome {
        let text = format!("<<< Testing file: {CHECKED} >>>\n{lines}<<< DONE Testing file: {CHECKED} >>>\n");
        ended(code, &text, "Picked up JAVA_TOOL_OPTIONS: -Xmx64m\n")
    }

    #[test]
    fn a_fault_of_the_file_is_a_rejection_and_its_first_line_is_quoted() {
        assert_eq!(verdict(&tested(0, "")), InputVerdict::Valid);
        let lines = "At line 1 token 1: Unable to parse value (x) as Integer\nAt line 2 token 0: Extra\n";
        let first = "At line 1 token 1: Unable to parse value (x) as Integer".to_owned();
        assert_eq!(verdict(&tested(1, lines)), InputVerdict::Invalid(first.clone()));
        let gave_up = format!("{first}\nFatal error: At line 1 token 1: Too many errors.\nProcessing stopped.\n");
        assert_eq!(verdict(&tested(1, &gave_up)), InputVerdict::Invalid(first));
        assert_eq!(verdict(&tested(1, "not so\n")), InputVerdict::Invalid("not so".to_owned()));
    }

    #[test]
    fn an_error_of_the_grammar_or_of_java_rejects_nothing() {
        let failed = |outcome: &Outcome| match verdict(outcome) {
            InputVerdict::Failed(how) => how,
            other => panic!("{other:?}"),
        };
        let divided = tested(1, "1 / n\nFatal error: At line 1 token 1: Division by zero\nProcessing stopped.\n");
        assert_eq!(failed(&divided), "has an error: Fatal error: At line 1 token 1: Division by zero");
        let heap = ended(1, "Error occurred during initialization of VM\nToo small maximum heap\n", "");
        assert_eq!(failed(&heap), "ended with exit code 1 and said: Error occurred during initialization of VM");
        let trace = "Picked up JAVA_TOOL_OPTIONS: -Xmx64m\nException in thread \"main\" java.lang.Error\n\tat A.b(A.java:1)\n\
                     Caused by: java.lang.StackOverflowError\n\tat A.c(A.java:2)\n\t... 5 more\n";
        let crashed = ended(1, &format!("<<< Testing file: {CHECKED} >>>\n"), trace);
        assert_eq!(failed(&crashed), "ended with exit code 1 and said: Caused by: java.lang.StackOverflowError");
        assert_eq!(failed(&tested(2, "")), "ended with exit code 2");
    }

    #[test]
    fn a_limit_is_no_rejection() {
        let outcome = Outcome { crossed: Some(Crossed::Cpu), ..tested(1, "At line 1 token 1: no\n") };
        assert!(matches!(verdict(&outcome), InputVerdict::Exhausted(_)));
        assert!(matches!(fault(&outcome), Some(GrammarFault::Viva(_))));
    }

    #[test]
    fn a_grammar_with_an_error_is_told_from_a_viva_that_does_not_work() {
        assert_eq!(fault(&ended(0, "", "")), None);
        let unread =
            ended(255, "Pattern parsing failed: Encountered \"[\" at line 1, column 5.\nWas expecting:\n  ;\n", "");
        let message = "Pattern parsing failed: Encountered \"[\" at line 1, column 5.".to_owned();
        assert_eq!(fault(&unread), Some(GrammarFault::Grammar(message)));
        let broken = ended(1, "", "Error: Unable to access jarfile /opt/viva.jar\n");
        let how = "ended with exit code 1 and said: Error: Unable to access jarfile /opt/viva.jar".to_owned();
        assert_eq!(fault(&broken), Some(GrammarFault::Viva(how)));
    }
}
