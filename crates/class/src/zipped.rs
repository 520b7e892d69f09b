//! Lists and reads the entries of a ZIP archive. Nothing is unpacked under the paths that the archive states.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use zip::ZipArchive;
use zip::read::ZipFile;

use super::central_directory;
use super::listing::{Contents, Entry, Kind, ListingError, MOST_ENTRIES};
use super::shown_names::{RawName, ShownNames};
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
    /// Lists the entries of the archive at `path`. The folders on the way to each file are listed, too. Fails if the
    /// archive cannot be read, is empty or contains only encrypted files.
    pub(crate) fn open(path: &Path) -> Result<(Vec<Entry>, Zipped), ListingError> {
        let mut archive = archive::open(path)?;
        let mut names = central_directory::names(path, archive.central_directory_start())?;
        let mut found = Found::default();
        let mut encrypted = 0;
        for number in 0..archive.len() {
            if stop::is_wanted() {
                return Err(ListingError::Interrupted);
            }
            let entry = archive.by_index_raw(number).map_err(ArchiveError::from)?;
            encrypted += usize::from(entry.encrypted());
            let times = names.remove(entry.name_raw()).unwrap_or(1);
            let kind = if times > 1 && !entry.is_dir() { twice() } else { kind_of(&entry) };
            found.add(entry.name_raw(), Some(entry.name()), kind, Some(number))?;
        }
        // Of several entries with the same decoded name, the library lists only one. These are the others.
        let mut hidden: Vec<_> = names.into_keys().collect();
        hidden.sort();
        let why = "has the name of another entry in another encoding; rename it";
        hidden.iter().try_for_each(|name| found.add(name, None, Kind::Unread(why.to_owned()), None))?;
        let is_file = |entry: &&Entry| entry.kind != Kind::Folder;
        match found.entries.iter().filter(is_file).count() {
            _ if found.entries.is_empty() => Err(ListingError::Empty),
            files if encrypted > 0 && encrypted == files => Err(ListingError::Encrypted),
            _ => Ok((found.entries, Zipped { archive, numbers: found.numbers, left: MOST_BYTES })),
        }
    }
}

fn twice() -> Kind {
    Kind::Unread("is in the archive twice; keep one of them".to_owned())
}

/// The entries that were found so far, with their numbers in the archive.
#[derive(Default)]
struct Found {
    names: ShownNames,
    seen: HashSet<Vec<String>>,
    entries: Vec<Entry>,
    numbers: Vec<Option<usize>>,
}

impl Found {
    /// Adds the entry of this name, and the folders on the way to it. An archive states whether its names are UTF-8, but
    /// macOS writes UTF-8 and does not state it. So a name that is valid UTF-8 is read as such, and others as `decoded`.
    fn add(
        &mut self,
        name: &[u8],
        decoded: Option<&str>,
        kind: Kind,
        number: Option<usize>,
    ) -> Result<(), ListingError> {
        let path = self.names.path(parts(name, decoded));
        for depth in 1..path.len() {
            let folder = path[..depth].to_vec();
            if self.seen.insert(folder.clone()) {
                self.push(folder, Kind::Folder, None)?;
            }
        }
        let is_new = self.seen.insert(path.clone());
        if path.is_empty() || (!is_new && kind == Kind::Folder) {
            return Ok(());
        }
        self.push(path, if is_new { kind } else { twice() }, number)
    }

    fn push(&mut self, path: Vec<String>, kind: Kind, number: Option<usize>) -> Result<(), ListingError> {
        if self.entries.len() >= MOST_ENTRIES {
            return Err(ListingError::TooMany);
        }
        self.entries.push(Entry { path, kind });
        self.numbers.push(number);
        Ok(())
    }
}

/// Returns the names in the path of an entry. A decoded name counts if it has the same parts, and no character that
/// stands for unknown ones.
fn parts<'a>(name: &'a [u8], decoded: Option<&'a str>) -> impl Iterator<Item = RawName<'a>> {
    let raw: Vec<_> = name.split(|byte| matches!(byte, b'/' | b'\\')).collect();
    let decoded: Vec<_> = decoded.map(|decoded| decoded.split(['/', '\\']).collect()).unwrap_or_default();
    let is_same = decoded.len() == raw.len();
    raw.into_iter().enumerate().filter(|(_, bytes)| !matches!(*bytes, b"" | b"." | b"..")).map(move |(at, bytes)| {
        let decoded = decoded.get(at).copied().filter(|text| is_same && !text.contains(char::REPLACEMENT_CHARACTER));
        RawName { bytes, decoded }
    })
}

fn kind_of<R: Read>(entry: &ZipFile<'_, R>) -> Kind {
    match archive::checked_path(entry) {
        Err(why) => {
            let name = printable(&entry.name_raw()[..entry.name_raw().len().min(80)]);
            Kind::Unfit(format!("is not read: the entry {name} {why}"))
        }
        Ok(_) if entry.is_symlink() => Kind::Unfit("is a link; hand in the file itself".to_owned()),
        Ok(_) if entry.is_dir() => Kind::Folder,
        Ok(_) => Kind::File(entry.size()),
    }
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
