//! Controls access to a package's files: links are followed only inside a [`Boundary`].
//!
//! Packages are untrusted. A link in one could name any file that the judge's user may read, and that file would be
//! compiled, shown in reports or exported. So all code that reads package files first calls one of two functions:
//! [`Boundary::resolve`] returns the real path of a file or folder, and [`Boundary::files`] returns all files of a
//! folder. The section "General requirements" of format 2025-09 says: "Symlinks must not have targets outside the
//! problem package directory tree."
//!
//! Archives of contests break this rule: programs of several packages share headers by links. If the user names the
//! archive's folder, the links of programs may also lead to files of that folder. Links in `data/` and links to
//! settings files must never lead out of the package; use [`resolve`] for these.

mod refused;
mod search;

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::version::is_legal;
use referee_files::stop;
pub use refused::Refused;
use refused::{BeyondPackage, Why};

/// The only folders into which a package's links may lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// The real path of the package's folder.
    package: PathBuf,
    archive: BeyondPackage,
}

impl Boundary {
    /// Returns the boundary for files that verdicts depend on: only the package. `root` is the real path of the
    /// package's folder.
    pub fn of_package(root: &Path) -> Boundary {
        Boundary { package: root.to_path_buf(), archive: BeyondPackage::NotAllowed }
    }

    /// Returns the boundary for programs: the package, and also the folder `archive` if the user named one. `root` and
    /// `archive` are real paths.
    pub fn of_programs(root: &Path, archive: Option<&Path>) -> Boundary {
        let archive = archive.map_or(BeyondPackage::NotGiven, |folder| BeyondPackage::Given(folder.to_path_buf()));
        Boundary { package: root.to_path_buf(), archive }
    }

    /// Returns the boundary for one program. For a program in the package, that is `self`. For a program outside the
    /// package, the boundary is the folder that contains the program.
    #[must_use]
    pub fn of_program(&self, program: &Path) -> Boundary {
        if program.starts_with(&self.package) {
            return self.clone();
        }
        let around = program.parent().unwrap_or(program);
        Boundary::of_package(&around.canonicalize().unwrap_or_else(|_| around.to_path_buf()))
    }

    /// Returns the real path of the package's folder.
    pub fn package(&self) -> &Path {
        &self.package
    }

    fn contains(&self, real: &Path) -> bool {
        let in_archive = matches!(&self.archive, BeyondPackage::Given(folder) if real.starts_with(folder));
        in_archive || real.starts_with(&self.package)
    }

    /// Returns the real path of a file or folder in the package. A path that does not exist is returned unchanged.
    /// Fails if a link is broken, if the path leads out of the boundary, or if the path cannot be read.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, Refused> {
        if let Some(real) = self.without_links(path) {
            return Ok(real);
        }
        match path.canonicalize() {
            Ok(real) if self.contains(&real) => Ok(real),
            Ok(real) => Err(self.first_refused(path).unwrap_or_else(|| self.refused(path, Why::Path(real)))),
            Err(error) => match self.first_refused(path) {
                Some(refused) => Err(refused),
                None if error.kind() == ErrorKind::NotFound => Ok(path.to_path_buf()),
                None => Err(self.refused(path, Why::Unreadable(error.to_string()))),
            },
        }
    }

    /// Returns the real path of an existing file or folder in the package if no part of the way from the package's
    /// folder is a link; otherwise `None`. It takes one system call for each part, instead of one for each part of the
    /// whole path.
    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        let mut real = self.package.clone();
        for part in path.strip_prefix(&self.package).ok()?.components() {
            let Component::Normal(name) = part else { return None };
            real.push(name);
            real.symlink_metadata().ok().filter(|found| !found.is_symlink())?;
        }
        Some(real)
    }

    fn refused(&self, path: &Path, why: Why) -> Refused {
        Refused { path: path.strip_prefix(&self.package).unwrap_or(path).to_path_buf(), why }
    }

    /// Returns the first link on the way to `path` that is broken or leads out of the boundary; `None` if there is
    /// none.
    fn first_refused(&self, path: &Path) -> Option<Refused> {
        let mut way = self.package.clone();
        for part in path.strip_prefix(&self.package).ok()? {
            way.push(part);
            let Ok(text) = way.read_link() else { continue };
            let why = match way.canonicalize() {
                Ok(real) if self.contains(&real) => continue,
                Ok(real) => Why::Outside(text, real, self.archive.clone()),
                Err(error) => Why::Broken(text, error.kind()),
            };
            return Some(self.refused(&way, why));
        }
        None
    }
}

/// Returns the real path of a file or folder in the package, like [`Boundary::resolve`]. The boundary is only the
/// package, without an archive.
pub fn resolve(root: &Path, path: &Path) -> Result<PathBuf, Refused> {
    Boundary::of_package(root).resolve(path)
}

/// A file of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The path relative to the folder that was searched.
    pub below: PathBuf,
    /// The real path, which is inside the boundary.
    pub real: PathBuf,
}

/// The largest number of files and folders that one call of [`Boundary::files`] may visit.
const MOST_ENTRIES: usize = 100_000;

/// The largest number of folders on the way from the package's folder to a folder in it. Each folder makes the paths
/// below it longer, and the time to open a path grows with its length.
pub(super) const MOST_DEPTH: usize = 100;

impl Boundary {
    /// Returns the files of the folder `from`, sorted by name, including files in subfolders and behind links inside
    /// the boundary. Names that the format ignores are left out. If `from` is a file, returns only that file, with an
    /// empty [`Found::below`]. If any path is refused, fails with all refused paths.
    pub fn files(&self, from: &Path) -> Result<Vec<Found>, Vec<Refused>> {
        let refusals = RefCell::new(Vec::new());
        // The real paths of the folders on the way to the current entry, and of this entry. Only links are resolved,
        // because resolving a path takes a system call for each folder on the way. A file that becomes a link during
        // the walk is not noticed here; the copy for the compiler checks again.
        let reals = RefCell::new(Vec::<PathBuf>::new());
        let real = |entry: &DirEntry| match entry
            .depth()
            .checked_sub(1)
            .and_then(|above| reals.borrow().get(above).cloned())
        {
            Some(folder) if !entry.path_is_symlink() => Ok(folder.join(entry.file_name())),
            _ => self.resolve(entry.path()),
        };
        let counts = |entry: &DirEntry| {
            if entry.depth() > 0 && !entry.file_name().to_str().is_some_and(is_legal) {
                return false;
            }
            let real = real(entry).map_err(|refused| refusals.borrow_mut().push(refused));
            reals.borrow_mut().truncate(entry.depth());
            reals.borrow_mut().extend(real.iter().cloned());
            real.is_ok()
        };
        let mut found = Vec::new();
        let walk = WalkDir::new(from).follow_links(true).sort_by_file_name().into_iter();
        for (number, entry) in walk.filter_entry(counts).enumerate() {
            if number == MOST_ENTRIES {
                refusals.borrow_mut().push(self.refused(from, Why::TooMany(MOST_ENTRIES)));
                break;
            }
            if stop::is_wanted() {
                refusals.borrow_mut().push(self.refused(from, Why::Interrupted));
                break;
            }
            match entry {
                Err(error) => refusals.borrow_mut().extend(self.refused_unless_ignored(&error)),
                Ok(entry) if !entry.file_type().is_file() => {}
                Ok(entry) => {
                    let below = entry.path().strip_prefix(from).unwrap_or(entry.path()).to_path_buf();
                    found.extend(reals.borrow().last().map(|real| Found { below, real: real.clone() }));
                }
            }
        }
        let refusals = refusals.into_inner();
        if refusals.is_empty() { Ok(found) } else { Err(refusals) }
    }

    /// Returns why a walk cannot read the path in `error`; `None` if the format ignores the name of that path.
    fn refused_unless_ignored(&self, error: &walkdir::Error) -> Option<Refused> {
        let path = error.path().unwrap_or(&self.package);
        let counts = path == self.package || path.file_name().and_then(|name| name.to_str()).is_some_and(is_legal);
        counts.then(|| self.refused_in_walk(path, error))
    }

    /// Returns why a walk that follows links cannot read `path`.
    pub fn refused_in_walk(&self, path: &Path, error: &walkdir::Error) -> Refused {
        if error.loop_ancestor().is_some() {
            return self.refused(path, Why::Circle(path.read_link().unwrap_or_default()));
        }
        let message = || error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
        self.resolve(path).err().unwrap_or_else(|| self.refused(path, Why::Unreadable(message())))
    }
}
