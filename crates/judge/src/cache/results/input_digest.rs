//! Hashes the files that programs read, and checks later whether they are unchanged.

use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blake3::Hasher;
use walkdir::WalkDir;

use referee_files::regular::{self, Stoppable};

/// The key of a test case's result within the results of a program, and the files that were hashed for it.
pub(super) struct CaseKey {
    pub(super) hash: blake3::Hash,
    pub(super) files: Vec<HashedFile>,
}

impl CaseKey {
    /// Whether no file has changed since it was hashed.
    pub(super) fn is_unchanged(&self) -> bool {
        self.files.iter().all(HashedFile::is_unchanged)
    }
}

/// A file that was hashed.
#[derive(Debug)]
pub(super) struct HashedFile {
    /// The role of the file, such as `input` or `file NAME`.
    pub(super) name: String,
    pub(super) hash: blake3::Hash,
    path: PathBuf,
    stamp: Stamp,
    hashed: SystemTime,
}

/// Maximum number of files that a test case may put beside the program. With more files, results are not cached.
const MOST_FILES: usize = 1 << 12;

/// Maximum size of a file that is hashed, in bytes. A larger file is not copied for a program.
const MOST_BYTES: u64 = 1 << 30;

/// Upper bound of one tick of a file system's clock. If a file changes twice within one tick, only its bytes show the
/// second change.
const TICK: Duration = Duration::from_secs(3);

/// Metadata that changes whenever a file's contents change, except at the second of two changes within one tick. A
/// file's owner can set `modified` back, but not `changed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    is_program: bool,
}

impl Stamp {
    fn of(found: &Metadata) -> Stamp {
        Stamp {
            file: (found.dev(), found.ino()),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
            is_program: found.permissions().mode() & 0o111 != 0,
        }
    }

    /// Whether the file was changed so shortly before `time` that another change might leave the metadata equal.
    fn is_fresh(&self, time: SystemTime) -> bool {
        let seconds = self.changed.0.max(self.modified.0);
        let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
        time.duration_since(changed).map_or(true, |age| age < TICK)
    }
}

impl HashedFile {
    /// Hashes a file. Returns `None` if `path` is not a regular file, if the file is too large or changes while it is
    /// hashed, or if the user interrupts the judge.
    pub(super) fn file(path: &Path, name: &str) -> Option<HashedFile> {
        let hashed = SystemTime::now();
        let file = regular::open(path).ok()?;
        let stamp = Stamp::of(&file.metadata().ok()?);
        if stamp.bytes > MOST_BYTES {
            return None;
        }
        let mut hasher = Hasher::new();
        hasher.update(&[u8::from(stamp.is_program)]);
        hasher.update_reader(Stoppable(&file)).ok()?;
        let after = Stamp::of(&file.metadata().ok()?);
        let hash = hasher.finalize();
        (after == stamp).then(|| HashedFile { name: name.to_owned(), hash, path: path.to_path_buf(), stamp, hashed })
    }

    /// Hashes all files below a folder. Links are followed, because the program gets copies of the files that they lead
    /// to. Returns `None` if a file cannot be hashed, or if there are too many.
    pub(super) fn folder(folder: &Path) -> Option<Vec<HashedFile>> {
        let mut files = Vec::new();
        for entry in WalkDir::new(folder).min_depth(1).follow_links(true).sort_by_file_name() {
            let entry = entry.ok().filter(|_| files.len() < MOST_FILES)?;
            if entry.file_type().is_file() {
                // A file whose name is not UTF-8 cannot be copied for the program, so the folder has no digest.
                let below = entry.path().strip_prefix(folder).ok()?.to_str()?;
                files.push(HashedFile::file(entry.path(), &format!("file {below}"))?);
            }
        }
        Some(files)
    }

    fn is_unchanged(&self) -> bool {
        let Ok(found) = self.path.metadata() else { return false };
        if Stamp::of(&found) != self.stamp {
            return false;
        }
        !self.stamp.is_fresh(self.hashed)
            || HashedFile::file(&self.path, "").is_some_and(|again| again.hash == self.hash)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_that_was_changed_since_it_was_hashed_is_noticed_whatever_its_time_says() {
        let (_folder, path) = file("one");
        let time = path.metadata().unwrap().modified().unwrap();
        let hashed = HashedFile::file(&path, "input").unwrap();
        assert!(hashed.is_unchanged());
        fs::write(&path, "two").unwrap();
        File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        assert!(!hashed.is_unchanged());
        // This simulates a second change within one clock tick: the metadata is equal, and only the bytes differ.
        let stamp = Stamp::of(&path.metadata().unwrap());
        assert!(!HashedFile { stamp, ..hashed }.is_unchanged());
    }

    #[test]
    fn what_is_no_file_is_not_hashed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(HashedFile::file(folder.path(), "").is_none());
        assert!(HashedFile::file(Path::new("/dev/zero"), "").is_none());
        assert!(HashedFile::file(&folder.path().join("nowhere"), "").is_none());
    }
}
