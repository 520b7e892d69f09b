//! What a file of a test case holds.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ending::Ending;

/// No file of a test case is larger.
pub(super) const LARGEST_BYTES: u64 = 256 << 20;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The bytes of this file.
    File(PathBuf),
    /// It is a link to another file of the same test case.
    Link(Ending),
}

/// The files of a test case.
pub(super) type Files = BTreeMap<Ending, Content>;

/// What is to be at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The bytes of this file.
    File(PathBuf),
    /// A short text.
    Text(String),
    /// A link that leads there, as it is written.
    Link(PathBuf),
}

impl Wanted {
    /// Whether that is there already.
    pub(super) fn is_at(&self, path: &Path) -> io::Result<bool> {
        let found = path.symlink_metadata()?;
        match self {
            Wanted::Link(target) => Ok(found.is_symlink() && path.read_link()? == *target),
            _ if !found.is_file() => Ok(false),
            Wanted::Text(text) => Ok(found.len() == text.len() as u64 && std::fs::read(path)? == text.as_bytes()),
            Wanted::File(own) => Ok(found.len() == own.metadata()?.len() && same(File::open(own)?, File::open(path)?)?),
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
