//! Entries in a folder.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use referee_files::regular;

use crate::{Name, OpenError};

/// Prefix of the names of files that are being written.
const UNFINISHED: &str = ".new-";

/// Age of a file that is being written, after which its writer is no longer running.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder with the entries. An entry is the file `<first two digits>/<all digits>`.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder, which must exist: a misspelt path would otherwise become an empty cache.
    pub(crate) fn open(path: &Path) -> Result<Folder, OpenError> {
        if path.is_dir() { Ok(Folder(path.to_path_buf())) } else { Err(OpenError::NoFolder(path.to_path_buf())) }
    }

    fn file(&self, name: &Name) -> PathBuf {
        let digits = name.digits();
        self.0.join(&digits[..2]).join(digits)
    }

    /// Reads an entry; `None` if there is none.
    pub(crate) fn get(&self, name: &Name, most: u64) -> io::Result<Option<Vec<u8>>> {
        let path = self.file(name);
        match regular::read(&path, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(with_path(&path, &error)),
        }
    }

    /// Writes an entry under another name, and then renames it. So no machine reads half an entry.
    pub(crate) fn put(&self, name: &Name, bytes: &[u8]) -> io::Result<()> {
        let path = self.file(name);
        let folder = path.parent().unwrap_or(&self.0);
        let write = || {
            // The mode of new files and folders follows from the user's umask, so that others can read the entries if
            // the users want that.
            match fs::create_dir(folder) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            let permissions = Permissions::from_mode(0o666);
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).permissions(permissions).tempfile_in(folder)?;
            file.write_all(bytes)?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(|error| with_path(&path, &error))?;
        remove_stale(folder);
        Ok(())
    }
}

/// Removes what killed writers have left.
fn remove_stale(folder: &Path) {
    let is_stale = |entry: &fs::DirEntry| {
        let is_unfinished = entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes());
        let modified = || entry.metadata().and_then(|found| found.modified()).ok();
        is_unfinished
            && modified().is_some_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > STALE))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.filter(is_stale).for_each(|entry| drop(fs::remove_file(entry.path())));
}

fn with_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
