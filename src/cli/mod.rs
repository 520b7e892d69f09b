//! The command line. Each subcommand has a file, with its arguments first and then its function `run`.

mod archive_root;
mod case_details;
mod check;
mod choices;
mod class;
mod class_table;
mod command_line;
mod common;
mod completions;
mod crosscheck;
mod destination;
mod doctor;
mod exchange;
mod exit;
mod export;
mod failure;
mod feedback;
mod generate;
mod grade;
mod hunt;
mod import;
mod input;
mod judgehost;
mod judgehost_connection;
mod judging;
mod languages;
mod man;
mod marks;
mod measured_limit;
mod merge;
mod mistaken;
mod nearest;
mod numbers;
mod open;
mod open_files;
mod pages;
mod points;
mod process_limits;
mod programs;
mod puzzles;
mod resume;
mod resume_hint;
mod sandbox_memory;
mod schema;
mod secrets;
mod shared_cache;
mod shell_limits;
mod similarity;
mod solve;
mod strength;
mod table;
mod verify;
mod version;
mod watch;

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use command_line::CommandLine;
pub use exit::Exit;
use failure::Failure;
use referee_files::stop;
use referee_report::wrapped;
use referee_sandbox::{self as sandbox, interrupt};
use referee_text::columns::columns;
use referee_text::printable::{printable, printable_line};
use referee_text::screen::{self, Stream, screen_line};

/// A judge for solver programs.
#[derive(Debug, Parser)]
#[command(
    name = "referee",
    version,
    about = "Judge programs against problem packages, check packages, and find failing inputs",
    after_help = "\
Exit codes: 0 all as expected, 1 something is not accepted or solvers disagree,
2 wrong use or unusable input, 3 the judge failed, 130 interrupted.

Start here:
  referee grade flipgame my_solver.py      is my program right?
  referee grade path/to/package            are its verdicts as expected?
  referee verify path/to/package           is it ready to be published?
  referee hunt flipgame my_solver.py       what is the smallest failing board?
  referee strength path/to/package         which mistakes does its data miss?
  referee crosscheck flipgame              do the reference solvers agree?
  referee doctor                           what does this machine enforce?"
)]
struct Cli {
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    /// With --version: also print the commit, the target, the features and the profile of this build
    #[arg(short, long, requires = "version")]
    verbose: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Grade(Box<grade::Arguments>),
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
    Judgehost(Box<judgehost::Arguments>),
    Doctor(doctor::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    if let Err(failure) = shell_limits::raise_stack() {
        failure.print();
        return failure.exit.into();
    }
    // Usage errors end the process here, with clap's message and exit code 2.
    let arguments = points::joined(std::env::args_os());
    let matches = Cli::command().try_get_matches_from(arguments).unwrap_or_else(|error| print_and_exit(error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    set_colours(cli.color);
    if let Err(message) = sandbox::check_disabled_mechanisms() {
        let failure = Failure::unusable(message);
        failure.print();
        return failure.exit.into();
    }
    if let Err(failure) = secrets::hide_those_of_environment() {
        failure.print();
        return failure.exit.into();
    }
    shell_limits::lift();
    if let Some(warning) = shell_limits::remaining() {
        eprint_message("note: ", 6, &warning);
    }
    // The sandbox runs programs as another user, who must be able to read the files that the judge creates for them.
    // Code that creates private files restricts their mode.
    rustix::process::umask(rustix::fs::Mode::WGRP | rustix::fs::Mode::WOTH);
    stop::ask(interrupt::happened);
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
        Command::Judgehost(arguments) => judgehost::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    });
    sandbox::end_helpers();
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.print();
            failure.exit.into()
        }
    }
}

/// Prints clap's message and exits. On a terminal, wraps long lines at spaces, because clap wraps only help texts.
fn print_and_exit(error: clap::Error) -> ! {
    if error.kind() == ErrorKind::DisplayVersion && version::is_verbose() {
        exit_after_printing(version::print_verbose());
    }
    if !error.use_stderr() {
        exit_after_printing(error.print().and_then(|()| io::stdout().flush()));
    }
    let error = with_printable_arguments(error);
    let is_terminal = io::stderr().is_terminal();
    let rendered = error.render();
    for (painted, plain) in rendered.ansi().to_string().lines().zip(rendered.to_string().lines()) {
        if !is_terminal || columns(plain) <= screen::width(Stream::Error) {
            eprint_line(painted);
        } else if let Some(message) = plain.strip_prefix("error: ") {
            Failure::unusable(message).print();
        } else {
            eprint_message("", 0, plain);
        }
    }
    if let Some(command) = CommandLine::current().with_dashes() {
        eprint_message("hint: ", 6, "a name that begins with a hyphen looks like an option; use:");
        eprint_command(Some(&command));
    }
    std::process::exit(error.exit_code())
}

/// Exits after a help text or the version was printed. Reports an error if the output could not be written.
fn exit_after_printing(printed: io::Result<()>) -> ! {
    let exit = match printed {
        Ok(()) => Exit::AsExpected,
        Err(error) => {
            let failure = Failure::from(error);
            failure.print();
            failure.exit
        }
    };
    std::process::exit(exit as i32)
}

/// Parses the arguments again, with control characters and line feeds escaped, and returns clap's error about the
/// escaped arguments. clap quotes arguments unchanged, so without this step an argument could control the terminal.
/// Returns `error` itself if the new error is of a different kind.
fn with_printable_arguments(error: clap::Error) -> clap::Error {
    let arguments = points::joined(std::env::args_os()).into_iter().map(|argument| match argument.to_str() {
        Some(text) => printable_line(text),
        None => printable_line(&printable(argument.as_encoded_bytes())),
    });
    match Cli::command().try_get_matches_from(arguments) {
        Err(escaped) if escaped.kind() == error.kind() => escaped,
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

/// Prints a warning on standard error.
fn warn(text: &str) {
    let yellow = anstyle::AnsiColor::Yellow.on_default();
    eprint_message(&format!("{yellow}warning{yellow:#}: "), "warning: ".len(), text);
}

/// Prints `message` on standard error after `prefix`, which is `prefix_columns` wide. On a terminal, wraps long lines
/// at spaces. Elsewhere, does not break lines, so that programs can search for `FILE:LINE:COLUMN: message`.
fn eprint_message(prefix: &str, prefix_columns: usize, message: &str) {
    let is_terminal = io::stderr().is_terminal();
    let width = screen::width(Stream::Error);
    for (index, line) in printable(message.as_bytes()).lines().enumerate() {
        // Further lines of the message are indented, so that none of them looks like a separate error or note.
        let (prefix, prefix_columns) = if index == 0 { (prefix, prefix_columns) } else { ("  ", 2) };
        let text = line.trim_start_matches(' ');
        let own = (line.len() - text.len()).min(width / 2);
        if !is_terminal || prefix_columns + columns(line) <= width {
            eprint_line(format_args!("{prefix}{line}"));
            continue;
        }
        // Continuation lines are indented by two columns more than the line itself.
        let (first, next) = (format!("{prefix}{:own$}", ""), format!("{:own$}  ", ""));
        let room = width.saturating_sub((prefix_columns + own).max(next.len()));
        for (part, text) in wrapped(text, room).iter().enumerate() {
            eprint_line(format_args!("{}{text}", if part == 0 { &first } else { &next }));
        }
    }
}

/// Prints a command on standard error, on a line of its own. The line is never wrapped, so that a user can copy it.
fn eprint_command(command: Option<&CommandLine>) {
    if let Some(command) = command {
        eprint_line(format_args!("  {}", command.shown()));
    }
}

/// Prints lines on standard output.
fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    text.lines().try_for_each(|line| writeln!(out, "{}", screen_line(line)))?;
    out.flush().map_err(Failure::from)
}

/// Prints a line on standard error. Errors are ignored, because there is no other place to report them.
fn eprint_line(line: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", screen_line(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
