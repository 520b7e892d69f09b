//! Reads the names in the central directory of a ZIP archive: the list of its entries at the end of the file. The
//! library that unpacks entries keeps only the last one of each name, so it hides that a name is there twice.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use referee_files::regular;

/// The length of the fixed part of an entry, in bytes.
const FIXED_BYTES: usize = 46;

/// The largest number of bytes that are read. `referee_files::archive` refuses archives with a larger directory.
const MOST_BYTES: u64 = 32 << 20;

/// Returns how often each name is in the directory that begins at byte `start` of the archive at `path`. Reads up to the
/// first bytes that are no entry. Fails if the file cannot be read.
pub(crate) fn names(path: &Path, start: u64) -> io::Result<HashMap<Vec<u8>, usize>> {
    let mut file = regular::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    regular::Stoppable(file.take(MOST_BYTES)).read_to_end(&mut bytes)?;
    let mut names = HashMap::new();
    let mut rest = bytes.as_slice();
    while let Some((name, after)) = first_entry(rest) {
        *names.entry(name.to_vec()).or_default() += 1;
        rest = after;
    }
    Ok(names)
}

/// Returns the name of the entry at the start of these bytes, and the bytes after the entry; `None` if there is none.
fn first_entry(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if !bytes.starts_with(b"PK\x01\x02") {
        return None;
    }
    let length = |at: usize| Some(usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])));
    let fields = FIXED_BYTES + length(28)?;
    let comment = fields + length(30)?;
    let name = bytes.get(FIXED_BYTES..fields)?;
    let name = unicode_path(bytes.get(fields..comment)?).unwrap_or(name);
    Some((name, bytes.get(comment + length(32)?..)?))
}

/// Returns the name in the field "Info-ZIP Unicode Path" (0x7075) of the extra fields of an entry, which the library takes
/// instead of the entry's own name; `None` if there is no such field.
fn unicode_path(mut extra: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    while let [first, second, low, high, rest @ ..] = extra {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let field = rest.get(..length)?;
        if [*first, *second] == [0x75, 0x70] {
            // A version and a checksum stand before the name.
            found = field.get(5..);
        }
        extra = &rest[length..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_cut_off_are_no_entries() {
        let mut entry = b"PK\x01\x02".to_vec();
        entry.resize(FIXED_BYTES, 0);
        entry[28] = 2;
        entry[30] = 1;
        entry.extend(b"ab_PK");
        assert_eq!(first_entry(&entry), Some((&b"ab"[..], &b"PK"[..])));
        for length in 0..FIXED_BYTES + 3 {
            assert_eq!(first_entry(&entry[..length]), None, "{length}");
        }
    }

    #[test]
    fn the_name_in_unicode_replaces_the_name_of_the_entry() {
        let mut entry = b"PK\x01\x02".to_vec();
        entry.resize(FIXED_BYTES, 0);
        (entry[28], entry[30]) = (1, 4 + 2 + 4 + 7);
        entry.extend(b"?\x01\x00\x02\x00xxup\x07\x00\x01crc4\xc3\xb6PK");
        assert_eq!(first_entry(&entry), Some(("\u{f6}".as_bytes(), &b"PK"[..])));
    }
}
