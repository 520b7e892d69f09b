//! A mutant on disk: the program with one of its files changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use walkdir::WalkDir;

use super::mutants::Mutant;
use super::subject::{Subject, place};
use crate::judge::JudgeError;

/// What a program's folder may hold, in bytes and files.
const MOST_BYTES: u64 = 64 << 20;
const MOST_FILES: usize = 10_000;

/// A mutant's sources. They go with it.
pub(super) struct Copied {
    pub(super) path: PathBuf,
    _folder: TempDir,
}

/// Writes the mutant's sources into a folder of their own, below `above`.
pub(super) fn copied(subject: &Subject, mutant: &Mutant, above: &Path) -> Result<Copied, JudgeError> {
    write(subject, mutant, above).map_err(|source| JudgeError::System { doing: "copying the sources", source })
}

fn write(subject: &Subject, mutant: &Mutant, above: &Path) -> io::Result<Copied> {
    let folder = tempfile::tempdir_in(above)?;
    let name = subject.path.file_name().unwrap_or_default();
    let path = folder.path().join(name);
    if subject.path.is_dir() {
        copy_folder(&subject.path, &path)?;
    }
    let source = &subject.sources[mutant.file];
    fs::write(place(&path, &source.below), mutant.mutation.apply(&source.text))?;
    Ok(Copied { path, _folder: folder })
}

/// Plain files only: what else there is was told by whoever read the package, and is not followed.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let (mut bytes, mut files) = (0, 0);
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else if entry.path().metadata().is_ok_and(|found| found.is_file()) {
            files += 1;
            bytes += fs::copy(entry.path(), target)?;
        }
        if bytes > MOST_BYTES || files > MOST_FILES {
            return Err(io::Error::other(format!("{} holds too much", from.display())));
        }
    }
    Ok(())
}
