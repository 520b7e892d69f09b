//! Measures how much a program has written into a folder of the machine. Without a private root, the folder has no
//! capacity of its own, so the monitor checks it while the program runs.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::descriptors;

/// The shortest interval between two measurements.
const TICK: Duration = Duration::from_millis(2);

/// The pause after a measurement is at least this many times as long as the measurement.
const SHARE: u32 = 10;

/// Maximum time for which the judge tolerates a process of its own user that it cannot inspect. Every program begins as
/// such a process: until its exec, the program shares the memory of its zygote, and a zygote cannot be inspected.
const MAX_UNSEEN: Duration = Duration::from_secs(1);

/// The size of the blocks in which the kernel counts the space of a file, in bytes.
const BLOCK_BYTES: u64 = 512;

/// The size of a page, and of the blocks of usual file systems, in bytes.
const PAGE_BYTES: u64 = 4096;

/// A folder of the machine, and the limits on its contents.
#[derive(Clone, Copy)]
pub(super) struct FolderLimit<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: u64,
    pub(super) files: u64,
    /// Whether the program runs as the judge's user, so that the judge may see which files the program has open.
    pub(super) is_of_own_user: bool,
}

/// Checks a folder against its limits, again and again.
pub(super) struct FolderUsage<'a> {
    limit: FolderLimit<'a>,
    folder: OwnedFd,
    device: u64,
    due: Instant,
    /// The time since which every measurement has found a process of the judge's user that it could not inspect; `None`
    /// if the last measurement found no such process.
    unseen_since: Option<Instant>,
}

/// The measured contents of a folder.
#[derive(Default)]
struct Count {
    bytes: u64,
    files: u64,
    /// The inode numbers of counted files that have several names or no name. The judge may meet such a file several
    /// times, but counts it only once.
    seen: HashSet<u64>,
    /// Whether the judge could not inspect a process.
    lacks_a_process: bool,
}

/// The reason why a measurement has ended early.
enum Stop {
    /// The folder exceeds its limits, or the program keeps the judge from reading it.
    Exceeded,
    /// The judge cannot measure, for example because it has no descriptor left.
    Unknown,
}

impl<'a> FolderUsage<'a> {
    /// Opens the folder before the program starts.
    pub(super) fn open(limit: FolderLimit<'a>) -> rustix::io::Result<FolderUsage<'a>> {
        let folder = rustix::fs::open(limit.path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let device = rustix::fs::fstat(&folder)?.st_dev;
        Ok(FolderUsage { limit, folder, device, due: Instant::now() + TICK, unseen_since: None })
    }

    /// Returns the time until the next measurement.
    pub(super) fn time_to_next(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Returns whether the folder exceeds its limits; false until the next measurement is due. `processes` returns the
    /// program's processes.
    pub(super) fn is_exceeded_now(&mut self, processes: impl FnOnce() -> Vec<i32>) -> bool {
        let began = Instant::now();
        if began < self.due {
            return false;
        }
        let is_exceeded = self.is_exceeded(&processes());
        let now = Instant::now();
        self.due = now + ((now - began) * SHARE).max(TICK);
        is_exceeded
    }

    /// Returns whether the files in the folder, and the files that `processes` have removed and still hold open, exceed
    /// the limits. Also returns true if the judge could not inspect a process of its own user for longer than
    /// [`MAX_UNSEEN`].
    pub(super) fn is_exceeded(&mut self, processes: &[i32]) -> bool {
        let mut count = Count::default();
        let named = self.count_named(&mut count);
        let measured =
            named.and_then(|()| processes.iter().try_for_each(|&process| self.count_open(process, &mut count)));
        let now = Instant::now();
        self.unseen_since = count.lacks_a_process.then(|| self.unseen_since.unwrap_or(now));
        matches!(measured, Err(Stop::Exceeded)) || self.unseen_since.is_some_and(|since| now - since > MAX_UNSEEN)
    }

    /// Counts everything below the folder. If `openat2` is allowed, the judge follows no link and opens no path that
    /// leads out of the folder.
    fn count_named(&self, count: &mut Count) -> Result<(), Stop> {
        let mut pending = vec![PathBuf::from(".")];
        while let Some(below) = pending.pop() {
            let Some(open) = self.open_below(&below)? else { continue };
            let entries = Dir::read_from(&open).map_err(|_| Stop::Unknown)?;
            // An entry that cannot be read has been removed meanwhile.
            for entry in entries.filter_map(Result::ok) {
                let name = entry.file_name();
                if name == c"." || name == c".." {
                    continue;
                }
                let Ok(found) = rustix::fs::statat(&open, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                let is_folder = FileType::from_raw_mode(found.st_mode) == FileType::Directory;
                if !is_folder && found.st_nlink > 1 && !count.seen.insert(found.st_ino) {
                    continue;
                }
                self.add(found.st_blocks as u64, found.st_size as u64, count)?;
                if is_folder {
                    pending.push(below.join(OsStr::from_bytes(name.to_bytes())));
                }
            }
        }
        Ok(())
    }

    fn open_below(&self, below: &Path) -> Result<Option<OwnedFd>, Stop> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let stays = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
        let opened = match rustix::fs::openat2(&self.folder, below, flags, Mode::empty(), stays) {
            // Some containers do not allow openat2. openat only refuses a link at the end of the path.
            Err(Errno::NOSYS | Errno::PERM) => rustix::fs::openat(&self.folder, below, flags, Mode::empty()),
            opened => opened,
        };
        match opened {
            Ok(open) => Ok(Some(open)),
            // The program has replaced or removed the folder since its parent was read.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(Errno::ACCESS | Errno::NAMETOOLONG) => Err(Stop::Exceeded),
            Err(_) => Err(Stop::Unknown),
        }
    }

    /// Counts the files on the folder's file system that the process has removed and still holds open.
    fn count_open(&self, process: i32, count: &mut Count) -> Result<(), Stop> {
        let process = format!("/proc/{process}");
        descriptors::folders(Path::new(&process)).iter().try_for_each(|folder| self.count_open_in(folder, count))
    }

    /// Counts the removed files in a folder of descriptors.
    fn count_open_in(&self, folder: &Path, count: &mut Count) -> Result<(), Stop> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            // Some judges cannot inspect a process that runs as another user. Every judge can inspect a process of its
            // own user, unless the process prevents that.
            Err(error) if error.raw_os_error() == Some(libc::EACCES) && self.limit.is_of_own_user => {
                count.lacks_a_process = true;
                return Ok(());
            }
            Err(_) => return Ok(()),
        };
        for entry in entries.filter_map(Result::ok) {
            let Ok(found) = fs::metadata(entry.path()) else { continue };
            let is_removed = found.is_file() && found.nlink() == 0 && found.dev() == self.device;
            if is_removed && count.seen.insert(found.ino()) {
                self.add(found.blocks(), found.len(), count)?;
            }
        }
        Ok(())
    }

    fn add(&self, blocks: u64, size: u64, count: &mut Count) -> Result<(), Stop> {
        count.files += 1;
        // Some file systems reserve blocks beyond the end of a file that is being written. So at most the size of the
        // file counts, rounded up to whole pages.
        count.bytes += (blocks * BLOCK_BYTES).min(size.next_multiple_of(PAGE_BYTES));
        if count.files > self.limit.files || count.bytes > self.limit.bytes { Err(Stop::Exceeded) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(folder: &Path, bytes: u64, files: u64) -> FolderUsage<'_> {
        FolderUsage::open(FolderLimit { path: folder, bytes, files, is_of_own_user: true }).unwrap()
    }

    #[test]
    fn the_size_and_the_number_of_all_files_below_a_folder_are_limited() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), vec![7; 100_000]).unwrap();
        fs::hard_link(folder.path().join("a/b/c"), folder.path().join("same")).unwrap();
        std::os::unix::fs::symlink("/usr", folder.path().join("link")).unwrap();
        assert!(!usage(folder.path(), 150_000, 4).is_exceeded(&[]));
        assert!(usage(folder.path(), 90_000, 4).is_exceeded(&[]));
        assert!(usage(folder.path(), 150_000, 3).is_exceeded(&[]));
    }

    #[test]
    fn a_file_without_blocks_takes_no_space() {
        let folder = tempfile::tempdir().unwrap();
        fs::File::create(folder.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        assert!(!usage(folder.path(), 150_000, 4).is_exceeded(&[]));
    }

    #[test]
    fn a_removed_file_counts_while_a_process_holds_it_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("removed");
        fs::write(&path, vec![7; 100_000]).unwrap();
        let open = fs::File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let own = std::process::id() as i32;
        assert!(usage(folder.path(), 90_000, 4).is_exceeded(&[own]));
        assert!(!usage(folder.path(), 90_000, 4).is_exceeded(&[]));
        drop(open);
    }

    #[test]
    fn a_removed_file_counts_while_a_thread_holds_it_open_that_has_its_own_descriptors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("removed");
        let (held, is_held) = std::sync::mpsc::channel();
        let (finish, is_finished) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            // SAFETY: the call takes a number. It gives this thread a copy of the descriptors.
            assert_eq!(unsafe { libc::unshare(libc::CLONE_FILES) }, 0);
            fs::write(&path, vec![7; 100_000]).unwrap();
            let open = fs::File::open(&path).unwrap();
            fs::remove_file(&path).unwrap();
            held.send(()).unwrap();
            let _ = is_finished.recv();
            drop(open);
        });
        is_held.recv().unwrap();
        let own = std::process::id() as i32;
        assert!(usage(folder.path(), 90_000, 4).is_exceeded(&[own]));
        finish.send(()).unwrap();
        thread.join().unwrap();
    }
}
