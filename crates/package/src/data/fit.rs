//! Checks whether a file can be an input or an answer.

use std::fmt::Display;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, FileType};

/// The largest size allowed for an input or an answer, in bytes. Inputs are held in memory, and a larger file is a
/// mistake or an attack.
pub(super) const LARGEST_BYTES: u64 = 1 << 30;

/// Returns the path of the file `name` of a folder if the file can be an input or an answer, or why it cannot be one.
/// `opened` and `folder` are the folder and its path. The path of a link is that of its target: the sandbox follows no
/// link when it opens an input, because the links of the package are checked only once, and a link may be put there
/// later.
pub(super) fn fit(opened: BorrowedFd<'_>, folder: &Path, name: &str) -> Result<PathBuf, String> {
    let unreadable = |error: &dyn Display| format!("cannot be read: {error}");
    let path = folder.join(name);
    let found = rustix::fs::statat(opened, name, AtFlags::SYMLINK_NOFOLLOW);
    let mut found = found.map_err(|error| unreadable(&std::io::Error::from(error)))?;
    let is_link = FileType::from_raw_mode(found.st_mode) == FileType::Symlink;
    if is_link {
        found = rustix::fs::stat(&path).map_err(|error| unreadable(&std::io::Error::from(error)))?;
    }
    let real = if is_link { path.canonicalize().map_err(|error| unreadable(&error))? } else { path };
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return Err("is not a file".to_owned());
    }
    let bytes = u64::try_from(found.st_size).unwrap_or(0);
    if bytes > LARGEST_BYTES {
        return Err(format!("has {bytes} bytes, allowed: at most {LARGEST_BYTES}"));
    }
    // Every submission would fail on a file that the judge has no permission to read, so such a file is refused here.
    let readable = if is_link {
        rustix::fs::access(&real, Access::READ_OK)
    } else {
        rustix::fs::accessat(opened, name, Access::READ_OK, AtFlags::empty())
    };
    readable.map_err(|error| unreadable(&std::io::Error::from(error)))?;
    Ok(real)
}
