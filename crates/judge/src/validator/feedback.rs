//! Reads the files that an output validator leaves in its feedback folder. A submission may have tricked the validator,
//! so the judge does not trust the files: it follows no links, reads no pipes or devices, and reads a bounded number of
//! bytes.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use walkdir::WalkDir;

use crate::workspace::copy::{self, CopyError, Purpose};
use crate::workspace::folder::path_of;
use referee_grading::score::{Given, Written};
use referee_text::printable::printable;

/// Maximum length of a message that is read, in bytes.
const MESSAGE_BYTES: u64 = 64 << 10;

/// A name up to this length, in bytes, becomes the name of a feedback folder unchanged. A longer name is cut to this
/// length, and 17 bytes with a hash are added.
const LONGEST_NAME: usize = 200;

/// Maximum size of a feedback folder that is stored, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// The contents of a feedback folder.
pub(super) struct Feedback {
    pub(super) judge_message: Option<String>,
    pub(super) team_message: Option<String>,
    /// The byte offsets at which the answer and the output differ; `None` if the validator wrote none.
    pub(super) difference: Option<(usize, usize)>,
    /// The scores that the validator wrote.
    pub(super) given: Given,
    /// The total size of the files, in bytes.
    pub(super) bytes: u64,
}

/// Reads the feedback folder.
pub(super) fn read(folder: &OwnedFd) -> Feedback {
    Feedback {
        judge_message: text(folder, "judgemessage.txt"),
        team_message: text(folder, "teammessage.txt"),
        difference: text(folder, "diffposition.txt").and_then(|text| parse_difference(&text)),
        given: Given { score: written(folder, "score.txt"), multiplier: written(folder, "score_multiplier.txt") },
        bytes: size(folder),
    }
}

/// The folder to which the feedback on one test case is copied.
pub(super) struct Target {
    /// The feedback folder that the user named.
    root: PathBuf,
    /// The names of the folders from `root` to this one.
    below: Vec<String>,
}

/// Returns the folder for the feedback on one test case: `folder/SUBMISSION/CASE/VALIDATOR`.
pub(super) fn target(folder: &Path, (submission, case): (&str, &str), validator: &str) -> Target {
    let parts = [submission, case, validator];
    let names = parts.iter().flat_map(|part| Path::new(part).components()).filter_map(|part| match part {
        Component::Normal(name) => Some(shortened(&name.to_string_lossy())),
        // The names `../a.cpp` and `a.cpp` of two submissions must lead to two folders.
        Component::ParentDir => Some(UP.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    Target { root: folder.to_path_buf(), below: names.collect() }
}

impl Target {
    /// Opens the folder that contains this one, and returns it with this folder's name. Makes missing folders. Follows no
    /// links below the folder that the user named: another user may have put a link there, and files behind it would be
    /// removed. The error says why a folder cannot be opened.
    fn open_parent(&self) -> Result<(OwnedFd, &str), String> {
        let mut path = self.root.clone();
        let describe = |path: &Path, error: Errno| match error {
            Errno::LOOP | Errno::NOTDIR => format!("{} is a link or a file, remove it", path.display()),
            error => format!("{}: {error}", path.display()),
        };
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(CWD, &self.root, flags, Mode::empty());
        let mut folder = opened.map_err(|error| describe(&path, error))?;
        let (last, above) = self.below.split_last().ok_or("the feedback has no name")?;
        for name in above {
            path.push(name);
            folder = open_below(&folder, name).map_err(|error| describe(&path, error))?;
        }
        Ok((folder, last))
    }
}

/// Makes a folder unless it exists, and opens it. Fails if it is a link.
fn open_below(folder: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    match rustix::fs::mkdirat(folder, name, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error),
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::openat(folder, name, flags, Mode::empty())
}

/// The name that replaces `..`.
const UP: &str = "_up";

/// Shortens a name that is too long for a file system. A hash keeps shortened names distinct.
fn shortened(name: &str) -> String {
    if name.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let end = (0..=LONGEST_NAME).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!("{}-{}", &name[..end], &blake3::hash(name.as_bytes()).to_hex()[..16])
}

/// The name of the file with which a validator requests another pass.
pub(super) const NEXT_PASS: &str = "nextpass.in";

/// Reads and removes the input of the next pass; `None` if there is no such file. The error says why the file cannot be
/// used.
pub(super) fn take_next_pass(folder: &OwnedFd, most_bytes: u64) -> Result<Option<Vec<u8>>, String> {
    let describe = |error: io::Error| format!("{NEXT_PASS} cannot be read: {error}");
    let file = match open_plainly(folder, NEXT_PASS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(describe(error)),
        Ok(file) => file,
    };
    let mut text = Vec::new();
    file.take(most_bytes + 1).read_to_end(&mut text).map_err(describe)?;
    if text.len() as u64 > most_bytes {
        return Err(format!("{NEXT_PASS} has more than the {most_bytes} bytes that a validator may write"));
    }
    rustix::fs::unlinkat(folder, NEXT_PASS, AtFlags::empty()).map_err(|error| describe(error.into()))?;
    Ok(Some(text))
}

fn size(folder: &OwnedFd) -> u64 {
    let files = WalkDir::new(path_of(folder)).follow_root_links(true).into_iter().filter_map(Result::ok);
    files.filter_map(|entry| entry.metadata().ok()).filter(fs::Metadata::is_file).map(|found| found.len()).sum()
}

/// Removes the feedback files of an earlier run from `target`, and copies the new feedback files there. The error says
/// why the copy failed.
pub(super) fn store(folder: &OwnedFd, target: &Target) -> Result<(), String> {
    let shown = || target.below.iter().fold(target.root.clone(), |path, name| path.join(name)).display().to_string();
    let describe = |error: io::Error| format!("{}: {error}", shown());
    let (parent, name) = target.open_parent()?;
    // This removes a link itself, and not what the link leads to.
    let _ = fs::remove_dir_all(path_of(&parent).join(name));
    let new = open_below(&parent, name).map_err(|error| describe(error.into()))?;
    match copy::copy(&path_of(folder), &path_of(&new), KEPT_BYTES, Purpose::Compiled) {
        Ok(()) => Ok(()),
        Err(CopyError::Unfit(reason)) => Err(reason),
        Err(CopyError::System(error)) => Err(describe(error)),
    }
}

/// Removes the files that [`store`] copied. A file that cannot be removed stays.
pub(super) fn remove_stored(folder: &Path, names: (&str, &str), validator: &str) {
    if let Ok((parent, name)) = target(folder, names, validator).open_parent() {
        let _ = fs::remove_dir_all(path_of(&parent).join(name));
    }
}

/// Reads a score file; `None` if it does not exist. A file that cannot be read counts as an invalid score.
fn written(feedback: &OwnedFd, name: &str) -> Option<Written> {
    match read_plainly(feedback, name) {
        Ok(text) => Some(Written::read(&printable(&text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => Some(Written::Unreadable(format!("cannot be read: {error}"))),
    }
}

fn text(feedback: &OwnedFd, name: &str) -> Option<String> {
    let text = read_plainly(feedback, name).ok()?;
    let text = printable(&text);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn read_plainly(folder: &OwnedFd, name: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    open_plainly(folder, name)?.take(MESSAGE_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Opens a regular file. Fails for links, pipes, devices and folders.
fn open_plainly(folder: &OwnedFd, name: &str) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}

/// Parses `ANSWER_OFFSET OUTPUT_OFFSET`. The default validators of other judges write differences in this form. Returns
/// `None` if the text does not begin with two numbers.
fn parse_difference(text: &str) -> Option<(usize, usize)> {
    let mut numbers = text.split_whitespace().map(|word| word.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_on_two_submissions_lies_in_two_folders() {
        let folder = |submission| target(Path::new("kept"), (submission, "secret/1"), "compare").below.join("/");
        assert_eq!(folder("./a/b.py"), "a/b.py/secret/1/compare");
        assert_eq!(folder("/tmp/b.py"), "tmp/b.py/secret/1/compare");
        assert_eq!(folder("../../a/b.py"), "_up/_up/a/b.py/secret/1/compare");
    }

    #[test]
    fn no_feedback_is_stored_or_removed_behind_a_link() {
        let top = tempfile::tempdir().unwrap();
        let at = |name: &str| top.path().join(name);
        for name in ["given", "kept/b.py/secret/1", "theirs/secret/1/compare"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("given/judgemessage.txt"), "new").unwrap();
        fs::write(at("theirs/secret/1/compare/mine"), "").unwrap();
        std::os::unix::fs::symlink(at("theirs"), at("kept/a.py")).unwrap();
        std::os::unix::fs::symlink(at("theirs"), at("kept/b.py/secret/1/compare")).unwrap();
        let given = OwnedFd::from(File::open(at("given")).unwrap());
        let names = |submission| (submission, "secret/1");
        let refused = store(&given, &target(&at("kept"), names("a.py"), "compare")).unwrap_err();
        assert!(refused.ends_with("kept/a.py is a link or a file, remove it"), "{refused}");
        remove_stored(&at("kept"), names("a.py"), "compare");
        store(&given, &target(&at("kept"), names("b.py"), "compare")).unwrap();
        assert_eq!(fs::read(at("kept/b.py/secret/1/compare/judgemessage.txt")).unwrap(), b"new");
        remove_stored(&at("kept"), names("b.py"), "compare");
        assert!(!at("kept/b.py/secret/1/compare").exists());
        assert!(at("theirs/secret/1/compare/mine").exists() && !at("theirs/judgemessage.txt").exists());
    }

    #[test]
    fn a_difference_has_two_places() {
        assert_eq!(parse_difference("12 9"), Some((12, 9)));
        assert_eq!(["12", "-1 2", "here there"].map(parse_difference), [None, None, None]);
    }
}
