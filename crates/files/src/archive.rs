//! Opens ZIP archives of others. Reads the central directory before anything is unpacked: the list of the archive's
//! entries at the end of the file. It states the number of entries and their sizes, so an archive that would fill the
//! disk or the memory is refused within milliseconds. No entry may lead out of the folder into which it is unpacked.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::{regular, stop};

/// The largest number of files and folders allowed in an archive.
pub const MOST_ENTRIES: usize = 100_000;

/// The longest path allowed in an archive, in bytes.
const LONGEST_PATH: usize = 1 << 10;

/// The largest number of components allowed in a path of an archive.
const DEEPEST_PATH: usize = 32;

/// The reason why an archive is not read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be opened or read.
    #[error("cannot be read: {0}")]
    Unopened(#[from] io::Error),
    /// The file is no ZIP archive, or its end is missing.
    #[error("is not a ZIP archive, or its end is missing; if it was copied or downloaded, copy it again")]
    NoZip,
    /// The archive is damaged.
    #[error("cannot be read as a ZIP archive: {0}")]
    Unreadable(#[from] ZipError),
    /// The archive has more than [`MOST_ENTRIES`] entries.
    #[error("has {0} entries, allowed: at most {MOST_ENTRIES}")]
    TooMany(u64),
    /// The central directory is larger than the judge reads.
    #[error("is not a ZIP archive, or the list of its entries is larger than the 32 MiB allowed")]
    LargeDirectory,
    /// Entries share compressed bytes, so a small archive could take very long to read.
    #[error("has entries that overlap; create the archive again")]
    Overlapping,
}

/// Maximum number of bytes that are read to find and read the central directory.
const MOST_DIRECTORY_BYTES: u64 = 32 << 20;

/// An archive's file. While its central directory is read, only a limited number of bytes can be read from it. The bytes
/// that the reader asks for are counted, not those that the buffer reads ahead: the reader seeks twice for each entry,
/// and each time the buffer is filled again.
#[derive(Debug)]
pub struct Limited {
    file: BufReader<File>,
    left: Rc<Cell<u64>>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if stop::is_wanted() {
            return Err(stop::error());
        }
        let read = self.file.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(read as u64));
        Ok(read)
    }
}

impl Seek for Limited {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

/// Opens an archive and reads its central directory. Fails if the file is not an archive, if the central directory is
/// too large or has too many entries, or if entries overlap.
pub fn open(path: &Path) -> Result<ZipArchive<Limited>, ArchiveError> {
    let mut file = regular::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut archive = open_file(&mut file)?;
    refuse_overlap(&mut archive, file_bytes)?;
    Ok(archive)
}

/// Fails if the compressed sizes of the entries add up to more than the size of the archive, `file_bytes`. Then entries
/// share compressed bytes.
fn refuse_overlap(archive: &mut ZipArchive<Limited>, file_bytes: u64) -> Result<(), ArchiveError> {
    let mut unread = file_bytes;
    for index in 0..archive.len() {
        let compressed = archive.by_index_raw(index)?.compressed_size();
        unread = unread.checked_sub(compressed).ok_or(ArchiveError::Overlapping)?;
    }
    Ok(())
}

/// Returns the path of an entry. Fails with the end of a sentence about the entry if the entry is encrypted, or if its
/// path is too long, has too many components or leads out of the archive.
pub fn checked_path<R: Read>(entry: &ZipFile<'_, R>) -> Result<PathBuf, &'static str> {
    if entry.encrypted() {
        return Err("is encrypted");
    }
    if entry.name_raw().len() > LONGEST_PATH {
        return Err("has a path that is too long: more than 1024 bytes");
    }
    if entry.name_raw().split(|&byte| byte == b'/').count() > DEEPEST_PATH {
        return Err("has a path that is too long: more than 32 parts");
    }
    match entry.enclosed_name() {
        Some(path) if path.components().all(|part| matches!(part, Component::Normal(_))) => Ok(path),
        _ => Err("leads out of the archive"),
    }
}

fn open_file(file: &mut File) -> Result<ZipArchive<Limited>, ArchiveError> {
    let (end, at) = end_record(file)?;
    let stated = at.map(|at| stated_entries(file, &end, at)).transpose()?.flatten();
    if let Some(entries) = stated.filter(|&entries| entries > MOST_ENTRIES as u64) {
        return Err(ArchiveError::TooMany(entries));
    }
    let left = Rc::new(Cell::new(MOST_DIRECTORY_BYTES));
    let limited = Limited { file: BufReader::new(file.try_clone()?), left: Rc::clone(&left) };
    let opened = ZipArchive::new(limited);
    if left.get() == 0 {
        return Err(ArchiveError::LargeDirectory);
    }
    left.set(u64::MAX);
    let archive = opened.map_err(|error| match error {
        ZipError::InvalidArchive(_) if at.is_none() => ArchiveError::NoZip,
        error => ArchiveError::Unreadable(error),
    })?;
    if archive.len() > MOST_ENTRIES { Err(ArchiveError::TooMany(archive.len() as u64)) } else { Ok(archive) }
}

/// Maximum size, in bytes, of the record that ends the central directory: 22 bytes, and a comment of up to 65,535
/// bytes.
const LONGEST_END: u64 = 22 + 65_535;

/// Returns the last bytes of the archive, and the position of the end record in them; `None` if there is no end record.
fn end_record(file: &mut File) -> io::Result<(Vec<u8>, Option<usize>)> {
    let start = file.metadata()?.len().saturating_sub(LONGEST_END);
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    Read::take(&mut *file, LONGEST_END).read_to_end(&mut end)?;
    let at = end.windows(4).rposition(|bytes| bytes == b"PK\x05\x06");
    Ok((end, at))
}

/// Returns the number of entries that the end record states, which is at position `at` of the bytes `end`; `None` if
/// the record is cut off. Use the result only to refuse an archive early: a malicious archive may have several end
/// records.
fn stated_entries(file: &mut File, end: &[u8], at: usize) -> io::Result<Option<u64>> {
    let length = file.metadata()?.len();
    let Some(count) = end.get(at + 10..at + 12) else { return Ok(None) };
    if count != [0xff, 0xff] {
        return Ok(Some(u64::from(u16::from_le_bytes([count[0], count[1]]))));
    }
    // The number does not fit into 16 bits. The 20 bytes before the end record have the position of a ZIP64 record,
    // which states the number in 64 bits.
    let Some(locator) = at.checked_sub(20).and_then(|at| end.get(at..at + 20)) else { return Ok(None) };
    if !locator.starts_with(b"PK\x06\x07") {
        return Ok(Some(u64::from(u16::MAX)));
    }
    let position = number(&locator[8..16]);
    let mut record = Vec::new();
    file.seek(SeekFrom::Start(position.min(length)))?;
    Read::take(&mut *file, 40).read_to_end(&mut record)?;
    let is_record = record.len() == 40 && record.starts_with(b"PK\x06\x06");
    Ok(is_record.then(|| number(&record[32..40])))
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
