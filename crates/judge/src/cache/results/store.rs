//! Stores pages in a folder, and limits the folder's size.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::page::File;
use crate::cache::build_cache::home;

/// Maximum size of the store, in bytes. The least recently used pages are removed first.
const MOST_BYTES: u64 = 256 << 20;
const MOST_PAGES: usize = 1 << 13;

/// Maximum number of pages in the store for mutants.
const MOST_PAGES_OF_MUTANTS: usize = 1 << 16;

/// Number of added bytes after which the limits are checked before the end of a run.
const BYTES_BETWEEN: u64 = 16 << 20;

/// A folder of results.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    most_bytes: u64,
    most_pages: usize,
    is_of_mutants: bool,
    /// Number of bytes that were added since the limits were last checked.
    added_bytes: AtomicU64,
    /// The first error in writing a result.
    trouble: OnceLock<String>,
}

struct Entry {
    path: PathBuf,
    used: SystemTime,
    bytes: u64,
}

impl Store {
    /// Opens the store in `folder`, which is made if it does not exist.
    pub(crate) fn open(folder: PathBuf) -> Result<Store, String> {
        home::make_own(&folder)?;
        let (added_bytes, trouble) = (AtomicU64::new(0), OnceLock::new());
        Ok(Store { folder, most_bytes: MOST_BYTES, most_pages: MOST_PAGES, is_of_mutants: false, added_bytes, trouble })
    }

    /// Opens the store for mutants.
    pub(crate) fn of_mutants(folder: PathBuf) -> Result<Store, String> {
        Ok(Store { most_pages: MOST_PAGES_OF_MUTANTS, is_of_mutants: true, ..Store::open(folder)? })
    }

    /// Whether this is the store for mutants.
    pub(super) fn is_of_mutants(&self) -> bool {
        self.is_of_mutants
    }

    /// Returns the first error in writing a result; `None` if there was none.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.get().cloned()
    }

    pub(super) fn page(&self, key: &blake3::Hash) -> File {
        File::open(self.folder.join(key.to_hex().as_str()), *key)
    }

    pub(super) fn keep(&self, page: &File, key: &blake3::Hash, kept: &[u8]) {
        match page.add(key, kept) {
            Ok(bytes) => {
                if self.added_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > BYTES_BETWEEN {
                    self.keep_within_bounds_if_it_grew();
                }
            }
            Err(error) => {
                let _ = self.trouble.set(format!("{}: {error}", self.folder.display()));
            }
        }
    }

    pub(super) fn keep_within_bounds_if_it_grew(&self) {
        if self.added_bytes.swap(0, Ordering::Relaxed) > 0 {
            self.keep_within_bounds();
        }
    }

    /// Removes the least recently used pages until the rest is within the limits. A judge that has a page open can
    /// still use it.
    fn keep_within_bounds(&self) {
        let mut entries = entries(&self.folder).unwrap_or_default();
        entries.sort_by_key(|entry| entry.used);
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut pages = entries.len();
        for entry in entries {
            if bytes <= self.most_bytes && pages <= self.most_pages {
                return;
            }
            let _ = fs::remove_file(entry.path);
            bytes -= entry.bytes;
            pages -= 1;
        }
    }
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
    pub(super) fn with_bounds(folder: PathBuf, most_bytes: u64, most_pages: usize) -> Store {
        Store { most_bytes, most_pages, ..Store::open(folder).unwrap() }
    }
}
