//! What compilers have made before: kept in a folder of the user's, by everything that it was made of.
//!
//! An entry is a folder `<key>/` with the folder `files/`, which is what the compiler left, and the file `digest`,
//! which tells whether that is whole. It is made under another name and renamed, so that several judges may share the
//! cache: whoever finds an entry finds all of it. What comes out of the cache is copied first and checked then; what is
//! not whole is thrown away, and compiled again. The time at which `digest` was written last is when the entry was last
//! used.
//!
//! Nothing here is ever an error: without a cache, or with a broken one, programs are compiled.

mod bound;
pub(super) mod contents;
pub(super) mod home;
pub(super) mod key;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::copy::{self, CopyError, Purpose};
use super::results::Store;
use contents::Digest;
pub(super) use key::Key;

/// What is kept at most; what was used longest ago goes first.
const MOST_BYTES: u64 = 1 << 30;
const MOST_ENTRIES: usize = 1 << 12;

/// Beginnings of the names of folders that are no entries yet, or no more.
const TEMPORARY: &str = ".new-";

/// A folder of what compilers have made.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    most_bytes: u64,
    most_entries: usize,
    /// Whether nobody asks for what is made a second time.
    keeps_nothing: bool,
    /// What was judged before, or why that is not known.
    results: Result<Store, String>,
}

impl Cache {
    /// The user's, or why there is none.
    pub fn of_user() -> Result<Cache, String> {
        let caches = home::of_user()?;
        let results = Store::open(caches.join("results"));
        Ok(Cache { results, ..Cache::open(caches.join("builds"))? })
    }

    /// The user's for programs that nobody hands in: results of thousands of them are kept, and no programs.
    pub fn of_mutants() -> Result<Cache, String> {
        let caches = home::of_user()?;
        let results = Store::of_mutants(caches.join("mutants"));
        Ok(Cache { results, keeps_nothing: true, ..Cache::open(caches.join("builds"))? })
    }

    /// The cache in `folder`, which is made if it is not there. It is one of products alone.
    fn open(folder: PathBuf) -> Result<Cache, String> {
        home::make_own(&folder)?;
        let results = Err("nobody asked for it".to_owned());
        Ok(Cache { folder, most_bytes: MOST_BYTES, most_entries: MOST_ENTRIES, keeps_nothing: false, results })
    }

    /// Where results are kept.
    pub(super) fn results(&self) -> Option<&Store> {
        self.results.as_ref().ok()
    }

    /// Why results are not kept, or could not be, if so.
    pub fn trouble_with_results(&self) -> Option<String> {
        match &self.results {
            Ok(store) => store.trouble(),
            Err(reason) => Some(reason.clone()),
        }
    }

    fn restore(&self, key: &Key, to: &Path) -> Option<()> {
        let entry = self.folder.join(key.name());
        let kept = Digest::read(&entry.join("digest"))?;
        let beside = tempfile::tempdir_in(to.parent()?).ok()?;
        let files = beside.path().join("files");
        let copied = copy::copy(&entry.join("files"), &files, self.most_bytes, Purpose::Compiled).is_ok();
        if !copied || Digest::of(&files).ok()? != kept {
            self.throw_away(&entry);
            return None;
        }
        // The sources go, as they do when a compiler has made this.
        fs::remove_dir_all(to).and_then(|()| fs::rename(&files, to)).ok()?;
        let _ = File::options()
            .append(true)
            .open(entry.join("digest"))
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(())
    }

    fn keep(&self, key: &Key, from: &Path) -> io::Result<()> {
        let new = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(&self.folder)?;
        let files = new.path().join("files");
        copy::copy(from, &files, self.most_bytes, Purpose::Compiled).map_err(|error| match error {
            CopyError::Unfit(reason) => io::Error::other(reason),
            CopyError::System(error) => error,
        })?;
        Digest::of(&files)?.write(&new.path().join("digest"))?;
        // Where another judge was faster, its entry is as good.
        fs::rename(new.path(), self.folder.join(key.name()))?;
        self.keep_within_bounds();
        Ok(())
    }

    /// Under another name first, so that nobody finds half an entry.
    fn throw_away(&self, entry: &Path) {
        let old = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(&self.folder);
        let _ = old.and_then(|old| fs::rename(entry, old.path().join("old")));
    }
}

impl Cache {
    /// Puts what was made before into the place of the sources in `folder`. Whether there was anything.
    pub(super) fn restore_to(&self, key: &Key, folder: &Path) -> bool {
        !self.keeps_nothing && self.restore(key, folder).is_some()
    }

    /// Keeps what was made in `folder`.
    pub(super) fn keep_of(&self, key: &Key, folder: &Path) {
        if !self.keeps_nothing {
            let _ = self.keep(key, folder);
        }
    }
}

#[cfg(test)]
mod tests;
