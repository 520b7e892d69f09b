//! Why a path is refused, in words for the user.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::MOST_DEPTH;
use referee_text::printable::printable;

/// A path that the judge refuses to follow, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {}", shown(.path), self.reason())]
pub struct Refused {
    /// The link that is refused, or the requested path if no link is at fault; relative to the package's folder.
    pub(super) path: PathBuf,
    pub(super) why: Why,
}

/// The reason why a path is refused. The text of a link is the path that is written in the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
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
    pub(crate) fn is_unreadable(&self) -> bool {
        matches!(self.why, Why::Unreadable(_))
    }

    /// Whether no part of the package may be read because of this path, whatever the path is for.
    pub(crate) fn concerns_the_whole_package(&self) -> bool {
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
pub(super) enum BeyondPackage {
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
