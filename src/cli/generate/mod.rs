//! `referee generate`: generates inputs of a puzzle, or the test cases of a package.

mod consent;
mod package;
mod puzzle;

use std::path::{Path, PathBuf};

use clap::Args;
use reference::registry::{ALL, by_name};

use super::{Exit, Failure, eprint_line, mistaken, nearest};
use package::PackageArguments;
use puzzle::BoardArguments;

/// Generate random inputs of a puzzle, or the test cases of a package
///
/// PUZZLE: without --out, the boards are printed. With --out, every input becomes a file, beside a file with the answer
/// on which all reference solvers agree.
///
/// PACKAGE: the rules in generators/generators.yaml (BAPCtools) are run in a temporary folder, and the changes that
/// they would make to data/ are shown. Only --write changes data/; --out writes into another folder. The same rules and
/// programs give the same bytes as `bt generate`.
///
/// Before --write removes files that no rule makes, it asks on a terminal; elsewhere it needs --remove. Files that it
/// removes or overwrites are moved to .referee-trash in the package, and the output names the folder.
///
/// A puzzle's name means the puzzle, even if a folder has the same name; write ./NAME for the folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  referee generate flipgame --list-kinds
  referee generate coins --kind uniform --count 5 --seed 7
  referee generate flipgame --size 9x9 --count 3
  referee generate solitaire --count 10 --per-file 20 --out cases
  referee generate path/to/package            what would change in its data/?
  referee generate path/to/package --write    change it
  referee generate path/to/package --write --remove    and remove other files
  referee generate path/to/package --out new  all cases into a new folder")]
pub(super) struct Arguments {
    /// The puzzle, or the folder of the package
    #[arg(value_name = "PUZZLE|PACKAGE")]
    subject: PathBuf,

    /// Write files into DIR: for a puzzle, NNN-KIND.in and NNN-KIND.ans; for a package, all test cases (DIR must be new
    /// or empty)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    boards: BoardArguments,

    #[command(flatten)]
    package: PackageArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let subject = arguments.subject.as_path();
    let out = arguments.out.as_deref();
    if let Some(puzzle) = subject.to_str().and_then(by_name) {
        if let Some(option) = arguments.package.first_given() {
            return Err(Failure::unusable(format!("{option} is for packages; {} is a puzzle", puzzle.name()))
                .with_hint(format!("use ./{} for the folder of that name", puzzle.name())));
        }
        if subject.join(referee_generators::FILE).is_file() {
            eprint_line(format_args!("{0} means the puzzle; use ./{0} for the folder of that name", puzzle.name()));
        }
        return puzzle::run(puzzle, &arguments.boards, out);
    }
    if subject.symlink_metadata().is_err() {
        return Err(neither(subject));
    }
    if let Some(option) = arguments.boards.first_given() {
        return Err(Failure::unusable(format!("{option} is for puzzles; {} is a package", subject.display()))
            .with_hint("generators/generators.yaml of the package defines the generated cases and their seeds"));
    }
    if let Some(failure) = mistaken::as_package(subject) {
        return Err(failure);
    }
    package::run(subject, &arguments.package, out)
}

fn neither(subject: &Path) -> Failure {
    let names: Vec<_> = ALL.iter().map(|puzzle| puzzle.name()).collect();
    let wanted = subject.display().to_string();
    let near = nearest::package(subject);
    let list =
        format!("puzzles: {}; or give the folder of a package with {}", names.join(", "), referee_generators::FILE);
    Failure::unusable(format!("there is neither a puzzle nor a folder named {wanted:?}")).with_hint(nearest::hint(
        &wanted,
        names.into_iter().chain(near.as_deref()),
        &list,
    ))
}
