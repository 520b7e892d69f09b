//! Files from one folder to another, and nothing but files: what submissions bring and what compilers leave.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::printable::printable;

pub(super) enum CopyError {
    /// There is something that is not copied.
    Unfit(String),
    System(io::Error),
}

/// What is done about links, pipes, sockets and devices. They are never copied: links would bring files of the judge's
/// user into the submission's reach, and the others may never end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strange {
    /// It is an error.
    Refused,
    /// It stays behind.
    LeftBehind,
}

/// Copies a file, or the files of a folder, of at most `most` bytes in all. Everybody may read the copies, also a
/// program that runs as another user.
pub(super) fn copy(from: &Path, to: &Path, most: u64, strange: Strange) -> Result<(), CopyError> {
    let mut total = 0;
    for entry in WalkDir::new(from).follow_root_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| CopyError::Unfit(format!("cannot be read: {error}")))?;
        let metadata = if entry.depth() == 0 { from.metadata() } else { entry.path().symlink_metadata() };
        let metadata = metadata.map_err(|error| unreadable(&entry, &error))?;
        let target = target(&entry, from, to);
        if metadata.is_dir() {
            make_folder(&target).map_err(CopyError::System)?;
            continue;
        }
        if !metadata.is_file() {
            if strange == Strange::LeftBehind {
                continue;
            }
            let name = printable(entry.file_name().as_encoded_bytes());
            return Err(CopyError::Unfit(format!("{name} is neither a file nor a folder; links are not followed")));
        }
        total += metadata.len();
        if total > most {
            return Err(CopyError::Unfit(format!("the sources have more than the {most} bytes allowed")));
        }
        let source = File::open(entry.path()).map_err(|error| unreadable(&entry, &error))?;
        let is_executable = metadata.permissions().mode() & 0o111 != 0;
        copy_file(source, &target, most, is_executable).map_err(CopyError::System)?;
    }
    Ok(())
}

/// A folder that everybody may look into.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o755))
}

fn copy_file(source: File, target: &Path, most: u64, is_executable: bool) -> io::Result<()> {
    let mut copy = File::create(target)?;
    // The file may grow while it is copied.
    io::copy(&mut source.take(most), &mut copy)?;
    copy.set_permissions(Permissions::from_mode(if is_executable { 0o755 } else { 0o644 }))
}

fn unreadable(entry: &walkdir::DirEntry, error: &io::Error) -> CopyError {
    let name = printable(entry.file_name().as_encoded_bytes());
    CopyError::Unfit(format!("{name} cannot be read: {error}"))
}

/// Where the file or folder goes: a single file keeps its name, the files of a folder their places in it.
fn target(entry: &walkdir::DirEntry, from: &Path, to: &Path) -> PathBuf {
    match entry.path().strip_prefix(from) {
        Ok(below) if !below.as_os_str().is_empty() => to.join(below),
        _ if entry.path().is_dir() => to.to_path_buf(),
        _ => to.join(entry.file_name()),
    }
}
