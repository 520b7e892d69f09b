//! The files that an output validator leaves in its feedback folder. It may have been tricked by what it read, so that
//! none of them is trusted: never a link is followed, never a pipe or a device read, nothing without a bound.

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

/// The part of a message that is read, in bytes.
const MESSAGE_BYTES: u64 = 64 << 10;

/// The longest name of a folder of feedback, in bytes, a number of sixteen digits aside.
const LONGEST_NAME: usize = 200;

/// The part of a feedback folder that is kept, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// What a validator said besides its verdict.
pub(super) struct Feedback {
    pub(super) judge_message: Option<String>,
    pub(super) team_message: Option<String>,
    /// Where the answer and the output part, as byte offsets.
    pub(super) place: Option<(usize, usize)>,
    /// What it says of a score.
    pub(super) given: Given,
    /// The size of all its files.
    pub(super) bytes: u64,
}

/// Reads the feedback folder.
pub(super) fn read(folder: &OwnedFd) -> Feedback {
    Feedback {
        judge_message: text(folder, "judgemessage.txt"),
        team_message: text(folder, "teammessage.txt"),
        place: text(folder, "diffposition.txt").and_then(|text| place(&text)),
        given: Given { score: written(folder, "score.txt"), multiplier: written(folder, "score_multiplier.txt") },
        bytes: size(folder),
    }
}

/// Where the feedback on one case is kept: below the user's folder, by submission, case and validator.
pub(super) fn folder_for(folder: &Path, (submission, case): (&str, &str), validator: &str) -> PathBuf {
    let parts = [submission, case, validator];
    let names = parts.iter().flat_map(|part| Path::new(part).components()).filter_map(|part| match part {
        Component::Normal(name) => Some(short(&name.to_string_lossy())),
        // A submission is named as the user named it: ../a.cpp, /tmp/a.cpp. The first is another one than a.cpp.
        Component::ParentDir => Some(UP.to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    });
    names.fold(folder.to_path_buf(), |path, name| path.join(name))
}

/// What stands for `..`.
const UP: &str = "_up";

/// A name that every file system takes. One that is cut keeps a number of its own.
fn short(name: &str) -> String {
    if name.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let end = (0..=LONGEST_NAME).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!("{}-{}", &name[..end], &blake3::hash(name.as_bytes()).to_hex()[..16])
}

/// The input of the next pass, if the validator wants one.
pub(super) const NEXT_PASS: &str = "nextpass.in";

/// Takes the input of the next pass out of the folder; `None` if there is none. Fails with what is wrong with the file.
pub(super) fn take_next_pass(folder: &OwnedFd, most_bytes: u64) -> Result<Option<Vec<u8>>, String> {
    let told = |error: io::Error| format!("{NEXT_PASS} cannot be read: {error}");
    let file = match open_plainly(folder, NEXT_PASS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(told(error)),
        Ok(file) => file,
    };
    let mut text = Vec::new();
    file.take(most_bytes + 1).read_to_end(&mut text).map_err(told)?;
    if text.len() as u64 > most_bytes {
        return Err(format!("{NEXT_PASS} has more than the {most_bytes} bytes that a validator may write"));
    }
    rustix::fs::unlinkat(folder, NEXT_PASS, AtFlags::empty()).map_err(|error| told(error.into()))?;
    Ok(Some(text))
}

fn size(folder: &OwnedFd) -> u64 {
    let files = WalkDir::new(path_of(folder)).follow_root_links(true).into_iter().filter_map(Result::ok);
    files.filter_map(|entry| entry.metadata().ok()).filter(fs::Metadata::is_file).map(|found| found.len()).sum()
}

/// Copies the feedback files to `target`, where those of an earlier run go. The error says why that cannot be done.
pub(super) fn keep(folder: &OwnedFd, target: &Path) -> Result<(), String> {
    let told = |error: io::Error| format!("{}: {error}", target.display());
    let _ = fs::remove_dir_all(target);
    fs::create_dir_all(target).map_err(told)?;
    match copy::copy(&path_of(folder), target, KEPT_BYTES, Purpose::Compiled) {
        Ok(()) => Ok(()),
        Err(CopyError::Unfit(reason)) => Err(reason),
        Err(CopyError::System(error)) => Err(told(error)),
    }
}

/// Removes what [`keep`] has put there. A file that cannot be removed stays.
pub(super) fn forget(folder: &Path, names: (&str, &str), validator: &str) {
    let _ = fs::remove_dir_all(folder_for(folder, names, validator));
}

/// Reads a file that holds a score; `None` if there is no file. A file that cannot be read counts as one without a
/// score, and the result says so.
fn written(feedback: &OwnedFd, name: &str) -> Option<Written> {
    match read_plainly(feedback, name) {
        Ok(text) => Some(Written::read(&printable(&text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => Some(Written::Unreadable("is no file that can be read".to_owned())),
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

/// Opens a plain file, and nothing else.
fn open_plainly(folder: &OwnedFd, name: &str) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty())?);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no plain file"));
    }
    Ok(file)
}

/// `answer offset, output offset`, as the default validators of other judges write them.
fn place(text: &str) -> Option<(usize, usize)> {
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
        assert_eq!(place("12 9"), Some((12, 9)));
        assert_eq!((place("12"), place("-1 2"), place("here there")), (None, None, None));
    }
}
