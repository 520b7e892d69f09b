//! Reads PUZZLE of the command line, and options about boards.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use reference::puzzle::{Answer, Declined, Instance, Puzzle, Size};
use reference::registry::{self, ALL};
use reference::text::{Lines, ReadError};

use super::input::{self, Input};
use super::{Failure, nearest};
use referee_report::wrapped;
use referee_sandbox::interrupt;

/// The width of a line in a list, in columns.
const COLUMNS: usize = 80;

/// Returns the puzzle that the user named. Fails if it is unknown.
pub(super) fn find(name: &str) -> Result<&'static dyn Puzzle, Failure> {
    registry::by_name(name).ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|puzzle| puzzle.name()).collect();
        let list = format!("puzzles: {}", names.join(", "));
        Failure::unusable(format!("there is no puzzle {name:?}")).with_hint(nearest::hint(name, names, &list))
    })
}

/// Parses `--size MxN`: rows by columns.
pub(super) fn size(text: &str) -> Result<Size, String> {
    let wrong = || "allowed: ROWSxCOLUMNS, such as 4x4, each from 1 to 64".to_owned();
    let (rows, columns) = text.split_once('x').ok_or_else(wrong)?;
    let number = |text: &str| text.parse().ok().filter(|number| (1..=64).contains(number)).ok_or_else(wrong);
    Ok(Size { rows: number(rows)?, columns: number(columns)? })
}

/// Prints names and their descriptions in two columns. The second column is wrapped at spaces.
pub(super) fn list<'a>(entries: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> io::Result<()> {
    let width = entries.clone().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    let mut out = BufWriter::new(io::stdout().lock());
    for (name, about) in entries {
        for (index, line) in wrapped(about, COLUMNS.saturating_sub(width)).iter().enumerate() {
            writeln!(out, "{:<width$}{line}", if index == 0 { name } else { "" })?;
        }
    }
    out.flush()
}

/// Returns the answer of the solver `wanted`. If `wanted` is `None`, uses the first solver that supports the board.
/// Fails if the solver `wanted` does not support the board, or if no solver supports it.
pub(super) fn answer(puzzle: &dyn Puzzle, instance: &dyn Instance, wanted: Option<&str>) -> Result<Answer, Declined> {
    let mut refusal = Declined("no solver supports this board".to_owned());
    for solver in puzzle.solvers().iter().filter(|solver| wanted.is_none_or(|name| name == solver.name)) {
        match instance.solve(solver.name) {
            Ok(answer) => return Ok(answer),
            Err(unserved) => refusal = unserved,
        }
    }
    Err(refusal)
}

/// Opens the file at `path`, or standard input for `-`. Also returns a name for messages.
pub(super) fn open(path: &Path) -> Result<(String, Input), Failure> {
    let (name, opened) = if path == Path::new("-") {
        ("standard input".to_owned(), input::standard())
    } else {
        (path.display().to_string(), input::open(path))
    };
    let opened = opened.map_err(|error| unreadable(&name, error))?;
    Ok((name, opened))
}

/// Returns the error for a text that could not be read. If the user interrupted reading, the error says so.
pub(super) fn unreadable(name: &str, error: impl fmt::Display) -> Failure {
    if interrupt::happened() {
        Failure::interrupted()
    } else {
        Failure::unusable(format!("cannot read {name}: {error}"))
    }
}

/// Passes every board of a text to `each`, and returns the number of boards. Fails if there is no board, if a board is
/// illegal or unreadable, or if `each` fails.
pub(super) fn each_instance(
    puzzle: &dyn Puzzle,
    name: &str,
    text: Input,
    size: Option<Size>,
    each: &mut dyn FnMut(Box<dyn Instance>) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut lines = Lines::new(text);
    let mut count = 0;
    let illegal = |error: ReadError| match error {
        ReadError::Illegal(_) => Failure::unusable(format!("{name}: {error}"))
            .with_hint(format!("run `referee generate {}` to see a legal input", puzzle.name())),
        ReadError::Unreadable(error) => unreadable(name, error),
    };
    while let Some(instance) = puzzle.read(&mut lines, size).map_err(illegal)? {
        count += 1;
        each(instance)?;
    }
    if count == 0 {
        return Err(Failure::unusable(format!(
            "{name}: line 1, column 1: found the end of the input, allowed: at least one board of {}",
            puzzle.name()
        )));
    }
    Ok(count)
}
