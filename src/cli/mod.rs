//! The command line: one file per subcommand, its arguments first, then its `run`.

mod backdrop;
mod check;
mod choices;
mod common;
mod completions;
mod crosscheck;
mod destination;
mod doctor;
mod exchange;
mod exit;
mod export;
mod feedback;
mod generate;
mod grade;
mod hunt;
mod import;
mod input;
mod judging;
mod languages;
mod man;
mod merge;
mod nearest;
mod open;
mod open_files;
mod programs;
mod puzzles;
mod resume;
mod schema;
mod shell_limits;
mod solve;
mod strength;
mod verify;
mod watch;

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use exit::Exit;
use referee_judge::{self as judge, JudgeError};
use referee_report::wrapped;
use referee_sandbox::{self as sandbox, interrupt};
use referee_text::printable::{output_line, printable, printable_line};

/// A judge for solver programs.
#[derive(Debug, Parser)]
#[command(
    name = "referee",
    version,
    about = "Judge programs against test cases whose answers are proved",
    after_help = "\
Exit codes: 0 all as expected, 1 something is not accepted or solvers disagree,
2 wrong use or unusable input, 3 the judge failed, 130 interrupted.

Start here:
  referee grade flipgame my_solver.py      is my program right?
  referee grade path/to/package            do its submissions do as declared?
  referee verify path/to/package           is it ready to be published?
  referee hunt flipgame my_solver.py       on which smallest board is it wrong?
  referee strength path/to/package         which mistakes does its data not notice?
  referee crosscheck flipgame              do the reference solvers agree?
  referee doctor                           what does this machine enforce?"
)]
struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Grade(grade::Arguments),
    Verify(verify::Arguments),
    Hunt(hunt::Arguments),
    Strength(strength::Arguments),
    Crosscheck(crosscheck::Arguments),
    Generate(generate::Arguments),
    Merge(merge::Arguments),
    Solve(solve::Arguments),
    Check(check::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
    Doctor(doctor::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // Wrong use ends here, with clap's message and exit code 2.
    let matches = Cli::command().try_get_matches().unwrap_or_else(|error| refuse(error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    set_colours(cli.color);
    if let Err(message) = sandbox::check_what_is_left_out() {
        let failure = Failure::unusable(message);
        failure.tell();
        return failure.exit.into();
    }
    shell_limits::lift();
    if let Some(told) = shell_limits::told() {
        say("note: ", 6, &told);
    }
    // Programs run as another user, who has to read what is made for them. Files that are somebody's own say so.
    rustix::process::umask(rustix::fs::Mode::WGRP | rustix::fs::Mode::WOTH);
    let result = interrupt::watch().map_err(Failure::from).and_then(|()| match cli.command {
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Hunt(arguments) => hunt::run(&arguments),
        Command::Strength(arguments) => strength::run(&arguments),
        Command::Crosscheck(arguments) => crosscheck::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    });
    sandbox::end_helpers();
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.tell();
            failure.exit.into()
        }
    }
}

/// Ends with clap's message. On a terminal its long lines are broken at blanks, which clap does with help alone.
fn refuse(error: clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let error = with_printable_arguments(error);
    let is_terminal = io::stderr().is_terminal();
    let rendered = error.render();
    for (painted, plain) in rendered.ansi().to_string().lines().zip(rendered.to_string().lines()) {
        if !is_terminal || plain.chars().count() <= WIDTH {
            note(painted);
        } else if let Some(message) = plain.strip_prefix("error: ") {
            Failure::unusable(message).tell();
        } else {
            say("", 0, plain);
        }
    }
    std::process::exit(error.exit_code())
}

/// The same error with every argument that it quotes on one line and without control characters: clap quotes them as
/// they are.
fn with_printable_arguments(error: clap::Error) -> clap::Error {
    let arguments = std::env::args_os().map(|argument| match argument.to_str() {
        Some(text) => printable_line(text),
        None => printable_line(&printable(argument.as_encoded_bytes())),
    });
    match Cli::command().try_get_matches_from(arguments) {
        Err(again) if again.kind() == error.kind() => again,
        _ => error,
    }
}

fn set_colours(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// A command ended early: what to tell the user, and with which exit code.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    message: String,
    /// A line for each finding, which begins with its file; empty if the failure is about none.
    findings: String,
    hint: Option<String>,
}

impl Failure {
    /// The user gave something that cannot be used.
    fn unusable(message: impl fmt::Display) -> Self {
        Failure { exit: Exit::Unusable, message: format!("{message}"), findings: String::new(), hint: None }
    }

    /// The judge itself failed.
    fn judge(message: impl fmt::Display) -> Self {
        Failure { exit: Exit::JudgeFailed, message: format!("{message}"), findings: String::new(), hint: None }
    }

    /// Judging as a whole could not be done.
    fn of_judging(error: JudgeError) -> Self {
        match error {
            JudgeError::Interrupted => Failure::interrupted(),
            JudgeError::Package(_) => Failure::unusable(error),
            JudgeError::System { doing: judge::MAKING_A_FOLDER, .. } => {
                Failure::judge(error).with_hint("TMPDIR names the folder for temporary files; it must be there")
            }
            JudgeError::System { .. } => Failure::judge(error),
        }
    }

    fn interrupted() -> Self {
        Failure { exit: Exit::Interrupted, message: "interrupted".to_owned(), findings: String::new(), hint: None }
    }

    fn with_findings(self, findings: impl fmt::Display) -> Self {
        Failure { findings: format!("{findings}"), ..self }
    }

    fn with_hint(self, hint: impl Into<String>) -> Self {
        Failure { hint: Some(hint.into()), ..self }
    }

    fn tell(&self) {
        if self.message.is_empty() {
            return;
        }
        let red = anstyle::AnsiColor::Red.on_default().bold();
        say(&format!("{red}error{red:#}: "), "error: ".len(), &self.message);
        // At the start of the line, where editors and CI look for FILE:LINE:COLUMN.
        self.findings.lines().for_each(|finding| say("", 0, finding));
        if let Some(hint) = &self.hint {
            say("hint: ", "hint: ".len(), hint);
        }
    }
}

/// Columns for a message on a terminal.
const WIDTH: usize = 80;

/// Warns on standard error.
fn warn(text: &str) {
    let yellow = anstyle::AnsiColor::Yellow.on_default();
    say(&format!("{yellow}warning{yellow:#}: "), "warning: ".len(), text);
}

/// Says `message` on standard error after `prefix`, which takes `columns`. On a terminal long lines are broken at
/// blanks; elsewhere they stay whole, so that `FILE:LINE:COLUMN: message` can be searched for.
fn say(prefix: &str, columns: usize, message: &str) {
    let is_terminal = io::stderr().is_terminal();
    for (index, line) in printable(message.as_bytes()).lines().enumerate() {
        // Further lines stand further in, so that none looks like an error or a note of its own.
        let (prefix, columns) = if index == 0 { (prefix, columns) } else { ("  ", 2) };
        if !is_terminal || columns + line.chars().count() <= WIDTH {
            note(format_args!("{prefix}{line}"));
            continue;
        }
        let indent = "  ";
        for (part, text) in wrapped(line, WIDTH - columns.max(indent.len())).iter().enumerate() {
            note(format_args!("{}{text}", if part == 0 { prefix } else { indent }));
        }
    }
}

/// A line on standard error. Where that cannot be written to, nobody is left to be told.
fn note(line: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", output_line(&line.to_string()));
}

/// Whatever fails in writing a report or the output is the judge's trouble, unless the reader went away: in
/// `referee solve ... | head` everybody has what they wanted.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure { exit: Exit::AsWanted, message: String::new(), findings: String::new(), hint: None };
        }
        Failure::judge(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
