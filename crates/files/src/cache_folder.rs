//! Finds the user's cache folder and checks that no other user can change it.

use std::path::{Path, PathBuf};

use crate::trusted::{self, Refused};

/// Returns the judge's folder in the user's cache folder. Fails if the environment names no cache folder. Also fails if
/// another user could replace temporary files, because temporary files become entries of the cache.
pub fn of_user() -> Result<PathBuf, Refused> {
    let temporary = crate::temporary::parent();
    trusted::check_shared(&absolute(temporary)).map_err(|refused| match refused {
        Refused::Untrusted(why) => Refused::Untrusted(format!(
            "{why}, so another user could change this run; set TMPDIR to a folder where no other user can replace your \
             files, such as /tmp"
        )),
        unusable @ Refused::Unusable(_) => unusable,
    })?;
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let none = "neither XDG_CACHE_HOME nor HOME is an absolute path; set one of them";
    Ok(caches.ok_or_else(|| Refused::Unusable(none.to_owned()))?.join("referee"))
}

/// Returns a path relative to the working directory as an absolute path.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Makes the folder if it does not exist, and returns its path without symbolic links. Fails if another user can change
/// or replace the folder, or if it is a symbolic link itself.
pub fn make_own(folder: &Path) -> Result<PathBuf, Refused> {
    if folder.is_symlink() {
        return Err(Refused::Unusable(format!(
            "{}: the cache must be a folder, not a symbolic link",
            folder.display()
        )));
    }
    trusted::own_folder(folder).map_err(|refused| match refused {
        Refused::Untrusted(why) => {
            Refused::Untrusted(format!("{why}; set XDG_CACHE_HOME to a folder that only you can change"))
        }
        unusable @ Refused::Unusable(_) => unusable,
    })
}
