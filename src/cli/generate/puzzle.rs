//! `referee generate PUZZLE`: generates random boards. The same seed gives the same boards on every machine.

use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::Args;
use referee_files::regular;
use referee_random::Random;
use reference::disagreement::Tally;
use reference::puzzle::{Instance, Puzzle, Repetition, Size};

use crate::cli::numbers::{whole_number, whole_number_in};
use crate::cli::{Exit, Failure, eprint_line, nearest, puzzles};
use referee_files::temporary;
use referee_sandbox::interrupt;

/// The options for a puzzle.
#[derive(Debug, Args)]
pub(super) struct BoardArguments {
    /// How many inputs to draw [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true, help_heading = "Puzzles")]
    count: Option<u64>,

    /// The seed: the same seed gives the same inputs on every machine [default: 1]
    #[arg(long, value_name = "S", value_parser = whole_number, allow_negative_numbers = true, help_heading = "Puzzles")]
    seed: Option<u64>,

    /// The kind of boards [default: the first of --list-kinds]
    #[arg(long, value_name = "K", help_heading = "Puzzles")]
    kind: Option<String>,

    /// List the kinds of boards
    #[arg(long, help_heading = "Puzzles")]
    list_kinds: bool,

    /// The size of the boards (rows by columns), for puzzles with several sizes
    #[arg(long, value_name = "MxN", value_parser = puzzles::size, help_heading = "Puzzles")]
    size: Option<Size>,

    /// Boards per input, for puzzles whose inputs hold several [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_number_in(1..=100_000_u64), allow_negative_numbers = true, help_heading = "Puzzles")]
    per_file: Option<u64>,
}

impl BoardArguments {
    /// Returns the first of these options that is given; `None` if none is.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        let options = [
            (self.count.is_some(), "--count"),
            (self.seed.is_some(), "--seed"),
            (self.kind.is_some(), "--kind"),
            (self.list_kinds, "--list-kinds"),
            (self.size.is_some(), "--size"),
            (self.per_file.is_some(), "--per-file"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    fn count(&self) -> u64 {
        self.count.unwrap_or(1)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn per_file(&self) -> u64 {
        self.per_file.unwrap_or(1)
    }
}

pub(super) fn run(puzzle: &dyn Puzzle, arguments: &BoardArguments, out: Option<&Path>) -> Result<Exit, Failure> {
    if arguments.list_kinds {
        puzzles::list(puzzle.kinds().iter().map(|kind| (kind.name, kind.about)))?;
        return Ok(Exit::AsExpected);
    }
    let kind = kind(puzzle, arguments.kind.as_deref())?;
    if arguments.per_file() > 1 && puzzle.repetition() == Repetition::One {
        return Err(Failure::unusable(format!("--per-file: an input of {} contains exactly one board", puzzle.name()))
            .with_hint("use --count for more inputs"));
    }
    match out {
        None => print(puzzle, kind, arguments),
        Some(folder) => write_files(puzzle, kind, arguments, folder),
    }
}

fn kind(puzzle: &dyn Puzzle, wanted: Option<&str>) -> Result<&'static str, Failure> {
    let names: Vec<_> = puzzle.kinds().iter().map(|kind| kind.name).collect();
    let found = match wanted {
        None => names.first(),
        Some(wanted) => names.iter().find(|name| **name == wanted),
    };
    found.copied().ok_or_else(|| {
        let wanted = wanted.unwrap_or_default();
        let list = format!("kinds: {}", names.join(", "));
        Failure::unusable(format!("{} has no kind {wanted:?}", puzzle.name()))
            .with_hint(nearest::hint(wanted, names, &list))
    })
}

/// Draws input number `index`. Each board has its own random stream, so that a larger --count or --per-file does not
/// change the earlier boards.
fn draw(
    puzzle: &dyn Puzzle,
    kind: &str,
    arguments: &BoardArguments,
    index: u64,
) -> Result<Vec<Box<dyn Instance>>, Failure> {
    let boards = (0..arguments.per_file()).map(|board| {
        let mut random = Random::new(arguments.seed(), index << 20 | board);
        puzzle.generate(kind, arguments.size, &mut random).map_err(Failure::unusable)
    });
    boards.collect()
}

fn print(puzzle: &dyn Puzzle, kind: &str, arguments: &BoardArguments) -> Result<Exit, Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for index in 0..arguments.count() {
        if interrupt::happened() {
            return Err(Failure::interrupted());
        }
        for board in draw(puzzle, kind, arguments, index)? {
            out.write_all(board.print().as_bytes())?;
        }
    }
    out.flush()?;
    Ok(Exit::AsExpected)
}

fn write_files(puzzle: &dyn Puzzle, kind: &str, arguments: &BoardArguments, folder: &Path) -> Result<Exit, Failure> {
    let unwritable = |path: &Path, error| Failure::unusable(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, error))?;
    let digits = arguments.count().to_string().len().max(2);
    for index in 0..arguments.count() {
        if interrupt::happened() {
            return Err(Failure::interrupted());
        }
        let boards = draw(puzzle, kind, arguments, index)?;
        let answer = agreed_answers(puzzle, &boards)?;
        let input: String = boards.iter().map(|board| board.print()).collect();
        let stem = format!("{:0digits$}-{kind}", index + 1);
        for (ending, text) in [("in", input), ("ans", answer)] {
            let path = folder.join(format!("{stem}.{ending}"));
            write_atomically(&path, &text).map_err(|error| unwritable(&path, error))?;
        }
    }
    let version = puzzle.generator_version();
    let files = if arguments.count() == 1 { "input with its answer" } else { "inputs with answers" };
    eprint_line(format_args!(
        "{} {kind} {files} in {} (seed {}, generator version {version})",
        arguments.count(),
        folder.display(),
        arguments.seed()
    ));
    Ok(Exit::AsExpected)
}

/// Writes a temporary file and then renames it, so that no other program reads an incomplete file. Does not replace an
/// existing file. Fails if an existing file has other content.
fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mode = Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().prefix(".referee-").permissions(mode).tempfile_in(folder);
    let mut file = file.map_err(temporary::without_name)?;
    file.as_file_mut().write_all(text.as_bytes())?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        Err(_) if regular::read(path, regular::LARGEST_BYTES).is_ok_and(|there| there == text.as_bytes()) => Ok(()),
        Err(_) => {
            Err(io::Error::other("the file exists with other content and is not replaced; give --out a new folder"))
        }
    }
}

/// Returns the answers. Fails if solvers disagree, which is a bug in referee. The caller then writes no file for these
/// boards.
fn agreed_answers(puzzle: &dyn Puzzle, boards: &[Box<dyn Instance>]) -> Result<String, Failure> {
    let mut tally = Tally::default();
    let mut answers = String::new();
    for board in boards {
        tally.compare(puzzle, board.as_ref());
        answers += &puzzles::answer(puzzle, board.as_ref(), None).map_err(Failure::unusable)?.text;
    }
    match tally.examples.first() {
        None => Ok(answers),
        Some(wrong) => Err(Failure::judge(format!("the solvers disagree: {}\n{}", wrong.reason, wrong.input))),
    }
}
