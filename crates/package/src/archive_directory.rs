//! Checks the central directory of a ZIP archive before anything is unpacked. The central directory is the list of the
//! archive's entries at the end of the file. It states the number of entries and their sizes, so an archive that would
//! fill the disk or the memory is refused within milliseconds.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::ZipArchive;
use zip::result::ZipError;

use super::archive::{ArchiveError, MOST_BYTES, MOST_ENTRIES, checked_path};
use referee_files::stop;

/// Maximum number of bytes that are read to find and read the central directory.
const MOST_DIRECTORY_BYTES: u64 = 32 << 20;

/// An archive's file. While its central directory is read, only a limited number of bytes can be read from it. The bytes
/// that the reader asks for are counted, not those that the buffer reads ahead: the reader seeks twice for each entry,
/// and each time the buffer is filled again.
pub(super) struct Limited {
    file: BufReader<File>,
    left: Rc<Cell<u64>>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if stop::is_wanted() {
            return Err(io::Error::other("interrupted"));
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

/// Opens an archive and reads its central directory. Fails if the file is not an archive, or if the central directory
/// is too large or has too many entries.
pub(super) fn open(mut file: File) -> Result<ZipArchive<Limited>, ArchiveError> {
    let (end, at) = end_record(&mut file)?;
    let stated = at.map(|at| stated_entries(&mut file, &end, at)).transpose()?.flatten();
    if let Some(entries) = stated.filter(|&entries| entries > MOST_ENTRIES as u64) {
        return Err(ArchiveError::TooMany(entries));
    }
    let left = Rc::new(Cell::new(MOST_DIRECTORY_BYTES));
    let limited = Limited { file: BufReader::new(file), left: Rc::clone(&left) };
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

/// Checks the archive's list of entries: their paths, their sizes, and that `marker` is at the top level or in a folder
/// at the top level. `file_bytes` is the size of the archive.
pub(super) fn check(
    archive: &mut ZipArchive<Limited>,
    file_bytes: u64,
    marker: &'static str,
) -> Result<(), ArchiveError> {
    // Overlapping entries share compressed bytes: a small archive can then take very long to read. So an archive is
    // refused if the compressed sizes of its entries add up to more than the size of the archive file.
    let (mut unread, mut room) = (file_bytes, MOST_BYTES);
    let (mut has_links, mut has_marker) = (false, false);
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let path = checked_path(&entry)?;
        unread = unread.checked_sub(entry.compressed_size()).ok_or(ArchiveError::Overlapping)?;
        room = room.checked_sub(entry.size()).ok_or(ArchiveError::TooLarge)?;
        has_links |= entry.is_symlink();
        has_marker |= path.components().count() <= 2 && path.file_name().is_some_and(|name| name == marker);
    }
    // A link may lead to a folder that contains the marker, so an archive with links is not refused here.
    if has_marker || has_links { Ok(()) } else { Err(ArchiveError::NoPackage(format!("no {marker}"), marker)) }
}
