//! Finds the user's cache folder and checks that no other user can write to it.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Returns the judge's folder in the user's cache folder. Fails if the environment names no cache folder.
pub(super) fn of_user() -> Result<PathBuf, String> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Ok(caches.ok_or("neither XDG_CACHE_HOME nor HOME is an absolute path; set one of them")?.join("referee"))
}

/// Makes the folder if it does not exist. Fails if it belongs to another user, or if another user can write to it.
pub(crate) fn make_own(folder: &Path) -> Result<(), String> {
    let refused = |why: String| format!("{}: {why}", folder.display());
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| refused(error.to_string()))?;
    let found = folder.symlink_metadata().map_err(|error| refused(error.to_string()))?;
    // With write access to the cache, another user could replace the compiled programs in it.
    let why = if !found.is_dir() {
        "the cache must be a folder, not a link or a file"
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "the folder belongs to another user; set XDG_CACHE_HOME to a folder that belongs to you"
    } else if found.permissions().mode() & 0o022 != 0 {
        "other users can write to the folder; run chmod go-w on the folder"
    } else {
        return Ok(());
    };
    Err(refused(why.to_owned()))
}
