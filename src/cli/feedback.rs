//! Prepares DIR of `grade --feedback DIR`. Each run removes the feedback that an earlier run wrote for the same test
//! cases. A folder with other files is refused, because the run could remove these files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::Failure;
use referee_package::Package;

/// The file that marks a folder as a feedback folder of referee.
const MARK: &str = ".referee-feedback";

/// The text of that file, for a user who finds it.
const MARK_TEXT: &[u8] = b"`referee grade --feedback` replaces the files in this folder.\n";

/// Creates the folder, before any program runs. Prints a note if the package has no output validator. Fails if the
/// folder is not writable or contains files that are not feedback.
pub(super) fn prepare(folder: &Path, package: &Package) -> Result<(), Failure> {
    let unusable = |error: io::Error| {
        let failure = Failure::unusable(format!("cannot write feedback to {}: {error}", folder.display()));
        failure.with_hint("name a writable folder; it is created if it does not exist")
    };
    fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder)).map_err(unusable)?;
    if !is_ours(folder).map_err(unusable)? {
        let message = format!("cannot write feedback to {}: it contains files that are not feedback", folder.display());
        return Err(Failure::unusable(message).with_hint("give --feedback a new or an empty folder"));
    }
    if package.output_validators.is_empty() && package.static_validator.is_none() {
        super::eprint_line(
            "--feedback: no files will be written, because the package has no output validator of its own",
        );
    }
    Ok(())
}

/// Returns whether the folder is a feedback folder of referee. Marks an empty folder as one.
fn is_ours(folder: &Path) -> io::Result<bool> {
    let mark = folder.join(MARK);
    if mark.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(true);
    }
    if fs::read_dir(folder)?.next().is_some() {
        return Ok(false);
    }
    File::create_new(mark)?.write_all(MARK_TEXT)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_is_marked_and_one_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_ours(folder.path()).unwrap());
        fs::write(folder.path().join("feedback"), "").unwrap();
        assert!(is_ours(folder.path()).unwrap(), "an earlier run has marked it");
        fs::remove_file(folder.path().join(MARK)).unwrap();
        assert!(!is_ours(folder.path()).unwrap());
    }

    #[test]
    fn a_link_is_no_mark() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.path().join(MARK)).unwrap();
        assert!(!is_ours(folder.path()).unwrap());
    }
}
