//! Paths of the command line that name something other than the command expects: a package in the place of a program, a
//! folder of packages in the place of a package, and so on.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::Failure;
use super::command_line::CommandLine;
use super::open::Opened;
use crate::puzzles::bundled;
use referee_class::{Endings, Listing};
use referee_language::Table;
use referee_text::list::first_names;

/// The number of entries of a folder after which the search for packages stops.
const MOST_ENTRIES: usize = 10_000;

/// The number of packages that a message names.
const MOST_NAMED: usize = 3;

/// Returns an error if the existing path `name` is no package, and either contains packages or is inside a package;
/// `None` otherwise.
pub(super) fn as_package(name: &Path) -> Option<Failure> {
    if is_package(name) {
        return None;
    }
    let shown = name.display();
    if let Some(package) = package_around(name) {
        let message = format!("{shown} is inside a package, but is no package itself");
        let hint = format!("use {}, which has problem.yaml", package.display());
        let command = CommandLine::current().replacing(name, &package);
        return Some(Failure::unusable(message).with_hint(hint).with_command(command));
    }
    let packages = packages_in(name);
    let first = packages.first()?;
    let count = if packages.len() == 1 { "a package".to_owned() } else { format!("{} packages", packages.len()) };
    let message = format!(
        "{shown} is no package: problem.yaml is missing; it contains {count}: {}",
        first_names(&packages, MOST_NAMED)
    );
    let inner = name.join(first);
    let hint = format!("use the path of one package, such as {}", inner.display());
    Some(Failure::unusable(message).with_hint(hint).with_command(CommandLine::current().replacing(name, &inner)))
}

/// Returns an error if `package` is no package, but one of the `programs` is: the user gave them in the wrong order.
/// `None` otherwise.
pub(super) fn swapped(package: &Path, programs: &[PathBuf]) -> Option<Failure> {
    if !package.exists() || is_named_package(package) || package_around(package).is_some() {
        return None;
    }
    let meant = programs.iter().find(|path| is_named_package(path))?;
    let message = format!("{} is no package, but {} is; the package comes first", package.display(), meant.display());
    let failure = Failure::unusable(message).with_hint("exchange the two");
    Some(failure.with_command(CommandLine::current().swapping(package, meant)))
}

/// Returns an error if `name`, the only argument, holds programs: the user left out the package. `None` otherwise.
pub(super) fn forgotten_package(
    name: &Path,
    languages: impl FnOnce() -> Result<Arc<Table>, Failure>,
) -> Option<Failure> {
    let is_other = is_named_package(name) || package_around(name).is_some() || !packages_in(name).is_empty();
    if !name.exists() || is_other {
        return None;
    }
    let endings = Endings::new(&*languages().ok()?, &[]).ok()?;
    if !referee_class::holds_programs(name, &endings) {
        return None;
    }
    let message = format!("{} holds programs, and no problem package is named", name.display());
    let (package, hint) = if is_package(Path::new(".")) {
        (".", "the package comes first; the current folder is one")
    } else {
        ("PACKAGE", "the package comes first; put its path in the place of PACKAGE")
    };
    let command = CommandLine::current().inserting(Path::new(package), name);
    Some(Failure::unusable(message).with_hint(hint).with_command(command))
}

/// Returns whether the path names a package: a folder, an archive or a bundled package.
fn is_named_package(path: &Path) -> bool {
    if path.is_dir() {
        return is_package(path);
    }
    if path.is_file() {
        return is_archive(path) && holds_package(path);
    }
    !path.exists() && bundled::names().iter().any(|name| Path::new(name) == path)
}

/// Returns whether an archive has a problem.yaml where a package has it. An archive that cannot be read has none.
fn holds_package(path: &Path) -> bool {
    Listing::open(path).is_ok_and(|listing| listing.has_marker("problem.yaml"))
}

/// Returns an error if the path of a program names a package or another archive; `None` otherwise.
pub(super) fn as_program(path: &Path) -> Option<Failure> {
    if let Some(failure) = as_package_in_place_of_program(path).or_else(|| as_packages_in_place_of_program(path)) {
        return Some(failure);
    }
    if !is_archive(path) || !path.is_file() {
        return None;
    }
    let message = format!("{} is an archive, expected a program", path.display());
    Some(Failure::unusable(message).with_hint(
        "unpack it; or, to grade a class that is handed in as an archive, name only that archive after the package",
    ))
}

/// Returns an error if the path of a program names a package; `None` otherwise.
pub(super) fn as_package_in_place_of_program(path: &Path) -> Option<Failure> {
    if !is_named_package(path) {
        return None;
    }
    let message = format!("{} is a package, expected a program", path.display());
    let current = CommandLine::current();
    let alone = current.replacing(path, path).map(|command| command.only_package(path));
    Some(
        Failure::unusable(message)
            .with_hint(
                "the arguments are one PACKAGE, then source files, source folders or executables; to use several \
                 packages, run the command once for each",
            )
            .with_command(alone),
    )
}

/// Returns an error if the path of a program is a folder with several packages and nothing that could be a program;
/// `None` otherwise.
fn as_packages_in_place_of_program(path: &Path) -> Option<Failure> {
    let is_folder = |entry: std::fs::DirEntry| entry.path().is_dir();
    let mut entries = path.read_dir().ok()?.take(MOST_ENTRIES).filter_map(Result::ok);
    let packages = packages_in(path);
    if packages.len() < 2 || !entries.all(|entry| is_package(&entry.path()) || !is_folder(entry)) {
        return None;
    }
    let shown = first_names(&packages, MOST_NAMED);
    let message = format!("{} contains packages, expected a program: {shown}", path.display());
    Some(Failure::unusable(message).with_hint(
        "the arguments are one PACKAGE, then programs; to grade the submissions of a package, name only that package",
    ))
}

/// Returns a hint if the path of a missing program is relative to the package, or to its folder `submissions`, and not
/// to the current folder; `None` otherwise.
pub(super) fn below_package(path: &Path, opened: &Opened) -> Option<String> {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let exists = |below: &Path| opened.package.root.join(below).exists();
    let below = [Path::new("submissions").join(path), path.to_path_buf()].into_iter().find(|below| exists(below))?;
    let name = opened.name();
    if !is_plain {
        None
    } else if name.is_dir() {
        Some(format!("the path of a PROGRAM begins at the current folder; use {}", name.join(below).display()))
    } else {
        let unpack = if name.is_file() { "; to judge only this one, unpack the archive" } else { "" };
        Some(format!(
            "{} is a file of the package; to judge all submissions of the package, leave out PROGRAM{unpack}",
            below.display()
        ))
    }
}

/// Returns whether the path is a folder with a problem.yaml.
fn is_package(path: &Path) -> bool {
    path.join("problem.yaml").exists()
}

/// Returns whether the path has the ending of a package in an archive.
pub(super) fn is_archive(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("zip") || ending.eq_ignore_ascii_case("kpp"))
}

/// Returns the path of the package that contains `path`: the beginning of `path`, or for a package above the current
/// folder a path of `..`, or else an absolute path. `None` if no parent folder is a package, or if `path` is an archive.
fn package_around(path: &Path) -> Option<PathBuf> {
    if is_archive(path) {
        return None;
    }
    let is_named = |folder: &&Path| !folder.as_os_str().is_empty() && is_package(folder);
    if let Some(folder) = path.ancestors().skip(1).find(is_named) {
        return Some(folder.to_path_buf());
    }
    let real = path.canonicalize().ok()?;
    real.ancestors().skip(1).find(|folder| is_package(folder)).map(from_current_folder)
}

/// Returns the path of a folder as seen from the current folder: `.` or `..` parts if the folder contains the current
/// folder, otherwise the path unchanged.
fn from_current_folder(folder: &Path) -> PathBuf {
    let current = std::env::current_dir().and_then(|current| current.canonicalize());
    let below = current.as_deref().ok().and_then(|current| current.strip_prefix(folder).ok());
    match below.map(|below| below.components().count()) {
        None => folder.to_path_buf(),
        Some(0) => PathBuf::from("."),
        Some(levels) => std::iter::repeat_n("..", levels).collect(),
    }
}

/// Returns the names of the packages in a folder, sorted; none if `path` is not a folder.
fn packages_in(path: &Path) -> Vec<String> {
    let Ok(entries) = path.read_dir() else { return Vec::new() };
    let entries = entries.take(MOST_ENTRIES).filter_map(Result::ok);
    let packages = entries.filter(|entry| is_package(&entry.path()) || is_archive(&entry.path()));
    let mut names: Vec<_> = packages.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
