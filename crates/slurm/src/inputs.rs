//! A digest of files, by which a later process notices that they have changed.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use walkdir::WalkDir;

/// Returns a digest of `text` and of the names, sizes and times of all files at or below `paths`. Reads no file, because
/// test data can be large. Symbolic links count as such, except for the paths themselves. Ignores paths that do not
/// exist.
pub fn digest<P: AsRef<OsStr>>(text: &str, paths: impl IntoIterator<Item = P>) -> String {
    let mut hasher = blake3::Hasher::new();
    add(&mut hasher, text.as_bytes());
    for path in paths {
        let path = Path::new(path.as_ref());
        for entry in WalkDir::new(path).sort_by_file_name().into_iter().filter_map(Result::ok) {
            add(&mut hasher, entry.path().as_os_str().as_encoded_bytes());
            let found = if entry.depth() == 0 { path.metadata().ok() } else { entry.metadata().ok() };
            // The time of a folder changes with every temporary file that an editor makes in it.
            if let Some(found) = found.filter(|found| !found.is_dir()) {
                add(&mut hasher, &state(&found));
            }
        }
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn state(found: &Metadata) -> [u8; 24] {
    let mut state = [0; 24];
    state[..8].copy_from_slice(&found.len().to_le_bytes());
    state[8..16].copy_from_slice(&found.mtime().to_le_bytes());
    state[16..].copy_from_slice(&found.mtime_nsec().to_le_bytes());
    state
}

/// Adds the bytes with their number, so that two different lists of texts differ in their digests.
fn add(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&bytes.len().to_le_bytes());
    hasher.update(bytes);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn each_change_of_a_file_changes_the_digest() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path()];
        let file = folder.path().join("a/b.in");
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(&file, "1").unwrap();
        let mut digests = vec![digest("t", paths), digest("u", paths)];
        assert_eq!(digest("t", paths), digests[0]);
        let open = || fs::File::options().write(true).open(&file).unwrap();
        open().set_modified(SystemTime::UNIX_EPOCH + Duration::from_nanos(5)).unwrap();
        digests.push(digest("t", paths));
        fs::rename(&file, folder.path().join("a/c.in")).unwrap();
        digests.push(digest("t", paths));
        fs::write(folder.path().join("a/d.in"), "").unwrap();
        digests.push(digest("t", paths));
        digests.push(digest("t", [Path::new("/no/such/path")]));
        let different: std::collections::BTreeSet<_> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
    }
}
