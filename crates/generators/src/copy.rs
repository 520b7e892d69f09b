//! Finds the files of a test case that `copy: PATH` names.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha512};

use super::content::{Content, LARGEST_BYTES};
use super::ending::{self, Ending};
use referee_files::regular;
use referee_package::{Package, links};

/// Returns the files of the package whose name is `base`, a dot and a known ending. A link between files of the same
/// test case is returned as a link. Fails if a file is outside the package, too large or not a regular file.
pub(super) fn files(package: &Package, base: &str) -> Result<Vec<(Ending, Content)>, String> {
    let mut found = Vec::new();
    for ending in ending::all() {
        let path = file(package, base, ending);
        if let Some(target) = local_link(&path) {
            found.push((ending, Content::Link(target)));
        } else if path.symlink_metadata().is_ok() {
            found.push((ending, Content::File(checked_file(package, &path)?)));
        }
    }
    Ok(found)
}

/// Returns the SHA-512 of the file whose name is `base`, a dot and `ending`; `None` if it cannot be read or may not be
/// copied.
pub(super) fn hash(package: &Package, base: &str, ending: Ending) -> Option<[u8; 64]> {
    let path = checked_file(package, &file(package, base, ending)).ok()?;
    let mut hasher = Sha512::new();
    let mut rest = regular::open(&path).ok()?.take(LARGEST_BYTES + 1);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match rest.read(&mut buffer) {
            Ok(0) => return Some(hasher.finalize().into()),
            Ok(length) => hasher.update(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

fn file(package: &Package, base: &str, ending: Ending) -> PathBuf {
    package.root.join(format!("{base}.{ending}"))
}

/// Returns the ending of the target if the path is a link to another file of the same test case; `None` otherwise.
fn local_link(path: &Path) -> Option<Ending> {
    let target = path.read_link().ok()?;
    let (name, target) = (path.file_name()?.to_str()?, target.to_str()?);
    let stem = |name: &str| name.split('.').next().map(str::to_owned);
    if target.contains('/') || stem(name) != stem(target) {
        return None;
    }
    ending::split(target).map(|(_, ending)| ending)
}

/// Returns the real path of a file. Fails if it is outside the package, too large or not a regular file.
fn checked_file(package: &Package, path: &Path) -> Result<PathBuf, String> {
    let shown = path.strip_prefix(&package.root).unwrap_or(path).display();
    let real = links::resolve(&package.root, path).map_err(|refused| refused.to_string())?;
    let found = real.metadata().map_err(|error| format!("{shown} cannot be read: {error}"))?;
    match found.len() {
        _ if !found.is_file() => Err(format!("{shown} is not a regular file")),
        size if size > LARGEST_BYTES => Err(format!("{shown} has more than the {LARGEST_BYTES} bytes allowed")),
        _ => Ok(real),
    }
}
