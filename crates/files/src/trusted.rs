//! Checks that no other user can change or replace a folder.
//!
//! A folder with the right owner and mode is not enough: a user who can write to a folder above it can replace it. So
//! the check follows the path from the root, as the kernel does, and examines every folder and every symbolic link.
//! Each must belong to this user or to root, and no other user may be able to write to a folder. A folder with the
//! sticky bit, such as `/tmp`, may be writable for all users if it only leads to the checked folder, because only the
//! owner of an entry can replace the entry.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::FileType;

/// Maximum number of symbolic links on a path, as in the kernel.
const MOST_LINKS: usize = 40;

const STICKY: u32 = 0o1000;
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The reason why a folder is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Another user can change or replace the folder.
    #[error("{0}")]
    Untrusted(String),
    /// The folder does not exist and cannot be made, or cannot be examined.
    #[error("{0}")]
    Unusable(String),
}

/// Returns the path of `folder` without symbolic links. Makes missing folders, which only this user can enter. Fails if
/// another user can write to the folder, or can replace it.
///
/// `folder` is an absolute path.
pub fn own_folder(folder: &Path) -> Result<PathBuf, Refused> {
    let real = walk(folder, true)?;
    let found = real.symlink_metadata().map_err(unusable(&real))?;
    // The sticky bit is not enough for this folder: other users could still add entries to it.
    check_mode(&real, &found, false)?;
    Ok(real)
}

/// Fails if another user can replace entries that this user makes in `folder`. `folder` is the absolute path of
/// an existing folder, such as the folder for temporary files.
pub fn check_shared(folder: &Path) -> Result<(), Refused> {
    walk(folder, false).map(drop)
}

/// Fails if an open file is not a regular file, if it belongs to a user other than this one and root, or if other users
/// can write to it.
pub fn check_file(file: &File) -> io::Result<()> {
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    check_entry(&found)
}

/// Fails if a file or folder belongs to a user other than this one and root, or if other users can write to it. Also
/// fails for symbolic links and all other entries that are neither regular files nor folders.
pub fn check_entry(found: &Metadata) -> io::Result<()> {
    check_owner_and_mode(found.uid(), found.mode())
}

/// Checks an entry like [`check_entry`]. `mode` contains the type of the entry.
pub fn check_owner_and_mode(owner: u32, mode: u32) -> io::Result<()> {
    let is_plain = matches!(FileType::from_raw_mode(mode), FileType::RegularFile | FileType::Directory);
    if is_plain && is_trusted(owner) && mode & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "another user could have written it"))
}

/// Follows `folder` from the root, checks everything on the way, and returns the path without symbolic links. A folder
/// with the sticky bit may be writable for others.
fn walk(folder: &Path, makes: bool) -> Result<PathBuf, Refused> {
    let mut real = PathBuf::from("/");
    let mut left = parts(folder);
    let mut links = 0;
    check(&real)?;
    while let Some(part) = left.pop_front() {
        if part == ".." {
            real.pop();
            continue;
        }
        let next = real.join(part);
        let found = if makes { check_or_make(&next)? } else { check(&next)? };
        if !found.is_symlink() {
            real = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(unusable(folder)(io::Error::from_raw_os_error(rustix::io::Errno::LOOP.raw_os_error())));
        }
        let target = next.read_link().map_err(unusable(&next))?;
        if target.is_absolute() {
            real = PathBuf::from("/");
        }
        let rest = std::mem::take(&mut left);
        left = parts(&target).into_iter().chain(rest).collect();
    }
    Ok(real)
}

/// Returns the parts of a path without the root and without `.`.
fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(part).collect()
}

/// Checks one folder or symbolic link of a path. Makes a folder for this user only if nothing with this name exists.
fn check_or_make(path: &Path) -> Result<Metadata, Refused> {
    if let Ok(found) = path.symlink_metadata() {
        return checked(path, found);
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(unusable(path)(error)),
        _ => check(path),
    }
}

/// Checks one folder or symbolic link of a path.
fn check(path: &Path) -> Result<Metadata, Refused> {
    checked(path, path.symlink_metadata().map_err(unusable(path))?)
}

fn checked(path: &Path, found: Metadata) -> Result<Metadata, Refused> {
    if !found.is_dir() && !found.is_symlink() {
        return Err(unusable(path)(io::Error::from(io::ErrorKind::NotADirectory)));
    }
    if !is_trusted(found.uid()) {
        let owner = found.uid();
        return Err(Refused::Untrusted(format!("{} belongs to another user (user id {owner})", path.display())));
    }
    // The mode of a symbolic link has no meaning.
    if found.is_dir() {
        check_mode(path, &found, true)?;
    }
    Ok(found)
}

fn check_mode(path: &Path, found: &Metadata, may_be_sticky: bool) -> Result<(), Refused> {
    let is_protected = may_be_sticky && found.mode() & STICKY != 0;
    if is_protected || found.mode() & WRITABLE_BY_OTHERS == 0 {
        return Ok(());
    }
    let mode = found.mode() & 0o7777;
    Err(Refused::Untrusted(format!(
        "other users can write to {} (mode {mode:04o}; chmod go-w prevents that)",
        path.display()
    )))
}

fn is_trusted(owner: u32) -> bool {
    owner == 0 || owner == rustix::process::geteuid().as_raw()
}

fn unusable(path: &Path) -> impl Fn(io::Error) -> Refused {
    move |error| Refused::Unusable(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn untrusted(found: Result<PathBuf, Refused>, part: &str) {
        match found {
            Err(Refused::Untrusted(reason)) => assert!(reason.contains(part), "{reason}"),
            other => panic!("expected an untrusted folder, found {other:?}"),
        }
    }

    #[test]
    fn missing_folders_are_made_for_this_user_only() {
        let top = tempfile::tempdir().unwrap();
        let made = own_folder(&top.path().join("a/b")).unwrap();
        for folder in [made.as_path(), made.parent().unwrap()] {
            assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        }
        assert_eq!(own_folder(&top.path().join("a/./b/../b")).unwrap(), made);
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused_wherever_it_is_on_the_path() {
        for mode in [0o777, 0o775, 0o1777] {
            let top = tempfile::tempdir().unwrap();
            let leaf = own_folder(&top.path().join("a/b")).unwrap();
            set_mode(&leaf, mode);
            untrusted(own_folder(&leaf), "other users can write to");
            set_mode(&leaf, 0o755);
            set_mode(&top.path().join("a"), mode);
            if mode & STICKY == 0 {
                untrusted(own_folder(&leaf), "/a (mode ");
                assert!(check_shared(&leaf).is_err());
            } else {
                assert_eq!(own_folder(&leaf), Ok(leaf.clone()));
                check_shared(leaf.parent().unwrap()).unwrap();
            }
        }
    }

    #[test]
    fn a_link_is_followed_and_its_way_is_checked() {
        let top = tempfile::tempdir().unwrap();
        let leaf = own_folder(&top.path().join("a/b")).unwrap();
        symlink("a/../a", top.path().join("relative")).unwrap();
        symlink(top.path().join("a"), top.path().join("absolute")).unwrap();
        for link in ["relative/b", "absolute/b"] {
            assert_eq!(own_folder(&top.path().join(link)), Ok(leaf.clone()));
            set_mode(&top.path().join("a"), 0o777);
            untrusted(own_folder(&top.path().join(link)), "/a (mode 0777; ");
            set_mode(&top.path().join("a"), 0o700);
        }
        symlink("loop", top.path().join("loop")).unwrap();
        assert!(matches!(own_folder(&top.path().join("loop/b")), Err(Refused::Unusable(_))));
    }

    #[test]
    fn folders_links_and_files_of_another_user_are_refused() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can give files away");
            return;
        }
        let top = tempfile::tempdir().unwrap();
        let leaf = own_folder(&top.path().join("a/b")).unwrap();
        let (link, file) = (top.path().join("link"), top.path().join("file"));
        symlink(&leaf, &link).unwrap();
        fs::write(&file, "").unwrap();
        set_mode(&file, 0o644);
        check_file(&File::open(&file).unwrap()).unwrap();
        std::os::unix::fs::lchown(&link, Some(47_110), None).unwrap();
        untrusted(own_folder(&link), "/link belongs to another user (user id 47110)");
        chown(&file, Some(47_110), None).unwrap();
        assert!(check_file(&File::open(&file).unwrap()).is_err());
        chown(top.path().join("a"), Some(47_110), None).unwrap();
        untrusted(own_folder(&leaf), "/a belongs to another user (user id 47110)");
        // Nothing is made in a folder of another user.
        untrusted(own_folder(&top.path().join("a/new")), "/a belongs to another user");
        assert!(!top.path().join("a/new").exists());
    }

    #[test]
    fn a_file_that_others_can_write_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let file = top.path().join("file");
        fs::write(&file, "").unwrap();
        for (mode, is_trusted) in [(0o600, true), (0o644, true), (0o664, false), (0o646, false)] {
            set_mode(&file, mode);
            assert_eq!(check_file(&File::open(&file).unwrap()).is_ok(), is_trusted, "{mode:o}");
        }
        assert!(check_file(&File::open(top.path()).unwrap()).is_err(), "a folder is no file");
    }
}
