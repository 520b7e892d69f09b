//! Reads the files that an output validator leaves in its feedback folder. A submission may have tricked the validator,
//! so the judge does not trust the files: it follows no links, reads no pipes or devices, and reads a bounded number of
//! bytes.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags};
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

/// Returns the folder for the feedback on one test case: `folder/SUBMISSION/CASE/VALIDATOR`.
pub(super) fn folder_for(folder: &Path, (submission, case): (&str, &str), validator: &str) -> PathBuf {
    let parts = [submission, case, validator];
    let names = parts.iter().flat_map(|part| Path::new(part).components()).filter_map(|part| match part {
        Component::Normal(name) => Some(shortened(&name.to_string_lossy())),
        // The names `../a.cpp` and `a.cpp` of two submissions must lead to two folders.
        Component::ParentDir => Some(UP.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    names.fold(folder.to_path_buf(), |path, name| path.join(name))
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
pub(super) fn store(folder: &OwnedFd, target: &Path) -> Result<(), String> {
    let describe = |error: io::Error| format!("{}: {error}", target.display());
    let _ = fs::remove_dir_all(target);
    fs::create_dir_all(target).map_err(describe)?;
    match copy::copy(&path_of(folder), target, KEPT_BYTES, Purpose::Compiled) {
        Ok(()) => Ok(()),
        Err(CopyError::Unfit(reason)) => Err(reason),
        Err(CopyError::System(error)) => Err(describe(error)),
    }
}

/// Removes the files that [`store`] copied. A file that cannot be removed stays.
pub(super) fn remove_stored(folder: &Path, names: (&str, &str), validator: &str) {
    let _ = fs::remove_dir_all(folder_for(folder, names, validator));
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
        let folder = |submission| folder_for(Path::new("kept"), (submission, "secret/1"), "compare");
        assert_eq!(folder("./a/b.py"), Path::new("kept/a/b.py/secret/1/compare"));
        assert_eq!(folder("/tmp/b.py"), Path::new("kept/tmp/b.py/secret/1/compare"));
        assert_eq!(folder("../../a/b.py"), Path::new("kept/_up/_up/a/b.py/secret/1/compare"));
    }

    #[test]
    fn a_difference_has_two_places() {
        assert_eq!(parse_difference("12 9"), Some((12, 9)));
        assert_eq!(["12", "-1 2", "here there"].map(parse_difference), [None, None, None]);
    }
}
