//! Lists the entries of a test data folder in the order of judging.

use std::fs;
use std::path::Path;

use crate::findings::Findings;
use crate::version::is_legal;

/// An entry of a test data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// `NAME.in`, which declares the test case NAME.
    Case(String),
    /// A folder that may hold test cases.
    Folder(String),
    /// Any other file, or the folder `NAME.files`.
    File(String),
}

impl Entry {
    /// Returns the sort key that the format defines: the name of the case, folder or file.
    fn key(&self) -> &str {
        match self {
            Entry::Case(name) | Entry::Folder(name) | Entry::File(name) => name,
        }
    }
}

/// Returns the folder's entries, without those whose names the format does not allow. They are sorted by case name: `1`
/// before `1-large`, although `1-large.in` sorts before `1.in`. Returns `None` and reports an error if the folder
/// cannot be read.
pub(super) fn entries(folder: &Path, findings: &mut Findings) -> Option<Vec<Entry>> {
    let found = match fs::read_dir(folder) {
        Ok(found) => found,
        Err(error) => {
            findings.error(folder, format!("cannot be read: {error}"));
            return None;
        }
    };
    let mut entries: Vec<_> = found.filter_map(|found| entry(&found.ok()?)).collect();
    entries.sort_by(|a, b| a.key().cmp(b.key()));
    for pair in entries.windows(2) {
        if let [Entry::Case(case), Entry::Folder(name)] | [Entry::Folder(name), Entry::Case(case)] = pair
            && case == name
        {
            findings.breach(
                &folder.join(name),
                format!(
                    "has the same name as the test case {case} beside this folder; rename the folder or the test case"
                ),
            );
        }
    }
    Some(entries)
}

/// Returns whether `entries` contains `wanted`. The search is binary, because a folder may have tens of thousands of
/// entries; `entries` must be sorted by name.
pub(super) fn has(entries: &[Entry], wanted: &Entry) -> bool {
    let start = entries.partition_point(|entry| entry.key() < wanted.key());
    entries[start..].iter().take_while(|entry| entry.key() == wanted.key()).any(|entry| entry == wanted)
}

/// Returns what the entry of a folder is; `None` if the format allows no such name.
fn entry(found: &fs::DirEntry) -> Option<Entry> {
    let name = found.file_name().into_string().ok().filter(|name| is_legal(name))?;
    Some(match name.strip_suffix(".in") {
        Some(stem) if !stem.is_empty() => Entry::Case(stem.to_owned()),
        _ if name.strip_suffix(".files").is_none() && is_folder(found) => Entry::Folder(name),
        _ => Entry::File(name),
    })
}

/// Whether the entry is a folder, or a link to one. Only for a link, this takes a further system call.
fn is_folder(found: &fs::DirEntry) -> bool {
    found.file_type().is_ok_and(|kind| kind.is_dir() || (kind.is_symlink() && found.path().is_dir()))
}

/// Returns the path relative to `base`, with `/` between its parts; empty if the path is not below `base`.
pub(crate) fn name_below(base: &Path, path: &Path) -> String {
    let below = path.strip_prefix(base).unwrap_or(Path::new(""));
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
