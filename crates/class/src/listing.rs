//! The files of a folder or an archive, as a list.

use std::io;
use std::path::Path;

use super::folder::Folder;
use super::zipped::Zipped;
use referee_files::archive::ArchiveError;

/// The largest number of files and folders in a class.
pub(crate) const MOST_ENTRIES: usize = 100_000;

/// Why the files of a class cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    /// The folder cannot be read.
    #[error("{0}")]
    Folder(#[from] io::Error),
    /// The archive cannot be read.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
    /// The archive has no entries.
    #[error("is an empty archive")]
    Empty,
    /// All files of the archive are encrypted.
    #[error("is encrypted")]
    Encrypted,
    /// There are too many files and folders.
    #[error("it has more than {MOST_ENTRIES} files and folders; give the folder of one class")]
    TooMany,
    /// The user wants the program to stop.
    #[error("interrupted")]
    Interrupted,
}

/// The kind of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file of this size, in bytes.
    File(u64),
    Folder,
    /// Neither. Contains the end of a sentence about it, such as "is a link".
    Unfit(String),
    /// A file or folder whose contents are unknown: it cannot be read, or another has its name. Contains the end of a
    /// sentence about it.
    Unread(String),
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The names of the folders from the top, then its own name. No name is empty, `.` or `..`.
    pub(crate) path: Vec<String>,
    pub(crate) kind: Kind,
}

impl Entry {
    pub(crate) fn shown(&self) -> String {
        self.path.join("/")
    }
}

/// Reads the files of a [`Listing`].
pub(crate) trait Contents: std::fmt::Debug {
    /// Returns the first `most` bytes of the entry with this index, or all if it has fewer. Fails with the end of a
    /// sentence about the file.
    fn beginning(&mut self, index: usize, most: u64) -> Result<Vec<u8>, String>;
}

/// The files of a folder or an archive.
#[derive(Debug)]
pub struct Listing {
    pub(crate) entries: Vec<Entry>,
    pub(crate) contents: Box<dyn Contents>,
    /// The file name of the folder or archive; empty if it has none.
    pub(crate) name: String,
    is_archive: bool,
}

impl Listing {
    /// Lists the folder or ZIP archive at `path`. Fails if it cannot be read.
    pub fn open(path: &Path) -> Result<Listing, ListingError> {
        let is_archive = !path.is_dir();
        let (entries, contents): (_, Box<dyn Contents>) = if is_archive {
            let (entries, zipped) = Zipped::open(path)?;
            (entries, Box::new(zipped))
        } else {
            let (entries, folder) = Folder::open(path)?;
            (entries, Box::new(folder))
        };
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let name = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Listing { entries, contents, name, is_archive })
    }

    /// Lists the folder of one program, or the one file of a program. Fails if it cannot be read.
    pub fn open_program(path: &Path) -> Result<Listing, ListingError> {
        if path.is_dir() {
            return Listing::open(path);
        }
        let (entry, folder) = Folder::of_file(path)?;
        Ok(Listing { name: entry.shown(), entries: vec![entry], contents: Box::new(folder), is_archive: false })
    }

    /// Returns whether the files are in an archive.
    pub fn is_archive(&self) -> bool {
        self.is_archive
    }

    /// Returns whether a file called `name` is at the top level, or in a folder at the top level.
    pub fn has_marker(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.path.len() <= 2 && entry.path.last().is_some_and(|last| last == name))
    }
}
