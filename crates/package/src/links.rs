//! The gate to a package's files: links are followed inside the package, and nowhere else.
//!
//! Packages come from strangers. A link in one could name any file that the judge's user may read, and that file
//! would be compiled, shown in reports or exported. So every reader of package files asks [`resolve`] for the real path
//! of a file or folder, or takes all files of a folder from [`files`]. Format 2025-09, "General requirements":
//! "Symlinks must not have targets outside the problem package directory tree."

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::version::is_legal;
use referee_text::printable::printable;

/// A path that is not followed, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {}", shown(.path), self.reason())]
pub struct Refused {
    /// The link, below the package's folder. Where no link is to blame, the path itself.
    path: PathBuf,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    /// The link's text, and the real path that it leads to.
    Outside(PathBuf, PathBuf),
    /// The link's text, and the error in following it.
    Broken(PathBuf, ErrorKind),
    /// The link's text: it leads to a folder that holds it.
    Circle(PathBuf),
    /// No link, but a path with `..` in it, and the real path that it leads to.
    Path(PathBuf),
    /// A folder with more files than this.
    TooMany(usize),
    /// Neither a link nor the rules: the system's own words.
    Unreadable(String),
}

impl Refused {
    /// The reason, for a message that begins with the path.
    pub fn reason(&self) -> String {
        let outside = "is a link that leads out of the package";
        match &self.why {
            Why::Outside(text, target) if text == target => {
                format!("{outside}, to {}; put a copy in its place", shown(target))
            }
            Why::Outside(text, target) => {
                format!("{outside}, to {} ({}); put a copy in its place", shown(text), shown(target))
            }
            Why::Broken(text, ErrorKind::NotFound) => {
                format!("is a link that leads nowhere: {} is not there", shown(text))
            }
            Why::Broken(text, kind) => format!("is a link that leads nowhere: {}: {kind}", shown(text)),
            Why::Circle(text) => format!("is a link that leads to a folder that holds it: {}", shown(text)),
            Why::Path(target) => format!("leads out of the package, to {}", shown(target)),
            Why::TooMany(most) => {
                format!("holds more than {most} files and folders, counted through links")
            }
            Why::Unreadable(error) => format!("cannot be read: {error}"),
        }
    }

    /// The link or path below the folder `root` of the package.
    pub fn path_in(&self, root: &Path) -> PathBuf {
        root.join(&self.path)
    }
}

fn shown(path: &Path) -> String {
    printable(path.as_os_str().as_encoded_bytes()).replace('\n', "\u{240a}")
}

/// The real path of a file or folder of the package whose folder has the real path `root`. A path that is not there is
/// as it was given. Fails where a link, or the path itself, leads out of the package or nowhere.
pub fn resolve(root: &Path, path: &Path) -> Result<PathBuf, Refused> {
    match path.canonicalize() {
        Ok(real) if real.starts_with(root) => Ok(real),
        Ok(real) => Err(first_refused(root, path).unwrap_or_else(|| refused(root, path, Why::Path(real)))),
        Err(error) => match first_refused(root, path) {
            Some(refused) => Err(refused),
            None if error.kind() == ErrorKind::NotFound => Ok(path.to_path_buf()),
            None => Err(refused(root, path, Why::Unreadable(error.to_string()))),
        },
    }
}

fn refused(root: &Path, path: &Path, why: Why) -> Refused {
    Refused { path: path.strip_prefix(root).unwrap_or(path).to_path_buf(), why }
}

/// The first link on the way from `root` to `path` that leads nowhere or out of the package.
fn first_refused(root: &Path, path: &Path) -> Option<Refused> {
    let mut way = root.to_path_buf();
    for part in path.strip_prefix(root).ok()? {
        way.push(part);
        let Ok(text) = way.read_link() else { continue };
        let why = match way.canonicalize() {
            Ok(real) if real.starts_with(root) => continue,
            Ok(real) => Why::Outside(text, real),
            Err(error) => Why::Broken(text, error.kind()),
        };
        return Some(refused(root, &way, why));
    }
    None
}

/// The folder that the links of a program must stay in: that of the package. A copy of a program lies elsewhere, and
/// there it is the folder around the copy.
pub fn gate(package: &Path, program: &Path) -> PathBuf {
    if program.starts_with(package) {
        return package.to_path_buf();
    }
    let around = program.parent().unwrap_or(program);
    around.canonicalize().unwrap_or_else(|_| around.to_path_buf())
}

/// A file of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path below the folder that was looked through.
    pub below: PathBuf,
    /// Its real path, which lies in the package.
    pub real: PathBuf,
}

/// So many files and folders are looked through.
const MOST_ENTRIES: usize = 100_000;

/// The files of the folder `from`, in order of names, also those in folders and behind links inside the package.
/// Names that the format ignores are left out. If `from` is a file, that is the only one, and has an empty path.
pub fn files(root: &Path, from: &Path) -> Result<Vec<Found>, Vec<Refused>> {
    let refusals = RefCell::new(Vec::new());
    let counts = |entry: &DirEntry| {
        if entry.depth() > 0 && !entry.file_name().to_str().is_some_and(is_legal) {
            return false;
        }
        if entry.depth() > 0 && !entry.path_is_symlink() {
            return true;
        }
        resolve(root, entry.path()).map_err(|refused| refusals.borrow_mut().push(refused)).is_ok()
    };
    let mut found = Vec::new();
    let walk = WalkDir::new(from).follow_links(true).sort_by_file_name().into_iter();
    for (number, entry) in walk.filter_entry(counts).enumerate() {
        if number == MOST_ENTRIES {
            refusals.borrow_mut().push(refused(root, from, Why::TooMany(MOST_ENTRIES)));
            break;
        }
        match entry {
            Err(error) => refusals.borrow_mut().extend(not_walked(root, &error)),
            Ok(entry) if !entry.file_type().is_file() => {}
            Ok(entry) => match resolve(root, entry.path()) {
                Err(refused) => refusals.borrow_mut().push(refused),
                Ok(real) => {
                    let below = entry.path().strip_prefix(from).unwrap_or(entry.path()).to_path_buf();
                    found.push(Found { below, real });
                }
            },
        }
    }
    let refusals = refusals.into_inner();
    if refusals.is_empty() { Ok(found) } else { Err(refusals) }
}

/// Why a walk does not enter a path. `None` if its name does not count.
fn not_walked(root: &Path, error: &walkdir::Error) -> Option<Refused> {
    let path = error.path().unwrap_or(root);
    let counts = path == root || path.file_name().and_then(|name| name.to_str()).is_some_and(is_legal);
    counts.then(|| of_walk(root, path, error))
}

/// Why a walk through the package, which follows links, cannot enter `path`.
pub fn of_walk(root: &Path, path: &Path, error: &walkdir::Error) -> Refused {
    if error.loop_ancestor().is_some() {
        return refused(root, path, Why::Circle(path.read_link().unwrap_or_default()));
    }
    let words = || error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    resolve(root, path).err().unwrap_or_else(|| refused(root, path, Why::Unreadable(words())))
}

/// So many folders are looked at for links.
const MOST_FOLDERS: usize = 1_000_000;

/// Every link that leads nowhere or out of the package, below `from` and below the folders that links there lead to.
/// Names that begin with a dot do not count, as long as no link leads to them.
pub fn refused_below(root: &Path, from: &Path) -> Vec<Refused> {
    let mut refusals = Vec::new();
    let mut seen = BTreeSet::new();
    // A folder is named as it lies there, rather than by a link to it.
    let (mut own, mut linked) = (vec![from.to_path_buf()], Vec::new());
    while let Some(folder) = own.pop().or_else(|| linked.pop()) {
        match resolve(root, &folder) {
            Err(refused) => refusals.push(refused),
            Ok(real) => {
                if seen.len() < MOST_FOLDERS && seen.insert(real) {
                    look_into(root, &folder, &mut own, &mut linked, &mut refusals);
                }
            }
        }
    }
    refusals.sort_by(|one, other| one.path.cmp(&other.path));
    refusals
}

/// Sorts what lies in a folder: its folders, links to folders, and links that are refused.
fn look_into(
    root: &Path,
    folder: &Path,
    own: &mut Vec<PathBuf>,
    linked: &mut Vec<PathBuf>,
    refusals: &mut Vec<Refused>,
) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => own.push(path),
            Ok(kind) if kind.is_symlink() => match resolve(root, &path) {
                Err(refused) => refusals.push(refused),
                Ok(real) if real.is_dir() => linked.push(path),
                Ok(_) => {}
            },
            _ => {}
        }
    }
}
