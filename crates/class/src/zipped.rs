//! Lists and reads the entries of a ZIP archive. Nothing is unpacked under the paths that the archive states.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFile;

use super::listing::{Contents, Entry, Kind, ListingError, MOST_ENTRIES};
use referee_files::archive::{self, ArchiveError, Limited};
use referee_files::{regular, stop};
use referee_text::printable::printable;

/// The largest total size of the entries that are read, in bytes.
const MOST_BYTES: u64 = 4 << 30;

/// An open archive.
#[derive(Debug)]
pub(crate) struct Zipped {
    archive: ZipArchive<Limited>,
    /// The number in the archive of each listed entry; `None` for a folder that has no entry of its own.
    numbers: Vec<Option<usize>>,
    /// The number of bytes that may still be read.
    left: u64,
}

impl Zipped {
    /// Lists the entries of the archive at `path`. The folders on the way to each file are listed, too.
    pub(crate) fn open(path: &Path) -> Result<(Vec<Entry>, Zipped), ListingError> {
        let mut archive = archive::open(path)?;
        let (mut entries, mut numbers, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for number in 0..archive.len() {
            if stop::is_wanted() {
                return Err(ListingError::Interrupted);
            }
            let entry = archive.by_index_raw(number).map_err(ArchiveError::from)?;
            let (path, kind) = entry_of(&entry);
            for depth in 1..path.len() {
                let folder = path[..depth].to_vec();
                if seen.insert(folder.clone()) {
                    entries.push(Entry { path: folder, kind: Kind::Folder });
                    numbers.push(None);
                }
            }
            if entries.len() >= MOST_ENTRIES {
                return Err(ListingError::TooMany);
            }
            let is_new = seen.insert(path.clone());
            if path.is_empty() || (!is_new && kind == Kind::Folder) {
                continue;
            }
            let kind = if is_new { kind } else { Kind::Unfit("is in the archive twice".to_owned()) };
            entries.push(Entry { path, kind });
            numbers.push(Some(number));
        }
        Ok((entries, Zipped { archive, numbers, left: MOST_BYTES }))
    }
}

fn entry_of<R: Read>(entry: &ZipFile<'_, R>) -> (Vec<String>, Kind) {
    let name = name_of(entry);
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    let path = parts.map(str::to_owned).collect();
    let kind = match archive::checked_path(entry) {
        Err(why) => Kind::Unfit(format!("is not read: the entry {} {why}", printable(&first_bytes(&name)))),
        Ok(_) if entry.is_symlink() => Kind::Unfit("is a link; hand in the file itself".to_owned()),
        Ok(_) if entry.is_dir() => Kind::Folder,
        Ok(_) => Kind::File(entry.size()),
    };
    (path, kind)
}

fn first_bytes(name: &str) -> Vec<u8> {
    name.as_bytes()[..name.len().min(80)].to_vec()
}

/// Returns the name of an entry. An archive states whether its names are UTF-8, but macOS writes UTF-8 and does not
/// state it. So a name that is valid UTF-8 is read as such, and others are in code page 437.
fn name_of<R: Read>(entry: &ZipFile<'_, R>) -> String {
    std::str::from_utf8(entry.name_raw()).map_or_else(|_| entry.name().to_owned(), str::to_owned)
}

impl Contents for Zipped {
    fn beginning(&mut self, index: usize, most: u64) -> Result<Vec<u8>, String> {
        let unreadable = |error: &dyn std::fmt::Display| format!("cannot be unpacked: {error}");
        let number = self.numbers[index].ok_or("is a folder")?;
        let entry = self.archive.by_index(number).map_err(|error| unreadable(&error))?;
        if self.left == 0 {
            return Err(format!("is not read: the class unpacks to more than {} GiB", MOST_BYTES >> 30));
        }
        let mut bytes = Vec::new();
        regular::Stoppable(entry.take(most.min(self.left)))
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&error))?;
        self.left -= bytes.len() as u64;
        Ok(bytes)
    }
}
