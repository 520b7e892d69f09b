//! Files from one folder to another, and nothing but files: what submissions bring and what compilers leave.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::workspace::folder::remove_tree;
use referee_language::COMPILER_CACHE;
use referee_package::{is_legal_name, links};
use referee_text::printable::printable;

pub(crate) enum CopyError {
    /// There is something that is not copied.
    Unfit(String),
    System(io::Error),
}

/// What files are copied for. Pipes, sockets and devices never are: they may never end. Nor are links, but for those
/// within a package: they would bring files of the judge's user into the submission's reach.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What a person hands in. Anything strange in it is an error.
    Sources,
    /// Sources into a folder that only the compiler sees, which may change everything there.
    ToCompile,
    /// What a compiler has made. Anything strange stays behind.
    Compiled,
}

impl Purpose {
    /// Everybody may read, also a program that runs as another user than the judge.
    fn modes(self) -> [u32; 3] {
        if self == Purpose::ToCompile { [0o777, 0o777, 0o666] } else { [0o755, 0o755, 0o644] }
    }
}

/// No honest submission has as many files, or paths as long.
const MOST_FILES: usize = 1 << 12;
pub(crate) const LONGEST_PATH: usize = 1 << 10;

/// A class a file, and many classes.
pub(crate) const MOST_COMPILED_FILES: usize = 1 << 14;

/// Copies a file, or the files of a folder, of at most `most` bytes in all.
pub(crate) fn copy(from: &Path, to: &Path, most: u64, purpose: Purpose) -> Result<(), CopyError> {
    copy_walked(WalkDir::new(from).follow_root_links(true), from, to, most, purpose, None)
}

/// The same for files of the package in the folder `package`: links that stay in it are what they lead to, and names
/// that the format ignores are not copied.
pub(crate) fn copy_of_package(
    from: &Path,
    to: &Path,
    most: u64,
    purpose: Purpose,
    package: &Path,
) -> Result<(), CopyError> {
    copy_walked(WalkDir::new(from).follow_links(true), from, to, most, purpose, Some(package))
}

/// What a program of a package may take, in bytes, however little of it is code.
const MOST_BYTES: u64 = 256 << 20;

/// The sources of a program of the package in the folder `package`, for one that differs little from it.
pub fn copy_sources(from: &Path, to: &Path, package: &Path) -> io::Result<()> {
    copy_of_package(from, to, MOST_BYTES, Purpose::Sources, package).map_err(|error| match error {
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
    package: Option<&Path>,
) -> Result<(), CopyError> {
    let [of_folder, of_program, of_file] = purpose.modes();
    let package = package.map(|package| links::gate(package, from));
    let package = package.as_deref();
    let counts = |entry: &DirEntry| match (package, purpose) {
        _ if entry.depth() == 0 => true,
        (Some(_), _) => entry.file_name().to_str().is_some_and(is_legal_name),
        // What only the compiler needs may be large, and deep.
        (None, Purpose::Compiled) => entry.depth() > 1 || entry.file_name() != COMPILER_CACHE,
        (None, _) => true,
    };
    let mut total = 0;
    for (index, entry) in walk.sort_by_file_name().into_iter().filter_entry(counts).enumerate() {
        let entry = entry.map_err(|error| match (package, error.path()) {
            (Some(package), Some(path)) => unfit(&links::of_walk(package, path, &error)),
            _ => CopyError::Unfit(format!("cannot be read: {error}")),
        })?;
        check(index, &entry, from, purpose)?;
        let path = match package {
            Some(package) => links::resolve(package, entry.path()).map_err(|refused| unfit(&refused))?,
            None => entry.path().to_path_buf(),
        };
        let followed = package.is_some() || entry.depth() == 0;
        let metadata = if followed { path.metadata() } else { path.symlink_metadata() };
        let metadata = metadata.map_err(|error| unreadable(&entry, &error))?;
        let target = target(&entry, from, to);
        // The folder itself is there, and may be named by a link: that of an open folder.
        if package.is_some() && target != to {
            make_way(&target, metadata.is_dir()).map_err(CopyError::System)?;
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
            return Err(CopyError::Unfit(format!("{name} is neither a file nor a folder; links are not followed")));
        }
        total += metadata.len();
        if total > most {
            return Err(CopyError::Unfit(format!("there are more than the {most} bytes allowed")));
        }
        let source = File::open(&path).map_err(|error| unreadable(&entry, &error))?;
        let is_executable = metadata.permissions().mode() & 0o111 != 0;
        let mode = if is_executable { of_program } else { of_file };
        copy_file(&source, &target, most, mode).map_err(CopyError::System)?;
    }
    Ok(())
}

fn unfit(refused: &links::Refused) -> CopyError {
    CopyError::Unfit(refused.to_string())
}

/// Removes what stands where something of another kind is to be.
pub(crate) fn make_way(target: &Path, for_a_folder: bool) -> io::Result<()> {
    match target.symlink_metadata() {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() && for_a_folder => Ok(()),
        Ok(found) if found.is_dir() => remove_tree(target),
        Ok(_) => fs::remove_file(target),
    }
}

/// Refuses what would fill the judge's folder with names instead of bytes.
fn check(index: usize, entry: &DirEntry, from: &Path, purpose: Purpose) -> Result<(), CopyError> {
    let below = entry.path().strip_prefix(from).unwrap_or(entry.path());
    let most = if purpose == Purpose::Sources { MOST_FILES } else { MOST_COMPILED_FILES };
    if index > most {
        return Err(CopyError::Unfit(format!("there are more than the {most} files allowed")));
    }
    if below.as_os_str().len() > LONGEST_PATH {
        return Err(CopyError::Unfit(format!("a path is longer than the {LONGEST_PATH} bytes allowed")));
    }
    Ok(())
}

fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

fn copy_file(source: &File, target: &Path, most: u64, mode: u32) -> io::Result<()> {
    let mut copy = File::create(target)?;
    // The file may grow while it is copied.
    io::copy(&mut source.take(most), &mut copy)?;
    // Python believes what it has compiled only if that is as old as it says.
    let _ = source.metadata().and_then(|found| found.modified()).and_then(|time| copy.set_modified(time));
    copy.set_permissions(Permissions::from_mode(mode))
}

/// That a file cannot be opened is its own trouble, but for a lack of room in the judge.
fn unreadable(entry: &DirEntry, error: &io::Error) -> CopyError {
    let of_the_judge = [libc::EMFILE, libc::ENFILE, libc::ENOMEM];
    if error.raw_os_error().is_some_and(|errno| of_the_judge.contains(&errno)) {
        return CopyError::System(io::Error::from_raw_os_error(error.raw_os_error().unwrap_or(libc::EMFILE)));
    }
    let name = printable(entry.file_name().as_encoded_bytes());
    CopyError::Unfit(format!("{name} cannot be read: {error}"))
}

/// Where the file or folder goes: a single file keeps its name, the files of a folder their places in it.
fn target(entry: &DirEntry, from: &Path, to: &Path) -> PathBuf {
    match entry.path().strip_prefix(from) {
        Ok(below) if !below.as_os_str().is_empty() => to.join(below),
        _ if entry.path().is_dir() => to.to_path_buf(),
        _ => to.join(entry.file_name()),
    }
}
