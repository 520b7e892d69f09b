//! What compilers have made before: kept in a folder of the user's, by everything that it was made of.
//!
//! An entry is a folder `<key>/` with the folder `files/`, which is what the compiler left, and the file `digest`, which
//! tells whether that is whole. It is made under another name and renamed, so that several judges may share the cache:
//! whoever finds an entry finds all of it. What comes out of the cache is copied first and checked then; what is not
//! whole is thrown away, and compiled again. The time at which `digest` was written last is when the entry was last used.
//!
//! Nothing here is ever an error: without a cache, or with a broken one, programs are compiled.

mod bound;
mod contents;
mod key;

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Settings;
use super::copy::{self, CopyError, Purpose};
use super::ready::Site;
use crate::language::{Language, Parts};
use contents::Digest;
use key::Key;

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
}

impl Cache {
    /// The user's, or why there is none.
    pub fn of_user() -> Result<Cache, String> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        let caches = caches.ok_or("neither XDG_CACHE_HOME nor HOME names a folder")?;
        Cache::open(caches.join("referee").join("builds"))
    }

    /// The cache in `folder`, which is made if it is not there.
    fn open(folder: PathBuf) -> Result<Cache, String> {
        let refused = |why: String| format!("{}: {why}", folder.display());
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|error| refused(error.to_string()))?;
        let found = folder.symlink_metadata().map_err(|error| refused(error.to_string()))?;
        // What others can write, others can make the program of a third.
        let is_own = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
        if !is_own || found.permissions().mode() & 0o022 != 0 {
            return Err(refused(
                "it is not a folder that belongs to this user, and that no other may write".to_owned(),
            ));
        }
        Ok(Cache { folder, most_bytes: MOST_BYTES, most_entries: MOST_ENTRIES })
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

/// The place in the cache of one program.
pub(super) struct Slot<'a> {
    cache: &'a Cache,
    key: Key,
}

/// The place of what compiling the sources in `parts.folder` makes; `None` where it would not be kept.
pub(super) fn slot<'a>(
    language: &Language,
    parts: &Parts<'_>,
    settings: &'a Settings,
    site: Site<'_>,
) -> Option<Slot<'a>> {
    let cache = settings.cache.as_deref()?;
    Some(Slot { cache, key: Key::of(language, parts, settings, site)? })
}

impl Slot<'_> {
    /// Puts what was made before into the place of the sources in `folder`. Whether there was anything.
    pub(super) fn restore(&self, folder: &Path) -> bool {
        self.cache.restore(&self.key, folder).is_some()
    }

    /// Keeps what was made in `folder`.
    pub(super) fn keep(&self, folder: &Path) {
        let _ = self.cache.keep(&self.key, folder);
    }
}

#[cfg(test)]
mod tests;
