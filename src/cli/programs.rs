//! PROGRAM on the command line: a source file, a source folder or an executable.

use std::fs::File;
use std::path::Path;

use super::{Failure, nearest};
use crate::judge::Submission;
use crate::language::{Detected, Shebangs, Table};
use crate::printable::printable;

/// The program that the user named.
pub(super) fn named(path: &Path) -> Result<Submission, Failure> {
    let unusable = |error| {
        let near = nearest::path(path).filter(|_| path.symlink_metadata().is_err());
        let about = "a PROGRAM is a source file, a folder of sources or an executable";
        Failure::unusable(format!("{}: {error}", path.display()))
            .with_hint(near.map_or_else(|| about.to_owned(), |near| format!("did you mean {near}? {about}")))
    };
    // One that nobody may read is told now, and not as a fault of its own.
    if path.symlink_metadata().map_err(unusable)?.is_file() {
        File::open(path).map_err(unusable)?;
    }
    let absolute = std::path::absolute(path).map_err(unusable)?;
    // A file's name is its author's choice, too, and must not reach the terminal as it is.
    let name = printable(path.as_os_str().as_encoded_bytes()).replace('\n', "␊").replace('\t', "␉");
    Ok(Submission { name, path: absolute, language: None, entry_point: None, expectations: None, scores: Vec::new() })
}

/// Of one program the user is told at once that it cannot be judged; among many it is skipped, and the others judged.
pub(super) fn refuse_unknown(program: &Submission, languages: &Table) -> Result<(), Failure> {
    if !matches!(languages.detect(&program.path, None, Shebangs::Ignored), Detected::Unknown) {
        return Ok(());
    }
    let message = format!("{}: no source of a known language, and not an executable", program.name);
    Err(Failure::unusable(message).with_hint(format!("known: {}", languages.endings())))
}
