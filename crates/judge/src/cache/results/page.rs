//! A file of results. Each result has its key, its length and a checksum over all of it.
//!
//! Results are only added at the end, by one judge at a time (`flock`). A judge that is killed while it writes leaves
//! part of a result, which the next judge cuts off. A reader accepts only results whose checksum is right.

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::fs::FlockOperation;

use super::value;

/// A page begins with it.
const HEAD: &[u8; 8] = b"referee\x01";

/// The key, the length, the sum.
const BEFORE_BYTES: usize = 32 + 4 + 32;

/// A page that would grow beyond it is begun anew.
const MOST_BYTES: u64 = 32 << 20;

/// A link could lead to another user's file, and a pipe would wait for a process that writes to it.
const PLAIN: i32 = libc::O_NOFOLLOW | libc::O_NONBLOCK;

/// How often, and how long, to wait for another judge that writes to the same page. It takes microseconds.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(1);

/// A page, with its contents at the time of opening.
pub(super) struct File {
    path: PathBuf,
    /// The page's own key: what belongs to another is none of its results.
    key: blake3::Hash,
    reader: Option<fs::File>,
    places: HashMap<[u8; 32], Extent>,
    writer: Mutex<Option<Writer>>,
}

#[derive(Clone, Copy)]
struct Extent {
    offset: u64,
    bytes: u32,
}

struct Writer {
    file: fs::File,
    /// Up to here everything is whole.
    end: u64,
}

impl File {
    /// The page at `path`. One that is not there, or cannot be read, is empty.
    pub(super) fn open(path: PathBuf, key: blake3::Hash) -> File {
        let mut places = HashMap::new();
        let reader = fs::File::options().read(true).custom_flags(PLAIN).open(&path).ok().filter(|file| {
            let is_page = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
            is_page && scan(file, 0, |key, place| _ = places.insert(key, place)).is_ok()
        });
        File { path, key, reader, places, writer: Mutex::new(None) }
    }

    /// Returns the value under `key`; `None` if there is none, or it is damaged.
    pub(super) fn read(&self, key: &blake3::Hash) -> Option<Vec<u8>> {
        let place = self.places.get(key.as_bytes())?;
        let mut record = vec![0; 32 + place.bytes as usize];
        self.reader.as_ref()?.read_exact_at(&mut record, place.offset - 32).ok()?;
        let kept = record.split_off(32);
        (record == self.sum(key, &kept).as_bytes()).then_some(kept)
    }

    /// Says that the page was of use now.
    pub(super) fn touch(&self) {
        let now = SystemTime::now();
        let _ = fs::File::options()
            .append(true)
            .custom_flags(PLAIN)
            .open(&self.path)
            .and_then(|file| file.set_modified(now));
    }

    /// Adds a result. Returns how many bytes it took.
    pub(super) fn add(&self, key: &blake3::Hash, kept: &[u8]) -> io::Result<u64> {
        let mut record = Vec::with_capacity(BEFORE_BYTES + kept.len());
        record.extend_from_slice(key.as_bytes());
        record.extend_from_slice(&(kept.len() as u32).to_le_bytes());
        record.extend_from_slice(self.sum(key, kept).as_bytes());
        record.extend_from_slice(kept);
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = match &mut *writer {
            Some(writer) => writer,
            none => none.insert(Writer::open(&self.path)?),
        };
        writer.add(&record)
    }

    fn sum(&self, key: &blake3::Hash, kept: &[u8]) -> blake3::Hash {
        blake3::Hasher::new_keyed(self.key.as_bytes()).update(key.as_bytes()).update(kept).finalize()
    }
}

impl Writer {
    fn open(path: &Path) -> io::Result<Writer> {
        let mut options = fs::File::options();
        let file = options.read(true).append(true).create(true).mode(0o600).custom_flags(PLAIN).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        file.set_permissions(Permissions::from_mode(0o600))?;
        Ok(Writer { file, end: 0 })
    }

    fn add(&mut self, record: &[u8]) -> io::Result<u64> {
        self.lock()?;
        let added = self.add_locked(record);
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
        added
    }

    fn lock(&self) -> io::Result<()> {
        for _ in 0..TRIES {
            match rustix::fs::flock(&self.file, FlockOperation::NonBlockingLockExclusive) {
                Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => thread::sleep(PAUSE),
                result => return Ok(result?),
            }
        }
        Err(io::Error::from(io::ErrorKind::TimedOut))
    }

    fn add_locked(&mut self, record: &[u8]) -> io::Result<u64> {
        let size = self.file.metadata()?.len();
        if size > MOST_BYTES {
            // No judge writes as much as this.
            self.end = 0;
        } else if size != self.end {
            // Another judge has written, or a judge was killed while it wrote.
            self.end = scan(&self.file, if size < self.end { 0 } else { self.end }, |_, _| ()).unwrap_or(0);
        }
        if size > self.end {
            self.file.set_len(self.end)?;
        }
        if self.end + record.len() as u64 > MOST_BYTES {
            // Most of it belongs to files that changed long ago.
            self.end = 0;
            self.file.set_len(0)?;
        }
        let before = self.end;
        if self.end == 0 {
            self.append(HEAD)?;
        }
        self.append(record)?;
        Ok(self.end - before)
    }

    /// All of it, or nothing.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// Tells `found` of everything that looks whole from the offset `start` on (0, or where something ends), and returns
/// where that ends. An error if this is no page.
fn scan(file: &fs::File, start: u64, mut found: impl FnMut([u8; 32], Extent)) -> io::Result<u64> {
    let size = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut end = start;
    if start == 0 {
        let mut head = [0; HEAD.len()];
        reader.seek(SeekFrom::Start(0))?;
        reader.read_exact(&mut head)?;
        if head != *HEAD {
            return Err(io::Error::from(io::ErrorKind::InvalidData));
        }
        end = HEAD.len() as u64;
    } else {
        reader.seek(SeekFrom::Start(start))?;
    }
    let mut before = [0; BEFORE_BYTES];
    while end + (BEFORE_BYTES as u64) < size {
        reader.read_exact(&mut before)?;
        let (key, length) = (before.first_chunk::<32>(), before[32..].first_chunk::<4>());
        let (Some(key), Some(length)) = (key, length) else { break };
        let bytes = u32::from_le_bytes(*length);
        let offset = end + BEFORE_BYTES as u64;
        if bytes == 0 || bytes as usize > value::LARGEST_BYTES || offset + u64::from(bytes) > size {
            break;
        }
        found(*key, Extent { offset, bytes });
        reader.seek_relative(i64::from(bytes))?;
        end = offset + u64::from(bytes);
    }
    Ok(end)
}
