//! Computes the digest of a folder's contents: the names and bytes of the files, and which of them are executable.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use blake3::Hasher;
use walkdir::WalkDir;

/// The digest of a folder's contents, and their size in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    hash: String,
    pub(super) bytes: u64,
}

impl Digest {
    pub(super) fn of(folder: &Path) -> io::Result<Digest> {
        let mut hasher = Hasher::new();
        let bytes = hash_folder(&mut hasher, folder)?;
        Ok(Digest { hash: hasher.finalize().to_hex().to_string(), bytes })
    }

    pub(super) fn read(path: &Path) -> Option<Digest> {
        let text = fs::read_to_string(path).ok()?;
        let (hash, bytes) = text.trim_end().split_once(' ')?;
        Some(Digest { hash: hash.to_owned(), bytes: bytes.parse().ok()? })
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
        file.write_all(format!("{} {}\n", self.hash, self.bytes).as_bytes())
    }
}

/// Hashes the length of a field and then the field, so that different lists of fields never hash the same bytes.
pub(crate) fn hash_field(hasher: &mut Hasher, field: &[u8]) {
    hasher.update(&(field.len() as u64).to_le_bytes()).update(field);
}

/// Hashes everything in `folder`, in the order of the names: each name, the contents, and whether the file is
/// executable. Returns the total size of the files in bytes.
pub(crate) fn hash_folder(hasher: &mut Hasher, folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let entry = entry?;
        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let metadata = entry.metadata()?;
        let kind: &[u8] = match (metadata.is_file(), metadata.permissions().mode() & 0o111) {
            (true, 0) => b"file",
            (true, _) => b"program",
            (false, _) => b"other",
        };
        hash_field(hasher, name.as_os_str().as_encoded_bytes());
        hash_field(hasher, kind);
        if metadata.is_file() {
            bytes += metadata.len();
            hasher.update(&metadata.len().to_le_bytes());
            hasher.update_reader(File::open(entry.path())?)?;
        }
    }
    Ok(bytes)
}
