//! Writes a mutant to disk: the program with one of its files changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::mutants::Mutant;
use super::subject::{Subject, source_path};
use referee_judge::{JudgeError, copy_sources};
use referee_package::Package;

/// A mutant's sources on disk. Dropping this value deletes them.
pub(super) struct MutantCopy {
    pub(super) path: PathBuf,
    _folder: TempDir,
}

/// Returns the path to which [`write_mutant`] writes the mutant's sources.
pub(super) fn path(subject: &Subject, mutant: &Mutant, above: &Path) -> PathBuf {
    above.join(mutant.number.to_string()).join(subject.path.file_name().unwrap_or_default())
}

/// Writes the mutant's sources into a new folder in `above`, which is named after the mutant's number.
pub(super) fn write_mutant(
    package: &Package,
    subject: &Subject,
    mutant: &Mutant,
    above: &Path,
) -> Result<MutantCopy, JudgeError> {
    write(package, subject, mutant, above)
        .map_err(|source| JudgeError::System { doing: "copying the sources of a mutant", source })
}

fn write(package: &Package, subject: &Subject, mutant: &Mutant, above: &Path) -> io::Result<MutantCopy> {
    let folder = tempfile::Builder::new().prefix(&mutant.number.to_string()).rand_bytes(0).tempdir_in(above)?;
    let path = path(subject, mutant, above);
    if subject.path.is_dir() {
        fs::create_dir(&path)?;
        // Copies in the same way as the judge copies a program: links within the package are replaced by their targets.
        copy_sources(&subject.path, &path, &package.boundary)?;
    }
    let source = &subject.sources[mutant.file];
    fs::write(source_path(&path, &source.below), mutant.mutation.apply(&source.text))?;
    Ok(MutantCopy { path, _folder: folder })
}
