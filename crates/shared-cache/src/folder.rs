//! Entries in a folder, which may lie on a network drive.
//!
//! NFS offers less than a local file system, and this module needs little: names that only one machine can create
//! (`O_EXCL`), and a rename that replaces a file. It makes no links, no locks and no files without a name. Two details
//! matter:
//!
//! - A machine may keep written bytes to itself until the file is closed, and reports a full disk only then. So an entry
//!   is written out before it gets its name.
//! - If another machine replaces or removes a file that this machine reads, the server forgets the old file, and reading
//!   fails with `ESTALE`. The path then leads to the new file, or to none.
//! - If several machines replace one file at the same time, or read it meanwhile, a rename can fail with `ETXTBSY`,
//!   `EBUSY`, `ESTALE` or `ENOENT`. A later attempt succeeds.
//! - If the answer to a rename is lost, a client of NFS 3 repeats the request. The server has already renamed the file,
//!   and answers `ENOENT`.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use referee_files::regular;

use crate::{Name, OpenError};

/// Prefix of the names of files that are being written.
const UNFINISHED: &str = ".new-";

/// Age of a file that is being written, after which its writer is no longer running.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum number of attempts to read or write an entry that other machines replace at the same time, and the pause
/// after the first attempt. Each further pause is twice as long.
const ATTEMPTS: u32 = 7;
const FIRST_PAUSE: Duration = Duration::from_millis(1);

/// A folder with the entries. An entry is the file `<first two digits>/<all digits>`.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// The mode of the folder. New folders and entries have the same rights, whatever the umask of the judge is: its
    /// owner thereby decides which users may read and write.
    mode: u32,
}

impl Folder {
    /// Opens a folder, which must exist: a misspelt path would otherwise become an empty cache.
    pub(crate) fn open(path: &Path) -> Result<Folder, OpenError> {
        match path.metadata() {
            Ok(found) if found.is_dir() => {
                Ok(Folder { path: path.to_owned(), mode: found.permissions().mode() & 0o7777 })
            }
            _ => Err(OpenError::NoFolder(path.to_owned())),
        }
    }

    fn file(&self, name: &Name) -> PathBuf {
        let digits = name.digits();
        self.path.join(&digits[..2]).join(digits)
    }

    /// Reads an entry; `None` if there is none.
    pub(crate) fn get(&self, name: &Name, most: u64) -> io::Result<Option<Vec<u8>>> {
        let path = self.file(name);
        match retried(|| regular::read(&path, most), &[ErrorKind::StaleNetworkFileHandle]) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::StaleNetworkFileHandle) => Ok(None),
            Err(error) => Err(with_path(&path, &error)),
        }
    }

    /// Writes an entry under another name, and then renames it. So no machine reads half an entry.
    pub(crate) fn put(&self, name: &Name, bytes: &[u8]) -> io::Result<()> {
        let path = self.file(name);
        let folder = path.parent().unwrap_or(&self.path);
        let write = || {
            match fs::create_dir(folder) {
                Ok(()) => fs::set_permissions(folder, Permissions::from_mode(self.mode))?,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
            file.as_file().set_permissions(Permissions::from_mode(self.mode & 0o666))?;
            file.write_all(bytes)?;
            file.as_file().sync_data()?;
            // The file is closed without being removed, because the retries need only its path.
            let new = file.into_temp_path();
            retried(|| fs::rename(&new, &path), REPLACED_MEANWHILE)?;
            let _ = new.keep();
            Ok(())
        };
        match write() {
            Err(error) if is_written_anyway(error.kind(), &path) => Ok(()),
            Err(error) => Err(with_path(&path, &error)),
            Ok(()) => {
                remove_stale(folder);
                Ok(())
            }
        }
    }
}

/// Errors of a rename while other machines replace the same entry.
const REPLACED_MEANWHILE: &[ErrorKind] =
    &[ErrorKind::ExecutableFileBusy, ErrorKind::ResourceBusy, ErrorKind::StaleNetworkFileHandle, ErrorKind::NotFound];

/// Whether the entry at `path` is there although a rename has failed with this error: other machines have written it, or
/// the server has renamed it. If the entry is missing, a user may have removed a folder.
fn is_written_anyway(kind: ErrorKind, path: &Path) -> bool {
    if kind == ErrorKind::NotFound { path.is_file() } else { REPLACED_MEANWHILE.contains(&kind) }
}

/// Tries again, after a pause, while the attempt fails with one of these errors.
fn retried<T>(mut attempt: impl FnMut() -> io::Result<T>, errors: &[ErrorKind]) -> io::Result<T> {
    let mut pause = FIRST_PAUSE;
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if errors.contains(&error.kind()) => thread::sleep(pause),
            other => return other,
        }
        pause *= 2;
    }
    attempt()
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The numbers of errors on Linux.
    const ENOENT: i32 = 2;
    const EBUSY: i32 = 16;
    const ETXTBSY: i32 = 26;
    const ENOSPC: i32 = 28;
    const ESTALE: i32 = 116;

    #[test]
    fn entries_have_the_rights_of_the_folder() {
        for (mode, of_entries) in [(0o700, 0o600), (0o755, 0o644), (0o2775, 0o664), (0o777, 0o666)] {
            let root = tempfile::tempdir().unwrap();
            fs::set_permissions(root.path(), Permissions::from_mode(mode)).unwrap();
            let folder = Folder::open(root.path()).unwrap();
            let name = Name::of("results", b"a key");
            folder.put(&name, b"contents").unwrap();
            let file = folder.file(&name);
            let mode_of = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            assert_eq!((mode_of(file.parent().unwrap()), mode_of(&file)), (mode, of_entries));
        }
    }

    #[test]
    fn what_other_machines_hinder_is_tried_again_and_other_errors_are_told() {
        let attempts = Cell::new(0);
        let failing = |failures: u32, error: i32, last: fn() -> io::Result<u8>| {
            attempts.set(0);
            let attempt = || {
                attempts.set(attempts.get() + 1);
                if attempts.get() <= failures { Err(io::Error::from_raw_os_error(error)) } else { last() }
            };
            retried(attempt, REPLACED_MEANWHILE)
        };
        for error in [ESTALE, ETXTBSY, EBUSY, ENOENT] {
            assert_eq!(failing(ATTEMPTS - 1, error, || Ok(7)).unwrap(), 7);
            assert_eq!(failing(u32::MAX, error, || Ok(7)).unwrap_err().raw_os_error(), Some(error));
            assert_eq!(attempts.get(), ATTEMPTS);
        }
        assert_eq!(failing(1, ENOSPC, || Ok(7)).unwrap_err().raw_os_error(), Some(ENOSPC));
        assert_eq!(attempts.get(), 1);
        let folder = tempfile::tempdir().unwrap();
        let (there, missing) = (folder.path().join("there"), folder.path().join("missing"));
        fs::write(&there, "").unwrap();
        let is_written = |error, path: &Path| is_written_anyway(io::Error::from_raw_os_error(error).kind(), path);
        assert!(is_written(ETXTBSY, &missing) && is_written(ENOENT, &there));
        assert!(!is_written(ENOENT, &missing) && !is_written(ENOSPC, &there));
    }
}
