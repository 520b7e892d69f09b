//! The content of the files of a test case.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ending::Ending;

use referee_files::regular;

/// The maximum size of a file of a test case, in bytes.
pub(super) const LARGEST_BYTES: u64 = 256 << 20;

/// The content of a file of a generated test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The bytes of the file at this path.
    File(PathBuf),
    /// A link to the file of the same test case that has this extension.
    Link(Ending),
}

/// The files of a test case.
pub(super) type Files = BTreeMap<Ending, Content>;

/// The planned content of a path in `data/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TargetContent {
    /// The bytes of the file at this path.
    File(PathBuf),
    /// A short text.
    Text(String),
    /// A symbolic link with this target.
    Link(PathBuf),
}

impl TargetContent {
    /// Returns whether the file at `path` already has this content.
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        let found = path.symlink_metadata()?;
        match self {
            TargetContent::Link(target) => Ok(found.is_symlink() && path.read_link()? == *target),
            _ if !found.is_file() => Ok(false),
            TargetContent::Text(text) => {
                Ok(found.len() == text.len() as u64 && regular::read(path, regular::LARGEST_BYTES)? == text.as_bytes())
            }
            TargetContent::File(own) => {
                Ok(found.len() == own.metadata()?.len() && same(regular::open(own)?, regular::open(path)?)?)
            }
        }
    }
}

fn same(one: File, other: File) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one).bytes(), BufReader::new(other).bytes());
    loop {
        match (one.next().transpose()?, other.next().transpose()?) {
            (None, None) => return Ok(true),
            (left, right) if left != right => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_told_by_its_bytes_and_not_by_its_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("own", "12\n"), ("same", "12\n"), ("other", "13\n"), ("longer", "12\n\n")] {
            std::fs::write(path(name), text).unwrap();
        }
        std::os::unix::fs::symlink("own", path("link")).unwrap();
        for wanted in [TargetContent::File(path("own")), TargetContent::Text("12\n".to_owned())] {
            let there = ["same", "other", "longer", "link"].map(|name| wanted.is_at(&path(name)).unwrap());
            assert_eq!(there, [true, false, false, false], "{wanted:?}");
            assert_eq!(wanted.is_at(&path("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
        let leads = |to: &str| TargetContent::Link(to.into()).is_at(&path("link")).unwrap();
        assert!(leads("own") && !leads("same") && !TargetContent::Link("own".into()).is_at(&path("own")).unwrap());
    }
}
