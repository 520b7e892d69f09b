//! Lists the entries of a folder with few system calls and without an allocation for each entry.

use std::ffi::{CStr, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir};

/// The size of the buffer for entries, in bytes. Some hundred entries fit.
const BUFFER_BYTES: usize = 16 << 10;

/// Opens a folder. The kernel finds a file quickly if its path begins there.
pub fn open(folder: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Calls `visit` with the name and the type of each entry of `folder`, in no particular order. A link has the type
/// [`FileType::Symlink`], whatever it leads to. Fails if the folder cannot be read.
pub fn for_each(folder: &Path, visit: impl FnMut(&OsStr, FileType)) -> io::Result<()> {
    for_each_in(open(folder)?.as_fd(), visit)
}

/// Calls `visit` like [`for_each`]. The folder must have just been opened.
pub fn for_each_in(folder: BorrowedFd<'_>, mut visit: impl FnMut(&OsStr, FileType)) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
    let mut entries = RawDir::new(folder, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        match entry.file_type() {
            FileType::Unknown => {
                // Some file systems do not store the type in the folder. An entry that is gone by now is left out.
                if let Ok(found) = kind(folder, name) {
                    visit(OsStr::from_bytes(name.to_bytes()), found);
                }
            }
            known => visit(OsStr::from_bytes(name.to_bytes()), known),
        }
    }
    Ok(())
}

fn kind(folder: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<FileType> {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|found| FileType::from_raw_mode(found.st_mode))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;

    fn listed(folder: &Path) -> BTreeMap<String, FileType> {
        let mut found = BTreeMap::new();
        for_each(folder, |name, kind| {
            let is_new = found.insert(name.to_str().unwrap().to_owned(), kind).is_none();
            assert!(is_new, "{name:?} comes only once");
        })
        .unwrap();
        found
    }

    #[test]
    fn each_entry_is_listed_once_with_its_type() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        fs::create_dir(at(".folder")).unwrap();
        std::os::unix::fs::symlink(".folder", at("link")).unwrap();
        let wanted = [(".folder", FileType::Directory), ("file", FileType::RegularFile), ("link", FileType::Symlink)];
        assert_eq!(listed(folder.path()), wanted.map(|(name, kind)| (name.to_owned(), kind)).into());
    }

    #[test]
    fn more_entries_than_fit_into_the_buffer_are_all_listed() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<_> = (0..2_000).map(|number| format!("{number:0>40}")).collect();
        for name in &names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(listed(folder.path()).into_keys().eq(names));
    }

    #[test]
    fn what_is_no_folder_cannot_be_listed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = |path: &Path| for_each(path, |_, _| ()).unwrap_err().kind();
        assert_eq!(error(&file), io::ErrorKind::NotADirectory);
        assert_eq!(error(&folder.path().join("none")), io::ErrorKind::NotFound);
    }
}
