//! `referee check`: checks whether an output is right for an input.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::Args;
use reference::puzzle::{CheckError, Size};
use reference::text::Tokens;

use super::input::SizeLimited;
use super::{Exit, Failure, puzzles};
use referee_text::printable::output_line;

/// The largest output that is read, in bytes. Correct outputs are far smaller.
const LARGEST_OUTPUT_BYTES: u64 = 256 << 20;

/// Check whether OUTPUT is right for INPUT; if not, say where and why
///
/// Exit code 0: right, 1: wrong, 2: INPUT is not legal.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  referee check swapgame board.in my.out")]
pub(super) struct Arguments {
    /// The puzzle
    puzzle: String,

    /// The input: one board or several
    input: PathBuf,

    /// The output to check; - is standard input
    output: PathBuf,

    /// The size of the boards (rows by columns), for puzzles with several sizes
    #[arg(long, value_name = "MxN", value_parser = puzzles::size)]
    size: Option<Size>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let puzzle = puzzles::find(&arguments.puzzle)?;
    let (name, text) = puzzles::open(&arguments.input)?;
    let (output_name, output) = puzzles::open(&arguments.output)?;
    let mut tokens = Tokens::new(BufReader::new(SizeLimited::new(LARGEST_OUTPUT_BYTES, output)));
    let mut number = 0_u64;
    let mut wrong: Option<String> = None;
    let count = puzzles::each_instance(puzzle, &name, text, arguments.size, &mut |instance| {
        number += 1;
        if wrong.is_some() {
            return Ok(()); // No further answer is checked, but an illegal board is still an error.
        }
        let right = puzzles::answer(puzzle, instance.as_ref(), None);
        let right = right.map_err(|unserved| Failure::unusable(format!("{name}: {unserved}")))?;
        match instance.check(&mut tokens, &right.value) {
            Ok(()) => Ok(()),
            Err(error @ CheckError::Undecided { .. }) => Err(Failure::unusable(format!("{output_name}: {error}"))),
            Err(CheckError::Unreadable(error)) => Err(puzzles::unreadable(&output_name, error)),
            Err(error) => {
                wrong = Some(format!("{output_name}: {error}\nthe board (number {number}):\n{}", instance.print()));
                Ok(())
            }
        }
    })?;
    if wrong.is_none() {
        let rest = tokens.next_token().map_err(|error| puzzles::unreadable(&output_name, error))?;
        wrong = rest.map(|token| {
            format!("{output_name}: {}: found {}, expected the end of the output", token.place, token.quoted())
        });
    }
    let (good, bad) = (anstyle::AnsiColor::Green.on_default().bold(), anstyle::AnsiColor::Red.on_default().bold());
    let (exit, line) = match wrong {
        None => (Exit::AsExpected, format!("{good}right{good:#}: {count} board{}", if count == 1 { "" } else { "s" })),
        Some(reason) => (Exit::NotAsExpected, format!("{bad}wrong{bad:#}: {}", reason.trim_end())),
    };
    let lines: Vec<_> = line.lines().map(output_line).collect();
    match writeln!(anstream::stdout(), "{}", lines.join("\n")) {
        // A closed pipe does not matter, because the exit code has the same information.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(exit),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(exit),
    }
}
