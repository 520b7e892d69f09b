//! What language a file or folder is written in.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Language, TABLE};

/// What a submission is.
#[derive(Clone, Copy, Debug)]
pub enum Detected {
    /// Sources in this language.
    Source(&'static Language),
    /// A program that runs as it is.
    Executable,
    /// None of the languages here.
    Unknown,
}

/// Tells what the file or folder at `path` is. `declared` is the language a package names for it.
pub fn detect(path: &Path, declared: Option<&str>) -> Detected {
    if let Some(id) = declared {
        return TABLE.iter().find(|language| language.id == id).map_or(Detected::Unknown, Detected::Source);
    }
    if path.is_dir() {
        return most_files(path).map_or(Detected::Unknown, Detected::Source);
    }
    match by_ending(path) {
        Some(language) => Detected::Source(language),
        None if is_executable(path) => Detected::Executable,
        None => Detected::Unknown,
    }
}

impl Language {
    /// The files in `folder` that are sources of this language, relative to it and in order.
    pub fn sources(&self, folder: &Path) -> Vec<PathBuf> {
        let own = |path: &PathBuf| by_ending(path).is_some_and(|language| language.id == self.id);
        files(folder).filter(own).filter_map(|path| path.strip_prefix(folder).ok().map(Path::to_path_buf)).collect()
    }

    /// The file among `sources` that a program starts with: the table's, else one called main, else the first.
    pub fn main_of<'a>(&self, sources: &'a [PathBuf]) -> Option<&'a Path> {
        let named = |wanted: &str| sources.iter().find(|source| source.as_os_str() == wanted);
        let called_main =
            || sources.iter().find(|path| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("main")));
        self.main_file.and_then(named).or_else(called_main).or(sources.first()).map(PathBuf::as_path)
    }
}

/// The language with most files in the folder; of two with as many, the one that stands first in the table.
fn most_files(folder: &Path) -> Option<&'static Language> {
    let counts = TABLE.iter().map(|language| (language, language.sources(folder).len()));
    counts.rev().max_by_key(|&(_, count)| count).filter(|&(_, count)| count > 0).map(|(language, _)| language)
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(folder).max_depth(8).sort_by_file_name().into_iter().filter_map(Result::ok);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path)
}

fn by_ending(path: &Path) -> Option<&'static Language> {
    let ending = path.extension()?.to_str()?;
    TABLE.iter().find(|language| language.endings.contains(&ending))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
