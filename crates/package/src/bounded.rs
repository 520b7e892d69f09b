//! Reads untrusted files up to a maximum size. This module never opens a pipe or a device, because reading from one may
//! never end. It counts the bytes and does not trust the size that a file reports, because files in /proc report 0.

use std::io::{ErrorKind, Read};
use std::path::Path;

use referee_files::regular::{self, Stoppable};

/// Returns the whole file. Fails with a message if it cannot be read, is not a regular file, or is larger than `most`
/// bytes.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let bytes = beginning(path, most + 1)?;
    if bytes.len() as u64 > most {
        return Err(format!("the file has more than the {most} bytes allowed"));
    }
    Ok(bytes)
}

/// Returns `None` if `path` is a regular file; otherwise, returns the reason why it cannot be read. Call this function
/// before you open a file: opening a pipe can block forever, and opening a device can have side effects.
pub fn unfit(path: &Path) -> Option<String> {
    match path.metadata() {
        Ok(found) if found.is_file() => None,
        Ok(_) => Some("cannot be read: it is not a regular file".to_owned()),
        Err(error) if error.kind() != ErrorKind::NotFound => Some(format!("cannot be read: {error}")),
        Err(_) if path.is_symlink() => Some("is a link that leads nowhere".to_owned()),
        Err(_) => Some("is missing".to_owned()),
    }
}

/// Returns whether there is a file, folder or anything else at `path`. The reader of a file that is there reports an
/// error if it is not a regular file. If such a file counted as missing, its settings would be lost in silence.
pub(super) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Few files that are read as a whole are larger.
const USUAL_BYTES: usize = 4 << 10;

/// Returns the first `most` bytes of the file. Fails with a message if it cannot be read.
pub(super) fn beginning(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let reason = |error: std::io::Error| format!("cannot be read: {error}");
    // Most files can be opened. Only for the others, the reason is worth another look at the file.
    let file = regular::open(path).map_err(|error| unfit(path).unwrap_or_else(|| reason(error)))?;
    // Most files fit into this capacity, so one read gets them, and a second one finds the end.
    let mut bytes = Vec::with_capacity(usize::try_from(most).map_or(USUAL_BYTES, |most| most.min(USUAL_BYTES)));
    Stoppable(file.take(most)).read_to_end(&mut bytes).map_err(reason)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_bound_and_not_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 6), Ok(b"12345".to_vec()));
        assert_eq!(read(&path, 5), Ok(b"12345".to_vec()));
        assert_eq!(read(&path, 4), Err("the file has more than the 4 bytes allowed".to_owned()));
        assert_eq!(read(&path, 1), Err("the file has more than the 1 bytes allowed".to_owned()));
    }

    #[test]
    fn what_is_there_and_is_no_file_is_not_called_missing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::os::unix::fs::symlink("nowhere", at("link")).unwrap();
        let why = ["file", "none", "folder", "link", "file/below"].map(|name| unfit(&at(name)).unwrap_or_default());
        let wanted = ["", "is missing", "cannot be read: it is not a regular file", "is a link that leads nowhere"];
        assert_eq!(why[..4], wanted);
        assert!(why[4].starts_with("cannot be read: Not a directory"), "{}", why[4]);
    }
}
