//! Divides the free space of the temporary folder among the programs that exist at the same time. A submission that
//! needs more than its part does not compile. So no submission can fill the disk and make the judge fail on other
//! submissions.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use walkdir::{DirEntry, WalkDir};

use referee_language::COMPILER_CACHE;
use referee_text::size;

/// The free space of a file system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Free {
    bytes: u64,
    /// The number of files that can still be made; `None` if the file system has no such limit.
    files: Option<u64>,
}

/// The space that the files of one submission may take in the temporary folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) bytes: u64,
    pub(crate) files: u64,
}

/// The largest room, even on a large disk. It is as large as the largest compiled program may be.
const MOST: Room = Room { bytes: 1 << 30, files: 1 << 14 };

/// The smallest room, even on a small disk. An ordinary program needs less, so it is never refused because the disk is
/// small. If the disk does get full, the judge fails.
const LEAST: Room = Room { bytes: 4 << 20, files: 1 << 8 };

/// All programs together may fill the free space divided by this number. The rest is for outputs, and for the files
/// that programs write.
const PART_OF_PROGRAMS: u64 = 2;

/// Rooms are rounded to whole MiB, so that messages name short numbers.
const MIB: u64 = 1 << 20;

/// The size of a page, and of the blocks of usual file systems, in bytes. A file takes a whole number of blocks.
const BLOCK_BYTES: u64 = 4096;

/// Counts the compilations of a run that were ended because they took too much space. Meanwhile, another compilation
/// may have found the disk full.
#[derive(Debug, Default)]
pub(crate) struct Crowding(AtomicUsize);

impl Crowding {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The number of further attempts of an operation of the judge that finds the disk full.
const ATTEMPTS: usize = 20;

/// The pause before a further attempt. On a busy machine, the judge takes up to a second to notice a compilation that
/// takes too much space, and then has to remove its files.
const PAUSE: Duration = Duration::from_millis(100);

/// Does what `make` does. If that finds the disk full, waits and tries again for two seconds: a compilation that fills
/// the disk must not make the judge fail on another program.
pub(crate) fn with_space<T, E>(is_full: impl Fn(&E) -> bool, make: impl Fn() -> Result<T, E>) -> Result<T, E> {
    for _ in 0..ATTEMPTS {
        match make() {
            Err(error) if is_full(&error) => thread::sleep(PAUSE),
            result => return result,
        }
    }
    make()
}

/// Whether an error says that the disk is full.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

impl Free {
    /// Returns the free space of the file system of `folder`. Space that cannot be determined counts as unlimited.
    pub(crate) fn of(folder: &Path) -> Free {
        let Ok(found) = rustix::fs::statvfs(folder) else { return Free { bytes: u64::MAX, files: None } };
        // Some file systems have no fixed number of files, and report 0.
        let files = (found.f_files > 0).then_some(found.f_favail);
        Free { bytes: found.f_bavail.saturating_mul(found.f_frsize), files }
    }

    /// Returns whether at least `bytes` bytes are free.
    pub(crate) fn has(self, bytes: u64) -> bool {
        self.bytes >= bytes
    }

    /// Returns whether there is enough space for the files of one submission.
    pub(crate) fn has_room(self, room: Room) -> bool {
        self.has(room.bytes) && self.files.is_none_or(|files| files >= room.files)
    }

    /// Returns the room of each of `programs` programs that exist at the same time.
    pub(crate) fn room(self, programs: usize) -> Room {
        let parts = PART_OF_PROGRAMS * (programs as u64).max(1);
        let files = self.files.map_or(MOST.files, |files| files / parts);
        let bytes = (self.bytes / parts) & !(MIB - 1);
        Room { bytes: bytes.clamp(LEAST.bytes, MOST.bytes), files: files.clamp(LEAST.files, MOST.files) }
    }
}

impl Room {
    /// Returns the reason why the files of `path` do not fit; `None` if they do. A compiler's own cache does not count,
    /// because it is not kept.
    pub(crate) fn lacks_for(self, path: &Path) -> Option<String> {
        let counts = |entry: &DirEntry| entry.depth() != 1 || entry.file_name() != COMPILER_CACHE;
        let walk = WalkDir::new(path).follow_root_links(true).into_iter().filter_entry(counts);
        let (mut bytes, mut files) = (0u64, 0u64);
        for found in walk.filter_map(Result::ok).filter_map(|entry| entry.metadata().ok()) {
            files += 1;
            bytes = bytes.saturating_add(space(found.size()));
            if bytes > self.bytes || files > self.files {
                return Some(self.words());
            }
        }
        None
    }

    /// Returns the reason why an executable of `bytes` bytes does not fit; `None` if it does. Also returns `None` on a
    /// large disk, because there the judge's own limit on the size of executables applies.
    pub(crate) fn lacks_for_executable(self, bytes: u64) -> Option<String> {
        (self.bytes < MOST.bytes && space(bytes) > self.bytes).then(|| self.words())
    }

    fn words(self) -> String {
        let Room { bytes, files } = self;
        let small = if bytes < MOST.bytes || files < MOST.files {
            "; the limit depends on the free space in the judge's temporary folder, so a TMPDIR with more space raises it"
        } else {
            ""
        };
        format!("its files take more than the {} or {files} files allowed{small}", size::bytes(bytes))
    }
}

fn space(bytes: u64) -> u64 {
    bytes.checked_next_multiple_of(BLOCK_BYTES).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_operation_is_repeated_only_while_the_disk_is_full() {
        let attempts = |kinds: &[io::ErrorKind]| {
            let count = std::cell::Cell::new(0);
            let result = with_space(is_full, || {
                count.set(count.get() + 1);
                kinds.get(count.get() - 1).map_or(Ok(()), |&kind| Err(io::Error::from(kind)))
            });
            (count.get(), result.map_err(|error| error.kind()))
        };
        assert_eq!(attempts(&[io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded]), (3, Ok(())));
        assert_eq!(attempts(&[io::ErrorKind::PermissionDenied]), (1, Err(io::ErrorKind::PermissionDenied)));
        assert_eq!(attempts(&[io::ErrorKind::StorageFull; 100]), (ATTEMPTS + 1, Err(io::ErrorKind::StorageFull)));
    }

    #[test]
    fn a_disk_has_room_unless_bytes_or_files_run_out() {
        let room = Room { bytes: 10, files: 5 };
        let has = |bytes, files| Free { bytes, files }.has_room(room);
        assert_eq!([has(10, Some(5)), has(10, None)], [true, true]);
        assert_eq!([has(9, Some(5)), has(10, Some(4)), has(9, None)], [false, false, false]);
    }

    #[test]
    fn programs_share_half_of_the_free_space() {
        let room = |bytes, files, programs| Free { bytes, files }.room(programs);
        assert_eq!(room(100 << 20, Some(10_000), 5), Room { bytes: 10 << 20, files: 1_000 });
        assert_eq!(room(1 << 40, None, 5), MOST);
        assert_eq!(room(1 << 20, Some(10), 5), LEAST);
    }

    #[test]
    fn empty_files_take_space_too() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..10 {
            fs::write(folder.path().join(number.to_string()), "1").unwrap();
        }
        let lacks = |bytes, files| Room { bytes, files }.lacks_for(folder.path()).is_some();
        assert!(lacks(9 * BLOCK_BYTES, 20) && !lacks(20 * BLOCK_BYTES, 20) && lacks(20 * BLOCK_BYTES, 10));
    }

    #[test]
    fn the_message_names_the_limits_and_the_remedy() {
        assert!(LEAST.words().contains("4 MiB or 256 files allowed; ") && LEAST.words().contains("TMPDIR"));
        assert!(!MOST.words().contains("TMPDIR"));
    }
}
