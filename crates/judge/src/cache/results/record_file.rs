//! Reads and writes a file of results. The file consists of records; each contains the key of a result, the result's
//! length, a checksum and the result.
//!
//! Results are only added at the end, by one judge at a time (`flock`). A judge that is killed while it writes leaves
//! part of a result, which the next judge cuts off. A reader accepts only results whose checksum matches.

use std::fs::{self, Permissions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use referee_files::trusted;
use rustix::fs::FlockOperation;

use super::record_index::{Extent, RecordIndex, beginning};
use super::value;

/// The first bytes of every file.
const HEAD: &[u8; 8] = b"referee\x01";

/// Size of a record's header: the key, the length and the checksum, in bytes.
const BEFORE_BYTES: usize = 32 + 4 + 32;

/// Maximum size of a file, in bytes. A file that would become larger is emptied first.
const MOST_BYTES: u64 = 32 << 20;

/// Flags for opening a file. A link is not followed, because it could lead to another user's file. Opening a pipe does
/// not wait for its other end.
const PLAIN: i32 = libc::O_NOFOLLOW | libc::O_NONBLOCK;

/// Maximum number of attempts to lock a file, and the pause between two attempts. Another judge holds the lock for
/// microseconds only.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(1);

/// A file of results, with an index of the records that it had when it was opened.
pub(super) struct RecordFile {
    path: PathBuf,
    /// The file's own key. The checksums include it, so that a record from another file is not accepted.
    key: blake3::Hash,
    reader: Option<fs::File>,
    records: RecordIndex,
    writer: Mutex<Option<Writer>>,
    /// Whether this value has added results that [`RecordFile::import`] has not brought.
    has_grown: AtomicBool,
}

struct Writer {
    file: fs::File,
    /// The offset of the end of the last complete record, in bytes.
    end: u64,
}

impl RecordFile {
    /// Opens the file at `path`. A file that does not exist, cannot be read, is too large, has the wrong first bytes or
    /// could have been written by another user counts as empty.
    pub(super) fn open(path: PathBuf, key: blake3::Hash) -> RecordFile {
        let mut records = Vec::new();
        let reader = fs::File::options().read(true).custom_flags(PLAIN).open(&path).ok().filter(|file| {
            // Another user may have made the file at a time when the mode of the folder allowed that.
            let is_trusted = trusted::check_file(file).is_ok();
            let is_valid = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_BYTES);
            is_trusted && is_valid && scan(file, 0, |key, place| records.push((beginning(key), place))).is_ok()
        });
        let records = RecordIndex::new(if reader.is_some() { records } else { Vec::new() });
        RecordFile { path, key, reader, records, writer: Mutex::new(None), has_grown: AtomicBool::new(false) }
    }

    /// Returns the value that was added last under `key`. Skips damaged records. Returns `None` if no record is left.
    pub(super) fn read(&self, key: &blake3::Hash) -> Option<Vec<u8>> {
        self.find(key).map(|(_, kept)| kept)
    }

    /// Returns the place and the value of [`RecordFile::read`].
    fn find(&self, key: &blake3::Hash) -> Option<(Extent, Vec<u8>)> {
        self.records.find(key.as_bytes()).find_map(|place| {
            let record = self.record_at(place)?;
            let (found, kept) = (record.first_chunk::<32>()?, &record[BEFORE_BYTES..]);
            let is_right =
                found == key.as_bytes() && record[BEFORE_BYTES - 32..BEFORE_BYTES] == *self.sum(key, kept).as_bytes();
            is_right.then(|| (place, kept.to_vec()))
        })
    }

    /// Reads the record whose value is at `place`, without checking it.
    fn record_at(&self, place: Extent) -> Option<Vec<u8>> {
        let mut record = vec![0; BEFORE_BYTES + place.bytes as usize];
        let offset = u64::from(place.offset) - BEFORE_BYTES as u64;
        self.reader.as_ref()?.read_exact_at(&mut record, offset).ok()?;
        Some(record)
    }

    /// Reads the key of the record whose value is at `place`.
    fn key_at(&self, place: Extent) -> Option<blake3::Hash> {
        let mut key = [0; 32];
        let offset = u64::from(place.offset) - BEFORE_BYTES as u64;
        self.reader.as_ref()?.read_exact_at(&mut key, offset).ok()?;
        Some(key.into())
    }

    /// Sets the time of the file's last use to now.
    pub(super) fn touch(&self) {
        let now = SystemTime::now();
        let _ = fs::File::options()
            .append(true)
            .custom_flags(PLAIN)
            .open(&self.path)
            .and_then(|file| file.set_modified(now));
    }

    /// Whether the file had no complete record when it was opened.
    pub(super) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether results were added that another machine does not know.
    pub(super) fn has_grown(&self) -> bool {
        self.has_grown.load(Ordering::Relaxed)
    }

    /// Returns what [`RecordFile::read`] finds for each key in the file as it is now, for other machines: the key, the
    /// number of bytes of the value, and the value.
    pub(super) fn export(&self) -> Vec<u8> {
        let now = RecordFile::open(self.path.clone(), self.key);
        let mut all = Vec::new();
        for place in now.records.iter() {
            let Some(key) = now.key_at(place) else { continue };
            if let Some((found, kept)) = now.find(&key)
                && found == place
            {
                all.extend_from_slice(key.as_bytes());
                all.extend_from_slice(&(kept.len() as u32).to_le_bytes());
                all.extend_from_slice(&kept);
            }
        }
        all
    }

    /// Adds the records of another machine ([`RecordFile::export`]) that the file lacks or in which they are damaged, and
    /// returns the file with them. Stops at the first error.
    pub(super) fn import(self, mut records: &[u8]) -> RecordFile {
        while let Some((key, kept, rest)) = split_record(records) {
            let key = blake3::Hash::from_bytes(key);
            if self.read(&key).is_none() && self.append(&key, kept).is_err() {
                break;
            }
            records = rest;
        }
        RecordFile::open(self.path, self.key)
    }

    /// Adds a result. Returns by how many bytes the file grew.
    pub(super) fn add(&self, key: &blake3::Hash, kept: &[u8]) -> io::Result<u64> {
        let added = self.append(key, kept)?;
        self.has_grown.store(true, Ordering::Relaxed);
        Ok(added)
    }

    fn append(&self, key: &blake3::Hash, kept: &[u8]) -> io::Result<u64> {
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

/// Returns the first record of another machine's records, and the rest; `None` if no complete record is left.
fn split_record(records: &[u8]) -> Option<([u8; 32], &[u8], &[u8])> {
    let (key, rest) = records.split_first_chunk::<32>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (kept, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((*key, kept, rest))
}

impl Writer {
    fn open(path: &Path) -> io::Result<Writer> {
        let mut options = fs::File::options();
        let file = options.read(true).append(true).create(true).mode(0o600).custom_flags(PLAIN).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        trusted::check_file(&file)?;
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
            // No judge writes a file of this size, so its contents are dropped.
            self.end = 0;
        } else if size != self.end {
            // Another judge has added records, or a judge was killed while it wrote. So the end of the last complete
            // record is searched.
            self.end = scan(&self.file, if size < self.end { 0 } else { self.end }, |_, _| ()).unwrap_or(0);
        }
        if size > self.end {
            self.file.set_len(self.end)?;
        }
        if self.end + record.len() as u64 > MOST_BYTES {
            // Emptying the file loses little, because most of its results belong to older versions of the test cases.
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

    /// Appends all of the bytes, or none if an error occurs.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// Calls `found` for every complete record from the offset `start` on. Returns the offset at which the last complete
/// record ends. `start` is 0 or the end of a record. Checksums are not verified. Fails if the file does not begin with
/// `HEAD`.
fn scan(file: &fs::File, start: u64, mut found: impl FnMut(&[u8; 32], Extent)) -> io::Result<u64> {
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
        let Ok(place) = u32::try_from(offset) else { break };
        found(key, Extent { offset: place, bytes });
        reader.seek_relative(i64::from(bytes))?;
        end = offset + u64::from(bytes);
    }
    Ok(end)
}
