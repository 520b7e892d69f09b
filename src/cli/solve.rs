//! `referee solve`: runs a reference solver on any number of boards.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use reference::puzzle::{Puzzle, Size};

use super::{Exit, Failure, nearest, puzzles};
use referee_sandbox::interrupt;

/// Solve boards with a reference solver, one answer each, until the end of the input
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee solve flipgame board.txt
  referee solve swapgame --solver bfs < pairs.txt
  referee solve flipgame --size 19x19 large.txt
  referee solve solitaire --list")]
pub(super) struct Arguments {
    /// The puzzle
    puzzle: String,

    /// Files with boards; - means standard input, which is also the default
    files: Vec<PathBuf>,

    /// The solver [default: the first of --list that supports the board]
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,

    /// List the solvers with their methods
    #[arg(long)]
    list: bool,

    /// The size of the boards (rows by columns), for puzzles with several sizes
    #[arg(long, value_name = "MxN", value_parser = puzzles::size)]
    size: Option<Size>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let puzzle = puzzles::find(&arguments.puzzle)?;
    if arguments.list {
        puzzles::list(puzzle.solvers().iter().map(|solver| (solver.name, solver.method)))?;
        return Ok(Exit::AsExpected);
    }
    let solver = arguments.solver.as_deref();
    refuse_unknown(puzzle, solver)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let standard_input = [PathBuf::from("-")];
    let files = if arguments.files.is_empty() { &standard_input[..] } else { &arguments.files };
    for file in files {
        let (name, text) = puzzles::open(file)?;
        let solved = puzzles::each_instance(puzzle, &name, text, arguments.size, &mut |instance| {
            if interrupt::happened() {
                return Err(Failure::interrupted());
            }
            let answer = puzzles::answer(puzzle, instance.as_ref(), solver);
            let answer = answer.map_err(|unserved| Failure::unusable(format!("{name}: {unserved}")))?;
            out.write_all(answer.text.as_bytes()).map_err(Failure::from)
        });
        // The answers before an illegal board are correct, so they are printed.
        out.flush()?;
        solved?;
    }
    Ok(Exit::AsExpected)
}

fn refuse_unknown(puzzle: &dyn Puzzle, wanted: Option<&str>) -> Result<(), Failure> {
    let names: Vec<_> = puzzle.solvers().iter().map(|solver| solver.name).collect();
    match wanted {
        Some(wanted) if !names.contains(&wanted) => {
            let message = format!("{} has no solver {wanted:?}", puzzle.name());
            let list = format!("solvers: {}", names.join(", "));
            Err(Failure::unusable(message).with_hint(nearest::hint(wanted, names, &list)))
        }
        _ => Ok(()),
    }
}
