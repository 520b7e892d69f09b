//! Stores files of results in a folder, and limits the folder's size.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use referee_files::cache_folder;
use referee_files::trusted::Refused;
use referee_shared_cache::{Name, SharedCache};

use super::record_file::RecordFile;

/// Maximum size of the store, in bytes. The least recently used files are removed first.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 1 << 13;

/// Maximum number of files in the store for mutants.
const MOST_FILES_OF_MUTANTS: usize = 1 << 16;

/// The limits are checked at the end of a run, and during the run whenever this number of bytes was added.
const BYTES_BETWEEN: u64 = 16 << 20;

/// A folder of results.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    most_bytes: u64,
    most_files: usize,
    is_of_mutants: bool,
    /// The cache that other machines use, too; `None` if there is none.
    shared: Option<Arc<SharedCache>>,
    /// Number of bytes that were added since the limits were last checked.
    added_bytes: AtomicU64,
    /// The first error in writing a result.
    first_error: OnceLock<String>,
}

struct Entry {
    path: PathBuf,
    used: SystemTime,
    bytes: u64,
}

impl Store {
    /// Opens the store in `folder`, which is made if it does not exist.
    pub(crate) fn open(folder: &Path) -> Result<Store, Refused> {
        let folder = cache_folder::make_own(folder)?;
        let (added_bytes, first_error) = (AtomicU64::new(0), OnceLock::new());
        Ok(Store {
            folder,
            most_bytes: MOST_BYTES,
            most_files: MOST_FILES,
            is_of_mutants: false,
            shared: None,
            added_bytes,
            first_error,
        })
    }

    /// Opens the store for mutants.
    pub(crate) fn of_mutants(folder: &Path) -> Result<Store, Refused> {
        Ok(Store { most_files: MOST_FILES_OF_MUTANTS, is_of_mutants: true, ..Store::open(folder)? })
    }

    /// Returns a store that also uses the results of other machines.
    #[must_use]
    pub(crate) fn shared_by(self, shared: Arc<SharedCache>) -> Store {
        Store { shared: Some(shared), ..self }
    }

    /// Whether this is the store for mutants.
    pub(super) fn is_of_mutants(&self) -> bool {
        self.is_of_mutants
    }

    /// Returns the first error in writing a result; `None` if there was none.
    pub(crate) fn first_error(&self) -> Option<String> {
        self.first_error.get().cloned()
    }

    /// Opens the file of results with this key. If it is empty, adds the results of other machines.
    pub(super) fn file(&self, key: &blake3::Hash) -> RecordFile {
        let file = self.local_file(key);
        if file.is_empty() { self.with_shared(file, key) } else { file }
    }

    /// Opens the file with this key without those of other machines.
    pub(super) fn local_file(&self, key: &blake3::Hash) -> RecordFile {
        RecordFile::open(self.folder.join(key.to_hex().as_str()), *key)
    }

    /// Adds the results of other machines to a file.
    pub(super) fn with_shared(&self, file: RecordFile, key: &blake3::Hash) -> RecordFile {
        match self.shared.as_ref().and_then(|shared| shared.get(&shared_name(key))) {
            Some(records) => file.import(&records),
            None => file,
        }
    }

    /// Passes the results of a file on to other machines, if this run has added some.
    pub(super) fn share(&self, file: &RecordFile, key: &blake3::Hash) {
        if let Some(shared) = self.shared.as_ref().filter(|shared| shared.is_written() && file.has_grown()) {
            shared.put(&shared_name(key), &file.export());
        }
    }

    /// Whether other machines use the results, too.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Adds a result to a file of the store. Only the first error is recorded.
    pub(super) fn add(&self, file: &RecordFile, key: &blake3::Hash, encoded: &[u8]) {
        match file.add(key, encoded) {
            Ok(bytes) => {
                if self.added_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > BYTES_BETWEEN {
                    self.enforce_limits_if_grown();
                }
            }
            Err(error) => {
                let _ = self.first_error.set(format!("{}: {error}", self.folder.display()));
            }
        }
    }

    pub(super) fn enforce_limits_if_grown(&self) {
        if self.added_bytes.swap(0, Ordering::Relaxed) > 0 {
            self.enforce_limits();
        }
    }

    /// Removes the least recently used files until the store is within its limits. A judge that has opened a removed
    /// file can still read and write it.
    fn enforce_limits(&self) {
        let mut entries = entries(&self.folder).unwrap_or_default();
        entries.sort_by_key(|entry| entry.used);
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut files = entries.len();
        for entry in entries {
            if bytes <= self.most_bytes && files <= self.most_files {
                return;
            }
            let _ = fs::remove_file(entry.path);
            bytes -= entry.bytes;
            files -= 1;
        }
    }
}

fn shared_name(key: &blake3::Hash) -> Name {
    Name::of("results", key.as_bytes())
}

fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let entry = |entry: fs::DirEntry| {
        let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let used = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Entry { path: entry.path(), used, bytes: found.len() })
    };
    Ok(fs::read_dir(folder)?.filter_map(Result::ok).filter_map(entry).collect())
}

#[cfg(test)]
impl Store {
    pub(super) fn with_bounds(folder: &Path, most_bytes: u64, most_files: usize) -> Store {
        Store { most_bytes, most_files, ..Store::open(folder).unwrap() }
    }
}
