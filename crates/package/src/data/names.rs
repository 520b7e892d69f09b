//! Lists the entries of a test data folder in the order of judging.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::FileType;

use crate::findings::Findings;
use crate::version::is_legal;
use referee_files::folder;

/// An entry of a test data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// `NAME.in`, which declares the test case NAME.
    Case(&'a str),
    /// A folder that may hold test cases.
    Folder(&'a str),
    /// Any other file, or the folder `NAME.files`.
    File(&'a str),
}

/// The kind of an [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Case,
    Folder,
    File,
}

/// The entries of a test data folder, without those whose names the format does not allow. They are sorted by the key
/// that the format defines, which is the name of the case, folder or file: `1` comes before `1-large`, although
/// `1-large.in` sorts before `1.in`.
#[derive(Debug)]
pub(super) struct Entries {
    folder: OwnedFd,
    /// All keys, one after the other. A folder may have hundreds of thousands of entries, and a text for each would take
    /// several times the memory.
    text: String,
    places: Vec<Place>,
}

/// The kind of an entry, and where its key begins and how long it is, in bytes.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    length: u16,
    kind: Kind,
}

impl Place {
    fn key(self, text: &str) -> &str {
        let start = self.start as usize;
        &text[start..start + usize::from(self.length)]
    }
}

impl Entries {
    /// Lists the entries of `folder`. Reports a folder and a test case of the same name. Returns `None` and reports an
    /// error if the folder cannot be read.
    pub(super) fn of(folder: &Path, findings: &mut Findings) -> Option<Entries> {
        match Entries::unsorted(folder) {
            Ok(mut entries) => {
                let Entries { text, places, .. } = &mut entries;
                places.sort_unstable_by(|a, b| a.key(text).cmp(b.key(text)).then(a.kind.cmp(&b.kind)));
                entries.report_same_names(folder, findings);
                Some(entries)
            }
            Err(error) => {
                findings.error(folder, format!("cannot be read: {error}"));
                None
            }
        }
    }

    /// Fails if the folder cannot be read, or if all names together have more than 4 GiB.
    fn unsorted(folder: &Path) -> io::Result<Entries> {
        let (opened, mut text, mut places) = (folder::open(folder)?, String::new(), Vec::new());
        let mut fits = true;
        folder::for_each_in(opened.as_fd(), |name, kind| {
            let Some(name) = name.to_str().filter(|name| is_legal(name)) else { return };
            let (key, kind) = classified(folder, name, kind);
            match (u32::try_from(text.len()), u16::try_from(key.len())) {
                (Ok(start), Ok(length)) => {
                    places.push(Place { start, length, kind });
                    text.push_str(key);
                }
                _ => fits = false,
            }
        })?;
        if !fits {
            return Err(io::Error::other("the folder has too many entries, or their names are too long"));
        }
        Ok(Entries { folder: opened, text, places })
    }

    /// Returns the folder, which stays open.
    pub(super) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    fn report_same_names(&self, folder: &Path, findings: &mut Findings) {
        for (first, second) in self.iter().zip(self.iter().skip(1)) {
            if let (Entry::Case(case), Entry::Folder(name)) = (first, second)
                && case == name
            {
                findings.breach(
                    &folder.join(name),
                    format!(
                        "has the same name as the test case {case} beside this folder; rename the folder or the test \
                         case"
                    ),
                );
            }
        }
    }

    /// Returns the number of test cases in the folder.
    pub(super) fn case_count(&self) -> usize {
        self.places.iter().filter(|place| place.kind == Kind::Case).count()
    }

    /// Returns the entries in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.places.iter().map(|&place| self.entry(place))
    }

    fn entry(&self, place: Place) -> Entry<'_> {
        let key = place.key(&self.text);
        match place.kind {
            Kind::Case => Entry::Case(key),
            Kind::Folder => Entry::Folder(key),
            Kind::File => Entry::File(key),
        }
    }

    /// Returns whether there is a test case `name`. The search is binary, because a folder may have tens of thousands of
    /// entries.
    pub(super) fn has_case(&self, name: &str) -> bool {
        let start = self.places.partition_point(|place| place.key(&self.text) < name);
        let same = self.places[start..].iter().take_while(|place| place.key(&self.text) == name);
        same.into_iter().any(|place| place.kind == Kind::Case)
    }

    /// Returns the endings of all files whose names are `stem` and an ending that begins with a dot: `.ans` for the
    /// file `1.ans` and the stem `1`.
    pub(super) fn endings<'a>(&'a self, stem: &str) -> Vec<&'a str> {
        let is_before = |place: &Place| {
            let key = place.key(&self.text);
            key.strip_prefix(stem).map_or_else(|| key < stem, |ending| ending < ".")
        };
        let start = self.places.partition_point(is_before);
        let ending = |place: &Place| Some((place.kind, place.key(&self.text).strip_prefix(stem)?));
        let beginning = self.places[start..].iter().map_while(ending).take_while(|(_, ending)| ending.starts_with('.'));
        beginning.filter(|(kind, _)| *kind == Kind::File).map(|(_, ending)| ending).collect()
    }
}

/// Returns the key and the kind of the entry `name` of `folder`.
fn classified<'a>(folder: &Path, name: &'a str, kind: FileType) -> (&'a str, Kind) {
    match name.strip_suffix(".in") {
        Some(stem) if !stem.is_empty() => (stem, Kind::Case),
        _ if name.strip_suffix(".files").is_none() && is_folder(folder, name, kind) => (name, Kind::Folder),
        _ => (name, Kind::File),
    }
}

/// Whether the entry is a folder, or a link to one. Only for a link, this takes a further system call.
fn is_folder(folder: &Path, name: &str, kind: FileType) -> bool {
    kind == FileType::Directory || (kind == FileType::Symlink && folder.join(name).is_dir())
}

/// Returns the path relative to `base`, with `/` between its parts; empty if the path is not below `base`.
pub(crate) fn name_below(base: &Path, path: &Path) -> String {
    let below = path.strip_prefix(base).unwrap_or(Path::new(""));
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn listed(names: &[&str]) -> (Entries, Findings) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            match name.strip_suffix('/') {
                Some(name) => fs::create_dir(folder.path().join(name)).unwrap(),
                None => fs::write(folder.path().join(name), "").unwrap(),
            }
        }
        let mut findings = Findings::default();
        (Entries::of(folder.path(), &mut findings).unwrap(), findings)
    }

    #[test]
    fn entries_are_sorted_by_the_name_of_the_case_and_not_of_the_file() {
        let (entries, _) = listed(&["1-large.in", "1-large.ans", "1.in", "1.ans", "group/", "1.files/", "-bad.in"]);
        let wanted = [
            Entry::Case("1"),
            Entry::Case("1-large"),
            Entry::File("1-large.ans"),
            Entry::File("1.ans"),
            Entry::File("1.files"),
            Entry::Folder("group"),
        ];
        assert!(entries.iter().eq(wanted), "{entries:?}");
        assert!(entries.has_case("1") && entries.has_case("1-large"));
        assert!(!entries.has_case("group") && !entries.has_case("1.ans") && !entries.has_case("1.in"));
    }

    #[test]
    fn the_endings_of_a_stem_are_those_of_its_own_files() {
        let (entries, _) =
            listed(&["a.in", "a.ans", "a.in.download", "a-b.ans", "a0.ans", "a.b.in", "a.b.ans", "b.ans"]);
        assert_eq!(entries.endings("a"), [".ans", ".b.ans", ".in.download"]);
        assert_eq!(entries.endings("a.b"), [".ans"]);
        assert_eq!(entries.endings("b"), [".ans"]);
        assert!(entries.endings("c").is_empty() && entries.endings("").is_empty());
    }

    #[test]
    fn a_folder_with_the_name_of_a_case_is_a_breach() {
        let (_, findings) = listed(&["1/", "1.in"]);
        assert_eq!(findings.list.len(), 1);
        assert_eq!(listed(&["1/", "1.ans"]).1, Findings::default());
    }
}
