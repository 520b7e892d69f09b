//! Stores compiled programs in a folder of the user's cache. The key of an entry covers everything that the compiled
//! program depends on.
//!
//! An entry is a folder `<key>/`. It contains the folder `files/` with the compiled program, and the file `digest`,
//! which shows whether `files/` is complete. An entry is made under another name and then renamed, so that several
//! judges can share the cache and never see half an entry. Before a judge uses an entry, it copies the entry and checks
//! the copy. If the copy does not match the digest, or if another user could have written the entry, the judge removes
//! the entry and compiles again. The modification time of `digest` is the time of the last use.
//!
//! A missing or damaged cache is not an error: the judge then compiles.

mod bound;
pub(crate) mod contents;
pub(crate) mod key;
mod pack;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use referee_files::cache_folder;
use referee_files::trusted::{self, Refused};
use referee_shared_cache::{Name, SharedCache};
use walkdir::WalkDir;

use crate::cache::results::Store;
use crate::workspace::copy::{self, CopyError, Purpose};
use bound::Growth;
use contents::Digest;
pub(crate) use key::Key;

/// Maximum size of the cache, in bytes. The least recently used entries are removed first.
const MOST_BYTES: u64 = 1 << 30;
const MOST_ENTRIES: usize = 1 << 12;

/// Maximum size of the cache of precompiled headers and archives of compilers in bytes, and maximum number of entries,
/// each for one set of a compiler's options. For `<bits/stdc++.h>`, GCC 12 writes 127 MB and GCC 14 writes 176 MB.
const MOST_HEADER_BYTES: u64 = 600 << 20;
const MOST_HEADERS: usize = 8;

/// Prefix of the names of folders that are being written or removed.
const TEMPORARY: &str = ".new-";

/// The user's cache of compiled programs and of results.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    most_bytes: u64,
    most_entries: usize,
    growth: Growth,
    /// If true, compiled programs are neither read from the cache nor stored, because later runs will not need them.
    /// Results are cached in any case.
    skips_programs: bool,
    /// The cache of precompiled headers; `None` if it cannot be used.
    headers: Option<Box<Cache>>,
    /// The cache that other machines use, too; `None` if there is none.
    shared: Option<Arc<SharedCache>>,
    /// The store of results, or the reason why there is none.
    results: Result<Arc<Store>, Refused>,
}

impl Cache {
    /// Opens the user's cache. The error is the reason why there is no cache.
    pub fn of_user() -> Result<Cache, Refused> {
        Cache::of_user_with(None)
    }

    /// Opens the user's cache, and shares compiled programs and results with other machines.
    pub fn of_user_shared(shared: Arc<SharedCache>) -> Result<Cache, Refused> {
        Cache::of_user_with(Some(shared))
    }

    fn of_user_with(shared: Option<Arc<SharedCache>>) -> Result<Cache, Refused> {
        let caches = cache_folder::of_user()?;
        let share = |store: Store| match &shared {
            Some(shared) => store.shared_by(Arc::clone(shared)),
            None => store,
        };
        let results = Store::open(&caches.join("results")).map(|store| Arc::new(share(store)));
        let headers = Cache::of_headers(&caches);
        Ok(Cache { headers, shared, results, ..Cache::open(&caches.join("builds"))? })
    }

    /// Opens the user's cache for mutants. It stores the results of thousands of mutants, and no compiled programs.
    pub fn of_mutants() -> Result<Cache, Refused> {
        let caches = cache_folder::of_user()?;
        let results = Store::of_mutants(&caches.join("mutants")).map(Arc::new);
        let headers = Cache::of_headers(&caches);
        Ok(Cache { results, headers, skips_programs: true, ..Cache::open(&caches.join("builds"))? })
    }

    /// Opens the cache of compiled programs in `folder`, without results. The folder is made if it does not exist.
    fn open(folder: &Path) -> Result<Cache, Refused> {
        let folder = cache_folder::make_own(folder)?;
        let results = Err(Refused::Unusable("it was not requested".to_owned()));
        let (most_bytes, most_entries) = (MOST_BYTES, MOST_ENTRIES);
        let growth = Growth::default();
        Ok(Cache {
            folder,
            most_bytes,
            most_entries,
            growth,
            skips_programs: false,
            headers: None,
            shared: None,
            results,
        })
    }

    /// Opens the cache of precompiled headers among the user's caches; `None` if it cannot be used.
    fn of_headers(caches: &Path) -> Option<Box<Cache>> {
        let cache = Cache::open(&caches.join("headers")).ok()?;
        Some(Box::new(Cache { most_bytes: MOST_HEADER_BYTES, most_entries: MOST_HEADERS, ..cache }))
    }

    /// The cache of precompiled headers; `None` if it cannot be used.
    pub(crate) fn headers(&self) -> Option<&Cache> {
        self.headers.as_deref()
    }

    /// The store of results; `None` if it could not be opened.
    pub(crate) fn results(&self) -> Option<&Arc<Store>> {
        self.results.as_ref().ok()
    }

    /// Whether other machines use the cache, too.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Returns the reason why results are not stored, or why a result could not be written; `None` if there was no
    /// problem.
    pub fn trouble_with_results(&self) -> Option<String> {
        match &self.results {
            Ok(store) => store.first_error(),
            Err(reason) => Some(reason.to_string()),
        }
    }

    /// Returns the reason why results are not stored, if another user can change the folder; otherwise `None`.
    pub fn untrusted_results(&self) -> Option<String> {
        match &self.results {
            Err(Refused::Untrusted(reason)) => Some(reason.clone()),
            Ok(_) | Err(Refused::Unusable(_)) => None,
        }
    }

    fn restore(&self, key: &Key, to: &Path) -> Option<()> {
        let entry = self.folder.join(key.name());
        if entry.symlink_metadata().is_err() {
            return None;
        }
        // Another user may have made the entry at a time when the mode of the cache's folder allowed that.
        if check_tree(&entry).is_err() {
            self.remove_entry(&entry);
            return None;
        }
        let Some(kept) = Digest::read(&entry.join("digest")) else {
            self.remove_entry(&entry);
            return None;
        };
        let beside = tempfile::tempdir_in(to.parent()?).ok()?;
        let files = beside.path().join("files");
        let copied = copy::copy(&entry.join("files"), &files, self.most_bytes, Purpose::Compiled).is_ok();
        if !copied || Digest::of(&files).ok()? != kept {
            self.remove_entry(&entry);
            return None;
        }
        // The sources are removed, as they are after a compilation.
        fs::remove_dir_all(to).and_then(|()| fs::rename(&files, to)).ok()?;
        let _ = File::options()
            .append(true)
            .open(entry.join("digest"))
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(())
    }

    fn store_entry(&self, key: &Key, from: &Path) -> io::Result<()> {
        let new = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(&self.folder)?;
        let files = new.path().join("files");
        copy::copy(from, &files, self.most_bytes, Purpose::Compiled).map_err(|error| match error {
            CopyError::Unfit(reason) => io::Error::other(reason),
            CopyError::System(error) => error,
        })?;
        let digest = Digest::of(&files)?;
        digest.write(&new.path().join("digest"))?;
        // If another judge has stored this entry in the meantime, the rename fails, and the new copy is removed.
        fs::rename(new.path(), self.folder.join(key.name()))?;
        self.enforce_limits_if_grown(digest.bytes);
        Ok(())
    }

    /// Stores the entry of another machine here. Returns whether there was one.
    fn fetch(&self, key: &Key) -> bool {
        let packed = self.shared.as_ref().and_then(|shared| shared.get(&shared_name(key)));
        packed.is_some_and(|packed| self.store_packed(key, &packed).is_ok())
    }

    fn store_packed(&self, key: &Key, packed: &[u8]) -> io::Result<()> {
        let new = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(&self.folder)?;
        let files = new.path().join("files");
        pack::unpack(packed, &files)?;
        let digest = Digest::of(&files)?;
        digest.write(&new.path().join("digest"))?;
        fs::rename(new.path(), self.folder.join(key.name()))?;
        self.enforce_limits_if_grown(digest.bytes);
        Ok(())
    }

    /// Passes the entry with the contents of `folder` on to other machines.
    fn share(&self, key: &Key, folder: &Path) {
        if let Some(shared) = self.shared.as_ref().filter(|shared| shared.is_written())
            && let Ok(packed) = pack::pack(folder)
        {
            shared.put(&shared_name(key), &packed);
        }
    }

    /// Removes an entry. It is renamed first, so that no judge finds half of it.
    fn remove_entry(&self, entry: &Path) {
        let old = tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(&self.folder);
        let _ = old.and_then(|old| fs::rename(entry, old.path().join("old")));
    }
}

fn shared_name(key: &Key) -> Name {
    Name::of("builds", key.name().as_bytes())
}

/// Fails if another user could have written a file or folder in `folder`, or `folder` itself.
fn check_tree(folder: &Path) -> io::Result<()> {
    WalkDir::new(folder).into_iter().try_for_each(|entry| trusted::check_entry(&entry?.metadata()?))
}

impl Cache {
    /// Replaces the sources in `folder` with the entry of an earlier run. Returns whether there was an undamaged entry.
    pub(crate) fn restore_to(&self, key: &Key, folder: &Path) -> bool {
        let restore = || self.restore(key, folder).is_some();
        !self.skips_programs && (restore() || (self.fetch(key) && restore()))
    }

    /// Stores the contents of `folder` as an entry, unless the cache skips programs. Errors are ignored.
    pub(crate) fn store(&self, key: &Key, folder: &Path) {
        if !self.skips_programs {
            let _ = self.store_entry(key, folder);
            self.share(key, folder);
        }
    }
}

#[cfg(test)]
mod tests;
