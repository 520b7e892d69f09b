//! Empties the writable folder of a zygote after a run, so that the next run finds it as if it were new. This takes
//! less time than a new zygote with a new folder.

use std::os::fd::{AsFd, BorrowedFd};

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, Timespec, Timestamps, UTIME_NOW};
use rustix::io::Errno;

/// Maximum number of files in a folder that is emptied. Removing many files would take as long as a new zygote.
const MOST_FILES: usize = 64;

/// The size of a buffer for names of files or of extended attributes, in bytes. Few folders need more.
const NAMES_BYTES: usize = 4 << 10;

/// The properties of a folder that a program can change, apart from its files and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Properties {
    mode: u32,
    owner: (u32, u32),
    /// The flags that `chattr` sets; `None` if the file system has none.
    flags: Option<u32>,
    /// The names of the extended attributes, as the kernel lists them.
    attributes: Vec<u8>,
}

impl Properties {
    /// Returns the properties of the folder itself.
    pub(super) fn of(folder: BorrowedFd<'_>) -> rustix::io::Result<Properties> {
        let found = rustix::fs::fstat(folder)?;
        Ok(Properties {
            mode: found.st_mode,
            owner: (found.st_uid, found.st_gid),
            flags: rustix::fs::ioctl_getflags(folder).ok().map(|flags| flags.bits()),
            attributes: attributes(folder)?,
        })
    }
}

/// Removes the files of the folder. Returns whether the folder is now like a new one with these properties; false if it
/// contains anything but a few ordinary files, or if a program has changed its properties.
pub(super) fn empty(folder: BorrowedFd<'_>, as_made: &Properties) -> rustix::io::Result<bool> {
    // A descriptor of its own begins to read at the first name.
    let reader = rustix::fs::openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut buffer = Vec::with_capacity(NAMES_BYTES);
    let mut names = RawDir::new(reader.as_fd(), buffer.spare_capacity_mut());
    let mut removed = 0;
    while let Some(entry) = names.next() {
        let entry = entry?;
        if [c".", c".."].contains(&entry.file_name()) {
            continue;
        }
        if entry.file_type() != FileType::RegularFile || removed == MOST_FILES {
            return Ok(false);
        }
        rustix::fs::unlinkat(folder, entry.file_name(), AtFlags::empty())?;
        removed += 1;
    }
    // A program can set the times of its folder to any value.
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    rustix::fs::futimens(folder, &Timestamps { last_access: now, last_modification: now })?;
    Ok(Properties::of(folder)? == *as_made)
}

/// Returns the names of the folder's extended attributes. Fails if they are too long.
fn attributes(folder: BorrowedFd<'_>) -> rustix::io::Result<Vec<u8>> {
    let mut names = Vec::with_capacity(NAMES_BYTES);
    match rustix::fs::flistxattr(folder, spare_capacity(&mut names)) {
        Ok(_) | Err(Errno::NOTSUP) => Ok(names),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{File, FileTimes};
    use std::os::fd::AsRawFd;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_folder_gets_new_times_and_may_not_have_other_attributes() {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let open = File::open(folder.path()).unwrap();
        let as_made = Properties::of(open.as_fd()).unwrap();
        std::fs::write(folder.path().join("file"), "text").unwrap();
        let long_ago = SystemTime::UNIX_EPOCH;
        open.set_times(FileTimes::new().set_accessed(long_ago).set_modified(long_ago)).unwrap();
        assert!(empty(open.as_fd(), &as_made).unwrap());
        let found = std::fs::metadata(folder.path()).unwrap();
        assert!(found.accessed().unwrap() > long_ago && found.modified().unwrap() > long_ago);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        // SAFETY: the name ends with a zero byte, and the value is a live array of the given length.
        let set = unsafe { libc::fsetxattr(open.as_raw_fd(), c"user.note".as_ptr(), b"1".as_ptr().cast(), 1, 0) };
        if set == 0 {
            assert!(!empty(open.as_fd(), &as_made).unwrap());
        }
    }
}
