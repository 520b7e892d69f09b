//! Copies sources and compiled programs from one folder to another. [`Purpose`] says what happens to links, pipes and
//! devices.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::workspace::folder::remove_tree;
use referee_files::regular;
use referee_language::COMPILER_CACHE;
use referee_package::is_legal_name;
use referee_package::links::{Boundary, Refused};
use referee_text::printable::printable;

pub(crate) enum CopyError {
    /// A file cannot be copied because of its type, size or name. Contains the message. The author of the file is
    /// responsible.
    Unfit(String),
    System(io::Error),
}

/// The purpose of a copy. Pipes, sockets and devices are never copied, because reading them may never end. Links are
/// not copied either, because they would let a submission read files of the judge's user. In a package, a link that
/// stays inside the boundary is replaced with a copy of its target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Sources that a person wrote. A link, pipe or device among them is an error.
    Sources,
    /// Sources for a folder that only the compiler sees. The compiler may change every file there.
    ToCompile,
    /// Compiled programs. Links, pipes and devices are skipped.
    Compiled,
}

impl Purpose {
    /// Returns three modes: of folders, of programs and of other files. Every user can read the files, because a
    /// program may run as another user than the judge.
    fn modes(self) -> [u32; 3] {
        if self == Purpose::ToCompile { [0o777, 0o777, 0o666] } else { [0o755, 0o755, 0o644] }
    }
}

/// Maximum number of files and folders in the sources of a program, and maximum length of a path in bytes. Ordinary
/// programs need much less.
const MOST_FILES: usize = 1 << 12;
const LONGEST_PATH: usize = 1 << 10;

/// Maximum number of files and folders of a compiled program. A Java compiler writes one file for each class.
pub(crate) const MOST_COMPILED_FILES: usize = 1 << 14;

/// Copies a file, or the files of a folder. `most` is the maximum total size in bytes.
pub(crate) fn copy(from: &Path, to: &Path, most: u64, purpose: Purpose) -> Result<(), CopyError> {
    copy_walked(WalkDir::new(from).follow_root_links(true), from, to, most, purpose, None)
}

/// Copies files of a package. Links that stay in `boundary` are replaced with their targets; other links are an error.
/// Files whose names are not legal in the package format are not copied.
pub(crate) fn copy_of_package(
    from: &Path,
    to: &Path,
    most: u64,
    purpose: Purpose,
    boundary: &Boundary,
) -> Result<(), CopyError> {
    copy_walked(WalkDir::new(from).follow_links(true), from, to, most, purpose, Some(boundary))
}

/// Maximum total size of the sources of a package's program, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Copies the sources of one of the package's programs, to make a mutant of that program.
pub fn copy_sources(from: &Path, to: &Path, boundary: &Boundary) -> io::Result<()> {
    copy_of_package(from, to, MOST_BYTES, Purpose::Sources, boundary).map_err(|error| match error {
        CopyError::Unfit(reason) => io::Error::other(format!("{}: {reason}", from.display())),
        CopyError::System(error) => error,
    })
}

fn copy_walked(
    walk: WalkDir,
    from: &Path,
    to: &Path,
    most: u64,
    purpose: Purpose,
    boundary: Option<&Boundary>,
) -> Result<(), CopyError> {
    let [of_folder, of_program, of_file] = purpose.modes();
    let boundary = boundary.map(|boundary| boundary.of_program(from));
    let boundary = boundary.as_ref();
    let counts = |entry: &DirEntry| match (boundary, purpose) {
        _ if entry.depth() == 0 => true,
        (Some(_), _) => entry.file_name().to_str().is_some_and(is_legal_name),
        // The compiler's own cache is left out, because it may be large and deep.
        (None, Purpose::Compiled) => entry.depth() > 1 || entry.file_name() != COMPILER_CACHE,
        (None, _) => true,
    };
    let mut total = 0;
    for (index, entry) in walk.sort_by_file_name().into_iter().filter_entry(counts).enumerate() {
        let entry = entry.map_err(|error| match (boundary, error.path()) {
            (Some(boundary), Some(path)) => unfit(&boundary.refused_in_walk(path, &error)),
            _ => CopyError::Unfit(format!("a file cannot be read: {error}")),
        })?;
        check(index, &entry, from, purpose)?;
        let path = match boundary {
            Some(boundary) => boundary.resolve(entry.path()).map_err(|refused| unfit(&refused))?,
            None => entry.path().to_path_buf(),
        };
        let followed = boundary.is_some() || entry.depth() == 0;
        let metadata = if followed { path.metadata() } else { path.symlink_metadata() };
        let metadata = metadata.map_err(|error| unreadable(&entry, &error))?;
        let target = target(&entry, from, to);
        // The target folder itself is never removed: it exists, and its path may be a link in /proc/self/fd.
        if boundary.is_some() && target != to {
            clear_target(&target, metadata.is_dir()).map_err(CopyError::System)?;
        }
        if metadata.is_dir() {
            make_folder(&target, of_folder).map_err(CopyError::System)?;
            continue;
        }
        if !metadata.is_file() {
            if purpose != Purpose::Sources {
                continue;
            }
            let name = printable(entry.file_name().as_encoded_bytes());
            return Err(CopyError::Unfit(format!("{name} is a link, pipe or device; replace it with a file")));
        }
        total += metadata.len();
        if total > most {
            let name = printable(entry.file_name().as_encoded_bytes());
            return Err(CopyError::Unfit(format!(
                "the files have more than the {most} bytes allowed; {name} has {} bytes",
                metadata.len()
            )));
        }
        let source = regular::open(&path).map_err(|error| unreadable(&entry, &error))?;
        let is_executable = metadata.permissions().mode() & 0o111 != 0;
        let mode = if is_executable { of_program } else { of_file };
        copy_file(&source, &target, most, mode).map_err(CopyError::System)?;
    }
    Ok(())
}

fn unfit(refused: &Refused) -> CopyError {
    CopyError::Unfit(refused.to_string())
}

/// Removes the link, file or folder at `target`, so that a new file or folder can be made there. If `for_a_folder` is
/// true, a folder at `target` stays, because it need not be made.
pub(crate) fn clear_target(target: &Path, for_a_folder: bool) -> io::Result<()> {
    match target.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() && for_a_folder => Ok(()),
        Ok(found) if found.is_dir() => remove_tree(target),
        Ok(_) => fs::remove_file(target),
    }
}

/// Fails if there are too many files and folders, or if the path of `entry` is too long.
fn check(index: usize, entry: &DirEntry, from: &Path, purpose: Purpose) -> Result<(), CopyError> {
    let below = entry.path().strip_prefix(from).unwrap_or(entry.path());
    let most = if purpose == Purpose::Sources { MOST_FILES } else { MOST_COMPILED_FILES };
    if index > most {
        return Err(CopyError::Unfit(format!("there are more than the {most} files and folders allowed")));
    }
    check_length(below).map_err(CopyError::Unfit)
}

/// Maximum number of bytes of a path that a message shows.
const SHOWN_PATH: usize = 80;

/// Fails with a message if a path, relative to the program's folder, is too long.
pub(crate) fn check_length(below: &Path) -> Result<(), String> {
    let bytes = below.as_os_str().as_encoded_bytes();
    if bytes.len() <= LONGEST_PATH {
        return Ok(());
    }
    Err(format!(
        "the path {}... has {} bytes, allowed: at most {LONGEST_PATH}; use fewer or shorter folder names",
        printable(&bytes[..SHOWN_PATH]),
        bytes.len()
    ))
}

fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

fn copy_file(source: &File, target: &Path, most: u64, mode: u32) -> io::Result<()> {
    let mut copy = File::create(target)?;
    // The number of bytes is limited, because the file may grow while it is copied.
    io::copy(&mut source.take(most), &mut copy)?;
    // The copy keeps the modification time. A compiled Python file states the time of its source, and Python uses the
    // compiled file only if the source still has that time.
    let _ = source.metadata().and_then(|found| found.modified()).and_then(|time| copy.set_modified(time));
    copy.set_permissions(Permissions::from_mode(mode))
}

/// Returns the error for a file that cannot be opened. A lack of descriptors or memory is a failure of the judge; every
/// other error is a fault of the file.
fn unreadable(entry: &DirEntry, error: &io::Error) -> CopyError {
    let of_the_judge = [libc::EMFILE, libc::ENFILE, libc::ENOMEM];
    if error.raw_os_error().is_some_and(|errno| of_the_judge.contains(&errno)) {
        return CopyError::System(io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(libc::EMFILE)));
    }
    let name = printable(entry.file_name().as_encoded_bytes());
    CopyError::Unfit(format!("{name} cannot be read: {error}"))
}

/// Returns the path of the copy: a single file keeps its name, and the files of a folder keep their relative paths.
fn target(entry: &DirEntry, from: &Path, to: &Path) -> PathBuf {
    match entry.path().strip_prefix(from) {
        Ok(below) if !below.as_os_str().is_empty() => to.join(below),
        _ if entry.path().is_dir() => to.to_path_buf(),
        _ => to.join(entry.file_name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_too_long_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("long/".repeat(220))).unwrap();
        let Err(CopyError::Unfit(reason)) = copy(&from, &to, 1000, Purpose::Sources) else { panic!("it is copied") };
        assert!(reason.starts_with("the path long/long/") && reason.contains("... has 1029 bytes"), "{reason}");
    }
}
