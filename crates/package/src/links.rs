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

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use rustix::fs::FileType;
use walkdir::{DirEntry, WalkDir};

use super::version::is_legal;
use referee_files::{folder, stop};
use referee_text::printable::printable;

/// A path that the judge refuses to follow, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {}", shown(.path), self.reason())]
pub struct Refused {
    /// The link that is refused, or the requested path if no link is at fault; relative to the package's folder.
    path: PathBuf,
    why: Why,
}

/// The reason why a path is refused. The text of a link is the path that is written in the link.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    /// A link leads out of the boundary. The fields are the link's text, the real path of the link's target, and
    /// whether links may lead into the archive.
    Outside(PathBuf, PathBuf, BeyondPackage),
    /// A link cannot be followed. The fields are the link's text and the error.
    Broken(PathBuf, ErrorKind),
    /// A link leads to a folder that contains the link. The field is the link's text.
    Circle(PathBuf),
    /// A path with `..` in it leads out of the package without a link. The field is the real path.
    Path(PathBuf),
    /// A folder contains more files and folders than this maximum.
    TooMany(usize),
    /// A folder contains folders that are nested deeper than [`MOST_DEPTH`].
    TooDeep,
    /// The user has interrupted the judge.
    Interrupted,
    /// The path cannot be read for another reason. The field is the system's error message.
    Unreadable(String),
}

impl Refused {
    /// Returns the reason, for a message that begins with the path.
    pub fn reason(&self) -> String {
        match &self.why {
            Why::Outside(text, target, archive) => {
                let real = if text == target { String::new() } else { format!(" ({})", shown(target)) };
                let (beyond, remedy) = archive.words();
                format!("is a link that leads out of the package{beyond}, to {}{real}; {remedy}", shown(text))
            }
            Why::Broken(text, ErrorKind::NotFound) => {
                format!("is a link that leads nowhere: {} does not exist", shown(text))
            }
            Why::Broken(text, kind) => format!("is a link to {} that cannot be followed: {kind}", shown(text)),
            Why::Circle(text) => format!("is a link to a folder that contains the link: {}", shown(text)),
            Why::Path(target) => format!("leads out of the package, to {}", shown(target)),
            Why::TooMany(most) => {
                format!("contains more than {most} files and folders, including those that links lead to")
            }
            Why::TooDeep => {
                format!("contains folders nested more than {MOST_DEPTH} deep; remove them or move their files up")
            }
            Why::Interrupted => "is not read to its end: interrupted".to_owned(),
            Why::Unreadable(error) => format!("cannot be read: {error}"),
        }
    }

    /// Whether the file or folder cannot be read, for example because its mode does not allow it.
    pub(super) fn is_unreadable(&self) -> bool {
        matches!(self.why, Why::Unreadable(_))
    }

    /// Whether no part of the package may be read because of this path, whatever the path is for.
    pub(super) fn concerns_the_whole_package(&self) -> bool {
        matches!(self.why, Why::TooDeep | Why::TooMany(_) | Why::Interrupted)
    }

    /// Returns the path of the refused link or file. `root` is the package's folder.
    pub fn path_in(&self, root: &Path) -> PathBuf {
        root.join(&self.path)
    }
}

fn shown(path: &Path) -> String {
    printable(path.as_os_str().as_encoded_bytes()).replace('\n', "\u{240a}")
}

/// Whether links may lead out of the package into the archive. The archive is a folder that contains this package and
/// others.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BeyondPackage {
    /// Never, because verdicts depend on the file.
    NotAllowed,
    /// They may lead into the archive, but the user named no archive.
    NotGiven,
    /// They may lead into this folder, which is a real path.
    Given(PathBuf),
}

impl BeyondPackage {
    /// Returns the rest of the sentence "leads out of the package", and what the user can do.
    fn words(&self) -> (String, &'static str) {
        match self {
            BeyondPackage::NotAllowed => (String::new(), "replace the link with a copy of its target"),
            BeyondPackage::NotGiven => (
                String::new(),
                "replace the link with a copy of its target, or allow the link with --root DIR, where DIR is a folder \
                 that contains the package and the target",
            ),
            BeyondPackage::Given(folder) => {
                (format!(" and out of --root {}", shown(folder)), "replace the link with a copy of its target")
            }
        }
    }
}

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

/// The largest number of folders that one call of [`Boundary::refused_below`] searches for links.
const MOST_FOLDERS: usize = 1_000_000;

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

    /// Returns every link that is broken or leads out of the boundary, and every entry of the package's folder with
    /// folders nested too deep, and every folder that cannot be read. The search covers `from` and the folders that
    /// links in it lead to. Names that begin with a dot are skipped, unless a link leads to them. Folders outside the
    /// package are not searched, even if the boundary includes them.
    pub fn refused_below(&self, from: &Path) -> Vec<Refused> {
        self.refused_below_except(from, None)
    }

    /// Returns what [`Boundary::refused_below`] returns, without what it would find in the folder `searched`, which was
    /// searched before.
    pub(super) fn refused_below_except(&self, from: &Path, searched: Option<&Path>) -> Vec<Refused> {
        let mut search = Search { boundary: self, own: Vec::new(), linked: Vec::new(), refusals: Vec::new() };
        let mut seen = BTreeSet::new();
        match self.resolve(from) {
            Err(refused) => search.refusals.push(refused),
            Ok(real) => search.own.push(Folder { path: from.to_path_buf(), real, depth: self.depth(from) }),
        }
        // The search visits real folders first, and only then folders behind links. If a folder with a refused link can
        // be reached in both ways, the message therefore shows the real path.
        while let Some(folder) = search.own.pop().or_else(|| search.linked.pop()) {
            if stop::is_wanted() {
                search.refusals = vec![self.refused(from, Why::Interrupted)];
                break;
            }
            let is_own = folder.real.starts_with(&self.package);
            let was_searched = searched.is_some_and(|searched| is_visible_below(&folder.real, searched));
            if is_own && !was_searched && seen.len() < MOST_FOLDERS && seen.insert(folder.real.clone()) {
                search.enter(&folder);
            }
        }
        search.refusals.sort_by(|one, other| one.path.cmp(&other.path));
        search.refusals.dedup();
        search.refusals
    }

    /// Returns the number of folders from the package's folder to `path`.
    fn depth(&self, path: &Path) -> usize {
        path.strip_prefix(&self.package).map_or(0, |below| below.components().count())
    }

    /// Returns the refusal of a folder that is nested too deep. The refusal names the entry of the package's folder,
    /// because the folder's own path is too long to read.
    fn refused_as_too_deep(&self, folder: &Path) -> Refused {
        let below = folder.strip_prefix(&self.package).unwrap_or(folder);
        Refused { path: below.iter().next().unwrap_or_default().into(), why: Why::TooDeep }
    }
}

/// Returns whether `path` is the folder `above` or in it, and no part of the way between them begins with a dot.
fn is_visible_below(path: &Path, above: &Path) -> bool {
    let below = path.strip_prefix(above);
    below.is_ok_and(|below| below.iter().all(|part| !part.as_encoded_bytes().starts_with(b".")))
}

/// A folder that a [`Search`] has found.
struct Folder {
    /// The path that messages show.
    path: PathBuf,
    /// The real path. It is built from the real path of the parent: resolving each path would take time that grows with
    /// the square of the depth.
    real: PathBuf,
    /// The number of folders from the package's folder to this one.
    depth: usize,
}

/// A search for links that are refused.
struct Search<'a> {
    boundary: &'a Boundary,
    /// Subfolders that are still to be searched.
    own: Vec<Folder>,
    /// Folders behind links that are still to be searched.
    linked: Vec<Folder>,
    refusals: Vec<Refused>,
}

impl Search<'_> {
    /// Sorts the entries of a folder into subfolders, links to folders, and refused links.
    fn enter(&mut self, folder: &Folder) {
        let depth = folder.depth + 1;
        let mut is_too_deep = false;
        let listed = folder::for_each(&folder.path, |name, kind| {
            if is_too_deep || name.as_encoded_bytes().starts_with(b".") {
                return;
            }
            let path = folder.path.join(name);
            let (real, list) = match kind {
                FileType::Directory => (folder.real.join(name), &mut self.own),
                FileType::Symlink => match self.boundary.resolve(&path) {
                    Err(refused) => return self.refusals.push(refused),
                    Ok(real) if real.is_dir() => (real, &mut self.linked),
                    Ok(_) => return,
                },
                _ => return,
            };
            if depth > MOST_DEPTH {
                self.refusals.push(self.boundary.refused_as_too_deep(&path));
                is_too_deep = true;
                return;
            }
            list.push(Folder { path, real, depth });
        });
        if let Err(error) = listed
            && error.kind() != ErrorKind::NotFound
        {
            self.refusals.push(self.boundary.refused(&folder.path, Why::Unreadable(error.to_string())));
        }
    }
}
