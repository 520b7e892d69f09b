//! Lists and reads the files of a folder. Links are listed, but not followed.

use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::listing::{Contents, Entry, Kind, ListingError, MOST_ENTRIES};
use super::shown_names::{RawName, ShownNames};
use super::{ignored, is_of_platform};
use referee_files::{regular, stop};

/// The number of folders inside each other that are searched.
const DEEPEST: usize = 16;

/// Of a folder that holds no programs, the number of entries that are listed, and the number of folders inside each
/// other that are searched.
const MOST_IGNORED: usize = 100;
const DEEPEST_IGNORED: usize = 3;

/// The paths of the listed files, by the indices of their entries.
#[derive(Debug)]
pub(crate) struct Folder(Vec<PathBuf>);

impl Folder {
    /// Lists only the file at `path`.
    pub(crate) fn of_file(path: &Path) -> Result<(Entry, Folder), ListingError> {
        let kind = Kind::File(path.metadata()?.len());
        let name = shown(Path::new(path.file_name().unwrap_or_default()), &mut ShownNames::default());
        Ok((Entry { path: name, kind }, Folder(vec![path.to_path_buf()])))
    }

    /// Lists the files and folders below `root`. Of a folder that holds no programs, lists only the first files, and
    /// none if a known tool made it, such as `.git`.
    pub(crate) fn open(root: &Path) -> Result<(Vec<Entry>, Folder), ListingError> {
        root.read_dir()?;
        let mut found = Found { root, names: ShownNames::default(), entries: Vec::new(), paths: Vec::new() };
        let mut walk = WalkDir::new(root).min_depth(1).max_depth(DEEPEST).sort_by_file_name().into_iter();
        while let Some(next) = walk.next() {
            match next {
                Ok(one) if is_skipped(&one) => {
                    walk.skip_current_dir();
                    found.add_ignored(&one)?;
                }
                Ok(one) => {
                    found.add_entry(&one)?;
                    found.add_if_too_deep(&one)?;
                }
                Err(error) => {
                    if let Some(path) = error.path().filter(|_| error.depth() > 0) {
                        found.add(path.to_path_buf(), Kind::Unread(unreadable(&error)))?;
                    }
                }
            }
        }
        Ok((found.entries, Folder(found.paths)))
    }
}

/// The files that were found so far.
struct Found<'a> {
    root: &'a Path,
    names: ShownNames,
    entries: Vec<Entry>,
    paths: Vec<PathBuf>,
}

impl Found<'_> {
    fn add(&mut self, path: PathBuf, kind: Kind) -> Result<(), ListingError> {
        if stop::is_wanted() {
            return Err(ListingError::Interrupted);
        }
        if self.entries.len() == MOST_ENTRIES {
            return Err(ListingError::TooMany);
        }
        let below = path.strip_prefix(self.root).unwrap_or(&path);
        self.entries.push(Entry { path: shown(below, &mut self.names), kind });
        self.paths.push(path);
        Ok(())
    }

    fn add_entry(&mut self, one: &DirEntry) -> Result<(), ListingError> {
        self.add(one.path().to_path_buf(), kind_of(one))
    }

    /// Says of a folder at the largest depth that its files are not searched, if it has any.
    fn add_if_too_deep(&mut self, one: &DirEntry) -> Result<(), ListingError> {
        let has_files = || one.path().read_dir().is_ok_and(|mut files| files.next().is_some());
        if one.file_type().is_dir() && one.depth() == DEEPEST && has_files() {
            let why = format!("is not searched, because it is {DEEPEST} folders deep; move its files up");
            self.add(one.path().to_path_buf(), Kind::Unread(why))?;
        }
        Ok(())
    }

    /// Adds a folder that holds no programs, and its first files, so that a message can name them.
    fn add_ignored(&mut self, folder: &DirEntry) -> Result<(), ListingError> {
        self.add_entry(folder)?;
        if ignored::is_of_tool(&name_of(folder)) {
            return Ok(());
        }
        let files = WalkDir::new(folder.path()).min_depth(1).max_depth(DEEPEST_IGNORED).sort_by_file_name();
        let files = files.into_iter().filter_map(Result::ok).take(MOST_IGNORED);
        files.filter(|one| one.file_type().is_file()).try_for_each(|one| self.add_entry(&one))
    }
}

/// Returns whether the entry is a folder that holds no programs.
fn is_skipped(one: &DirEntry) -> bool {
    let name = name_of(one);
    one.file_type().is_dir() && ignored::is_ignored_folder(&name) && !is_of_platform(&name)
}

fn name_of(one: &DirEntry) -> String {
    one.file_name().to_string_lossy().into_owned()
}

/// Returns the names of the path as they are shown.
fn shown(path: &Path, names: &mut ShownNames) -> Vec<String> {
    names.path(path.iter().map(|name| RawName { bytes: name.as_bytes(), decoded: None }))
}

fn kind_of(found: &DirEntry) -> Kind {
    let kind = found.file_type();
    if kind.is_dir() {
        Kind::Folder
    } else if kind.is_symlink() {
        let target = found.path().read_link().unwrap_or_default();
        Kind::Unfit(format!("is a link to {}; hand in the file itself", target.display()))
    } else if !kind.is_file() {
        Kind::Unfit("is a pipe, socket or device".to_owned())
    } else {
        found.metadata().map_or_else(|error| Kind::Unread(unreadable(&error)), |found| Kind::File(found.len()))
    }
}

fn unreadable(error: &walkdir::Error) -> String {
    match error.io_error() {
        Some(error) => format!("cannot be read: {error}"),
        None => "cannot be read".to_owned(),
    }
}

impl Contents for Folder {
    fn beginning(&mut self, index: usize, most: u64) -> Result<Vec<u8>, String> {
        let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
        let mut bytes = Vec::new();
        // A file may become a link after it was listed.
        if self.0[index].is_symlink() {
            return Err("is a link; hand in the file itself".to_owned());
        }
        let file = regular::open(&self.0[index]).map_err(unreadable)?;
        regular::Stoppable(file.take(most)).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }
}
