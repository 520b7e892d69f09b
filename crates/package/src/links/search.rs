//! Searches folders for links that are refused.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::refused::Why;
use super::{Boundary, MOST_DEPTH, Refused};
use referee_files::{folder, stop};

/// The largest number of folders that one call of [`Boundary::refused_below`] searches for links.
const MOST_FOLDERS: usize = 1_000_000;

impl Boundary {
    /// Returns every link that is broken or leads out of the boundary, and every entry of the package's folder with
    /// folders nested too deep, and every folder that cannot be read. The search covers `from` and the folders that
    /// links in it lead to. Names that begin with a dot are skipped, unless a link leads to them. Folders outside the
    /// package are not searched, even if the boundary includes them.
    pub fn refused_below(&self, from: &Path) -> Vec<Refused> {
        self.refused_below_except(from, None)
    }

    /// Returns what [`Boundary::refused_below`] returns, without what it would find in the folder `searched`, which was
    /// searched before.
    pub(crate) fn refused_below_except(&self, from: &Path, searched: Option<&Path>) -> Vec<Refused> {
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
