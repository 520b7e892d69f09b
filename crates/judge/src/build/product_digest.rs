//! Computes the digest of compiled programs.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use blake3::Hasher;
use walkdir::WalkDir;

use crate::cache::build_cache::contents::hash_field;

use referee_files::regular;

/// The digest of a compiled program. Programs with equal digests behave in the same way.
pub type Digest = [u8; 32];

/// Returns all files of a folder by their paths relative to it, with the hashes of their contents.
pub(crate) fn contents(folder: &Path) -> io::Result<BTreeMap<PathBuf, blake3::Hash>> {
    let entries = WalkDir::new(folder).follow_root_links(true).min_depth(1).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
    files
        .map(|entry| Ok((below(entry.path()), blake3::hash(&regular::read(entry.path(), regular::LARGEST_BYTES)?))))
        .collect()
}

/// The length of the header of a compiled Python file, in bytes. The digest leaves the header out, because it contains
/// the time at which the source was written.
const STAMP_BYTES: usize = 16;

/// Returns the digest of the files in `folder` that the compiler made or changed. If there are none, returns the digest
/// of all files. `sources` are the files before the compilation, with the hashes of their contents.
pub(crate) fn digest(folder: &Path, sources: &BTreeMap<PathBuf, blake3::Hash>) -> io::Result<Digest> {
    let all = contents(folder)?;
    let made: Vec<_> = all.iter().filter(|(name, hash)| sources.get(*name) != Some(hash)).collect();
    let counted: Vec<_> = if made.is_empty() { all.iter().collect() } else { made };
    let mut hasher = Hasher::new();
    for (name, _) in counted {
        let bytes = regular::read(&folder.join(name), regular::LARGEST_BYTES)?;
        let is_stamped = name.extension().is_some_and(|ending| ending == "pyc");
        let code = if is_stamped { bytes.get(STAMP_BYTES..).unwrap_or_default() } else { &bytes };
        hash_field(&mut hasher, name.as_os_str().as_encoded_bytes());
        hash_field(&mut hasher, code);
    }
    Ok(*hasher.finalize().as_bytes())
}
