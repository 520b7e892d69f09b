//! Makes temporary folders, and removes them with all files that programs wrote into them.
//!
//! A program can make a tree thousands of folders deep, or folders that cannot be read. So the removal uses no long
//! paths and no recursion: it moves each inner folder directly into the outermost folder, and empties it there.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use tempfile::TempDir;

/// A temporary folder, which is removed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The folder that [`Folder::path`] returns: `removed` itself, or the folder that [`Folder::below`] made in it.
    path: PathBuf,
    /// The temporary folder. It is removed with its contents when this value is dropped.
    removed: PathBuf,
}

impl Folder {
    /// Makes a new folder with a unique name in `above`.
    pub(crate) fn new_in(above: &Path, prefix: &str, mode: u32) -> io::Result<Folder> {
        let made = tempfile::Builder::new().prefix(prefix).tempdir_in(above)?;
        let path = TempDir::keep(made);
        let folder = Folder { removed: path.clone(), path };
        fs::set_permissions(folder.path(), Permissions::from_mode(mode))?;
        Ok(folder)
    }

    /// Makes the folder `name` in this folder. Returns a value for the new folder. Dropping that value removes both
    /// folders.
    pub(crate) fn below(mut self, name: &OsStr, mode: u32) -> io::Result<Folder> {
        let path = self.path.join(name);
        fs::create_dir(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(mode))?;
        self.path = path;
        Ok(self)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A destructor has no way to report that the folder cannot be removed.
        let _ = remove_tree(&self.removed);
    }
}

/// Returns a path that leads to `folder`. The path works even if the folder is in a program's private file system, to
/// which no other path leads. The kernel resolves it to the open folder itself, so no program can redirect the path.
pub(crate) fn path_of(folder: impl AsFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", folder.as_fd().as_raw_fd()))
}

/// Removes a folder and its contents.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    let top = open(CWD, path)?;
    let mut moved = 0;
    loop {
        let entries = entries(&top)?;
        if entries.is_empty() {
            break;
        }
        for (name, is_folder) in entries {
            if is_folder {
                let below = open(&top, name.as_path())?;
                empty(&below, &top, &mut moved)?;
                rustix::fs::unlinkat(&top, name.as_path(), AtFlags::REMOVEDIR)?;
            } else {
                rustix::fs::unlinkat(&top, name.as_path(), AtFlags::empty())?;
            }
        }
    }
    fs::remove_dir(path)
}

/// Removes the files of a folder and moves its subfolders into the folder `top`. `moved` counts the moved folders.
fn empty(folder: &OwnedFd, top: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    for (name, is_folder) in entries(folder)? {
        if !is_folder {
            rustix::fs::unlinkat(folder, name.as_path(), AtFlags::empty())?;
            continue;
        }
        // `open` makes the folder writable. Only a writable folder can be moved, because the move changes its entry
        // `..`.
        open(folder, name.as_path())?;
        loop {
            *moved += 1;
            let to = PathBuf::from(format!("removed-{moved}"));
            match rustix::fs::renameat_with(folder, name.as_path(), top, &to, rustix::fs::RenameFlags::NOREPLACE) {
                Err(rustix::io::Errno::EXIST) => {}
                result => break result?,
            }
        }
    }
    Ok(())
}

/// Opens a folder, after giving its owner the permissions to read and change it. A link is not followed.
fn open(above: impl AsFd, name: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // If `name` is not a folder, opening it fails below, and changing its mode would be useless.
    let is_folder = rustix::fs::statat(&above, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory);
    if is_folder {
        // Root needs no modes, and may not be allowed to change them.
        let _ = rustix::fs::chmodat(&above, name, Mode::RWXU, AtFlags::empty());
    }
    Ok(rustix::fs::openat(above, name, flags, Mode::empty())?)
}

/// Returns the names of a folder's entries, and whether each is a folder.
fn entries(folder: &OwnedFd) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        let is_folder = match entry.file_type() {
            FileType::Unknown => {
                let found = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(found.st_mode) == FileType::Directory
            }
            known => known == FileType::Directory,
        };
        found.push((PathBuf::from(OsStr::from_bytes(name.to_bytes())), is_folder));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_is_deeper_than_any_path_is_removed() {
        let above = tempfile::tempdir().unwrap();
        let folder = Folder::new_in(above.path(), "deep-", 0o755).unwrap();
        let mut below = open(CWD, folder.path()).unwrap();
        for _ in 0..20_000 {
            rustix::fs::mkdirat(&below, "a", Mode::RWXU).unwrap();
            below = rustix::fs::openat(&below, "a", OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        rustix::fs::mkdirat(&below, "removed-1", Mode::RWXU).unwrap();
        drop(folder);
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 0);
    }

    #[test]
    fn links_go_and_what_they_lead_to_stays() {
        let above = tempfile::tempdir().unwrap();
        fs::create_dir_all(above.path().join("kept/inside")).unwrap();
        let folder = Folder::new_in(above.path(), "links-", 0o755).unwrap();
        std::os::unix::fs::symlink(above.path().join("kept"), folder.path().join("link")).unwrap();
        fs::create_dir_all(folder.path().join("removed-1/closed")).unwrap();
        fs::set_permissions(folder.path().join("removed-1/closed"), Permissions::from_mode(0o0)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o0)).unwrap();
        drop(folder);
        assert!(above.path().join("kept/inside").is_dir());
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 1);
    }
}
