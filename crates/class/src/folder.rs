//! Lists and reads the files of a folder. Links are listed, but not followed.

use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::ignored;
use super::listing::{Contents, Entry, Kind, ListingError, MOST_ENTRIES};
use referee_files::{regular, stop};

/// The number of folders inside each other that are searched.
const DEEPEST: usize = 16;

/// The paths of the listed files, by the indices of their entries.
#[derive(Debug)]
pub(crate) struct Folder(Vec<PathBuf>);

impl Folder {
    /// Lists only the file at `path`.
    pub(crate) fn of_file(path: &Path) -> Result<(Entry, Folder), ListingError> {
        let kind = Kind::File(path.metadata()?.len());
        Ok((Entry { path: vec![name_of(path)], kind }, Folder(vec![path.to_path_buf()])))
    }

    /// Lists the files and folders below `root`. Does not search folders that hold no programs, such as `.git`.
    pub(crate) fn open(root: &Path) -> Result<(Vec<Entry>, Folder), ListingError> {
        root.read_dir()?;
        let (mut entries, mut paths) = (Vec::new(), Vec::new());
        let mut walk = WalkDir::new(root).min_depth(1).max_depth(DEEPEST).sort_by_file_name().into_iter();
        while let Some(found) = walk.next() {
            if stop::is_wanted() {
                return Err(ListingError::Interrupted);
            }
            if entries.len() == MOST_ENTRIES {
                return Err(ListingError::TooMany);
            }
            let (path, kind) = match found {
                Ok(found) => {
                    if found.file_type().is_dir() && ignored::is_ignored_folder(&name_of(found.path())) {
                        walk.skip_current_dir();
                    }
                    (found.path().to_path_buf(), kind_of(&found))
                }
                Err(error) => match (error.path(), error.depth()) {
                    (Some(path), depth) if depth > 0 => (path.to_path_buf(), Kind::Unfit(unreadable(&error))),
                    _ => continue,
                },
            };
            let below = path.strip_prefix(root).unwrap_or(&path);
            entries.push(Entry { path: below.iter().map(|name| name.to_string_lossy().into_owned()).collect(), kind });
            paths.push(path);
        }
        Ok((entries, Folder(paths)))
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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
        found.metadata().map_or_else(|error| Kind::Unfit(unreadable(&error)), |found| Kind::File(found.len()))
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
