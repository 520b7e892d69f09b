//! Unpacks a bundled package, because the judge reads packages from folders.
//!
//! The folder `packages` in the user's cache keeps the unpacked packages for later runs: `packages/<digest>/<name>`,
//! where the digest covers the files of all bundled packages. An entry is unpacked under another name and then renamed,
//! so that no run sees half an entry. Each run checks the entry, and unpacks it again if something has changed it. A run
//! that cannot use the cache unpacks the package into a temporary folder.

use std::fs::{self, File, FileTimes};
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use include_dir::Dir;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use tempfile::TempDir;

use referee_files::{cache_folder, temporary, trusted};

use super::bundled;

/// Digest of the files of all bundled packages (build.rs).
const DIGEST: &str = env!("REFEREE_CASES");

/// Modification time of all unpacked files and folders, in seconds since 1970. If a user changes an unpacked file, or
/// adds or removes one, the time of the file or of its folder changes.
const MODIFIED: Duration = Duration::from_secs(1_000_000_000);

/// A bundled package in a folder.
#[derive(Debug)]
pub struct Unpacked {
    path: PathBuf,
    /// The folder that is removed when this value is dropped; `None` if the package stays in the cache.
    _temporary: Option<TempDir>,
}

impl Unpacked {
    /// Returns the package's folder.
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

/// Returns the bundled package `name` in a folder; `None` if there is none. Fails if the files cannot be written.
pub fn unpack(name: &str) -> io::Result<Option<Unpacked>> {
    let Some(package) = bundled::files(name) else {
        return Ok(None);
    };
    let cache = cache_folder::of_user().ok().map(|caches| caches.join("packages"));
    if let Some(path) = cache.and_then(|cache| in_cache(package, &cache)) {
        return Ok(Some(Unpacked { path, _temporary: None }));
    }
    let folder = temporary::folder("package").map_err(temporary::without_name)?;
    extract(package, folder.path())?;
    Ok(Some(Unpacked { path: folder.path().join(name), _temporary: Some(folder) }))
}

/// Returns the folder of a package in the cache. Unpacks the package if it is not there, or if something has changed it
/// there. Returns `None` if the cache cannot be used.
fn in_cache(package: &Dir<'_>, cache: &Path) -> Option<PathBuf> {
    let packages = cache_folder::make_own(&cache.join(DIGEST)).ok()?;
    let is_usable = is_unchanged(package, &packages)
        || (unpack_again(package, &packages).is_some() && is_unchanged(package, &packages));
    is_usable.then(|| packages.join(package.path()))
}

/// Unpacks a package into `packages`, in the place of a damaged one. Returns `None` if that is not possible, or if
/// another run does the same at the moment.
fn unpack_again(package: &Dir<'_>, packages: &Path) -> Option<()> {
    // Without the lock, this run could remove a package that another run has just unpacked and reads.
    let lock = File::open(packages).ok()?;
    rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).ok()?;
    if is_unchanged(package, packages) {
        return Some(());
    }
    remove_stale(packages);
    let unfinished = tempfile::Builder::new().prefix(&temporary::prefix("")).tempdir_in(packages).ok()?;
    extract(package, unfinished.path()).ok()?;
    // This fails on a file system that does not keep times or modes.
    is_unchanged(package, unfinished.path()).then_some(())?;
    let folder = packages.join(package.path());
    // The damaged package is removed together with the temporary folder.
    let _ = fs::rename(&folder, unfinished.path().join("damaged"));
    fs::rename(unfinished.path().join(package.path()), &folder).ok()
}

/// Removes the unfinished packages of runs that were killed.
fn remove_stale(packages: &Path) {
    let entries = fs::read_dir(packages).into_iter().flatten().filter_map(Result::ok);
    let stale = entries.filter(|entry| entry.file_name().to_str().is_some_and(temporary::is_stale));
    stale.for_each(|entry| drop(fs::remove_dir_all(entry.path())));
}

/// Returns whether the files and folders of a package in `packages` are as they were unpacked, and no other user could
/// have written them.
fn is_unchanged(package: &Dir<'_>, packages: &Path) -> bool {
    File::open(packages).is_ok_and(|packages| is_unchanged_in(&packages, package))
}

/// Checks one folder of a package like [`is_unchanged`]. `above` is the folder that contains it: a path that begins
/// there is short, so the kernel finds it quickly.
fn is_unchanged_in(above: &impl AsFd, dir: &Dir<'_>) -> bool {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Some(folder) =
        dir.path().file_name().and_then(|name| rustix::fs::openat(above, name, flags, Mode::empty()).ok())
    else {
        return false;
    };
    let is_same = |file: &include_dir::File<'_>| {
        let name = file.path().file_name().unwrap_or_default();
        rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|found| {
            is_as_unpacked(&found)
                && FileType::from_raw_mode(found.st_mode) == FileType::RegularFile
                && u64::try_from(found.st_size) == Ok(file.contents().len() as u64)
        })
    };
    rustix::fs::fstat(&folder).is_ok_and(|found| is_as_unpacked(&found))
        && dir.files().all(is_same)
        && dir.dirs().all(|below| is_unchanged_in(&folder, below))
}

/// Returns whether a file or folder has the time of an unpacked one, and no other user could have written it.
fn is_as_unpacked(found: &Stat) -> bool {
    trusted::check_owner_and_mode(found.st_uid, found.st_mode).is_ok()
        && u64::try_from(found.st_mtime) == Ok(MODIFIED.as_secs())
        && found.st_mtime_nsec == 0
}

/// Writes the files of a package below `to`.
fn extract(dir: &Dir<'_>, to: &Path) -> io::Result<()> {
    let folder = to.join(dir.path());
    fs::create_dir_all(&folder)?;
    for file in dir.files() {
        let path = to.join(file.path());
        fs::write(&path, file.contents())?;
        set_modified(&path)?;
    }
    dir.dirs().try_for_each(|below| extract(below, to))?;
    set_modified(&folder)
}

fn set_modified(path: &Path) -> io::Result<()> {
    File::open(path)?.set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + MODIFIED))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> &'static Dir<'static> {
        bundled::files("flipgame").unwrap()
    }

    #[test]
    fn a_package_is_unpacked_once_and_then_taken_from_the_cache() {
        let cache = tempfile::tempdir().unwrap();
        let folder = in_cache(package(), cache.path()).unwrap();
        let inode = |path: &Path| std::os::unix::fs::MetadataExt::ino(&path.metadata().unwrap());
        let first = inode(&folder.join("problem.yaml"));
        assert_eq!(in_cache(package(), cache.path()), Some(folder.clone()));
        assert_eq!(inode(&folder.join("problem.yaml")), first);
        assert_eq!(fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1, "nothing unfinished is left");
    }

    type Change = fn(&Path);

    const CHANGES: [Change; 9] = [
        |folder| {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
            fs::set_permissions(folder.join("data"), mode).unwrap();
        },
        |folder| fs::write(folder.join("problem.yaml"), "name: other\n").unwrap(),
        |folder| fs::write(folder.join("data/secret/new.in"), "").unwrap(),
        |folder| fs::remove_file(folder.join("problem.yaml")).unwrap(),
        |folder| fs::remove_dir_all(folder.join("submissions")).unwrap(),
        |folder| {
            fs::rename(folder.join("problem.yaml"), folder.join("old")).unwrap();
            std::os::unix::fs::symlink("old", folder.join("problem.yaml")).unwrap();
        },
        |folder| fs::rename(folder, folder.with_extension("moved")).unwrap(),
        |folder| {
            fs::rename(folder, folder.with_extension("moved")).unwrap();
            std::os::unix::fs::symlink("flipgame.moved", folder).unwrap();
        },
        |folder| {
            fs::remove_dir_all(folder).unwrap();
            fs::write(folder, "").unwrap();
        },
    ];

    #[test]
    fn a_changed_package_in_the_cache_is_unpacked_again() {
        for (number, change) in CHANGES.into_iter().enumerate() {
            let cache = tempfile::tempdir().unwrap();
            let folder = in_cache(package(), cache.path()).unwrap();
            change(&folder);
            assert!(!is_unchanged(package(), folder.parent().unwrap()), "change {number}");
            assert_eq!(in_cache(package(), cache.path()), Some(folder.clone()), "change {number}");
            assert!(!folder.is_symlink());
            let same = |name: &str| {
                fs::read(folder.join(name)).unwrap()
                    == package().get_file(format!("flipgame/{name}")).unwrap().contents()
            };
            assert!(same("problem.yaml") && !folder.join("data/secret/new.in").exists(), "change {number}");
            let names = fs::read_dir(folder.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
            assert!(!names.into_iter().any(|name| name.to_string_lossy().starts_with("referee-")), "nothing is left");
        }
    }

    #[test]
    fn a_damaged_package_is_not_used_while_another_run_unpacks_it() {
        let cache = tempfile::tempdir().unwrap();
        let folder = in_cache(package(), cache.path()).unwrap();
        let other = File::open(folder.parent().unwrap()).unwrap();
        rustix::fs::flock(&other, FlockOperation::LockExclusive).unwrap();
        assert_eq!(in_cache(package(), cache.path()), Some(folder.clone()));
        fs::remove_file(folder.join("problem.yaml")).unwrap();
        assert_eq!(in_cache(package(), cache.path()), None);
    }

    #[test]
    fn the_half_unpacked_package_of_a_killed_run_is_removed() {
        let cache = tempfile::tempdir().unwrap();
        let folder = in_cache(package(), cache.path()).unwrap();
        let packages = folder.parent().unwrap();
        let own = std::process::id();
        // No process has this number.
        let dead = temporary::prefix("").replace(&format!("-{own}-"), &format!("-{}-", i32::MAX));
        for (name, stays) in [(format!("{dead}x"), false), (format!("{}x", temporary::prefix("")), true)] {
            fs::create_dir_all(packages.join(&name).join("flipgame/data")).unwrap();
            fs::remove_file(folder.join("problem.yaml")).unwrap();
            in_cache(package(), cache.path()).unwrap();
            assert_eq!(packages.join(&name).exists(), stays, "{name}");
        }
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("packages"), "").unwrap();
        assert_eq!(in_cache(package(), &folder.path().join("packages")), None);
    }
}
